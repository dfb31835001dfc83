//! Relocations of many spheres, each region on one thread.

use rayon::{iter::Either, prelude::*};

use super::{
    region::Region,
    root_cube::NodeAddress,
    rule::NodeRule,
    tree::{LargestRadii, Octree, cover_radius},
};
use crate::{
    index::{constants::RELOCATIONS_PER_TASK, entry::Entry, global_index::GlobalIndex},
    machine::{
        parallel::Erase,
        radix_sort::{Keyed, sort_by_key},
        sorted::with_number,
        trace::{part, shared, task},
    },
};

/// A relocation of a sphere from one node to another one.
#[derive(Clone, Copy)]
struct Change {
    id: u32,
    from: NodeAddress,
    to: NodeAddress,
    /// The new radius.
    radius: f64,
}

impl<R: NodeRule> Octree<R> {
    /// Implements [`GlobalIndex::relocate_all`].
    ///
    /// All spheres are removed before the first one is inserted, so that a thread writes the slots of one region only.
    pub(super) fn relocate_by_region(
        &mut self,
        count: u32,
        entries: &(dyn Fn(u32) -> (Entry, Entry) + Sync),
    ) {
        let (changes, without_node): (Vec<Change>, Vec<u32>) = self.changes(count, entries);
        let by_region = |node: fn(&Change) -> NodeAddress| {
            let keyed = |(number, change): (usize, &Change)| Keyed {
                key: self.root(node(change)).region.into(),
                number: number as u32,
            };
            let mut sorted: Vec<Keyed> =
                changes.par_iter().enumerate().erased().map(keyed).collect();
            sort_by_key(&mut sorted);
            sorted
        };
        let (removals, insertions) = shared("sorted changes of the index", || {
            (
                by_region(|change| change.from),
                by_region(|change| change.to),
            )
        });
        let mut regions = std::mem::take(&mut self.regions);
        change_each(&mut regions, &removals, |region, removals| {
            for keyed in removals {
                let Change { id, from, .. } = changes[keyed.number as usize];
                let is_removed = region.remove(self.root(from), from, id, &self.slots);
                assert!(is_removed, "{}", self.slots.misplaced(id));
            }
        });
        let largest = change_each(&mut regions, &insertions, |region, insertions| {
            let mut largest = LargestRadii::default();
            for keyed in insertions {
                let Change { id, to, radius, .. } = changes[keyed.number as usize];
                cover_radius(&mut largest, to.level, radius);
                region.insert(self.root(to), to, id, &self.slots);
            }
            largest
        });
        self.set_regions(regions);
        largest.iter().for_each(|stored| self.cover_radii(stored));
        part("changes of the index", || {
            for number in without_node {
                let (from, to) = entries(number);
                let relocated = self.relocate(from, to);
                relocated.unwrap_or_else(|error| panic!("{error}"));
            }
        });
    }

    /// Returns the relocations that change the index, and the numbers of those among them from or to no node.
    fn changes(
        &self,
        count: u32,
        entries: &(dyn Fn(u32) -> (Entry, Entry) + Sync),
    ) -> (Vec<Change>, Vec<u32>) {
        let change = |number: u32| {
            let (old, new) = entries(number);
            new.assert_valid(u32::MAX);
            let (from, to) = (self.node_of(&old), self.node_of(&new));
            let Entry { id, radius, .. } = new;
            self.is_changed_by(from, to, radius)
                .then_some(match (from, to) {
                    (Some(from), Some(to)) => Either::Left(Change {
                        id,
                        from,
                        to,
                        radius,
                    }),
                    _ => Either::Right(number),
                })
        };
        let numbers = (0..count).into_par_iter();
        shared("entries that move", || {
            numbers
                .with_min_len(RELOCATIONS_PER_TASK)
                .erased()
                .filter_map(change)
                .partition_map(|change| change)
        })
    }
}

/// Calls `change` for each region with its changes, on all threads. The keys of the changes are the numbers of their regions, and are sorted.
fn change_each<T: Send>(
    regions: &mut [Region],
    changes: &[Keyed],
    change: impl Fn(&mut Region, &[Keyed]) -> T + Sync,
) -> Vec<T> {
    shared("changes of the index", || {
        regions
            .par_iter_mut()
            .enumerate()
            .erased()
            .map(|(number, region)| {
                let changes = with_number(changes, number, |keyed| keyed.key as usize);
                (region, changes)
            })
            .filter(|(_, changes)| !changes.is_empty())
            .map(|(region, changes)| task(|| change(region, changes)))
            .collect()
    })
}
