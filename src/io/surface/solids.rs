//! The closed surfaces of a scene, one after the other.

use std::io;

use super::{bridge::bridges, clip::clip_to_box, icosphere::icosphere, mesh::Mesh, prism::frustum};
use crate::io::export::{ExportOptions, Scene};

/// Number of sides of a bridge as a surface.
const SIDES: u32 = 12;

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
    let spheres = scene.spheres.iter().map(|(center, radius)| {
        let radius = options.shrink * radius;
        let vertices = unit.vertices.iter().map(|&vertex| center + radius * vertex);
        Mesh {
            vertices: vertices.collect(),
            triangles: unit.triangles.clone(),
        }
    });
    let bridges = bridges(scene, options.bridge).into_iter();
    let bridges =
        bridges.map(|bridge| frustum([bridge.from, bridge.to], [bridge.radius; 2], SIDES));
    let mut bodies = spheres.chain(bridges).filter_map(|body| {
        if options.cut {
            clip_to_box(body, scene.low, scene.high())
        } else {
            Some(body)
        }
    });
    bodies.try_for_each(|mesh| visit(&mesh))
}
