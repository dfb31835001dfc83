//! Wavefront OBJ surfaces.

use std::io::{self, Write};

use super::{
    export::{ExportOptions, Scene},
    surface::for_each_solid,
    text::write_numbers,
};

pub(super) fn write(scene: &Scene, options: &ExportOptions, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "# spheres by jostle")?;
    let mut first = 1;
    let mut lines = Vec::new();
    for_each_solid(scene, options, |mesh| {
        lines.clear();
        for vertex in &mesh.vertices {
            lines.extend_from_slice(b"v ");
            write_numbers(&mut lines, b" ", vertex.to_array())?;
            lines.push(b'\n');
        }
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(|vertex| u64::from(vertex) + first);
            writeln!(lines, "f {a} {b} {c}")?;
        }
        first += mesh.vertices.len() as u64;
        out.write_all(&lines)
    })
}
