//! The smallest gap found so far, and its two bodies.

use std::cmp::Ordering;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::machine::parallel::Erase;

/// The two bodies with the smallest gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ClosestPair {
    /// Two spheres, by their positions in the arrays.
    Spheres(usize, usize),
    /// A sphere and a flat wall that is perpendicular to the given axis (0, 1, 2).
    Wall(usize, usize),
    /// A sphere and the curved wall of a cylinder, a sphere or a cone.
    Side(usize),
    /// A sphere, and a body in the container by its number from 0.
    Body(usize, usize),
    /// A sphere and its own periodic image along the given axis.
    Image(usize, usize),
}

impl ClosestPair {
    /// Returns this pair with other positions of its spheres. Of two spheres, the one with the lower position remains the first.
    pub(super) fn renumbered(self, position: impl Fn(usize) -> usize) -> Self {
        match self {
            Self::Spheres(i, j) => Self::Spheres(position(i), position(j)),
            Self::Wall(i, axis) => Self::Wall(position(i), axis),
            Self::Side(i) => Self::Side(position(i)),
            Self::Body(i, body) => Self::Body(position(i), body),
            Self::Image(i, axis) => Self::Image(position(i), axis),
        }
    }

    /// Returns the words of a message: a number for the kind, from 1, and two positions. They have the order of the pairs.
    pub(super) fn to_words(self) -> [u64; 3] {
        let (kind, first, second) = match self {
            Self::Spheres(i, j) => (1, i, j),
            Self::Wall(i, axis) => (2, i, axis),
            Self::Side(i) => (3, i, 0),
            Self::Body(i, body) => (4, i, body),
            Self::Image(i, axis) => (5, i, axis),
        };
        [kind, first as u64, second as u64]
    }

    /// Returns the pair in a message; `None` if the kind is 0.
    pub(super) fn from_words([kind, first, second]: [u64; 3]) -> Option<Self> {
        let (first, second) = (first as usize, second as usize);
        match kind {
            1 => Some(Self::Spheres(first, second)),
            2 => Some(Self::Wall(first, second)),
            3 => Some(Self::Side(first)),
            4 => Some(Self::Body(first, second)),
            5 => Some(Self::Image(first, second)),
            _ => None,
        }
    }

    /// Returns the positions of its spheres in the arrays.
    pub(crate) fn spheres(self) -> [Option<usize>; 2] {
        match self {
            Self::Spheres(first, second) => [Some(first), Some(second)],
            Self::Wall(sphere, _)
            | Self::Side(sphere)
            | Self::Body(sphere, _)
            | Self::Image(sphere, _) => [Some(sphere), None],
        }
    }
}

/// A gap and its two bodies.
#[derive(Clone, Copy)]
pub(super) struct Closest {
    pub gap: f64,
    pub pair: Option<ClosestPair>,
}

impl Closest {
    pub const NOTHING: Self = Self {
        gap: f64::INFINITY,
        pair: None,
    };

    pub fn new(gap: f64, pair: ClosestPair) -> Self {
        Self {
            gap,
            pair: Some(pair),
        }
    }

    /// Returns the smallest gap of `count` spheres. `of_sphere` improves a gap by that of a sphere, on all threads.
    pub fn of_all(count: usize, of_sphere: impl Fn(Self, usize) -> Self + Sync + Send) -> Self {
        (0..count)
            .into_par_iter()
            .erased()
            .fold(|| Self::NOTHING, of_sphere)
            .reduce(|| Self::NOTHING, Self::min)
    }

    /// Returns the smaller gap: this one, or the given one.
    pub fn or(self, gap: f64, pair: ClosestPair) -> Self {
        if gap > self.gap {
            self
        } else {
            self.min(Self::new(gap, pair))
        }
    }

    /// Returns the smaller gap. The order is total, so that the result does not depend on the order of the threads.
    pub fn min(self, other: Self) -> Self {
        if other.is_before(&self) { other } else { self }
    }

    /// Returns whether this gap comes before another one: whether it is smaller, or equal and of a pair that is named first.
    pub fn is_before(&self, other: &Self) -> bool {
        let rank = |closest: &Self| closest.pair.map_or([u64::MAX; 3], ClosestPair::to_words);
        let order = self.gap.partial_cmp(&other.gap);
        let order = order.unwrap_or(Ordering::Equal);
        order.then_with(|| rank(self).cmp(&rank(other))).is_lt()
    }
}
