//! Random choices of requests.

use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// A source of random choices.
pub struct Random(Pcg64);

impl Random {
    /// Creates the source of the item with this number. Different numbers and seeds give independent choices.
    pub fn new(seed: u64, number: u64) -> Self {
        let base = Pcg64::seed_from_u64(seed).next_u64();
        Self(Pcg64::seed_from_u64(base.wrapping_add(number)))
    }

    /// Returns a number from `low` up to `high`, uniformly distributed.
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.0.random::<f64>()
    }

    /// Returns a number from `low` up to `high` whose logarithm is uniformly distributed.
    pub fn log_uniform(&mut self, low: f64, high: f64) -> f64 {
        self.uniform(low.ln(), high.ln()).exp().clamp(low, high)
    }

    /// Returns a whole number from `low` to `high` whose logarithm is nearly uniformly distributed.
    pub fn count(&mut self, low: u64, high: u64) -> u64 {
        let found = self.log_uniform(low as f64, high as f64 + 1.0) as u64;
        found.clamp(low, high)
    }

    /// Returns true with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.0.random::<f64>() < probability
    }

    /// Returns one of the values.
    pub fn pick<T: Clone>(&mut self, values: &[T]) -> T {
        values[self.0.random_range(0..values.len())].clone()
    }

    /// Returns any number of 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }
}
