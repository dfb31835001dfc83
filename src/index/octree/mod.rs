//! What the loose and the strict octree share: sparse nodes, storage, traversal.
//!
//! Level `l` divides a cube of the longest container side `s0` into `8^l` nodes of side `s0/2^l`;
//! only nodes that hold a sphere, or have a descendant that does, exist. In a longer box the nodes
//! outside it never come into being, so that a 100 × 1 × 1 container costs no more than its volume.
//! The children of a node lie side by side in memory.
//!
//! Two departures from a tree that starts at one root keep cost and memory proportional to the number of
//! spheres: levels coarser than the largest sphere are not walked (the nodes of the first level that can
//! hold a sphere form a dense array), and levels so fine that they would add more nodes than [`Depth`] allows are not used.

mod build;
mod frame;
mod loose;
mod query;
mod strict;

use glam::DVec3;

pub(super) use self::frame::floor_log2;
use self::frame::{Frame, MAX_LEVEL, Place, Placement};
pub use self::{
    loose::{ExpansionFactorError, LooseOctree},
    strict::StrictOctree,
};
use super::{
    Entry, GlobalIndex,
    arena::{Arena, Run, lengthen},
};
use crate::container::Container;

/// How deep a tree may go.
#[derive(Clone, Copy, Debug)]
pub(super) enum Depth {
    /// As deep as three nodes for each sphere allow, so that probes are offered few spheres.
    Deep,
    /// A node for every ten spheres at most, for probes that hold many spheres: to open a node takes as long as to test several.
    Shallow,
}

impl Depth {
    fn nodes(self, spheres: usize) -> usize {
        64 + match self {
            Self::Deep => 3 * spheres,
            Self::Shallow => spheres / 10,
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Node {
    run: Run,
    /// Index of the first child; the children follow each other in the order of their octants.
    children: u32,
    /// One bit for each octant that has a node.
    octants: u8,
}

/// The number of ones in each byte: x86-64 has no instruction for it in all machines.
static ONES: [u8; 256] = {
    let mut ones = [0; 256];
    let mut byte = 1;
    while byte < 256 {
        ones[byte] = ones[byte >> 1] + (byte & 1) as u8;
        byte += 1;
    }
    ones
};

impl Node {
    #[inline]
    fn child(self, octant: u32) -> Option<u32> {
        (self.octants >> octant & 1 == 1)
            .then(|| self.children + u32::from(ONES[(self.octants & ((1 << octant) - 1)) as usize]))
    }

    fn is_vacant(self) -> bool {
        self.octants == 0 && self.run.is_empty()
    }
}

/// The octant of a node's ancestor-or-self on `level` within that node's parent.
#[inline]
fn octant(place: Place, level: u32) -> u32 {
    let shift = place.level - level;
    let [x, y, z] = place.cell.map(|c| c >> shift & 1);
    x | y << 1 | z << 2
}

/// An octree over spheres; [`LooseOctree`](super::LooseOctree) and
/// [`StrictOctree`](super::StrictOctree) differ in the node a sphere belongs to.
#[derive(Clone, Debug)]
pub struct Octree<P> {
    placement: P,
    depth: Depth,
    frame: Frame,
    arena: Arena,
    /// First the nodes of level `base` (x fastest), then blocks of children.
    nodes: Vec<Node>,
    /// Starts of free blocks of 1 to 8 nodes.
    free: [Vec<u32>; 8],
    /// Spheres that fit into no node there is; every probe is offered them.
    oversize: Run,
    base: u32,
    base_counts: [u32; 3],
    deepest: u32,
    /// By level, the radius of the largest sphere that was ever stored there or deeper.
    largest: [f64; MAX_LEVEL as usize + 1],
    /// Whether there were spheres since the build that belong to a level above `base`.
    has_coarser: bool,
}

impl<P: Placement> Octree<P> {
    /// An octree over the spheres `entry(k)` for `k` in `0..len`, which must have different ids.
    pub(super) fn with_entries(
        container: &Container,
        placement: P,
        depth: Depth,
        len: usize,
        entry: impl Fn(u32) -> Entry + Sync,
    ) -> Self {
        let mut tree = Self {
            placement,
            depth,
            frame: Frame::new(container),
            arena: Arena::new(0),
            nodes: Vec::new(),
            free: Default::default(),
            oversize: Run::default(),
            base: 0,
            base_counts: [1; 3],
            deepest: MAX_LEVEL,
            largest: [0.0; MAX_LEVEL as usize + 1],
            has_coarser: false,
        };
        tree.fill(len, entry);
        tree
    }

    pub(super) fn place(&self, entry: &Entry) -> Option<Place> {
        let place = self.placement.place(&self.frame, entry, self.deepest);
        place.filter(|place| place.level >= self.base)
    }

    /// Takes account of a sphere that is to be stored on a level.
    fn note_radius(&mut self, level: u32, radius: f64) {
        for largest in self.largest[..=level as usize].iter_mut().rev() {
            if *largest >= radius {
                break;
            }
            *largest = radius;
        }
    }

    #[inline]
    fn root_index(&self, [x, y, z]: [u32; 3]) -> u32 {
        (z * self.base_counts[1] + y) * self.base_counts[0] + x
    }

    fn root(&self, place: Place) -> u32 {
        self.root_index(place.cell.map(|c| c >> (place.level - self.base)))
    }

    /// The node of a place, made with its ancestors where they are missing.
    fn reach(&mut self, place: Place) -> u32 {
        let mut node = self.root(place);
        for level in self.base + 1..=place.level {
            let octant = octant(place, level);
            node = match self.nodes[node as usize].child(octant) {
                Some(child) => child,
                None => self.add_child(node, octant),
            };
        }
        node
    }

    fn add_child(&mut self, parent: u32, octant: u32) -> u32 {
        let Node {
            children: old,
            octants,
            ..
        } = self.nodes[parent as usize];
        let count = octants.count_ones();
        let before = (octants & ((1 << octant) - 1)).count_ones();
        let new = self.allocate(count + 1);
        for i in 0..count {
            self.nodes[(new + i + u32::from(i >= before)) as usize] =
                self.nodes[(old + i) as usize];
        }
        self.nodes[(new + before) as usize] = Node::default();
        self.release(old, count);
        let parent = &mut self.nodes[parent as usize];
        parent.children = new;
        parent.octants |= 1 << octant;
        new + before
    }

    fn drop_child(&mut self, parent: u32, octant: u32) {
        let Node {
            children: old,
            octants,
            ..
        } = self.nodes[parent as usize];
        let count = octants.count_ones();
        let before = (octants & ((1 << octant) - 1)).count_ones();
        let new = if count > 1 {
            self.allocate(count - 1)
        } else {
            0
        };
        for i in (0..count).filter(|&i| i != before) {
            self.nodes[(new + i - u32::from(i > before)) as usize] = self.nodes[(old + i) as usize];
        }
        self.release(old, count);
        let parent = &mut self.nodes[parent as usize];
        parent.children = new;
        parent.octants &= !(1 << octant);
    }

    fn allocate(&mut self, count: u32) -> u32 {
        self.free[count as usize - 1].pop().unwrap_or_else(|| {
            let start = self.nodes.len() as u32;
            lengthen(&mut self.nodes, count, Node::default());
            start
        })
    }

    fn release(&mut self, start: u32, count: u32) {
        if count > 0 {
            self.nodes[start as usize..(start + count) as usize].fill(Node::default());
            self.free[count as usize - 1].push(start);
        }
    }
}

impl<P: Placement> GlobalIndex for Octree<P> {
    fn insert(&mut self, entry: Entry) {
        let Some(place) = self.place(&entry) else {
            let coarsest = self.placement.coarsest_level(&self.frame, entry.radius);
            self.has_coarser |= coarsest.is_some_and(|level| level < self.base);
            self.arena.push(&mut self.oversize, entry.id);
            return;
        };
        self.note_radius(place.level, entry.radius);
        let node = self.reach(place);
        let run = &mut self.nodes[node as usize].run;
        self.arena.push(run, entry.id);
    }

    fn stays(&self, from: &Entry, to: &Entry) -> bool {
        let place = self.place(to);
        place == self.place(from)
            && place.is_none_or(|place| to.radius <= self.largest[place.level as usize])
    }

    fn remove(&mut self, entry: Entry) {
        let Some(place) = self.place(&entry) else {
            self.arena.take(&mut self.oversize, entry.id);
            return;
        };
        let mut path = [0; MAX_LEVEL as usize + 1];
        path[self.base as usize] = self.root(place);
        for level in self.base + 1..=place.level {
            let parent = self.nodes[path[level as usize - 1] as usize];
            path[level as usize] = parent
                .child(octant(place, level))
                .expect("a stored sphere's node exists");
        }
        let node = path[place.level as usize];
        self.arena
            .take(&mut self.nodes[node as usize].run, entry.id);
        for level in (self.base + 1..=place.level).rev() {
            if !self.nodes[path[level as usize] as usize].is_vacant() {
                break;
            }
            self.drop_child(path[level as usize - 1], octant(place, level));
        }
    }

    fn len(&self) -> usize {
        self.arena.len()
    }

    fn visit_candidates(&self, center: DVec3, radius: f64, visit: &mut dyn FnMut(&[u32])) -> usize {
        self.query(center, radius, visit)
    }

    fn is_outgrown(&self) -> bool {
        self.has_coarser
            || self.arena.is_outgrown()
            || self.nodes.len() > 6 * self.arena.len() + 1024
    }

    fn rebuild(&mut self, sphere: &(dyn Fn(u32) -> Entry + Sync)) {
        let ids: Vec<u32> = self.arena.present().collect();
        self.arena = Arena::new(0);
        self.fill(ids.len(), |k| sphere(ids[k as usize]));
    }

    fn bytes(&self) -> usize {
        let free: usize = self.free.iter().map(Vec::capacity).sum();
        self.arena.bytes() + self.nodes.capacity() * size_of::<Node>() + free * size_of::<u32>()
    }

    /// Spheres that fit into no node count for level 0.
    fn spheres_per_level(&self) -> Vec<usize> {
        let mut counts = vec![0; self.deepest as usize + 1];
        counts[0] = self.oversize.len();
        let roots: u32 = self.base_counts.iter().product();
        let mut open: Vec<(u32, u32)> = (0..roots).map(|node| (node, self.base)).collect();
        while let Some((node, level)) = open.pop() {
            let node = self.nodes[node as usize];
            counts[level as usize] += node.run.len();
            let children = node.children..node.children + node.octants.count_ones();
            open.extend(children.map(|child| (child, level + 1)));
        }
        let used = counts.iter().rposition(|&count| count > 0);
        counts.truncate(used.map_or(0, |deepest| deepest + 1));
        counts
    }

    fn assert_well_formed(&self, sphere: &dyn Fn(u32) -> Entry) {
        let roots: u32 = self.base_counts.iter().product();
        let mut owned = vec![false; self.nodes.len()];
        owned[..roots as usize].fill(true);
        let mut own = |start: u32, count: u32| {
            for node in start..start + count {
                assert!(!owned[node as usize], "node {node} belongs to two blocks");
                owned[node as usize] = true;
            }
        };
        let mut runs = vec![self.oversize];
        let [nx, ny, nz] = self.base_counts;
        let cells =
            (0..nz).flat_map(|z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z])));
        let mut stack: Vec<(u32, Place)> = cells
            .map(|cell| {
                let level = self.base;
                (self.root_index(cell), Place { level, cell })
            })
            .collect();
        while let Some((index, place)) = stack.pop() {
            let node = self.nodes[index as usize];
            assert!(
                index < roots || !node.is_vacant(),
                "vacant node at {place:?}"
            );
            runs.push(node.run);
            for entry in self.arena.ids(node.run).iter().map(|&id| sphere(id)) {
                assert_eq!(self.place(&entry), Some(place), "{entry:?}");
                let levels = &self.largest[..=place.level as usize];
                assert!(levels.iter().all(|&radius| entry.radius <= radius));
            }
            own(node.children, node.octants.count_ones());
            for octant in (0..8).filter(|o| node.octants >> o & 1 == 1) {
                let bits = [octant & 1, octant >> 1 & 1, octant >> 2];
                let child = Place {
                    level: place.level + 1,
                    cell: [0, 1, 2].map(|axis| 2 * place.cell[axis] + bits[axis]),
                };
                stack.push((node.child(octant).unwrap(), child));
            }
        }
        for entry in self.arena.ids(self.oversize).iter().map(|&id| sphere(id)) {
            assert_eq!(self.place(&entry), None, "{entry:?}");
        }
        for (count, list) in (1..).zip(&self.free) {
            list.iter().for_each(|&start| own(start, count));
        }
        assert!(owned.iter().all(|&o| o), "a block of nodes is lost");
        self.arena.assert_well_formed(runs.into_iter());
    }
}
