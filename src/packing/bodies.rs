//! The gaps between spheres and the bodies in a container, for the certificate.
//!
//! Nothing here is shared with the packing loop: every image of a body is a body of its own, and distances are those of the closest
//! points.

#[cfg(feature = "mesh")]
use std::sync::Arc;

use glam::DVec3;
use rayon::prelude::*;

use super::closest::{Closest, ClosestPair};
#[cfg(feature = "mesh")]
use super::mesh_walls::MeshWalls;
use crate::{
    container::{Body, Container, Solid},
    spheres::Spheres,
};

/// Returns the smallest gap of a sphere to a body in the container.
pub(super) fn closest_body(spheres: &Spheres, container: &Container) -> Closest {
    let images: Vec<Image> = (0..)
        .zip(container.bodies())
        .flat_map(|(number, body)| images(number, body, container))
        .collect();
    if images.is_empty() {
        return Closest::NOTHING;
    }
    let of_sphere = |best: Closest, i: usize| {
        let (center, radius) = (container.wrap(spheres.centers()[i]), spheres.radii()[i]);
        images.iter().fold(best, |best, image| {
            if image.is_beyond(center, radius + best.gap) {
                return best;
            }
            let distance = image.distance(center.to_array(), radius + best.gap);
            best.or(distance - radius, ClosestPair::Body(i, image.number))
        })
    };
    (0..spheres.len())
        .into_par_iter()
        .fold(|| Closest::NOTHING, of_sphere)
        .reduce(|| Closest::NOTHING, Closest::min)
}

/// A body or one of its periodic images.
struct Image {
    /// The number of the body.
    number: usize,
    /// Corners of the bounding box.
    low: [f64; 3],
    high: [f64; 3],
    form: Form,
}

#[derive(Clone)]
enum Form {
    Box,
    /// A radius around the middle of the bounding box.
    Sphere(f64),
    /// A radius around a line parallel to an axis.
    Cylinder(f64, usize),
    /// The radii at the lowest and the highest point of a line parallel to an axis.
    Cone([f64; 2], usize),
    /// A mesh whose lowest corner is that of the bounding box.
    #[cfg(feature = "mesh")]
    Mesh(Arc<MeshWalls>),
}

/// Returns the images of a body that may be closest to a point in the container.
fn images(number: usize, body: &Body, container: &Container) -> Vec<Image> {
    let (center, axis) = (body.position, body.axis.number());
    let (center, half, form) = match &body.solid {
        Solid::Cylinder(cylinder) => {
            let radius = 0.5 * cylinder.diameter;
            let mut half = [radius; 3];
            half[axis] = 0.5 * cylinder.height;
            (center, half, Form::Cylinder(radius, axis))
        }
        Solid::Sphere(ball) => {
            let radius = 0.5 * ball.diameter;
            (center, [radius; 3], Form::Sphere(radius))
        }
        Solid::Box(cuboid) => (center, (0.5 * cuboid.lengths).to_array(), Form::Box),
        Solid::Cone(cone) => {
            let radii = [0.5 * cone.bottom, 0.5 * cone.top];
            let mut half = [radii[0].max(radii[1]); 3];
            half[axis] = 0.5 * cone.height;
            (center, half, Form::Cone(radii, axis))
        }
        #[cfg(feature = "mesh")]
        Solid::Mesh(mesh) => {
            let half = 0.5 * mesh.lengths();
            let form = Form::Mesh(Arc::new(MeshWalls::new(mesh)));
            (center + half, half.to_array(), form)
        }
    };
    let lengths = container.lengths();
    let positions = |axis: usize| -> Vec<f64> {
        let (x, length) = (center[axis], lengths[axis]);
        if !container.is_periodic(axis) || half[axis].is_infinite() {
            return vec![x];
        }
        // A body is at most as long as a period, so that no image farther away is closest to a point inside.
        let inside = x - length * (x / length).floor();
        [-1.0, 0.0, 1.0].map(|k| inside + k * length).to_vec()
    };
    let mut images = Vec::new();
    for x in positions(0) {
        for &y in &positions(1) {
            for &z in &positions(2) {
                let at = [x, y, z];
                images.push(Image {
                    number,
                    low: [0, 1, 2].map(|axis| at[axis] - half[axis]),
                    high: [0, 1, 2].map(|axis| at[axis] + half[axis]),
                    form: form.clone(),
                });
            }
        }
    }
    images
}

impl Image {
    /// Returns whether the bounding box is farther from a point than `reach`.
    fn is_beyond(&self, point: DVec3, reach: f64) -> bool {
        (0..3).any(|axis| {
            let x = point[axis];
            x < self.low[axis] - reach || x > self.high[axis] + reach
        })
    }

    /// Returns the distance of a point from the surface, negative inside; it may be infinite if it is not below `limit`.
    #[cfg_attr(
        not(feature = "mesh"),
        expect(unused_variables, reason = "only meshes are searched")
    )]
    fn distance(&self, point: [f64; 3], limit: f64) -> f64 {
        // Differences from the middle of the bounding box; 0 along an axis without ends.
        let away = |axis: usize| {
            let middle = 0.5 * (self.low[axis] + self.high[axis]);
            if middle.is_nan() {
                0.0
            } else {
                point[axis] - middle
            }
        };
        match &self.form {
            &Form::Sphere(radius) => libm::hypot(libm::hypot(away(0), away(1)), away(2)) - radius,
            &Form::Cylinder(radius, axis) => {
                let from_line = libm::hypot(away((axis + 1) % 3), away((axis + 2) % 3));
                let side = from_line - radius;
                let end = (self.low[axis] - point[axis]).max(point[axis] - self.high[axis]);
                outside(&[side, end])
            }
            &Form::Cone(radii, axis) => {
                let from_line = libm::hypot(away((axis + 1) % 3), away((axis + 2) % 3));
                let (low, high) = (self.low[axis], self.high[axis]);
                from_frustum(radii, [from_line, point[axis] - low], high - low)
            }
            Form::Box => outside(&[0, 1, 2].map(|axis| {
                let (low, high) = (self.low[axis], self.high[axis]);
                (low - point[axis]).max(point[axis] - high)
            })),
            #[cfg(feature = "mesh")]
            Form::Mesh(walls) => {
                let from_corner = DVec3::from_array(point) - DVec3::from_array(self.low);
                walls.distance_outside(from_corner, limit)
            }
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
        let (along_x, along_y) = (to_x - from_x, to_y - from_y);
        let length = libm::hypot(along_x, along_y);
        if length == 0.0 {
            continue;
        }
        let (unit_x, unit_y) = (along_x / length, along_y / length);
        let (dx, dy) = (x - from_x, y - from_y);
        is_inside &= unit_x * dy - unit_y * dx >= 0.0;
        let foot = (unit_x * dx + unit_y * dy).clamp(0.0, length);
        nearest = nearest.min(libm::hypot(dx - foot * unit_x, dy - foot * unit_y));
    }
    if is_inside { -nearest } else { nearest }
}

/// Returns the distance of a point from the intersection of regions with walls at right angles, from its distances to the walls.
fn outside(distances: &[f64]) -> f64 {
    let beyond = distances.iter().filter(|&&distance| distance > 0.0);
    let distance = beyond.fold(0.0, |sum, &distance| libm::hypot(sum, distance));
    if distance > 0.0 {
        distance
    } else {
        distances.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }
}
