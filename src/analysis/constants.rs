//! Constants of the analysis, each with its reason.

/// Smallest gap between two rods, in lengths of the shorter rod. Farr & Groot (2009) fitted it to equal spheres.
pub(super) const FREE_VOLUME: f64 = 0.7654;

/// Number of rods that represent the distribution of rod lengths. It trades time for accuracy: half or twice the number
/// changes the prediction by less than 10⁻⁶ (`half_and_twice_the_rods_change_less_than_a_millionth`).
pub(super) const RODS: usize = 100_000;
