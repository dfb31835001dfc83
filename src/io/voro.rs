//! Rows `id x y z r` for the radical Voronoi cells of Voro++.

use std::io::BufRead;

use glam::DVec3;

use super::{error::ReadError, read_options::ReadOptions, rows::Rows, text::Lines};

/// A row, as the option `-r` of the program `voro++` expects it.
pub(super) const ROW: &str = "{id} {x} {y} {z} {r}\n";

const COLUMNS: [&str; 5] = ["id", "x", "y", "z", "radius"];

pub(super) fn read(input: impl BufRead, options: &ReadOptions) -> Result<Rows, ReadError> {
    let container = options.required_container("a file of Voro++ does not hold the container")?;
    let mut rows = Rows::fixed(&COLUMNS, DVec3::ZERO, container, options)?;
    let mut lines = Lines::new(input);
    while let Some((line, text)) = lines.next_filled()? {
        rows.push_complete(line, text)?;
    }
    Ok(rows)
}
