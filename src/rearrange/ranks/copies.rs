//! Refreshes on ranks: new inflated spheres go to the ranks that need them, and spheres move to the owners of their new blocks.

use std::{
    cmp::Ordering,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use rayon::prelude::*;

use super::{
    domain::Domain,
    holders::{Holder, SortedHolders},
    record::{PER_MESSAGE, Record, send_to_each},
};
use crate::{
    container::frame::Point,
    rearrange::{members::Crossing, state::State},
    verlet::{PartChange, Shortlists, VerletLists},
};

/// The new inflated spheres of an own sphere.
#[derive(Clone, Copy, Debug)]
pub(in crate::rearrange) struct Change {
    pub id: u32,
    /// The inflated sphere of the Verlet lists, if it changes.
    pub outer: Option<Point>,
    /// The inflated sphere of the shortlists, if there are any.
    pub inner: Option<Point>,
}

/// The changes of the spheres that a rank holds.
#[derive(Default)]
pub(super) struct PartChanges {
    outer: Vec<PartChange>,
    inner: Vec<PartChange>,
    /// Spheres with new Verlet lists that may touch a sphere of another rank.
    near: Vec<u32>,
    /// Of own spheres.
    crossings: Vec<Crossing>,
}

impl PartChanges {
    /// Notes that an own sphere leaves a block, or enters one, or both.
    fn cross(&mut self, id: u32, from: Option<u32>, to: Option<u32>) {
        if from != to {
            let crossing = |block, enters| Crossing { block, id, enters };
            let left = from.map(|block| crossing(block, false));
            let entered = to.map(|block| crossing(block, true));
            self.crossings.extend(left.into_iter().chain(entered));
        }
    }
}

/// The held spheres while all of them receive new inflated spheres and lists.
pub(super) struct Rebuild {
    /// The inflated spheres of the shortlists, if shortlists follow.
    inner: Option<Vec<Point>>,
}

impl Rebuild {
    /// Prepares a rebuild of the lists of `n` spheres.
    pub(super) fn new(n: usize, begins_shortlists: bool) -> Self {
        Self {
            inner: begins_shortlists.then(|| {
                let mut inner: Vec<Point> = bytemuck::zeroed_vec(n + 1);
                inner[n] = Point::NOTHING;
                inner
            }),
        }
    }

    /// Notes the outer and the inner inflated sphere of a held sphere.
    fn note(&mut self, id: u32, [outer, inner]: [Point; 2], lists: &mut VerletLists) {
        lists.inflated_mut()[id as usize] = outer;
        if let Some(all) = &mut self.inner {
            all[id as usize] = inner;
        }
    }
}

impl State {
    /// Gives all own spheres new inflated spheres, notes that they were refreshed, and rebuilds all lists. With `begins_shortlists`,
    /// shortlists follow. `change` returns the new inflated spheres from the old ones.
    pub(in crate::rearrange) fn replace_all_on_ranks(
        &mut self,
        change: impl Fn(&Self, u32) -> Change + Sync,
        begins_shortlists: bool,
    ) {
        let Some(mut domain) = self.domain.take() else {
            return;
        };
        domain.clear_copies();
        let mut rebuild = Rebuild::new(self.len(), begins_shortlists);
        let own = std::mem::take(&mut domain.own);
        let (mut changes, mut shared) = (Vec::new(), Vec::new());
        for part in own.chunks(PER_MESSAGE) {
            changes.clear();
            changes.par_extend(part.par_iter().map(|&id| change(self, id)));
            for change in &changes {
                let (id, inflated) = (change.id, self.new_inflated_of(change));
                self.refreshed[id as usize] = self.sweeps as u32;
                if self.is_inside(&domain, id, inflated[0]) {
                    rebuild.note(id, inflated, &mut self.lists);
                    (self.order).assign_in_part(id, self.order.level(id), inflated[0]);
                } else {
                    shared.push(*change);
                }
            }
        }
        domain.own = own;
        let mut changed = PartChanges::default();
        self.send(&mut domain, &shared, &mut changed);
        self.note_for(&mut rebuild, &changed);
        self.rebuild_part(&mut domain, rebuild);
        self.domain = Some(domain);
    }

    /// Notes the new inflated spheres of spheres that all receive new lists.
    pub(super) fn note_for(&mut self, rebuild: &mut Rebuild, changes: &PartChanges) {
        for change in &changes.outer {
            if let Some(outer) = change.inflated {
                self.lists.inflated_mut()[change.id as usize] = outer;
            }
        }
        if let Some(inner) = &mut rebuild.inner {
            for change in &changes.inner {
                if let Some(sphere) = change.inflated {
                    inner[change.id as usize] = sphere;
                }
            }
        }
    }

    /// Rebuilds blocks and lists for the held spheres, all of which have changed.
    pub(super) fn rebuild_part(&mut self, domain: &mut Domain, rebuild: Rebuild) {
        domain.list_held();
        let held = domain.held();
        self.order.list_members(&domain.own);
        self.lists.rebuild_part(&held);
        if let Some(inner) = rebuild.inner {
            self.shortlists = Some(Shortlists::of_part(&self.lists, inner, &held));
        }
        // The lists of copies have all pairs of a copy and an own sphere.
        let copies = domain.copies.clone();
        self.complete_copies(domain, &copies, &[]);
        domain.plan(&self.order);
    }

    /// Gives own spheres, whose ids must be sorted, new inflated spheres, and updates all lists that change.
    pub(in crate::rearrange) fn replace_on_ranks(&mut self, changes: &[Change]) {
        let Some(mut domain) = self.domain.take() else {
            return;
        };
        let with_new_outer = changes.iter().filter(|change| change.outer.is_some());
        let refreshed: Vec<u32> = with_new_outer.map(|change| change.id).collect();
        let mut changes = self.announce(&mut domain, changes);
        let near = std::mem::take(&mut changes.near);
        self.change_part(changes);
        self.complete_copies(&mut domain, &near, &refreshed);
        domain.plan(&self.order);
        self.domain = Some(domain);
    }

    /// Sends the new inflated spheres of own spheres to their owners and to all ranks that hold copies or may need them. Returns the
    /// changes of the held spheres.
    fn announce(&mut self, domain: &mut Domain, changes: &[Change]) -> PartChanges {
        let mut announced = PartChanges::default();
        announced.inner.reserve(changes.len());
        let mut shared = Vec::new();
        let mut holders = SortedHolders::new(domain.holders.all());
        for change in changes {
            if !holders.of(change.id).is_empty() {
                shared.push(*change);
                continue;
            }
            if let Some(outer) = change.outer
                && !domain.regions.is_inside(0, outer, domain.rank())
            {
                if !self.is_inside(domain, change.id, outer) {
                    shared.push(*change);
                    continue;
                }
                announced.near.push(change.id);
            }
            self.change_own(change, &mut announced);
        }
        self.send(domain, &shared, &mut announced);
        domain.list_held();
        announced
    }

    /// Returns whether no other rank needs an own sphere for spheres of the same or of finer levels, if this will be its inflated sphere of
    /// the Verlet lists.
    fn is_inside(&self, domain: &Domain, id: u32, outer: Point) -> bool {
        let level = self.order.level(id);
        domain.regions.is_inside(level, outer, domain.rank())
    }

    /// Sends the new inflated spheres of own spheres to other ranks, and takes over theirs. The ids of `changes` must be sorted. Adds the
    /// changes of the held spheres to `changed`. [`Domain::list_held`] must follow.
    fn send(&mut self, domain: &mut Domain, changes: &[Change], changed: &mut PartChanges) {
        let mut parts = changes.chunks(PER_MESSAGE);
        for _ in 0..domain.rounds(changes.len()) {
            let messages = self.messages(domain, parts.next().unwrap_or_default());
            let received = send_to_each(&*domain.communicator, messages);
            self.accept(domain, received, changed);
        }
    }

    /// Returns the new inflated spheres of own spheres, whose ids must be sorted, for each rank.
    fn messages(&self, domain: &mut Domain, changes: &[Change]) -> Vec<Vec<Record>> {
        let rank = domain.rank();
        let keeps_partners = self.order.levels() > 1;
        let mut messages = vec![Vec::new(); domain.communicator.ranks()];
        let (mut holders, mut recipients) = (Vec::new(), Vec::new());
        let mut holders_before = SortedHolders::new(domain.holders.all());
        for change in changes {
            let (id, level) = (change.id, self.order.level(change.id));
            let [outer, inner] = self.new_inflated_of(change);
            let mut record = self.record(id, domain);
            (record.outer, record.inner) = (outer, inner);
            record.has_new_outer = change.outer.is_some().into();
            let before = holders_before.of(id).iter();
            let before = before.map(|holder| holder.rank as usize);
            if change.outer.is_none() {
                // The ranks that need the sphere are the same as before.
                before
                    .chain([rank])
                    .for_each(|holder| messages[holder].push(record));
                continue;
            }
            let owner = domain.regions.owner(level, outer.at);
            record.owner = owner as u32;
            let near = domain.regions.ranks_near(level, outer);
            recipients.clear();
            recipients.extend(near.filter(|&near| near != owner).chain([owner]));
            for former in before.chain([rank]) {
                if recipients.contains(&former) {
                    continue;
                }
                if owner == rank && keeps_partners {
                    // The lists, which are made later, tell which ranks need the sphere for a larger one.
                    recipients.push(former);
                } else {
                    messages[former].push(record.forgotten());
                }
            }
            for &recipient in &recipients {
                messages[recipient].push(record);
            }
            if owner == rank {
                holders.extend(domain.other_holders(id, recipients.iter().copied()));
            }
        }
        let with_new_outer = changes.iter().filter(|change| change.outer.is_some());
        (domain.holders).replace(with_new_outer.map(|change| change.id), holders);
        messages
    }

    /// Returns the outer and the inner inflated sphere of an own sphere after a change. Without shortlists, the two are the same.
    fn new_inflated_of(&self, change: &Change) -> [Point; 2] {
        let i = change.id as usize;
        let outer = change.outer.unwrap_or(self.lists.inflated()[i]);
        let inner = change.inner.unwrap_or_else(|| match &self.shortlists {
            Some(shortlists) => shortlists.inner()[i],
            None => outer,
        });
        [outer, inner]
    }

    /// Gives an own sphere that stays on this rank new inflated spheres.
    fn change_own(&mut self, change: &Change, changed: &mut PartChanges) {
        let (id, [outer, inner]) = (change.id, self.new_inflated_of(change));
        let change_to = |inflated| PartChange {
            id,
            inflated: Some(inflated),
        };
        changed.inner.push(change_to(inner));
        if change.outer.is_some() {
            changed.outer.push(change_to(outer));
            let from = self.order.block(id);
            (self.order).assign_in_part(id, self.order.level(id), outer);
            changed.cross(id, Some(from), Some(self.order.block(id)));
        }
    }

    /// Returns the state of a held sphere.
    pub(super) fn record(&self, id: u32, domain: &Domain) -> Record {
        let i = id as usize;
        let outer = self.lists.inflated()[i];
        let is_active = |active: &Vec<AtomicBool>| active[i].load(Relaxed);
        Record {
            sphere: self.points[i],
            outer,
            inner: (self.shortlists.as_ref()).map_or(outer, |shortlists| shortlists.inner()[i]),
            id,
            original: self.original[i],
            level: self.order.level(id).into(),
            owner: domain.owner(id) as u32,
            refreshed: self.refreshed[i],
            is_active: self.active.as_ref().is_none_or(is_active).into(),
            has_new_outer: 1,
            padding: 0,
        }
    }

    /// Takes over the spheres that this rank received, and adds their changes to `changed`. [`Domain::list_held`] must follow, and a
    /// change of blocks and lists.
    pub(super) fn accept(
        &mut self,
        domain: &mut Domain,
        records: Vec<Record>,
        changed: &mut PartChanges,
    ) {
        let mut holders = Vec::new();
        for record in records {
            let id = record.id;
            let (was_held, was_own) = (domain.holds(id), domain.owns(id));
            let block = self.order.block(id);
            let is_forgotten = record.owner == Record::NO_OWNER;
            domain.set_owner(id, record.owner);
            let is_own = domain.owns(id);
            if is_own && !was_own {
                let near = (domain.regions).ranks_near(record.level as u8, record.outer);
                holders.extend(domain.other_holders(id, near));
            }
            let inflated = |sphere: Point| Some(sphere).filter(|_| !is_forgotten);
            if is_forgotten || !was_held || record.has_new_outer == 1 {
                let inflated = inflated(record.outer);
                changed.outer.push(PartChange { id, inflated });
                changed.near.push(id);
            }
            let inflated = inflated(record.inner);
            changed.inner.push(PartChange { id, inflated });
            if !is_forgotten {
                self.take_over(&record);
            }
            let to = is_own.then(|| self.order.block(id));
            changed.cross(id, was_own.then_some(block), to);
        }
        domain.holders.insert(holders);
    }

    /// Takes over the state of a sphere, but for its inflated spheres.
    fn take_over(&mut self, record: &Record) {
        let i = record.id as usize;
        self.points[i] = record.sphere;
        self.original[i] = record.original;
        self.refreshed[i] = record.refreshed;
        (self.order).assign_in_part(record.id, record.level as u8, record.outer);
        if let Some(active) = &self.active
            && record.is_active == 1
        {
            active[i].store(true, Relaxed);
        }
    }

    /// Changes blocks, lists and shortlists.
    fn change_part(&mut self, changes: PartChanges) {
        self.order.change_members(changes.crossings);
        self.lists.change_part(&changes.outer);
        if let Some(mut shortlists) = self.shortlists.take() {
            shortlists.change_part(&changes.inner, &self.lists);
            self.shortlists = Some(shortlists);
        }
    }

    /// Sends own spheres to the owners of larger spheres that they may touch, as only the owner of the smaller sphere knows such a
    /// pair. `near` are the held spheres with new lists that may touch a sphere of another rank. Copies of the own spheres `refreshed`,
    /// which must be sorted, that no rank needs are forgotten.
    fn complete_copies(&mut self, domain: &mut Domain, near: &[u32], refreshed: &[u32]) {
        if self.order.levels() == 1 {
            return;
        }
        let mut wanted = self.larger_partners(domain, near);
        let mut messages = vec![Vec::new(); domain.communicator.ranks()];
        let mut needed = Vec::new();
        let mut wanted_of = SortedHolders::new(&wanted);
        let mut holders = SortedHolders::new(domain.holders.all());
        for &id in refreshed {
            let holders = holders.of(id);
            if holders.is_empty() {
                continue;
            }
            let (level, outer) = (self.order.level(id), self.lists.inflated()[id as usize]);
            let wanted = wanted_of.of(id);
            for holder in holders {
                let rank = holder.rank as usize;
                if domain.regions.is_near(level, outer, rank) || wanted.contains(holder) {
                    needed.push(*holder);
                } else {
                    messages[rank].push(self.record(id, domain).forgotten());
                }
            }
        }
        domain.holders.replace(refreshed.iter().copied(), needed);
        wanted.retain(|holder| domain.holders.all().binary_search(holder).is_err());
        for &Holder { id, rank } in &wanted {
            messages[rank as usize].push(self.record(id, domain));
        }
        domain.holders.insert(wanted);
        let received = send_to_each(&*domain.communicator, messages);
        let mut changed = PartChanges::default();
        self.accept(domain, received, &mut changed);
        domain.list_held();
        self.change_part(changed);
    }

    /// Returns the own spheres that may touch a larger sphere of another rank, with that rank, sorted, as far as one of the two is
    /// among some held spheres.
    fn larger_partners(&self, domain: &Domain, held: &[u32]) -> Vec<Holder> {
        let mut partners = Vec::new();
        let finest = self.order.levels() as u8 - 1;
        for &id in held.iter().filter(|&&id| domain.holds(id)) {
            let (owns, level) = (domain.owns(id), self.order.level(id));
            if level == if owns { 0 } else { finest } {
                continue;
            }
            for &other in self.lists.neighbors(id) {
                // Levels differ seldom, and are compared faster than owners.
                let is_copy_larger = match self.order.level(other).cmp(&level) {
                    Ordering::Less => owns,
                    Ordering::Equal => false,
                    Ordering::Greater => !owns,
                };
                if is_copy_larger && domain.owns(other) != owns {
                    let (own, copy) = if owns { (id, other) } else { (other, id) };
                    partners.push(Holder {
                        id: own,
                        rank: domain.owner(copy) as u32,
                    });
                }
            }
        }
        partners.sort_unstable();
        partners.dedup();
        partners
    }
}
