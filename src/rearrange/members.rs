//! The members of every block.

use rayon::prelude::*;

use super::block_graph::Lists;
use crate::machine::{
    ids::Ids,
    parallel::Erase,
    sorted::{update_sorted, with_number},
    trace::{shared, task},
};

/// Spheres that one task sorts by their blocks at least.
const TASK: usize = 1 << 14;

/// Most tasks that sort spheres by their blocks.
const MOST_TASKS: usize = 128;

/// A sphere that enters or leaves a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Crossing {
    pub block: u32,
    pub id: u32,
    pub enters: bool,
}

/// Returns how a sphere leaves a block, or enters one, or both; nothing if it stays.
pub(super) fn crossings(
    id: u32,
    from: Option<u32>,
    to: Option<u32>,
) -> impl Iterator<Item = Crossing> {
    let crossing = move |block, enters| Crossing { block, id, enters };
    let left = from.map(|block| crossing(block, false));
    let entered = to.map(|block| crossing(block, true));
    left.into_iter().chain(entered).filter(move |_| from != to)
}

/// The spheres of every block, sorted by id.
#[derive(Clone, Debug)]
pub(super) struct Members {
    blocks: Vec<Vec<u32>>,
}

impl Members {
    /// Creates blocks without spheres.
    pub fn new(blocks: usize) -> Self {
        Self {
            blocks: vec![Vec::new(); blocks],
        }
    }

    /// Returns the spheres of a block.
    pub fn of(&self, block: u32) -> &[u32] {
        &self.blocks[block as usize]
    }

    /// Lists the spheres `ids`, of which sphere `id` belongs to `block_of[id]`.
    pub fn list(&mut self, ids: &Ids, block_of: &[u32]) {
        match ids {
            Ids::All(_) => self.list_all(block_of),
            Ids::Some(ids) => {
                self.blocks.iter_mut().for_each(Vec::clear);
                for &id in ids {
                    self.blocks[block_of[id as usize] as usize].push(id);
                }
            }
        }
    }

    fn list_all(&mut self, block_of: &[u32]) {
        let len = block_of.len().div_ceil(MOST_TASKS).max(TASK);
        let blocks = self.blocks.len();
        // In each block, the spheres are sorted by id.
        let sorted = |(k, part): (usize, &[u32])| {
            let entries = part.iter().enumerate();
            let entries = entries.map(|(i, &block)| (block, (k * len + i) as u32));
            task(|| Lists::new(blocks, entries))
        };
        shared("members of blocks", || {
            let parts = block_of.par_chunks(len).enumerate().erased();
            let parts: Vec<Lists> = parts.map(sorted).collect();
            self.blocks
                .par_iter_mut()
                .enumerate()
                .erased()
                .for_each(|(block, members)| {
                    members.clear();
                    let parts = || parts.iter().map(|part| part.list(block as u32));
                    members.reserve_exact(parts().map(<[u32]>::len).sum());
                    parts().for_each(|part| members.extend_from_slice(part));
                });
        });
    }

    /// Lets spheres enter and leave blocks.
    pub fn change(&mut self, mut crossings: Vec<Crossing>) {
        if crossings.is_empty() {
            return;
        }
        shared("members of blocks", || {
            crossings.par_sort_unstable();
            let blocks = self.blocks.par_iter_mut().enumerate().erased();
            blocks.for_each(|(block, members)| {
                let crossings = with_number(&crossings, block, |crossing| crossing.block as usize);
                let changes = crossings.iter();
                update_sorted(members, changes.map(|change| (change.id, change.enters)));
            });
        });
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;

    const N: u32 = 5 * TASK as u32 + 77;
    const BLOCKS: u32 = 300;

    fn assert_members(members: &Members, block_of: &[u32]) {
        for block in 0..BLOCKS {
            let expected: Vec<u32> = (0..N)
                .filter(|&id| block_of[id as usize] == block)
                .collect();
            assert_eq!(members.of(block), expected, "block {block}");
        }
    }

    #[test]
    fn members_follow_all_crossings() {
        let mut rng = Pcg64::seed_from_u64(4);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
        pool.unwrap().install(|| {
            let mut block_of: Vec<u32> = (0..N).map(|_| rng.random_range(7..BLOCKS)).collect();
            let mut members = Members::new(BLOCKS as usize);
            members.list_all(&block_of);
            assert_members(&members, &block_of);
            for step in [3, 1000] {
                let mut crossings = Vec::new();
                for id in (0..N).rev().step_by(step) {
                    let from = block_of[id as usize];
                    let to = (from + 1 + rng.random_range(0..3)) % BLOCKS;
                    block_of[id as usize] = to;
                    crossings.extend([(from, false), (to, true)].map(|(block, enters)| Crossing {
                        block,
                        id,
                        enters,
                    }));
                }
                members.change(crossings);
                assert_members(&members, &block_of);
            }
            members.list_all(&block_of);
            assert_members(&members, &block_of);
        });
    }
}
