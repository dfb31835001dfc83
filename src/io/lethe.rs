//! Particle files of Lethe, for its insertion method `file`.

use std::io::{self, BufRead, Write};

use glam::DVec3;

use super::{
    error::ReadError, export::Scene, read_options::ReadOptions, rows::Rows, template::write_rows,
    text::Lines,
};

/// First line of the files. Lethe finds the columns by these names.
const HEADER: &str = "p_x; p_y; p_z; v_x; v_y; v_z; w_x; w_y; w_z; diameters; \
    fem_force_x; fem_force_y; fem_force_z; fem_torque_x; fem_torque_y; fem_torque_z;";

/// Writes a file.
pub(super) fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{HEADER}")?;
    let row = "{x}; {y}; {z}; 0; 0; 0; 0; 0; 0; {d}; 0; 0; 0; 0; 0; 0;\n";
    write_rows(scene, row, out)
}

/// Reads a file, with its columns in any order.
pub(super) fn read(input: impl BufRead, options: &ReadOptions) -> Result<Rows, ReadError> {
    let mut lines = Lines::new(input);
    let container = options.required_container("a file of Lethe does not hold the container")?;
    let (first, header) = lines.next_filled()?.unwrap_or((1, ""));
    let names = fields(header);
    let missing =
        (["p_x", "p_y", "p_z", "diameters"].into_iter()).find(|name| !names.contains(name));
    if let Some(missing) = missing {
        let what = format!(
            "the header '{header}' has no column {missing}; it must be like p_x; p_y; p_z; diameters;"
        );
        return Err(ReadError::at(first, what));
    }
    let rows = Rows::fixed(&names, DVec3::ZERO, container, options);
    let (mut rows, width) = (rows?, names.len());
    while let Some((line, text)) = lines.next_filled()? {
        let fields = fields(text);
        if fields.len() != width {
            let what = format!(
                "the row has {} fields, but the header names {width} columns; they must agree",
                fields.len()
            );
            return Err(ReadError::at(line, what));
        }
        rows.push(line, |column| fields.get(column).copied())?;
    }
    Ok(rows)
}

/// Returns the fields of a line, each of which ends with a semicolon.
fn fields(line: &str) -> Vec<&str> {
    let line = line.strip_suffix(';').unwrap_or(line);
    line.split(';').map(str::trim).collect()
}
