//! The lists of some spheres with neighbouring ids, in one arena.

use super::{Block, LANES};

/// Where the list of one sphere lies in the arena.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    first: u32,
    /// Blocks that the list may fill before it must move.
    blocks: u32,
    len: u32,
}

/// A change to a list: `other` enters it or is struck off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edit {
    pub id: u32,
    pub other: u32,
    pub enters: bool,
}

/// Lists numbered from 0, each sorted and padded to whole blocks.
///
/// A list that outgrows its place moves to the end of the arena; once half of the arena is deserted the lists are laid out anew.
/// They then lie in the order of their numbers, which is about the order in which they are read.
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
        if 2 * self.deserted > self.arena.len() {
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

    /// Makes the changes to one list; `edits` are sorted. What has entered already does not enter twice: a pair that is looked up
    /// together meets twice.
    pub fn mend(&mut self, place: usize, edits: &[Edit], merged: &mut Vec<u32>) {
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

    /// Lays the lists out one behind the other.
    fn compact(&mut self) {
        let mut arena = Vec::with_capacity(self.arena.len() - self.deserted);
        for span in &mut self.spans {
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
