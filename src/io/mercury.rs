//! Data files of MercuryDPM in three dimensions, one time after the other.

use std::io::{self, BufRead, Write};

use glam::DVec3;

use super::{
    error::ReadError,
    export::Scene,
    frames::{Frames, announced_rows},
    read_options::ReadOptions,
    rows::Rows,
    template::write_rows,
    text::{Lines, numbers, write_numbers},
};
use crate::container::Container;

/// The columns of a row. Angles are a, b and c.
const COLUMNS: [&str; 14] = [
    "x", "y", "z", "vx", "vy", "vz", "radius", "a", "b", "c", "wx", "wy", "wz", "species",
];

/// The header of the particles at one time.
const HEADER: &str = "N t xmin ymin zmin xmax ymax zmax";

/// Writes the header, and rows of center, velocity, radius, angles, angular velocity and species. Species count from 0.
pub(super) fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{} 0 ", scene.len())?;
    write_numbers(out, b" ", scene.corners())?;
    writeln!(out)?;
    write_rows(scene, "{x} {y} {z} 0 0 0 {r} 0 0 0 0 0 0 {type0}\n", out)
}

/// Reads the particles at one time. The file may hold several.
pub(super) fn read(input: impl BufRead, options: &ReadOptions) -> Result<Rows, ReadError> {
    let mut lines = Lines::new(input);
    let mut frames = Frames::new(options);
    while let Some((first, text)) = lines.next_filled()? {
        let (count, low, high) = header(text, first)?;
        let mut rows = if frames.wants_next() {
            Some(begin(low, high, first, options)?)
        } else {
            None
        };
        announced_rows(&mut lines, (first, count), "particles", |line, text| {
            (rows.iter_mut()).try_for_each(|rows| rows.push_complete(line, text))
        })?;
        frames.end(rows);
    }
    frames.chosen("frame")
}

/// Begins with no sphere, in the box of a header.
fn begin(low: DVec3, high: DVec3, line: u64, options: &ReadOptions) -> Result<Rows, ReadError> {
    let boundary = (options.boundary()).ok_or(ReadError::NoBoundary { path: None })?;
    let container = Container::cuboid(high - low, boundary)
        .map_err(|error| ReadError::at(line, error.to_string()))?;
    Rows::fixed(&COLUMNS, low, container, options)
}

/// Reads the number of particles and the corners of the box.
fn header(text: &str, line: u64) -> Result<(u64, DVec3, DVec3), ReadError> {
    match text.split_ascii_whitespace().count() {
        8 => {}
        6 => {
            let what = format!(
                "the header '{text}' is that of a file in two dimensions; only files in three can be read, whose header is {HEADER}"
            );
            return Err(ReadError::at(line, what));
        }
        width => {
            let what = format!(
                "'{text}' has {width} fields where the header {HEADER} of a time is expected; the number of rows must be N"
            );
            return Err(ReadError::at(line, what));
        }
    }
    let [count, _, low @ .., x, y, z] = numbers::<8>(text, "the header", line)?;
    // MercuryDPM reads the number as a real one.
    if !(count >= 0.0 && count.fract() == 0.0 && count <= f64::from(u32::MAX)) {
        let what = format!("the number of particles is {count}; it must be a whole number");
        return Err(ReadError::at(line, what));
    }
    Ok((count as u64, DVec3::from_array(low), DVec3::new(x, y, z)))
}
