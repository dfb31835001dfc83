//! Divides spheres into groups that are worth one query of the index each.
//!
//! Neighbours have nearly the same candidates, so that one query may serve them all; but the wider they are spread, the more candidates
//! there are that only a few of them need. A tree cuts the spheres in two again and again, by place or by size, and the expected
//! numbers of candidates tell which of its groups to query for.

use std::{f64::consts::PI, ops::Range};

use glam::DVec3;
use rayon::prelude::*;

use super::{MARGIN, candidates::Probe};
use crate::container::frame::{Frame, Point};

/// About what a query takes, what each sphere that it offers adds, and what it takes to test a candidate, in nanoseconds.
const QUERY: f64 = 500.0;
const OFFER: f64 = 4.0;
const TEST: f64 = 0.3;

/// An index offers about what would intersect a probe if spheres had so many times their radius.
const OVERREACH: f64 = 3.0;

/// Members that search their candidates one by one.
const FEW: usize = 8;

/// How many spheres to expect in a place, were they spread evenly.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crowd {
    /// Sums of 1, r, r² and r³ over all spheres, times 4π/3, by the volume.
    moments: [f64; 4],
}

impl Crowd {
    pub fn new(volume: f64, inflated: &[Point]) -> Self {
        // In batches of fixed size, so that any number of threads adds up to the same bits.
        const BATCH: usize = 1 << 14;
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
        let batches: Vec<[f64; 4]> = inflated.par_chunks(BATCH).map(sums_of).collect();
        let share = 4.0 / 3.0 * PI / volume;
        let moment = |k: usize| share * batches.iter().map(|sums| sums[k]).sum::<f64>();
        Self {
            moments: std::array::from_fn(moment),
        }
    }

    /// Those that would intersect a probe if all had `reach` times their radius.
    fn near(&self, radius: f64, reach: f64) -> f64 {
        let [number, first, second, third] = self.moments;
        let over = radius / reach;
        let by_reach = ((number * over + 3.0 * first) * over + 3.0 * second) * over + third;
        by_reach * reach * reach * reach
    }
}

/// Some spheres that lie side by side.
#[derive(Debug)]
pub(super) struct Group {
    pub members: Range<usize>,
    /// A sphere that holds them all.
    pub hull: Point,
    /// The place of the upper part of this group in the tree; the lower part follows the group.
    upper: usize,
    /// Whether one query for all is best.
    is_whole: bool,
}

/// About what some spheres cost.
struct Costs {
    /// To look up, in as many groups as is best.
    look_up: f64,
    /// To search their common candidates.
    search: f64,
}

/// Groups, parts of groups, and so on.
pub(super) struct Groups {
    tree: Vec<Group>,
}

impl Groups {
    /// Divides at least one sphere. Orders them so that the members of every group follow each other.
    pub fn new(frame: &Frame, crowd: &Crowd, probes: &mut [Probe]) -> Self {
        let mut groups = Self {
            tree: Vec::with_capacity(2 * probes.len() - 1),
        };
        groups.divide(frame, crowd, probes, 0);
        groups
    }

    fn divide(
        &mut self,
        frame: &Frame,
        crowd: &Crowd,
        probes: &mut [Probe],
        first: usize,
    ) -> Costs {
        let place = self.tree.len();
        let len = probes.len();
        let (hull, cut) = hull(frame, probes);
        self.tree.push(Group {
            members: first..first + len,
            hull,
            upper: 0,
            is_whole: true,
        });
        let radius = f64::from(hull.radius);
        let test_all = TEST * crowd.near(radius, 1.0);
        let mut search = test_all * len as f64;
        let mut apart = f64::INFINITY;
        if len > 1 {
            let middle = cut.apply(probes);
            let (low, high) = probes.split_at_mut(middle);
            let lower = self.divide(frame, crowd, low, first);
            self.tree[place].upper = self.tree.len();
            let upper = self.divide(frame, crowd, high, first + middle);
            apart = lower.look_up + upper.look_up;
            if len > FEW {
                search = 2.0 * test_all + lower.search + upper.search;
            }
        }
        let together = QUERY + OFFER * crowd.near(radius, OVERREACH) + search;
        self.tree[place].is_whole = together <= apart;
        Costs {
            look_up: together.min(apart),
            search,
        }
    }

    /// The groups to query for.
    pub fn wholes(&self) -> Vec<usize> {
        let mut wholes = Vec::new();
        let mut open = vec![0];
        while let Some(place) = open.pop() {
            let group = &self.tree[place];
            if group.is_whole {
                wholes.push(place);
            } else {
                open.extend([group.upper, place + 1]);
            }
        }
        wholes
    }

    pub fn get(&self, place: usize) -> &Group {
        &self.tree[place]
    }

    /// The parts of a group that is large enough to be cut in two before it is searched.
    pub fn parts(&self, place: usize) -> Option<[usize; 2]> {
        let group = &self.tree[place];
        (group.members.len() > FEW).then_some([place + 1, group.upper])
    }
}

/// Where to cut a group in two.
enum Cut {
    /// At the median along an axis.
    Axis(usize),
    /// Between radii.
    Radius(f32),
}

impl Cut {
    /// Brings the lower part to the front, and returns its length.
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

/// A sphere that holds a group, and where to cut the group: across the dimension, of place or of size, in which it is largest.
fn hull(frame: &Frame, probes: &[Probe]) -> (Point, Cut) {
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
    // The margins are for the rounding to steps and to single precision.
    let radius = 0.5 * lengths.length() + f64::from(largest);
    let radius = radius * (1.0 + 3.0 * MARGIN) + 4.0 * unit.max_element();
    let axis = lengths.max_position();
    let between = 0.5 * (smallest + largest);
    // Rounding may leave nothing above.
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
    fn hulls_hold_their_groups_and_every_sphere_is_queried_for_once() {
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
        let crowd = Crowd::new(container.volume(), &inflated);
        let mut probes: Vec<Probe> = (0..)
            .zip(&inflated)
            .map(|(id, &point)| Probe { id, point })
            .collect();
        // Twins whose radii have no number between them.
        probes[1] = Probe { id: 1, ..probes[0] };
        probes[1].point.radius = probes[0].point.radius.next_up();
        let groups = Groups::new(&frame, &crowd, &mut probes);
        for group in &groups.tree {
            for Probe { point, .. } in &probes[group.members.clone()] {
                let center = frame.center(point.at);
                let way = center - frame.center(group.hull.at);
                assert!(way.length() + f64::from(point.radius) <= f64::from(group.hull.radius));
            }
        }
        let mut members: Vec<usize> = Vec::new();
        let wholes = groups.wholes();
        assert!(wholes.len() > 1 && wholes.len() < probes.len());
        for &whole in &wholes {
            members.extend(groups.get(whole).members.clone());
        }
        assert!(members.into_iter().eq(0..probes.len()));
        let [lower, upper] = groups.parts(0).unwrap().map(|part| groups.get(part));
        assert_eq!((lower.members.start, upper.members.end), (0, probes.len()));
        assert_eq!(lower.members.end, upper.members.start);
    }

    #[test]
    fn crowds_are_counted_as_expected() {
        let container = Container::cuboid(DVec3::splat(10.0), "ppp".parse().unwrap()).unwrap();
        let frame = container.frame();
        let inflated = [0.5, 1.5].map(|radius| frame.point(DVec3::ONE, radius));
        let ball = |radius: f64| 4.0 / 3.0 * PI * radius.powi(3) / container.volume();
        let crowd = Crowd::new(container.volume(), &inflated);
        let expected = ball(2.0 + 3.0 * 0.5) + ball(2.0 + 3.0 * 1.5);
        assert!((crowd.near(2.0, 3.0) / expected - 1.0).abs() < 1e-12);
    }
}
