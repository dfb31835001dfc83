//! The file `particle_input.dat` of MFIX-DEM, version 1, and that of MFIX-Exa.

use std::io::{self, BufRead, Write};

use glam::DVec3;

use super::{
    error::ReadError,
    export::Scene,
    read_options::ReadOptions,
    rows::Rows,
    template::write_rows,
    text::{Lines, parse_count},
};

/// Rows of MFIX-DEM: center, radius, density and velocity.
pub(super) const ROW: &str = "{x} {y} {z} {r} {rho} 0.0 0.0 0.0\n";

/// The columns of MFIX-DEM in three dimensions.
const COLUMNS: [&str; 8] = ["x", "y", "z", "radius", "density", "u", "v", "w"];

/// The columns of MFIX-Exa.
const EXA_COLUMNS: [&str; 9] = ["phase", "x", "y", "z", "radius", "density", "u", "v", "w"];

const NO_CONTAINER: &str = "a particle_input.dat does not hold the container";

/// Writes the file of MFIX-Exa: the number of particles, and rows of phase, center, radius, density and velocity.
pub(super) fn write_exa(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", scene.len())?;
    write_rows(scene, "{type} {x} {y} {z} {r} {rho} 0.0 0.0 0.0\n", out)
}

/// Reads the rows of MFIX-DEM, which have no header.
pub(super) fn read(input: impl BufRead, options: &ReadOptions) -> Result<Rows, ReadError> {
    let mut lines = Lines::new(input);
    let container = options.required_container(NO_CONTAINER)?;
    let mut rows = Rows::fixed(&COLUMNS, DVec3::ZERO, container, options)?;
    while let Some((line, text)) = lines.next_filled()? {
        if text.starts_with("Version") {
            let what = format!(
                "the file has '{text}' of particle_input.dat; only version 1 can be read, whose rows are {}",
                COLUMNS.join(" ")
            );
            return Err(ReadError::at(line, what));
        }
        rows.push_complete(line, text)?;
    }
    Ok(rows)
}

/// Reads the number of particles and the rows of MFIX-Exa.
pub(super) fn read_exa(input: impl BufRead, options: &ReadOptions) -> Result<Rows, ReadError> {
    let mut lines = Lines::new(input);
    let container = options.required_container(NO_CONTAINER)?;
    let (first, text) = lines.next_filled()?.unwrap_or((1, ""));
    let count = parse_count(text, "particles", first)?;
    let mut rows = Rows::fixed(&EXA_COLUMNS, DVec3::ZERO, container, options)?;
    while let Some((line, text)) = lines.next_filled()? {
        rows.push_complete(line, text)?;
    }
    if rows.len() != count {
        let what = format!(
            "the file announces {count} particles, but it has {}",
            rows.len()
        );
        return Err(ReadError::at(first, what));
    }
    Ok(rows)
}
