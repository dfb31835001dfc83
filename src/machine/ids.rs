//! Sorted ids: all below a number, or those of a part.

use std::{borrow::Cow, ops::Range};

use rayon::{iter::Either, prelude::*};

use super::{parallel::Erase, sorted::write_sorted};

/// Items that one task writes at least.
const TASK: usize = 512;

/// Ids of a part.
const PART: usize = 1 << 16;

/// The ids of the spheres that one process has.
#[derive(Clone, Debug)]
pub(crate) enum Ids {
    /// All below a number.
    All(u32),
    /// Some of them, sorted.
    Some(Vec<u32>),
}

impl Ids {
    /// Returns the number of ids.
    pub fn len(&self) -> usize {
        match self {
            Self::All(n) => *n as usize,
            Self::Some(ids) => ids.len(),
        }
    }

    /// Returns the `k`-th id.
    #[inline]
    pub fn get(&self, k: usize) -> u32 {
        match self {
            Self::All(_) => k as u32,
            Self::Some(ids) => ids[k],
        }
    }

    /// Returns all ids.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.within(0..u32::MAX)
    }

    /// Returns all ids, for several threads.
    pub fn par_iter(&self) -> impl IndexedParallelIterator<Item = u32> + use<'_> {
        match self {
            Self::All(n) => Either::Left((0..*n).into_par_iter()),
            Self::Some(ids) => Either::Right(ids.par_iter().erased().copied()),
        }
    }

    /// Returns the ids in a range.
    pub fn within(&self, range: Range<u32>) -> impl Iterator<Item = u32> + '_ {
        let place = |id: u32| match self {
            Self::All(n) => id.min(*n) as usize,
            Self::Some(ids) => ids.partition_point(|&other| other < id),
        };
        (place(range.start)..place(range.end)).map(|k| self.get(k))
    }

    /// Returns the items of these ids in a table.
    pub fn of<'a, T: Copy + Send + Sync>(&self, table: &'a [T]) -> Cow<'a, [T]> {
        match self {
            Self::All(n) => Cow::Borrowed(&table[..*n as usize]),
            Self::Some(ids) => ids.iter().map(|&id| table[id as usize]).collect(),
        }
    }

    /// Returns all ids in parts, so that numbers for them take little memory.
    pub fn parts(&self) -> impl Iterator<Item = Vec<u32>> + '_ {
        let starts = (0..self.len()).step_by(PART);
        starts.map(|start| {
            let end = self.len().min(start + PART);
            (start..end).map(|k| self.get(k)).collect()
        })
    }

    /// Calls `write` for the item of each id in a table.
    pub fn write<T: Send>(&self, table: &mut [T], write: impl Fn(u32, &mut T) + Sync) {
        match self {
            Self::All(n) => {
                let items = table[..*n as usize].par_iter_mut().enumerate();
                let items = items.with_min_len(TASK).erased();
                items.for_each(|(id, item)| write(id as u32, item));
            }
            Self::Some(ids) => write_sorted(table, ids, |item, k| write(ids[k], item)),
        }
    }
}
