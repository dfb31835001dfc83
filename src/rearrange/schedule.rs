//! The schedule of a run: its start, the growth of the container, the insertions and the tolerance.
//!
//! Numbers that determine positions are computed with `libm`, because the logarithms of the standard library differ between
//! machines.

use super::{
    constants::{
        GROWTH_STEP, INSERTION_GROWTH, LEAST_INTERVAL, MIXTURE_EXCESS, MIXTURE_INSERTION_GROWTH,
        NORMAL_GROWTH, NORMAL_TOLERANCE, RELAXATION, START_EXCESS, TAPER, TOLERANCE_STEP,
    },
    effort::Effort,
    mixture::Bounds,
};

/// The numbers that steer the loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schedule {
    /// Packing fraction of the random placement.
    pub start_fraction: f64,
    /// Packing fraction that the spheres are expected to reach.
    pub expected_fraction: f64,
    /// Largest relative growth of the container's lengths in one sweep.
    pub largest_growth: f64,
    /// Relative growth of the container's lengths until the last insertion.
    insertion_growth: f64,
    /// Factor on the displacement that would clear a sphere's share of its overlaps.
    pub relaxation: f32,
    /// Largest relative overlap at which the loop hands over to the exact last step.
    pub tolerance: f64,
}

/// The insertion of pending groups.
#[derive(Clone, Copy, Debug)]
pub(super) struct InsertionSchedule {
    /// Number of groups at the start.
    pub groups: usize,
    /// Sweeps from one group to the next.
    interval: f64,
    /// Growth factor after a sweep while spheres are pending.
    pub growth: f64,
}

impl InsertionSchedule {
    /// Returns the number of groups that should be inserted before the sweep that follows `sweeps` sweeps.
    pub fn groups_due(&self, sweeps: u64) -> usize {
        ((sweeps as f64 / self.interval) as usize).min(self.groups)
    }

    /// Returns the number of sweeps until the last insertion, after `sweeps` sweeps.
    pub fn sweeps_after(&self, sweeps: u64) -> f64 {
        match self.groups {
            0 => 0.0,
            groups => (self.interval * groups as f64 - sweeps as f64).max(0.0),
        }
    }
}

impl Schedule {
    /// Returns the schedule for spheres that reach about the packing fraction `estimate`, but at most the bounds of a mixture.
    pub fn new(effort: Effort, estimate: f64, bounds: Bounds) -> Self {
        let estimate = estimate.min(bounds.by_small);
        let of_all = START_EXCESS * estimate;
        let of_large = MIXTURE_EXCESS * bounds.by_large;
        Self {
            start_fraction: of_all.min(of_large),
            expected_fraction: estimate.min(bounds.by_large),
            largest_growth: NORMAL_GROWTH,
            insertion_growth: if bounds.large_spread_first && of_large < of_all {
                MIXTURE_INSERTION_GROWTH
            } else {
                INSERTION_GROWTH
            },
            relaxation: RELAXATION,
            tolerance: NORMAL_TOLERANCE,
        }
        .at_effort(effort)
    }

    /// Returns this schedule at another effort.
    pub fn at_effort(self, effort: Effort) -> Self {
        let steps = f64::from(effort) - f64::from(Effort::NORMAL);
        Self {
            largest_growth: NORMAL_GROWTH * libm::pow(GROWTH_STEP, -steps),
            tolerance: NORMAL_TOLERANCE * libm::pow(TOLERANCE_STEP, -0.5 * steps),
            ..self
        }
    }

    /// Returns the schedule of the insertion of `groups` groups.
    pub fn insertion(&self, groups: usize) -> InsertionSchedule {
        let count = groups as f64;
        let least_interval_growth = self.insertion_growth / (LEAST_INTERVAL * count);
        let growth = self.largest_growth.min(least_interval_growth);
        InsertionSchedule {
            groups,
            interval: self.insertion_growth / (growth * count),
            growth: 1.0 + growth,
        }
    }

    /// Returns the growth factor after a sweep that found this mean relative overlap.
    pub fn growth(&self, mean_overlap: f64) -> f64 {
        1.0 + self.largest_growth * (mean_overlap / TAPER).sqrt().min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_inserted_while_the_container_grows() {
        for (effort, interval) in [(Effort::QUICK, 20.0), (Effort::THOROUGH, 50.0)] {
            let schedule = Schedule::new(effort, 0.64, Bounds::NONE);
            let insertion = schedule.insertion(9);
            assert!((insertion.interval - interval).abs() < 1e-9);
            assert!(((insertion.growth - 1.0) * interval * 9.0 - 0.018).abs() < 1e-12);
            assert!(insertion.growth <= schedule.growth(f64::INFINITY));
        }
    }

    #[test]
    fn extremely_large_spheres_spread_before_the_last_insertion() {
        for (large_spread_first, growth) in [(false, 0.018), (true, 0.028)] {
            let bounds = Bounds {
                by_large: 0.6,
                by_small: 0.8,
                large_spread_first,
            };
            let schedule = Schedule::new(Effort::NORMAL, 0.7, bounds);
            let insertion = schedule.insertion(9);
            let total = (insertion.growth - 1.0) * insertion.interval * 9.0;
            assert!((total - growth).abs() < 1e-12, "{total}");
        }
    }
}
