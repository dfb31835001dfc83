//! Tables of text for programs whose files are only written.

use std::io::{self, Write};

use super::{
    export::Scene,
    template::write_rows,
    text::{by_boundary, write_numbers},
};

/// Rows of the file `particle_input.dat` of MFIX-DEM, version 1: center, radius, density and velocity.
pub(super) const MFIX: &str = "{x} {y} {z} {r} {rho} 0.0 0.0 0.0\n";

/// Rows of positions for PhasicFlow's `positionFile`, with commas between the coordinates.
pub(super) const PHASICFLOW: &str = "{x}, {y}, {z}\n";

/// Rows of center and equivalent diameter for Neper's `-morpho centroiddiameq:file(…)`.
pub(super) const NEPER: &str = "{x} {y} {z} {d}\n";

/// Rows of centers for Neper's `-morphooptiini "coo:file(…)"`.
pub(super) const NEPER_CENTERS: &str = "{x} {y} {z}\n";

/// Rows of radii for Neper's `-morphooptiini "weight:file(…)"`.
pub(super) const NEPER_RADII: &str = "{r}\n";

/// First line of particle files of Lethe.
const LETHE: &str = "p_x; p_y; p_z; v_x; v_y; v_z; w_x; w_y; w_z; diameters; \
    fem_force_x; fem_force_y; fem_force_z; fem_torque_x; fem_torque_y; fem_torque_z;";

/// Writes the file `particle_input.dat` of MFIX-Exa: the number of particles, and rows of phase, center, radius, density and velocity.
pub(super) fn write_mfix_exa(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", scene.len())?;
    write_rows(scene, "{type} {x} {y} {z} {r} {rho} 0.0 0.0 0.0\n", out)
}

/// Writes a particle file of Lethe, for its insertion method `file`.
pub(super) fn write_lethe(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{LETHE}")?;
    let row = "{x}; {y}; {z}; 0; 0; 0; 0; 0; 0; {d}; 0; 0; 0; 0; 0; 0;\n";
    write_rows(scene, row, out)
}

/// Writes a data file of MercuryDPM for three dimensions: the header `N t xmin ymin zmin xmax ymax zmax`, and rows of center, velocity,
/// radius, angles, angular velocity and species. Species count from 0.
pub(super) fn write_mercury(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{} 0 ", scene.len())?;
    write_numbers(out, b" ", scene.corners())?;
    writeln!(out)?;
    write_rows(scene, "{x} {y} {z} 0 0 0 {r} 0 0 0 0 0 0 {type0}\n", out)
}

/// Writes commands for PFC3D: one for the model's domain, and one for each ball.
pub(super) fn write_pfc(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    let (low, high) = (scene.low, scene.high());
    write!(out, "model domain extent ")?;
    write_numbers(out, b" ", [low.x, high.x, low.y, high.y, low.z, high.z])?;
    let [px, py, pz] = by_boundary(scene.container.boundary(), "periodic", "stop");
    writeln!(out, " condition {px} {py} {pz}")?;
    let row = "ball create id {id1} radius {r} position ({x},{y},{z})\n";
    write_rows(scene, row, out)
}

/// Writes text for the import of MUSEN.
///
/// Each line is a sequence of numeric commands and values: 0 id, 1 type (1: sphere), 5 geometry (radius, contact radius), 23 compound, whose
/// name, `jostle` or the label of a component, the user must define, 24 time of activity in seconds, longer than any simulation, 2 time, 12 center. 22 is the simulation domain, and
/// 28 the periodic boundaries.
pub(super) fn write_musen(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    let row = "0 {id} 1 1 5 {r} {r} 23 COMPOUND 24 0 1e9 2 0 12 {x} {y} {z}\n";
    let compound = if scene.has_labels { "{name}" } else { "jostle" };
    write_rows(scene, &row.replace("COMPOUND", compound), out)?;
    write!(out, "22 ")?;
    write_numbers(out, b" ", scene.corners())?;
    let [px, py, pz] = by_boundary(scene.container.boundary(), "1", "0");
    let is_any = [px, py, pz].contains(&"1");
    write!(out, "\n28 {} {px} {py} {pz} ", u8::from(is_any))?;
    write_numbers(out, b" ", scene.corners())?;
    writeln!(out)
}
