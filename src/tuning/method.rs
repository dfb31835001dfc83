//! Choice of a method for cell sizes.

use super::constants::{PUBLISHED_OVERHEAD, PUBLISHED_RECIPE_OVERHEAD};
use crate::macros::choice;

choice! {
    "method", "kebab-case";
    /// Method that chooses the cell sizes.
    #[derive(Default)]
    #[non_exhaustive]
    pub enum Method {
        /// Sizes in equal steps: [`linear`](super::linear).
        Linear,
        /// Sizes in equal ratios: [`exponential`](super::exponential).
        Exponential,
        /// Constant ratio q of the numbers of spheres per cell on neighboring levels, equal numbers for q = 1:
        /// [`constant_per_cell`](super::constant_per_cell).
        Constant,
        /// Sizes of least work: [`optimal()`](super::optimal()).
        #[default]
        Optimal,
        /// Sizes of Ogarko & Luding 2012: [`recipe`](super::recipe).
        Recipe,
    }
}

impl Method {
    /// Returns the overhead factor K that the paper of the method uses: 0.3 for the recipe, 0.2 for the others.
    pub fn published_overhead(self) -> f64 {
        match self {
            Self::Recipe => PUBLISHED_RECIPE_OVERHEAD,
            Self::Linear | Self::Exponential | Self::Constant | Self::Optimal => PUBLISHED_OVERHEAD,
        }
    }
}
