//! Sizes of the spheres: requested and achieved mass curve.

use serde::Serialize;

use super::{
    classes::{ClassSummary, Classes},
    constants::CURVE_POINTS,
    sorted::Sorted,
};
use crate::{dimension::Dimension, packing::Packing};

/// The sizes of the spheres of a packing.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SizeSummary {
    /// Smallest diameter, in the caller's unit; 0 without spheres.
    pub d_min: f64,
    /// Largest diameter; 0 without spheres.
    pub d_max: f64,
    /// Mean diameter by number; 0 without spheres.
    pub mean: f64,
    /// Rows `[diameter, requested share, achieved share]` sorted by diameter. A share is the mass at or below the diameter. The
    /// requested share is absent if the packing came without a size distribution.
    pub mass_curve: Vec<(f64, Option<f64>, f64)>,
    /// Largest difference between the requested and the achieved mass curve; absent without a size distribution.
    pub mass_curve_error: Option<f64>,
    /// The size classes of the analysis sorted by diameter.
    pub classes: Vec<ClassSummary>,
}

impl SizeSummary {
    /// Returns the mass curve that the packing was made with, or that of its spheres. Cost: one sort.
    pub(super) fn of_packing(packing: &Packing, sorted: &Sorted, classes: &Classes) -> Self {
        let [d_min, d_max] = [sorted.first(|_| true), sorted.last(|_| true)]
            .map(|radius| radius.map_or(0.0, |radius| 2.0 * radius));
        let mass_curve = match &packing.sizes {
            Some(report) => {
                let row = |&[d, requested, achieved]: &[f64; 3]| (d, Some(requested), achieved);
                report.mass_curve.iter().map(row).collect()
            }
            None => achieved_curve(sorted, packing.container().dimension(), d_min, d_max),
        };
        let sum = sorted.fold(1, |sum, radius| sum[0] += 2.0 * radius);
        Self {
            d_min,
            d_max,
            mean: sum[0] / sorted.len().max(1) as f64,
            mass_curve,
            mass_curve_error: packing.sizes.as_ref().map(|report| report.mass_curve_error),
            classes: classes.summaries.clone(),
        }
    }
}

/// Returns rows (diameter, nothing requested, achieved share of the mass) at diameters in geometric progression.
fn achieved_curve(
    sorted: &Sorted,
    dimension: Dimension,
    d_min: f64,
    d_max: f64,
) -> Vec<(f64, Option<f64>, f64)> {
    let points = match sorted.len() {
        0 => 0,
        _ if d_min == d_max => 1,
        _ => CURVE_POINTS,
    };
    let [low, high] = [d_min, d_max].map(libm::log);
    let diameter = |point: usize| {
        if point + 1 == points {
            d_max
        } else {
            libm::exp(low + (high - low) * point as f64 / (points - 1) as f64)
        }
    };
    let diameters: Vec<f64> = (0..points).map(diameter).collect();
    // The mass of all spheres, and of those up to the last one below each point and above the point before.
    let masses = sorted.fold(1 + points, |masses, radius| {
        // Relative to the largest diameter, powers do not overflow.
        masses[0] += dimension.power(2.0 * radius / d_max);
        let point = diameters.partition_point(|d| *d < 2.0 * radius);
        masses[1 + point] = masses[0];
    });
    let mut up_to = 0.0_f64;
    let row = |(d, &mass): (&f64, &f64)| {
        up_to = up_to.max(mass);
        (*d, None, up_to / masses[0])
    };
    diameters.iter().zip(&masses[1..]).map(row).collect()
}
