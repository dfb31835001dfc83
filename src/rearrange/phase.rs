//! The phases of a run.

use serde::{Deserialize, Serialize};

use crate::packing::StopReason;

/// The progress of an approach, which a checkpoint keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ApproachProgress {
    /// Smallest sum of overlaps so far; absent before the first.
    pub least: Option<f64>,
    /// The sweep of the smallest sum, or that of the arrival.
    pub least_at: u64,
    /// Number of times that spheres stuck among fixed ones were placed again.
    pub replacements: u32,
}

/// The phase of a run. A checkpoint keeps the progress of an approach instead of the approach.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Phase<A> {
    /// Spheres are inserted, while the container grows at a constant rate. The approach to a requested container, if there is one,
    /// follows.
    Inserting(Option<A>),
    /// The container grows, more slowly as the overlaps vanish.
    Growing,
    /// The container grows to the requested one and keeps that size, while the overlaps vanish.
    Approaching(A),
    /// The requested container is out of reach: the container grows beyond it.
    Exceeding,
    /// The run is over. A limit may end it in any phase.
    Over {
        /// The reason.
        reason: StopReason,
        /// The last phase.
        last: Box<Phase<A>>,
    },
}

impl<A> Phase<A> {
    /// Returns the first phase of a run, in which the approach to a requested container may follow.
    pub fn first(is_complete: bool, approach: Option<A>) -> Self {
        match approach {
            approach if !is_complete => Self::Inserting(approach),
            Some(approach) => Self::Approaching(approach),
            None => Self::Growing,
        }
    }

    /// Returns why the run is over, if it is.
    pub fn stop_reason(&self) -> Option<StopReason> {
        match self {
            Self::Over { reason, .. } => Some(*reason),
            _ => None,
        }
    }

    /// Returns the present phase, or the last one of a run that is over.
    pub fn last(&self) -> &Self {
        match self {
            Self::Over { last, .. } => last,
            phase => phase,
        }
    }

    /// Returns the approach to a requested container, unless that is out of reach.
    pub fn approach(&self) -> Option<&A> {
        match self.last() {
            Self::Inserting(approach) => approach.as_ref(),
            Self::Approaching(approach) => Some(approach),
            _ => None,
        }
    }

    /// [`Self::approach`] of a run that goes on.
    pub fn approach_mut(&mut self) -> Option<&mut A> {
        match self {
            Self::Inserting(approach) => approach.as_mut(),
            Self::Approaching(approach) => Some(approach),
            _ => None,
        }
    }

    /// Ends the run, unless it is over.
    pub fn end(&mut self, reason: StopReason) {
        if self.stop_reason().is_none() {
            let last = Box::new(std::mem::replace(self, Self::Growing));
            *self = Self::Over { reason, last };
        }
    }

    /// Ends the insertions.
    pub fn end_insertions(&mut self) {
        if let Self::Inserting(approach) = self {
            *self = Self::first(true, approach.take());
        }
    }

    /// Returns the same phase with another form of the approach.
    pub fn map<B>(self, convert: &mut impl FnMut(A) -> B) -> Phase<B> {
        match self {
            Self::Inserting(approach) => Phase::Inserting(approach.map(convert)),
            Self::Growing => Phase::Growing,
            Self::Approaching(approach) => Phase::Approaching(convert(approach)),
            Self::Exceeding => Phase::Exceeding,
            Self::Over { reason, last } => Phase::Over {
                reason,
                last: Box::new(last.map(convert)),
            },
        }
    }
}

/// Returns whether a limit may end a run in any phase.
pub(super) fn is_limit(reason: StopReason) -> bool {
    matches!(
        reason,
        StopReason::TimeLimit | StopReason::Interrupted | StopReason::SweepLimit
    )
}
