//! Bulk build of an octree.

use std::ops::Range;

use rayon::prelude::*;

use super::{
    node::Node,
    region::{Region, Size},
    root_cube::{NodeAddress, RootCube},
    rule::{Depth, NodeRule},
    tree::{LargestRadii, Octree, cover_radius},
};
use crate::{
    container::Container,
    index::{
        constants::{MAX_LEVEL, SPHERES_PER_JOB, SPHERES_PER_REGION},
        entry::{Entry, EntryError},
        population::Population,
        run_storage::{Run, lengthen},
        slot_table::SlotTable,
    },
    machine::{
        ids::Ids,
        parallel::Erase,
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

/// Spheres sorted by region, and in a region by node, in preorder.
struct SortedSpheres {
    keys: Vec<Keyed>,
    /// Deepest level that the keys distinguish.
    deepest: u32,
    /// Bits of a key below the number of the node on the coarsest level.
    root_shift: u32,
}

impl SortedSpheres {
    /// Returns the spheres that fit into nodes, and the others.
    fn stored_and_oversize(&self) -> (&[Keyed], &[Keyed]) {
        let keys = &self.keys;
        keys.split_at(keys.partition_point(|keyed| keyed.key != OVERSIZE))
    }

    /// Returns the spheres in some successive nodes of the coarsest level.
    fn below(&self, roots: Range<u64>) -> &[Keyed] {
        let (stored, _) = self.stored_and_oversize();
        let before = |root| stored.partition_point(|keyed| keyed.key >> self.root_shift < root);
        &stored[before(roots.start)..before(roots.end)]
    }
}

impl<R: NodeRule> Octree<R> {
    /// Builds a deep octree over `entries`.
    ///
    /// # Panics
    /// When an entry is invalid or two entries have the same id.
    pub(super) fn deep(container: &Container, rule: R, entries: &[Entry]) -> Self {
        let mut tree = Self::empty(container, rule, Depth::Deep);
        let len = entries.len();
        tree.fill(len, Entry::id_limit(len), |k| entries[k as usize]);
        tree
    }

    /// Builds a shallow octree over the spheres `held`, for probes that contain many of them. If they are a part of all spheres, the ids
    /// of spheres that come later must also be below `id_limit`.
    ///
    /// # Panics
    /// When a sphere is invalid, two spheres have the same id, or an id is not below `id_limit`.
    pub(in crate::index) fn shallow(
        container: &Container,
        held: &Ids,
        id_limit: u32,
        sphere: impl Fn(u32) -> Entry + Sync,
    ) -> Self {
        let mut tree = Self::empty(container, R::default(), Depth::Shallow);
        match held {
            Ids::All(n) => tree.fill(*n as usize, Entry::id_limit(*n as usize), sphere),
            Ids::Some(ids) => {
                tree.shortest_table = id_limit as usize;
                tree.fill(ids.len(), id_limit, |k| sphere(ids[k as usize]));
            }
        }
        tree
    }

    fn empty(container: &Container, rule: R, depth: Depth) -> Self {
        let cube = RootCube::new(container);
        Self {
            rule,
            depth,
            base: 0,
            base_nodes: cube.nodes_on(0),
            cube,
            region_bits: 0,
            regions: Vec::new(),
            size: Size::default(),
            slots: SlotTable::default(),
            shortest_table: 0,
            oversize: Vec::new(),
            population: Population::default(),
            deepest: MAX_LEVEL,
            largest: LargestRadii::default(),
            has_coarser: false,
        }
    }

    /// Replaces the contents by the spheres `entry(k)` for `k` in `0..len`, and chooses the levels for them. O(N), on all threads.
    ///
    /// # Panics
    /// When a sphere is invalid, two spheres have the same id, or an id is not below `id_limit`.
    pub(super) fn fill(&mut self, len: usize, id_limit: u32, entry: impl Fn(u32) -> Entry + Sync) {
        self.regions = Vec::new();
        self.slots = SlotTable::default();
        self.has_coarser = false;
        let ids = self.choose_base(len, id_limit, &entry);
        self.deepest = MAX_LEVEL;
        let sorted = self.sort(len, &entry);
        let (stored, oversize) = sorted.stored_and_oversize();
        if len > 0 {
            self.deepest = self.choose_deepest(stored, sorted.deepest);
        }
        self.oversize = oversize
            .iter()
            .map(|keyed| entry(keyed.number).id)
            .collect();

        let roots = self.base_nodes.len();
        let roots_per_region = roots * SPHERES_PER_REGION / (len as u64).max(1);
        self.region_bits = roots_per_region.clamp(1, roots).ilog2();
        let regions = (0..roots.div_ceil(1 << self.region_bits) as usize)
            .into_par_iter()
            .erased();
        let region = |number: u64| {
            let roots = number << self.region_bits..(number + 1) << self.region_bits;
            self.region(number, sorted.below(roots), &entry)
        };
        let (regions, largest): (Vec<Region>, Vec<LargestRadii>) =
            shared("regions of the index", || {
                regions.map(|number| task(|| region(number as u64))).unzip()
            });
        self.set_regions(regions);
        self.largest = LargestRadii::default();
        largest.iter().for_each(|stored| self.cover_radii(stored));
        self.population = Population::for_spheres(len);
        self.population.len = len;
        // The keys take more memory than the table of slots, which is allocated next.
        drop(sorted);
        self.enter_all(ids.max(self.shortest_table));
    }

    /// Sorts the spheres by region and node.
    fn sort(&self, len: usize, entry: &(impl Fn(u32) -> Entry + Sync)) -> SortedSpheres {
        let numbers = || (0..len as u32).into_par_iter().erased();
        let levels = numbers().filter_map(|k| Some(self.node_of(&entry(k))?.level));
        let deepest = shared("levels of the index", || levels.max().unwrap_or(0));
        let deepest = deepest.max(self.base);
        let root_shift = 3 * (deepest - self.base) + LEVEL_BITS;
        let mut keys: Vec<Keyed> = Vec::with_capacity(len);
        shared("keys of the index", || {
            keys.par_extend(numbers().map(|number| {
                let address = self.node_of(&entry(number));
                let key = address.map_or(OVERSIZE, |address| {
                    let root = u64::from(self.root_number(address));
                    root << root_shift | self.preorder_key(address, deepest)
                });
                Keyed { key, number }
            }));
            sort_by_key(&mut keys);
        });
        SortedSpheres {
            keys,
            deepest,
            root_shift,
        }
    }

    /// Returns a number that sorts the nodes below one node of level `base`, on levels down to `deepest`, into preorder: parents first,
    /// subtrees together.
    fn preorder_key(&self, address: NodeAddress, deepest: u32) -> u64 {
        let shift = deepest - address.level;
        let below_root = (1 << (deepest - self.base)) - 1;
        let first = (address.coordinates).map(|coordinate| coordinate << shift & below_root);
        z_order(first) << LEVEL_BITS | u64::from(address.level)
    }

    /// Builds a region over its sorted spheres. Returns also their largest radii.
    fn region(
        &self,
        number: u64,
        keys: &[Keyed],
        entry: &(impl Fn(u32) -> Entry + Sync),
    ) -> (Region, LargestRadii) {
        let mut largest = LargestRadii::default();
        let mut nodes: Vec<(NodeAddress, u32)> = Vec::new();
        for keyed in keys {
            let entry = entry(keyed.number);
            let Some(address) = self.node_of(&entry) else {
                unreachable!("spheres that fit into no node were separated before");
            };
            cover_radius(&mut largest, address.level, entry.radius);
            match nodes.last_mut() {
                Some((last, spheres)) if *last == address => *spheres += 1,
                _ => nodes.push((address, 1)),
            }
        }
        let mut region = Region::default();
        (region.runs).reserve(nodes.iter().map(|&(_, spheres)| spheres));
        let mut rest = keys;
        let nodes = nodes.into_iter().map(|(address, spheres)| {
            let (members, later) = rest.split_at(spheres as usize);
            rest = later;
            let ids = members.iter().map(|keyed| entry(keyed.number).id);
            (address, region.runs.append(ids))
        });
        let occupied: Vec<(NodeAddress, Run)> = nodes.collect();
        let roots = self.roots_in(number as usize) as usize;
        region.nodes.resize(roots, Node::default());
        let root = |address: NodeAddress| self.root(address);
        for subtree in occupied.chunk_by(|a, b| root(a.0) == root(b.0)) {
            region.link(root(subtree[0].0).node, self.base, subtree);
        }
        region.nodes.shrink_to_fit();
        (region, largest)
    }

    /// Writes the table of slots, for ids below `len`, of the spheres stored.
    ///
    /// # Panics
    /// When two spheres have the same id.
    fn enter_all(&mut self, len: usize) {
        let (slots, count) = shared("slots of the index", || {
            let slots = SlotTable::new(len);
            (self.regions.par_iter().erased()).for_each(|region| {
                (region.runs.present()).for_each(|(id, slot)| slots.set(id, slot));
            });
            for (slot, &id) in (0..).zip(&self.oversize) {
                slots.set(id, slot);
            }
            let count = slots.count();
            (slots, count)
        });
        self.slots = slots;
        if count < self.population.len {
            let mut ids: Vec<u32> = self.present().collect();
            ids.sort_unstable();
            let equal = ids.windows(2).find(|pair| pair[0] == pair[1]);
            let id = equal.map_or(0, |pair| pair[0]);
            panic!("{}", EntryError::Duplicate { id });
        }
    }

    /// Chooses the first level that can hold any of the spheres, or a coarser level if its nodes outnumber them. Returns the smallest
    /// number that no id reaches.
    ///
    /// # Panics
    /// When a sphere is invalid or an id is not below `id_limit`.
    fn choose_base(
        &mut self,
        len: usize,
        id_limit: u32,
        entry: &(impl Fn(u32) -> Entry + Sync),
    ) -> usize {
        let of_sphere = |k| {
            let entry = entry(k);
            entry.assert_valid(id_limit);
            let level = self.rule.coarsest_level(&self.cube, entry.radius);
            (level.unwrap_or(u32::MAX), entry.id as usize + 1)
        };
        let numbers = (0..len as u32).into_par_iter().erased();
        let (coarsest, ids) = shared("levels of the index", || {
            numbers
                .map(of_sphere)
                .reduce(|| (u32::MAX, 0), |a, b| (a.0.min(b.0), a.1.max(b.1)))
        });
        let coarsest = if coarsest == u32::MAX { 0 } else { coarsest };
        self.base = (0..=coarsest)
            .rev()
            .find(|&level| self.cube.nodes_on(level).len() <= len as u64)
            .unwrap_or(0);
        self.base_nodes = self.cube.nodes_on(self.base);
        ids
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

impl Region {
    /// Creates `node`, which is on `level`, and the nodes below it. `occupied` are the nodes with spheres, in preorder.
    fn link(&mut self, node: u32, level: u32, occupied: &[(NodeAddress, Run)]) {
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
            self.link(child, level + 1, subtree);
        }
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
        let parts = keys.par_chunks(SPHERES_PER_JOB).enumerate().erased();
        parts.map(count).reduce(NodesByLevel::default, sum)
    })
}
