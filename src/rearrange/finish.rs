//! The last step: from almost no overlap to none, exactly.

use glam::DVec3;
use rayon::prelude::*;

use super::options::coated;
use crate::{container::Container, packing::Certificate, packing::certify, spheres::Spheres};

/// Growth beyond what the arithmetic asks for, against its rounding.
const MARGIN: f64 = 1e-11;

pub(super) struct Finished {
    pub centers: Vec<DVec3>,
    pub container: Container,
    pub certificate: Certificate,
    /// Whether the container is the asked one.
    pub fits: bool,
}

/// The spheres at `fractions` of the lengths of the asked container, if they fit there without overlap, or else of
/// the `smallest`, grown by what rounding still asks for. All is decided in f64, on the numbers as they will be written.
pub(super) fn finish(
    fractions: Vec<DVec3>,
    smallest: Container,
    radii: &[f64],
    min_gap: f64,
    asked: Option<Container>,
) -> Finished {
    let smallest = smallest.scaled(1.0 + MARGIN);
    let mut container = match asked {
        Some(asked) if asked.lengths().x >= smallest.lengths().x => asked,
        _ => smallest,
    };
    loop {
        let centers = fractions
            .par_iter()
            .map(|&fraction| container.wrap(fraction * container.lengths()))
            .collect();
        let mut spheres = Spheres::new(centers, radii.to_vec());
        let certificate = certify(&spheres, &container);
        // Coats that do not overlap are the smallest gap, to spheres and to walls.
        let lacking = if min_gap == 0.0 {
            certificate.max_overlap
        } else {
            let coated = coated(radii, min_gap).collect();
            spheres = Spheres::new(spheres.into_centers(), coated);
            certify(&spheres, &container).max_overlap
        };
        if lacking == 0.0 {
            return Finished {
                centers: spheres.into_centers(),
                container,
                certificate,
                fits: asked == Some(container),
            };
        }
        let shortest = container.lengths().min_element();
        container = container.scaled(1.0 + (lacking / shortest).max(1e-12));
    }
}
