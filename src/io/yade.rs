//! Rows `x y z r` for YADE: `ymport.text`, `SpherePack.load` and `ymport.textExt`.

use std::io::{self, BufRead, Write};

use glam::DVec3;

use super::{
    container_hint::ContainerHint,
    error::ReadError,
    export::Scene,
    rows::{Columns, Rows},
    template::write_rows,
    text::{Lines, numbers, write_numbers},
};
use crate::container::{Boundaries, Container};

/// Begin of the line with the lengths of a periodic cell, for `SpherePack.load`.
const PERIODIC: &str = "##PERIODIC::";

/// First line for `ymport.textExt`.
const FORMAT: &str = "#format x_y_z_r";

const ROW: &str = "{x} {y} {z} {r}\n";

/// Writes the rows for `ymport.text`, or for `SpherePack.load` if the container is periodic.
pub(super) fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    if scene.is_periodic() {
        write!(out, "{PERIODIC} ")?;
        write_numbers(out, b" ", scene.container.lengths().to_array())?;
        writeln!(out)?;
    }
    write_rows(scene, ROW, out)
}

/// Writes the rows for `ymport.textExt`.
pub(super) fn write_ext(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{FORMAT}")?;
    write_rows(scene, ROW, out)
}

const COLUMNS: Columns = Columns {
    center: [0, 1, 2],
    size: 3,
    is_diameter: false,
    id: None,
};

/// Reads the rows of either form. Lines with `#` and empty lines are ignored, except the line with the periodic cell.
pub(super) fn read(input: impl BufRead, hint: Option<ContainerHint>) -> Result<Rows, ReadError> {
    let mut lines = Lines::new(input);
    let mut container = hint.and_then(ContainerHint::into_container);
    let mut rows: Option<Rows> = None;
    while let Some((line, text)) = lines.next()? {
        if let Some(lengths) = text.strip_prefix(PERIODIC) {
            let lengths = numbers::<3>(lengths, "the periodic cell", line)?;
            let cell = Container::cuboid(lengths.into(), Boundaries::PERIODIC)
                .map_err(|error| ReadError::at(line, error.to_string()))?;
            if rows.is_some() {
                let what =
                    "the periodic cell follows the first sphere; it must be on the first line";
                return Err(ReadError::at(line, what));
            }
            container = Some(cell);
        } else if let Some(format) = text.strip_prefix("#format") {
            if !format.trim().starts_with("x_y_z_r") {
                let what = format!("the columns are '{}'; they must be x_y_z_r", format.trim());
                return Err(ReadError::at(line, what));
            }
        } else if !text.is_empty() && !text.starts_with('#') {
            let rows = match &mut rows {
                Some(rows) => rows,
                None => rows.insert(Rows::new(COLUMNS, DVec3::ZERO, take(&mut container)?)),
            };
            let fields: Vec<&str> = text.split_ascii_whitespace().collect();
            rows.push(line, |column| fields.get(column).copied())?;
        }
    }
    match rows {
        Some(rows) => Ok(rows),
        None => Ok(Rows::new(COLUMNS, DVec3::ZERO, take(&mut container)?)),
    }
}

fn take(container: &mut Option<Container>) -> Result<Container, ReadError> {
    container.take().ok_or(ReadError::NoContainer {
        path: None,
        line: None,
        what: "the file has no line '##PERIODIC:: Lx Ly Lz' with the lengths of a periodic cell",
    })
}
