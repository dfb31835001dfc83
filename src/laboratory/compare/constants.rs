//! Constants of the measurement of the overhead factor and of the published octrees, each with its reason.

/// Packing fraction of the random spheres in experiment V and in the measurement of the overhead factor.
///
/// A higher fraction gives more contacts per sphere; a lower fraction gives more empty cells.
pub(super) const PACKING_FRACTION: f64 = 0.4;

/// Share by which the HGrid enlarges its cells; the same number as `CELL_MARGIN` in `laboratory/broad_phase/constants.rs`.
pub(super) const CELL_ENLARGEMENT: f64 = 2e-6;

/// Number of spheres in the measurement of the overhead factor.
///
/// More spheres make each search longer than the resolution of the clock, and the measurement slower.
pub(super) const OVERHEAD_SPHERES: usize = 50_000;

/// Size ratio of the spheres in the measurement of the overhead factor.
///
/// The ratio must be large enough that one level and [`OVERHEAD_MAX_LEVELS`] levels cost very different numbers of
/// tests and cell accesses.
pub(super) const OVERHEAD_SIZE_RATIO: f64 = 10.0;

/// The overhead factor is measured on one level up to this number of levels.
///
/// More levels separate the times of tests and cell accesses better and make the measurement slower.
pub(super) const OVERHEAD_MAX_LEVELS: i32 = 7;

/// Number of searches per number of levels; the fastest one counts.
///
/// The first search also allocates memory, and other programs disturb single searches.
pub(super) const OVERHEAD_REPETITIONS: usize = 5;

/// Deepest level of the published octrees: the coordinates of its nodes are exact in `f64`.
pub(super) const DEEPEST_LEVEL: u32 = 52;
