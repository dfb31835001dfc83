//! Division of spheres into clusters that share one index query each.
//!
//! Neighboring spheres have nearly the same candidates, so that one query may serve all of them. The wider a cluster is spread,
//! the more candidates there are that only a few of its members need. A tree divides the spheres again and again, by position
//! or by size. The expected numbers of candidates decide for which of its clusters the index is queried.

use std::ops::Range;

use glam::DVec3;
use rayon::prelude::*;

use super::{
    candidates::Probe,
    constants::{
        CANDIDATE_TIME, INDEX_REACH, MARGIN, QUERY_TIME, SMALL_CLUSTER, SUM_TASK, TEST_TIME,
    },
};
use crate::{
    container::frame::{Frame, Point},
    dimension::Dimension,
    machine::parallel::Erase,
};

/// Number density of spheres by size, for the expected number of spheres near a probe.
#[derive(Clone, Copy, Debug)]
pub(super) struct Density {
    /// Coefficients of the number of spheres that would intersect a probe, as a polynomial of its radius, from the highest power on:
    /// sums of binomial coefficients and powers of r over all spheres, times the volume of the unit sphere, divided by that of the container.
    coefficients: [f64; 4],
    dimension: Dimension,
}

impl Density {
    /// Returns the density of spheres in a container of the given dimension and volume.
    pub fn new(dimension: Dimension, volume: f64, inflated: &[Point]) -> Self {
        let sums_of = |spheres: &[Point]| {
            let mut sums = [0.0; 4];
            for sphere in spheres {
                let mut power = 1.0;
                for sum in &mut sums {
                    *sum += power;
                    power *= f64::from(sphere.radius);
                }
            }
            sums
        };
        let parts: Vec<[f64; 4]> = inflated
            .par_chunks(SUM_TASK)
            .erased()
            .map(sums_of)
            .collect();
        let share = dimension.unit_sphere() / volume;
        let moment = |k: usize| share * parts.iter().map(|sums| sums[k]).sum::<f64>();
        Self {
            coefficients: match dimension {
                Dimension::Two => [0.0, moment(0), 2.0 * moment(1), moment(2)],
                Dimension::Three => [moment(0), 3.0 * moment(1), 3.0 * moment(2), moment(3)],
            },
            dimension,
        }
    }

    /// Returns the number of spheres that would intersect a probe if all had `reach` times their radius and were spread evenly.
    fn expected_near(&self, radius: f64, reach: f64) -> f64 {
        let [third, second, first, zeroth] = self.coefficients;
        let ratio = radius / reach;
        let by_reach = ((third * ratio + second) * ratio + first) * ratio + zeroth;
        by_reach * self.dimension.power(reach)
    }
}

/// Some neighboring spheres: a node of the tree.
#[derive(Debug)]
pub(super) struct Cluster {
    pub members: Range<usize>,
    /// A sphere that contains all members.
    pub bounding: Point,
    /// Index of the upper part of this cluster in the tree; the lower part follows the cluster.
    upper: usize,
    /// Whether one query for the whole cluster is best.
    is_whole: bool,
}

/// Estimated time for a cluster, in nanoseconds.
struct Time {
    /// Of the queries and searches, in the best division.
    lookup: f64,
    /// Of the search among common candidates.
    search: f64,
}

/// The clusters, their parts, and so on.
pub(super) struct ClusterTree {
    pub nodes: Vec<Cluster>,
}

/// The data that every division reads.
#[derive(Clone, Copy)]
struct Division<'a> {
    frame: &'a Frame,
    density: &'a Density,
}

impl ClusterTree {
    /// Divides spheres, of which there must be at least one. Orders them so that the members of every cluster follow each other.
    pub fn new(frame: &Frame, density: &Density, probes: &mut [Probe]) -> Self {
        let mut tree = Self {
            nodes: Vec::with_capacity(2 * probes.len() - 1),
        };
        tree.divide(Division { frame, density }, probes, 0);
        tree
    }

    fn divide(&mut self, division: Division, probes: &mut [Probe], first: usize) -> Time {
        let node = self.nodes.len();
        let len = probes.len();
        let (bounding, cut) = bounding_sphere(division.frame, probes);
        self.nodes.push(Cluster {
            members: first..first + len,
            bounding,
            upper: 0,
            is_whole: true,
        });
        let radius = f64::from(bounding.radius);
        let test_all = TEST_TIME * division.density.expected_near(radius, 1.0);
        let mut search = test_all * len as f64;
        let mut divided = f64::INFINITY;
        if len > 1 {
            let middle = cut.apply(probes);
            let (low, high) = probes.split_at_mut(middle);
            let lower = self.divide(division, low, first);
            self.nodes[node].upper = self.nodes.len();
            let upper = self.divide(division, high, first + middle);
            divided = lower.lookup + upper.lookup;
            if len > SMALL_CLUSTER {
                search = 2.0 * test_all + lower.search + upper.search;
            }
        }
        let candidates = division.density.expected_near(radius, INDEX_REACH);
        let whole = QUERY_TIME + CANDIDATE_TIME * candidates + search;
        self.nodes[node].is_whole = whole <= divided;
        Time {
            lookup: whole.min(divided),
            search,
        }
    }

    /// Returns the clusters for which the index is queried.
    pub fn wholes(&self) -> Vec<usize> {
        let mut wholes = Vec::new();
        let mut open = vec![0];
        while let Some(node) = open.pop() {
            let cluster = &self.nodes[node];
            if cluster.is_whole {
                wholes.push(node);
            } else {
                open.extend([cluster.upper, node + 1]);
            }
        }
        wholes
    }

    /// Returns the parts of a cluster that is so large that it is divided before it is searched.
    pub fn parts(&self, node: usize) -> Option<[usize; 2]> {
        let cluster = &self.nodes[node];
        (cluster.members.len() > SMALL_CLUSTER).then_some([node + 1, cluster.upper])
    }
}

/// The cut that divides a cluster.
enum Cut {
    /// At the median along an axis.
    Axis(usize),
    /// Between radii.
    Radius(f32),
}

impl Cut {
    /// Moves the lower part to the front, and returns its length.
    fn apply(self, probes: &mut [Probe]) -> usize {
        match self {
            Self::Axis(axis) => {
                let middle = probes.len() / 2;
                probes.select_nth_unstable_by_key(middle, |probe| probe.point.at[axis] as u32);
                middle
            }
            Self::Radius(limit) => {
                let mut low = 0;
                for k in 0..probes.len() {
                    if probes[k].point.radius <= limit {
                        probes.swap(k, low);
                        low += 1;
                    }
                }
                low
            }
        }
    }
}

/// Returns a sphere that contains a cluster, and the cut across the dimension, position or size, in which the cluster is
/// largest.
fn bounding_sphere(frame: &Frame, probes: &[Probe]) -> (Point, Cut) {
    let (mut low, mut high) = ([u32::MAX; 3], [0; 3]);
    let (mut smallest, mut largest) = (f32::INFINITY, 0f32);
    for Probe { point, .. } in probes {
        for axis in 0..3 {
            let steps = point.at[axis] as u32;
            low[axis] = low[axis].min(steps);
            high[axis] = high[axis].max(steps);
        }
        smallest = smallest.min(point.radius);
        largest = largest.max(point.radius);
    }
    let extent: [u32; 3] = std::array::from_fn(|axis| high[axis] - low[axis]);
    let at = std::array::from_fn(|axis| (low[axis] + extent[axis] / 2) as i32);
    let unit = frame.per_length.recip();
    let lengths = DVec3::from_array(extent.map(f64::from)) * unit;
    // The margins cover the rounding to steps and to single precision.
    let radius = 0.5 * lengths.length() + f64::from(largest);
    let radius = radius * (1.0 + 3.0 * MARGIN) + 4.0 * unit.max_element();
    let axis = lengths.max_position();
    let between = 0.5 * (smallest + largest);
    // Rounding may leave no radius above the mean.
    let cut = if lengths[axis] < f64::from(largest - smallest) && between < largest {
        Cut::Radius(between)
    } else {
        Cut::Axis(axis)
    };
    let radius = radius as f32;
    (Point { at, radius }, cut)
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::container::Container;

    #[test]
    fn bounding_spheres_contain_their_clusters_and_every_sphere_is_in_one_query() {
        let container =
            Container::cuboid(DVec3::new(3.0, 2.0, 2.0), "pwp".parse().unwrap()).unwrap();
        let frame = container.frame();
        let mut rng = Pcg64::seed_from_u64(3);
        let inflated: Vec<Point> = (0..700)
            .map(|_| {
                let center = DVec3::from_array(rng.random()) * container.lengths();
                frame.point(center, 0.003 / (0.003 + rng.random::<f64>()))
            })
            .collect();
        let density = Density::new(Dimension::Three, container.volume(), &inflated);
        let mut probes: Vec<Probe> = (0..)
            .zip(&inflated)
            .map(|(id, &point)| Probe { id, point })
            .collect();
        // Two spheres at the same position, with no number between their radii.
        probes[1] = Probe { id: 1, ..probes[0] };
        probes[1].point.radius = probes[0].point.radius.next_up();
        let tree = ClusterTree::new(&frame, &density, &mut probes);
        for cluster in &tree.nodes {
            for Probe { point, .. } in &probes[cluster.members.clone()] {
                let center = frame.center(point.at);
                let distance = center.distance(frame.center(cluster.bounding.at));
                let reach = distance + f64::from(point.radius);
                assert!(reach <= f64::from(cluster.bounding.radius));
            }
        }
        let mut members: Vec<usize> = Vec::new();
        let wholes = tree.wholes();
        assert!(wholes.len() > 1 && wholes.len() < probes.len());
        for &whole in &wholes {
            members.extend(tree.nodes[whole].members.clone());
        }
        assert!(members.into_iter().eq(0..probes.len()));
        let [lower, upper] = tree.parts(0).unwrap().map(|part| &tree.nodes[part]);
        assert_eq!((lower.members.start, upper.members.end), (0, probes.len()));
        assert_eq!(lower.members.end, upper.members.start);
    }

    #[test]
    fn expected_numbers_follow_from_volumes() {
        let container = Container::cuboid(DVec3::splat(10.0), "ppp".parse().unwrap()).unwrap();
        let frame = container.frame();
        let inflated = [0.5, 1.5].map(|radius| frame.point(DVec3::ONE, radius));
        let ball =
            |radius: f64| 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3) / container.volume();
        let density = Density::new(Dimension::Three, container.volume(), &inflated);
        let expected = ball(2.0 + 3.0 * 0.5) + ball(2.0 + 3.0 * 1.5);
        assert!((density.expected_near(2.0, 3.0) / expected - 1.0).abs() < 1e-12);
    }
}
