//! LAMMPS dump files: one snapshot with `id type x y z radius`.

use std::io::{self, BufRead, Write};

use glam::DVec3;

use super::{
    container_hint::ContainerHint,
    error::ReadError,
    export::Scene,
    rows::{Columns, Rows},
    template::write_rows,
    text::{Lines, by_boundary, numbers, write_numbers},
};
use crate::container::{Boundaries, Boundary, Container};

pub(super) fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    if scene.is_first_part() {
        write_head(scene, out)?;
    }
    write_rows(scene, "{id1} {type} {x} {y} {z} {r}\n", out)
}

fn write_head(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n{}",
        scene.total
    )?;
    let [px, py, pz] = by_boundary(scene.container.boundary(), "pp", "ff");
    writeln!(out, "ITEM: BOX BOUNDS {px} {py} {pz}")?;
    let (low, high) = (scene.low, scene.high());
    for axis in 0..3 {
        write_numbers(out, b" ", [low[axis], high[axis]])?;
        writeln!(out)?;
    }
    writeln!(out, "ITEM: ATOMS id type x y z radius")
}

pub(super) fn read(input: impl BufRead, hint: Option<&ContainerHint>) -> Result<Rows, ReadError> {
    let mut lines = Lines::new(input);
    let mut count = None;
    let mut bounds = None;
    let columns = loop {
        let (line, text) = lines.next()?.ok_or_else(|| {
            ReadError::content("the file has no line 'ITEM: ATOMS id type x y z radius'")
        })?;
        let Some(item) = text.strip_prefix("ITEM:") else {
            continue;
        };
        let item = item.trim().to_owned();
        if item.starts_with("NUMBER OF ATOMS") {
            count = Some(number_of_atoms(&mut lines)?);
        } else if let Some(kinds) = item.strip_prefix("BOX BOUNDS") {
            bounds = Some(Bounds::read(kinds, line, &mut lines, hint)?);
        } else if let Some(names) = item.strip_prefix("ATOMS") {
            break columns(names, line)?;
        }
    };
    let count =
        count.ok_or_else(|| ReadError::content("the file has no line 'ITEM: NUMBER OF ATOMS'"))?;
    let Bounds { origin, container } =
        bounds.ok_or_else(|| ReadError::content("the file has no line 'ITEM: BOX BOUNDS'"))?;
    let mut rows = Rows::new(columns, origin, container);
    while let Some((line, text)) = lines.next()? {
        if text.starts_with("ITEM:") {
            let what = "a second snapshot begins; the file must hold one snapshot only";
            return Err(ReadError::at(line, what));
        }
        if !text.is_empty() {
            let fields: Vec<&str> = text.split_ascii_whitespace().collect();
            rows.push(line, |column| fields.get(column).copied())?;
        }
    }
    if rows.len() == count {
        return Ok(rows);
    }
    let what = format!(
        "the file announces {count} atoms, but it has {}",
        rows.len()
    );
    Err(ReadError::content(what))
}

fn number_of_atoms(lines: &mut Lines<impl BufRead>) -> Result<usize, ReadError> {
    let (line, text) = lines.next()?.unwrap_or((0, ""));
    text.parse().map_err(|_| {
        let what = format!("'{text}' is no number of atoms; it must be a whole number");
        ReadError::at(line, what)
    })
}

/// The container of a snapshot.
struct Bounds {
    origin: DVec3,
    container: Container,
}

impl Bounds {
    /// Reads the three lines that follow the line `line`, which ends with the kinds of the faces.
    fn read(
        kinds: &str,
        line: u64,
        lines: &mut Lines<impl BufRead>,
        hint: Option<&ContainerHint>,
    ) -> Result<Self, ReadError> {
        let kinds: Vec<&str> = kinds.split_ascii_whitespace().collect();
        let boundary = match kinds[..] {
            [] => hint.ok_or(ReadError::NoBoundary { path: None })?.boundary(),
            [x, y, z] => Boundaries([x, y, z].map(|kind| match kind {
                "pp" => Boundary::Periodic,
                _ => Boundary::Wall,
            })),
            _ => {
                let what = "the container is tilted; only containers along the axes can be read";
                return Err(ReadError::at(line, what));
            }
        };
        let (mut origin, mut lengths) = (DVec3::ZERO, DVec3::ZERO);
        for axis in 0..3 {
            let (line, text) = lines.next()?.unwrap_or((line, ""));
            let [low, high] = numbers(text, "the bounds", line)?;
            origin[axis] = low;
            lengths[axis] = high - low;
        }
        let container = Container::cuboid(lengths, boundary)
            .map_err(|error| ReadError::at(line, error.to_string()))?;
        Ok(Self { origin, container })
    }
}

/// Finds the columns of the centres, radii and ids.
fn columns(names: &str, line: u64) -> Result<Columns, ReadError> {
    let names: Vec<&str> = names.split_ascii_whitespace().collect();
    let find = |wanted: &[&str]| names.iter().position(|name| wanted.contains(name));
    let center = [["x", "xu"], ["y", "yu"], ["z", "zu"]].map(|names| find(&names));
    let (radius, diameter) = (find(&["radius"]), find(&["diameter"]));
    match (center, radius.or(diameter)) {
        ([Some(x), Some(y), Some(z)], Some(size)) => Ok(Columns {
            center: [x, y, z],
            size,
            is_diameter: radius.is_none(),
            id: find(&["id"]),
        }),
        _ => {
            let what = format!(
                "the columns are '{}'; they must include x, y, z and radius or diameter",
                names.join(" ")
            );
            Err(ReadError::at(line, what))
        }
    }
}
