//! One list for each sphere, kept symmetric: a sphere in the list of another has that other sphere in its own list.

use rayon::prelude::*;

use super::{
    constants::{EDITED_LINES, SHARD_BITS, SHARDS_PER_ROUND, SHARDS_PER_TASK},
    shard::{Edit, Octet, Shard},
};
use crate::machine::{
    ids::Ids,
    parallel::Erase,
    prefetch::prefetch,
    radix_sort::{Keyed, sort_by_key},
    sorted::with_number,
    trace::{shared, task},
};

/// Number of spheres in a shard.
const SHARD_LEN: usize = 1 << SHARD_BITS;

/// A function that passes the sorted list of each given sphere to its callback, in any order.
pub(crate) trait ListsOf: Fn(&[u32], &mut dyn FnMut(u32, &[u32])) + Sync {}

impl<F: Fn(&[u32], &mut dyn FnMut(u32, &[u32])) + Sync> ListsOf for F {}

/// Sorted lists of the spheres `0..n`.
pub(crate) struct SymmetricLists {
    n: usize,
    shards: Vec<Shard>,
}

impl SymmetricLists {
    /// Creates `n` empty lists. A shard takes memory once it holds a list.
    pub fn new(n: usize) -> Self {
        let shards = n.div_ceil(SHARD_LEN);
        Self {
            n,
            shards: (0..shards).map(|_| Shard::new(n as u32)).collect(),
        }
    }

    /// Returns the list of a sphere.
    #[inline]
    pub fn list(&self, id: u32) -> &[u32] {
        self.shards[shard_of(id)].list(slot_of(id))
    }

    /// Returns the list of a sphere in whole octets, padded with `n`.
    #[inline]
    pub fn octets(&self, id: u32) -> &[Octet] {
        self.shards[shard_of(id)].octets(slot_of(id))
    }

    /// Returns the memory of the lists in bytes.
    pub fn bytes(&self) -> usize {
        self.shards.iter().map(Shard::bytes).sum()
    }

    /// Replaces all lists by those of the spheres `ids`. The lists must be symmetric.
    pub fn rewrite(&mut self, ids: &Ids, lists_of: impl ListsOf) {
        let n = self.n;
        let rewrite = |(number, shard): (usize, &mut Shard)| {
            let first = number << SHARD_BITS;
            let range = first as u32..(first + SHARD_LEN).min(n) as u32;
            let len = range.len();
            let ids: Vec<u32> = ids.within(range).collect();
            shard.clear();
            if !ids.is_empty() {
                shard.hold(len);
                lists_of(&ids, &mut |id, list| shard.write(slot_of(id), list));
            }
            shard.shrink();
        };
        shared("all lists", || {
            let shards = self.shards.par_iter_mut().enumerate().erased();
            shards.for_each(|shard| task(|| rewrite(shard)));
        });
    }

    /// Replaces the lists of the spheres `ids`, which must be sorted, and updates the lists of the spheres that enter or leave them.
    ///
    /// The new lists must be symmetric among themselves. Cost: O(list) for each list that changes.
    pub fn change(&mut self, ids: &[u32], lists_of: impl ListsOf) {
        if ids.is_empty() {
            return;
        }
        let parts = self.by_shard(ids, |&id| shard_of(id));
        // A new list may cause edits in a shard that only a later round changes.
        for ((number, shard), ids) in self.shards.iter_mut().enumerate().zip(&parts) {
            if !ids.is_empty() {
                shard.hold(SHARD_LEN.min(self.n - (number << SHARD_BITS)));
            }
        }
        let (mut rest, mut first) = (&parts[..], 0);
        while !rest.is_empty() {
            let (parts, later) = rest.split_at(round_len(rest));
            let edits = self.change_shards(first, parts, &lists_of);
            self.edit_shards(&edits);
            first += parts.len();
            rest = later;
        }
    }

    /// Returns the items of each shard. The shards of the items must be sorted.
    fn by_shard<'a, T: Sync>(
        &self,
        items: &'a [T],
        shard: impl Fn(&T) -> usize + Sync,
    ) -> Vec<&'a [T]> {
        let shards = (0..self.shards.len()).into_par_iter();
        shared("order of changes", || {
            shards
                .with_min_len(SHARDS_PER_TASK)
                .erased()
                .map(|number| with_number(items, number, &shard))
                .collect()
        })
    }

    /// Replaces the lists of the spheres `parts[k]`, which belong to the shard `first + k`. Returns the edits that this causes in other
    /// shards.
    fn change_shards(
        &mut self,
        first: usize,
        parts: &[&[u32]],
        lists_of: &impl ListsOf,
    ) -> Vec<GroupedEdits> {
        let shards = self.shards.len();
        shared("new lists", || {
            self.shards[first..first + parts.len()]
                .par_iter_mut()
                .zip(parts)
                .enumerate()
                .erased()
                .filter(|(_, (_, ids))| !ids.is_empty())
                .map_init(
                    || vec![NO_GROUP; shards],
                    |group_of, (k, (shard, ids))| {
                        task(|| {
                            let elsewhere = change_shard(first + k, shard, ids, lists_of);
                            GroupedEdits::new(&elsewhere, group_of)
                        })
                    },
                )
                .collect()
        })
    }

    /// Makes edits in the shards to which they belong.
    fn edit_shards(&mut self, edits: &[GroupedEdits]) {
        let (groups, sorted) = shared("order of changes", || {
            let groups = edits
                .par_iter()
                .erased()
                .flat_map_iter(GroupedEdits::groups);
            let groups: Vec<&[Edit]> = groups.collect();
            let keyed = |(number, group): (usize, &&[Edit])| Keyed {
                key: shard_of(group[0].id) as u64,
                number: number as u32,
            };
            let mut sorted: Vec<Keyed> =
                groups.par_iter().enumerate().erased().map(keyed).collect();
            sort_by_key(&mut sorted);
            (groups, sorted)
        });
        let parts = self.by_shard(&sorted, |keyed| keyed.key as usize);
        shared("changed lists", || {
            self.shards
                .par_iter_mut()
                .zip(parts)
                .erased()
                .filter(|(_, sorted)| !sorted.is_empty())
                .for_each(|(shard, sorted)| {
                    task(|| {
                        let groups = sorted.iter().map(|keyed| groups[keyed.number as usize]);
                        shard.update(&groups.collect::<Vec<_>>().concat(), slot_of);
                    });
                });
        });
    }

    /// Panics unless every list is sorted and padded, and the lists are symmetric.
    pub fn assert_well_formed(&self) {
        self.shards.iter().for_each(Shard::assert_well_formed);
        for id in 0..self.n as u32 {
            for &other in self.list(id) {
                assert!(
                    self.list(other).binary_search(&id).is_ok(),
                    "{other} is in the list of {id}, but not the other way round"
                );
            }
        }
    }
}

/// Replaces the lists of the spheres `ids`, which belong to the shard of the given number. Returns the edits for other shards.
fn change_shard(
    number: usize,
    shard: &mut Shard,
    ids: &[u32],
    lists_of: &impl ListsOf,
) -> Vec<Edit> {
    let (mut here, mut elsewhere) = (Vec::new(), Vec::new());
    for &id in ids {
        prefetch(shard.octets(slot_of(id)), EDITED_LINES);
    }
    let mut changes = Vec::new();
    lists_of(ids, &mut |id, list| {
        for &(other, enters) in compare(shard.list(slot_of(id)), list, &mut changes) {
            let edit = Edit {
                id: other,
                other: id,
                enters,
            };
            if shard_of(other) == number {
                here.push(edit);
            } else {
                elsewhere.push(edit);
            }
        }
        shard.write(slot_of(id), list);
    });
    shard.update(&here, slot_of);
    elsewhere
}

/// Returns the number of the shard of a sphere.
#[inline]
fn shard_of(id: u32) -> usize {
    (id >> SHARD_BITS) as usize
}

/// Returns the slot of a sphere in its shard.
#[inline]
fn slot_of(id: u32) -> usize {
    id as usize & (SHARD_LEN - 1)
}

/// Returns the number of shards whose spheres are refreshed in one round: all shards, or fewer if the spheres `parts` are many.
fn round_len(parts: &[&[u32]]) -> usize {
    let mut spheres = 0;
    let fits = |part: &&&[u32]| {
        spheres += part.len();
        spheres <= SHARDS_PER_ROUND * SHARD_LEN
    };
    parts.iter().take_while(fits).count().max(1)
}

/// The group of a shard that has none.
const NO_GROUP: u32 = u32::MAX;

/// Edits that one shard causes in other shards, in groups of one shard each.
struct GroupedEdits {
    edits: Vec<Edit>,
    /// The end of each group.
    ends: Vec<u32>,
}

impl GroupedEdits {
    /// Groups edits by their shard. `group_of` has an item [`NO_GROUP`] for each shard, before and after the call.
    fn new(edits: &[Edit], group_of: &mut [u32]) -> Self {
        let mut lengths = Vec::new();
        let mut shards = Vec::new();
        for edit in edits {
            let shard = shard_of(edit.id);
            let group = &mut group_of[shard];
            if *group == NO_GROUP {
                *group = shards.len() as u32;
                shards.push(shard);
                lengths.push(0);
            }
            lengths[*group as usize] += 1;
        }
        let mut end = 0;
        let mut ends: Vec<u32> = lengths
            .iter()
            .map(|len| {
                end += len;
                end - len
            })
            .collect();
        let mut grouped = vec![Edit::default(); edits.len()];
        for edit in edits {
            // The start of the rest of the group, which grows to its end.
            let next = &mut ends[group_of[shard_of(edit.id)] as usize];
            grouped[*next as usize] = *edit;
            *next += 1;
        }
        shards.iter().for_each(|&shard| group_of[shard] = NO_GROUP);
        Self {
            edits: grouped,
            ends,
        }
    }

    /// Returns the groups.
    fn groups(&self) -> impl Iterator<Item = &[Edit]> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        let bounds = starts.zip(&self.ends);
        bounds.map(|(start, &end)| &self.edits[start as usize..end as usize])
    }
}

/// Returns each id that is in only one of two sorted lists, with whether the new list contains it. The result lies in `changes`.
fn compare<'a>(old: &[u32], new: &[u32], changes: &'a mut Vec<(u32, bool)>) -> &'a [(u32, bool)] {
    changes.resize(old.len() + new.len() + 1, (0, false));
    let (mut o, mut n, mut count) = (0, 0, 0);
    while o < old.len() || n < new.len() {
        let left = old.get(o).copied().unwrap_or(u32::MAX);
        let met = new.get(n).copied().unwrap_or(u32::MAX);
        // Written in any case: a branch on equality would be hard to predict.
        changes[count] = (left.min(met), met < left);
        count += usize::from(left != met);
        o += usize::from(left <= met);
        n += usize::from(met <= left);
    }
    &changes[..count]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_spheres_of_distant_shards_become_neighbors() {
        // The full shards in between fill the first round.
        let n = (SHARDS_PER_ROUND + 2) << SHARD_BITS;
        let (first, last) = (3, n as u32 - 3);
        let partner = |id: u32| (id == first || id == last).then(|| first + last - id);
        let all: Vec<u32> = (0..n as u32).collect();
        let mut lists = SymmetricLists::new(n);
        lists.change(&all, |ids, visit| {
            for &id in ids {
                visit(id, partner(id).as_slice());
            }
        });
        assert_eq!(
            (lists.list(first), lists.list(last)),
            (&[last][..], &[first][..])
        );
    }
}
