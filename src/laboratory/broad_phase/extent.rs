//! Extent of a snapshot and of its spheres.

use glam::DVec3;

use crate::spheres::Spheres;

/// Returns the largest diameter; `None` when no two spheres can touch.
pub(super) fn largest_diameter(snapshot: &Spheres) -> Option<f64> {
    let radius = snapshot.radii().iter().copied().fold(0.0, f64::max);
    (snapshot.len() > 1 && radius > 0.0).then_some(2.0 * radius)
}

/// Returns the lower and upper corner of the smallest box that holds all centers.
pub(super) fn bounds(centers: &[DVec3]) -> [DVec3; 2] {
    centers
        .iter()
        .fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[low, high], &c| {
            [low.min(c), high.max(c)]
        })
}
