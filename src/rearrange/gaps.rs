//! Requested gaps of a packing in the caller's unit.

use super::options::PackOptions;
use crate::{
    container::Container,
    packing::{Certificate, certify_spheres, certify_walls},
    spheres::Spheres,
};

/// The requested smallest gaps.
#[derive(Clone, Copy)]
pub(super) struct Gaps {
    /// Between two spheres.
    pub spheres: f64,
    /// Between a sphere and a wall.
    pub walls: f64,
}

impl Gaps {
    /// Returns the gaps that the options request.
    pub fn of(options: &PackOptions) -> Self {
        Self {
            spheres: options.min_gap,
            walls: options.wall_gap.unwrap_or(0.5 * options.min_gap),
        }
    }
}

/// Returns by how much the requested gaps are missed; 0 without gaps, where the certificate of the spheres themselves tells.
pub(super) fn missing_gap(spheres: &Spheres, container: &Container, gaps: Gaps) -> f64 {
    if gaps.spheres > 0.0 || gaps.walls > 0.0 {
        certify_gaps(spheres, container, gaps).max_overlap
    } else {
        0.0
    }
}

/// Returns the certificate of the largest overlap of enlarged spheres.
///
/// Spheres enlarged by half the minimum gap that do not overlap keep the minimum gap to each other. Spheres enlarged by the gap to
/// walls that cross no wall keep this gap.
pub(super) fn certify_gaps(spheres: &Spheres, container: &Container, gaps: Gaps) -> Certificate {
    certify_spheres(&enlarged_by(spheres, 0.5 * gaps.spheres), container)
        .min(certify_walls(&enlarged_by(spheres, gaps.walls), container))
}

/// Returns the spheres with radii enlarged by `gap`.
pub(super) fn enlarged_by(spheres: &Spheres, gap: f64) -> Spheres {
    let radii = spheres.radii().iter().map(|radius| radius + gap);
    Spheres::new(spheres.centers().to_vec(), radii.collect())
}
