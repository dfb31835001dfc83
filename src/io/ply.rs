//! PLY: one vertex for each sphere, with its radius, as binary numbers.

use std::io::{self, Write};

use super::export::Scene;

pub(super) fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "ply\nformat binary_little_endian 1.0\ncomment spheres by jostle\nelement vertex {}",
        scene.len()
    )?;
    for property in [
        "double x",
        "double y",
        "double z",
        "double radius",
        "uint id",
        "uint type",
    ] {
        writeln!(out, "property {property}")?;
    }
    writeln!(out, "end_header")?;
    for (sphere, (center, radius)) in scene.spheres.iter().enumerate() {
        let numbers = [center.x, center.y, center.z, radius].map(f64::to_le_bytes);
        out.write_all(numbers.as_flattened())?;
        out.write_all(&(scene.id(sphere) as u32).to_le_bytes())?;
        out.write_all(&scene.type_of(sphere).to_le_bytes())?;
    }
    Ok(())
}
