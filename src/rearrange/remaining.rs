//! An estimate of the remaining sweeps of a run.

use super::{
    constants::{DECAY_SMOOTHING, NORMAL_GROWTH, SLOW_SWEEPS, TAPER},
    observer::Progress,
    schedule::{InsertionSchedule, Schedule},
};
use crate::dimension::Dimension;

/// The estimate for one run.
///
/// While the container grows at full rate, the packing fraction falls at a known rate towards the expected one. A typical
/// number of sweeps of slow growth follows. During slow growth the largest overlap decays nearly exponentially; its recent
/// decay is extrapolated to the tolerance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Remaining {
    dimension: Dimension,
    schedule: Schedule,
    insertion: InsertionSchedule,
    /// Typical number of sweeps of slow growth.
    slow_sweeps: f64,
    max_sweeps: Option<u64>,
    /// Largest overlap after the last sweep, and its smoothed logarithmic decrease in a sweep.
    largest: f64,
    decay: f64,
}

impl Remaining {
    pub fn new(
        dimension: Dimension,
        schedule: Schedule,
        insertion: InsertionSchedule,
        max_sweeps: Option<u64>,
    ) -> Self {
        Self {
            dimension,
            schedule,
            insertion,
            // Slower growth ends with smaller overlaps, after more sweeps.
            slow_sweeps: SLOW_SWEEPS * (NORMAL_GROWTH / schedule.largest_growth).sqrt(),
            max_sweeps,
            largest: f64::INFINITY,
            decay: 0.0,
        }
    }

    /// Returns the estimated number of remaining sweeps after the sweep with this progress.
    pub fn update(&mut self, progress: &Progress) -> f64 {
        let decrease = (self.largest / progress.max_overlap).ln();
        if decrease.is_finite() {
            self.decay += DECAY_SMOOTHING * (decrease - self.decay);
        }
        self.largest = progress.max_overlap;
        let pending = self.insertion.sweeps_after(progress.sweeps);
        let sweeps = if pending > 0.0 || progress.mean_overlap >= TAPER {
            self.full_growth(progress.packing_fraction, pending)
        } else {
            self.slow_growth()
        };
        match self.max_sweeps {
            Some(most) => sweeps.min(most.saturating_sub(progress.sweeps) as f64),
            None => sweeps,
        }
    }

    /// Returns the estimate during full growth, with `pending` sweeps until the last insertion.
    fn full_growth(&self, packing_fraction: f64, pending: f64) -> f64 {
        let power = self.dimension.exponent();
        let after_insertions = packing_fraction * self.insertion.growth.powf(-power * pending);
        let excess = (after_insertions / self.schedule.expected_fraction).ln();
        pending + (excess / (power * self.schedule.largest_growth)).max(0.0) + self.slow_sweeps
    }

    /// Returns the estimate during slow growth.
    fn slow_growth(&self) -> f64 {
        let excess = (self.largest / self.schedule.tolerance).ln().max(0.0);
        // At first the decay is slow, and its extrapolation is far too long.
        (excess / self.decay.max(f64::MIN_POSITIVE)).min(self.slow_sweeps)
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use crate::{
        Effort, PackOptions, SizeSpec,
        distribution::Sampling,
        rearrange::{Progress, pack_observed},
    };

    /// The estimate at the middle of a run is within a factor of two, and it ends near zero.
    #[test]
    fn estimates_are_near_the_true_number_of_sweeps() {
        for (sizes, effort) in [
            ("equal", Effort::QUICK),
            ("power-law-3", Effort::NORMAL),
            ("concrete", Effort::QUICK),
        ] {
            let radii = SizeSpec::load(sizes)
                .unwrap()
                .sample_number(2000, Sampling::Stratified, 0)
                .radii();
            let mut estimates = Vec::new();
            let mut record = |progress: &Progress| {
                estimates.push(progress.remaining_sweeps);
                ControlFlow::Continue(())
            };
            pack_observed(&radii, &PackOptions::default().effort(effort), &mut record).unwrap();
            let sweeps = estimates.len();
            let ratio = estimates[sweeps / 2] / (sweeps - sweeps / 2) as f64;
            assert!((0.5..2.0).contains(&ratio), "{sizes}: {ratio}");
            assert!(estimates[sweeps - 1] < 0.05 * sweeps as f64, "{sizes}");
        }
    }
}
