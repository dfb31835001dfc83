//! Divides spheres into groups that are worth one query of the index each.
//!
//! Neighbours have nearly the same candidates, so that one query may serve them all; but the wider they are spread, the more candidates
//! there are that only a few of them need. A tree halves the spheres by place and by size, and the expected numbers
//! of candidates tell which of its nodes to query for.

use std::{f64::consts::PI, ops::Range};

use glam::DVec3;

use super::candidates::Probe;
use crate::{
    container::Container,
    frame::{Frame, Point},
    index::Entry,
};

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
    /// Number and means of r, r² and r³, in 4π/3 of the volume.
    moments: [f64; 4],
}

impl Crowd {
    pub fn new(container: &Container, entries: &[Entry]) -> Self {
        let mut sums = [0.0; 4];
        for entry in entries {
            let mut power = 1.0;
            for sum in &mut sums {
                *sum += power;
                power *= entry.radius;
            }
        }
        let share = 4.0 / 3.0 * PI / container.volume();
        Self {
            moments: sums.map(|sum| share * sum),
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
    /// The place of the upper half of this group in the tree; the lower half follows the group.
    upper: usize,
    /// About what it costs to look up the members, in as many groups as is best.
    look_up: f64,
    /// About what it costs to search their common candidates.
    search: f64,
    /// Whether one query for all is best.
    is_whole: bool,
}

/// Groups, halves of groups, and so on.
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

    fn divide(&mut self, frame: &Frame, crowd: &Crowd, probes: &mut [Probe], first: usize) {
        let place = self.tree.len();
        let len = probes.len();
        let (hull, cut) = hull(frame, probes);
        let radius = f64::from(hull.radius);
        let candidates = crowd.near(radius, 1.0);
        self.tree.push(Group {
            members: first..first + len,
            hull,
            upper: 0,
            look_up: 0.0,
            search: TEST * candidates * len as f64,
            is_whole: true,
        });
        let mut apart = f64::INFINITY;
        if len > 1 {
            let middle = cut.apply(probes);
            let (low, high) = probes.split_at_mut(middle);
            self.divide(frame, crowd, low, first);
            let upper = self.tree.len();
            self.divide(frame, crowd, high, first + middle);
            let halves = [&self.tree[place + 1], &self.tree[upper]];
            apart = halves.map(|half| half.look_up).iter().sum();
            let search = halves.map(|half| TEST * candidates + half.search);
            let group = &mut self.tree[place];
            if len > FEW {
                group.search = search.iter().sum();
            }
            group.upper = upper;
        }
        let group = &mut self.tree[place];
        let together = QUERY + OFFER * crowd.near(radius, OVERREACH) + group.search;
        group.is_whole = together <= apart;
        group.look_up = together.min(apart);
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

    /// The halves of a group that is large enough to be halved before it is searched.
    pub fn halves(&self, place: usize) -> Option<[usize; 2]> {
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
    let radius = radius * (1.0 + 1e-6) + 4.0 * unit.max_element();
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
