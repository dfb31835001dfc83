//! Builds an octree over many spheres at once.

use rayon::prelude::*;

use super::{
    Node, Octree,
    frame::{MAX_LEVEL, Place, Placement},
    octant,
};
use crate::{
    index::{
        Entry,
        arena::{Arena, Run, lengthen},
    },
    machine::{
        radix_sort::{Keyed, sort_by_key},
        z_order::z_order,
    },
};

/// Spheres that one job looks at.
const BATCH: usize = 1 << 14;

/// The key of a sphere that fits into no node.
const OVERSIZE: u64 = u64::MAX;

/// The spheres of successive nodes, in preorder.
#[derive(Default)]
struct Family {
    places: Vec<Place>,
    /// By node, the radius of its largest sphere.
    largest: Vec<f64>,
    /// By node, the number of its spheres.
    lengths: Vec<u32>,
}

impl<P: Placement> Octree<P> {
    /// Replaces the contents by the spheres `entry(k)` for `k` in `0..len`, and chooses the levels for them. O(N), on all threads.
    pub(super) fn fill(&mut self, len: usize, entry: impl Fn(u32) -> Entry + Sync) {
        self.free = Default::default();
        self.has_coarser = false;
        self.choose_base(len, &entry);
        self.deepest = MAX_LEVEL;

        let numbers = || (0..len as u32).into_par_iter();
        let levels = numbers().filter_map(|k| Some(self.place(&entry(k))?.level));
        let deepest = levels.max().unwrap_or(0);
        let mut keys: Vec<Keyed> = Vec::with_capacity(len);
        keys.par_extend(numbers().map(|number| {
            let place = self.place(&entry(number));
            let key = place.map_or(OVERSIZE, |place| preorder_key(place, deepest));
            Keyed { key, number }
        }));
        sort_by_key(&mut keys);
        let (stored, oversize) = keys.split_at(keys.partition_point(|keyed| keyed.key != OVERSIZE));
        if len > 0 {
            self.deepest = self.choose_deepest(stored, deepest);
        }

        let families: Vec<Family> = self
            .cut(stored, &entry)
            .into_par_iter()
            .map(|keys| self.family(keys, &entry))
            .collect();
        self.largest = [0.0; MAX_LEVEL as usize + 1];
        for family in &families {
            for (place, &largest) in family.places.iter().zip(&family.largest) {
                self.note_radius(place.level, largest);
            }
        }
        let (places, mut lengths): (Vec<Vec<Place>>, Vec<Vec<u32>>) = families
            .into_iter()
            .map(|family| (family.places, family.lengths))
            .unzip();
        lengths.push(vec![oversize.len() as u32]);
        let (arena, runs) = Arena::of_runs(&lengths, keys, |k| entry(k).id);
        self.arena = arena;
        self.oversize = runs.last().copied().unwrap_or_default();
        let groups: Vec<(Place, Run)> = places.into_iter().flatten().zip(runs).collect();
        self.link(&groups);
    }

    /// Cuts sorted spheres into pieces for the threads, between nodes.
    fn cut<'a>(
        &self,
        keys: &'a [Keyed],
        entry: &(impl Fn(u32) -> Entry + Sync),
    ) -> Vec<&'a [Keyed]> {
        let place = |at: usize| self.place(&entry(keys[at].number));
        let mut pieces = Vec::new();
        let mut start = 0;
        while start < keys.len() {
            let mut end = (start + BATCH).min(keys.len());
            while end < keys.len() && place(end - 1) == place(end) {
                end += 1;
            }
            pieces.push(&keys[start..end]);
            start = end;
        }
        pieces
    }

    fn family(&self, keys: &[Keyed], entry: &(impl Fn(u32) -> Entry + Sync)) -> Family {
        let mut family = Family::default();
        for keyed in keys {
            let entry = entry(keyed.number);
            let Some(place) = self.place(&entry) else {
                unreachable!("what fits into no node has been set aside");
            };
            if family.places.last() == Some(&place) {
                let node = family.places.len() - 1;
                family.lengths[node] += 1;
                family.largest[node] = family.largest[node].max(entry.radius);
            } else {
                family.places.push(place);
                family.lengths.push(1);
                family.largest.push(entry.radius);
            }
        }
        family
    }

    /// The nodes for groups of spheres in preorder.
    fn link(&mut self, groups: &[(Place, Run)]) {
        let roots = self.base_counts.map(|n| n as usize).iter().product();
        self.nodes.clear();
        self.nodes.resize(roots, Node::default());
        let base = self.base;
        let root_cell = |place: Place| place.cell.map(|c| c >> (place.level - base));
        for family in groups.chunk_by(|a, b| root_cell(a.0) == root_cell(b.0)) {
            let root = self.root(family[0].0);
            self.link_subtree(root, base, family);
        }
        self.nodes.shrink_to_fit();
    }

    fn link_subtree(&mut self, node: u32, level: u32, groups: &[(Place, Run)]) {
        let (own, below) = match groups {
            [(place, run), below @ ..] if place.level == level => (*run, below),
            _ => (Run::default(), groups),
        };
        let child_of = |place: Place| octant(place, level + 1);
        let families = || below.chunk_by(|a, b| child_of(a.0) == child_of(b.0));
        let children = self.nodes.len() as u32;
        let octants = families().fold(0, |mask, f| mask | 1 << child_of(f[0].0));
        self.nodes[node as usize] = Node {
            run: own,
            children: if octants == 0 { 0 } else { children },
            octants,
        };
        lengthen(&mut self.nodes, octants.count_ones(), Node::default());
        for (child, family) in (children..).zip(families()) {
            self.link_subtree(child, level + 1, family);
        }
    }

    /// The first level that can hold any of the spheres, unless its nodes outnumber them.
    fn choose_base(&mut self, len: usize, entry: &(impl Fn(u32) -> Entry + Sync)) {
        let fits = (0..len as u32)
            .into_par_iter()
            .filter_map(|k| self.placement.coarsest_level(&self.frame, entry(k).radius))
            .min();
        self.base = (0..=fits.unwrap_or(0))
            .rev()
            .find(|&level| {
                let nodes: u64 = self.frame.counts(level).map(u64::from).iter().product();
                nodes <= len as u64
            })
            .unwrap_or(0);
        self.base_counts = self.frame.counts(self.base);
    }

    /// The last level down to which nodes are few enough.
    fn choose_deepest(&self, keys: &[Keyed], deepest: u32) -> u32 {
        let mut nodes = [0usize; MAX_LEVEL as usize + 1];
        let mut previous: Option<u64> = None;
        for &Keyed { key, .. } in keys {
            let level = (key & LEVEL_MASK) as u32;
            let shared = previous.map_or(0, |before| {
                let differing = u64::BITS - ((key ^ before) >> LEVEL_BITS).leading_zeros();
                let common = deepest - differing.div_ceil(3);
                common.min((before & LEVEL_MASK) as u32) + 1
            });
            for count in &mut nodes[shared as usize..=level as usize] {
                *count += 1;
            }
            previous = Some(key);
        }
        let mut total = 0;
        let budget = self.depth.nodes(keys.len());
        let affordable = (self.base + 1..=MAX_LEVEL)
            .take_while(|&level| {
                total += nodes[level as usize];
                total <= budget
            })
            .last();
        affordable.unwrap_or(self.base)
    }
}

const LEVEL_BITS: u32 = 5;
const LEVEL_MASK: u64 = (1 << LEVEL_BITS) - 1;

/// A number that sorts places on levels down to `deepest` into preorder: parents first, subtrees together.
fn preorder_key(place: Place, deepest: u32) -> u64 {
    let first = place.cell.map(|c| c << (deepest - place.level));
    z_order(first) << LEVEL_BITS | u64::from(place.level)
}
