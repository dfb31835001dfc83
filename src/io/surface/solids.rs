//! The closed surfaces of a scene, one after the other.

use std::io;

use super::{bridge::bridges, clip::clip_to_box, icosphere::icosphere, mesh::Mesh};
use crate::io::export::{ExportOptions, Scene};

/// Calls `visit` with the surface of each sphere, then of each bridge.
///
/// With [`ExportOptions::cut`], the surfaces end at the faces of the container, and spheres have images across periodic faces.
pub(in crate::io) fn for_each_solid(
    scene: &Scene,
    options: &ExportOptions,
    mut visit: impl FnMut(&Mesh) -> io::Result<()>,
) -> io::Result<()> {
    let with_images = options.cut.then(|| scene.with_images());
    let scene = with_images.as_ref().unwrap_or(scene);
    let unit = icosphere(options.resolution);
    for (center, radius) in scene.spheres.iter() {
        let radius = options.shrink * radius;
        let sphere = Mesh {
            vertices: (unit.vertices.iter())
                .map(|&vertex| center + radius * vertex)
                .collect(),
            triangles: unit.triangles.clone(),
        };
        cut(sphere, scene, options).map_or(Ok(()), |mesh| visit(&mesh))?;
    }
    for bridge in bridges(scene, options.bridge) {
        cut(bridge.mesh(), scene, options).map_or(Ok(()), |mesh| visit(&mesh))?;
    }
    Ok(())
}

/// Returns the part of a body inside the container; `None` if there is none.
fn cut(body: Mesh, scene: &Scene, options: &ExportOptions) -> Option<Mesh> {
    if !options.cut {
        return Some(body);
    }
    clip_to_box(body, scene.low, scene.high())
}
