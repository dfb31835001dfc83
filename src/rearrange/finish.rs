//! The last step: from almost no overlap to none, exactly.

use glam::DVec3;
use rayon::prelude::*;

use super::{constants::FINISH_MARGIN, options::enlarged_radii};
use crate::{
    container::Container,
    packing::{Certificate, certify},
    spheres::Spheres,
};

/// Spheres without overlap.
pub(super) struct Finished {
    pub spheres: Spheres,
    pub container: Container,
    pub certificate: Certificate,
    /// Whether the container is the requested one.
    pub fits: bool,
}

/// Places the centres at `fractions` of the bounding box of the requested container if that is `reached` or large enough, or else
/// of the `smallest` container. The container grows as far as rounding requires.
///
/// All decisions are made in f64, on the numbers of the result.
pub(super) fn finish(
    fractions: &[DVec3],
    smallest: &Container,
    radii: Vec<f64>,
    min_gap: f64,
    requested: Option<&Container>,
    reached: bool,
) -> Finished {
    let smallest = smallest.scaled(1.0 + FINISH_MARGIN);
    let mut container = match requested {
        Some(requested) if reached || requested.lengths().x >= smallest.lengths().x => {
            requested.clone()
        }
        _ => smallest,
    };
    let mut spheres = Spheres::new(vec![DVec3::ZERO; radii.len()], radii);
    loop {
        let (_, radii) = spheres.into_parts();
        let centers = fractions
            .par_iter()
            .map(|&fraction| container.wrap(fraction * container.lengths()))
            .collect();
        spheres = Spheres::new(centers, radii);
        let certificate = certify(&spheres, &container);
        let missing = if min_gap == 0.0 {
            certificate.max_overlap
        } else {
            missing_gap(&spheres, &container, min_gap)
        };
        if missing == 0.0 {
            return Finished {
                spheres,
                fits: requested == Some(&container),
                container,
                certificate,
            };
        }
        let shortest = container.lengths().min_element();
        container = container.scaled(1.0 + (missing / shortest).max(1e-12));
    }
}

/// Returns the largest overlap of the spheres enlarged by half the minimum gap. Enlarged spheres that do not overlap keep the
/// minimum gap to each other, and half of it to walls.
fn missing_gap(spheres: &Spheres, container: &Container, min_gap: f64) -> f64 {
    let radii = enlarged_radii(spheres.radii(), min_gap).collect();
    let enlarged = Spheres::new(spheres.centers().to_vec(), radii);
    certify(&enlarged, container).max_overlap
}
