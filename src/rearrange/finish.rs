//! The last step: from almost no overlap to none, exactly.

use std::borrow::Cow;

use glam::DVec3;
use rayon::prelude::*;

use super::{
    constants::{FINISH_MARGIN, MOST_ROUNDS},
    exact_fit::{exact_fit, fits},
    gaps::{Gaps, missing_gap},
};
use crate::{
    container::Container,
    machine::trace::{part, shared},
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

/// Places the centers at `fractions` of the bounding box of the requested container if that is `reached` or large enough, or else
/// of the `smallest` container. The container grows as far as rounding requires.
///
/// All decisions are made in f64, on the numbers of the result.
pub(super) fn finish(
    fractions: &[DVec3],
    smallest: &Container,
    radii: Vec<f64>,
    gaps: Gaps,
    requested: Option<&Container>,
    reached: bool,
) -> Finished {
    let first = first_container(smallest, requested, reached);
    let exact = requested.filter(|requested| !fits(&first, requested));
    let exact =
        exact.and_then(|it| Some((exact_fit(fractions, &radii, &first, it, gaps)?, it.clone())));
    let (fractions, mut container) = match exact {
        Some((fractions, requested)) => (Cow::Owned(fractions), requested),
        None => (Cow::Borrowed(fractions), first),
    };
    let mut spheres = Spheres::new(vec![DVec3::ZERO; radii.len()], radii);
    let mut rounds = 0;
    loop {
        rounds += 1;
        let (_, radii) = spheres.into_parts();
        let centers = shared("centers", || {
            fractions
                .par_iter()
                .map(|&fraction| container.wrap(fraction * container.lengths()))
                .collect()
        });
        spheres = Spheres::new(centers, radii);
        let certificate = part("certificate", || certify(&spheres, &container));
        let missing = certificate
            .max_overlap
            .max(missing_gap(&spheres, &container, gaps));
        // No growth separates two spheres at one point. The certificate states their overlap.
        if missing == 0.0 || rounds == MOST_ROUNDS {
            return Finished {
                spheres,
                fits: requested.is_some_and(|requested| fits(&container, requested)),
                container,
                certificate,
            };
        }
        container = grown(&container, missing);
    }
}

/// Returns the container of the first round.
pub(super) fn first_container(
    smallest: &Container,
    requested: Option<&Container>,
    reached: bool,
) -> Container {
    let smallest = smallest.scaled(1.0 + FINISH_MARGIN);
    match requested {
        Some(requested) if reached || requested.lengths().x >= smallest.lengths().x => {
            requested.clone()
        }
        _ => smallest,
    }
}

/// Returns the container of the next round, after one in which a distance of `missing` was missing.
pub(super) fn grown(container: &Container, missing: f64) -> Container {
    let shortest = container.lengths().min_element();
    container.scaled(1.0 + (missing / shortest).max(1e-12))
}
