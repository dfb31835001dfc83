//! The lists of some spheres with neighbouring ids, in one arena.

use super::Block;
use crate::{machine::instructions::LANES, machine::prefetch::prefetch};

/// Where the list of one sphere lies in the arena.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    first: u32,
    /// Blocks that the list may fill before it must move.
    blocks: u32,
    len: u32,
}

/// A change to the list of `id`: `other` enters it or is struck off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edit {
    pub id: u32,
    pub other: u32,
    pub enters: bool,
}

/// Cache lines of a list that are fetched ahead, at most.
pub(super) const LINES: usize = 6;

/// Lists are fetched so many edits before they are mended.
const LOOK_AHEAD: usize = 8;

/// Up to this length of a list every edit is made by itself.
const SHORT: usize = 128;

/// Lists numbered from 0, each sorted and padded to whole blocks.
///
/// A list that outgrows its place moves to the end of the arena; once an eighth of the arena is deserted the lists are laid out
/// anew. They then lie in the order of their numbers, which is about the order in which they are read.
#[derive(Debug)]
pub(super) struct Shard {
    spans: Vec<Span>,
    arena: Vec<Block>,
    /// Blocks of the arena that belong to no list.
    deserted: usize,
    padding: u32,
}

impl Shard {
    /// So many empty lists.
    pub fn new(lists: usize, padding: u32) -> Self {
        Self {
            spans: vec![Span::default(); lists],
            arena: Vec::new(),
            deserted: 0,
            padding,
        }
    }

    #[inline]
    pub fn list(&self, place: usize) -> &[u32] {
        let span = self.spans[place];
        &self.blocks(place).as_flattened()[..span.len as usize]
    }

    #[inline]
    pub fn blocks(&self, place: usize) -> &[Block] {
        let span = self.spans[place];
        let used = (span.len as usize).div_ceil(LANES);
        &self.arena[span.first as usize..span.first as usize + used]
    }

    pub fn bytes(&self) -> usize {
        self.arena.capacity() * size_of::<Block>() + self.spans.capacity() * size_of::<Span>()
    }

    /// Empties the arena: every list must be written anew, with no use of the old ones.
    pub fn clear(&mut self) {
        self.arena.clear();
        self.deserted = 0;
        self.spans.fill(Span::default());
    }

    /// Gives memory back that longer lists have been in need of.
    pub fn shrink(&mut self) {
        if self.arena.capacity() > self.arena.len() / 2 * 3 {
            self.arena.shrink_to(self.arena.len() / 8 * 9);
        }
    }

    /// Overwrites a list.
    pub fn write(&mut self, place: usize, list: &[u32]) {
        let needed = list.len().div_ceil(LANES) as u32;
        let mut span = self.spans[place];
        if needed > span.blocks {
            self.deserted += span.blocks as usize;
            // Short lists grow block by block, long ones by an eighth, so that moves stay rare.
            span.blocks = needed + needed / 8;
            span.first = self.arena.len() as u32;
            self.grow(span.blocks as usize);
        }
        span.len = list.len() as u32;
        self.spans[place] = span;
        let room = &mut self.arena[span.first as usize..(span.first + needed) as usize];
        let (used, rest) = room.as_flattened_mut().split_at_mut(list.len());
        used.copy_from_slice(list);
        rest.fill(self.padding);
        if 8 * self.deserted > self.arena.len() {
            self.compact();
        }
    }

    /// Lengthens the arena, by an eighth at a time where it is full: doubling would waste memory.
    fn grow(&mut self, blocks: usize) {
        if self.arena.capacity() - self.arena.len() < blocks {
            self.arena.reserve_exact(blocks.max(self.arena.len() / 8));
        }
        self.arena
            .resize(self.arena.len() + blocks, [self.padding; LANES]);
    }

    /// Makes changes to lists, in any order. What has entered already does not enter twice: a pair of which both lists are new
    /// meets twice.
    pub fn mend(&mut self, edits: &[Edit], place_of: impl Fn(u32) -> usize) {
        let mut of_long_lists = Vec::new();
        for (k, &edit) in edits.iter().enumerate() {
            if let Some(ahead) = edits.get(k + LOOK_AHEAD) {
                prefetch(self.blocks(place_of(ahead.id)), LINES);
            }
            let place = place_of(edit.id);
            if self.spans[place].len as usize > SHORT {
                of_long_lists.push(edit);
            } else {
                self.edit(place, edit);
            }
        }
        of_long_lists.sort_unstable();
        let mut merged = Vec::new();
        for edits in of_long_lists.chunk_by(|a, b| a.id == b.id) {
            self.merge(place_of(edits[0].id), edits, &mut merged);
        }
    }

    /// Makes all the changes to one list at a time; they are sorted.
    fn merge(&mut self, place: usize, edits: &[Edit], merged: &mut Vec<u32>) {
        merged.clear();
        let mut rest = self.list(place);
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
        self.write(place, merged);
    }

    /// Makes one change in place.
    fn edit(&mut self, place: usize, edit: Edit) {
        let Span { first, blocks, len } = self.spans[place];
        let (room, len) = (blocks as usize * LANES, len as usize);
        let arena = self.arena.as_flattened_mut();
        let list = &mut arena[first as usize * LANES..][..room];
        let used = &list[..len.next_multiple_of(LANES)];
        let at: usize = used.iter().map(|&id| usize::from(id < edit.other)).sum();
        let present = at < len && list[at] == edit.other;
        match (edit.enters, present) {
            (true, false) if len < room => {
                list.copy_within(at..len, at + 1);
                list[at] = edit.other;
                // A new block begins with garbage.
                list[len + 1..(len + 1).next_multiple_of(LANES)].fill(self.padding);
                self.spans[place].len += 1;
            }
            (true, false) => {
                let mut longer = Vec::with_capacity(len + 1);
                longer.extend_from_slice(&list[..at]);
                longer.push(edit.other);
                longer.extend_from_slice(&list[at..len]);
                self.write(place, &longer);
            }
            (false, true) => {
                list.copy_within(at + 1..len, at);
                list[len - 1] = self.padding;
                self.spans[place].len -= 1;
            }
            _ => {}
        }
    }

    /// Lays the lists out one behind the other.
    fn compact(&mut self) {
        let mut arena = Vec::with_capacity(self.arena.len() - self.deserted);
        for span in &mut self.spans {
            span.blocks = span.len.div_ceil(LANES as u32);
            let old = span.first as usize..(span.first + span.blocks) as usize;
            span.first = arena.len() as u32;
            arena.extend_from_slice(&self.arena[old]);
        }
        self.arena = arena;
        self.deserted = 0;
    }

    /// Panics unless every list is sorted and padded, and no two overlap.
    pub fn assert_well_formed(&self) {
        let mut owned = 0;
        for place in 0..self.spans.len() {
            let list = self.list(place);
            assert!(
                list.is_sorted_by(|a, b| a < b),
                "list {place} is not sorted"
            );
            let padding = &self.blocks(place).as_flattened()[list.len()..];
            assert!(padding.iter().all(|&id| id == self.padding));
            owned += self.spans[place].blocks as usize;
        }
        assert_eq!(owned + self.deserted, self.arena.len());
    }
}
