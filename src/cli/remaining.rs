//! The remaining time of a run, from its remaining sweeps.

use std::time::Duration;

use super::constants::{LATER_COST, PACE_SMOOTHING, TOTAL_SMOOTHING};
use crate::rearrange::Progress;

/// Estimates the remaining time of one run.
pub struct RemainingTime {
    /// Number of spheres of the run, pending ones included.
    spheres: usize,
    time_limit: Option<Duration>,
    /// Recent seconds per sweep and sphere in the container; absent before the first sweep without insertion.
    pace: Option<f64>,
    /// Estimated seconds of the whole run, smoothed.
    total: Option<f64>,
    share_done: f64,
    /// Of the last sweep.
    present: usize,
    elapsed: Duration,
}

/// The estimate after a sweep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Share of the time that is over, from 0 to 1. It never decreases.
    pub share_done: f64,
    /// Remaining time in seconds.
    pub seconds: f64,
}

impl RemainingTime {
    /// Creates the estimate for a run of this many spheres.
    pub fn new(spheres: usize, time_limit: Option<Duration>) -> Self {
        Self {
            spheres,
            time_limit,
            pace: None,
            total: None,
            share_done: 0.0,
            present: 0,
            elapsed: Duration::ZERO,
        }
    }

    /// Returns the estimate after a sweep, and none before a sweep has been timed. It must see every sweep.
    pub fn after(&mut self, progress: &Progress) -> Option<Estimate> {
        self.measure(progress.spheres, progress.elapsed);
        let seconds_per_sweep = self.pace? * self.spheres as f64;
        Some(self.estimate(progress.remaining_sweeps * LATER_COST * seconds_per_sweep))
    }

    /// Takes account of the time of a sweep over `present` spheres that ended after `elapsed`.
    fn measure(&mut self, present: usize, elapsed: Duration) {
        // The first sweep also places the spheres, and a sweep after an insertion also rebuilds all lists.
        if present == self.present {
            let seconds = elapsed.saturating_sub(self.elapsed).as_secs_f64();
            let latest = seconds / present.max(1) as f64;
            let before = self.pace.unwrap_or(latest);
            self.pace = Some(before + PACE_SMOOTHING * (latest - before));
        }
        self.present = present;
        self.elapsed = elapsed;
    }

    /// Returns the estimate for remaining sweeps that take `seconds`.
    fn estimate(&mut self, seconds: f64) -> Estimate {
        let elapsed = self.elapsed.as_secs_f64();
        let limit = self
            .time_limit
            .map_or(f64::INFINITY, |limit| limit.as_secs_f64());
        let latest = elapsed + seconds;
        let before = self.total.unwrap_or(latest);
        let total = *self
            .total
            .insert(before + TOTAL_SMOOTHING * (latest - before));
        let total = total.min(limit).max(elapsed);
        if total > 0.0 {
            self.share_done = self.share_done.max(elapsed / total);
        }
        Estimate {
            share_done: self.share_done,
            seconds: total - elapsed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the estimates of a run of 100 sweeps of 1 s each, whose remaining sweeps are known.
    fn estimates(mut remaining: RemainingTime) -> Vec<Estimate> {
        (1..=100)
            .map(|sweep| {
                remaining.measure(1000, Duration::from_secs(sweep));
                remaining.estimate((100 - sweep) as f64)
            })
            .collect()
    }

    #[test]
    fn a_steady_run_is_estimated_exactly() {
        for (before, estimate) in estimates(RemainingTime::new(1000, None)).iter().enumerate() {
            let elapsed = (before + 1) as f64;
            assert!((estimate.seconds - (100.0 - elapsed)).abs() < 1e-9);
            assert!((estimate.share_done - elapsed / 100.0).abs() < 1e-9);
        }
    }

    #[test]
    fn the_time_limit_is_the_end() {
        let limit = Some(Duration::from_secs(20));
        let found = estimates(RemainingTime::new(1000, limit));
        let middle = Estimate {
            share_done: 0.5,
            seconds: 10.0,
        };
        assert_eq!(found[9], middle);
        let end = Estimate {
            share_done: 1.0,
            seconds: 0.0,
        };
        assert_eq!(found[30], end);
    }

    #[test]
    fn the_share_done_never_decreases() {
        let mut remaining = RemainingTime::new(1000, None);
        let mut before = 0.0;
        for sweep in 1..100 {
            remaining.measure(1000, Duration::from_secs(sweep));
            let later_by = if sweep % 10 < 5 { 0.0 } else { 200.0 };
            let estimate = remaining.estimate(100.0 + later_by);
            assert!(estimate.share_done >= before);
            before = estimate.share_done;
        }
    }

    #[test]
    fn sweeps_with_placement_or_insertion_do_not_count() {
        let mut remaining = RemainingTime::new(1000, None);
        remaining.measure(100, Duration::from_secs(1));
        assert_eq!(remaining.pace, None);
        remaining.measure(100, Duration::from_secs(2));
        assert_eq!(remaining.pace, Some(0.01));
        remaining.measure(1000, Duration::from_secs(90));
        assert_eq!(remaining.pace, Some(0.01));
        remaining.measure(1000, Duration::from_secs(100));
        assert_eq!(remaining.pace, Some(0.01));
    }
}
