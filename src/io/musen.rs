//! Text for the import of MUSEN.
//!
//! Each line is a sequence of numeric commands and values: 0 id, 1 type (1: sphere), 5 geometry (radius, contact radius), 23
//! compound, 24 time of activity, 2 time, 12 center. 22 is the simulation domain, and 28 the periodic boundaries.

use std::io::{self, Write};

use super::{
    export::Scene,
    template::write_rows,
    text::{by_boundary, write_numbers},
};

/// Name of the compound that the user must define.
const COMPOUND: &str = "jostle";

/// End of the time of activity in seconds, longer than any simulation.
const END: &str = "1e9";

pub(super) fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    let row =
        format!("0 {{id}} 1 1 5 {{r}} {{r}} 23 {COMPOUND} 24 0 {END} 2 0 12 {{x}} {{y}} {{z}}\n");
    write_rows(scene, &row, out)?;
    let (low, high) = (scene.low, scene.high());
    let corners = [low.x, low.y, low.z, high.x, high.y, high.z];
    write!(out, "22 ")?;
    write_numbers(out, b" ", corners)?;
    let [px, py, pz] = by_boundary(scene.container.boundary(), "1", "0");
    let is_any = [px, py, pz].contains(&"1");
    write!(out, "\n28 {} {px} {py} {pz} ", u8::from(is_any))?;
    write_numbers(out, b" ", corners)?;
    writeln!(out)
}
