//! Verlet lists over any global index.
//!
//! Every sphere has an *allowance* h: how far it may move from its *anchor*, the place it had when its
//! list was made. The global index holds the spheres at their anchors, inflated by their allowances, and
//! two spheres are neighbours when their inflated spheres intersect. Two spheres that have not left their
//! allowances then overlap only if they are neighbours. With the Verlet distance δ_V of Raschdorf & Kolonko
//! (2011), h = δ_V/2: the two allowances of a pair add up to δ_V.
//!
//! A sphere that has used up its allowance is *refreshed*: it gets a new anchor, a new list from the index,
//! and it is entered in or struck off the lists of the spheres it has met or left, so that the relation
//! stays symmetric. Lists are sorted by id, hence the same for every index.

mod lookup;
mod shard;

use glam::DVec3;
use rayon::prelude::*;

use self::{
    lookup::Lookup,
    shard::{Edit, Shard},
};
use crate::{
    container::Container,
    index::{Entry, GlobalIndex, IndexKind},
    prefetch::prefetch,
};

/// Number of ids in a block of a list; lists are padded to whole blocks so that loops over them have no remainder.
pub(crate) const LANES: usize = 8;

/// A block of a list. Unused places hold an id one past the last sphere.
pub(crate) type Block = [u32; LANES];

/// Spheres whose lists are kept together, as a power of two. Different shards are mended at the same time.
const SHARD_BITS: u32 = 10;
const SHARD: usize = 1 << SHARD_BITS;

/// Lists are fetched into the cache so many edits before they are mended, and so many cache lines of them at most.
const LOOK_AHEAD: usize = 8;
const LINES: usize = 6;

/// The Verlet list of every sphere, and the global index they come from.
///
/// Spheres are numbered `0..n`, best along a space-filling curve. Memory: 12 bytes per sphere, 4 bytes per neighbour rounded
/// up to blocks of 32 bytes, up to twice that while lists move, and the index.
pub struct VerletLists {
    container: Container,
    /// The container's lengths along periodic axes, infinite along the others.
    period: DVec3,
    kind: IndexKind,
    index: Box<dyn GlobalIndex>,
    n: usize,
    shards: Vec<Shard>,
}

impl VerletLists {
    /// Builds the index and every list of `n` spheres; `inflated(i)` is sphere `i` at its anchor, inflated.
    ///
    /// Cost: one index query for every few spheres.
    pub fn new(
        kind: IndexKind,
        container: &Container,
        n: usize,
        inflated: impl Fn(u32) -> Entry + Sync,
    ) -> Self {
        let mut lists = Self {
            container: *container,
            period: container.periods(),
            kind,
            index: kind.build(container, &[]),
            n,
            shards: (0..n)
                .step_by(SHARD)
                .map(|first| Shard::new(SHARD.min(n - first), n as u32))
                .collect(),
        };
        lists.refresh_all(inflated);
        lists
    }

    /// The neighbours of sphere `id`, by rising id.
    pub fn neighbours(&self, id: u32) -> &[u32] {
        self.shards[shard_of(id)].list(place_of(id))
    }

    /// The neighbours of sphere `id` in whole blocks, filled up with an id one past the last sphere.
    #[inline]
    pub(crate) fn blocks(&self, id: u32) -> &[Block] {
        self.shards[shard_of(id)].blocks(place_of(id))
    }

    /// The global index.
    pub fn index(&self) -> &dyn GlobalIndex {
        &*self.index
    }

    /// The memory held by lists and index, in bytes.
    pub fn bytes(&self) -> usize {
        self.shards.iter().map(Shard::bytes).sum::<usize>() + self.index.bytes()
    }

    /// Gives each of the spheres `moved` (each id at most once) its new anchor and allowance, as `inflated` tells
    /// them, and mends all lists that this concerns. For all other spheres `inflated` must be as it was.
    ///
    /// Cost: an index query for each moved sphere, or for a few of them that lie side by side, and O(list) for each list that
    /// changes.
    pub fn refresh(&mut self, moved: &[u32], inflated: impl Fn(u32) -> Entry + Sync) {
        for &id in moved {
            self.index.relocate(inflated(id));
        }
        const BATCH: usize = 64;
        let batches: Vec<Refreshed> = moved
            .par_chunks(BATCH)
            .map(|batch| self.look_up(batch, &inflated))
            .collect();
        self.apply(&batches);
    }

    /// Gives every sphere its new anchor and allowance, as `inflated` tells them. No list is mended: all are made anew.
    ///
    /// Cost: building the index, and an index query for every few spheres.
    pub fn refresh_all(&mut self, inflated: impl Fn(u32) -> Entry + Sync) {
        let entries: Vec<Entry> = (0..self.n as u32).map(&inflated).collect();
        self.index = self.kind.build(&self.container, &entries);
        drop(entries);
        let mut shards = std::mem::take(&mut self.shards);
        shards
            .par_iter_mut()
            .enumerate()
            .for_each(|(number, shard)| {
                let first = number << SHARD_BITS;
                let ids = first as u32..(first + SHARD).min(self.n) as u32;
                shard.clear();
                self.lookup(&inflated)
                    .lists_of(ids, |id, list| shard.write(place_of(id), list));
            });
        self.shards = shards;
    }

    /// The new lists of the spheres `ids`, and what they change in the lists of others.
    fn look_up(&self, ids: &[u32], inflated: &impl Fn(u32) -> Entry) -> Refreshed {
        let mut refreshed = Refreshed::default();
        self.lookup(inflated)
            .lists_of(ids.iter().copied(), |id, list| {
                refreshed.add(id, self.neighbours(id), list);
            });
        refreshed
    }

    fn lookup<'a, F: Fn(u32) -> Entry>(&'a self, inflated: &'a F) -> Lookup<'a, F> {
        Lookup::new(&*self.index, self.period, inflated)
    }

    /// Puts new lists in the place of the old ones and mends the lists of those met or left, shard by shard.
    fn apply(&mut self, batches: &[Refreshed]) {
        let mut lists: Vec<(u32, &[u32])> = batches.iter().flat_map(Refreshed::lists).collect();
        let mut edits: Vec<Edit> = batches
            .iter()
            .flat_map(|batch| batch.edits.iter().copied())
            .collect();
        lists.par_sort_unstable_by_key(|&(id, _)| id);
        edits.par_sort_unstable();
        self.shards
            .par_iter_mut()
            .enumerate()
            .for_each(|(number, shard)| {
                for &(id, list) in of_shard(number, &lists, |&(id, _)| id) {
                    shard.write(place_of(id), list);
                }
                let mut merged = Vec::new();
                let edits = of_shard(number, &edits, |edit| edit.id);
                let mut begun = 0;
                for edits_of_one in edits.chunk_by(|a, b| a.id == b.id) {
                    if let Some(ahead) = edits.get(begun + LOOK_AHEAD) {
                        prefetch(shard.blocks(place_of(ahead.id)), LINES);
                    }
                    begun += edits_of_one.len();
                    shard.mend(place_of(edits_of_one[0].id), edits_of_one, &mut merged);
                }
            });
    }

    /// Checks order, symmetry and padding of every list; for tests.
    ///
    /// # Panics
    /// When a list is not well formed.
    pub fn assert_well_formed(&self) {
        self.index.assert_well_formed();
        self.shards.iter().for_each(Shard::assert_well_formed);
        for id in 0..self.n as u32 {
            for &other in self.neighbours(id) {
                assert!(
                    self.neighbours(other).binary_search(&id).is_ok(),
                    "{other} is in the list of {id}, but not the other way round"
                );
            }
        }
    }
}

#[inline]
fn shard_of(id: u32) -> usize {
    (id >> SHARD_BITS) as usize
}

/// The number of a sphere within its shard.
#[inline]
fn place_of(id: u32) -> usize {
    id as usize & (SHARD - 1)
}

/// The part of `items`, sorted by id, that concerns one shard.
fn of_shard<T>(shard: usize, items: &[T], id: impl Fn(&T) -> u32) -> &[T] {
    let start = items.partition_point(|item| shard_of(id(item)) < shard);
    let rest = &items[start..];
    &rest[..rest.partition_point(|item| shard_of(id(item)) == shard)]
}

/// What a refresh of several spheres comes to.
#[derive(Default)]
struct Refreshed {
    /// The new lists, one after the other.
    ids: Vec<u32>,
    /// The sphere of each new list, and where the list begins and ends in `ids`.
    lists: Vec<(u32, u32, u32)>,
    /// What changes in the lists of those met or left.
    edits: Vec<Edit>,
}

impl Refreshed {
    /// The spheres looked up, with their new lists.
    fn lists(&self) -> impl Iterator<Item = (u32, &[u32])> {
        self.lists
            .iter()
            .map(|&(id, start, end)| (id, &self.ids[start as usize..end as usize]))
    }

    /// Adds the new list of `id` in the place of `old`.
    fn add(&mut self, id: u32, old: &[u32], new: &[u32]) {
        let start = self.ids.len() as u32;
        self.ids.extend_from_slice(new);
        self.lists.push((id, start, self.ids.len() as u32));
        let (mut o, mut n) = (0, 0);
        while o < old.len() || n < new.len() {
            let left = old.get(o).copied().unwrap_or(u32::MAX);
            let met = new.get(n).copied().unwrap_or(u32::MAX);
            if left != met {
                self.edits.push(Edit {
                    id: left.min(met),
                    other: id,
                    enters: met < left,
                });
            }
            o += usize::from(left <= met);
            n += usize::from(met <= left);
        }
    }
}
