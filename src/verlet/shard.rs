//! The lists of some spheres with successive ids, in one arena.

use super::constants::{EDITED_LINES, EDITS_AHEAD, SHORT_LIST};
use crate::machine::{
    lanes::{Kernel, LANES, Lanes, run},
    prefetch::prefetch,
};

/// Eight entries of a list. Lists are padded to whole octets, so that loops over them have no remainder. Unused entries hold an id one
/// past the last sphere.
pub(crate) type Octet = [u32; LANES];

/// The octets of one list in the arena.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    first: u32,
    /// Number of octets that the list may fill before it must move.
    octets: u32,
    len: u32,
}

/// A change of the list of `id`: `other` enters or leaves it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edit {
    pub id: u32,
    pub other: u32,
    pub enters: bool,
}

/// Lists in numbered slots, each sorted and padded to whole octets.
///
/// A list that outgrows its octets moves to the end of the arena. Once an eighth of the arena is unused, the lists are compacted.
/// They then lie in the order of their slots, which is nearly the order in which they are read.
#[derive(Debug)]
pub(super) struct Shard {
    spans: Vec<Span>,
    arena: Vec<Octet>,
    /// Number of octets that belong to no list.
    unused: usize,
    padding: u32,
}

impl Shard {
    /// Creates a shard without lists, which will hold ids below `padding`.
    pub fn new(padding: u32) -> Self {
        Self {
            spans: Vec::new(),
            arena: Vec::new(),
            unused: 0,
            padding,
        }
    }

    /// Provides slots for this number of lists, if there are none.
    #[inline]
    pub fn hold(&mut self, lists: usize) {
        if self.spans.is_empty() {
            self.spans = vec![Span::default(); lists];
        }
    }

    /// Returns a list.
    #[inline]
    pub fn list(&self, slot: usize) -> &[u32] {
        let span = self.spans[slot];
        &self.octets(slot).as_flattened()[..span.len as usize]
    }

    /// Returns a list in whole octets.
    #[inline]
    pub fn octets(&self, slot: usize) -> &[Octet] {
        let span = self.spans[slot];
        let used = (span.len as usize).div_ceil(LANES);
        &self.arena[span.first as usize..span.first as usize + used]
    }

    /// Returns the memory of the lists in bytes.
    pub fn bytes(&self) -> usize {
        self.arena.capacity() * size_of::<Octet>() + self.spans.capacity() * size_of::<Span>()
    }

    /// Empties all lists.
    pub fn clear(&mut self) {
        self.arena.clear();
        self.unused = 0;
        self.spans.fill(Span::default());
    }

    /// Frees memory that the lists no longer need.
    pub fn shrink(&mut self) {
        if self.arena.capacity() > self.arena.len() / 2 * 3 {
            self.arena.shrink_to(self.arena.len() / 8 * 9);
        }
    }

    /// Replaces the list in a slot.
    ///
    /// # Panics
    /// If an id is not below the padding. The sweeps rely on valid ids.
    pub fn write(&mut self, slot: usize, list: &[u32]) {
        assert!(
            list.last().is_none_or(|&id| id < self.padding),
            "a list holds an unknown id"
        );
        let needed = list.len().div_ceil(LANES) as u32;
        let mut span = self.spans[slot];
        if needed > span.octets {
            self.unused += span.octets as usize;
            // Short lists grow by one octet, long ones by an eighth, so that moves stay rare.
            span.octets = needed + needed / 8;
            span.first = self.arena.len() as u32;
            self.grow(span.octets as usize);
        }
        span.len = list.len() as u32;
        self.spans[slot] = span;
        let octets = &mut self.arena[span.first as usize..(span.first + needed) as usize];
        let (used, rest) = octets.as_flattened_mut().split_at_mut(list.len());
        used.copy_from_slice(list);
        rest.fill(self.padding);
        if 8 * self.unused > self.arena.len() {
            self.compact();
        }
    }

    /// Extends the arena. A full arena grows by an eighth, as doubling would waste memory.
    fn grow(&mut self, octets: usize) {
        if self.arena.capacity() - self.arena.len() < octets {
            self.arena.reserve_exact(octets.max(self.arena.len() / 8));
        }
        self.arena
            .resize(self.arena.len() + octets, [self.padding; LANES]);
    }

    /// Makes changes of lists, in any order. An id that has entered already does not enter twice: a pair of which both lists are
    /// new causes two edits.
    pub fn update(&mut self, edits: &[Edit], slot_of: impl Fn(u32) -> usize) {
        let mut of_long_lists = Vec::new();
        run(Update {
            shard: self,
            edits,
            slot_of: &slot_of,
            of_long_lists: &mut of_long_lists,
        });
        of_long_lists.sort_unstable();
        let mut merged = Vec::new();
        for edits in of_long_lists.chunk_by(|a, b| a.id == b.id) {
            self.merge(slot_of(edits[0].id), edits, &mut merged);
        }
    }

    /// Makes all changes of one list at once. The edits must be sorted.
    fn merge(&mut self, slot: usize, edits: &[Edit], merged: &mut Vec<u32>) {
        merged.clear();
        let mut rest = self.list(slot);
        for edit in edits {
            let kept = rest.partition_point(|&id| id < edit.other);
            merged.extend_from_slice(&rest[..kept]);
            rest = &rest[kept..];
            if rest.first() == Some(&edit.other) {
                rest = &rest[1..];
            }
            if edit.enters {
                merged.push(edit.other);
            }
        }
        merged.extend_from_slice(rest);
        self.write(slot, merged);
    }

    /// Makes one change in the octets of the list.
    #[inline(always)]
    fn edit(&mut self, slot: usize, edit: Edit) {
        let Span { first, octets, len } = self.spans[slot];
        let (first, len) = (first as usize, len as usize);
        let list = &mut self.arena[first..first + octets as usize];
        let used = len.div_ceil(LANES);
        assert!(edit.other < self.padding, "a list holds an unknown id");
        match (edit.enters, contains(&list[..used], edit.other)) {
            (true, false) => {
                let needed = (len + 1).div_ceil(LANES);
                if needed > list.len() {
                    let mut longer = list[..used].to_vec();
                    longer.push([self.padding; LANES]);
                    insert(&mut longer, edit.other);
                    self.write(slot, &longer.as_flattened()[..=len]);
                    return;
                }
                // The entries of a new octet are undefined.
                list[used..needed].fill([self.padding; LANES]);
                insert(&mut list[..needed], edit.other);
                self.spans[slot].len += 1;
            }
            (false, true) => {
                remove(&mut list[..used], edit.other, self.padding);
                self.spans[slot].len -= 1;
            }
            _ => {}
        }
    }

    /// Moves the lists together.
    fn compact(&mut self) {
        let mut arena = Vec::with_capacity(self.arena.len() - self.unused);
        for span in &mut self.spans {
            span.octets = span.len.div_ceil(LANES as u32);
            let old = span.first as usize..(span.first + span.octets) as usize;
            span.first = arena.len() as u32;
            arena.extend_from_slice(&self.arena[old]);
        }
        self.arena = arena;
        self.unused = 0;
    }

    /// Panics unless every list is sorted and padded, and no two overlap.
    pub fn assert_well_formed(&self) {
        let mut owned = 0;
        for slot in 0..self.spans.len() {
            let list = self.list(slot);
            assert!(list.is_sorted_by(|a, b| a < b), "list {slot} is not sorted");
            let padding = &self.octets(slot).as_flattened()[list.len()..];
            assert!(padding.iter().all(|&id| id == self.padding));
            owned += self.spans[slot].octets as usize;
        }
        assert_eq!(owned + self.unused, self.arena.len());
    }
}

/// Makes the edits of short lists and collects those of long lists.
struct Update<'a, F> {
    shard: &'a mut Shard,
    edits: &'a [Edit],
    slot_of: &'a F,
    of_long_lists: &'a mut Vec<Edit>,
}

impl<F: Fn(u32) -> usize> Kernel for Update<'_, F> {
    type Output = ();

    #[inline(always)]
    fn compute<L: Lanes>(self, _: L) {
        let Self {
            shard,
            edits,
            slot_of,
            of_long_lists,
        } = self;
        for (k, &edit) in edits.iter().enumerate() {
            if let Some(ahead) = edits.get(k + EDITS_AHEAD) {
                prefetch(shard.octets(slot_of(ahead.id)), EDITED_LINES);
            }
            let slot = slot_of(edit.id);
            if shard.spans[slot].len as usize > SHORT_LIST {
                of_long_lists.push(edit);
            } else {
                shard.edit(slot, edit);
            }
        }
    }
}

/// Returns whether a list contains an id.
#[inline(always)]
fn contains(list: &[Octet], id: u32) -> bool {
    let mut equal = [false; LANES];
    for octet in list {
        for lane in 0..LANES {
            equal[lane] |= octet[lane] == id;
        }
    }
    equal != [false; LANES]
}

/// Inserts an id into a sorted list, whose last entry is padding and drops out.
#[inline(always)]
fn insert(list: &mut [Octet], id: u32) {
    for k in (0..list.len()).rev() {
        let octet = list[k];
        let before = if k > 0 { list[k - 1][LANES - 1] } else { 0 };
        let mut shifted = [before; LANES];
        shifted[1..].copy_from_slice(&octet[..LANES - 1]);
        for lane in 0..LANES {
            list[k][lane] = octet[lane].min(shifted[lane].max(id));
        }
    }
}

/// Removes an id from a sorted list that contains it.
#[inline(always)]
fn remove(list: &mut [Octet], id: u32, padding: u32) {
    for k in 0..list.len() {
        let octet = list[k];
        let mut shifted = [list.get(k + 1).map_or(padding, |next| next[0]); LANES];
        shifted[..LANES - 1].copy_from_slice(&octet[1..]);
        for lane in 0..LANES {
            let is_kept = octet[lane] < id;
            list[k][lane] = if is_kept { octet[lane] } else { shifted[lane] };
        }
    }
}
