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

mod candidates;
mod groups;
mod intake;
mod lists;
mod lookup;
mod shard;
mod shortlists;

use self::{groups::Crowd, lists::SymmetricLists, lookup::Lookup};
use crate::{
    container::Container,
    frame::Frame,
    index::{Entry, GlobalIndex, IndexKind},
    instructions::LANES,
};
pub(crate) use shortlists::Shortlists;

/// A block of a list; lists are padded to whole blocks so that loops over them have no remainder. Unused places hold an id one past
/// the last sphere.
pub(crate) type Block = [u32; LANES];

/// The Verlet list of every sphere, and the global index they come from.
///
/// Spheres are numbered `0..n`, best along a space-filling curve. Memory: 12 bytes per sphere, 4 bytes per neighbour rounded
/// up to blocks of 32 bytes, up to half more where lists have moved or grown, and the index.
pub struct VerletLists {
    frame: Frame,
    kind: IndexKind,
    index: Box<dyn GlobalIndex>,
    /// As it was when all lists were made anew.
    crowd: Crowd,
    lists: SymmetricLists,
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
            frame: Frame::new(*container),
            kind,
            index: kind.build(container, &[]),
            crowd: Crowd::new(container, 0, &inflated),
            lists: SymmetricLists::new(n),
        };
        lists.refresh_all(inflated);
        lists
    }

    /// The neighbours of sphere `id`, by rising id.
    pub fn neighbours(&self, id: u32) -> &[u32] {
        self.lists.list(id)
    }

    /// The global index.
    pub fn index(&self) -> &dyn GlobalIndex {
        &*self.index
    }

    /// The memory held by lists and index, in bytes.
    pub fn bytes(&self) -> usize {
        self.lists.bytes() + self.index.bytes()
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
        let (index, frame, crowd) = (&*self.index, &self.frame, &self.crowd);
        self.lists.change(moved, |ids, visit| {
            Lookup::new(index, frame, crowd, &inflated).lists_of(ids.iter().copied(), visit);
        });
    }

    /// Gives every sphere its new anchor and allowance, as `inflated` tells them. No list is mended: all are made anew.
    ///
    /// Cost: building the index, and an index query for every few spheres.
    pub fn refresh_all(&mut self, inflated: impl Fn(u32) -> Entry + Sync) {
        let (container, n) = (self.frame.container(), self.lists.len());
        // The old index need not lie beside the new one.
        self.index = self.kind.build(container, &[]);
        self.index = self.kind.build_for_groups(container, n, &inflated);
        self.crowd = Crowd::new(container, n, &inflated);
        let (index, frame, crowd) = (&*self.index, &self.frame, &self.crowd);
        self.lists.rewrite(|ids, visit| {
            Lookup::new(index, frame, crowd, &inflated).lists_of(ids, visit);
        });
    }

    pub(crate) fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The neighbours of sphere `id` in whole blocks, filled up with an id one past the last sphere.
    #[inline]
    pub(crate) fn blocks(&self, id: u32) -> &[Block] {
        self.lists.blocks(id)
    }

    /// Checks order, symmetry and padding of every list; for tests.
    ///
    /// # Panics
    /// When a list is not well formed.
    pub fn assert_well_formed(&self) {
        self.index.assert_well_formed();
        self.lists.assert_well_formed();
    }
}
