//! The closed surfaces of a scene, one after the other.
//!
//! Bridges: cylinders between the centers of spheres that nearly touch.
//!
//! Closed prisms and frustums of pyramids, which approach cylinders and cones.

use std::{f64::consts::TAU, io};

use glam::DVec3;

use super::{clip::clip_to_box, icosphere::icosphere, mesh::Mesh};
use crate::{
    analysis::Contacts,
    container::{Boundaries, Container},
    io::export::{ExportOptions, Scene},
    spheres::Spheres,
};

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

/// Largest gap that is bridged, in units of the smaller diameter: wide enough for all contacts of a dense packing.
const WIDEST_GAP: f64 = 0.02;

/// A cylinder.
pub(in crate::io) struct Bridge {
    pub from: DVec3,
    pub to: DVec3,
    pub radius: f64,
}

/// Returns a bridge for each pair of spheres that nearly touch, images included. `share` is the radius of the bridge in units
/// of the smaller radius; 0 makes no bridges.
pub(in crate::io) fn bridges(scene: &Scene, share: f64) -> Vec<Bridge> {
    if share == 0.0 {
        return Vec::new();
    }
    let (centers, radii) = (scene.spheres.centers(), scene.spheres.radii());
    // Images lie outside of the container, so the search needs a larger one.
    let margin = 2.0 * radii.iter().copied().fold(0.0, f64::max);
    let moved = centers
        .iter()
        .map(|&center| center - scene.low + margin)
        .collect();
    let spheres = Spheres::new(moved, radii.to_vec());
    let lengths = scene.container.lengths() + 2.0 * margin;
    let Ok(container) = Container::cuboid(lengths, Boundaries::WALLS) else {
        return Vec::new();
    };
    let Ok(contacts) = Contacts::new(&spheres, &container, WIDEST_GAP) else {
        return Vec::new();
    };
    let bridge = |pair: &[u32; 2]| {
        let [a, b] = pair.map(|id| id as usize);
        Bridge {
            from: centers[a],
            to: centers[b],
            radius: share * radii[a].min(radii[b]),
        }
    };
    contacts.pairs().iter().map(bridge).collect()
}

/// Returns the frustum of a pyramid around the line between two points, with its edges at these distances from the points.
pub(crate) fn frustum([from, to]: [DVec3; 2], radii: [f64; 2], sides: u32) -> Mesh {
    let (u, v) = (to - from).normalize_or(DVec3::Z).any_orthonormal_pair();
    let mut vertices = vec![from, to];
    for side in 0..sides {
        let (sin, cos) = libm::sincos(TAU * f64::from(side) / f64::from(sides));
        let offset = cos * u + sin * v;
        vertices.extend([from + radii[0] * offset, to + radii[1] * offset]);
    }
    let mut triangles = Vec::new();
    for side in 0..sides {
        let (a, b) = (2 + 2 * side, 2 + 2 * ((side + 1) % sides));
        triangles.extend([
            [0, b, a],
            [1, a + 1, b + 1],
            [a, b, a + 1],
            [b, b + 1, a + 1],
        ]);
    }
    Mesh {
        vertices,
        triangles,
    }
}
