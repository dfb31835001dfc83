//! Binary STL surfaces.

use std::io::{self, Write};

use super::{
    export::{ExportOptions, Scene, invalid},
    surface::for_each_solid,
};

/// Bytes of the title at the beginning of a file.
const TITLE: usize = 80;

pub(super) fn write(scene: &Scene, options: &ExportOptions, out: &mut dyn Write) -> io::Result<()> {
    // The number of triangles precedes them, so the surfaces are made twice. A file need not fit into memory.
    let mut count = 0u64;
    for_each_solid(scene, options, |mesh| {
        count += mesh.triangles.len() as u64;
        Ok(())
    })?;
    let count = u32::try_from(count).map_err(|_| {
        invalid(format!(
            "the surface has {count} triangles; a file of STL holds at most {}, so the resolution must be lower",
            u32::MAX
        ))
    })?;
    let mut title = [b' '; TITLE];
    title[..17].copy_from_slice(b"spheres by jostle");
    out.write_all(&title)?;
    out.write_all(&count.to_le_bytes())?;
    for_each_solid(scene, options, |mesh| {
        for [a, b, c] in mesh.corners() {
            let normal = (b - a).cross(c - a).normalize_or_zero();
            for vector in [normal, a, b, c] {
                let numbers = vector
                    .to_array()
                    .map(|number| (number as f32).to_le_bytes());
                out.write_all(numbers.as_flattened())?;
            }
            out.write_all(&[0; 2])?;
        }
        Ok(())
    })
}
