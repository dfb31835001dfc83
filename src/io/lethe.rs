//! Particle files of Lethe, for its insertion method `file`.

use std::io::{self, Write};

use super::{export::Scene, template::write_rows};

const HEADER: &str = "p_x; p_y; p_z; v_x; v_y; v_z; w_x; w_y; w_z; diameters; \
    fem_force_x; fem_force_y; fem_force_z; fem_torque_x; fem_torque_y; fem_torque_z;";

pub(super) fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{HEADER}")?;
    let row = "{x}; {y}; {z}; 0; 0; 0; 0; 0; 0; {d}; 0; 0; 0; 0; 0; 0;\n";
    write_rows(scene, row, out)
}
