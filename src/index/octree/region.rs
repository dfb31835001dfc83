//! A region of an octree in memory.

use super::{node::Node, root_cube::NodeAddress};
use crate::index::{
    constants::MAX_LEVEL,
    run_storage::{RunStorage, lengthen},
    slot_table::SlotTable,
};

/// Some successive nodes of the coarsest level, all nodes below them, and the spheres in these nodes.
///
/// A region does not refer to other regions, so that each thread can build and change one of them. All regions share the table of
/// slots, in which a sphere has its slot in the storage of its region.
#[derive(Clone, Debug, Default)]
pub(super) struct Region {
    /// First the nodes of the coarsest level, then blocks of children.
    pub nodes: Vec<Node>,
    /// By number of nodes, from 1 to 8, the starts of free blocks.
    pub free: [Vec<u32>; 8],
    pub runs: RunStorage,
}

/// Numbers that only grow until the tree is built again.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Size {
    /// Number of nodes, with those in free blocks.
    pub nodes: usize,
    /// Number of slots for ids.
    pub slots: usize,
}

/// A node on the coarsest level of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Root {
    /// The coarsest level.
    pub level: u32,
    pub region: u32,
    /// Number of the node in its region.
    pub node: u32,
}

/// The numbers of a node and its ancestors in their region, by level.
type Path = [u32; MAX_LEVEL as usize + 1];

impl Region {
    /// Adds a new id to a node, which is created where it does not exist.
    pub fn insert(&mut self, root: Root, address: NodeAddress, id: u32, slots: &SlotTable) {
        let node = self.create(root, address);
        let run = &mut self.nodes[node as usize].run;
        self.runs.push(run, id, slots);
    }

    /// Removes an id from a node. Returns whether the node held it.
    #[must_use]
    pub fn remove(&mut self, root: Root, address: NodeAddress, id: u32, slots: &SlotTable) -> bool {
        let Some(path) = self.path(root, address) else {
            return false;
        };
        let run = &mut self.nodes[path[address.level as usize] as usize].run;
        if !self.runs.holds(*run, id, slots) {
            return false;
        }
        self.runs.take(run, id, slots);
        self.drop_vacant(root, address, &path);
        true
    }

    /// Returns the number of a node, and creates it and its ancestors where they do not exist.
    fn create(&mut self, root: Root, address: NodeAddress) -> u32 {
        let mut node = root.node;
        for level in root.level + 1..=address.level {
            let octant = address.octant(level);
            node = match self.nodes[node as usize].child(octant) {
                Some(child) => child,
                None => self.add_child(node, octant),
            };
        }
        node
    }

    /// Returns the numbers of a node and its ancestors; none if the node does not exist.
    fn path(&self, root: Root, address: NodeAddress) -> Option<Path> {
        let mut path = [0; MAX_LEVEL as usize + 1];
        path[root.level as usize] = root.node;
        for level in root.level + 1..=address.level {
            let parent = self.nodes[path[level as usize - 1] as usize];
            path[level as usize] = parent.child(address.octant(level))?;
        }
        Some(path)
    }

    /// Returns the first child of a node, the number of its children, and how many of them lie before an octant.
    fn children(&self, parent: u32, octant: u32) -> (u32, u32, u32) {
        let Node {
            children, octants, ..
        } = self.nodes[parent as usize];
        let before = octants & ((1 << octant) - 1);
        (children, octants.count_ones(), before.count_ones())
    }

    fn add_child(&mut self, parent: u32, octant: u32) -> u32 {
        let (old, count, before) = self.children(parent, octant);
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
        let (old, count, before) = self.children(parent, octant);
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
    fn drop_vacant(&mut self, root: Root, address: NodeAddress, path: &Path) {
        for level in (root.level + 1..=address.level).rev() {
            if !self.nodes[path[level as usize] as usize].is_vacant() {
                break;
            }
            self.drop_child(path[level as usize - 1], address.octant(level));
        }
    }

    /// Returns the number of the first node of an unused block of `count` nodes.
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

    pub fn size(&self) -> Size {
        Size {
            nodes: self.nodes.len(),
            slots: self.runs.slots(),
        }
    }

    /// Returns the memory held, in bytes.
    pub fn bytes(&self) -> usize {
        let free: usize = self.free.iter().map(Vec::capacity).sum();
        size_of::<Self>()
            + self.runs.bytes()
            + self.nodes.capacity() * size_of::<Node>()
            + free * size_of::<u32>()
    }
}
