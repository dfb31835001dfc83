//! Nodes of an octree.

use crate::index::run_storage::Run;

/// One node: its spheres and its children.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    pub run: Run,
    /// Index of the first child; the children follow each other in the order of their octants.
    pub children: u32,
    /// One bit for each octant that has a node.
    pub octants: u8,
}

/// Number of ones in each byte. The instructions that every x86-64 processor has do not count bits.
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
    /// Returns the index of the child in an octant, if it exists.
    #[inline]
    pub fn child(self, octant: u32) -> Option<u32> {
        (self.octants >> octant & 1 == 1)
            .then(|| self.children + u32::from(ONES[(self.octants & ((1 << octant) - 1)) as usize]))
    }

    /// Returns whether the node has neither spheres nor children.
    pub fn is_vacant(self) -> bool {
        self.octants == 0 && self.run.is_empty()
    }
}
