//! The approach to a container of a requested size.

use super::{
    constants::{
        APPROACH_EXCESS, HOLD_MARGIN, HURRIED_PATIENCE, HURRIED_STEP, PAIR_MARGIN, PATIENCE,
        PATIENCE_STEP, ROUNDING,
    },
    effort::Effort,
    moves::relocation::Overlaps,
    phase::ApproachProgress,
    setup::Radii,
    state::State,
};
use crate::{container::Container, dimension::Dimension};

/// Growth up to a requested size of the container. At that size, the run goes on while the overlaps still decrease, and gives
/// up when they do not.
#[derive(Clone, Debug)]
pub(super) struct Approach {
    dimension: Dimension,
    /// The scale of the radii at which the container has the requested size.
    scale: f64,
    /// Sweeps without progress after which the size counts as out of reach.
    patience: u64,
    /// Whether the patience counts from the arrival at the requested size, as slower growth may follow.
    is_hurried: bool,
    pub progress: ApproachProgress,
}

/// The state of the approach after a sweep.
pub(super) enum Arrival {
    Going,
    Reached,
    OutOfReach,
}

impl Approach {
    /// Starts the approach from the container of `state` to the `requested` container of the same shape.
    pub fn new(state: &State, requested: &Container) -> Self {
        Self {
            dimension: requested.dimension(),
            scale: state.points.container().lengths().x / requested.lengths().x,
            patience: 0,
            is_hurried: false,
            progress: ApproachProgress::default(),
        }
    }

    /// Sets the patience for an effort, after which slower growth may follow.
    pub fn at_effort(&mut self, effort: Effort, slower_may_follow: bool) {
        let (patience, step) = if slower_may_follow {
            (HURRIED_PATIENCE, HURRIED_STEP)
        } else {
            (PATIENCE, PATIENCE_STEP)
        };
        self.patience = (patience * libm::pow(step, effort.into())) as u64;
        self.is_hurried = slower_may_follow;
    }

    /// Returns the scale at which growth stops.
    fn last_scale(&self) -> f64 {
        self.scale * (1.0 + HOLD_MARGIN)
    }

    /// Returns the scale at which slower growth begins.
    pub fn scale_before_approach(&self) -> f64 {
        (self.scale * self.dimension.root(1.0 + APPROACH_EXCESS)).min(1.0)
    }

    /// Lets the container grow, but not beyond the requested size.
    pub fn grow(&self, state: &mut State, growth: f64) {
        state
            .points
            .grow(growth.min((state.points.scale / self.last_scale()).max(1.0)));
    }

    /// Forgets the overlaps so far, so that the approach may start again.
    pub fn restart(&mut self) {
        self.progress.least = None;
    }

    /// Lets the container grow after a sweep that found these overlaps, and returns whether the requested size is reached or
    /// out of reach.
    pub fn advance(
        &mut self,
        state: &mut State,
        radii: &Radii,
        overlaps: &Overlaps,
        growth: f64,
    ) -> Arrival {
        if overlaps.largest < HOLD_MARGIN
            && state.points.scale / state.missing_growth(radii, PAIR_MARGIN)
                >= self.scale * (1.0 - ROUNDING)
        {
            return Arrival::Reached;
        }
        if state.points.scale > self.last_scale() {
            // Without overlap the schedule asks for no growth.
            let growth = if overlaps.total > 0.0 {
                growth
            } else {
                f64::INFINITY
            };
            self.grow(state, growth);
            return Arrival::Going;
        }
        let progress = &mut self.progress;
        let has_decreased = progress
            .least
            .is_none_or(|least| overlaps.total < 0.9 * least && !self.is_hurried);
        if has_decreased {
            progress.least = Some(overlaps.total);
            progress.least_at = state.sweeps;
        }
        if state.sweeps - progress.least_at > self.patience {
            Arrival::OutOfReach
        } else {
            Arrival::Going
        }
    }
}
