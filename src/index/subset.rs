//! A global index of some of the spheres, whose numbers may have any gaps.

use glam::DVec3;

use super::{
    entry::{Entry, EntryError},
    global_index::GlobalIndex,
};

/// Candidates that are reported at once.
const AT_ONCE: usize = 64;

/// A global index that numbers its spheres without gaps for another index.
pub(crate) struct Subset {
    index: Box<dyn GlobalIndex>,
    /// By slot, the id of the sphere.
    ids: Vec<u32>,
    /// By id, one more than the slot of the sphere; 0 for a sphere that is not stored. Pages of memory without stored spheres are
    /// never touched.
    slots: Vec<u32>,
    /// Slots without a sphere.
    free: Vec<u32>,
}

impl Subset {
    /// Returns the spheres `ids`, all below `id_limit`, which `index` holds under the numbers from 0 on.
    pub fn new(index: Box<dyn GlobalIndex>, ids: &[u32], id_limit: u32) -> Self {
        let mut slots = vec![0; id_limit as usize];
        for (slot, &id) in (1..).zip(ids) {
            slots[id as usize] = slot;
        }
        Self {
            index,
            ids: ids.to_vec(),
            slots,
            free: Vec::new(),
        }
    }

    /// Returns the slot of a stored sphere.
    fn slot(&self, id: u32) -> Result<u32, EntryError> {
        let slot = self.slots.get(id as usize).copied().unwrap_or(0);
        slot.checked_sub(1).ok_or(EntryError::Unknown { id })
    }
}

impl GlobalIndex for Subset {
    fn insert(&mut self, entry: Entry) -> Result<(), EntryError> {
        entry.check()?;
        let id = entry.id;
        if self.contains(id) {
            return Err(EntryError::Duplicate { id });
        }
        let limit = self.slots.len() as u32;
        let place = self.slots.get_mut(id as usize);
        let place = place.ok_or(EntryError::IdTooLarge { id, limit })?;
        let slot = self.free.last().copied().unwrap_or(self.ids.len() as u32);
        self.index.insert(Entry { id: slot, ..entry })?;
        *place = slot + 1;
        if self.free.pop().is_some() {
            self.ids[slot as usize] = id;
        } else {
            self.ids.push(id);
        }
        Ok(())
    }

    fn relocate(&mut self, from: Entry, to: Entry) -> Result<(), EntryError> {
        let id = self.slot(from.id)?;
        let from = Entry { id, ..from };
        let id = self.slot(to.id)?;
        self.index.relocate(from, Entry { id, ..to })
    }

    fn relocate_all(&mut self, count: u32, entries: &(dyn Fn(u32) -> (Entry, Entry) + Sync)) {
        let slots = &self.slots;
        self.index.relocate_all(count, &|k| {
            let (from, to) = entries(k);
            // Without a slot, the id is larger than any.
            let id = slots[from.id as usize].wrapping_sub(1);
            (Entry { id, ..from }, Entry { id, ..to })
        });
    }

    fn would_change(&self, from: &Entry, to: &Entry) -> bool {
        let Ok(id) = self.slot(from.id) else {
            return true;
        };
        let (from, to) = (Entry { id, ..*from }, Entry { id, ..*to });
        self.index.would_change(&from, &to)
    }

    fn remove(&mut self, entry: Entry) -> Result<(), EntryError> {
        let slot = self.slot(entry.id)?;
        self.index.remove(Entry { id: slot, ..entry })?;
        self.slots[entry.id as usize] = 0;
        self.free.push(slot);
        Ok(())
    }

    fn contains(&self, id: u32) -> bool {
        self.slot(id).is_ok()
    }

    fn len(&self) -> usize {
        self.index.len()
    }

    fn visit_candidates(&self, center: DVec3, radius: f64, visit: &mut dyn FnMut(&[u32])) -> usize {
        let mut found = [0; AT_ONCE];
        self.index.visit_candidates(center, radius, &mut |slots| {
            for slots in slots.chunks(AT_ONCE) {
                for (id, &slot) in found.iter_mut().zip(slots) {
                    *id = self.ids[slot as usize];
                }
                visit(&found[..slots.len()]);
            }
        })
    }

    fn needs_rebuild(&self) -> bool {
        self.index.needs_rebuild()
    }

    fn rebuild(&mut self, sphere: &(dyn Fn(u32) -> Entry + Sync)) {
        let ids = &self.ids;
        self.index.rebuild(&|slot| Entry {
            id: slot,
            ..sphere(ids[slot as usize])
        });
    }

    fn bytes(&self) -> usize {
        let numbers = self.ids.capacity() + self.free.capacity() + self.ids.len();
        self.index.bytes() + numbers * size_of::<u32>()
    }

    fn spheres_per_level(&self) -> Vec<usize> {
        self.index.spheres_per_level()
    }

    fn assert_well_formed(&self, sphere: &dyn Fn(u32) -> Entry) {
        self.index.assert_well_formed(&|slot| Entry {
            id: slot,
            ..sphere(self.ids[slot as usize])
        });
        for (slot, &id) in (0..).zip(&self.ids) {
            let is_free = self.free.contains(&slot);
            assert_eq!(self.slot(id) == Ok(slot), !is_free, "slot {slot}");
        }
    }
}
