//! The complete state of a deposition.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{bed::Lying, options::PourOptions};
use crate::jam::JamState;

/// The complete state of a deposition between two steps.
///
/// [`Pourer::checkpoint`](super::Pourer::checkpoint) makes it, and [`Pourer::resume`](super::Pourer::resume) continues the deposition,
/// which ends with the bits of an undisturbed one. Cells and random numbers follow from it.
///
/// Memory: about 140 bytes per sphere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PourCheckpoint {
    /// The options. A new time limit or interrupt may be set.
    pub options: PourOptions,
    /// The radii of all spheres, in the given order.
    pub(super) radii: Vec<f64>,
    /// Number of spheres that were dropped.
    pub(super) dropped: usize,
    pub(super) lying: Lying,
    /// The number of spheres in succession that found no position.
    pub(super) refused: usize,
    /// Number of taps so far.
    pub(super) taps: u64,
    /// Number of taps in succession without a bed denser than all before.
    pub(super) vain_taps: u64,
    /// Number of rearrangements so far.
    pub(super) rearrangements: u64,
    /// Packing fraction up to which the goals of rearrangements make the present bed hardly denser; 0 before that.
    pub(super) exhausted: f64,
    /// Packing fraction from which on goals of rearrangements count as out of reach; at least 1 before that.
    pub(super) unreached: f64,
    /// The state of the jamming, if it has begun.
    #[serde(default)]
    pub(super) jamming: Option<JamState>,
    /// Wall time of the run so far.
    pub(super) elapsed: Duration,
}

impl PourCheckpoint {
    /// Returns the radii of all spheres.
    pub fn radii(&self) -> &[f64] {
        &self.radii
    }

    /// Returns the number of spheres in the bed.
    pub fn deposited(&self) -> usize {
        self.lying.ids.len()
    }

    /// Returns the checkpoint of a bed that is poured, with the state of its jamming.
    #[must_use]
    pub fn with_jamming(self, state: JamState) -> Self {
        let jamming = Some(state);
        Self { jamming, ..self }
    }

    /// Returns the wall time of the run so far.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }
}
