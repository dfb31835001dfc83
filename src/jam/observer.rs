//! Progress and states of a run, for its caller.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use super::system::Place;

/// The state of a run after a step.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct JamProgress {
    /// Number of evaluations of the forces so far.
    pub evaluations: u64,
    /// Estimated share of the work that is done, from 0 to 1.
    pub share: f64,
    /// Packing fraction at present; spheres overlap by parts of the gap. Absent under gravity, where the container keeps its size.
    pub packing_fraction: Option<f64>,
}

/// The state of a run between two pressures, from which [`jam_observed`](super::jam_observed) continues it with the same bits.
///
/// Memory: 24 bytes per sphere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JamState {
    /// Mean overlap under the last of the pressures that are over, in mean diameters.
    pub(super) overlap: f64,
    /// Number of pressures that are over.
    pub(super) pressures: usize,
    pub(super) evaluations: u64,
    pub(super) place: Place,
}

/// A receiver of the progress of a run, which may end the run.
///
/// A closure `FnMut(&JamProgress) -> ControlFlow<()>` is an observer.
pub trait JamObserver {
    /// Receives the progress after a step. [`ControlFlow::Break`] ends the run.
    fn step(&mut self, progress: &JamProgress) -> ControlFlow<()>;

    /// Receives the state between two pressures. The run pauses until the call returns.
    fn save(&mut self, _state: JamState) {}
}

impl<F: FnMut(&JamProgress) -> ControlFlow<()>> JamObserver for F {
    fn step(&mut self, progress: &JamProgress) -> ControlFlow<()> {
        self(progress)
    }
}
