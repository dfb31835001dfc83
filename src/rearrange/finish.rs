//! The last step: from almost no overlap to none, exactly.

use glam::DVec3;
use rayon::prelude::*;

use super::{
    constants::{FINISH_MARGIN, MOST_ROUNDS},
    options::{PackOptions, enlarged_radii},
};
use crate::{
    container::Container,
    machine::trace::{part, shared},
    packing::{Certificate, certify, certify_spheres, certify_walls},
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

/// Places the centres at `fractions` of the bounding box of the requested container if that is `reached` or large enough, or else
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
    let mut container = first_container(smallest, requested, reached);
    let mut spheres = Spheres::new(vec![DVec3::ZERO; radii.len()], radii);
    let mut rounds = 0;
    loop {
        rounds += 1;
        let (_, radii) = spheres.into_parts();
        let centers = shared("centres", || {
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
                fits: requested == Some(&container),
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

/// Returns by how much the requested gaps are missed; 0 without gaps.
///
/// Spheres enlarged by half the minimum gap that do not overlap keep the minimum gap to each other. Spheres enlarged by the gap to
/// walls that cross no wall keep this gap.
pub(super) fn missing_gap(spheres: &Spheres, container: &Container, gaps: Gaps) -> f64 {
    let mut missing = 0f64;
    if gaps.spheres > 0.0 {
        let enlarged = enlarged_by(spheres, 0.5 * gaps.spheres);
        missing = missing.max(certify_spheres(&enlarged, container).max_overlap);
    }
    if gaps.walls > 0.0 {
        let enlarged = enlarged_by(spheres, gaps.walls);
        missing = missing.max(certify_walls(&enlarged, container).max_overlap);
    }
    missing
}

/// Returns the spheres with radii enlarged by `gap`.
pub(super) fn enlarged_by(spheres: &Spheres, gap: f64) -> Spheres {
    let radii = enlarged_radii(spheres.radii(), 2.0 * gap).collect();
    Spheres::new(spheres.centers().to_vec(), radii)
}
