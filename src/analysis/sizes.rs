//! Sizes of the spheres: requested and achieved mass curve.

use serde::Serialize;

use super::{
    classes::{ClassSummary, Classes},
    constants::CURVE_POINTS,
};
use crate::packing::Packing;

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
    /// Rows `[diameter, requested share, achieved share]` by rising diameter. A share is the mass at or below the diameter. The
    /// requested share is absent if the packing came without a size distribution.
    pub mass_curve: Vec<(f64, Option<f64>, f64)>,
    /// Largest difference between the requested and the achieved mass curve; absent without a size distribution.
    pub mass_curve_error: Option<f64>,
    /// The size classes of the analysis by rising diameter.
    pub classes: Vec<ClassSummary>,
}

impl SizeSummary {
    /// Returns the mass curve that the packing was made with, or that of its spheres. Cost: one sort.
    pub(super) fn of_packing(packing: &Packing, classes: &Classes) -> Self {
        let mut diameters: Vec<f64> = packing.spheres.radii().iter().map(|r| 2.0 * r).collect();
        diameters.sort_unstable_by(f64::total_cmp);
        let [d_min, d_max] =
            [diameters.first(), diameters.last()].map(|d| d.copied().unwrap_or(0.0));
        let mass_curve = match &packing.sizes {
            Some(report) => {
                let row = |&[d, requested, achieved]: &[f64; 3]| (d, Some(requested), achieved);
                report.mass_curve.iter().map(row).collect()
            }
            None => achieved_curve(&diameters, d_min, d_max),
        };
        Self {
            d_min,
            d_max,
            mean: diameters.iter().sum::<f64>() / diameters.len().max(1) as f64,
            mass_curve,
            mass_curve_error: packing.sizes.as_ref().map(|report| report.mass_curve_error),
            classes: classes.summaries.clone(),
        }
    }
}

/// Returns the mass curve of sorted diameters at diameters in geometric progression.
fn achieved_curve(sorted: &[f64], d_min: f64, d_max: f64) -> Vec<(f64, Option<f64>, f64)> {
    let mut up_to = vec![0.0];
    for d in sorted {
        // Relative to the largest diameter, cubes do not overflow.
        let relative = d / d_max;
        up_to.push(up_to[up_to.len() - 1] + relative * relative * relative);
    }
    let points = match sorted.len() {
        0 => 0,
        _ if d_min == d_max => 1,
        _ => CURVE_POINTS,
    };
    let [low, high] = [d_min, d_max].map(libm::log);
    (0..points)
        .map(|point| {
            let d = if point + 1 == points {
                d_max
            } else {
                libm::exp(low + (high - low) * point as f64 / (points - 1) as f64)
            };
            let count = sorted.partition_point(|diameter| *diameter <= d);
            (d, None, up_to[count] / up_to[sorted.len()])
        })
        .collect()
}
