//! Commands for PFC3D.

use std::io::{self, Write};

use super::{
    export::Scene,
    template::write_rows,
    text::{by_boundary, write_numbers},
};

/// Writes the command for the model's domain, and one command for each ball.
pub(super) fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    let (low, high) = (scene.low, scene.high());
    write!(out, "model domain extent ")?;
    write_numbers(out, b" ", [low.x, high.x, low.y, high.y, low.z, high.z])?;
    let [px, py, pz] = by_boundary(scene.container.boundary(), "periodic", "stop");
    writeln!(out, " condition {px} {py} {pz}")?;
    let row = "ball create id {id1} radius {r} position ({x},{y},{z})\n";
    write_rows(scene, row, out)
}
