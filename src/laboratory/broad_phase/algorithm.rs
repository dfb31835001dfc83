//! The interface of a broad phase algorithm.

use crate::spheres::Spheres;

/// Operations that the detection in one snapshot took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OperationCounts {
    /// Distance tests between two spheres.
    pub pair_tests: u64,
    /// Cells that were searched, empty ones too. MR counts sections of the list, BBTS cells sought in the tree, trees
    /// nodes.
    pub cell_accesses: u64,
}

impl std::ops::AddAssign for OperationCounts {
    fn add_assign(&mut self, other: Self) {
        self.pair_tests += other.pair_tests;
        self.cell_accesses += other.cell_accesses;
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
    fn detect(&mut self, snapshot: &Spheres, report: &mut dyn FnMut(u32, u32)) -> OperationCounts;

    /// Returns the memory that the data structure holds after the last snapshot, in bytes, without the spheres
    /// themselves.
    fn bytes(&self) -> usize;
}

/// Returns the memory of a vector, in bytes.
pub(super) fn vec_bytes<T>(vec: &Vec<T>) -> usize {
    vec.capacity() * size_of::<T>()
}
