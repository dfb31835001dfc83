//! Makes new lists from the global index, for several spheres that lie side by side at a time.
//!
//! Neighbouring spheres of about one size have nearly the same candidates. One query of the index, with a probe that holds a
//! whole group of inflated spheres, offers the candidates of them all, which are then searched for the neighbours of each member.

use std::f64::consts::PI;

use glam::DVec3;

use super::candidates::{Candidates, Probe};
use crate::{
    container::Container,
    frame::Frame,
    index::{Entry, GlobalIndex},
    instructions::Instructions,
};

/// About what a query takes, what each of its candidates adds, and what it adds once more for each member, in nanoseconds.
const QUERY: f64 = 500.0;
const CANDIDATE: f64 = 3.0;
const TEST: f64 = 0.3;

/// Looks up lists; keeps its buffers from one group to the next.
pub(super) struct Lookup<'a, F> {
    index: &'a dyn GlobalIndex,
    frame: &'a Frame,
    /// Spheres per volume.
    density: f64,
    /// Every sphere at its anchor, inflated.
    inflated: &'a F,
    candidates: Candidates,
    found: Vec<u32>,
}

/// A sphere that holds a group of inflated spheres.
#[derive(Clone, Copy)]
struct Hull {
    center: DVec3,
    radius: f64,
    /// The axis along which the group is longest.
    longest: usize,
    /// About what it costs to look up the group as a whole.
    cost: f64,
}

impl<'a, F: Fn(u32) -> Entry> Lookup<'a, F> {
    pub fn new(index: &'a dyn GlobalIndex, frame: &'a Frame, inflated: &'a F) -> Self {
        Self {
            index,
            frame,
            density: index.len() as f64 / frame.container().volume(),
            inflated,
            candidates: Candidates::new(Instructions::detect()),
            found: Vec::new(),
        }
    }

    /// Hands the sorted list of every sphere of `ids` to `visit`, in some order.
    pub fn lists_of(&mut self, ids: impl Iterator<Item = u32>, visit: &mut dyn FnMut(u32, &[u32])) {
        let mut probes: Vec<Probe> = ids
            .map(|id| {
                let Entry { center, radius, .. } = (self.inflated)(id);
                let point = self.frame.point(center, radius);
                Probe { id, point }
            })
            .collect();
        probes.sort_unstable_by_key(|probe| (octave(probe), probe.id));
        for group in probes.chunk_by_mut(|a, b| octave(a) == octave(b)) {
            let hull = self.hull(group);
            self.look_up(group, hull, visit);
        }
    }

    /// Looks up a group, halved as long as that promises to be cheaper.
    fn look_up(&mut self, group: &mut [Probe], hull: Hull, visit: &mut dyn FnMut(u32, &[u32])) {
        if group.len() > 1 {
            let middle = group.len() / 2;
            group.select_nth_unstable_by_key(middle, |probe| probe.point.at[hull.longest] as u32);
            let (low, high) = group.split_at_mut(middle);
            let (low_hull, high_hull) = (self.hull(low), self.hull(high));
            if low_hull.cost + high_hull.cost < hull.cost {
                self.look_up(low, low_hull, visit);
                self.look_up(high, high_hull, visit);
                return;
            }
        }
        self.candidates.clear();
        self.index
            .visit_candidates(hull.center, hull.radius, &mut |run| {
                self.candidates.extend(run, self.frame);
            });
        self.candidates.arrange();
        let (container, inflated) = (self.frame.container(), self.inflated);
        for &probe in &*group {
            let exactly = |other| intersect(container, inflated(probe.id), inflated(other));
            self.candidates
                .scan(self.frame, probe, exactly, &mut self.found);
            self.found.sort_unstable();
            visit(probe.id, &self.found);
        }
    }

    fn hull(&self, group: &[Probe]) -> Hull {
        let (mut low, mut high) = ([u32::MAX; 3], [0; 3]);
        let mut largest = 0f32;
        for probe in group {
            for axis in 0..3 {
                let steps = probe.point.at[axis] as u32;
                low[axis] = low[axis].min(steps);
                high[axis] = high[axis].max(steps);
            }
            largest = largest.max(probe.point.radius);
        }
        let unit = self.frame.per_length.recip();
        let low = DVec3::from_array(low.map(f64::from)) * unit;
        let high = DVec3::from_array(high.map(f64::from)) * unit;
        let extent = high - low;
        let longest = if extent.x >= extent.y.max(extent.z) {
            0
        } else if extent.y >= extent.z {
            1
        } else {
            2
        };
        // The margins are for the rounding to steps and to single precision.
        let largest = f64::from(largest) * (1.0 + 1e-6);
        let center = 0.5 * (low + high);
        let radius = 0.5 * extent.length() + largest + 4.0 * unit.max_element();
        // As if all candidates were as large as the members.
        let reach = radius + largest;
        let candidates = self.density * (4.0 / 3.0 * PI) * reach * reach * reach;
        Hull {
            center,
            radius,
            longest,
            cost: QUERY + candidates * (CANDIDATE + TEST * group.len() as f64),
        }
    }
}

fn intersect(container: &Container, a: Entry, b: Entry) -> bool {
    let reach = a.radius + b.radius;
    container.displacement(a.center, b.center).length_squared() < reach * reach
}

/// The power of two of a radius.
fn octave(probe: &Probe) -> u32 {
    probe.point.radius.to_bits() >> (f32::MANTISSA_DIGITS - 1)
}
