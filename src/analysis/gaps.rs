//! Gap distribution: how many neighbors a sphere has within a gap.

use serde::Serialize;

use super::{
    adjacency::{Adjacency, by_task},
    constants::{GAP_DECADES, GAPS_PER_DECADE, NEIGHBOR_GAP},
    scene::Scene,
};

/// The mean number of neighbors within a gap, as a function of the gap.
///
/// A relative gap is the gap of two spheres in units of the smaller of the two diameters. The function is the contact number
/// that the analysis would find with the gap as tolerance. At jamming it rises as a step, from 0 to the contact number, at gap
/// 0, and then as a power of the gap with the exponent 0.6 (Donev et al. 2005). Gaps run from 4 · 10⁻⁷ to 0.4.
///
/// # Cost
/// O(N + neighbors), on rayon's threads, beyond the search for the neighbors.
///
/// # Reference
/// A. Donev, S. Torquato & F. H. Stillinger, Pair correlation function characteristics of nearly jammed disordered and
/// ordered hard-sphere packings, Phys. Rev. E 71 (2005) 011105,
/// [doi:10.1103/PhysRevE.71.011105](https://doi.org/10.1103/PhysRevE.71.011105).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct GapDistribution {
    /// Gaps in units of the smaller diameter, in geometric progression.
    pub relative: Vec<f64>,
    /// Mean number of spheres within each gap of a sphere. Walls are not counted.
    pub neighbors: Vec<f64>,
}

/// Returns gaps in geometric progression over a number of decades, up to the widest one.
pub(super) fn gaps_up_to(widest: f64, decades: usize) -> Vec<f64> {
    let steps = GAPS_PER_DECADE * decades;
    let gap = |step: usize| {
        let decades = (step as f64 - steps as f64) / GAPS_PER_DECADE as f64;
        widest * libm::exp10(decades)
    };
    (0..=steps).map(gap).collect()
}

impl GapDistribution {
    /// Counts the gaps of all pairs, whose gaps are at most 0.4 smaller diameters.
    pub(super) fn of_neighbors(scene: &Scene, near: &Adjacency) -> Self {
        let relative = gaps_up_to(NEIGHBOR_GAP, GAP_DECADES);
        let parts = by_task(scene.own.clone(), |spheres| {
            let mut counts = vec![0_u64; relative.len()];
            for i in spheres {
                for &j in near.of(i) {
                    let j = j as usize;
                    let gap = scene.gap(i, j) / (2.0 * scene.radii[i].min(scene.radii[j]));
                    let bin = relative.partition_point(|limit| *limit < gap);
                    counts[bin.min(relative.len() - 1)] += 1;
                }
            }
            counts
        });
        let own = |bin: usize| parts.iter().map(|counts| counts[bin]).sum();
        let counts = scene.ranks.totals((0..relative.len()).map(own).collect());
        let mut neighbors = Vec::with_capacity(relative.len());
        let mut total = 0;
        for count in counts {
            total += count;
            neighbors.push(total as f64 / scene.total.max(1) as f64);
        }
        Self {
            relative,
            neighbors,
        }
    }
}
