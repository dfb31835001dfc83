//! The file `particle_input.dat` of MFIX-DEM (version 1) and of MFIX-Exa.

use std::io::{self, Write};

use super::{export::Scene, template::write_rows};

/// Writes rows of center, radius, density and velocity for MFIX-DEM.
pub(super) fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    write_rows(scene, "{x} {y} {z} {r} {rho} 0.0 0.0 0.0\n", out)
}

/// Writes the number of particles, and rows of phase, center, radius, density and velocity, for MFIX-Exa.
pub(super) fn write_exa(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", scene.len())?;
    write_rows(scene, "{type} {x} {y} {z} {r} {rho} 0.0 0.0 0.0\n", out)
}
