//! Few spheres that fit exactly into the requested container.
//!
//! The loop works with single precision and a margin: spheres that touch walls and each other from end to end miss their container by
//! some millionths, or by a thousandth between a body and a wall. Here the worst overlap is removed again and again, in f64.

use glam::DVec3;

use super::{
    constants::{EXACT_FIT, MOST_EXACT, NEARLY_EXACT},
    gaps::{Gaps, certify_gaps},
};
use crate::{
    container::Container,
    packing::{Certificate, ClosestPair},
    spheres::Spheres,
};

/// Returns whether a container counts as the requested one: but for rounding in f64.
pub(super) fn fits(container: &Container, requested: &Container) -> bool {
    container.lengths().x <= requested.lengths().x * (1.0 + EXACT_FIT)
}

/// Returns positions in the `requested` container, as shares of its bounding box, at which spheres overlap by rounding errors only.
/// `None` if there are many spheres, if their `smallest` container is not nearly the requested one, or if none are found.
///
/// Cost: O(N) for each move. The search ends after 50 N moves that have not halved the largest overlap.
pub(super) fn exact_fit(
    fractions: &[DVec3],
    radii: &[f64],
    smallest: &Container,
    requested: &Container,
    gaps: Gaps,
) -> Option<Vec<DVec3>> {
    let lengths = requested.lengths();
    if radii.len() > MOST_EXACT || smallest.lengths().x > lengths.x * (1.0 + NEARLY_EXACT) {
        return None;
    }
    let smallest_radius = radii.iter().copied().fold(f64::INFINITY, f64::min);
    let centers = fractions.iter().map(|&fraction| fraction * lengths);
    let mut spheres = Spheres::new(centers.collect(), radii.to_vec());
    let (mut least, mut rest) = (f64::INFINITY, 0);
    loop {
        let found = certify_gaps(&spheres, requested, gaps);
        if found.max_overlap < 0.5 * least {
            (least, rest) = (found.max_overlap, 50 * radii.len());
        }
        if found.max_overlap <= 0.1 * EXACT_FIT * smallest_radius {
            let centers = spheres.centers().iter();
            return Some(centers.map(|&center| requested.fractions(center)).collect());
        }
        rest = rest.checked_sub(1)?;
        spheres = separated(spheres, requested, found)?;
    }
}

/// Returns the spheres after the closest two, or the closest to a wall, have moved apart by their overlap. `None` if no direction does.
fn separated(spheres: Spheres, container: &Container, found: Certificate) -> Option<Spheres> {
    let overlap = found.max_overlap;
    let (mut centers, radii) = spheres.into_parts();
    match found.closest? {
        ClosestPair::Spheres(first, second) => {
            let way = container.displacement(centers[first], centers[second]);
            let half = 0.5 * overlap * way.try_normalize()?;
            for (sphere, way) in [(first, -half), (second, half)] {
                centers[sphere] = container.wrap(centers[sphere] + way);
            }
        }
        ClosestPair::Wall(sphere, _) | ClosestPair::Side(sphere) | ClosestPair::Body(sphere, _) => {
            let center = centers[sphere];
            // So near that no other wall is closer.
            let h = 0.25 * overlap;
            let gap = |way: DVec3| container.wall_gap(center + way, 0.0);
            let slope = |axis: DVec3| gap(h * axis) - gap(-h * axis);
            let inward = DVec3::new(slope(DVec3::X), slope(DVec3::Y), slope(DVec3::Z));
            centers[sphere] = container.wrap(center + overlap * inward.try_normalize()?);
        }
        ClosestPair::Image(..) => return None,
    }
    Some(Spheres::new(centers, radii))
}
