//! The radii of all ranks, sorted.

use crate::machine::{
    divided::{Divided, Run},
    ranks::Ranks,
};

/// The radii of all spheres, of which each rank has a part, rank after rank.
pub(super) struct Sorted {
    /// The part of this rank, sorted.
    runs: Vec<Run>,
    len: usize,
    ranks: Ranks,
}

impl Sorted {
    /// Sorts the radii of all ranks. Each rank passes its own.
    pub(super) fn new(radii: &[f64], ranks: &Ranks) -> Self {
        let radii = Divided::new(radii, ranks);
        Self {
            len: radii.len(),
            runs: radii.sorted(),
            ranks: ranks.clone(),
        }
    }

    /// Returns the number of radii.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns the smallest radius that passes, which all larger ones must pass, too.
    pub(super) fn first(&self, passes: impl Fn(f64) -> bool) -> Option<f64> {
        let first = self.runs.partition_point(|run| !passes(run.value));
        let own = self.runs.get(first).map_or(f64::INFINITY, |run| run.value);
        let first = self.ranks.smallest(vec![own])[0];
        (first < f64::INFINITY).then_some(first)
    }

    /// Returns the largest radius that passes, which all smaller ones must pass, too.
    pub(super) fn last(&self, passes: impl Fn(f64) -> bool) -> Option<f64> {
        let end = self.runs.partition_point(|run| passes(run.value));
        let own = end
            .checked_sub(1)
            .map_or(f64::NEG_INFINITY, |last| self.runs[last].value);
        let last = self.ranks.largest(own);
        (last > f64::NEG_INFINITY).then_some(last)
    }

    /// Returns the number of radii that pass, which all smaller ones must pass, too.
    pub(super) fn count(&self, passes: impl Fn(f64) -> bool) -> usize {
        let end = self.runs.partition_point(|run| passes(run.value));
        let own = self.runs[..end].iter().map(|run| run.count as usize);
        self.ranks.total(own.sum())
    }

    /// Adds to sums for each radius, sorted.
    pub(super) fn fold(&self, len: usize, add: impl Fn(&mut [f64], f64)) -> Vec<f64> {
        self.ranks.sums_in_turn(len, |sums| {
            for run in &self.runs {
                (0..run.count).for_each(|_| add(sums, run.value));
            }
        })
    }
}
