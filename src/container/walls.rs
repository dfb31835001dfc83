//! A solid with its boundary: a container without bodies.

use glam::DVec3;
use rand::Rng;

use super::{
    axis::Axis,
    boundary::{Boundaries, BoundarySpec},
    error::ContainerError,
    frame::{Frame, Steps},
    shape::Place,
    solid::Solid,
};
use crate::dimension::Dimension;

/// The walls and periodic faces of a container, in a bounding box with one corner at the origin. Along a periodic axis, the container
/// continues in the next image of the bounding box.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Walls {
    pub solid: Solid,
    /// The direction of the axis of the solid; z for a solid without an axis.
    pub axis: Axis,
    /// Lengths of the bounding box.
    pub lengths: DVec3,
    /// Boundary of the bounding box.
    pub boundary: Boundaries,
}

impl Walls {
    pub fn new(solid: Solid, axis: Axis, boundary: Boundaries) -> Result<Self, ContainerError> {
        solid.check()?;
        let is_bad = |k: usize| boundary.is_periodic(k) && !solid.may_be_periodic(k, axis.number());
        if (0..3).any(is_bad) {
            let shape = solid.name();
            let boundary = BoundarySpec::Axes(boundary);
            return Err(ContainerError::Boundary { shape, boundary });
        }
        Ok(Self::of(solid, axis, boundary))
    }

    /// The walls of a solid that is a container.
    pub fn of(solid: Solid, axis: Axis, boundary: Boundaries) -> Self {
        let axis = if solid.has_axis() { axis } else { Axis::Z };
        let [x, y, _] = boundary.0;
        let boundary = match solid.dimension() {
            Dimension::Two => Boundaries::of_plane([x, y]),
            Dimension::Three => boundary,
        };
        Self {
            lengths: axis.turned(solid.lengths().to_array()).into(),
            axis,
            boundary,
            solid,
        }
    }

    /// Returns the lengths along periodic axes, and infinity along the others.
    pub fn periods(&self) -> DVec3 {
        self.boundary.periods(self.lengths)
    }

    /// Returns the distance from a point to the nearest wall: negative beyond a wall, infinite without walls.
    pub fn distance(&self, point: DVec3) -> f64 {
        let place = Place::inside(point, self.lengths, self.boundary, self.axis.number());
        -self.solid.shape().surface(&place).distance
    }

    /// Returns the distance from a point to the nearest wall, and the unit vector toward it.
    pub fn nearest(&self, point: DVec3) -> (f64, DVec3) {
        let place = Place::inside(point, self.lengths, self.boundary, self.axis.number());
        let surface = self.solid.shape().surface(&place);
        (-surface.distance, surface.outwards)
    }

    /// Returns the radius of the largest sphere that crosses no wall; infinity without walls.
    pub fn inradius(&self) -> f64 {
        let along_z = Boundaries(self.axis.turned(self.boundary.0));
        self.solid.shape().inradius(along_z)
    }

    /// Returns the position of a sphere that starts at `at` and moves by `displacement`, both in steps of `frame`, but stops at the walls.
    #[inline]
    pub fn confine(&self, frame: &Frame, at: Steps, displacement: [i64; 3], radius: f32) -> Steps {
        if self.axis == Axis::Z {
            return self.solid.confine(frame, at, displacement, radius);
        }
        let (at, displacement) = (self.axis.turned(at), self.axis.turned(displacement));
        let turned = frame.turned(self.axis);
        let confined = self.solid.confine(&turned, at, displacement, radius);
        self.axis.turned(confined)
    }

    /// Returns a random position, uniformly distributed over all positions at which a sphere crosses no wall.
    pub fn random_position(&self, frame: &Frame, radius: f32, rng: &mut dyn Rng) -> Steps {
        let shape = self.solid.shape();
        if self.axis == Axis::Z {
            return shape.random_position(frame, radius, rng);
        }
        let turned = shape.random_position(&frame.turned(self.axis), radius, rng);
        self.axis.turned(turned)
    }
}
