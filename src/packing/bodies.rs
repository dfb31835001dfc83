//! The gaps between spheres and the bodies in a container, for the certificate.
//!
//! Nothing here is shared with the packing loop: every image of a body is a body of its own, and distances are those of the closest
//! points.

use glam::DVec3;

use super::{
    closest::{Closest, ClosestPair},
    solids::{Form, Placed},
};
use crate::{
    container::{Body, Container},
    spheres::Spheres,
};

/// Returns the smallest gap of a sphere to a body in the container.
pub(super) fn closest_body(spheres: &Spheres, container: &Container) -> Closest {
    let images: Vec<(usize, Placed)> = (container.bodies().iter().enumerate())
        .flat_map(|(number, body)| images(body, container).map(move |image| (number, image)))
        .collect();
    if images.is_empty() {
        return Closest::NOTHING;
    }
    let of_sphere = |best: Closest, i: usize| {
        let center = container.wrap(spheres.centers()[i]).to_array();
        let radius = spheres.radii()[i];
        images.iter().fold(best, |best, (number, image)| {
            if image.is_beyond(center, radius + best.gap) {
                return best;
            }
            let distance = image.distance(center, radius + best.gap);
            best.or(distance - radius, ClosestPair::Body(i, *number))
        })
    };
    Closest::of_all(spheres.len(), of_sphere)
}

/// Returns the images of a body that may be closest to a point in the container.
fn images(body: &Body, container: &Container) -> impl Iterator<Item = Placed> + use<> {
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
                images.push(Placed {
                    low: [0, 1, 2].map(|axis| at[axis] - half[axis]),
                    high: [0, 1, 2].map(|axis| at[axis] + half[axis]),
                    form: form.clone(),
                    own,
                });
            }
        }
    }
    images.into_iter()
}
