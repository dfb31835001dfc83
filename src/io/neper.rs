//! Tables for Neper's optimization of tessellations.

use std::io::{self, Write};

use super::{export::Scene, template::write_rows};

/// Writes rows of center and equivalent diameter, for `-morpho centroiddiameq:file(…)`.
pub(super) fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    write_rows(scene, "{x} {y} {z} {d}\n", out)
}

/// Writes the centers, for `-morphooptiini "coo:file(…)"`.
pub(super) fn write_centers(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    write_rows(scene, "{x} {y} {z}\n", out)
}

/// Writes the radii, for `-morphooptiini "weight:file(…)"`.
pub(super) fn write_radii(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    write_rows(scene, "{r}\n", out)
}
