//! Entries in small contiguous runs, all in one allocation.
//!
//! Every node or cell of an index owns one [`Run`]. The capacity of a run follows from its length
//! alone (1, 2, 3, 4, 6, 8, 12, 16 …), so that it need not be stored; freed blocks are kept in one
//! list for each capacity. A table from id to slot makes in-place updates O(1).

use rayon::prelude::*;

use super::Entry;

const ABSENT: u32 = u32::MAX;

const DEAD: Entry = Entry {
    center: glam::DVec3::ZERO,
    radius: 0.0,
    id: ABSENT,
};

/// Lengthens a large table by `count` items; by an eighth at a time where it is full, as doubling would waste memory.
pub(super) fn lengthen<T: Clone>(table: &mut Vec<T>, count: u32, item: T) {
    let count = count as usize;
    if table.capacity() - table.len() < count {
        table.reserve_exact(count.max(table.len() / 8));
    }
    table.resize(table.len() + count, item);
}

/// A node's entries: a place in the arena and a length.
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
    pub fn contains(self, slot: u32) -> bool {
        slot.wrapping_sub(self.start) < self.len
    }
}

/// Number and size of the capacity class that holds `len ≥ 1` entries.
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

/// The capacity of a run.
fn block(len: u32) -> u32 {
    if len == 0 { 0 } else { class(len).1 }
}

/// Runs whose entries one thread copies, for bulk builds.
pub(super) struct Batch<'a> {
    /// By run.
    pub lengths: Vec<u32>,
    /// The spheres of all runs, one after the other, behind their keys.
    pub members: &'a [(u64, u32)],
}

/// The storage behind the runs of one index.
#[derive(Clone, Debug, Default)]
pub(super) struct Arena {
    entries: Vec<Entry>,
    /// Where each id is stored; `ABSENT` for ids that are not.
    slots: Vec<u32>,
    /// Starts of free blocks, by capacity class.
    free: Vec<Vec<u32>>,
    len: usize,
}

impl Arena {
    /// An empty arena with room for the given entries.
    pub fn for_entries(entries: &[Entry]) -> Self {
        let ids = entries.iter().map(|e| e.id as usize + 1).max().unwrap_or(0);
        Self {
            entries: Vec::with_capacity(entries.len()),
            slots: vec![ABSENT; ids],
            free: Vec::new(),
            len: 0,
        }
    }

    /// An arena over the runs of some batches, with the runs; the member `k` of a batch stands for the sphere `entry(k)`.
    pub fn of_batches(batches: &[Batch], entry: impl Fn(u32) -> Entry + Sync) -> (Self, Vec<Run>) {
        let mut runs = Vec::with_capacity(batches.iter().map(|batch| batch.lengths.len()).sum());
        let mut end = 0;
        // Where the blocks of each batch end.
        let ends: Vec<u32> = batches
            .iter()
            .map(|batch| {
                for &len in &batch.lengths {
                    runs.push(Run { start: end, len });
                    end += block(len);
                }
                end
            })
            .collect();
        let mut entries = vec![DEAD; end as usize];
        let mut rest = entries.as_mut_slice();
        let mut start = 0;
        let rooms: Vec<&mut [Entry]> = ends
            .iter()
            .filter_map(|&end| {
                let room = rest.split_off_mut(..(end - start) as usize);
                start = end;
                room
            })
            .collect();
        rooms
            .into_par_iter()
            .zip(batches)
            .for_each(|(mut room, batch)| {
                let mut members = batch.members.iter();
                for &len in &batch.lengths {
                    let (block, others) = room.split_at_mut(block(len) as usize);
                    for (place, &(_, k)) in block[..len as usize].iter_mut().zip(&mut members) {
                        *place = entry(k);
                    }
                    room = others;
                }
            });
        let ids = entries.par_iter().filter(|entry| entry.id != ABSENT);
        let ids = ids.map(|entry| entry.id as usize + 1).max().unwrap_or(0);
        let mut slots = vec![ABSENT; ids];
        for (slot, entry) in (0..).zip(&entries) {
            if entry.id != ABSENT {
                slots[entry.id as usize] = slot;
            }
        }
        let arena = Self {
            len: batches.iter().map(|batch| batch.members.len()).sum(),
            entries,
            slots,
            free: Vec::new(),
        };
        (arena, runs)
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether freed blocks take up so much room that the index should be built afresh.
    pub fn is_fragmented(&self) -> bool {
        self.entries.len() > 2 * self.len + 1024
    }

    #[inline]
    pub fn entries(&self, run: Run) -> &[Entry] {
        &self.entries[run.start as usize..(run.start + run.len) as usize]
    }

    /// The slot of an id that must be present.
    #[inline]
    pub fn slot(&self, id: u32) -> u32 {
        let slot = self.slots[id as usize];
        debug_assert_ne!(slot, ABSENT, "sphere {id} is not in the index");
        slot
    }

    #[inline]
    pub fn get(&self, slot: u32) -> Entry {
        self.entries[slot as usize]
    }

    /// Overwrites the entry in `slot` by one of the same id.
    #[inline]
    pub fn replace(&mut self, slot: u32, entry: Entry) {
        self.entries[slot as usize] = entry;
    }

    /// All entries, in the order of storage.
    pub fn iter(&self) -> impl Iterator<Item = Entry> + '_ {
        self.entries.iter().copied().filter(|e| e.id != ABSENT)
    }

    /// A new run at the end of the arena; for bulk builds.
    pub fn append(&mut self, entries: impl ExactSizeIterator<Item = Entry>) -> Run {
        let start = self.entries.len() as u32;
        let len = entries.len() as u32;
        lengthen(&mut self.entries, block(len), DEAD);
        for (slot, entry) in (start..).zip(entries) {
            self.slots[entry.id as usize] = slot;
            self.entries[slot as usize] = entry;
        }
        self.len += len as usize;
        Run { start, len }
    }

    pub fn push(&mut self, run: &mut Run, entry: Entry) {
        let id = entry.id as usize;
        if id >= self.slots.len() {
            self.slots.resize(id + 1, ABSENT);
        }
        debug_assert_eq!(
            self.slots[id], ABSENT,
            "sphere {id} is in the index already"
        );
        if run.len == 0 || class(run.len).1 == run.len {
            self.move_block(run, run.len + 1);
        }
        let slot = run.start + run.len;
        self.entries[slot as usize] = entry;
        self.slots[id] = slot;
        run.len += 1;
        self.len += 1;
    }

    /// Takes the entry in `slot` out of the run it is in.
    pub fn take(&mut self, run: &mut Run, slot: u32) {
        debug_assert!(run.contains(slot));
        self.slots[self.entries[slot as usize].id as usize] = ABSENT;
        let last = run.start + run.len - 1;
        if slot != last {
            let moved = self.entries[last as usize];
            self.entries[slot as usize] = moved;
            self.slots[moved.id as usize] = slot;
        }
        self.entries[last as usize] = DEAD;
        self.len -= 1;
        let shorter = run.len - 1;
        if shorter == 0 {
            self.release(run.start, run.len);
            *run = Run::default();
        } else if class(shorter) != class(run.len) {
            let long = *run;
            run.len = shorter;
            self.move_block_from(run, class(long.len).0, shorter);
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

    /// Moves a run to a block that holds `room` entries.
    fn move_block(&mut self, run: &mut Run, room: u32) {
        if run.len == 0 {
            run.start = self.allocate(room);
        } else {
            self.move_block_from(run, class(run.len).0, room);
        }
    }

    fn move_block_from(&mut self, run: &mut Run, old_class: usize, room: u32) {
        let start = self.allocate(room);
        for offset in 0..run.len {
            let moved = self.entries[(run.start + offset) as usize];
            self.entries[(start + offset) as usize] = moved;
            self.slots[moved.id as usize] = start + offset;
            self.entries[(run.start + offset) as usize] = DEAD;
        }
        self.free_list(old_class).push(run.start);
        run.start = start;
    }

    fn allocate(&mut self, len: u32) -> u32 {
        let (class, capacity) = class(len);
        self.free_list(class).pop().unwrap_or_else(|| {
            let start = self.entries.len() as u32;
            lengthen(&mut self.entries, capacity, DEAD);
            start
        })
    }

    pub fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
            + self.slots.capacity() * size_of::<u32>()
            + self
                .free
                .iter()
                .map(|list| list.capacity() * size_of::<u32>())
                .sum::<usize>()
    }

    /// Panics unless the runs given hold every entry exactly once, free blocks fill the rest, and
    /// every id leads to its entry.
    pub fn assert_well_formed(&self, runs: impl Iterator<Item = Run>) {
        let mut owned = vec![false; self.entries.len()];
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
            for (slot, entry) in (run.start..).zip(self.entries(run)) {
                assert_eq!(self.slots[entry.id as usize], slot, "id {}", entry.id);
            }
        }
        for (index, list) in self.free.iter().enumerate() {
            let capacity = (1..).map(class).find(|c| c.0 == index).unwrap().1;
            for &start in list {
                own(start, capacity);
            }
        }
        assert!(owned.iter().all(|&o| o), "a block is lost");
        assert_eq!(count, self.len);
        let present = self.slots.iter().filter(|&&slot| slot != ABSENT).count();
        assert_eq!(present, self.len);
        assert_eq!(self.iter().count(), self.len);
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
        }
    }
}
