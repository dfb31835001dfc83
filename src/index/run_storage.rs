//! Ids in short contiguous runs, all in one allocation.
//!
//! The capacity of a run follows from its length alone (1, 2, 3, 4, 6, 8, 12, 16 …), so that it need not be stored. One list
//! per capacity keeps the freed blocks.

use super::{
    constants::GROWTH_PART,
    slot_table::{ABSENT, SlotTable},
};

/// Lengthens a large table by `count` items. A full table grows by an eighth.
pub(super) fn lengthen<T: Clone>(table: &mut Vec<T>, count: u32, item: T) {
    let count = count as usize;
    if table.capacity() - table.len() < count {
        table.reserve_exact(count.max(table.len() / GROWTH_PART));
    }
    table.resize(table.len() + count, item);
}

/// The ids of one node or cell: first slot in the storage and number of ids.
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

/// Storage of runs.
#[derive(Clone, Debug, Default)]
pub(super) struct RunStorage {
    /// The id in each slot.
    ids: Vec<u32>,
    /// By capacity class, the first slots of free blocks.
    free: Vec<Vec<u32>>,
}

impl RunStorage {
    /// Provides slots for runs of the given lengths, which are appended next.
    pub fn reserve(&mut self, lengths: impl Iterator<Item = u32>) {
        let slots: u32 = lengths.map(capacity).sum();
        self.ids.reserve_exact(slots as usize);
    }

    /// Stores a new run at the end; for bulk builds. Its ids are not in the table of slots yet.
    pub fn append(&mut self, ids: impl ExactSizeIterator<Item = u32>) -> Run {
        let start = self.ids.len() as u32;
        let len = ids.len() as u32;
        lengthen(&mut self.ids, capacity(len), ABSENT);
        for (slot, id) in self.ids[start as usize..].iter_mut().zip(ids) {
            *slot = id;
        }
        Run { start, len }
    }

    /// Returns the ids of a run.
    #[inline]
    pub fn ids(&self, run: Run) -> &[u32] {
        &self.ids[run.start as usize..(run.start + run.len) as usize]
    }

    /// Iterates over all ids and their slots, in the order of storage.
    pub fn present(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let slots = (0..).zip(&self.ids).map(|(slot, &id)| (id, slot));
        slots.filter(|&(id, _)| id != ABSENT)
    }

    /// Returns the number of slots.
    pub fn slots(&self) -> usize {
        self.ids.len()
    }

    /// Returns whether an id is stored in this run.
    #[inline]
    pub fn holds(&self, run: Run, id: u32, slots: &SlotTable) -> bool {
        let slot = slots.get(id);
        // The slot may belong to other storage that shares the table.
        run.contains(slot) && self.ids[slot as usize] == id
    }

    /// Adds a new id, for which the table of slots is long enough, to a run.
    pub fn push(&mut self, run: &mut Run, id: u32, slots: &SlotTable) {
        if run.len == 0 {
            run.start = self.allocate(1);
        } else if class(run.len).1 == run.len {
            self.move_block(run, class(run.len).0, run.len + 1, slots);
        }
        let slot = run.start + run.len;
        slots.set(id, slot);
        self.ids[slot as usize] = id;
        run.len += 1;
    }

    /// Removes an id from the run that [`holds`](Self::holds) it.
    pub fn take(&mut self, run: &mut Run, id: u32, slots: &SlotTable) {
        let slot = slots.get(id);
        slots.set(id, ABSENT);
        debug_assert!(run.contains(slot), "the run does not hold id {id}");
        let last = run.start + run.len - 1;
        if slot != last {
            let moved = self.ids[last as usize];
            self.ids[slot as usize] = moved;
            slots.set(moved, slot);
        }
        self.ids[last as usize] = ABSENT;
        let shorter = run.len - 1;
        if shorter == 0 {
            self.release(run.start, run.len);
            *run = Run::default();
        } else if class(shorter) != class(run.len) {
            let old_class = class(run.len).0;
            run.len = shorter;
            self.move_block(run, old_class, shorter, slots);
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
    fn move_block(&mut self, run: &mut Run, old_class: usize, len: u32, slots: &SlotTable) {
        let start = self.allocate(len);
        for offset in 0..run.len {
            let moved = std::mem::replace(&mut self.ids[(run.start + offset) as usize], ABSENT);
            self.ids[(start + offset) as usize] = moved;
            slots.set(moved, start + offset);
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
        (self.ids.capacity() + free) * size_of::<u32>()
    }

    /// Checks that the given runs and free blocks fill the storage, and that the table of slots is right. Returns the number of ids.
    ///
    /// # Panics
    /// When one of these conditions does not hold.
    pub fn assert_well_formed(&self, runs: impl Iterator<Item = Run>, slots: &SlotTable) -> usize {
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
                assert_eq!(slots.get(id), slot, "slot of id {id}");
            }
        }
        for (index, list) in self.free.iter().enumerate() {
            for &start in list {
                own(start, class_capacity(index));
            }
        }
        assert!(owned.iter().all(|&o| o), "a block has no owner");
        assert_eq!(self.present().count(), count, "number of used slots");
        count
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
}
