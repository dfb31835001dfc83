//! Positions for PhasicFlow's `positionFile`, with commas between them.

use std::io::{self, Write};

use super::{export::Scene, template::write_rows};

pub(super) fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    write_rows(scene, "{x}, {y}, {z}\n", out)
}
