//! The visits of a sweep on ranks.

use std::{
    ops::Range,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;

use super::{
    domain::{Domain, PhaseMessages},
    record::{Moved, from_bytes, to_bytes},
};
use crate::rearrange::{
    state::State,
    sweep::{BlockOutcome, Overlaps},
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
    /// Visits the own blocks phase by phase. Returns the overlaps and relocations of all ranks, and the own stale spheres.
    pub(in crate::rearrange) fn visit_on_ranks(&mut self, relaxation: f32) -> BlockOutcome {
        let Some(domain) = self.domain.take() else {
            return BlockOutcome::default();
        };
        let phases: Vec<Range<u32>> = self.order.phases().collect();
        let mut own = RankOutcome::default();
        let (mut totals, mut stale) = (Vec::new(), Vec::new());
        for (phase, messages) in phases.into_iter().zip(&domain.plan) {
            for (block, outcome) in self.visit_phase(phase, relaxation) {
                own.relocations += outcome.relocations;
                own.largest = own.largest.max(outcome.overlaps.largest);
                totals.push(BlockTotal {
                    block: block.into(),
                    total: outcome.overlaps.total,
                });
                stale.extend(outcome.stale);
            }
            self.share_moved(&domain, messages);
        }
        let outcome = all_overlaps(&domain, own, &totals);
        self.domain = Some(domain);
        BlockOutcome { stale, ..outcome }
    }

    /// Visits the own blocks of one phase.
    fn visit_phase(&mut self, phase: Range<u32>, relaxation: f32) -> Vec<(u32, BlockOutcome)> {
        let visit = self.sweep_visit(relaxation);
        let order = &visit.state.order;
        phase
            .into_par_iter()
            .filter(|&block| !order.members(block).is_empty())
            .map(|block| (block, visit.block(block)))
            .collect()
    }

    /// Sends the positions of own spheres that this phase may have moved to the ranks that hold copies, and receives those of others.
    ///
    /// A sphere that was moved is active. A copy that may have been moved makes its neighbours active, as the visit does on its owner.
    fn share_moved(&mut self, domain: &Domain, messages: &PhaseMessages) {
        let moved = |&id: &u32| {
            let may_have_moved = |active: &Vec<AtomicBool>| active[id as usize].load(Relaxed);
            let at = self.points[id as usize].at;
            let is_sent = self.active.as_ref().is_none_or(may_have_moved);
            is_sent.then_some(Moved { id, at })
        };
        let outgoing: Vec<(usize, Vec<u8>)> = messages
            .outgoing
            .iter()
            .map(|(&rank, ids)| {
                let moved: Vec<Moved> = ids.iter().filter_map(moved).collect();
                (rank, to_bytes(&moved))
            })
            .collect();
        let senders: Vec<usize> = messages.senders.iter().copied().collect();
        let received = domain.communicator.exchange(&outgoing, &senders);
        for Moved { id, at } in received.iter().flat_map(|message| from_bytes(message)) {
            self.points[id as usize].at = at;
            self.activate_neighbours(id);
        }
    }
}

/// Returns the overlaps and relocations of all ranks. Overlaps are added in the order of the blocks.
fn all_overlaps(domain: &Domain, own: RankOutcome, totals: &[BlockTotal]) -> BlockOutcome {
    let message = [to_bytes(&[own]), to_bytes(totals)].concat();
    let mut outcome = BlockOutcome::default();
    let mut totals = Vec::new();
    for message in domain.communicator.all_gather(&message) {
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
