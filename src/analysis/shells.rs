//! Shells around the axis of a cylinder, or the center of a sphere or a circle.

use std::f64::consts::PI;

use glam::DVec3;

use super::volumes::{ball, in_ball, in_cylinder, in_disc, nodes};
use crate::{
    container::{Axis, Container, Solid},
    dimension::Dimension,
};

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
    /// Around an axis. The ends are walls or periodic.
    Cylinder {
        height: f64,
        axis: Axis,
        has_ends: bool,
    },
    /// Around a point.
    Ball,
    /// Around a point in the plane.
    Disc,
}

impl Shells {
    /// Returns the shells of a cylinder, a sphere or a circle without bodies in it; `None` for other containers.
    pub(super) fn of(container: &Container) -> Option<Self> {
        if !container.bodies().is_empty() {
            return None;
        }
        let (shape, diameter) = match container.solid() {
            Solid::Cylinder(cylinder) => {
                let axis = container.axis();
                let shape = Shape::Cylinder {
                    height: cylinder.height,
                    axis,
                    has_ends: !container.is_periodic(axis.number()),
                };
                (shape, cylinder.diameter)
            }
            Solid::Sphere(ball) => (Shape::Ball, ball.diameter),
            Solid::Circle(circle) => (Shape::Disc, circle.diameter),
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
        matches!(self.shape, Shape::Cylinder { .. })
    }

    /// Returns the radius of the container.
    pub(super) fn radius(&self) -> f64 {
        self.radius
    }

    /// Returns the distance of a point from the axis or the center.
    pub(super) fn distance(&self, point: DVec3) -> f64 {
        let from_middle = point - self.middle;
        match self.shape {
            Shape::Cylinder { axis, .. } => {
                let along_z = DVec3::from(axis.turned(from_middle.to_array()));
                along_z.truncate().length()
            }
            Shape::Ball | Shape::Disc => from_middle.length(),
        }
    }

    /// Returns the volume within a distance from the axis or the center.
    pub(super) fn volume(&self, distance: f64) -> f64 {
        match self.shape {
            Shape::Cylinder { height, .. } => PI * distance * distance * height,
            Shape::Ball => ball(Dimension::Three, distance),
            Shape::Disc => ball(Dimension::Two, distance),
        }
    }

    /// Returns the volume of the part of a sphere within `reach` from the axis or the center.
    pub(super) fn common(&self, center: DVec3, radius: f64, reach: f64) -> f64 {
        let everywhere = [f64::NEG_INFINITY, f64::INFINITY];
        self.common_between(center, radius, reach, everywhere)
    }

    /// Returns the volume of the container whose distance from all walls is above `depth`.
    pub(super) fn volume_deeper(&self, depth: f64) -> f64 {
        let reach = (self.radius - depth).max(0.0);
        match self.shape {
            Shape::Cylinder {
                height,
                has_ends: true,
                ..
            } => PI * reach * reach * (height - 2.0 * depth).max(0.0),
            _ => self.volume(reach),
        }
    }

    /// Returns the volume of the part of a sphere whose distance from all walls is above `depth`.
    pub(super) fn deeper(&self, center: DVec3, radius: f64, depth: f64) -> f64 {
        let reach = (self.radius - depth).max(0.0);
        match self.shape {
            Shape::Cylinder {
                height,
                axis,
                has_ends: true,
            } => {
                let along = center[axis.number()];
                let (low, high) = (depth - along, height - depth - along);
                self.common_between(center, radius, reach, [low, high.max(low)])
            }
            _ => self.common(center, radius, reach),
        }
    }

    /// Returns the volume of the part of a sphere within `reach` from the axis or the center. In a cylinder, it lies between two heights
    /// above the center of the sphere.
    fn common_between(&self, center: DVec3, radius: f64, reach: f64, heights: [f64; 2]) -> f64 {
        let distance = self.distance(center);
        match self.shape {
            Shape::Cylinder { .. } => in_cylinder(&self.nodes, radius, distance, reach, heights),
            Shape::Ball => in_ball(radius, distance, reach),
            Shape::Disc => in_disc(radius, distance, reach),
        }
    }
}
