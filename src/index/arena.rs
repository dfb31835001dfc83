//! Ids in small contiguous runs, all in one allocation.
//!
//! Every node or cell of an index owns one [`Run`]. The capacity of a run follows from its length
//! alone (1, 2, 3, 4, 6, 8, 12, 16 …), so that it need not be stored; freed blocks are kept in one
//! list for each capacity. A table from id to slot makes removals O(1).

use rayon::prelude::*;

use crate::machine::radix_sort::Keyed;

/// The slot of ids that are not stored, and what slots without one hold.
const ABSENT: u32 = u32::MAX;

/// Lengthens a large table by `count` items; by an eighth at a time where it is full, as doubling would waste memory.
pub(super) fn lengthen<T: Clone>(table: &mut Vec<T>, count: u32, item: T) {
    let count = count as usize;
    if table.capacity() - table.len() < count {
        table.reserve_exact(count.max(table.len() / 8));
    }
    table.resize(table.len() + count, item);
}

/// A node's ids: a place in the arena and a length.
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

/// Number and size of the capacity class that holds `len ≥ 1` ids.
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

/// The storage behind the runs of one index.
#[derive(Clone, Debug)]
pub(super) struct Arena {
    ids: Vec<u32>,
    /// Where each id is stored.
    slots: Vec<u32>,
    /// Starts of free blocks, by capacity class.
    free: Vec<Vec<u32>>,
    len: usize,
    /// The number of ids from which on the index should be built afresh.
    rebuild_at: usize,
}

impl Arena {
    /// An empty arena for an index that is built for so many spheres.
    pub fn new(spheres: usize) -> Self {
        Self {
            ids: Vec::new(),
            slots: Vec::new(),
            free: Vec::new(),
            len: 0,
            rebuild_at: 2 * spheres + 64,
        }
    }

    /// An arena over runs of which the lengths are given, in batches for the threads, with the runs. `members` follow each other in the
    /// order of the runs; one with the number `k` stands for the sphere `id(k)`.
    pub fn of_runs(
        lengths: &[Vec<u32>],
        members: Vec<Keyed>,
        id: impl Fn(u32) -> u32 + Sync,
    ) -> (Self, Vec<Run>) {
        let mut runs = Vec::with_capacity(lengths.iter().map(Vec::len).sum());
        let mut end = 0;
        // Where the blocks of each batch end.
        let ends: Vec<u32> = lengths
            .iter()
            .map(|batch| {
                for &len in batch {
                    runs.push(Run { start: end, len });
                    end += block(len);
                }
                end
            })
            .collect();
        let mut arena = Self::new(members.len());
        arena.len = members.len();
        arena.ids = vec![ABSENT; end as usize];
        let mut rest = (arena.ids.as_mut_slice(), members.as_slice());
        let mut start = 0;
        let rooms: Vec<(&mut [u32], &[Keyed])> = lengths
            .iter()
            .zip(ends)
            .filter_map(|(batch, end)| {
                let room = rest.0.split_off_mut(..(end - start) as usize)?;
                let members = rest.1.split_off(..batch.iter().sum::<u32>() as usize)?;
                start = end;
                Some((room, members))
            })
            .collect();
        rooms
            .into_par_iter()
            .zip(lengths)
            .for_each(|((mut room, members), batch)| {
                let mut members = members.iter();
                for &len in batch {
                    let (block, others) = room.split_at_mut(block(len) as usize);
                    for (place, keyed) in block[..len as usize].iter_mut().zip(&mut members) {
                        *place = id(keyed.number);
                    }
                    room = others;
                }
            });
        // They are larger than the slots, which need not lie beside them.
        drop(members);
        let end = arena
            .present()
            .max()
            .map_or(0, |largest| largest as usize + 1);
        arena.slots = vec![ABSENT; end];
        for (slot, &id) in (0..).zip(&arena.ids) {
            if id != ABSENT {
                arena.slots[id as usize] = slot;
            }
        }
        (arena, runs)
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are so many more ids than at the build, or freed blocks take up so much room, that the index should be
    /// built afresh.
    pub fn is_outgrown(&self) -> bool {
        self.len >= self.rebuild_at || self.ids.len() > 2 * self.len + 1024
    }

    #[inline]
    pub fn ids(&self, run: Run) -> &[u32] {
        &self.ids[run.start as usize..(run.start + run.len) as usize]
    }

    /// All ids, in the order of storage.
    pub fn present(&self) -> impl Iterator<Item = u32> + '_ {
        self.ids.iter().copied().filter(|&id| id != ABSENT)
    }

    /// A new run at the end of the arena; for bulk builds.
    pub fn append(&mut self, ids: impl ExactSizeIterator<Item = u32>) -> Run {
        let start = self.ids.len() as u32;
        let len = ids.len() as u32;
        lengthen(&mut self.ids, block(len), ABSENT);
        for (slot, id) in (start..).zip(ids) {
            self.note(id, slot);
            self.ids[slot as usize] = id;
        }
        self.len += len as usize;
        Run { start, len }
    }

    /// Notes where a new id is stored.
    fn note(&mut self, id: u32, slot: u32) {
        let id = id as usize;
        if id >= self.slots.len() {
            self.slots.resize(id + 1, ABSENT);
        }
        debug_assert_eq!(
            self.slots[id], ABSENT,
            "sphere {id} is in the index already"
        );
        self.slots[id] = slot;
    }

    pub fn push(&mut self, run: &mut Run, id: u32) {
        if run.len == 0 || class(run.len).1 == run.len {
            self.move_block(run, run.len + 1);
        }
        let slot = run.start + run.len;
        self.note(id, slot);
        self.ids[slot as usize] = id;
        run.len += 1;
        self.len += 1;
    }

    /// Takes an id out of the run it is in.
    pub fn take(&mut self, run: &mut Run, id: u32) {
        let slot = std::mem::replace(&mut self.slots[id as usize], ABSENT);
        debug_assert!(run.contains(slot), "sphere {id} is not where it should be");
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

    /// Moves a run to a block that holds `room` ids.
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
            let moved = std::mem::replace(&mut self.ids[(run.start + offset) as usize], ABSENT);
            self.ids[(start + offset) as usize] = moved;
            self.slots[moved as usize] = start + offset;
        }
        self.free_list(old_class).push(run.start);
        run.start = start;
    }

    fn allocate(&mut self, len: u32) -> u32 {
        let (class, capacity) = class(len);
        self.free_list(class).pop().unwrap_or_else(|| {
            let start = self.ids.len() as u32;
            lengthen(&mut self.ids, capacity, ABSENT);
            start
        })
    }

    pub fn bytes(&self) -> usize {
        let free: usize = self.free.iter().map(Vec::capacity).sum();
        (self.ids.capacity() + self.slots.capacity() + free) * size_of::<u32>()
    }

    /// Panics unless the runs given hold every id exactly once, free blocks fill the rest, and
    /// every id is where its slot says.
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
                assert_eq!(self.slots[id as usize], slot, "id {id}");
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
        assert_eq!(self.present().count(), self.len);
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
