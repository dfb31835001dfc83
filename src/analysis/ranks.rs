//! The ranks that analyze one packing together.

use std::sync::Arc;

use bytemuck::Pod;

use crate::machine::{
    communicator::Communicator,
    divided,
    messages::{self, in_turn_each},
};

/// The ranks that analyze one packing together, or this process alone.
///
/// All ranks call the same methods in the same order, and get the same results.
#[derive(Clone)]
pub(super) struct Ranks(Option<Arc<dyn Communicator>>);

impl Ranks {
    /// This process alone.
    pub(super) fn alone() -> Self {
        Self(None)
    }

    /// All ranks of a communicator.
    pub(super) fn all(communicator: &Arc<dyn Communicator>) -> Self {
        Self((communicator.ranks() > 1).then(|| communicator.clone()))
    }

    /// Returns the messages between the ranks, if there are several.
    pub(super) fn communicator(&self) -> Option<&Arc<dyn Communicator>> {
        self.0.as_ref()
    }

    /// Returns the sums of counts over all ranks.
    pub(super) fn totals(&self, counts: Vec<u64>) -> Vec<u64> {
        self.combined(counts, |a, b| a + b)
    }

    /// Returns the sum of a count over all ranks.
    pub(super) fn total(&self, count: usize) -> usize {
        divided::total(self.0.as_ref(), count)
    }

    /// Returns the sum of a count over the ranks before this one.
    pub(super) fn before(&self, count: usize) -> usize {
        divided::before(self.0.as_ref(), count)
    }

    /// Returns the smallest values of all ranks, element by element.
    pub(super) fn smallest(&self, values: Vec<f64>) -> Vec<f64> {
        self.combined(values, f64::min)
    }

    /// Returns the largest value of all ranks.
    pub(super) fn largest(&self, value: f64) -> f64 {
        self.combined(vec![value], f64::max)[0]
    }

    /// Returns the items of all ranks, sorted by rank.
    pub(super) fn gather<T: Pod>(&self, items: Vec<T>) -> Vec<T> {
        match &self.0 {
            None => items,
            Some(ranks) => messages::gather(&**ranks, &items),
        }
    }

    /// Adds to sums on one rank after the other. A sum over items in the order of the ranks has the bits of a sum by one process.
    pub(super) fn in_turn(&self, len: usize, add: impl FnOnce(&mut [f64])) -> Vec<f64> {
        let mut sums = vec![0.0; len];
        match &self.0 {
            None => add(&mut sums),
            Some(ranks) => sums = in_turn_each(&**ranks, sums, add),
        }
        sums
    }

    /// Returns the element-wise sums of `len` numbers over the parts of all ranks, in the order of the parts.
    pub(super) fn sum_in_turn(&self, len: usize, parts: &[Vec<f64>]) -> Vec<f64> {
        self.in_turn(len, |sums| {
            for part in parts {
                for (sum, number) in sums.iter_mut().zip(part) {
                    *sum += number;
                }
            }
        })
    }

    /// Combines the values of all ranks, element by element. The order must not matter.
    fn combined<T: Pod>(&self, values: Vec<T>, combine: impl Fn(T, T) -> T) -> Vec<T> {
        let Some(ranks) = &self.0 else {
            return values;
        };
        let received = ranks.all_gather(bytemuck::cast_slice(&values));
        let received = received
            .iter()
            .map(|message| messages::from_bytes::<T>(message));
        let combined = received.reduce(|mut all, other| {
            for (a, b) in all.iter_mut().zip(other) {
                *a = combine(*a, b);
            }
            all
        });
        combined.unwrap_or(values)
    }
}
