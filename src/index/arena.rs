//! Ids in short contiguous runs, all in one allocation.
//!
//! Every node or cell of an index owns one [`Run`]. The capacity of a run follows from its length
//! alone (1, 2, 3, 4, 6, 8, 12, 16 …), so that it need not be stored. One list per capacity keeps the
//! freed blocks. A table from id to slot makes removals O(1).

use rayon::prelude::*;

use super::{
    constants::{
        GROWTH_PART, REBUILD_GROWTH, REBUILD_SLACK_SLOTS, REBUILD_SLACK_SPHERES, SLOTS_PER_SPHERE,
    },
    entry::{Entry, EntryError},
};
use crate::machine::{
    radix_sort::Keyed,
    trace::{shared, task},
};

/// Slot of an id that is not stored, and id in an unused slot.
const ABSENT: u32 = u32::MAX;

/// Lengthens a large table by `count` items. A full table grows by an eighth.
pub(super) fn lengthen<T: Clone>(table: &mut Vec<T>, count: u32, item: T) {
    let count = count as usize;
    if table.capacity() - table.len() < count {
        table.reserve_exact(count.max(table.len() / GROWTH_PART));
    }
    table.resize(table.len() + count, item);
}

/// The ids of one node or cell: first slot in the arena and number of ids.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Run {
    start: u32,
    len: u32,
}

impl Run {
    #[inline]
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    #[inline]
    pub fn len(self) -> usize {
        self.len as usize
    }

    #[inline]
    fn contains(self, slot: u32) -> bool {
        slot.wrapping_sub(self.start) < self.len
    }
}

/// Returns number and size of the capacity class that holds `len ≥ 1` ids.
fn class(len: u32) -> (usize, u32) {
    if len <= 2 {
        return (len as usize - 1, len);
    }
    let power = (len - 1).ilog2();
    let three_halves = 3 << (power - 1);
    if len <= three_halves {
        (2 * power as usize, three_halves)
    } else {
        (2 * power as usize + 1, 2 << power)
    }
}

/// Returns the capacity of a run of `len` ids.
fn capacity(len: u32) -> u32 {
    if len == 0 { 0 } else { class(len).1 }
}

/// Storage of all runs of one index.
#[derive(Clone, Debug)]
pub(super) struct Arena {
    /// The id in each slot.
    ids: Vec<u32>,
    /// By id, its slot.
    slots: Vec<u32>,
    /// By capacity class, the first slots of free blocks.
    free: Vec<Vec<u32>>,
    /// Number of stored ids.
    len: usize,
    /// Number of stored ids from which the index needs a rebuild.
    rebuild_at: usize,
}

impl Arena {
    /// Creates an empty arena for an index that is built for `spheres` spheres.
    pub fn new(spheres: usize) -> Self {
        Self {
            ids: Vec::new(),
            slots: Vec::new(),
            free: Vec::new(),
            len: 0,
            rebuild_at: REBUILD_GROWTH * spheres + REBUILD_SLACK_SPHERES,
        }
    }

    /// Creates an arena with runs of the given lengths, and returns it with its runs. Each item of `lengths` is one job.
    ///
    /// `members` are in the order of the runs; a member with the number `k` represents the sphere `id(k)`.
    ///
    /// # Panics
    /// When an id occurs twice.
    pub fn of_runs(
        lengths: &[Vec<u32>],
        members: Vec<Keyed>,
        id: impl Fn(u32) -> u32 + Sync,
    ) -> (Self, Vec<Run>) {
        let mut runs = Vec::with_capacity(lengths.iter().map(Vec::len).sum());
        let mut end = 0;
        // End of the blocks of each job.
        let ends: Vec<u32> = lengths
            .iter()
            .map(|job| {
                for &len in job {
                    runs.push(Run { start: end, len });
                    end += capacity(len);
                }
                end
            })
            .collect();
        let mut arena = Self::new(members.len());
        arena.len = members.len();
        arena.ids = vec![ABSENT; end as usize];
        let mut rest = (arena.ids.as_mut_slice(), members.as_slice());
        let mut start = 0;
        let parts: Vec<(&mut [u32], &[Keyed])> = lengths
            .iter()
            .zip(ends)
            .filter_map(|(job, end)| {
                let blocks = rest.0.split_off_mut(..(end - start) as usize)?;
                let members = rest.1.split_off(..job.iter().sum::<u32>() as usize)?;
                start = end;
                Some((blocks, members))
            })
            .collect();
        let write = |((mut blocks, members), job): ((&mut [u32], &[Keyed]), &Vec<u32>)| {
            let mut members = members.iter();
            for &len in job {
                let (block, later) = blocks.split_at_mut(capacity(len) as usize);
                for (slot, keyed) in block[..len as usize].iter_mut().zip(&mut members) {
                    *slot = id(keyed.number);
                }
                blocks = later;
            }
        };
        shared("ids of the index", || {
            let parts = parts.into_par_iter().zip(lengths);
            parts.for_each(|part| task(|| write(part)));
        });
        // The keys take more memory than the table of slots, which is allocated next.
        drop(members);
        arena.enter_all();
        (arena, runs)
    }

    /// Writes the table of slots for the ids stored.
    fn enter_all(&mut self) {
        let largest = self.present().max();
        let table_len = largest.map_or(0, |largest| largest as usize + 1);
        self.slots = vec![ABSENT; table_len];
        for (slot, &id) in (0..).zip(&self.ids) {
            if id != ABSENT {
                let known = std::mem::replace(&mut self.slots[id as usize], slot);
                assert!(known == ABSENT, "{}", EntryError::Duplicate { id });
            }
        }
    }

    /// Returns the number of stored ids.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the ids have doubled since the build, or freed blocks waste much memory.
    pub fn needs_rebuild(&self) -> bool {
        self.len >= self.rebuild_at
            || self.ids.len() > SLOTS_PER_SPHERE * self.len + REBUILD_SLACK_SLOTS
    }

    /// Returns the ids of a run.
    #[inline]
    pub fn ids(&self, run: Run) -> &[u32] {
        &self.ids[run.start as usize..(run.start + run.len) as usize]
    }

    /// Iterates over all ids, in the order of storage.
    pub fn present(&self) -> impl Iterator<Item = u32> + '_ {
        self.ids.iter().copied().filter(|&id| id != ABSENT)
    }

    /// Returns the slot of an id, or [`ABSENT`].
    #[inline]
    fn slot(&self, id: u32) -> u32 {
        self.slots.get(id as usize).copied().unwrap_or(ABSENT)
    }

    /// Returns whether an id is stored.
    #[inline]
    pub fn contains(&self, id: u32) -> bool {
        self.slot(id) != ABSENT
    }

    /// Returns whether an id is stored in this run.
    #[inline]
    pub fn holds(&self, run: Run, id: u32) -> bool {
        run.contains(self.slot(id))
    }

    /// Checks that a new id may be stored.
    ///
    /// # Errors
    /// When the id is stored already, or too large for the table of slots.
    #[inline]
    pub fn check_new(&self, id: u32) -> Result<(), EntryError> {
        match self.slots.get(id as usize) {
            Some(&ABSENT) => Ok(()),
            Some(_) => Err(EntryError::Duplicate { id }),
            None => check_beyond_table(id, self.slots.len(), self.len),
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

    /// Stores a new run at the end of the arena; for bulk builds.
    ///
    /// # Panics
    /// When an id is stored already.
    pub fn append(&mut self, ids: impl ExactSizeIterator<Item = u32>) -> Run {
        let start = self.ids.len() as u32;
        let len = ids.len() as u32;
        lengthen(&mut self.ids, capacity(len), ABSENT);
        for (slot, id) in (start..).zip(ids) {
            self.enter(id, slot);
            self.ids[slot as usize] = id;
        }
        self.len += len as usize;
        Run { start, len }
    }

    /// Enters a new id in the table of slots.
    fn enter(&mut self, id: u32, slot: u32) {
        let position = id as usize;
        if position >= self.slots.len() {
            self.slots.resize(position + 1, ABSENT);
        }
        let known = std::mem::replace(&mut self.slots[position], slot);
        assert!(known == ABSENT, "{}", EntryError::Duplicate { id });
    }

    /// Adds an id to a run. [`check_new`](Self::check_new) must accept it.
    pub fn push(&mut self, run: &mut Run, id: u32) {
        if run.len == 0 {
            run.start = self.allocate(1);
        } else if class(run.len).1 == run.len {
            self.move_block(run, class(run.len).0, run.len + 1);
        }
        let slot = run.start + run.len;
        self.enter(id, slot);
        self.ids[slot as usize] = id;
        run.len += 1;
        self.len += 1;
    }

    /// Removes an id from the run that [`holds`](Self::holds) it.
    pub fn take(&mut self, run: &mut Run, id: u32) {
        let slot = std::mem::replace(&mut self.slots[id as usize], ABSENT);
        debug_assert!(run.contains(slot), "the run does not hold id {id}");
        let last = run.start + run.len - 1;
        if slot != last {
            let moved = self.ids[last as usize];
            self.ids[slot as usize] = moved;
            self.slots[moved as usize] = slot;
        }
        self.ids[last as usize] = ABSENT;
        self.len -= 1;
        let shorter = run.len - 1;
        if shorter == 0 {
            self.release(run.start, run.len);
            *run = Run::default();
        } else if class(shorter) != class(run.len) {
            let old_class = class(run.len).0;
            run.len = shorter;
            self.move_block(run, old_class, shorter);
        } else {
            run.len = shorter;
        }
    }

    fn release(&mut self, start: u32, len: u32) {
        self.free_list(class(len).0).push(start);
    }

    fn free_list(&mut self, class: usize) -> &mut Vec<u32> {
        if class >= self.free.len() {
            self.free.resize_with(class + 1, Vec::new);
        }
        &mut self.free[class]
    }

    /// Moves a run from a block of `old_class` to a block for `len` ids.
    fn move_block(&mut self, run: &mut Run, old_class: usize, len: u32) {
        let start = self.allocate(len);
        for offset in 0..run.len {
            let moved = std::mem::replace(&mut self.ids[(run.start + offset) as usize], ABSENT);
            self.ids[(start + offset) as usize] = moved;
            self.slots[moved as usize] = start + offset;
        }
        self.free_list(old_class).push(run.start);
        run.start = start;
    }

    /// Returns the first slot of an unused block for `len` ids.
    fn allocate(&mut self, len: u32) -> u32 {
        let (class, capacity) = class(len);
        self.free_list(class).pop().unwrap_or_else(|| {
            let start = self.ids.len() as u32;
            lengthen(&mut self.ids, capacity, ABSENT);
            start
        })
    }

    /// Returns the memory held, in bytes.
    pub fn bytes(&self) -> usize {
        let free: usize = self.free.iter().map(Vec::capacity).sum();
        (self.ids.capacity() + self.slots.capacity() + free) * size_of::<u32>()
    }

    /// Checks that the given runs hold every id exactly once, that free blocks fill the rest, and that the table of slots
    /// is right.
    ///
    /// # Panics
    /// When one of these conditions does not hold.
    pub fn assert_well_formed(&self, runs: impl Iterator<Item = Run>) {
        let mut owned = vec![false; self.ids.len()];
        let mut own = |start: u32, capacity: u32| {
            for slot in start..start + capacity {
                assert!(!owned[slot as usize], "slot {slot} belongs to two blocks");
                owned[slot as usize] = true;
            }
        };
        let mut count = 0;
        for run in runs.filter(|run| run.len > 0) {
            own(run.start, class(run.len).1);
            count += run.len as usize;
            for (slot, &id) in (run.start..).zip(self.ids(run)) {
                assert_eq!(self.slots[id as usize], slot, "slot of id {id}");
            }
        }
        for (index, list) in self.free.iter().enumerate() {
            for &start in list {
                own(start, class_capacity(index));
            }
        }
        assert!(owned.iter().all(|&o| o), "a block has no owner");
        assert_eq!(count, self.len, "number of ids in all runs");
        let entered = self.slots.iter().filter(|&&slot| slot != ABSENT).count();
        assert_eq!(entered, self.len, "number of ids in the table of slots");
        assert_eq!(self.present().count(), self.len, "number of used slots");
    }
}

/// Returns the capacity of the class with this number.
fn class_capacity(number: usize) -> u32 {
    match number {
        0 => 1,
        odd if odd % 2 == 1 => 2 << (odd / 2),
        even => 3 << (even / 2 - 1),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_the_smallest_that_hold_the_length() {
        let capacities: Vec<u32> = (1..=13).map(|len| class(len).1).collect();
        assert_eq!(capacities, [1, 2, 3, 4, 6, 6, 8, 8, 12, 12, 12, 12, 16]);
        for len in 1..10_000 {
            let (index, capacity) = class(len);
            assert!(capacity >= len && 3 * len > 2 * capacity || len <= 2);
            assert_eq!(class(capacity), (index, capacity));
            assert_eq!(class_capacity(index), capacity);
        }
    }

    #[test]
    fn a_long_table_accepts_its_ids_after_removals() {
        let mut arena = Arena::new(0);
        let mut run = Run::default();
        (0..1000).for_each(|id| arena.push(&mut run, id));
        let large = Entry::id_limit(1000) - 1;
        assert_eq!(arena.check_new(large), Ok(()));
        arena.push(&mut run, large);
        (0..1000).for_each(|id| arena.take(&mut run, id));
        arena.take(&mut run, large);
        assert_eq!(arena.check_new(large), Ok(()));
        let limit = large + 1;
        assert_eq!(
            arena.check_new(limit),
            Err(EntryError::IdTooLarge { id: limit, limit })
        );
    }
}
