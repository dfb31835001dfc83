//! Refreshes on ranks: new inflated spheres go to the ranks that need them, and spheres move to the owners of their new blocks.

use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use rayon::prelude::*;

use super::{
    domain::Domain,
    record::{PER_MESSAGE, Record, send_to_each},
};
use crate::{
    container::frame::Point,
    rearrange::state::State,
    verlet::{PartChange, Shortlists},
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
}

impl PartChanges {
    fn extend(&mut self, other: Self) {
        self.outer.extend(other.outer);
        self.inner.extend(other.inner);
    }

    fn ids(&self) -> Vec<u32> {
        self.inner.iter().map(|change| change.id).collect()
    }
}

/// The held spheres while all of them receive new inflated spheres and lists.
pub(super) struct Rebuild {
    changed: Vec<u32>,
    /// The inflated spheres of the shortlists, if shortlists follow.
    inner: Option<Vec<Point>>,
}

impl Rebuild {
    /// Prepares a rebuild of the lists of `n` spheres.
    pub(super) fn new(n: usize, begins_shortlists: bool) -> Self {
        Self {
            changed: Vec::new(),
            inner: begins_shortlists.then(|| {
                let mut inner: Vec<Point> = bytemuck::zeroed_vec(n + 1);
                inner[n] = Point::NOTHING;
                inner
            }),
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
        let own = domain.own.clone();
        let mut parts = own.chunks(PER_MESSAGE);
        for _ in 0..domain.rounds(own.len()) {
            let part = parts.next().unwrap_or_default();
            let changes: Vec<Change> = part.par_iter().map(|&id| change(self, id)).collect();
            for &id in part {
                self.refreshed[id as usize] = self.sweeps as u32;
            }
            let messages = self.messages(&mut domain, &changes);
            let received = send_to_each(&*domain.communicator, &messages);
            self.accept_for(&mut rebuild, &mut domain, received);
        }
        self.rebuild_part(&mut domain, rebuild);
        self.domain = Some(domain);
    }

    /// Takes over received spheres, all of which receive new lists.
    pub(super) fn accept_for(
        &mut self,
        rebuild: &mut Rebuild,
        domain: &mut Domain,
        records: Vec<Record>,
    ) {
        let changes = self.accept(domain, records);
        let inflated = self.lists.inflated_mut();
        for change in &changes.outer {
            if let Some(outer) = change.inflated {
                inflated[change.id as usize] = outer;
            }
        }
        for change in &changes.inner {
            rebuild.changed.push(change.id);
            if let (Some(inner), Some(sphere)) = (&mut rebuild.inner, change.inflated) {
                inner[change.id as usize] = sphere;
            }
        }
    }

    /// Rebuilds blocks and lists for the held spheres, all of which have changed.
    pub(super) fn rebuild_part(&mut self, domain: &mut Domain, rebuild: Rebuild) {
        domain.collect_own(&rebuild.changed);
        drop(rebuild.changed);
        let held = domain.held();
        let inflated = self.lists.inflated();
        let outer = held.iter().map(|&id| (id, inflated[id as usize]));
        self.order.assign_part(outer, &domain.own);
        self.lists.rebuild_part(&held);
        if let Some(inner) = rebuild.inner {
            self.shortlists = Some(Shortlists::of_part(&self.lists, inner, &held));
        }
        self.complete_copies(domain, &held, &[]);
        domain.plan(&self.order);
    }

    /// Gives own spheres new inflated spheres, and updates all lists that change.
    pub(in crate::rearrange) fn replace_on_ranks(&mut self, changes: &[Change]) {
        let Some(mut domain) = self.domain.take() else {
            return;
        };
        let refreshed: Vec<u32> = changes.iter().map(|change| change.id).collect();
        let changes = self.announce(&mut domain, changes);
        self.change_part(&changes, &domain);
        self.complete_copies(&mut domain, &changes.ids(), &refreshed);
        domain.plan(&self.order);
        self.domain = Some(domain);
    }

    /// Sends the new inflated spheres of own spheres to their owners and to all ranks that hold copies or may need them.
    fn announce(&mut self, domain: &mut Domain, changes: &[Change]) -> PartChanges {
        let mut accepted = PartChanges::default();
        let mut parts = changes.chunks(PER_MESSAGE);
        for _ in 0..domain.rounds(changes.len()) {
            let messages = self.messages(domain, parts.next().unwrap_or_default());
            let received = send_to_each(&*domain.communicator, &messages);
            accepted.extend(self.accept(domain, received));
        }
        domain.collect_own(&accepted.ids());
        accepted
    }

    /// Returns the new inflated spheres of own spheres for each rank.
    fn messages(&self, domain: &mut Domain, changes: &[Change]) -> Vec<Vec<Record>> {
        let rank = domain.rank();
        let keeps_partners = self.order.levels() > 1;
        let mut messages = vec![Vec::new(); domain.communicator.ranks()];
        for &Change { id, outer, inner } in changes {
            let mut record = self.record(id, domain);
            record.outer = outer.unwrap_or(record.outer);
            record.inner = inner.unwrap_or(match &self.shortlists {
                Some(_) => record.inner,
                None => record.outer,
            });
            let (level, outer) = (self.order.level(id), record.outer);
            let owner = domain.regions.owner(level, outer.at);
            record.owner = owner as u32;
            let mut recipients: BTreeSet<usize> = domain
                .regions
                .ranks_near(level, outer)
                .into_iter()
                .collect();
            recipients.insert(owner);
            let mut before = domain.take_holders(id);
            if owner == rank && keeps_partners {
                // Those that need the sphere for a larger one are known after the lists.
                recipients.extend(&before);
            }
            before.push(rank);
            for &recipient in &recipients {
                messages[recipient].push(record);
            }
            let forgotten = Record {
                owner: Record::NO_OWNER,
                ..record
            };
            for former in before {
                if !recipients.contains(&former) {
                    messages[former].push(forgotten);
                }
            }
            if owner == rank {
                domain.set_holders(id, recipients.into_iter().collect());
            }
        }
        messages
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
            padding: [0; 2],
        }
    }

    /// Takes over the spheres that this rank received. [`Domain::collect_own`] must follow, and a change of blocks and lists.
    fn accept(&mut self, domain: &mut Domain, mut records: Vec<Record>) -> PartChanges {
        records.sort_unstable_by_key(|record| record.id);
        let rank = domain.rank();
        let mut changes = PartChanges::default();
        for record in records {
            let (id, i) = (record.id, record.id as usize);
            let was_held = domain.holds(id);
            let is_forgotten = record.owner == Record::NO_OWNER;
            if record.owner as usize == rank && !domain.owns(id) {
                let near = (domain.regions).ranks_near(record.level as u8, record.outer);
                domain.set_holders(id, near);
            }
            domain.set_owner(id, record.owner);
            let inflated = |sphere: Point| Some(sphere).filter(|_| !is_forgotten);
            if is_forgotten || !was_held || self.lists.inflated()[i] != record.outer {
                let inflated = inflated(record.outer);
                changes.outer.push(PartChange { id, inflated });
            }
            let inflated = inflated(record.inner);
            changes.inner.push(PartChange { id, inflated });
            if is_forgotten {
                continue;
            }
            self.points[i] = record.sphere;
            self.original[i] = record.original;
            self.refreshed[i] = record.refreshed;
            self.order.set_level(id, record.level as u8);
            if let Some(active) = &self.active
                && record.is_active == 1
            {
                active[i].store(true, Relaxed);
            }
        }
        changes
    }

    /// Changes blocks, lists and shortlists.
    fn change_part(&mut self, changes: &PartChanges, domain: &Domain) {
        let held = changes.outer.iter();
        let held = held.filter_map(|change| Some((change.id, change.inflated?)));
        self.order.assign_part(held, &domain.own);
        self.lists.change_part(&changes.outer);
        if let Some(mut shortlists) = self.shortlists.take() {
            shortlists.change_part(&changes.inner, &self.lists);
            self.shortlists = Some(shortlists);
        }
    }

    /// Sends own spheres to the owners of larger spheres that they may touch, as only the owner of the smaller sphere knows such a
    /// pair. `changed` are the held spheres with new lists. Copies of the own spheres `refreshed` that no rank needs are forgotten.
    fn complete_copies(&mut self, domain: &mut Domain, changed: &[u32], refreshed: &[u32]) {
        if self.order.levels() == 1 {
            return;
        }
        let wanted = self.larger_partners(domain, changed);
        let mut messages = vec![Vec::new(); domain.communicator.ranks()];
        for &id in refreshed {
            if !domain.owns(id) {
                continue;
            }
            let record = self.record(id, domain);
            let near = domain.regions.ranks_near(record.level as u8, record.outer);
            let is_needed =
                |holder: usize| near.contains(&holder) || wanted.contains(&(id, holder));
            let (needed, others): (Vec<usize>, Vec<usize>) = domain
                .take_holders(id)
                .into_iter()
                .partition(|&holder| is_needed(holder));
            domain.set_holders(id, needed);
            let forgotten = Record {
                owner: Record::NO_OWNER,
                ..record
            };
            for holder in others {
                messages[holder].push(forgotten);
            }
        }
        for (id, holder) in wanted {
            if domain.add_holder(id, holder) {
                messages[holder].push(self.record(id, domain));
            }
        }
        let received = send_to_each(&*domain.communicator, &messages);
        let changes = self.accept(domain, received);
        domain.collect_own(&changes.ids());
        self.change_part(&changes, domain);
    }

    /// Returns the own spheres that may touch a larger sphere of another rank, with that rank, as far as one of the two is `changed`.
    fn larger_partners(&self, domain: &Domain, changed: &[u32]) -> BTreeSet<(u32, usize)> {
        let mut partners = BTreeSet::new();
        for &id in changed.iter().filter(|&&id| domain.holds(id)) {
            let owns = domain.owns(id);
            for &other in self.lists.neighbours(id) {
                if domain.owns(other) == owns {
                    continue;
                }
                let (own, copy) = if owns { (id, other) } else { (other, id) };
                if self.order.level(copy) < self.order.level(own) {
                    partners.insert((own, domain.owner(copy)));
                }
            }
        }
        partners
    }
}
