//! The visits of a sweep, color by color, with messages in between.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;

use super::{
    halo::{ColorMessages, Halo},
    record::Moved,
};
use crate::{
    machine::{
        ranks::{Ranks, from_bytes, to_bytes},
        trace::shared,
    },
    rearrange::{
        moves::relocation::{BlockOutcome, Overlaps},
        state::State,
    },
};

/// The visit of one rank's blocks in a sweep.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
struct RankOutcome {
    relocations: u64,
    largest: f64,
}

/// The sum of the relative overlaps that the visit of a block found.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct BlockTotal {
    block: u64,
    total: f64,
}

impl State {
    /// Visits the own blocks color by color. Returns the overlaps and relocations of all ranks, and the own stale spheres.
    pub(in crate::rearrange) fn visit_colors(
        &mut self,
        halo: &mut Halo,
        relaxation: f32,
    ) -> BlockOutcome {
        halo.plan(&self.order);
        let colors: Vec<Range<u32>> = self.order.colors().collect();
        let mut visited = Vec::new();
        for (color, messages) in colors.into_iter().zip(&halo.plan) {
            visited.extend(self.visit_part(&messages.blocks, relaxation));
            let moved = self.moved(messages);
            let others = |block: &u32| messages.blocks.binary_search(block).is_err();
            let others: Vec<u32> = color.filter(others).collect();
            // Other ranks need not wait for these blocks, nor these blocks for other ranks.
            let mut work = || visited.extend(self.visit_part(&others, relaxation));
            let received = (halo.ranks).exchange_and_work(&moved, &messages.senders, &mut work);
            self.take_over_moved(&received);
        }
        sum_of(&halo.ranks, visited)
    }

    /// Visits blocks of one color.
    fn visit_part(&mut self, blocks: &[u32], relaxation: f32) -> Vec<(u32, BlockOutcome)> {
        let visit = self.sweep_visit(relaxation);
        let order = &visit.state.order;
        shared("visits", || {
            let blocks = blocks.par_iter().copied();
            blocks
                .filter(|&block| !order.members(block).is_empty())
                .map(|block| (block, visit.block(block)))
                .collect()
        })
    }

    /// Returns the positions of own spheres that a color may have moved, for the ranks that hold copies. A sphere that was moved is
    /// active.
    fn moved(&self, messages: &ColorMessages) -> Vec<(usize, Vec<u8>)> {
        let moved = |&id: &u32| {
            let at = self.points.sphere_at_start(id).at;
            self.activity.is_active(id).then_some(Moved { id, at })
        };
        let message = |(rank, ids): &(usize, Vec<u32>)| {
            let mut bytes = Vec::with_capacity(ids.len() * size_of::<Moved>());
            for moved in ids.iter().filter_map(moved) {
                bytes.extend_from_slice(bytemuck::bytes_of(&moved));
            }
            (*rank, bytes)
        };
        messages.outgoing.iter().map(message).collect()
    }

    /// Takes over the positions of copies. A copy that may have been moved makes its neighbors active, as the visit does on its owner.
    fn take_over_moved(&mut self, messages: &[Vec<u8>]) {
        let moved = (messages.iter()).flat_map(|message| message.chunks_exact(size_of::<Moved>()));
        for Moved { id, at } in moved.map(bytemuck::pod_read_unaligned) {
            self.points.set_position(id, at);
            self.activate_neighbors(id);
        }
    }
}

/// Returns the overlaps and relocations of the visits on all ranks, and the own stale spheres.
fn sum_of(ranks: &Ranks, visited: Vec<(u32, BlockOutcome)>) -> BlockOutcome {
    let mut own = RankOutcome::default();
    let (mut totals, mut stale) = (Vec::new(), Vec::new());
    for (block, outcome) in visited {
        own.relocations += outcome.relocations;
        own.largest = own.largest.max(outcome.overlaps.largest);
        totals.push(BlockTotal {
            block: block.into(),
            total: outcome.overlaps.total,
        });
        stale.extend(outcome.stale);
    }
    let outcome = all_overlaps(ranks, own, &totals);
    BlockOutcome { stale, ..outcome }
}

/// Returns the overlaps and relocations of all ranks. Overlaps are added in the order of the blocks.
fn all_overlaps(ranks: &Ranks, own: RankOutcome, totals: &[BlockTotal]) -> BlockOutcome {
    let message = [to_bytes(&[own]), to_bytes(totals)].concat();
    let mut outcome = BlockOutcome::default();
    let mut totals = Vec::new();
    for message in ranks.all_gather(&message) {
        let (rank, blocks) = message.split_at(size_of::<RankOutcome>());
        for RankOutcome {
            relocations,
            largest,
        } in from_bytes(rank)
        {
            outcome.relocations += relocations;
            outcome.overlaps.largest = outcome.overlaps.largest.max(largest);
        }
        totals.extend(from_bytes::<BlockTotal>(blocks));
    }
    totals.sort_unstable_by_key(|total| total.block);
    let total = totals.iter().fold(0.0, |sum, block| sum + block.total);
    outcome.overlaps = Overlaps {
        total,
        ..outcome.overlaps
    };
    outcome
}
