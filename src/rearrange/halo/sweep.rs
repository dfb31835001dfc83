//! The visits of a sweep, color by color, with messages in between.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;

use super::{halo::ColorMessages, record::Moved};
use crate::{
    machine::{parallel::Erase, ranks::Ranks, trace::shared},
    rearrange::{
        moves::relocation::{BlockOutcome, Overlaps, SweepVisit},
        state::State,
    },
};

/// The visit of a block in a sweep, as a message to the other ranks.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct VisitedBlock {
    block: u64,
    relocations: u64,
    overlaps: Overlaps,
}

impl State {
    /// Visits the own blocks color by color. Returns the overlaps and relocations of all ranks, and the own stale spheres.
    pub(in crate::rearrange) fn visit_colors(
        &mut self,
        factor: f32,
        visit_block: impl Fn(u32, SweepVisit) -> BlockOutcome + Sync,
    ) -> BlockOutcome {
        let plan = self.halo.plan(&self.order);
        let ranks = self.halo.ranks.clone();
        let colors: Vec<Range<u32>> = self.order.colors().collect();
        let mut visited = Vec::new();
        for (color, messages) in colors.into_iter().zip(&plan) {
            visited.extend(self.visit_part(&messages.blocks, factor, &visit_block));
            let moved = self.moved(messages);
            let others = |block: &u32| messages.blocks.binary_search(block).is_err();
            let others: Vec<u32> = color.filter(others).collect();
            // Other ranks need not wait for these blocks, nor these blocks for other ranks.
            let mut work = || visited.extend(self.visit_part(&others, factor, &visit_block));
            let received = ranks.exchange_and_work(&moved, &messages.senders, &mut work);
            self.take_over_moved(&received);
        }
        self.halo.plan = plan;
        sum_of(&ranks, visited)
    }

    /// Visits blocks of one color.
    fn visit_part(
        &mut self,
        blocks: &[u32],
        factor: f32,
        visit_block: &(impl Fn(u32, SweepVisit) -> BlockOutcome + Sync),
    ) -> Vec<(u32, BlockOutcome)> {
        let visit = self.sweep_visit(factor);
        let order = &visit.state.order;
        shared("visits", || {
            let blocks = blocks.par_iter().erased().copied();
            blocks
                .filter(|&block| !order.members(block).is_empty())
                .map(|block| (block, visit_block(block, visit)))
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

/// Returns the overlaps and relocations of the visits on all ranks, and the own stale spheres. Overlaps are added in the order of the
/// blocks.
fn sum_of(ranks: &Ranks, visited: Vec<(u32, BlockOutcome)>) -> BlockOutcome {
    let mut sum = BlockOutcome::default();
    let mut own = Vec::with_capacity(visited.len());
    for (block, outcome) in visited {
        own.push(VisitedBlock {
            block: block.into(),
            relocations: outcome.relocations,
            overlaps: outcome.overlaps,
        });
        sum.stale.extend(outcome.stale);
    }
    let mut all = ranks.gather(own);
    all.sort_unstable_by_key(|visited| visited.block);
    for visited in all {
        sum.relocations += visited.relocations;
        sum.overlaps.add(visited.overlaps);
    }
    sum
}
