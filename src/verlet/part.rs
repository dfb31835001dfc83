//! Verlet lists of a part of the spheres: those that one of several processes holds.

use super::{
    VerletLists, clusters::Density, lists::SymmetricLists, lookup::Lookup, verlet_lists::entry,
};
use crate::{container::frame::Point, index::IndexBuilder};

/// A change of one sphere in the lists of a part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PartChange {
    pub id: u32,
    /// The new inflated sphere; absent if the part no longer holds the sphere.
    pub inflated: Option<Point>,
}

/// Returns the ids of changes in ascending order.
pub(super) fn sorted_ids(changes: &[PartChange]) -> Vec<u32> {
    let mut ids: Vec<u32> = changes.iter().map(|change| change.id).collect();
    // Changes from each rank are sorted, which this sort turns to account.
    ids.sort();
    ids
}

impl VerletLists {
    /// Replaces all spheres by an empty part of `n` spheres.
    pub(crate) fn clear_part(&mut self, n: usize) {
        self.index = self.builder.build(&self.container, &[]);
        self.lists = SymmetricLists::of_part(n);
        self.inflated = bytemuck::zeroed_vec(n);
    }

    /// Gives spheres new inflated spheres, after which [`Self::rebuild_part`] must follow.
    pub(crate) fn inflated_mut(&mut self) -> &mut [Point] {
        &mut self.inflated
    }

    /// Rebuilds the index and all lists for the part `ids`, which must be sorted.
    pub(crate) fn rebuild_part(&mut self, ids: &[u32]) {
        let (frame, inflated) = (&self.frame, &self.inflated);
        let sphere = |id: u32| entry(frame, id, inflated[id as usize]);
        self.index = self.builder.build(&self.container, &[]);
        let id_limit = inflated.len() as u32;
        self.index = (self.builder).build_part(&self.container, ids, id_limit, &sphere);
        let held: Vec<Point> = ids.iter().map(|&id| inflated[id as usize]).collect();
        let share = held.len() as f64 / inflated.len() as f64;
        self.density = Density::new(self.container.volume() * share, &held);
        let (index, density) = (&*self.index, &self.density);
        self.lists.rewrite_part(ids, |ids, visit| {
            Lookup::new(index, frame, density, inflated).lists_of(ids, visit);
        });
    }

    /// Changes spheres of the part, each at most once: new spheres enter it, and spheres without an inflated sphere leave it.
    ///
    /// Cost: as of [`VerletLists::refresh`].
    pub(crate) fn change_part(&mut self, changes: &[PartChange]) {
        const STORED: &str = "the index holds the spheres of the part, with finite numbers";
        let (mut moved, mut to) = (Vec::new(), Vec::new());
        for &PartChange { id, inflated } in changes {
            match (inflated, self.index.contains(id)) {
                (Some(inflated), true) => {
                    moved.push(id);
                    to.push(inflated);
                }
                (Some(inflated), false) => {
                    self.inflated[id as usize] = inflated;
                    let added = entry(&self.frame, id, inflated);
                    self.index.insert(added).expect(STORED);
                }
                (None, _) => {
                    let removed = entry(&self.frame, id, self.inflated[id as usize]);
                    self.index.remove(removed).expect(STORED);
                }
            }
        }
        self.relocate(&moved, &to);
        let ids = sorted_ids(changes);
        let (frame, inflated, density) = (&self.frame, &self.inflated, &self.density);
        let index = &*self.index;
        self.lists.change(&ids, |ids, visit| {
            let (held, left): (Vec<u32>, Vec<u32>) =
                ids.iter().partition(|&&id| index.contains(id));
            left.into_iter().for_each(|id| visit(id, &[]));
            if !held.is_empty() {
                Lookup::new(index, frame, density, inflated).lists_of(held.into_iter(), visit);
            }
        });
    }
}
