//! Closed prisms and frustums of pyramids, which approach cylinders and cones.

use std::f64::consts::TAU;

use glam::DVec3;

use super::mesh::Mesh;

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
