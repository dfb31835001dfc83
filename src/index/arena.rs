//! The ids of all cells of a grid.
//!
//! Every cell owns one [`Run`]. A table from id to slot makes removals O(1).

use super::{
    entry::EntryError,
    population::Population,
    run_storage::{Run, RunStorage},
    slot_table::SlotTable,
};

/// Storage of all runs of one index. Its functions change the three parts together.
#[derive(Clone, Debug)]
pub(super) struct Arena {
    pub runs: RunStorage,
    pub slots: SlotTable,
    pub population: Population,
}

impl Arena {
    /// Creates an empty arena for an index that is built for `spheres` spheres.
    pub fn new(spheres: usize) -> Self {
        Self {
            runs: RunStorage::default(),
            slots: SlotTable::default(),
            population: Population::for_spheres(spheres),
        }
    }

    /// Returns whether the ids have doubled since the build, or freed blocks waste much memory.
    pub fn needs_rebuild(&self) -> bool {
        self.population.needs_rebuild(self.runs.slots())
    }

    /// Returns whether an id is stored in this run.
    #[inline]
    pub fn holds(&self, run: Run, id: u32) -> bool {
        self.runs.holds(run, id, &self.slots)
    }

    /// Stores a new run at the end of the arena; for bulk builds.
    ///
    /// # Panics
    /// When an id is stored already.
    pub fn append(&mut self, ids: impl ExactSizeIterator<Item = u32>) -> Run {
        let first = self.runs.slots() as u32;
        let run = self.runs.append(ids);
        for (slot, &id) in (first..).zip(self.runs.ids(run)) {
            self.slots.reach(id);
            assert!(!self.slots.contains(id), "{}", EntryError::Duplicate { id });
            self.slots.set(id, slot);
        }
        self.population.len += run.len();
        run
    }

    /// Adds an id to a run. [`SlotTable::check_new`] must accept it.
    pub fn push(&mut self, run: &mut Run, id: u32) {
        self.slots.reach(id);
        self.runs.push(run, id, &self.slots);
        self.population.len += 1;
    }

    /// Removes an id from the run that [`holds`](Self::holds) it.
    pub fn take(&mut self, run: &mut Run, id: u32) {
        self.runs.take(run, id, &self.slots);
        self.population.len -= 1;
    }

    /// Returns the memory held, in bytes.
    pub fn bytes(&self) -> usize {
        self.runs.bytes() + self.slots.bytes()
    }

    /// Checks that the given runs hold every id exactly once, that free blocks fill the rest, and that the table of slots
    /// is right.
    ///
    /// # Panics
    /// When one of these conditions does not hold.
    pub fn assert_well_formed(&self, runs: impl Iterator<Item = Run>) {
        let count = self.runs.assert_well_formed(runs, &self.slots);
        assert_eq!(count, self.population.len, "number of ids in all runs");
        assert_eq!(
            self.slots.count(),
            count,
            "number of ids in the table of slots"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::entry::Entry;

    #[test]
    fn a_long_table_accepts_its_ids_after_removals() {
        let check_new = |arena: &Arena, id| arena.slots.check_new(id, arena.population.len);
        let mut arena = Arena::new(0);
        let mut run = Run::default();
        (0..1000).for_each(|id| arena.push(&mut run, id));
        let large = Entry::id_limit(1000) - 1;
        assert_eq!(check_new(&arena, large), Ok(()));
        arena.push(&mut run, large);
        (0..1000).for_each(|id| arena.take(&mut run, id));
        arena.take(&mut run, large);
        assert_eq!(check_new(&arena, large), Ok(()));
        let limit = large + 1;
        assert_eq!(
            check_new(&arena, limit),
            Err(EntryError::IdTooLarge { id: limit, limit })
        );
    }
}
