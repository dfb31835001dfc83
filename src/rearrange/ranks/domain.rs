//! The part of the spheres that one rank holds: its own ones, and copies of those that may touch them.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use super::{
    record::{PER_MESSAGE, Record, gather},
    regions::Regions,
};
use crate::{
    machine::{communicator::Communicator, messages::fetch},
    rearrange::order::VisitOrder,
};

/// The spheres of one rank.
///
/// A rank owns the spheres of its blocks: it visits and refreshes them. It holds copies of the spheres of other ranks that may
/// intersect its own ones, on the same level and on coarser ones. Of finer levels it holds the spheres that intersect, which their
/// owners find, because they hold copies of the larger spheres.
///
/// Arrays by sphere have the length of all spheres, but only their pages with held spheres take memory.
pub(in crate::rearrange) struct Domain {
    pub communicator: Arc<dyn Communicator>,
    pub(super) regions: Regions,
    /// The own spheres, rising.
    pub own: Vec<u32>,
    /// By sphere, one more than its owner; 0 for spheres that are not held.
    owner: Vec<u32>,
    /// Held spheres of other ranks.
    pub(super) copies: BTreeSet<u32>,
    /// The ranks, rising, that hold copies of an own sphere.
    pub(super) holders: BTreeMap<u32, Vec<usize>>,
    /// The messages at the end of each phase.
    pub(super) plan: Vec<PhaseMessages>,
}

/// The messages at the end of one phase.
#[derive(Clone, Debug, Default)]
pub(super) struct PhaseMessages {
    /// For each receiver, rising, the own spheres of the phase that it holds.
    pub outgoing: BTreeMap<usize, Vec<u32>>,
    /// The ranks of which this one holds spheres of the phase.
    pub senders: BTreeSet<usize>,
}

impl Domain {
    /// Creates a domain without spheres.
    pub fn new(communicator: Arc<dyn Communicator>) -> Self {
        Self {
            communicator,
            regions: Regions::default(),
            own: Vec::new(),
            owner: Vec::new(),
            copies: BTreeSet::new(),
            holders: BTreeMap::new(),
            plan: Vec::new(),
        }
    }

    /// Returns the number of this rank.
    pub fn rank(&self) -> usize {
        self.communicator.rank()
    }

    /// Returns the share of this rank of `len` items.
    pub fn share(&self, len: usize) -> Range<usize> {
        self.communicator.share(len)
    }

    /// Returns the rank in whose share of `len` items an item is.
    pub fn rank_of(&self, item: usize, len: usize) -> usize {
        item * self.communicator.ranks() / len
    }

    /// Returns the number of messages in which every rank can send its spheres, of which this one has `len`.
    pub(super) fn rounds(&self, len: usize) -> u64 {
        let own = len.div_ceil(PER_MESSAGE) as u64;
        let all = gather(&*self.communicator, &[own]);
        all.into_iter().fold(own, u64::max)
    }

    /// Forgets all spheres, for `n` new ones.
    pub(super) fn clear(&mut self, n: usize, regions: Regions) {
        self.regions = regions;
        self.own.clear();
        self.owner = vec![0; n];
        self.copies.clear();
        self.holders.clear();
    }

    /// Returns the owner of a held sphere.
    pub(super) fn owner(&self, id: u32) -> usize {
        self.owner[id as usize] as usize - 1
    }

    /// Returns whether this rank owns a sphere.
    pub fn owns(&self, id: u32) -> bool {
        self.owner[id as usize] as usize == self.rank() + 1
    }

    /// Returns whether this rank holds a sphere.
    pub(super) fn holds(&self, id: u32) -> bool {
        self.owner[id as usize] != 0
    }

    /// Sets the ranks, rising, that hold an own sphere; this rank may be among them.
    pub(super) fn set_holders(&mut self, id: u32, mut ranks: Vec<usize>) {
        ranks.retain(|&rank| rank != self.rank());
        if !ranks.is_empty() {
            self.holders.insert(id, ranks);
        }
    }

    /// Removes and returns the other ranks that hold an own sphere.
    pub(super) fn take_holders(&mut self, id: u32) -> Vec<usize> {
        self.holders.remove(&id).unwrap_or_default()
    }

    /// Adds a rank that holds an own sphere. Returns whether it did not hold it before.
    pub(super) fn add_holder(&mut self, id: u32, rank: usize) -> bool {
        let holders = self.holders.entry(id).or_default();
        match holders.binary_search(&rank) {
            Ok(_) => false,
            Err(position) => {
                holders.insert(position, rank);
                true
            }
        }
    }

    /// Returns marks of all spheres and one more; those of own spheres are set.
    pub fn all_active(&self) -> Vec<AtomicBool> {
        let active: Vec<AtomicBool> = bytemuck::zeroed_vec(self.owner.len() + 1);
        for &id in &self.own {
            active[id as usize].store(true, Relaxed);
        }
        active
    }

    /// Returns the held spheres, rising.
    pub fn held(&self) -> Vec<u32> {
        let mut held = self.own.clone();
        held.extend(&self.copies);
        held.sort_unstable();
        held
    }

    /// Returns the radii of the spheres with these numbers of the caller, of `n` spheres. `radius` returns the radii of the share of this
    /// rank.
    pub fn radii_of(&self, numbers: &[u32], n: usize, radius: &impl Fn(usize) -> f64) -> Vec<f64> {
        let first = self.share(n).start;
        let own = |number: usize| radius(number - first);
        fetch(
            &*self.communicator,
            own,
            |number| self.rank_of(number, n),
            numbers,
        )
    }

    /// Returns by id the radii of the held spheres, whose numbers of the caller are `original`. `radius` returns the radii of the share
    /// of this rank.
    pub fn radii_of_held(&self, original: &[u32], radius: &impl Fn(usize) -> f64) -> Vec<f64> {
        let (n, held) = (original.len(), self.held());
        let numbers: Vec<u32> = held.iter().map(|&id| original[id as usize]).collect();
        let mut radii: Vec<f64> = bytemuck::zeroed_vec(n);
        for (id, radius) in held.into_iter().zip(self.radii_of(&numbers, n, radius)) {
            radii[id as usize] = radius;
        }
        radii
    }

    /// Notes the owner of a sphere. [`Self::collect_own`] must follow.
    pub(super) fn set_owner(&mut self, id: u32, owner: u32) {
        if owner == Record::NO_OWNER {
            self.owner[id as usize] = 0;
            self.copies.remove(&id);
            return;
        }
        self.owner[id as usize] = owner + 1;
        if owner as usize == self.rank() {
            self.copies.remove(&id);
        } else {
            self.copies.insert(id);
        }
    }

    /// Forgets all copies.
    pub(super) fn clear_copies(&mut self) {
        for id in std::mem::take(&mut self.copies) {
            self.owner[id as usize] = 0;
        }
        self.holders.clear();
    }

    /// Lists the own spheres after some of `changed` changed their owner.
    pub(super) fn collect_own(&mut self, changed: &[u32]) {
        let before = self.own.len();
        let (owner, rank) = (&self.owner, self.communicator.rank() as u32);
        let owns = |id: u32| owner[id as usize] == rank + 1;
        self.own.retain(|&id| owns(id));
        let kept = self.own.len();
        let entered = changed.iter().copied();
        let is_new = |id: &u32| owns(*id) && self.own[..kept].binary_search(id).is_err();
        let entered: Vec<u32> = entered.filter(is_new).collect();
        self.own.extend(entered);
        if self.own.len() != kept || kept != before {
            self.own.sort_unstable();
            self.own.dedup();
        }
    }

    /// Plans the messages of all phases.
    pub(super) fn plan(&mut self, order: &VisitOrder) {
        let mut plan = vec![PhaseMessages::default(); order.phases().count()];
        for (&id, holders) in &self.holders {
            for &holder in holders {
                let outgoing = &mut plan[order.phase(id)].outgoing;
                outgoing.entry(holder).or_default().push(id);
            }
        }
        for &id in &self.copies {
            plan[order.phase(id)].senders.insert(self.owner(id));
        }
        self.plan = plan;
    }
}
