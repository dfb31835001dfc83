//! Small gaps in a jammed packing.

use serde::Serialize;

use super::{
    adjacency::{Adjacency, by_task},
    cells::levels,
    constants::{RESOLVED_GAPS, SMALL_GAP_DECADES, SMALL_GAPS, WIDEST_SMALL_GAP},
    error::AnalysisError,
    force_contacts::ForceContacts,
    gaps::gaps_up_to,
    power_law::{PowerLaw, PublishedExponent},
    scene::Scene,
};
use crate::packing::{ContactForces, Packing};

/// Exponents of small gaps.
const PUBLISHED: &[PublishedExponent] = &[
    PublishedExponent {
        exponent: 0.41,
        source: "mean-field theory: Charbonneau, Kurchan, Parisi, Urbani & Zamponi 2014",
    },
    PublishedExponent {
        exponent: 0.44,
        source: "equal spheres: Torquato & Kim 2025",
    },
];

/// Gaps between spheres of the backbone that touch without force, or nearly touch.
///
/// A relative gap is the gap of two spheres in units of the smaller diameter.
///
/// # References
/// P. Charbonneau, J. Kurchan, G. Parisi, P. Urbani & F. Zamponi, Exact theory of dense amorphous hard spheres in high dimension III. The full
/// replica symmetry breaking solution, J. Stat. Mech. (2014) P10009; S. Torquato & J. Kim (2025),
/// [arXiv:2504.10310](https://arxiv.org/abs/2504.10310).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SmallGaps {
    /// Relative gaps in geometric progression.
    pub relative: Vec<f64>,
    /// Mean number of spheres of the backbone within each gap of a sphere of the backbone, without the spheres that press on it.
    pub neighbors: Vec<f64>,
    /// Exponent γ of small gaps, whose density falls as the power −γ of the gap; absent with too few gaps.
    pub exponent: Option<PowerLaw>,
}

impl SmallGaps {
    pub(super) fn new(
        packing: &Packing,
        forces: &ContactForces,
        contacts: &ForceContacts,
        backbone: usize,
    ) -> Result<Self, AnalysisError> {
        let scene = Scene::new(packing.spheres(), packing.container())?;
        let near = Adjacency::new(&scene, &levels(&scene), WIDEST_SMALL_GAP)?;
        let is_pressed = |pair: [u32; 2]| {
            let found = forces.pairs.binary_search(&pair);
            found.is_ok_and(|position| forces.of_pairs[position] > 0.0)
        };
        let is_counted = |i: usize, j: usize| {
            j > i
                && [i, j].iter().all(|&id| contacts.of(id) > 0)
                && !(packing.is_fixed(i) && packing.is_fixed(j))
                && !is_pressed([i as u32, j as u32])
        };
        let gap = |i: usize, j: usize| {
            let smaller = scene.radii[i].min(scene.radii[j]);
            scene.gap(i, j) / (2.0 * smaller)
        };
        let parts = by_task(0..scene.len(), |spheres| {
            let mut gaps = Vec::new();
            for i in spheres {
                let others = near.of(i).iter().map(|&j| j as usize);
                gaps.extend(others.filter(|&j| is_counted(i, j)).map(|j| gap(i, j)));
            }
            gaps
        });
        let mut gaps = parts.concat();
        gaps.sort_unstable_by(f64::total_cmp);
        let relative = gaps_up_to(WIDEST_SMALL_GAP, SMALL_GAP_DECADES);
        let within = |&limit: &f64| {
            let pairs = gaps.partition_point(|&gap| gap <= limit);
            2.0 * pairs as f64 / backbone.max(1) as f64
        };
        // Gaps that are not wider than those of contacts say nothing about the power law.
        let pressed = forces.pairs.iter().zip(&forces.of_pairs);
        let pressed = pressed.filter(|([i, j], force)| i < j && **force > 0.0);
        let resolution = pressed
            .map(|([i, j], _)| gap(*i as usize, *j as usize))
            .fold(0.0, f64::max);
        let range = SMALL_GAPS.start.max(RESOLVED_GAPS * resolution)..SMALL_GAPS.end;
        let mut exponent = PowerLaw::new(gaps.iter().copied(), &range, PUBLISHED);
        if let Some(law) = &mut exponent {
            law.exponent = -law.exponent;
        }
        Ok(Self {
            neighbors: relative.iter().map(within).collect(),
            relative,
            exponent,
        })
    }
}
