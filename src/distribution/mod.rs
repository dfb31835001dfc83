//! Particle size distributions.

use serde::{Deserialize, Serialize};

/// The asked and the achieved mass curve of a sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SizeReport {
    /// Smallest and largest diameter of the sample.
    pub d_min: f64,
    /// Largest diameter of the sample.
    pub d_max: f64,
    /// `[diameter, asked share of mass not above it, achieved share]`, by rising diameter.
    pub mass_curve: Vec<[f64; 3]>,
    /// The largest difference between asked and achieved share, over the whole curve.
    pub mass_curve_error: f64,
    /// What the sample could not do, in one sentence; `None` when it holds every class.
    pub warning: Option<String>,
}
