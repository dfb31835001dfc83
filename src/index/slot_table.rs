//! The slot of each stored id.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

use super::entry::{Entry, EntryError};
use crate::machine::parallel::Erase;

/// Slot of an id that is not stored, and id in an unused slot.
pub(super) const ABSENT: u32 = u32::MAX;

/// By id, one more than the slot in which it is stored; 0 for an id that is not stored. It makes removals O(1).
///
/// Pages of memory without stored ids are never touched. Several threads may change the slots of different ids at the same time.
#[derive(Debug, Default)]
pub(super) struct SlotTable(Vec<AtomicU32>);

impl SlotTable {
    /// Creates a table for ids below `len`, none of which is stored.
    pub fn new(len: usize) -> Self {
        Self(bytemuck::zeroed_vec(len))
    }

    /// Returns the slot of an id, or [`ABSENT`].
    #[inline]
    pub fn get(&self, id: u32) -> u32 {
        self.0
            .get(id as usize)
            .map_or(ABSENT, |next| next.load(Relaxed).wrapping_sub(1))
    }

    /// Changes the slot of an id for which the table is long enough.
    #[inline]
    pub fn set(&self, id: u32, slot: u32) {
        self.0[id as usize].store(slot.wrapping_add(1), Relaxed);
    }

    /// Makes the table long enough for an id.
    pub fn reach(&mut self, id: u32) {
        let len = id as usize + 1;
        if len > self.0.len() {
            self.0.resize_with(len, AtomicU32::default);
        }
    }

    /// Returns whether an id is stored.
    #[inline]
    pub fn contains(&self, id: u32) -> bool {
        self.get(id) != ABSENT
    }

    /// Checks that a new id may be stored, in an index of `stored` spheres.
    ///
    /// # Errors
    /// When the id is stored already, or too large for the table.
    #[inline]
    pub fn check_new(&self, id: u32, stored: usize) -> Result<(), EntryError> {
        match self.0.get(id as usize) {
            Some(next) if next.load(Relaxed) == 0 => Ok(()),
            Some(_) => Err(EntryError::Duplicate { id }),
            None => check_beyond_table(id, self.0.len(), stored),
        }
    }

    /// Returns the error for an id that is not where its sphere belongs.
    #[cold]
    pub fn misplaced(&self, id: u32) -> EntryError {
        if self.contains(id) {
            EntryError::Mismatch { id }
        } else {
            EntryError::Unknown { id }
        }
    }

    /// Returns the number of stored ids. O(table), on all threads.
    pub fn count(&self) -> usize {
        let next = self.0.par_iter().erased();
        next.filter(|next| next.load(Relaxed) != 0).count()
    }

    /// Returns the memory held, in bytes.
    pub fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<AtomicU32>()
    }
}

impl Clone for SlotTable {
    fn clone(&self) -> Self {
        let next = self.0.iter().map(|next| next.load(Relaxed));
        Self(next.map(AtomicU32::new).collect())
    }
}

/// Checks the id of a new sphere that lies beyond a table by id of length `table_len`.
///
/// # Errors
/// When the id is not below the limit for `stored` spheres.
#[inline]
pub(super) fn check_beyond_table(
    id: u32,
    table_len: usize,
    stored: usize,
) -> Result<(), EntryError> {
    let limit = Entry::id_limit(stored);
    if id < limit {
        return Ok(());
    }
    // The table may be longer than the limit, because spheres were removed.
    let limit = limit.max(u32::try_from(table_len).unwrap_or(u32::MAX));
    Err(EntryError::IdTooLarge { id, limit })
}
