//! Distances from solids, for the certificate. The formulas are other ones than those of the packing loop.

use std::f64::consts::PI;
#[cfg(feature = "mesh")]
use std::sync::Arc;

#[cfg(feature = "mesh")]
use glam::DVec3;

#[cfg(feature = "mesh")]
use super::mesh_walls::MeshWalls;
use crate::container::{Outline, Solid};

/// Returns whether both faces of the bounding box of a solid along `axis` are walls. `own` is the direction of the solid's axis.
pub(super) fn is_flat(solid: &Solid, axis: usize, own: usize) -> bool {
    match solid {
        Solid::Box(_) => true,
        Solid::Rectangle(_) => axis < 2,
        Solid::Cylinder(_) | Solid::Cone(_) => axis == own,
        _ => false,
    }
}

/// Returns the distance of a point beyond the curved wall of a solid, negative inside; `None` without such a wall. `away` leads from the
/// middle of the bounding box; `height` is that of the box along the solid's axis `own`, and `above` that of the point.
pub(super) fn beyond_side(
    solid: &Solid,
    away: [f64; 3],
    own: usize,
    above: f64,
    height: f64,
) -> Option<f64> {
    let from_axis = libm::hypot(away[(own + 1) % 3], away[(own + 2) % 3]);
    match solid {
        Solid::Outline(outline) => {
            let corner = 0.5 * solid.lengths();
            Some(beyond_rings(
                outline,
                [away[0] + corner.x, away[1] + corner.y],
            ))
        }
        Solid::Sphere(ball) => Some(libm::hypot(from_axis, away[own]) - 0.5 * ball.diameter),
        Solid::Cylinder(cylinder) => Some(from_axis - 0.5 * cylinder.diameter),
        Solid::Circle(circle) => Some(from_axis - 0.5 * circle.diameter),
        Solid::Cone(cone) => {
            // The distance of a point from a line: a cross product divided by a length.
            let (bottom, top) = (0.5 * cone.bottom, 0.5 * cone.top);
            let across = top - bottom;
            let area = height * (from_axis - bottom) - across * above;
            Some(area / libm::hypot(across, height))
        }
        _ => None,
    }
}

/// A body or one of its periodic images.
pub(super) struct Placed<'a> {
    pub solid: &'a Solid,
    /// The triangles of a mesh.
    #[cfg(feature = "mesh")]
    pub mesh: Option<Arc<MeshWalls>>,
    /// Corners of the bounding box.
    pub low: [f64; 3],
    pub high: [f64; 3],
    /// The direction of the body's axis.
    pub own: usize,
}

impl Placed<'_> {
    /// Returns whether the bounding box is farther from a point than `reach`.
    pub fn is_beyond(&self, point: [f64; 3], reach: f64) -> bool {
        (0..3).any(|k| point[k] < self.low[k] - reach || point[k] > self.high[k] + reach)
    }

    /// Returns the distance of a point from the surface, negative inside; it may be infinite if it is not below `limit`.
    #[cfg_attr(
        not(feature = "mesh"),
        expect(unused_variables, reason = "only meshes are searched")
    )]
    pub fn distance(&self, point: [f64; 3], limit: f64) -> f64 {
        #[cfg(feature = "mesh")]
        if let Some(mesh) = &self.mesh {
            let from_corner = DVec3::from_array(point) - DVec3::from_array(self.low);
            let distance = mesh.distance_below(from_corner, false, limit);
            return distance.unwrap_or(f64::INFINITY);
        }
        let own = self.own;
        let away = [0, 1, 2].map(|axis| self.away(point, axis));
        let (above, height) = (point[own] - self.low[own], self.high[own] - self.low[own]);
        if let Solid::Cone(cone) = self.solid {
            let radii = [0.5 * cone.bottom, 0.5 * cone.top];
            let from_axis = libm::hypot(away[(own + 1) % 3], away[(own + 2) % 3]);
            return from_frustum(radii, [from_axis, above], height);
        }
        let flat = (0..3).filter(|&axis| is_flat(self.solid, axis, own));
        let beyond = flat.map(|k| (self.low[k] - point[k]).max(point[k] - self.high[k]));
        outside(beyond.chain(beyond_side(self.solid, away, own, above, height)))
    }

    /// Returns the difference from the middle of the bounding box; 0 along an axis without ends.
    fn away(&self, point: [f64; 3], axis: usize) -> f64 {
        let middle = 0.5 * (self.low[axis] + self.high[axis]);
        if middle.is_nan() {
            0.0
        } else {
            point[axis] - middle
        }
    }
}

/// Returns the distance of a point (distance from the axis, height) from a frustum, negative inside.
///
/// The outline is three straight lines. Inside, the nearest of them decides; outside, the nearest point of any of the three.
fn from_frustum(radii: [f64; 2], [x, y]: [f64; 2], height: f64) -> f64 {
    let corners = [
        [0.0, 0.0],
        [radii[0], 0.0],
        [radii[1], height],
        [0.0, height],
    ];
    let mut nearest = f64::INFINITY;
    let mut is_inside = true;
    for line in corners.windows(2) {
        let [[from_x, from_y], [to_x, to_y]] = [line[0], line[1]];
        let length = libm::hypot(to_x - from_x, to_y - from_y);
        if length == 0.0 {
            continue;
        }
        let (unit_x, unit_y) = ((to_x - from_x) / length, (to_y - from_y) / length);
        let (dx, dy) = (x - from_x, y - from_y);
        is_inside &= unit_x * dy - unit_y * dx >= 0.0;
        let foot = (unit_x * dx + unit_y * dy).clamp(0.0, length);
        nearest = nearest.min(libm::hypot(dx - foot * unit_x, dy - foot * unit_y));
    }
    if is_inside { -nearest } else { nearest }
}

/// Returns the distance of a point beyond the rings of an outline, negative inside.
///
/// The point is inside if the angles under which all edges are seen from it add up to a turn instead of none.
fn beyond_rings(outline: &Outline, [x, y]: [f64; 2]) -> f64 {
    let (mut nearest, mut turn) = (f64::INFINITY, 0.0);
    for ring in outline.rings() {
        for (k, from) in ring.iter().enumerate() {
            let to = ring[(k + 1) % ring.len()];
            let (from_x, from_y, to_x, to_y) = (from.x - x, from.y - y, to.x - x, to.y - y);
            let length = libm::hypot(to_x - from_x, to_y - from_y);
            let (unit_x, unit_y) = ((to_x - from_x) / length, (to_y - from_y) / length);
            let along = -(from_x * unit_x + from_y * unit_y);
            let distance = if along <= 0.0 {
                libm::hypot(from_x, from_y)
            } else if along >= length {
                libm::hypot(to_x, to_y)
            } else {
                (unit_x * from_y - unit_y * from_x).abs()
            };
            nearest = nearest.min(distance);
            turn += libm::atan2(from_x * to_y - from_y * to_x, from_x * to_x + from_y * to_y);
        }
    }
    if turn > PI { -nearest } else { nearest }
}

/// Returns the distance of a point from the intersection of regions with walls at right angles, from its distances to the walls.
fn outside(distances: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut most) = (0.0, f64::NEG_INFINITY);
    for distance in distances {
        most = f64::max(most, distance);
        if distance > 0.0 {
            sum = libm::hypot(sum, distance);
        }
    }
    if sum > 0.0 { sum } else { most }
}
