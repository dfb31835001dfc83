//! BBTS: a balanced binary tree over cells.

use super::{
    algorithm::{BroadPhase, OperationCounts, vec_bytes},
    lattice::{Cell, HALF_MASK, Lattice, largest_diameter},
    tester::Tester,
};
use crate::spheres::Spheres;

/// Link that leads to no node or sphere.
const NONE: u32 = u32::MAX;

/// BBTS (balanced binary tree, Schiava): a height-balanced tree with one node for each cell that is not empty.
///
/// BBTS-load puts every sphere into the node of its cell, which keeps the list of its spheres. BBTS-search visits
/// all nodes and looks up the 13 neighbors of the half contact mask in the tree. The tree is rebuilt for each snapshot.
/// Cost N log N for spheres of similar size, however large the space.
///
/// Source: Knott, SIGFIDET (1971), for the tree; Schiava D'Albano, PhD thesis (2014); Schiava D'Albano et al., Section 3.
#[derive(Clone, Debug, Default)]
pub struct Bbts {
    nodes: Vec<Node>,
    root: u32,
    next: Vec<u32>,
    /// Comparisons of cells in the present snapshot.
    comparisons: u64,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    cell: Cell,
    /// The subtrees of the cells before this one and of those after it.
    children: [u32; 2],
    height: u32,
    first: u32,
}

impl Bbts {
    fn height(&self, at: u32) -> u32 {
        self.nodes.get(at as usize).map_or(0, |node| node.height)
    }

    fn node(&mut self, at: u32) -> &mut Node {
        &mut self.nodes[at as usize]
    }

    fn update_height(&mut self, at: u32) {
        let [before, after] = self.node(at).children;
        self.node(at).height = 1 + self.height(before).max(self.height(after));
    }

    /// Loads one sphere into the subtree with the root `at` (BBTS-load); returns its new root.
    fn load(&mut self, at: u32, cell: Cell, id: u32) -> u32 {
        let Some(&node) = self.nodes.get(at as usize) else {
            self.nodes.push(Node {
                cell,
                children: [NONE; 2],
                height: 1,
                first: id,
            });
            return (self.nodes.len() - 1) as u32;
        };
        self.comparisons += 1;
        let order = cell.cmp(&node.cell);
        if order.is_eq() {
            self.next[id as usize] = node.first;
            self.node(at).first = id;
            return at;
        }
        let side = usize::from(order.is_gt());
        self.node(at).children[side] = self.load(node.children[side], cell, id);
        self.balance(at)
    }

    /// Restores the balance of a subtree after one insertion; returns its new root.
    fn balance(&mut self, at: u32) -> u32 {
        self.update_height(at);
        let children = self.node(at).children;
        let heights = children.map(|child| self.height(child));
        let high = usize::from(heights[1] > heights[0]);
        let low = 1 - high;
        if heights[high] <= heights[low] + 1 {
            return at;
        }
        let inner = self.node(children[high]).children;
        if self.height(inner[low]) > self.height(inner[high]) {
            self.node(at).children[high] = self.rotate(children[high], high);
        }
        self.rotate(at, low)
    }

    /// Moves the root of a subtree down to a side, and returns the new root, which was its child on the other side.
    fn rotate(&mut self, at: u32, side: usize) -> u32 {
        let top = self.node(at).children[1 - side];
        self.node(at).children[1 - side] = self.node(top).children[side];
        self.node(top).children[side] = at;
        self.update_height(at);
        self.update_height(top);
        top
    }

    /// Returns the first sphere of a cell, or [`NONE`], and adds to the comparisons.
    fn find(&self, cell: Cell, comparisons: &mut u64) -> u32 {
        let mut at = self.root;
        while let Some(node) = self.nodes.get(at as usize) {
            *comparisons += 1;
            let order = cell.cmp(&node.cell);
            if order.is_eq() {
                return node.first;
            }
            at = node.children[usize::from(order.is_gt())];
        }
        NONE
    }

    /// Iterates over the list that begins with `first`.
    fn list(&self, first: u32) -> impl Iterator<Item = u32> + '_ {
        let some = |id: u32| (id != NONE).then_some(id);
        std::iter::successors(some(first), move |&id| some(self.next[id as usize]))
    }
}

impl BroadPhase for Bbts {
    fn detect_in_phases(
        &mut self,
        snapshot: &Spheres,
        sorted: &mut dyn FnMut(),
        report: &mut dyn FnMut(u32, u32),
    ) -> OperationCounts {
        let mut tester = Tester::new(snapshot, report);
        let Some(size) = largest_diameter(snapshot) else {
            return tester.counts;
        };
        let lattice = Lattice::new(snapshot, size);
        self.nodes.clear();
        self.nodes.reserve_exact(snapshot.len());
        self.next.clear();
        self.next.resize(snapshot.len(), NONE);
        self.root = NONE;
        self.comparisons = 0;
        for (id, &center) in snapshot.centers().iter().enumerate() {
            self.root = self.load(self.root, lattice.cell(center), id as u32);
        }
        tester.counts.comparisons = self.comparisons;
        sorted();
        for node in &self.nodes {
            tester.counts.cell_accesses += 1;
            for i in self.list(node.first) {
                for j in self.list(self.next[i as usize]) {
                    tester.test(i, j);
                }
            }
            let [z, y, x] = node.cell;
            for ([dz, dy], [from, to]) in HALF_MASK {
                for dx in from..=to {
                    tester.counts.cell_accesses += 1;
                    let neighbor =
                        self.find([z + dz, y + dy, x + dx], &mut tester.counts.comparisons);
                    if neighbor != NONE {
                        for i in self.list(node.first) {
                            for j in self.list(neighbor) {
                                tester.test(i, j);
                            }
                        }
                    }
                }
            }
        }
        tester.counts
    }

    fn bytes(&self) -> usize {
        vec_bytes(&self.nodes) + vec_bytes(&self.next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tree_stays_balanced_and_ordered() {
        let mut tree = Bbts {
            root: NONE,
            next: vec![NONE; 5000],
            ..Bbts::default()
        };
        // Ascending order degenerates a tree without balancing; the second half is scattered.
        for id in 0..5000 {
            let x = if id < 2500 {
                id
            } else {
                2500 + id * 1009 % 5003
            };
            tree.root = tree.load(tree.root, [0, 0, x as i32], id);
        }
        let mut stack = vec![(tree.root, i32::MIN, i32::MAX)];
        let mut seen = 0;
        while let Some((at, low, high)) = stack.pop() {
            let Some(node) = tree.nodes.get(at as usize) else {
                continue;
            };
            let [l, r] = node.children.map(|child| tree.height(child));
            assert!(l.abs_diff(r) <= 1);
            assert_eq!(node.height, 1 + l.max(r));
            assert!(low < node.cell[2] && node.cell[2] < high);
            stack.push((node.children[0], low, node.cell[2]));
            stack.push((node.children[1], node.cell[2], high));
            seen += tree.list(node.first).count();
        }
        assert_eq!(seen, 5000);
    }
}
