//! Short rows of cells, whose spheres are tested together.

use super::constants::{COLLECTED_SPHERES, SHORT_ROW};

/// Spheres of short rows, by their positions in a cell table.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShortRows {
    positions: [u32; COLLECTED_SPHERES],
    len: usize,
}

impl ShortRows {
    pub fn new() -> Self {
        Self {
            positions: [0; COLLECTED_SPHERES],
            len: 0,
        }
    }

    /// Adds a row of at most [`SHORT_ROW`] positions, and returns whether there is no room for another row.
    #[inline]
    pub fn push(&mut self, from: u32, to: u32) -> bool {
        // Always the greatest number, so that the loop has a fixed length: the next row overwrites the surplus.
        let free = &mut self.positions[self.len..self.len + SHORT_ROW as usize];
        for (position, number) in free.iter_mut().zip(from..from + SHORT_ROW) {
            *position = number;
        }
        self.len += (to - from) as usize;
        self.len > COLLECTED_SPHERES - SHORT_ROW as usize
    }

    /// Returns the number of positions and empties the collection; [`position`](Self::position) still returns them.
    #[inline]
    pub fn take_len(&mut self) -> usize {
        std::mem::take(&mut self.len)
    }

    #[inline]
    pub fn position(&self, k: usize) -> u32 {
        self.positions[k]
    }
}
