//! Data files of MercuryDPM for three dimensions.

use std::io::{self, Write};

use super::{export::Scene, template::write_rows, text::write_numbers};

/// Writes the header `N t xmin ymin zmin xmax ymax zmax`, and rows of center, velocity, radius, angles, angular velocity and
/// species. Species count from 0.
pub(super) fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    let (low, high) = (scene.low, scene.high());
    write!(out, "{} 0 ", scene.len())?;
    write_numbers(out, b" ", [low.x, low.y, low.z, high.x, high.y, high.z])?;
    writeln!(out)?;
    write_rows(scene, "{x} {y} {z} 0 0 0 {r} 0 0 0 0 0 0 {type0}\n", out)
}
