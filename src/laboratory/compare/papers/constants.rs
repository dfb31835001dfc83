//! Constants of the comparisons, each with its reason.

use std::time::Duration;

/// Number of detect-then-move cycles that one measurement adds up.
///
/// Schiava D'Albano et al. detect ten times and move the spheres nine times in between (Eqs. 13–16).
pub const CYCLES: usize = 10;

/// A measurement that takes less time than this is repeated, up to [`MAX_REPETITIONS`] times in all.
///
/// A longer time reduces the influence of other programs and makes a comparison slower.
pub(super) const SHORT_MEASUREMENT: Duration = Duration::from_millis(400);

/// Time over which the traversals of an array of links are repeated; the fastest one counts.
///
/// A longer time makes the fastest traversal more reproducible and the measurement slower.
pub(super) const TRAVERSAL_TIME: Duration = Duration::from_millis(100);

/// Maximum number of repetitions of a short measurement.
///
/// More repetitions make the fastest one more reproducible and a comparison slower.
pub(super) const MAX_REPETITIONS: usize = 5;

/// Spacings of experiment II in diameters: densities 1/s³ from 1 to 1/8 000 000, the range of Schiava D'Albano et al.
pub(super) const LATTICE_SPACINGS: [f64; 8] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0];

/// Spacing of experiment III in diameters: 27 cells per sphere, as in Schiava D'Albano et al.
pub(super) const RANDOM_SPACING: f64 = 3.0;

/// Size ratios of experiment V.
///
/// At the smaller ratio the algorithms with one cell size still finish quickly; at the larger ratio their quadratic cost shows.
pub(super) const SIZE_RATIOS: [f64; 2] = [10.0, 50.0];

/// Largest size ratio of experiment V: the size distributions accept no diameter above it.
pub(super) const LARGEST_SIZE_RATIO: f64 = 1e60;

/// Cost of opening a cell of the HGrid, in overlap tests: K of Krijgsman, Ogarko & Luding 2014.
pub(super) const OVERHEAD: f64 = 0.2;

/// Penalty on the residual of the quadratic law, which has three coefficients to follow noise with, not one.
///
/// The quadratic law must leave less than two thirds of the residual of the other laws. A larger factor misses weak
/// quadratic growth; a smaller factor takes noise for quadratic growth.
pub(super) const QUADRATIC_PENALTY: f64 = 1.5;

/// Default Verlet distance over the smallest diameter.
///
/// Table 1 of Raschdorf & Kolonko 2011 is reproduced with a tenth of the mean diameter. A larger distance gives longer
/// Verlet lists and fewer refreshes.
pub(super) const RELATIVE_VERLET_DISTANCE: f64 = 0.1;

/// Number of spheres in the packings of Raschdorf & Kolonko 2011.
pub(super) const PAPER_SPHERES: usize = 10_000;

/// Largest diameter over the smallest one in the Fuller sample of Raschdorf & Kolonko 2011.
pub(super) const PAPER_LARGEST: f64 = 52.7;

/// Deviation of the largest diameter from [`PAPER_LARGEST`] that explains other candidates than those of the paper.
///
/// The quantiles of the continuous curve deviate by less than 1 %, and those of 70 classes by one class, 8 %.
pub(super) const OTHER_LARGEST: f64 = 0.1;

/// Deviation from a value of the paper up to which a row gives no reason.
///
/// The paper prints its values with three or more digits, and the standard deviations of ten packings are about 1 %.
pub(super) const NEARLY_EQUAL: f64 = 0.01;

/// Largest share of the spheres on one level that still counts as spread over the levels.
pub(super) const MOST_ON_ONE_LEVEL: f64 = 0.5;

/// Smallest share of the spheres that counts as most of them.
pub(super) const MOST_SPHERES: f64 = 0.5;

/// Largest share of the spheres that counts as very few of them.
pub(super) const VERY_FEW: f64 = 0.05;

/// Displacement of the timed relocations over the Verlet distance.
///
/// The Verlet list of a sphere remains valid until its displacement reaches half the Verlet distance.
pub(super) const RELATIVE_DISPLACEMENT: f64 = 0.5;

/// Shortest duration of a timing in seconds; a pass over all spheres is repeated until it is reached.
///
/// A longer duration makes the means more reproducible and a comparison slower.
pub(super) const SHORTEST_TIMING: f64 = 0.02;
