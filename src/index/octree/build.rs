//! Bulk build of an octree.

use rayon::prelude::*;

use super::{
    node::Node,
    root_cube::{NodeAddress, RootCube},
    rule::{Depth, NodeRule},
    tree::Octree,
};
use crate::{
    container::Container,
    index::{
        arena::{Arena, Run, lengthen},
        constants::{MAX_LEVEL, SPHERES_PER_JOB},
        entry::Entry,
    },
    machine::{
        radix_sort::{Keyed, sort_by_key},
        trace::{shared, task},
        z_order::z_order,
    },
};

/// Key of a sphere that fits into no node.
const OVERSIZE: u64 = u64::MAX;

/// Bits of a key that hold the level, enough for [`MAX_LEVEL`].
const LEVEL_BITS: u32 = 5;
const LEVEL_MASK: u64 = (1 << LEVEL_BITS) - 1;

/// A number of nodes for each level.
type NodesByLevel = [usize; MAX_LEVEL as usize + 1];

/// The spheres of successive nodes, in preorder.
#[derive(Default)]
struct NodeSpheres {
    addresses: Vec<NodeAddress>,
    /// By node, the radius of its largest sphere.
    largest: Vec<f64>,
    /// By node, the number of its spheres.
    lengths: Vec<u32>,
}

impl<R: NodeRule> Octree<R> {
    /// Builds an octree over the spheres `entry(k)` for `k` in `0..len`.
    ///
    /// # Panics
    /// When a sphere is invalid or two spheres have the same id.
    pub(super) fn with_entries(
        container: &Container,
        rule: R,
        depth: Depth,
        len: usize,
        entry: impl Fn(u32) -> Entry + Sync,
    ) -> Self {
        let cube = RootCube::new(container);
        let mut tree = Self {
            rule,
            depth,
            base_nodes: cube.nodes_on(0),
            cube,
            arena: Arena::new(0),
            nodes: Vec::new(),
            free: Default::default(),
            oversize: Run::default(),
            base: 0,
            deepest: MAX_LEVEL,
            largest: [0.0; MAX_LEVEL as usize + 1],
            has_coarser: false,
        };
        tree.fill(len, Entry::id_limit(len), entry);
        tree
    }

    /// Replaces the contents by the spheres `entry(k)` for `k` in `0..len`, and chooses the levels for them. O(N), on all threads.
    ///
    /// # Panics
    /// When a sphere is invalid, two spheres have the same id, or an id is not below `id_limit`.
    pub(super) fn fill(&mut self, len: usize, id_limit: u32, entry: impl Fn(u32) -> Entry + Sync) {
        self.free = Default::default();
        self.has_coarser = false;
        self.choose_base(len, id_limit, &entry);
        self.deepest = MAX_LEVEL;

        let numbers = || (0..len as u32).into_par_iter();
        let levels = numbers().filter_map(|k| Some(self.node_of(&entry(k))?.level));
        let deepest = shared("levels of the index", || levels.max().unwrap_or(0));
        let mut keys: Vec<Keyed> = Vec::with_capacity(len);
        shared("keys of the index", || {
            keys.par_extend(numbers().map(|number| {
                let address = self.node_of(&entry(number));
                let key = address.map_or(OVERSIZE, |address| preorder_key(address, deepest));
                Keyed { key, number }
            }));
            sort_by_key(&mut keys);
        });
        let (stored, oversize) = keys.split_at(keys.partition_point(|keyed| keyed.key != OVERSIZE));
        if len > 0 {
            self.deepest = self.choose_deepest(stored, deepest);
        }

        let jobs = self.jobs(stored, &entry);
        let jobs: Vec<NodeSpheres> = shared("nodes of the index", || {
            jobs.into_par_iter()
                .map(|keys| task(|| self.node_spheres(keys, &entry)))
                .collect()
        });
        self.largest = [0.0; MAX_LEVEL as usize + 1];
        for job in &jobs {
            for (address, &largest) in job.addresses.iter().zip(&job.largest) {
                self.cover_radius(address.level, largest);
            }
        }
        let (addresses, mut lengths): (Vec<Vec<NodeAddress>>, Vec<Vec<u32>>) = jobs
            .into_iter()
            .map(|job| (job.addresses, job.lengths))
            .unzip();
        lengths.push(vec![oversize.len() as u32]);
        let (arena, runs) = Arena::of_runs(&lengths, keys, |k| entry(k).id);
        self.arena = arena;
        self.oversize = runs.last().copied().unwrap_or_default();
        let nodes: Vec<(NodeAddress, Run)> = addresses.into_iter().flatten().zip(runs).collect();
        self.link(&nodes);
    }

    /// Cuts sorted spheres into jobs for the threads, between nodes.
    fn jobs<'a>(
        &self,
        keys: &'a [Keyed],
        entry: &(impl Fn(u32) -> Entry + Sync),
    ) -> Vec<&'a [Keyed]> {
        let node = |position: usize| self.node_of(&entry(keys[position].number));
        let mut jobs = Vec::new();
        let mut start = 0;
        while start < keys.len() {
            let mut end = (start + SPHERES_PER_JOB).min(keys.len());
            while end < keys.len() && node(end - 1) == node(end) {
                end += 1;
            }
            jobs.push(&keys[start..end]);
            start = end;
        }
        jobs
    }

    /// Gathers sorted spheres by node.
    fn node_spheres(&self, keys: &[Keyed], entry: &(impl Fn(u32) -> Entry + Sync)) -> NodeSpheres {
        let mut nodes = NodeSpheres::default();
        for keyed in keys {
            let entry = entry(keyed.number);
            let Some(address) = self.node_of(&entry) else {
                unreachable!("spheres that fit into no node were separated before");
            };
            if nodes.addresses.last() == Some(&address) {
                let node = nodes.addresses.len() - 1;
                nodes.lengths[node] += 1;
                nodes.largest[node] = nodes.largest[node].max(entry.radius);
            } else {
                nodes.addresses.push(address);
                nodes.lengths.push(1);
                nodes.largest.push(entry.radius);
            }
        }
        nodes
    }

    /// Creates all nodes from the nodes that hold spheres, in preorder.
    fn link(&mut self, occupied: &[(NodeAddress, Run)]) {
        self.nodes.clear();
        self.nodes.resize(self.base_len() as usize, Node::default());
        let base = self.base;
        let root = |address: NodeAddress| address.ancestor(base);
        for subtree in occupied.chunk_by(|a, b| root(a.0) == root(b.0)) {
            let node = self.base_node(subtree[0].0);
            self.link_subtree(node, base, subtree);
        }
        self.nodes.shrink_to_fit();
    }

    fn link_subtree(&mut self, node: u32, level: u32, occupied: &[(NodeAddress, Run)]) {
        let (own, below) = match occupied {
            [(address, run), below @ ..] if address.level == level => (*run, below),
            _ => (Run::default(), occupied),
        };
        let child_of = |address: NodeAddress| address.octant(level + 1);
        let subtrees = || below.chunk_by(|a, b| child_of(a.0) == child_of(b.0));
        let children = self.nodes.len() as u32;
        let octants = subtrees().fold(0, |mask, subtree| mask | 1 << child_of(subtree[0].0));
        self.nodes[node as usize] = Node {
            run: own,
            children: if octants == 0 { 0 } else { children },
            octants,
        };
        lengthen(&mut self.nodes, octants.count_ones(), Node::default());
        for (child, subtree) in (children..).zip(subtrees()) {
            self.link_subtree(child, level + 1, subtree);
        }
    }

    /// Chooses the first level that can hold any of the spheres, or a coarser level if its nodes outnumber them.
    ///
    /// # Panics
    /// When a sphere is invalid or an id is not below `id_limit`.
    fn choose_base(&mut self, len: usize, id_limit: u32, entry: &(impl Fn(u32) -> Entry + Sync)) {
        let coarsest = |k| {
            let entry = entry(k);
            entry.assert_valid(id_limit);
            self.rule.coarsest_level(&self.cube, entry.radius)
        };
        let numbers = (0..len as u32).into_par_iter();
        let fits = numbers.filter_map(coarsest).min();
        self.base = (0..=fits.unwrap_or(0))
            .rev()
            .find(|&level| self.cube.nodes_on(level).len() <= len as u64)
            .unwrap_or(0);
        self.base_nodes = self.cube.nodes_on(self.base);
    }

    /// Returns the last level down to which the nodes are few enough.
    fn choose_deepest(&self, keys: &[Keyed], deepest: u32) -> u32 {
        let nodes = nodes_by_level(keys, deepest);
        let mut total = 0;
        let limit = self.depth.max_nodes(keys.len());
        let affordable = (self.base + 1..=MAX_LEVEL)
            .take_while(|&level| {
                total += nodes[level as usize];
                total <= limit
            })
            .last();
        affordable.unwrap_or(self.base)
    }
}

/// Returns the number of nodes on each level down to `deepest` that hold sorted spheres or lead to nodes that do.
fn nodes_by_level(keys: &[Keyed], deepest: u32) -> NodesByLevel {
    let count = |(part, own): (usize, &[Keyed])| {
        let mut nodes = NodesByLevel::default();
        let before = part.checked_sub(1).map(|_| part * SPHERES_PER_JOB - 1);
        let mut previous = before.map(|before| keys[before].key);
        for &Keyed { key, .. } in own {
            let level = (key & LEVEL_MASK) as u32;
            // The nodes from the root on that the sphere shares with the sphere before.
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
        nodes
    };
    let sum = |a: NodesByLevel, b: NodesByLevel| std::array::from_fn(|level| a[level] + b[level]);
    shared("nodes by level of the index", || {
        let parts = keys.par_chunks(SPHERES_PER_JOB).enumerate();
        parts.map(count).reduce(NodesByLevel::default, sum)
    })
}

/// Returns a number that sorts nodes on levels down to `deepest` into preorder: parents first, subtrees together.
fn preorder_key(address: NodeAddress, deepest: u32) -> u64 {
    let shift = deepest - address.level;
    let first = address.coordinates.map(|coordinate| coordinate << shift);
    z_order(first) << LEVEL_BITS | u64::from(address.level)
}
