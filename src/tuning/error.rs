//! Errors of tuning requests.

use super::{
    constants::{CELL_SIZE_RANGE, MAX_LEVELS, MAX_OVERHEAD, PACKING_FRACTION_RANGE},
    method::Method,
    radius_law::RadiusLawError,
};

/// A tuning request that cannot be met.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TuningError {
    /// A packing fraction that is not positive, or for which the work is no finite number.
    #[error(
        "packing fraction {0:?}; it must be a number from {low:e} to {high:e}",
        low = PACKING_FRACTION_RANGE.start(),
        high = PACKING_FRACTION_RANGE.end()
    )]
    PackingFraction(f64),
    /// A negative overhead factor, or one above [`MAX_OVERHEAD`].
    #[error("overhead factor K = {0:?}; it must be a number from 0 to {MAX_OVERHEAD:e}")]
    Overhead(f64),
    /// Zero levels, or more than [`MAX_LEVELS`].
    #[error("{0} levels; the number of levels must be from 1 to {MAX_LEVELS}")]
    Levels(usize),
    /// A ratio of particles per cell that is not positive and finite.
    #[error("ratio q = {0:?} of particles per cell; it must be a positive, finite number")]
    Ratio(f64),
    /// A ratio q for a method that has none.
    #[error("ratio q = {ratio:?} for {method} cell sizes; only constant cell sizes have a ratio q")]
    RatioOfMethod {
        /// Ratio q.
        ratio: f64,
        /// Method that chooses the cell sizes.
        method: Method,
    },
    /// A cell size that is out of range, or smaller than the size before it.
    #[error(
        "cell size {value:?} of level {level}; sizes must rise, within {low:?} to {high:e} smallest radii",
        low = CELL_SIZE_RANGE.start(),
        high = CELL_SIZE_RANGE.end()
    )]
    CellSize {
        /// Level, counted from 1 at the finest.
        level: usize,
        /// Cell size in units of the smallest radius.
        value: f64,
    },
    /// Cells that are all too small for the largest sphere.
    #[error(
        "largest cell size {largest:?}; it must be at least the largest diameter, {needed:?} smallest radii"
    )]
    LargestCellSize {
        /// Largest cell size in units of the smallest radius; 0 if there is no level.
        largest: f64,
        /// Largest diameter in the same unit.
        needed: f64,
    },
    /// A distribution of radii that is invalid.
    #[error(transparent)]
    Law(#[from] RadiusLawError),
}
