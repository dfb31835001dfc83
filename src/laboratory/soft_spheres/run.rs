//! Result of a simulation.

use crate::laboratory::broad_phase::OperationCounts;

/// Energies of all spheres at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Kinetic energy.
    pub kinetic: f64,
    /// Elastic energy of all contacts, those with walls included.
    pub elastic: f64,
}

impl Energy {
    /// Returns the sum of both energies.
    pub fn total(self) -> f64 {
        self.kinetic + self.elastic
    }
}

/// Times, counts and energies of a number of time steps.
///
/// Contacts are detected once at the start and once in each step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SoftSphereRun {
    /// Number of time steps.
    pub steps: usize,
    /// Time of contact detection in seconds.
    pub detection_seconds: f64,
    /// Time of the forces between spheres and with walls in seconds.
    pub force_seconds: f64,
    /// Whole time in seconds: detection, forces and integration.
    pub seconds: f64,
    /// Number of contacts between two spheres, summed over all detections.
    pub contacts: u64,
    /// Distance tests and opened cells, summed over all detections.
    pub counts: OperationCounts,
    /// Energies at the start.
    pub first: Energy,
    /// Energies at the end.
    pub last: Energy,
}

impl SoftSphereRun {
    /// Returns the number of detections.
    pub fn detections(&self) -> usize {
        self.steps + 1
    }
}
