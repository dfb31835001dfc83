//! A solid with its boundary: a container without bodies.

use glam::DVec3;

use super::{
    boundary::{Boundaries, BoundarySpec},
    error::ContainerError,
    shape::Place,
    solid::Solid,
};

/// The walls and periodic faces of a container, in a bounding box with one corner at the origin. Along a periodic axis, the container
/// continues in the next image of the bounding box.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Walls {
    pub solid: Solid,
    /// Lengths of the bounding box.
    pub lengths: DVec3,
    /// Boundary of the bounding box.
    pub boundary: Boundaries,
}

impl Walls {
    pub fn new(solid: Solid, boundary: Boundaries) -> Result<Self, ContainerError> {
        solid.check()?;
        if (0..3).any(|axis| boundary.is_periodic(axis) && !solid.may_be_periodic(axis)) {
            let shape = solid.name();
            let boundary = BoundarySpec::Axes(boundary);
            return Err(ContainerError::Boundary { shape, boundary });
        }
        Ok(Self::of(solid, boundary))
    }

    /// The walls of a solid that is a container.
    pub fn of(solid: Solid, boundary: Boundaries) -> Self {
        Self {
            lengths: solid.lengths(),
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
        let place = Place::inside(point, self.lengths, self.boundary);
        -self.solid.shape().surface(&place).distance
    }

    /// Returns the distance from a point to the nearest wall, and the unit vector toward it.
    pub fn nearest(&self, point: DVec3) -> (f64, DVec3) {
        let place = Place::inside(point, self.lengths, self.boundary);
        let surface = self.solid.shape().surface(&place);
        (-surface.distance, surface.outwards)
    }

    /// Returns the radius of the largest sphere that crosses no wall; infinity without walls.
    pub fn inradius(&self) -> f64 {
        self.solid.shape().inradius(self.boundary)
    }
}
