//! Rows `x y z r` for YADE: `ymport.text`, `SpherePack.load` and `ymport.textExt`.

use std::io::{self, BufRead, Write};

use glam::DVec3;

use super::{
    columns_by_name::ColumnNames,
    error::ReadError,
    export::Scene,
    read_options::ReadOptions,
    rows::Rows,
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

/// The names of the columns, unless the caller gives others.
const COLUMNS: [&str; 4] = ["x", "y", "z", "r"];

/// Reads the rows of either form. Lines with `#` and empty lines are ignored, except the line with the periodic cell.
pub(super) fn read(input: impl BufRead, options: &ReadOptions) -> Result<Rows, ReadError> {
    let mut lines = Lines::new(input);
    let mut cell = None;
    let names = &options.columns;
    let mut numbering = Numbering::default();
    let mut rows: Option<Rows> = None;
    while let Some((line, text)) = lines.next()? {
        if let Some(lengths) = text.strip_prefix(PERIODIC) {
            let lengths = numbers::<3>(lengths, "the periodic cell", line)?;
            let periodic = Container::cuboid(lengths.into(), Boundaries::PERIODIC)
                .map_err(|error| ReadError::at(line, error.to_string()))?;
            if rows.is_some() {
                let what =
                    "the periodic cell follows the first sphere; it must be on the first line";
                return Err(ReadError::at(line, what));
            }
            cell = Some(periodic);
        } else if let Some(format) = text.strip_prefix("#format") {
            if names.is_none() && format.trim() != "x_y_z_r" {
                let what = format!("the columns are '{}', not x_y_z_r", format.trim());
                return Err(ReadError::no_columns(Some(line), what));
            }
        } else if !text.is_empty() && !text.starts_with('#') {
            let rows = match &mut rows {
                Some(rows) => rows,
                None => rows.insert(begin(cell.take(), options)?),
            };
            let fields: Vec<&str> = text.split_ascii_whitespace().collect();
            if names.is_none() && fields.len() > COLUMNS.len() {
                let what = format!("the row has {} columns, not the four x y z r", fields.len());
                return Err(ReadError::no_columns(Some(line), what));
            }
            numbering.add(fields[0]);
            rows.push(line, |column| fields.get(column).copied())?;
        }
    }
    if names.is_none() && numbering.is_whole() {
        let what = "the first column counts the rows, so that it is no x";
        return Err(ReadError::no_columns(None, what));
    }
    rows.map_or_else(|| begin(cell, options), Ok)
}

/// Begins with no sphere, in the periodic cell of the file or the container of the options.
fn begin(cell: Option<Container>, options: &ReadOptions) -> Result<Rows, ReadError> {
    let missing =
        "the file has no line '##PERIODIC:: Lx Ly Lz' with the lengths of a periodic cell";
    let container = cell.map_or_else(|| options.required_container(missing), Ok)?;
    let names = options.columns.clone();
    let columns = names.unwrap_or_else(|| ColumnNames::of(&COLUMNS)).find()?;
    Ok(Rows::named(columns, DVec3::ZERO, container, options))
}

/// Tells whether a column counts the rows in whole numbers, from 0 or from 1. Coordinates of jostle have a decimal point.
#[derive(Default)]
struct Numbering {
    rows: u64,
    first: Option<u64>,
    is_broken: bool,
}

impl Numbering {
    fn add(&mut self, field: &str) {
        if self.is_broken {
            return;
        }
        let number: Option<u64> = field.parse().ok();
        let first = *self.first.get_or_insert(number.unwrap_or(u64::MAX));
        self.is_broken = first > 1 || number != Some(first + self.rows);
        self.rows += 1;
    }

    /// Returns whether the column counts at least two rows.
    fn is_whole(&self) -> bool {
        self.rows > 1 && !self.is_broken
    }
}
