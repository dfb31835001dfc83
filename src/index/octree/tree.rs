//! The nodes of an octree in memory.

use super::{
    node::Node,
    root_cube::{NodeAddress, RootCube},
    rule::{Depth, NodeRule},
};
use crate::index::{
    arena::{Arena, Run, lengthen},
    cell_grid::CellGrid,
    constants::MAX_LEVEL,
    entry::Entry,
};

/// An octree over spheres. [`LooseOctree`](crate::LooseOctree) and [`StrictOctree`](crate::StrictOctree) differ in the
/// rule `R` that assigns a node to each sphere.
#[derive(Clone, Debug)]
pub struct Octree<R> {
    pub(super) rule: R,
    pub(super) depth: Depth,
    pub(super) cube: RootCube,
    pub(super) arena: Arena,
    /// First the nodes of level `base` (x fastest), then blocks of children.
    pub(super) nodes: Vec<Node>,
    /// By number of nodes, from 1 to 8, the starts of free blocks.
    pub(super) free: [Vec<u32>; 8],
    /// Spheres that fit into no node; every probe reports them.
    pub(super) oversize: Run,
    /// Coarsest level with nodes.
    pub(super) base: u32,
    /// The nodes of level `base`.
    pub(super) base_nodes: CellGrid,
    /// Deepest level with nodes.
    pub(super) deepest: u32,
    /// By level, an upper bound of the radii stored there or deeper.
    pub(super) largest: [f64; MAX_LEVEL as usize + 1],
    /// Whether a sphere was inserted since the build that belongs to a level above `base`.
    pub(super) has_coarser: bool,
}

impl<R: NodeRule> Octree<R> {
    /// Returns the node of a sphere; none if the sphere fits into no node of this tree.
    pub(super) fn node_of(&self, entry: &Entry) -> Option<NodeAddress> {
        let address = self.rule.node(&self.cube, entry, self.deepest);
        address.filter(|address| address.level >= self.base)
    }

    /// Raises the upper bounds of the radii for a sphere that is stored on `level`.
    pub(super) fn cover_radius(&mut self, level: u32, radius: f64) {
        for largest in self.largest[..=level as usize].iter_mut().rev() {
            if *largest >= radius {
                break;
            }
            *largest = radius;
        }
    }

    /// Returns the number of nodes on level `base`.
    pub(super) fn base_len(&self) -> u32 {
        self.base_nodes.len() as u32
    }

    /// Returns the index of the ancestor on level `base`.
    pub(super) fn base_node(&self, address: NodeAddress) -> u32 {
        let coordinates = address.ancestor(self.base).map(|c| c as i32);
        self.base_nodes.number(coordinates) as u32
    }

    /// Returns the index of a node, and creates it and its ancestors where they do not exist.
    pub(super) fn create(&mut self, address: NodeAddress) -> u32 {
        let mut node = self.base_node(address);
        for level in self.base + 1..=address.level {
            let octant = address.octant(level);
            node = match self.nodes[node as usize].child(octant) {
                Some(child) => child,
                None => self.add_child(node, octant),
            };
        }
        node
    }

    /// Returns the indices of a node and its ancestors, by level from `base` on; none if the node does not exist.
    pub(super) fn path(&self, address: NodeAddress) -> Option<[u32; MAX_LEVEL as usize + 1]> {
        let mut path = [0; MAX_LEVEL as usize + 1];
        path[self.base as usize] = self.base_node(address);
        for level in self.base + 1..=address.level {
            let parent = self.nodes[path[level as usize - 1] as usize];
            path[level as usize] = parent.child(address.octant(level))?;
        }
        Some(path)
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

    /// Drops the node at the end of a [`path`](Self::path), and its ancestors, where they are vacant.
    pub(super) fn drop_vacant(
        &mut self,
        address: NodeAddress,
        path: &[u32; MAX_LEVEL as usize + 1],
    ) {
        for level in (self.base + 1..=address.level).rev() {
            if !self.nodes[path[level as usize] as usize].is_vacant() {
                break;
            }
            self.drop_child(path[level as usize - 1], address.octant(level));
        }
    }

    /// Returns the index of an unused block of `count` nodes.
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
