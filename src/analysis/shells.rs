//! Packing fraction in shells around the axis of a cylinder or the center of a sphere, from exact volumes.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::DVec3;

use super::{
    adjacency::by_task,
    constants::{NARROW_ANGLE, RADIAL_SHELLS, SHELL_NODES},
    sampled_profile::SampledProfile,
    scene::Scene,
};
use crate::container::{Axis, Container, Solid};

/// A round container that shells of equal width divide.
pub(super) struct Shells {
    shape: Shape,
    middle: DVec3,
    /// Radius of the container.
    radius: f64,
    /// Nodes of the quadrature between −1 and 1, with their weights.
    nodes: Vec<(f64, f64)>,
}

/// The shape of the shells.
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    /// Around an axis.
    Cylinder { height: f64, axis: Axis },
    /// Around a point.
    Ball,
}

impl Shells {
    /// Returns the shells of a cylinder or a sphere without bodies in it; `None` for other containers.
    pub(super) fn of(container: &Container) -> Option<Self> {
        if !container.bodies().is_empty() {
            return None;
        }
        let (shape, diameter) = match container.solid() {
            Solid::Cylinder(cylinder) => {
                let height = cylinder.height;
                let axis = container.axis();
                (Shape::Cylinder { height, axis }, cylinder.diameter)
            }
            Solid::Sphere(ball) => (Shape::Ball, ball.diameter),
            _ => return None,
        };
        Some(Self {
            shape,
            middle: 0.5 * container.lengths(),
            radius: 0.5 * diameter,
            nodes: nodes(),
        })
    }

    /// Returns whether the container has the same cross-section everywhere along its axis.
    pub(super) fn is_prism(&self) -> bool {
        self.shape != Shape::Ball
    }

    /// Returns the packing fraction of each shell.
    ///
    /// # Cost
    /// O(number of crossings of spheres with the boundaries of shells), on rayon's threads.
    pub(super) fn profile(&self, scene: &Scene) -> SampledProfile {
        let width = self.radius / RADIAL_SHELLS as f64;
        let parts = by_task(scene.own.clone(), |spheres| {
            let mut volumes = vec![0.0; RADIAL_SHELLS];
            for id in spheres {
                let (distance, radius) = (self.distance(scene.centers[id]), scene.radii[id]);
                let shell = |at: f64| ((at / width).max(0.0) as usize).min(RADIAL_SHELLS - 1);
                let mut below = 0.0;
                let (first, last) = (shell(distance - radius), shell(distance + radius));
                for (volume, number) in volumes[first..=last].iter_mut().zip(first..) {
                    let up_to = self.common(radius, distance, (number + 1) as f64 * width);
                    *volume += up_to - below;
                    below = up_to;
                }
            }
            volumes
        });
        let solid = scene.ranks.sum_in_turn(RADIAL_SHELLS, &parts);
        let fraction = |number: usize| {
            let [inner, outer] = [number, number + 1].map(|k| self.volume(k as f64 * width));
            solid[number] / (outer - inner)
        };
        SampledProfile {
            distance: (0..RADIAL_SHELLS)
                .map(|number| (number as f64 + 0.5) * width)
                .collect(),
            packing_fraction: (0..RADIAL_SHELLS).map(fraction).collect(),
            standard_error: vec![0.0; RADIAL_SHELLS],
        }
    }

    /// Returns the distance of a point from the axis or the center.
    fn distance(&self, point: DVec3) -> f64 {
        let from_middle = point - self.middle;
        match self.shape {
            Shape::Cylinder { axis, .. } => {
                let along_z = DVec3::from(axis.turned(from_middle.to_array()));
                along_z.truncate().length()
            }
            Shape::Ball => from_middle.length(),
        }
    }

    /// Returns the volume within a distance from the axis or the center.
    fn volume(&self, distance: f64) -> f64 {
        match self.shape {
            Shape::Cylinder { height, .. } => PI * distance * distance * height,
            Shape::Ball => ball(distance),
        }
    }

    /// Returns the volume of a sphere within `reach` from the axis or the center, which is at `distance` from its center.
    fn common(&self, radius: f64, distance: f64, reach: f64) -> f64 {
        match self.shape {
            Shape::Cylinder { .. } => in_cylinder(&self.nodes, radius, distance, reach),
            Shape::Ball => in_ball(radius, distance, reach),
        }
    }
}

/// Returns the nodes of Fejér's first rule for t in −π/2 … π/2 and x = sin t. An integrand that starts and ends with a power 3/2 in x is
/// smooth in t, so that the error decreases exponentially with the number of nodes.
fn nodes() -> Vec<(f64, f64)> {
    let count = SHELL_NODES as f64;
    (0..SHELL_NODES)
        .map(|k| {
            let angle = (k as f64 + 0.5) * PI / count;
            let term = |j: usize| libm::cos((2 * j) as f64 * angle) / (4 * j * j - 1) as f64;
            let sum: f64 = (1..=SHELL_NODES / 2).map(term).sum();
            let (sin, cos) = libm::sincos(FRAC_PI_2 * libm::cos(angle));
            (sin, FRAC_PI_2 * cos * 2.0 / count * (1.0 - 2.0 * sum))
        })
        .collect()
}

/// Returns the volume of a sphere inside an infinite cylinder, whose axis is at `distance` from the center of the sphere.
///
/// A plane perpendicular to the axis cuts a disc from the sphere. Seen from the center of the sphere, the disc first encloses the
/// cylinder (if the sphere is large enough), then crosses its side, and at last lies inside or outside.
fn in_cylinder(nodes: &[(f64, f64)], radius: f64, distance: f64, cylinder: f64) -> f64 {
    let height = |half_width: f64| (radius * radius - half_width * half_width).max(0.0).sqrt();
    let enclosing = height(distance + cylinder);
    let crossing = height(distance - cylinder);
    let inside = if cylinder > distance {
        let cap = radius - crossing;
        PI / 3.0 * cap * cap * (3.0 * radius - cap)
    } else {
        0.0
    };
    let (middle, half) = (0.5 * (crossing + enclosing), 0.5 * (crossing - enclosing));
    let crossed: f64 = if half > 0.0 {
        let area = |&(at, weight): &(f64, f64)| {
            let disc = height(middle + half * at);
            weight * lens(disc, cylinder, distance)
        };
        half * nodes.iter().map(area).sum::<f64>()
    } else {
        0.0
    };
    2.0 * (PI * cylinder * cylinder * enclosing + crossed + inside)
}

/// Returns the common area of two discs whose edges cross.
///
/// It is the sum of two circular segments. Differences are multiplied out, so that a narrow lens keeps its digits.
fn lens(a: f64, b: f64, distance: f64) -> f64 {
    let product = (a + b - distance) * (distance + a - b) * (distance - a + b) * (distance + a + b);
    let half_chord = 0.5 * product.max(0.0).sqrt();
    let part = |radius: f64, other: f64| {
        let along = 0.5 * ((distance - other) * (distance + other) + radius * radius);
        segment(radius, 2.0 * libm::atan2(half_chord, along))
    };
    part(a, b) + part(b, a)
}

/// Returns the area between an arc of an angle and its chord.
fn segment(radius: f64, angle: f64) -> f64 {
    let square = angle * angle;
    let difference = if angle < NARROW_ANGLE {
        angle * square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0))
    } else {
        angle - libm::sin(angle)
    };
    0.5 * radius * radius * difference
}

/// Returns the common volume of two balls.
fn in_ball(radius: f64, distance: f64, reach: f64) -> f64 {
    let depth = radius + reach - distance;
    if depth <= 0.0 {
        return 0.0;
    }
    if distance <= (radius - reach).abs() {
        return ball(radius.min(reach));
    }
    let difference = radius - reach;
    let factor =
        distance * distance + 2.0 * distance * (radius + reach) - 3.0 * difference * difference;
    PI * depth * depth * factor / (12.0 * distance)
}

fn ball(radius: f64) -> f64 {
    4.0 / 3.0 * PI * radius * radius * radius
}
