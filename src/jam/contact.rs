//! Contacts of soft spheres.

use glam::DVec3;

/// The partner of a sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Partner {
    /// The image of the sphere with this id.
    Sphere(u32),
    Wall,
}

/// A sphere and a partner that press on each other, or nearly so.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    pub sphere: u32,
    pub partner: Partner,
    /// The sum of the radii, or the radius at a wall.
    pub reach: f64,
    /// Diameter of the smaller sphere.
    pub smaller: f64,
    /// Unit vector from the sphere to its partner.
    pub normal: DVec3,
    /// Distance of the centers, or of the center from the wall.
    pub distance: f64,
    /// Force by overlap.
    pub stiffness: f64,
}

impl Contact {
    /// Returns the overlap, or minus the gap.
    pub fn overlap(&self) -> f64 {
        self.reach - self.distance
    }

    /// Returns the repulsive force.
    pub fn force(&self) -> f64 {
        self.stiffness * self.overlap().max(0.0)
    }
}
