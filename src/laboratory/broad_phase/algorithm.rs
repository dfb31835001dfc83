//! The interface of a broad phase algorithm.

use crate::spheres::Spheres;

/// Operations that the detection in one snapshot took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OperationCounts {
    /// Pairs of spheres that were tested.
    pub pair_tests: u64,
    /// Tested pairs whose bounding boxes overlap, so that the distance is tested too; 0 if boxes are not tested.
    pub box_overlaps: u64,
    /// Cells that were searched, empty ones too. MR counts sections of the list, BBTS cells sought in the tree, trees
    /// nodes.
    pub cell_accesses: u64,
    /// Nodes of the tree of BBTS whose cell was compared with another cell, while the tree was loaded and searched; 0 for
    /// the other algorithms.
    pub comparisons: u64,
}

impl std::ops::AddAssign for OperationCounts {
    fn add_assign(&mut self, other: Self) {
        self.pair_tests += other.pair_tests;
        self.box_overlaps += other.box_overlaps;
        self.cell_accesses += other.cell_accesses;
        self.comparisons += other.comparisons;
    }
}

/// Detection of all touching pairs, snapshot after snapshot.
///
/// A value may keep state from one snapshot to the next, to be faster when spheres move little. Its reports depend on the
/// snapshot alone: spheres may jump, change their radii, be added and be removed.
pub trait BroadPhase: Send {
    /// Reports every touching pair of the snapshot exactly once, by the two positions in the arrays, in any order.
    ///
    /// Coordinates must be finite, radii finite and at least 0; an algorithm may panic otherwise.
    fn detect(&mut self, snapshot: &Spheres, report: &mut dyn FnMut(u32, u32)) -> OperationCounts {
        self.detect_in_phases(snapshot, &mut || (), report)
    }

    /// Like [`detect`](Self::detect), and calls `sorted` between the two phases of the detection: when all spheres are
    /// sorted into the data structure, and no pair has been searched yet.
    ///
    /// [`Nbs`](super::Nbs) never calls it, because its lists of rows and of cells are built while pairs are searched. Most
    /// algorithms do not call it if no two spheres can touch.
    fn detect_in_phases(
        &mut self,
        snapshot: &Spheres,
        sorted: &mut dyn FnMut(),
        report: &mut dyn FnMut(u32, u32),
    ) -> OperationCounts;

    /// Returns the memory that the data structure holds after the last snapshot, in bytes, without the spheres
    /// themselves.
    fn bytes(&self) -> usize;
}

/// Returns the memory of a vector, in bytes.
pub(super) fn vec_bytes<T>(vec: &Vec<T>) -> usize {
    vec.capacity() * size_of::<T>()
}
