//! Distances from bodies in a container, by code that shares nothing with the library.

use jostle::{
    Container,
    container::{Body, Solid},
    glam::{DVec2, DVec3},
};

/// The distance of a point from a body without images, negative inside: from the closest point of the body.
fn body_distance(body: &Body, p: DVec3) -> f64 {
    let center = body.position;
    let direction = [DVec3::X, DVec3::Y, DVec3::Z][body.axis.number()];
    let along = (p - center).dot(direction);
    let across = p - center - along * direction;
    match &body.solid {
        Solid::Sphere(ball) => (p - center).length() - 0.5 * ball.diameter,
        Solid::Box(cuboid) => {
            let lengths = cuboid.lengths;
            let (low, high) = (center - 0.5 * lengths, center + 0.5 * lengths);
            let closest = p.clamp(low, high);
            if closest != p {
                return (p - closest).length();
            }
            -(p - low).min(high - p).min_element()
        }
        Solid::Cylinder(cylinder) => {
            let half = 0.5 * cylinder.height.min(2e9);
            let radius = 0.5 * cylinder.diameter;
            let inside_ends = along.clamp(-half, half);
            let inside_side = across.clamp_length_max(radius);
            let closest = center + inside_ends * direction + inside_side;
            let distance = (p - closest).length();
            if distance > 1e-13 {
                return distance;
            }
            (across.length() - radius).max(along.abs() - half)
        }
        Solid::Cone(cone) => {
            let point = DVec2::new(across.length(), along);
            let [low, high] = [(cone.bottom, -0.5), (cone.top, 0.5)]
                .map(|(diameter, share)| DVec2::new(0.5 * diameter, share * cone.height));
            let distance_to = |from: DVec2, to: DVec2| {
                let (way, length) = (to - from, (to - from).length());
                let share = (point - from).dot(way) / (length * length);
                point.distance(from + share.clamp(0.0, 1.0) * way)
            };
            let end = |corner: DVec2| DVec2::new(0.0, corner.y);
            // A sharp end has no disc.
            let to_disc = |corner: DVec2| match corner.x {
                0.0 => point.distance(corner),
                _ => distance_to(end(corner), corner),
            };
            let distance = distance_to(low, high).min(to_disc(low)).min(to_disc(high));
            let share = (along - low.y) / cone.height;
            let is_inside = (0.0..=1.0).contains(&share) && point.x <= low.lerp(high, share).x;
            if is_inside { -distance } else { distance }
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
