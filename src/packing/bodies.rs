//! The gaps between spheres and the bodies in a container, for the certificate.
//!
//! Nothing here is shared with the packing loop: every image of a body is a body of its own, and distances are those of the closest
//! points.

use glam::DVec3;
use rayon::prelude::*;

use super::{
    closest::{Closest, ClosestPair},
    solids::{Form, Place},
};
use crate::{
    container::{Body, Container},
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
    /// The direction of the body's axis.
    own: usize,
}

/// Returns the images of a body that may be closest to a point in the container.
fn images(number: usize, body: &Body, container: &Container) -> Vec<Image> {
    let form = Form::of(&body.solid);
    let own = body.axis.number();
    let mut of_body = body.solid.lengths().to_array();
    if form.has_axis() {
        of_body.swap(2, own);
    }
    let half = of_body.map(|length| 0.5 * length);
    let center = form.center(body.position, DVec3::from_array(half));
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
                    own,
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
    fn distance(&self, point: [f64; 3], limit: f64) -> f64 {
        let place = Place {
            point,
            low: self.low,
            high: self.high,
            own: self.own,
        };
        self.form.distance(&place, limit)
    }
}
