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
mod lists;
mod lookup;
mod shard;
mod shortlists;

use std::sync::Arc;

use rayon::prelude::*;

use self::{groups::Crowd, lists::SymmetricLists, lookup::Lookup};
use crate::{
    container::Container,
    container::frame::{Frame, Point},
    index::{Entry, GlobalIndex, IndexBuilder},
    machine::instructions::LANES,
};
pub(crate) use shortlists::Shortlists;

/// A block of a list; lists are padded to whole blocks so that loops over them have no remainder. Unused places hold an id one past
/// the last sphere.
pub(crate) type Block = [u32; LANES];

/// Spheres on their way that are worth a job of their own.
const BATCH: usize = 512;

/// Inflated spheres count as this share larger than they are: more than what rounding in the tests of lists may hide.
const MARGIN: f64 = 1e-6;

/// The Verlet list of every sphere, and the global index they come from.
///
/// Spheres are numbered `0..n`, best along a space-filling curve. Memory: 28 bytes per sphere, 4 bytes per neighbour rounded
/// up to blocks of 32 bytes, up to an eighth more where lists have moved or grown, and the index.
pub struct VerletLists {
    container: Container,
    frame: Frame,
    builder: Arc<dyn IndexBuilder>,
    /// The spheres at their anchors, inflated.
    inflated: Vec<Point>,
    index: Box<dyn GlobalIndex>,
    /// As it was when all lists were made anew.
    crowd: Crowd,
    lists: SymmetricLists,
}

impl VerletLists {
    /// Builds the index and every list of the spheres `inflated`: sphere `i` at its anchor, inflated, is the `i`-th, with that id.
    ///
    /// Lists name all whose inflated spheres intersect, and no pair whose inflated spheres are further apart than 2 · 10⁻⁶ of
    /// their radii and 2⁻²⁸ of the container.
    ///
    /// Cost: one index query for every few spheres.
    pub fn new(
        builder: impl IndexBuilder + 'static,
        container: &Container,
        inflated: &[Entry],
    ) -> Self {
        let frame = container.frame();
        let points = inflated
            .iter()
            .map(|entry| rounded(&frame, entry))
            .collect();
        Self::of_points(Arc::new(builder), container.clone(), points)
    }

    pub(crate) fn of_points(
        builder: Arc<dyn IndexBuilder>,
        container: Container,
        inflated: Vec<Point>,
    ) -> Self {
        let frame = container.frame();
        let mut lists = Self {
            index: builder.build(&container, &[]),
            crowd: Crowd::new(container.volume(), &[]),
            lists: SymmetricLists::new(0),
            container,
            frame,
            builder,
            inflated: Vec::new(),
        };
        lists.replace_all(inflated);
        lists
    }

    /// Forgets all spheres and takes these instead, which may be more or fewer.
    ///
    /// Cost: as of [`Self::new`].
    pub(crate) fn replace_all(&mut self, inflated: Vec<Point>) {
        self.lists = SymmetricLists::new(inflated.len());
        self.refresh_all(inflated);
    }

    /// The neighbours of sphere `id`, by rising id.
    pub fn neighbours(&self, id: u32) -> &[u32] {
        self.lists.list(id)
    }

    /// The global index.
    pub fn index(&self) -> &dyn GlobalIndex {
        &*self.index
    }

    /// The memory held by spheres, lists and index, in bytes.
    pub fn bytes(&self) -> usize {
        let spheres = self.inflated.capacity() * size_of::<Point>();
        spheres + self.lists.bytes() + self.index.bytes()
    }

    /// Gives each of the spheres `moved` (each id at most once) its new anchor and allowance, and mends all lists that this
    /// concerns.
    ///
    /// Cost: an index query for each moved sphere, or for a few of them that lie side by side, and O(list) for each list that
    /// changes.
    pub fn refresh(&mut self, moved: &[Entry]) {
        let ids: Vec<u32> = moved.iter().map(|entry| entry.id).collect();
        let inflated: Vec<Point> = moved
            .iter()
            .map(|entry| rounded(&self.frame, entry))
            .collect();
        self.refresh_points(&ids, &inflated);
    }

    /// The same for the spheres `ids`.
    pub(crate) fn refresh_points(&mut self, ids: &[u32], inflated: &[Point]) {
        for k in self.leavers(ids, inflated) {
            let (from, to) = self.way(ids[k as usize], inflated[k as usize]);
            self.index.relocate(from, to);
        }
        for (&id, &to) in ids.iter().zip(inflated) {
            self.inflated[id as usize] = to;
        }
        let (frame, inflated, crowd) = (&self.frame, &self.inflated, &self.crowd);
        self.index
            .suit(&|id| entry(frame, id, inflated[id as usize]));
        let index = &*self.index;
        self.lists.change(ids, |ids, visit| {
            Lookup::new(index, frame, crowd, inflated).lists_of(ids.iter().copied(), visit);
        });
    }

    /// Which of the spheres `ids` the index must move, by their places there: few, but only one thread can move them.
    fn leavers(&self, ids: &[u32], inflated: &[Point]) -> Vec<u32> {
        let leaves = |&k: &u32| {
            let (from, to) = self.way(ids[k as usize], inflated[k as usize]);
            !self.index.stays(&from, &to)
        };
        let numbers = (0..ids.len() as u32).into_par_iter();
        numbers.with_min_len(BATCH).filter(leaves).collect()
    }

    /// From where to where a sphere goes, as the index is told.
    fn way(&self, id: u32, to: Point) -> (Entry, Entry) {
        let from = self.inflated[id as usize];
        (entry(&self.frame, id, from), entry(&self.frame, id, to))
    }

    /// Gives every sphere its new anchor and allowance. No list is mended: all are made anew.
    ///
    /// Cost: building the index, and an index query for every few spheres.
    pub(crate) fn refresh_all(&mut self, inflated: Vec<Point>) {
        self.inflated = inflated;
        self.make_all();
    }

    fn make_all(&mut self) {
        let container = &self.container;
        // The old index need not lie beside the new one.
        self.index = self.builder.build(container, &[]);
        let (frame, inflated) = (&self.frame, &self.inflated);
        let sphere = |id: u32| entry(frame, id, inflated[id as usize]);
        self.index = self
            .builder
            .build_for_groups(container, inflated.len(), &sphere);
        self.crowd = Crowd::new(container.volume(), inflated);
        let (index, crowd) = (&*self.index, &self.crowd);
        self.lists.rewrite(|ids, visit| {
            Lookup::new(index, frame, crowd, inflated).lists_of(ids, visit);
        });
    }

    pub(crate) fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The spheres at their anchors, inflated.
    #[inline]
    pub(crate) fn inflated(&self) -> &[Point] {
        &self.inflated
    }

    /// The neighbours of sphere `id` in whole blocks, filled up with an id one past the last sphere.
    #[inline]
    pub(crate) fn blocks(&self, id: u32) -> &[Block] {
        self.lists.blocks(id)
    }

    /// Checks the index, and order, symmetry and padding of every list; for tests.
    ///
    /// # Panics
    /// When something is not well formed.
    pub fn assert_well_formed(&self) {
        let sphere = |id: u32| entry(&self.frame, id, self.inflated[id as usize]);
        self.index.assert_well_formed(&sphere);
        self.lists.assert_well_formed();
    }
}

/// A sphere to the step of the frame, and so much larger as it may be off its place.
fn rounded(frame: &Frame, entry: &Entry) -> Point {
    let steps = 2.0 * frame.per_length.recip().max_element();
    frame.point(entry.center, entry.radius + steps)
}

/// An inflated sphere as the index is told of it: larger than any test of lists takes it for.
fn entry(frame: &Frame, id: u32, inflated: Point) -> Entry {
    Entry {
        center: frame.center(inflated.at),
        radius: f64::from(inflated.radius) * (1.0 + 2.0 * MARGIN),
        id,
    }
}
