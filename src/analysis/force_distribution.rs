//! The distribution of the forces in a jammed packing.

use serde::Serialize;

use super::{
    constants::{FORCE_BINS_PER_DECADE, FORCE_DECADES, LARGEST_FORCE, WEAK_FORCES},
    power_law::{PowerLaw, PublishedExponent},
};
use crate::packing::ContactForces;

/// Exponents of weak forces in isostatic packings of infinite dimension, whose values agree with those in three dimensions.
const PUBLISHED: &[PublishedExponent] = &[
    PublishedExponent {
        exponent: 0.42,
        source: "all forces but those at bucklers: Charbonneau, Kurchan, Parisi, Urbani & Zamponi 2014",
    },
    PublishedExponent {
        exponent: 0.17,
        source: "forces at bucklers, which have four contacts: Charbonneau, Corwin, Parisi & Zamponi 2015",
    },
];

/// The distribution of the forces between spheres, in units of their mean.
///
/// # References
/// P. Charbonneau, J. Kurchan, G. Parisi, P. Urbani & F. Zamponi, Exact theory of dense amorphous hard spheres in high dimension III. The full
/// replica symmetry breaking solution, J. Stat. Mech. (2014) P10009; P. Charbonneau, E. I. Corwin, G. Parisi & F. Zamponi, Jamming
/// criticality revealed by removing localized buckling excitations, Phys. Rev. Lett. 114 (2015) 125504,
/// [arXiv:1411.3975](https://arxiv.org/abs/1411.3975).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ForceDistribution {
    /// Mean force between spheres that press on each other, in units of pressure times the square of a length; 0 without forces.
    pub mean: f64,
    /// Geometric middle of each bin, in units of the mean force.
    pub relative: Vec<f64>,
    /// Probability density of the force in units of the mean force.
    pub density: Vec<f64>,
    /// Exponent θ of weak forces, whose density grows as the power θ of the force; absent with too few forces.
    pub weak: Option<PowerLaw>,
}

impl ForceDistribution {
    pub(super) fn new(forces: &ContactForces) -> Self {
        let positive = || {
            let forces = forces.of_pairs.iter().copied();
            forces.filter(|&force| force > 0.0)
        };
        let number = positive().count();
        let mean = positive().sum::<f64>() / number.max(1) as f64;
        let bins = FORCE_BINS_PER_DECADE * FORCE_DECADES;
        let edge = |bin: f64| {
            LARGEST_FORCE * libm::exp10((bin - bins as f64) / FORCE_BINS_PER_DECADE as f64)
        };
        let edges: Vec<f64> = (0..=bins).map(|bin| edge(bin as f64)).collect();
        let mut counts = vec![0_usize; bins];
        for force in positive() {
            let above = edges.partition_point(|&edge| edge <= force / mean);
            if let Some(count) = above.checked_sub(1).and_then(|bin| counts.get_mut(bin)) {
                *count += 1;
            }
        }
        let density = |(bin, count): (usize, usize)| {
            count as f64 / (number.max(1) as f64 * (edges[bin + 1] - edges[bin]))
        };
        Self {
            mean,
            relative: (0..bins).map(|bin| edge(bin as f64 + 0.5)).collect(),
            density: counts.into_iter().enumerate().map(density).collect(),
            weak: PowerLaw::new(
                positive().map(|force| force / mean),
                &WEAK_FORCES,
                PUBLISHED,
            ),
        }
    }
}
