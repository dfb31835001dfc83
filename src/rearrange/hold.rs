//! The approach to a container of a requested size.

use super::{
    checkpoint::HoldAccount,
    constants::{
        APPROACH_EXCESS, HOLD_MARGIN, HURRIED_PATIENCE, HURRIED_STEP, PAIR_MARGIN, PATIENCE,
        PATIENCE_STEP, ROUNDING,
    },
    effort::Effort,
    halo::Halo,
    state::State,
    sweep::Overlaps,
};
use crate::container::Container;

/// Growth up to a requested size of the container. At that size, the run goes on while the overlaps still decrease, and gives
/// up when they do not.
pub(super) struct Hold {
    /// The scale of the radii at which the container has the requested size.
    scale: f64,
    /// Sweeps without progress after which the size counts as out of reach.
    patience: u64,
    /// Whether the patience counts from the arrival at the requested size, as slower growth may follow.
    is_hurried: bool,
    /// Smallest sum of overlaps so far, and its sweep, or that of the arrival.
    least: f64,
    least_at: u64,
}

/// The state of the approach after a sweep.
pub(super) enum HoldState {
    Going,
    Reached,
    OutOfReach,
}

impl Hold {
    /// Starts the approach from the container of `state` to the `requested` container of the same shape.
    pub fn new(state: &State, requested: &Container) -> Self {
        Self {
            scale: state.container.lengths().x / requested.lengths().x,
            patience: 0,
            is_hurried: false,
            least: f64::INFINITY,
            least_at: 0,
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
        (self.scale * libm::cbrt(1.0 + APPROACH_EXCESS)).min(1.0)
    }

    /// Lets the container grow, but not beyond the requested size.
    pub fn grow(&self, state: &mut State, growth: f64) {
        state.grow(growth.min((state.scale / self.last_scale()).max(1.0)));
    }

    /// Returns the progress of the approach.
    pub fn account(&self) -> HoldAccount {
        HoldAccount {
            least: self.least.is_finite().then_some(self.least),
            least_at: self.least_at,
        }
    }

    /// Continues the approach with the progress of an earlier one.
    pub fn restored(self, account: HoldAccount) -> Self {
        Self {
            least: account.least.unwrap_or(f64::INFINITY),
            least_at: account.least_at,
            ..self
        }
    }

    /// Forgets the overlaps so far, so that the approach may start again.
    pub fn restart(&mut self) {
        self.least = f64::INFINITY;
    }

    /// Lets the container grow after a sweep that found these overlaps, and returns whether the requested size is reached or
    /// out of reach. `radius` returns the exact radii by the position in the share of this
    /// rank.
    pub fn advance(
        &mut self,
        state: &mut State,
        halo: &Halo,
        radius: &(impl Fn(usize) -> f64 + Sync),
        overlaps: &Overlaps,
        growth: f64,
    ) -> HoldState {
        if overlaps.largest < HOLD_MARGIN
            && state.scale / state.missing_growth(halo, radius, PAIR_MARGIN)
                >= self.scale * (1.0 - ROUNDING)
        {
            return HoldState::Reached;
        }
        if state.scale > self.last_scale() {
            // Without overlap the schedule asks for no growth.
            let growth = if overlaps.total > 0.0 {
                growth
            } else {
                f64::INFINITY
            };
            self.grow(state, growth);
            return HoldState::Going;
        }
        if overlaps.total < 0.9 * self.least && !(self.is_hurried && self.least.is_finite()) {
            self.least = overlaps.total;
            self.least_at = state.sweeps;
        }
        if state.sweeps - self.least_at > self.patience {
            HoldState::OutOfReach
        } else {
            HoldState::Going
        }
    }
}
