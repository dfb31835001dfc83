//! Numbers that are divided among ranks.

use std::borrow::Cow;

use bytemuck::{Pod, Zeroable};

use super::{ranks::Ranks, sample_sort::divide_by_key};
use crate::dimension::Dimension;

/// Numbers of which each rank holds a part, rank after rank.
///
/// Results have the bits of one process, and are the same on all ranks, which must call together.
#[derive(Clone)]
pub(crate) struct Divided<'a> {
    own: Cow<'a, [f64]>,
    len: usize,
    ranks: Ranks,
}

/// Equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Run {
    pub value: f64,
    pub count: u64,
}

impl<'a> Divided<'a> {
    /// Joins the numbers `own` of this rank with those of the others.
    pub fn new(own: impl Into<Cow<'a, [f64]>>, ranks: &Ranks) -> Self {
        let own = own.into();
        Self {
            len: ranks.total(own.len()),
            own,
            ranks: ranks.clone(),
        }
    }

    /// Takes numbers that no other process has.
    pub fn alone(own: impl Into<Cow<'a, [f64]>>) -> Self {
        Self::new(own, &Ranks::default())
    }

    /// Returns the numbers of this process.
    pub fn own(&self) -> &[f64] {
        &self.own
    }

    /// Returns the numbers of this process.
    pub fn into_own(self) -> Vec<f64> {
        self.own.into_owned()
    }

    /// Returns the ranks.
    pub fn ranks(&self) -> &Ranks {
        &self.ranks
    }

    /// Returns the total count over all ranks.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns the position of the first own number among all.
    pub fn first_own(&self) -> usize {
        self.ranks.before(self.own.len())
    }

    /// Returns the first of all numbers.
    pub fn first(&self) -> Option<f64> {
        let own = self.own.first().copied();
        self.ranks.gather(Vec::from_iter(own)).first().copied()
    }

    /// Changes a result for one number after the other, in their order.
    pub fn fold<T: Pod>(&self, start: T, change: impl Fn(T, f64) -> T) -> T {
        let own = |start| self.own.iter().fold(start, |state, &x| change(state, x));
        self.ranks.in_turn(start, own)
    }

    /// Returns the results of `own` for the numbers of each rank, sorted by rank.
    pub fn of_each<T: Pod>(&self, own: impl FnOnce(&[f64]) -> T) -> Vec<T> {
        self.ranks.gather(vec![own(&self.own)])
    }

    /// Returns the first number that passes, with its position among all.
    pub fn find(&self, passes: impl Fn(f64) -> bool) -> Option<(usize, f64)> {
        let first = self.first_own();
        let own = self.own.iter().position(|&x| passes(x));
        let found = own.map(|k| [(first + k) as u64, self.own[k].to_bits()]);
        let [position, value] = *self.ranks.gather(Vec::from_iter(found)).first()?;
        Some((position as usize, f64::from_bits(value)))
    }

    /// Returns the largest number, at least 0.
    pub fn largest(&self) -> f64 {
        let largest = |numbers: &[f64]| numbers.iter().copied().fold(0.0, f64::max);
        largest(&self.of_each(largest))
    }

    /// Returns the smallest number; 0 if there is none.
    pub fn smallest(&self) -> f64 {
        let smallest = |numbers: &[f64]| numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let smallest = smallest(&self.of_each(smallest));
        if self.len == 0 { 0.0 } else { smallest }
    }

    /// Returns the volume of spheres with these radii.
    pub fn volume(&self, dimension: Dimension) -> f64 {
        dimension.unit_sphere() * self.fold(0.0, |sum, radius| sum + dimension.power(radius))
    }

    /// Returns the result of `map` for each number.
    pub fn map(&self, map: impl Fn(f64) -> f64) -> Divided<'static> {
        Divided {
            own: self.own.iter().map(|&x| map(x)).collect(),
            len: self.len,
            ranks: self.ranks.clone(),
        }
    }

    /// Returns the numbers that pass.
    pub fn filter(&self, passes: impl Fn(f64) -> bool) -> Divided<'static> {
        let own = self.own.iter().copied().filter(|&x| passes(x));
        Divided::new(own.collect::<Vec<f64>>(), &self.ranks)
    }

    /// Returns all numbers. This process must have memory for them.
    pub fn gathered(&self) -> Cow<'_, [f64]> {
        if self.ranks.is_alone() {
            return Cow::Borrowed(&self.own);
        }
        self.ranks.gather(&self.own[..]).into()
    }

    /// Returns all numbers, sorted, of which each rank receives a part, rank after rank. Equal numbers belong to one rank.
    pub fn sorted(&self) -> Vec<Run> {
        let mut own = self.own.to_vec();
        own.sort_unstable_by(f64::total_cmp);
        let own: Vec<Run> = own
            .chunk_by(|a, b| a == b)
            .map(|equal| Run {
                value: equal[0],
                count: equal.len() as u64,
            })
            .collect();
        sorted_among(&self.ranks, own)
    }
}

/// Returns the part of this rank of the sorted numbers of all ranks. `own` is sorted.
fn sorted_among(ranks: &Ranks, own: Vec<Run>) -> Vec<Run> {
    if ranks.is_alone() {
        return own;
    }
    let mut received = divide_by_key(ranks, &own, |run| ascending_key(run.value));
    received.sort_unstable_by(|a, b| a.value.total_cmp(&b.value));
    let equal = received.chunk_by(|a, b| a.value == b.value);
    equal
        .map(|equal| Run {
            value: equal[0].value,
            count: equal.iter().map(|run| run.count).sum(),
        })
        .collect()
}

/// Returns a key that rises with the number.
fn ascending_key(value: f64) -> u64 {
    // The sum is 0 for both zeros.
    let bits = (value + 0.0).to_bits();
    if bits >> 63 == 1 {
        !bits
    } else {
        bits | 1 << 63
    }
}
