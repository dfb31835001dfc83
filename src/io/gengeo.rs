//! The geometry files of ESyS-Particle and GenGeo, version 1.2.
//!
//! Version 1.3 has a further line, which YADE's reader takes for a particle.

use std::io::{self, BufRead, Write};

use glam::DVec3;

use super::{
    columns_by_name::Columns,
    error::ReadError,
    export::{Bond, Scene},
    read_options::ReadOptions,
    rows::Rows,
    template::write_rows,
    text::{Lines, boundaries, by_boundary, numbers, parse_count, write_numbers},
};
use crate::container::Container;

/// Writes the particles, whose tags are their types, and bonds with tag 1.
///
/// Source of the bonds: FAQ 3057 of ESyS-Particle on Launchpad, "What output file formats are available for GenGeo?".
pub(super) fn write(scene: &Scene, bonds: &[Bond], out: &mut dyn Write) -> io::Result<()> {
    write!(out, "LSMGeometry 1.2\nBoundingBox ")?;
    write_numbers(out, b" ", scene.corners())?;
    let [px, py, pz] = by_boundary(scene.container.boundary(), "1", "0");
    writeln!(out, "\nPeriodicBoundaries {px} {py} {pz}\nDimension 3D")?;
    writeln!(out, "BeginParticles\nSimple\n{}", scene.len())?;
    write_rows(scene, "{x} {y} {z} {r} {id} {type}\n", out)?;
    writeln!(out, "EndParticles\nBeginConnect\n{}", bonds.len())?;
    for bond in bonds {
        let [a, b] = bond.spheres.map(|sphere| scene.id(sphere));
        writeln!(out, "{a} {b} 1")?;
    }
    writeln!(out, "EndConnect")
}

/// The last column.
const TAG: usize = 5;

const COLUMNS: Columns = Columns {
    center: [0, 1, 2],
    size: Some(3),
    is_diameter: false,
    id: Some(4),
    kind: Some(TAG),
    width: TAG + 1,
};

pub(super) fn read(input: impl BufRead, options: &ReadOptions) -> Result<Rows, ReadError> {
    let mut lines = Lines::new(input);
    if !next(&mut lines, "LSMGeometry")?
        .1
        .starts_with("LSMGeometry")
    {
        let what = "the file must begin with 'LSMGeometry' and a version";
        return Err(ReadError::at(1, what));
    }
    let (mut bounds, mut boundary) = (None, None);
    loop {
        let (line, text) = next(&mut lines, "BeginParticles")?;
        if let Some(numbers_of) = text.strip_prefix("BoundingBox") {
            bounds = Some(numbers::<6>(numbers_of, "BoundingBox", line)?);
        } else if let Some(flags) = text.strip_prefix("PeriodicBoundaries") {
            let flags = numbers::<3>(flags, "PeriodicBoundaries", line)?;
            boundary = Some(boundaries(flags.map(|flag| flag != 0.0)));
        } else if text == "BeginParticles" {
            break;
        }
    }
    let missing = |name| ReadError::content(format!("the file has no line '{name}'"));
    let [x, y, z, high @ ..] = bounds.ok_or_else(|| missing("BoundingBox"))?;
    let boundary = boundary.ok_or_else(|| missing("PeriodicBoundaries"))?;
    let low = DVec3::new(x, y, z);
    let container = Container::cuboid(DVec3::from_array(high) - low, boundary)
        .map_err(|error| ReadError::content(error.to_string()))?;

    let (line, kind) = next(&mut lines, "Simple")?;
    if kind != "Simple" {
        let what = format!("the particles are '{kind}'; only Simple can be read");
        return Err(ReadError::at(line, what));
    }
    let (line, text) = next(&mut lines, "the number of particles")?;
    let count = parse_count(&text, "particles", line)?;
    let mut rows = Rows::new(COLUMNS, low, container, options);
    while rows.len() < count {
        let (line, text) = next(&mut lines, "a further particle")?;
        rows.push_words(line, &text)?;
    }
    let (line, text) = next(&mut lines, "EndParticles")?;
    if text != "EndParticles" {
        let what = format!("line '{text}' follows the {count} particles; EndParticles must follow");
        return Err(ReadError::at(line, what));
    }
    while let Some((_, text)) = lines.next_filled()? {
        if text == "BeginConnect" {
            let (_, bonds) = next(&mut lines, "the number of bonds")?;
            if bonds != "0" {
                rows.note(format!(
                    "the bonds between particles ({bonds}) are not used"
                ));
            }
        }
    }
    Ok(rows)
}

/// Returns the next line, which must exist. `expected` is for the error message.
fn next(lines: &mut Lines<impl BufRead>, expected: &str) -> Result<(u64, String), ReadError> {
    match lines.next()? {
        Some((line, text)) => Ok((line, text.to_owned())),
        None => Err(ReadError::content(format!(
            "the file ends where {expected} is expected"
        ))),
    }
}
