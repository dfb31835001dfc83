//! Distances from bodies in a container, by code that shares nothing with the library.

use jostle::{Body, Container, glam::DVec3};

/// The distance of a point from a body without images, negative inside: from the closest point of the body.
fn body_distance(body: &Body, p: DVec3) -> f64 {
    match *body {
        Body::Sphere { diameter, center } => (p - center).length() - 0.5 * diameter,
        Body::Box { lengths, center } => {
            let (low, high) = (center - 0.5 * lengths, center + 0.5 * lengths);
            let closest = p.clamp(low, high);
            if closest != p {
                return (p - closest).length();
            }
            -(p - low).min(high - p).min_element()
        }
        Body::Cylinder {
            diameter,
            height,
            center,
            axis,
        } => {
            let direction = [DVec3::X, DVec3::Y, DVec3::Z][axis.number()];
            let half = 0.5 * height.unwrap_or(1e9);
            let along = (p - center).dot(direction);
            let across = p - center - along * direction;
            let radius = 0.5 * diameter;
            let inside_ends = along.clamp(-half, half);
            let inside_side = across.clamp_length_max(radius);
            let closest = center + inside_ends * direction + inside_side;
            let distance = (p - closest).length();
            if distance > 1e-13 {
                return distance;
            }
            (across.length() - radius).max(along.abs() - half)
        }
        _ => panic!("no distance from {body}"),
    }
}

/// The distance of a point from the nearest body or its images.
pub fn distance(container: &Container, p: DVec3) -> f64 {
    let range = |axis: usize| {
        if container.is_periodic(axis) {
            -3..=3
        } else {
            0..=0
        }
    };
    let mut least = f64::INFINITY;
    for body in container.bodies() {
        for x in range(0) {
            for y in range(1) {
                for z in range(2) {
                    let shift = DVec3::new(f64::from(x), f64::from(y), f64::from(z));
                    least = least.min(body_distance(body, p + shift * container.lengths()));
                }
            }
        }
    }
    least
}
