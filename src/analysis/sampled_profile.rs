//! A local packing fraction as a function of a distance.

use glam::DVec3;
use serde::Serialize;

use super::void::Probe;

/// A local packing fraction as a function of a distance: the share of random points inside spheres, or the exact share of the volume.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SampledProfile {
    /// Middle of each bin, in the caller's unit. Bins without a point are left out.
    pub distance: Vec<f64>,
    /// Packing fraction in each bin.
    pub packing_fraction: Vec<f64>,
    /// Standard error of each packing fraction, from the number of points; 0 for exact volumes.
    pub standard_error: Vec<f64>,
}

/// Returns the share of solid points in bins of a distance from 0 to `extent`.
pub(super) fn sampled(
    probes: &[Probe],
    extent: f64,
    bins: usize,
    distance: impl Fn(DVec3) -> f64,
) -> SampledProfile {
    let mut counts = vec![[0_usize; 2]; bins];
    for probe in probes {
        let bin = (distance(probe.point) / extent * bins as f64) as usize;
        if let Some([all, solid]) = counts.get_mut(bin) {
            *all += 1;
            *solid += usize::from(probe.is_solid());
        }
    }
    let used = || counts.iter().enumerate().filter(|(_, [all, _])| *all > 0);
    let share = |[all, solid]: &[usize; 2]| *solid as f64 / *all as f64;
    let error = |counts: &[usize; 2]| {
        let share = share(counts);
        (share * (1.0 - share) / counts[0] as f64).sqrt()
    };
    SampledProfile {
        distance: used()
            .map(|(bin, _)| extent * (bin as f64 + 0.5) / bins as f64)
            .collect(),
        packing_fraction: used().map(|(_, counts)| share(counts)).collect(),
        standard_error: used().map(|(_, counts)| error(counts)).collect(),
    }
}
