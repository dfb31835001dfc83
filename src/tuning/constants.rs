//! Constants of the cost model and of the searches for cell sizes, each with its reason.

use std::ops::RangeInclusive;

// Limits of the input. Within them every result is a finite number.

/// Largest number of levels of a grid.
///
/// The largest best number of levels in the papers is 43 (linear sizes; Krijgsman, Ogarko & Luding 2014, Fig. 9). The limit bounds
/// the time of [`optimal_up_to`](super::optimal_up_to), which grows with the number of levels.
pub const MAX_LEVELS: usize = 1000;

/// Largest overhead factor K.
///
/// Up to it the work is a finite number. Near it, rounding already hides the overlap tests beside the cell accesses.
pub const MAX_OVERHEAD: f64 = 1e15;

/// Largest size ratio ω. Its third power, which the moments contain, stays far below the largest `f64`.
pub(super) const MAX_SIZE_RATIO: f64 = 1e15;

/// Radii of a sample, in the user's unit. Diameters in this range and their ratios lose no digits.
pub(super) const RADIUS_RANGE: RangeInclusive<f64> = 1e-300..=1e300;

/// Packing fractions ν. In this range neither the work nor the number of cells per sphere overflows, whatever the sizes.
pub(super) const PACKING_FRACTION_RANGE: RangeInclusive<f64> = 1e-200..=1e200;

/// Cell sizes in units of the smallest radius, for which the work cannot overflow.
///
/// A useful cell is at least 2 wide. The lower limit is smaller, because a size computed elsewhere may be rounded.
pub(super) const CELL_SIZE_RANGE: RangeInclusive<f64> = 1.0..=1e30;

// Values of the papers.

/// Overhead factor K of the figures in Krijgsman, Ogarko & Luding 2014.
pub(super) const PUBLISHED_OVERHEAD: f64 = 0.2;

/// Overhead factor K of the figures in Ogarko & Luding 2012.
pub(super) const PUBLISHED_RECIPE_OVERHEAD: f64 = 0.3;

/// Packing fraction of a random close packing of equal spheres, for requests that name none.
pub(super) const DEFAULT_PACKING_FRACTION: f64 = 0.64;

/// Gain over a single level from which several levels are recommended: 10 % of the work, a convention.
pub(super) const WORTHWHILE_SPEEDUP: f64 = 1.1;

// Classes of radii.

/// Binary digits of a radius that select its class in [`RadiusLaw::binned`](super::RadiusLaw::binned): 2⁶ = 64 classes
/// per factor 2, so that the radii of a class differ by at most 1.6 %. More digits cost memory and later time; fewer
/// shift the cell sizes.
pub(super) const BIN_DIGITS: u32 = 6;

/// Classes per factor 2 of the diameter that replace a continuous law. The diameters of a class differ by 0.3 %, less
/// than two neighboring candidate sizes ([`CANDIDATE_RATIO`]).
pub(super) const CLASSES_PER_DOUBLING: f64 = 256.0;

/// Least number of classes that replace a continuous law, for laws much narrower than a factor 2.
pub(super) const MIN_CLASSES: f64 = 64.0;

// Search for equal numbers of spheres per cell.

/// Range of the natural logarithm of the number of spheres per cell on the finest level, counted down from the number on
/// a single level. Cell volumes span at most 10⁴⁵ = e¹⁰⁴; ratios other than 1 need more.
pub(super) const LOG_FILLING_RANGE: f64 = 200.0;

/// Bisections of [`LOG_FILLING_RANGE`]: 2⁻⁶⁴ of the range lies below the rounding of an `f64`.
pub(super) const FILLING_BISECTIONS: usize = 64;

/// Returns the largest number of levels that a search still tries when `best` levels are the best so far.
///
/// The work falls and then rises with the number of levels, but not quite smoothly. Twice the best number and ten more
/// step over the small bumps. A larger reach costs time only.
pub(super) fn search_end(best: usize) -> usize {
    2 * best + 10
}

// Shortest path.

/// Ratio of neighboring candidate sizes. The refinement starts with the same step.
///
/// Time grows with the square of the number of candidates. The work is flat near its minimum, so that the best candidates
/// cost less than 1 % more than the refined sizes (`cell_sizes_for_an_index_hold_every_sphere` in `tests/integration/tuning.rs`).
pub(super) const CANDIDATE_RATIO: f64 = 1.01;

/// Largest number of candidate sizes. It bounds time and memory for size ratios above 160, where the candidates lie
/// further apart than [`CANDIDATE_RATIO`].
pub(super) const MAX_CANDIDATES: usize = 512;

/// Steps to either side that the refinement tries for each size. More steps need fewer rounds, but each round costs the
/// square of their number.
pub(super) const REFINEMENT_REACH: i32 = 3;

/// Factor of the refinement step once no size moves. Three finer steps reach three quarters of the coarser one: more than
/// half the distance to the sizes that were rejected.
pub(super) const REFINEMENT_SHRINK: f64 = 0.25;

/// Relative step below which the refinement ends. The work is flat near its minimum, so that it is exact to far more digits
/// than the sizes.
pub(super) const LEAST_REFINEMENT_STEP: f64 = 1e-6;

/// Relative enlargement of cell sizes for an index. A size is a largest diameter up to rounding; rounding must not move that
/// sphere to the next level.
pub(super) const ROUNDING_ALLOWANCE: f64 = 8.0 * f64::EPSILON;

// Measured overhead.

/// Least determinant of the least-squares fit, relative to the product of its diagonal. Below it all searches made tests
/// and accesses in the same proportion, and do not separate the two times.
pub(super) const LEAST_DETERMINANT: f64 = 1e-9;
