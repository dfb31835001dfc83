//! The part of the spheres that one rank holds: its own ones, and copies of those that may touch them.

use super::{
    holders::{Holder, Holders},
    record::PER_MESSAGE,
    regions::Regions,
};
use crate::{
    machine::{ids::Ids, ranks::Ranks, sorted::update_sorted},
    rearrange::{order::VisitOrder, setup::Radii},
};

/// The spheres of this rank, and the other ranks. One process is one rank without others, which owns all spheres.
///
/// A rank owns the spheres of its blocks: it visits and refreshes them. It holds copies of the spheres of other ranks that may
/// intersect its own ones, on the same level and on coarser ones. Of finer levels it holds the spheres that intersect, which their
/// owners find, because they hold copies of the larger spheres.
///
/// Arrays by sphere have the length of all spheres, but only their pages with held spheres take memory.
pub(in crate::rearrange) struct Halo {
    pub ranks: Ranks,
    pub regions: Regions,
    /// The own spheres, sorted.
    pub own: Ids,
    /// By sphere, one more than its owner; 0 for spheres that are not held. Empty if this rank owns all.
    owner: Vec<u32>,
    /// Held spheres of other ranks, sorted.
    pub(super) copies: Vec<u32>,
    /// Spheres whose owner changed since `own` and `copies` were listed.
    moved: Vec<u32>,
    pub(super) holders: Holders,
    /// The messages at the end of each color of the last sweep.
    pub(super) plan: Vec<ColorMessages>,
}

/// The messages at the end of one color.
#[derive(Debug, Default)]
pub(super) struct ColorMessages {
    /// For each receiver, the own spheres of the color that it holds.
    pub outgoing: Vec<(usize, Vec<u32>)>,
    /// The blocks of these spheres, sorted.
    pub blocks: Vec<u32>,
    /// The ranks of which this one holds spheres of the color.
    pub senders: Vec<usize>,
}

impl ColorMessages {
    /// Empties all messages, but keeps their memory.
    fn clear(&mut self) {
        self.senders.clear();
        self.blocks.clear();
        self.outgoing.iter_mut().for_each(|(_, ids)| ids.clear());
    }

    fn send(&mut self, Holder { id, rank }: Holder, block: u32) {
        let rank = rank as usize;
        if self.blocks.last() != Some(&block) {
            self.blocks.push(block);
        }
        match self.outgoing.iter_mut().find(|(to, _)| *to == rank) {
            Some((_, ids)) => ids.push(id),
            None => self.outgoing.push((rank, vec![id])),
        }
    }

    fn receive(&mut self, sender: usize) {
        if !self.senders.contains(&sender) {
            self.senders.push(sender);
        }
    }
}

impl Halo {
    /// Creates a halo without spheres.
    pub fn new(ranks: Ranks) -> Self {
        Self {
            ranks,
            regions: Regions::default(),
            own: Ids::All(0),
            owner: Vec::new(),
            copies: Vec::new(),
            moved: Vec::new(),
            holders: Holders::default(),
            plan: Vec::new(),
        }
    }

    /// Returns the number of this rank.
    pub(super) fn rank(&self) -> usize {
        self.ranks.rank()
    }

    /// Returns the number of messages in which every rank can send its spheres, of which this one has `len`.
    pub(super) fn rounds(&self, len: usize) -> u64 {
        self.ranks.largest(len.div_ceil(PER_MESSAGE) as f64) as u64
    }

    /// Forgets all spheres.
    pub(super) fn clear(&mut self, regions: Regions) {
        *self = Self {
            regions,
            ..Self::new(self.ranks.clone())
        };
    }

    /// Lets this rank own all of `n` spheres, without other ranks.
    pub(super) fn own_all(&mut self, n: usize) {
        self.own = Ids::All(n as u32);
    }

    /// Prepares for `n` spheres, of which this rank owns none yet.
    pub(super) fn own_none(&mut self, n: usize) {
        (self.own, self.owner) = (Ids::Some(Vec::new()), vec![0; n]);
    }

    /// Returns the owner of a held sphere.
    pub(super) fn owner(&self, id: u32) -> usize {
        let owner = self.owner.get(id as usize);
        owner.map_or(0, |&owner| owner as usize - 1)
    }

    /// Returns whether this rank owns all spheres.
    pub fn holds_all(&self) -> bool {
        matches!(self.own, Ids::All(_))
    }

    /// Returns whether this rank owns a sphere.
    pub fn owns(&self, id: u32) -> bool {
        let owner = self.owner.get(id as usize);
        owner.is_none_or(|&owner| owner as usize == self.rank() + 1)
    }

    /// Returns whether this rank holds a sphere.
    pub(super) fn holds(&self, id: u32) -> bool {
        self.owner.get(id as usize).is_none_or(|&owner| owner != 0)
    }

    /// Returns the other ones among some ranks as holders of an own sphere.
    pub(super) fn other_holders(
        &self,
        id: u32,
        ranks: impl Iterator<Item = usize>,
    ) -> impl Iterator<Item = Holder> {
        let own = self.rank();
        ranks
            .filter(move |&rank| rank != own)
            .map(move |rank| Holder {
                id,
                rank: rank as u32,
            })
    }

    /// Returns the held spheres.
    pub(super) fn held(&self) -> Ids {
        let mut held = self.own.clone();
        if let Ids::Some(held) = &mut held {
            held.extend(&self.copies);
            // Two sorted runs are merged.
            held.sort();
        }
        held
    }

    /// Returns the exact radii of the spheres with these numbers of the caller, of `n` spheres.
    pub fn radii_of(&self, numbers: &[u32], n: usize, radii: &Radii) -> Vec<f64> {
        let first = self.ranks.share(n).start;
        let own = |number: usize| radii.exact(number - first);
        self.ranks
            .fetch(own, |number| self.ranks.rank_of(number, n), numbers)
    }

    /// Returns by id the exact radii of the held spheres, whose numbers of the caller are `original`, among `n` numbers. `None` if this
    /// rank has all `radii`, so that no copy is needed.
    pub fn radii_of_held(&self, original: &[u32], n: usize, radii: &Radii) -> Option<Vec<f64>> {
        if self.holds_all() {
            return None;
        }
        let held = self.held();
        let numbers = held.of(original);
        let mut by_id: Vec<f64> = bytemuck::zeroed_vec(original.len());
        for (id, radius) in held.iter().zip(self.radii_of(&numbers, n, radii)) {
            by_id[id as usize] = radius;
        }
        Some(by_id)
    }

    /// Notes the owner of a sphere. [`Self::list_held`] must follow.
    pub(super) fn set_owner(&mut self, id: u32, owner: u32) {
        // One more than `Record::NO_OWNER` is 0.
        let owner = owner.wrapping_add(1);
        if self.owner[id as usize] != owner {
            self.owner[id as usize] = owner;
            self.moved.push(id);
        }
    }

    /// Removes all copies, and returns them.
    pub(super) fn take_copies(&mut self) -> Vec<u32> {
        let copies = std::mem::take(&mut self.copies);
        for &id in &copies {
            self.owner[id as usize] = 0;
        }
        self.holders.clear();
        copies
    }

    /// Lists own spheres and copies after changes of owners.
    pub(super) fn list_held(&mut self) {
        let mut moved = std::mem::take(&mut self.moved);
        moved.sort_unstable();
        moved.dedup();
        let (owner, own) = (&self.owner, self.ranks.rank() as u32 + 1);
        let is = |holds: fn(u32, u32) -> bool| {
            moved
                .iter()
                .map(move |&id| (id, holds(owner[id as usize], own)))
        };
        if let Ids::Some(ids) = &mut self.own {
            update_sorted(ids, is(|owner, own| owner == own));
        }
        update_sorted(
            &mut self.copies,
            is(|owner, own| owner != 0 && owner != own),
        );
    }

    /// Plans the messages of all colors, in the memory of the last plan.
    pub(super) fn plan(&mut self, order: &VisitOrder) -> Vec<ColorMessages> {
        let mut plan = std::mem::take(&mut self.plan);
        let mut color_of: Vec<usize> = Vec::new();
        for (color, blocks) in order.colors().enumerate() {
            color_of.resize(blocks.end as usize, color);
        }
        let colors = color_of.last().map_or(0, |last| last + 1);
        plan.resize_with(colors, ColorMessages::default);
        plan.iter_mut().for_each(ColorMessages::clear);
        for &holder in self.holders.all() {
            let block = order.block(holder.id);
            plan[color_of[block as usize]].send(holder, block);
        }
        for &id in &self.copies {
            plan[color_of[order.block(id) as usize]].receive(self.owner(id));
        }
        for messages in &mut plan {
            messages.outgoing.retain(|(_, ids)| !ids.is_empty());
            messages.blocks.sort_unstable();
            messages.blocks.dedup();
        }
        plan
    }
}
