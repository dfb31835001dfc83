//! A global index of some of the spheres, whose numbers may have any gaps.

use glam::DVec3;

use super::{
    builder::IndexBuilder,
    entry::{Entry, EntryError},
    global_index::GlobalIndex,
};
use crate::container::Container;

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
    /// Builds an index over the spheres `ids`, all below `limit`, for probes that contain many spheres each. `sphere` returns the
    /// entry of an id.
    pub fn build_for_clusters(
        builder: &dyn IndexBuilder,
        container: &Container,
        ids: &[u32],
        limit: usize,
        sphere: &(dyn Fn(u32) -> Entry + Sync),
    ) -> Self {
        let index = builder.build_for_clusters(container, ids.len(), &|slot| Entry {
            id: slot,
            ..sphere(ids[slot as usize])
        });
        let mut slots = vec![0; limit];
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
        let [from_slot, to_slot] = [self.slot(from.id)?, self.slot(to.id)?];
        let (from, to) = (
            Entry {
                id: from_slot,
                ..from
            },
            Entry { id: to_slot, ..to },
        );
        self.index.relocate(from, to)
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

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::index::IndexKind;

    const LIMIT: u32 = 3000;

    fn random_entry(id: u32, rng: &mut Pcg64) -> Entry {
        Entry {
            center: DVec3::from_array(rng.random()) * 10.0,
            radius: rng.random_range(0.05..0.5),
            id,
        }
    }

    /// Panics unless probes find all stored spheres that they intersect, each once, and no sphere that is not stored.
    fn assert_finds(
        index: &Subset,
        container: &Container,
        stored: &[Option<Entry>],
        rng: &mut Pcg64,
    ) {
        for _ in 0..50 {
            let probe = random_entry(0, rng);
            let mut found = Vec::new();
            index.visit_candidates(probe.center, probe.radius, &mut |ids| {
                found.extend_from_slice(ids);
            });
            found.sort_unstable();
            assert!(found.is_sorted_by(|a, b| a < b), "reported twice");
            assert!(found.iter().all(|&id| stored[id as usize].is_some()));
            for entry in stored.iter().flatten() {
                let distance = container.displacement(probe.center, entry.center).length();
                if distance <= probe.radius + entry.radius {
                    assert!(
                        found.binary_search(&entry.id).is_ok(),
                        "{} is missing",
                        entry.id
                    );
                }
            }
        }
    }

    #[test]
    fn spheres_enter_move_and_leave_whatever_their_numbers() {
        let container = Container::cuboid(DVec3::splat(10.0), "ppw".parse().unwrap()).unwrap();
        let mut rng = Pcg64::seed_from_u64(2);
        let mut stored: Vec<Option<Entry>> = (0..LIMIT)
            .map(|id| (id % 3 == 0).then(|| random_entry(id, &mut rng)))
            .collect();
        let ids: Vec<u32> = stored.iter().flatten().map(|entry| entry.id).collect();
        let sphere = |id: u32| stored[id as usize].unwrap();
        let mut index = Subset::build_for_clusters(
            &IndexKind::default(),
            &container,
            &ids,
            LIMIT as usize,
            &sphere,
        );
        assert_finds(&index, &container, &stored, &mut rng);
        for _ in 0..4000 {
            let id = rng.random_range(0..LIMIT);
            let new = random_entry(id, &mut rng);
            match &mut stored[id as usize] {
                Some(old) if rng.random() => {
                    index.relocate(*old, new).unwrap();
                    *old = new;
                }
                place @ Some(_) => {
                    index.remove(place.take().unwrap()).unwrap();
                    assert_eq!(index.remove(new), Err(EntryError::Unknown { id }));
                }
                place @ None => {
                    index.insert(new).unwrap();
                    assert_eq!(index.insert(new), Err(EntryError::Duplicate { id }));
                    *place = Some(new);
                }
            }
        }
        assert_eq!(index.len(), stored.iter().flatten().count());
        index.assert_well_formed(&|id| stored[id as usize].unwrap());
        assert_finds(&index, &container, &stored, &mut rng);
    }
}
