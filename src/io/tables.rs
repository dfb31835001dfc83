//! Tables of text for programs whose files are only written.

use std::io::{self, Write};

use super::{export::Scene, template::write_rows};

/// Rows of positions for PhasicFlow's `positionFile`, with commas between the coordinates.
pub(super) const PHASICFLOW: &str = "{x}, {y}, {z}\n";

/// Rows of center and equivalent diameter for Neper's `-morpho centroiddiameq:file(…)`.
pub(super) const NEPER: &str = "{x} {y} {z} {d}\n";

/// Rows of centers for Neper's `-morphooptiini "coo:file(…)"`.
pub(super) const NEPER_CENTERS: &str = "{x} {y} {z}\n";

/// Rows of radii for Neper's `-morphooptiini "weight:file(…)"`.
pub(super) const NEPER_RADII: &str = "{r}\n";

/// Writes a table for DEM-Engine, whose `ReadClumpXyzFromCsv` finds the columns by their names and groups the rows by the last one. The
/// column of the radius is that of its output of spheres.
pub(super) fn write_dem_engine(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "X,Y,Z,r,clump_type")?;
    write_rows(scene, "{x},{y},{z},{r},{type}\n", out)
}
