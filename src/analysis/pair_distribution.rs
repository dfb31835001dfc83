//! The radial distribution function of an analysis: in any container, at a cost that is linear in the number of spheres.

use bytemuck::{Pod, Zeroable};
use glam::DVec3;
use serde::Serialize;

use super::{
    classes::Classes,
    constants::{FEWEST_REFERENCES, PAIR_BINS, PAIR_DIAMETERS, PARTIAL_REFERENCES, REFERENCES},
    rdf::PairSearch,
    scene::Scene,
};

/// The radial distribution function g(r) of the centers, in total and between size classes.
///
/// g(r) is the number of pairs of centers at the distance r, divided by the expected number for independent, uniformly
/// distributed points in the container: see [`RadialDistribution`](super::RadialDistribution). Distances run to 5 diameters:
/// the number mean of all spheres for the total function, and half the sum of the number means of both classes for a partial
/// function. The largest distance is at most half the shortest period.
///
/// A pair consists of a reference sphere and any other sphere. At most 100 000 spheres are references of the total function,
/// and 20 000 spheres of each partial function; their ids are evenly spaced. Walls end the space around a sphere. Therefore
/// only spheres at least as far from all walls as the largest distance are references (minus-sampling). The function is
/// absent for fewer than 30 references.
///
/// # Cost
/// O(N), on rayon's threads.
///
/// # Reference
/// M. P. Allen & D. J. Tildesley, Computer Simulation of Liquids, 2nd ed. (2017), section 8.2,
/// [doi:10.1093/oso/9780198803195.001.0001](https://doi.org/10.1093/oso/9780198803195.001.0001).
/// B. D. Ripley, Spatial Statistics (1981), chapter 8: minus-sampling.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PairDistribution {
    /// Middle of each bin, in the caller's unit.
    pub r: Vec<f64>,
    /// g(r) in each bin, without unit.
    pub g: Vec<f64>,
    /// Number of reference spheres.
    pub references: usize,
    /// The functions between size classes; empty if there is one class.
    pub partial: Vec<PartialDistribution>,
}

/// The radial distribution function between two size classes, or within one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PartialDistribution {
    /// Numbers of the two classes, the class of smaller spheres first.
    pub classes: [usize; 2],
    /// Sum of the mean radii of both classes.
    pub diameter: f64,
    /// Middle of each bin, in the caller's unit.
    pub r: Vec<f64>,
    /// g(r) in each bin, without unit.
    pub g: Vec<f64>,
    /// Number of reference spheres, which belong to the first class.
    pub references: usize,
}

impl PairDistribution {
    /// Computes the functions; absent if there are too few reference spheres.
    pub(super) fn of_classes(scene: &Scene, classes: &Classes) -> Option<Self> {
        let all: Vec<u32> = scene.own.clone().map(|id| id as u32).collect();
        let (r, g, references) = distribution(scene, [&all, &all], true, REFERENCES)?;
        let mut partial = Vec::new();
        if classes.len() > 1 {
            let member = |class: usize| {
                let own = all.iter().copied();
                own.filter(|&id| classes.of(scene.radii[id as usize]) == class)
                    .collect()
            };
            let members: Vec<Vec<u32>> = (0..classes.len()).map(member).collect();
            for b in 0..classes.len() {
                for a in 0..=b {
                    let pair = [&members[a], &members[b]].map(Vec::as_slice);
                    let found = distribution(scene, pair, a == b, PARTIAL_REFERENCES);
                    if let Some((r, g, references)) = found {
                        partial.push(PartialDistribution {
                            classes: [a, b],
                            diameter: mean_radius(scene, pair[0]) + mean_radius(scene, pair[1]),
                            r,
                            g,
                            references,
                        });
                    }
                }
            }
        }
        Some(Self {
            r,
            g,
            references,
            partial,
        })
    }
}

/// A reference sphere on any rank.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Reference {
    center: DVec3,
    /// Position among the spheres of all ranks.
    position: u64,
}

/// Returns the middles of the bins, g(r) and the number of references, which are at most `most` of the first spheres. The others are the
/// second spheres, and the same ones if `are_same`. Both are spheres of this process; each rank counts pairs of its second spheres with
/// the references of all ranks.
fn distribution(
    scene: &Scene,
    [first, second]: [&[u32]; 2],
    are_same: bool,
    most: usize,
) -> Option<(Vec<f64>, Vec<f64>, usize)> {
    let r_max = largest_distance(
        scene,
        mean_radius(scene, first) + mean_radius(scene, second),
    );
    let is_inner = |id: &&u32| {
        scene
            .container
            .wall_gap(scene.centers[**id as usize], r_max)
            >= 0.0
    };
    let inner: Vec<u32> = first.iter().filter(is_inner).copied().collect();
    let step = scene.ranks.total(inner.len()).div_ceil(most).max(1);
    let before = scene.ranks.before(inner.len());
    let offset = scene.ranks.before(scene.own.len());
    let position = |id: u32| (offset + id as usize - scene.own.start) as u64;
    let references = inner
        .into_iter()
        .skip(before.next_multiple_of(step) - before);
    let references = references.step_by(step).map(|id| Reference {
        center: scene.centers[id as usize],
        position: position(id),
    });
    let references = scene.ranks.gather(Vec::from_iter(references));
    let others = scene.ranks.total(second.len());
    let others = others.saturating_sub(usize::from(are_same));
    if references.len() < FEWEST_REFERENCES || others == 0 {
        return None;
    }
    let search = PairSearch::new(scene, r_max, PAIR_BINS);
    let grid = search.grid(second);
    let center = |reference: &Reference| reference.center;
    let is_other = |reference: &Reference, id| (reference.position != position(id)).then_some(0);
    let counts = search.histogram(&references, center, &grid, 1, is_other);
    let counts = scene.ranks.totals(counts);
    let middle = |bin: usize| r_max * (bin as f64 + 0.5) / PAIR_BINS as f64;
    let r = (0..PAIR_BINS).map(middle).collect();
    let g = search.normalized(&counts, references.len() as f64 * others as f64);
    Some((r, g, references.len()))
}

/// Returns the mean radius of spheres of all ranks, from those of this process.
fn mean_radius(scene: &Scene, ids: &[u32]) -> f64 {
    let sum = scene.sum(ids.iter().map(|&id| scene.radii[id as usize]));
    sum / scene.ranks.total(ids.len()).max(1) as f64
}

/// Returns the largest distance for spheres with this mean diameter: five diameters, but at most half the shortest period and a
/// quarter of the shortest length along an axis with walls.
fn largest_distance(scene: &Scene, diameter: f64) -> f64 {
    let lengths = scene.container.lengths();
    let limit = |axis: usize| {
        let share = if scene.container.is_periodic(axis) {
            0.5
        } else {
            0.25
        };
        share * lengths[axis]
    };
    (0..scene.dimension().number())
        .map(limit)
        .fold(PAIR_DIAMETERS * diameter, f64::min)
}
