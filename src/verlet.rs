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

use glam::DVec3;
use rayon::prelude::*;

use crate::{
    container::Container,
    index::{Entry, GlobalIndex, IndexKind},
};

/// Number of ids in a block of a list; lists are padded to whole blocks so that loops over them have no remainder.
pub(crate) const LANES: usize = 8;

/// A block of a list. Unused places hold [`VerletLists::padding`].
pub(crate) type Block = [u32; LANES];

/// Above this share of refreshed spheres all lists are laid out anew instead of being patched one by one.
const REBUILD_SHARE: f64 = 0.7;

/// Where the list of one sphere lies in the arena.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    first: u32,
    blocks: u32,
    len: u32,
}

/// The Verlet list of every sphere, and the global index they come from.
///
/// Spheres are numbered `0..n`. Memory: 12 bytes per sphere, 4 bytes per neighbour rounded up to blocks of 32
/// bytes, and the index.
pub struct VerletLists {
    /// The container's lengths along periodic axes, infinite along the others.
    period: DVec3,
    index: Box<dyn GlobalIndex>,
    spans: Vec<Span>,
    arena: Vec<Block>,
    /// Blocks given up by lists that outgrew them, by length.
    free: Vec<Vec<u32>>,
}

impl VerletLists {
    /// Builds the index and every list of `n` spheres; `inflated(i)` is sphere `i` at its anchor, inflated.
    ///
    /// Cost: one index query per sphere.
    pub fn new(
        kind: IndexKind,
        container: &Container,
        n: usize,
        inflated: impl Fn(u32) -> Entry + Sync,
    ) -> Self {
        let entries: Vec<Entry> = (0..n as u32).map(&inflated).collect();
        let mut lists = Self {
            period: DVec3::from_array(std::array::from_fn(|axis| {
                if container.is_periodic(axis) {
                    container.lengths()[axis]
                } else {
                    f64::INFINITY
                }
            })),
            index: kind.build(container, &entries),
            spans: vec![Span::default(); n],
            arena: Vec::new(),
            free: Vec::new(),
        };
        drop(entries);
        lists.rebuild(&inflated);
        lists
    }

    /// The neighbours of sphere `id`, by rising id.
    pub fn neighbours(&self, id: u32) -> &[u32] {
        let span = self.spans[id as usize];
        &self.blocks(id).as_flattened()[..span.len as usize]
    }

    /// The neighbours of sphere `id` in whole blocks.
    pub(crate) fn blocks(&self, id: u32) -> &[Block] {
        let span = self.spans[id as usize];
        let used = (span.len as usize).div_ceil(LANES);
        &self.arena[span.first as usize..span.first as usize + used]
    }

    /// The id that fills up the last block of a list: one past the last sphere.
    pub(crate) fn padding(&self) -> u32 {
        self.spans.len() as u32
    }

    /// The global index.
    pub fn index(&self) -> &dyn GlobalIndex {
        &*self.index
    }

    /// The memory held by lists and index, in bytes.
    pub fn bytes(&self) -> usize {
        self.arena.capacity() * size_of::<Block>()
            + self.spans.capacity() * size_of::<Span>()
            + self.index.bytes()
    }

    /// Gives each of the spheres `moved` (each id at most once) its new anchor and allowance, as `inflated` tells
    /// them, and mends all lists that this concerns. For all other spheres `inflated` must be as it was.
    ///
    /// Cost: one index query for each moved sphere, and O(list) for each pair that begins or ceases to be neighbours.
    pub fn refresh(&mut self, moved: &[u32], inflated: impl Fn(u32) -> Entry + Sync) {
        for &id in moved {
            self.index.relocate(inflated(id));
        }
        if moved.len() as f64 > REBUILD_SHARE * self.spans.len() as f64 {
            self.rebuild(&inflated);
            return;
        }
        const BATCH: usize = 256;
        let fresh: Vec<(Vec<u32>, Vec<u32>)> = moved
            .par_chunks(BATCH)
            .map(|batch| self.query_all(batch.iter().copied(), &inflated))
            .collect();
        for (batch, (ids, ends)) in moved.chunks(BATCH).zip(&fresh) {
            let mut start = 0;
            for (&id, &end) in batch.iter().zip(ends) {
                self.replace(id, &ids[start..end as usize]);
                start = end as usize;
            }
        }
    }

    /// Lays the lists out in the order in which they will be read, with no slack between them; `order` names every
    /// sphere once. A loop that follows scattered lists spends most of its time waiting for memory.
    ///
    /// Cost: O(total length of the lists).
    pub(crate) fn arrange(&mut self, order: impl Iterator<Item = u32>) {
        let mut arena = Vec::with_capacity(self.arena.len());
        for id in order {
            let first = arena.len() as u32;
            arena.extend_from_slice(self.blocks(id));
            let span = &mut self.spans[id as usize];
            span.first = first;
            span.blocks = arena.len() as u32 - first;
        }
        arena.shrink_to_fit();
        self.arena = arena;
        self.free.clear();
    }

    /// The lists of `ids`, one after the other, and where each ends.
    fn query_all(
        &self,
        ids: impl ExactSizeIterator<Item = u32>,
        inflated: &impl Fn(u32) -> Entry,
    ) -> (Vec<u32>, Vec<u32>) {
        let mut found = Vec::with_capacity(16 * ids.len());
        let ends = ids
            .map(|id| {
                let start = found.len();
                let probe = inflated(id);
                self.index
                    .visit_candidates(probe.center, probe.radius, &mut |entries| {
                        for entry in entries {
                            let reach = probe.radius + entry.radius;
                            let d2 = distance_squared(self.period, probe.center, entry.center);
                            if d2 < reach * reach && entry.id != id {
                                found.push(entry.id);
                            }
                        }
                    });
                found[start..].sort_unstable();
                found.len() as u32
            })
            .collect();
        (found, ends)
    }

    /// Makes every list anew, packed one behind the other with no slack.
    fn rebuild(&mut self, inflated: &(impl Fn(u32) -> Entry + Sync)) {
        const BATCH: usize = 4096;
        let n = self.spans.len() as u32;
        let padding = self.padding();
        let batches: Vec<u32> = (0..n).step_by(BATCH).collect();
        let fresh: Vec<(Vec<u32>, Vec<u32>)> = batches
            .par_iter()
            .map(|&first| self.query_all(first..(first + BATCH as u32).min(n), inflated))
            .collect();
        self.free.clear();
        self.arena.clear();
        let mut id = 0;
        for (ids, ends) in fresh {
            let mut start = 0;
            for end in ends {
                let list = &ids[start..end as usize];
                start = end as usize;
                self.spans[id] = Span {
                    first: self.arena.len() as u32,
                    blocks: list.len().div_ceil(LANES) as u32,
                    len: list.len() as u32,
                };
                for part in list.chunks(LANES) {
                    let mut block = [padding; LANES];
                    block[..part.len()].copy_from_slice(part);
                    self.arena.push(block);
                }
                id += 1;
            }
        }
    }

    /// Puts `new` in the place of the list of `id` and mends the lists of those it has met or left.
    fn replace(&mut self, id: u32, new: &[u32]) {
        let old = self.neighbours(id).to_vec();
        let (mut o, mut n) = (0, 0);
        while o < old.len() || n < new.len() {
            let left = old.get(o).copied().unwrap_or(u32::MAX);
            let met = new.get(n).copied().unwrap_or(u32::MAX);
            if left < met {
                self.strike(left, id);
            } else if met < left {
                self.enter(met, id);
            }
            o += usize::from(left <= met);
            n += usize::from(met <= left);
        }
        self.write(id, new);
    }

    /// Adds `other` to the list of `id`, unless it is there: a pair refreshed together meets twice.
    fn enter(&mut self, id: u32, other: u32) {
        let Err(place) = self.neighbours(id).binary_search(&other) else {
            return;
        };
        let span = self.reserve(id, self.spans[id as usize].len + 1);
        self.spans[id as usize].len += 1;
        let list =
            self.arena[span.first as usize..(span.first + span.blocks) as usize].as_flattened_mut();
        list.copy_within(place..span.len as usize, place + 1);
        list[place] = other;
    }

    /// Takes `other` from the list of `id`, if it is there.
    fn strike(&mut self, id: u32, other: u32) {
        let Ok(place) = self.neighbours(id).binary_search(&other) else {
            return;
        };
        let padding = self.padding();
        let span = self.spans[id as usize];
        self.spans[id as usize].len -= 1;
        let list =
            self.arena[span.first as usize..(span.first + span.blocks) as usize].as_flattened_mut();
        list.copy_within(place + 1..span.len as usize, place);
        list[span.len as usize - 1] = padding;
    }

    /// Overwrites the list of `id`.
    fn write(&mut self, id: u32, new: &[u32]) {
        let span = self.reserve(id, new.len() as u32);
        let padding = self.padding();
        self.spans[id as usize].len = new.len() as u32;
        let list =
            self.arena[span.first as usize..(span.first + span.blocks) as usize].as_flattened_mut();
        list[..new.len()].copy_from_slice(new);
        list[new.len()..].fill(padding);
    }

    /// Makes room for `len` neighbours of `id`, moving its list when it has outgrown its place.
    fn reserve(&mut self, id: u32, len: u32) -> Span {
        let span = self.spans[id as usize];
        let needed = len.div_ceil(LANES as u32);
        if needed <= span.blocks {
            return span;
        }
        // Short lists grow block by block, long ones by an eighth, so that moves stay rare.
        let blocks = needed + needed / 8;
        if self.free.len() <= blocks as usize {
            self.free.resize(blocks as usize + 1, Vec::new());
        }
        let first = self.free[blocks as usize].pop().unwrap_or_else(|| {
            let end = self.arena.len();
            self.arena
                .resize(end + blocks as usize, [self.spans.len() as u32; LANES]);
            end as u32
        });
        let old = span.first as usize..(span.first + span.blocks) as usize;
        self.arena.copy_within(old, first as usize);
        let padding = self.padding();
        self.arena[(first + span.blocks) as usize..(first + blocks) as usize]
            .fill([padding; LANES]);
        if span.blocks > 0 {
            self.free[span.blocks as usize].push(span.first);
        }
        self.spans[id as usize] = Span {
            first,
            blocks,
            len: span.len,
        };
        self.spans[id as usize]
    }

    /// Checks order, symmetry and padding of every list; for tests.
    ///
    /// # Panics
    /// When a list is not well formed.
    pub fn assert_well_formed(&self) {
        self.index.assert_well_formed();
        for id in 0..self.spans.len() as u32 {
            let list = self.neighbours(id);
            assert!(list.is_sorted_by(|a, b| a < b), "list {id} is not sorted");
            for &other in list {
                assert!(
                    self.neighbours(other).binary_search(&id).is_ok(),
                    "{other} is in the list of {id}, but not the other way round"
                );
            }
            let padding = &self.blocks(id).as_flattened()[list.len()..];
            assert!(padding.iter().all(|&id| id == self.padding()));
        }
    }
}

/// The shortest distance between periodic images, squared; the same for (a, b) and (b, a), and free of branches.
#[inline]
fn distance_squared(period: DVec3, a: DVec3, b: DVec3) -> f64 {
    let d = (a - b).abs();
    d.min(period - d).length_squared()
}
