//! Options of a simulation.

use super::{
    constants::{MAX_THERMAL_OVERLAP, STEPS_PER_CONTACT, STEPS_PER_CONTACT_RANGE, THERMAL_OVERLAP},
    error::SoftSphereError,
};
use crate::tuning::Dimension;

/// Options of a simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftSphereOptions {
    /// Disks in a plane, or spheres in space. Masses grow with this power of the radius.
    pub dimension: Dimension,
    /// Restitution coefficient of every contact of two spheres, and of a sphere and a wall: 1 without dashpot.
    pub restitution: f64,
    /// Overlap over the smallest radius at which twice the elastic energy is the mean of m v² along one axis at the start. It
    /// sets the velocities.
    pub thermal_overlap: f64,
    /// Number of time steps in a contact of two smallest spheres, which is the shortest contact.
    pub steps_per_contact: f64,
    /// Seed of the velocities.
    pub seed: u64,
}

impl Default for SoftSphereOptions {
    /// Returns options for disks without dashpot.
    fn default() -> Self {
        Self {
            dimension: Dimension::Two,
            restitution: 1.0,
            thermal_overlap: THERMAL_OVERLAP,
            steps_per_contact: STEPS_PER_CONTACT,
            seed: 0,
        }
    }
}

impl SoftSphereOptions {
    /// Checks the ranges of the numbers.
    pub(super) fn check(&self) -> Result<(), SoftSphereError> {
        if !(self.restitution > 0.0 && self.restitution <= 1.0) {
            return Err(SoftSphereError::Restitution(self.restitution));
        }
        if !(0.0..=MAX_THERMAL_OVERLAP).contains(&self.thermal_overlap) {
            return Err(SoftSphereError::ThermalOverlap(self.thermal_overlap));
        }
        if !STEPS_PER_CONTACT_RANGE.contains(&self.steps_per_contact) {
            return Err(SoftSphereError::StepsPerContact(self.steps_per_contact));
        }
        Ok(())
    }
}
