//! The decision after a sweep: how far the container grows, and in which phase the run goes on.

use super::{
    approach::{Approach, Arrival},
    constants::SETTLING_SWEEPS,
    moves::relocation::Overlaps,
    packer::Packer,
    phase::Phase,
};
use crate::packing::StopReason;

impl Packer {
    /// Lets the container grow after a sweep that found these overlaps, and decides in which phase the run goes on.
    ///
    /// The container grows at a constant rate while small spheres are inserted, and then more slowly as the overlaps vanish. It stops
    /// growing at the requested size, where the run ends when the overlaps have vanished. Without a requested size, the run ends when the
    /// largest overlap is small enough for the last step.
    pub(super) fn decide(&mut self, overlaps: &Overlaps, mean_overlap: f64) {
        if self.state.is_complete() {
            self.phase.end_insertions();
        }
        let is_apart = overlaps.largest < self.schedule.tolerance;
        let growth = self.schedule.growth(mean_overlap);
        let insertion_growth = self.moves.insertion.schedule.growth;
        match &mut self.phase {
            Phase::Inserting(None) => self.state.points.grow(insertion_growth),
            Phase::Inserting(Some(approach)) => approach.grow(&mut self.state, insertion_growth),
            Phase::Growing if is_apart => self.phase.end(StopReason::Converged),
            Phase::Exceeding if is_apart => self.phase.end(StopReason::Stalled),
            Phase::Growing | Phase::Exceeding => self.state.points.grow(growth),
            Phase::Approaching(approach) => {
                match approach.advance(&mut self.state, &self.radii, overlaps, growth) {
                    Arrival::Going => {}
                    Arrival::Reached => self.phase.end(StopReason::FractionReached),
                    Arrival::OutOfReach => self.try_again(),
                }
            }
            Phase::Over { .. } => {}
        }
        if self.phase.stop_reason().is_none()
            && let Some(reason) = self.limit()
        {
            self.phase.end(reason);
        }
    }

    /// Approaches the requested container again: with slower growth if the request names no effort, then with exchanges, or around fixed
    /// spheres with more room. Gives it up if that has been tried. Around fixed spheres it cannot be given up.
    fn try_again(&mut self) {
        let scale = if let Some(effort) = self.slower_effort() {
            self.set_effort(effort);
            self.phase.approach().map(Approach::scale_before_approach)
        } else if self.moves.exchange.is_off() && !self.has_equal_radii() {
            self.moves.exchange.start_after(self.state.sweeps);
            // Exchanges bring most while the spheres are pressed against each other.
            Some(1.0)
        } else if self.options.fixed.is_none() {
            self.phase = Phase::Exceeding;
            return;
        } else if self.makes_room() {
            None
        } else {
            self.phase.end(StopReason::Stalled);
            return;
        };
        if let Some(approach) = self.phase.approach_mut() {
            approach.restart();
        }
        if let Some(scale) = scale {
            self.state.shrink_to(scale);
        }
    }

    fn has_equal_radii(&self) -> bool {
        let radii = self.divided_radii();
        radii.smallest() == radii.largest()
    }

    /// Returns the limit that the run has reached, if any.
    fn limit(&self) -> Option<StopReason> {
        let most = self.options.max_sweeps;
        if most.is_some_and(|most| self.state.sweeps + SETTLING_SWEEPS >= most) {
            return Some(StopReason::SweepLimit);
        }
        let limit = &self.state.limit;
        if !limit.is_set() {
            return None;
        }
        // All ranks end for the same reason.
        let reached = limit.reached();
        let mut reasons = [StopReason::Interrupted, StopReason::TimeLimit].into_iter();
        reasons.find(|&reason| self.state.halo.ranks.any(reached == Some(reason)))
    }
}
