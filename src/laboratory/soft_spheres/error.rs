//! Errors of a simulation that cannot be made.

use super::constants::{MAX_THERMAL_OVERLAP, STEPS_PER_CONTACT_RANGE};
use crate::{
    container::ContainerError, laboratory::broad_phase::SortedHGridError, tuning::TuningError,
};

/// Error of a simulation that cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SoftSphereError {
    /// The number of spheres is 0.
    #[error("the number of spheres is 0; it must be at least 1")]
    NoSpheres,
    /// A radius is not positive and finite.
    #[error("radius {0:?}; it must be positive and finite")]
    Radius(f64),
    /// The container is not a box without bodies.
    #[error(
        "the container is not a box, or there are bodies in it; soft spheres need an empty box"
    )]
    Shape,
    /// A restitution coefficient that is not above 0 and at most 1.
    #[error("restitution = {0:?}; it must be above 0 and at most 1")]
    Restitution(f64),
    /// A thermal overlap that is negative or too large.
    #[error("thermal_overlap = {0:?}; it must be from 0 to {MAX_THERMAL_OVERLAP}")]
    ThermalOverlap(f64),
    /// A number of time steps per contact with which the time integration is not stable, or which is not finite.
    #[error(
        "steps_per_contact = {0:?}; it must be from {low:.2} to {high:e}",
        low = STEPS_PER_CONTACT_RANGE.start(),
        high = STEPS_PER_CONTACT_RANGE.end()
    )]
    StepsPerContact(f64),
    /// The spheres cannot be placed without overlap.
    #[error("no start without overlap was found at packing fraction {0:?}; a lower one is needed")]
    Crowded(f64),
    /// There is no box with this packing fraction.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// There are no cell sizes for the radii and the packing fraction.
    #[error(transparent)]
    Tuning(#[from] TuningError),
    /// There is no hierarchical grid with the cell sizes.
    #[error(transparent)]
    HGrid(#[from] SortedHGridError),
}
