//! The limit of compressed files.

use std::{
    cell::Cell,
    io::{self, Read},
};

use super::{
    constants::{FREE_EXPANSION, LARGEST_EXPANSION},
    error::ReadError,
};

/// The number of bytes to which the compressed parts of a file may still expand.
pub(super) struct Expansion {
    limit: u64,
    left: Cell<u64>,
}

impl Expansion {
    /// Returns the limit of a file of `size` bytes.
    pub(super) fn of_file(size: usize) -> Self {
        let limit = (size as u64)
            .saturating_mul(LARGEST_EXPANSION)
            .saturating_add(FREE_EXPANSION);
        Self {
            limit,
            left: Cell::new(limit),
        }
    }

    /// Counts bytes of expanded data.
    pub(super) fn spend(&self, bytes: u64) -> Result<(), ReadError> {
        let Some(left) = self.left.get().checked_sub(bytes) else {
            return Err(ReadError::content(format!(
                "the compressed data expand to more than {} bytes, {LARGEST_EXPANSION} times the size of the file; write the file \
                 without compression",
                self.limit
            )));
        };
        self.left.set(left);
        Ok(())
    }

    /// Appends the bytes of a decompressor to `data`, and counts them. The outer error is that of the limit.
    pub(super) fn read(
        &self,
        decoder: impl Read,
        data: &mut Vec<u8>,
    ) -> Result<io::Result<()>, ReadError> {
        let most = self.left.get().saturating_add(1);
        match decoder.take(most).read_to_end(data) {
            Ok(count) => self.spend(count as u64).map(Ok),
            Err(error) => Ok(Err(error)),
        }
    }
}
