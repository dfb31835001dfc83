//! Progress of a run, and observers that follow it.

use std::{ops::ControlFlow, time::Duration};

use super::{checkpoint::Checkpoint, state::Work};
use crate::{jam::JamProgress, packing::StopReason};

/// The state of a run after a sweep.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Progress {
    /// Number of sweeps so far.
    pub sweeps: u64,
    /// Estimated number of remaining sweeps, within the limits of the run. In the middle of a run, it is typically wrong by a
    /// quarter.
    pub remaining_sweeps: f64,
    /// Number of spheres in the container. Where sizes differ much, small spheres are inserted during the run.
    pub spheres: usize,
    /// Volume of all spheres, pending ones included, divided by the present volume of the container. Overlaps count twice.
    pub packing_fraction: f64,
    /// Packing fraction that the present positions have at least without overlap: φ (1 − o)³ with the largest relative overlap o, and its
    /// square in the plane. A container larger by the factor 1/(1 − o) separates all spheres.
    pub packing_fraction_without_overlap: f64,
    /// Mean over the spheres in the container of the sum of their relative overlaps.
    pub mean_overlap: f64,
    /// Largest relative overlap.
    pub max_overlap: f64,
    /// Relocations and refreshes of all sweeps.
    pub work: Work,
    /// Wall time of the run so far, without pauses between a checkpoint and its continuation.
    pub elapsed: Duration,
}

/// A receiver of the progress of a run, which may end the run.
///
/// A closure `FnMut(&Progress) -> ControlFlow<()>` is an observer.
pub trait Observer {
    /// Receives the progress after a sweep. [`ControlFlow::Break`] ends the run with
    /// [`StopReason::Interrupted`](crate::packing::StopReason::Interrupted).
    fn sweep(&mut self, progress: &Progress) -> ControlFlow<()>;

    /// Returns whether [`Self::save`] shall receive a checkpoint of the present state. Is called after every sweep; `stop` is
    /// the reason why the run is over, if it is.
    fn wants_checkpoint(&mut self, _stop: Option<StopReason>) -> bool {
        false
    }

    /// Receives a checkpoint. The run pauses until the call returns.
    fn save(&mut self, _checkpoint: Checkpoint) {}

    /// Returns whether [`Self::save`] shall receive checkpoints of a loop that is over: before its packing is jammed, and after each of the
    /// pressures.
    fn wants_checkpoints_of_jam(&mut self) -> bool {
        false
    }

    /// Is called once, when the loop is over and before the last overlaps are removed.
    fn finishing(&mut self) {}

    /// Receives the progress after each step in which the packing is jammed. [`ControlFlow::Break`] ends the run with
    /// [`StopReason::Interrupted`](crate::packing::StopReason::Interrupted).
    fn jamming(&mut self, _progress: &JamProgress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl<F: FnMut(&Progress) -> ControlFlow<()>> Observer for F {
    fn sweep(&mut self, progress: &Progress) -> ControlFlow<()> {
        self(progress)
    }
}
