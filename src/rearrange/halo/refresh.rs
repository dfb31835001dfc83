//! New inflated spheres of own spheres: they go to the ranks that need them, and spheres move to the owners of their new blocks.

use std::cmp::Ordering;

use rayon::prelude::*;

use super::{
    holders::Holder,
    record::{PER_MESSAGE, Record},
};
use crate::{
    container::frame::Point,
    machine::{parallel::Erase, sorted::write_sorted},
    rearrange::{
        members::{Crossing, crossings},
        state::{State, each},
    },
};

/// The new inflated spheres of an own sphere.
#[derive(Clone, Copy, Debug)]
struct Change {
    pub id: u32,
    /// The inflated sphere of the Verlet lists, if it changes.
    pub outer: Option<Point>,
    /// The inflated sphere of the shortlists, if there are any.
    pub inner: Option<Point>,
}

/// Returns the changes of spheres with new inflated spheres.
fn changes(outer: &Inflated, inner: &Inflated) -> Vec<Change> {
    let of = |inflated: &Inflated| {
        let ids = inflated.ids.clone();
        ids.into_iter().zip(inflated.spheres.clone())
    };
    let mut outer = of(outer).peekable();
    let mut changes: Vec<Change> = of(inner)
        .map(|(id, inner)| Change {
            id,
            outer: outer
                .next_if(|&(other, _)| other == id)
                .map(|(_, sphere)| sphere),
            inner: Some(inner),
        })
        .collect();
    changes.extend(outer.map(|(id, sphere)| Change {
        id,
        outer: Some(sphere),
        inner: None,
    }));
    changes
}

/// New inflated spheres of some spheres.
#[derive(Default)]
pub(in crate::rearrange) struct Inflated {
    /// Sorted.
    pub ids: Vec<u32>,
    /// [`Point::NOTHING`] for a sphere that this rank no longer holds.
    pub spheres: Vec<Point>,
}

impl Inflated {
    fn push(&mut self, id: u32, sphere: Point) {
        self.ids.push(id);
        self.spheres.push(sphere);
    }

    /// Sorts the spheres by their ids.
    fn sort(&mut self) {
        if !self.ids.is_sorted() {
            let ids = std::mem::take(&mut self.ids);
            let spheres = std::mem::take(&mut self.spheres);
            let mut pairs: Vec<(u32, Point)> = ids.into_iter().zip(spheres).collect();
            // Those from each rank are sorted, which this sort turns to account.
            pairs.sort_by_key(|&(id, _)| id);
            (self.ids, self.spheres) = pairs.into_iter().unzip();
        }
    }
}

/// The changes of the spheres that a rank holds.
#[derive(Default)]
pub(super) struct PartChanges {
    outer: Inflated,
    inner: Inflated,
    /// Spheres with new Verlet lists that may touch a sphere of another rank.
    near: Vec<u32>,
    /// Of own spheres.
    crossings: Vec<Crossing>,
}

/// The inner inflated spheres while all spheres receive new lists; absent if no shortlists follow.
pub(super) type Inner = Option<Vec<Point>>;

/// Returns the inner inflated spheres of `n` spheres, none of which is held yet.
pub(super) fn no_inner(n: usize) -> Vec<Point> {
    let mut inner: Vec<Point> = bytemuck::zeroed_vec(n + 1);
    inner[n] = Point::NOTHING;
    inner
}

impl State {
    /// Gives all own spheres new inflated spheres, notes that they were refreshed, and rebuilds all lists. `outer` and `inner` return the
    /// new inflated spheres from the old ones. Without `inner`, no shortlists follow.
    pub(in crate::rearrange) fn renew_inflated(
        &mut self,
        outer: impl Fn(&Self, u32) -> Point + Sync + Send,
        inner: Option<impl Fn(&Self, u32) -> Point + Sync + Send>,
    ) {
        for id in self.halo.take_copies() {
            self.neighbors.outer_mut()[id as usize] = Point::NOTHING;
        }
        let own = &self.halo.own;
        let mut inner = inner.map(|inner| {
            let mut all = no_inner(self.len());
            for ids in own.parts() {
                let spheres = each(ids.par_iter().erased().copied(), |id| inner(self, id));
                write_sorted(&mut all, &ids, |sphere, k| *sphere = spheres[k]);
            }
            all
        });
        let now = self.sweeps as u32;
        for ids in own.parts() {
            let spheres = each(ids.par_iter().erased().copied(), |id| outer(self, id));
            let inflated = self.neighbors.outer_mut();
            write_sorted(inflated, &ids, |sphere, k| *sphere = spheres[k]);
            self.neighbors.note_refresh(&ids, now);
        }
        self.share(&mut inner);
        self.rebuild(inner);
    }

    /// Sends the new inflated spheres of all own spheres that other ranks need, and takes over theirs.
    fn share(&mut self, inner: &mut Inner) {
        let outer = |id: u32| self.neighbors.outer()[id as usize];
        let is_shared = |&id: &u32| !self.is_inside(id, outer(id));
        let parts = self.halo.own.parts();
        let shared = parts.flat_map(|ids| {
            let shared: Vec<u32> = ids.par_iter().erased().copied().filter(is_shared).collect();
            shared
        });
        let change = |id: u32| Change {
            id,
            outer: Some(outer(id)),
            inner: inner.as_ref().map(|inner| inner[id as usize]),
        };
        let shared: Vec<Change> = shared.map(change).collect();
        let mut changed = PartChanges::default();
        self.send(&shared, &mut changed);
        self.note(inner, &changed);
    }

    /// Notes the new inflated spheres of spheres that all receive new lists.
    pub(super) fn note(&mut self, inner: &mut Inner, changes: &PartChanges) {
        let Inflated { ids, spheres } = &changes.outer;
        for (&id, &outer) in ids.iter().zip(spheres) {
            self.neighbors.outer_mut()[id as usize] = outer;
        }
        let Inflated { ids, spheres } = &changes.inner;
        if let Some(inner) = inner {
            for (&id, &sphere) in ids.iter().zip(spheres) {
                inner[id as usize] = sphere;
            }
        }
    }

    /// Rebuilds blocks and lists for the held spheres, all of which have changed.
    pub(super) fn rebuild(&mut self, inner: Inner) {
        self.halo.list_held();
        let held = self.halo.held();
        self.order
            .assign_all(&self.halo.own, self.neighbors.outer());
        self.neighbors.rebuild(&held, inner);
        // The lists of copies have all pairs of a copy and an own sphere.
        let copies = self.halo.copies.clone();
        self.complete_copies(&copies, &[]);
    }

    /// Gives own spheres new outer and inner inflated spheres, and updates all lists that change. With shortlists, the outer ones must be
    /// among the inner ones, or there are no inner ones.
    pub(in crate::rearrange) fn replace_inflated(&mut self, outer: Inflated, inner: Inflated) {
        let refreshed = outer.ids.clone();
        let mut announced = if self.halo.ranks.is_alone() {
            // On several threads, because most refreshes of one process end here.
            PartChanges {
                crossings: self.order.assign(&outer.ids, &outer.spheres),
                near: Vec::new(),
                outer,
                inner,
            }
        } else {
            self.announce(&changes(&outer, &inner))
        };
        let near = std::mem::take(&mut announced.near);
        self.change_part(announced);
        self.complete_copies(&near, &refreshed);
    }

    /// Sends the new inflated spheres of own spheres to their owners and to all ranks that hold copies or may need them. Returns the
    /// changes of the held spheres.
    fn announce(&mut self, changes: &[Change]) -> PartChanges {
        let mut announced = PartChanges::default();
        let mut shared = Vec::new();
        for change in changes {
            if !self.halo.holders.of(change.id).is_empty() {
                shared.push(*change);
                continue;
            }
            if let Some(outer) = change.outer
                && !self.halo.regions.is_inside(0, outer, self.halo.rank())
            {
                if !self.is_inside(change.id, outer) {
                    shared.push(*change);
                    continue;
                }
                announced.near.push(change.id);
            }
            self.change_own(change, &mut announced);
        }
        self.send(&shared, &mut announced);
        self.halo.list_held();
        announced
    }

    /// Returns whether no other rank needs an own sphere for spheres of the same or of finer levels, if this will be its inflated sphere of
    /// the Verlet lists.
    fn is_inside(&self, id: u32, outer: Point) -> bool {
        let level = self.order.level(id);
        self.halo.regions.is_inside(level, outer, self.halo.rank())
    }

    /// Sends the new inflated spheres of own spheres to other ranks, and takes over theirs. The ids of `changes` must be sorted. Adds the
    /// changes of the held spheres to `changed`. `Halo::list_held` must follow.
    fn send(&mut self, changes: &[Change], changed: &mut PartChanges) {
        let mut parts = changes.chunks(PER_MESSAGE);
        for _ in 0..self.halo.rounds(changes.len()) {
            let messages = self.messages(parts.next().unwrap_or_default());
            let received = self.halo.ranks.send_to_each(messages);
            self.accept(received, changed);
        }
    }

    /// Returns the new inflated spheres of own spheres, whose ids must be sorted, for each rank.
    fn messages(&mut self, changes: &[Change]) -> Vec<Vec<Record>> {
        let rank = self.halo.rank();
        let keeps_partners = self.order.levels().len() > 1;
        let mut messages = vec![Vec::new(); self.halo.ranks.ranks()];
        let (mut holders, mut recipients) = (Vec::new(), Vec::new());
        for change in changes {
            let (id, level) = (change.id, self.order.level(change.id));
            let [outer, inner] = self.new_inflated_of(change);
            let mut record = self.record(id);
            (record.outer, record.inner) = (outer, inner);
            record.has_new_outer = change.outer.is_some().into();
            let before = self.halo.holders.of(id).iter();
            let before = before.map(|holder| holder.rank as usize);
            if change.outer.is_none() {
                // The ranks that need the sphere are the same as before.
                before
                    .chain([rank])
                    .for_each(|holder| messages[holder].push(record));
                continue;
            }
            let owner = self.halo.regions.owner(level, outer.at);
            record.owner = owner as u32;
            let near = self.halo.regions.ranks_near(level, outer);
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
                holders.extend(self.halo.other_holders(id, recipients.iter().copied()));
            }
        }
        let with_new_outer = changes.iter().filter(|change| change.outer.is_some());
        (self.halo.holders).replace(with_new_outer.map(|change| change.id), holders);
        messages
    }

    /// Returns the outer and the inner inflated sphere of an own sphere after a change. Without shortlists, the two are the same.
    fn new_inflated_of(&self, change: &Change) -> [Point; 2] {
        let i = change.id as usize;
        let outer = change.outer.unwrap_or(self.neighbors.outer()[i]);
        let inner = change.inner.unwrap_or(if self.neighbors.has_shortlists() {
            self.neighbors.visited().0[i]
        } else {
            outer
        });
        [outer, inner]
    }

    /// Gives an own sphere that stays on this rank new inflated spheres.
    fn change_own(&mut self, change: &Change, changed: &mut PartChanges) {
        let (id, [outer, inner]) = (change.id, self.new_inflated_of(change));
        changed.inner.push(id, inner);
        if change.outer.is_some() {
            changed.outer.push(id, outer);
            let from = self.order.block(id);
            (self.order).assign_in_part(id, self.order.level(id), outer);
            let to = self.order.block(id);
            (changed.crossings).extend(crossings(id, Some(from), Some(to)));
        }
    }

    /// Returns the state of a held sphere.
    pub(super) fn record(&self, id: u32) -> Record {
        let i = id as usize;
        let (number, sphere) = (self.points.number(id), self.points.sphere_at_start(id));
        let (outer, refreshed) = (self.neighbors.outer()[i], self.neighbors.refreshed[i]);
        Record {
            inner: self.neighbors.visited().0[i],
            level: self.order.level(id).into(),
            owner: self.halo.owner(id) as u32,
            is_active: self.activity.is_active(id).into(),
            ..Record::new(id, number, sphere, outer, refreshed)
        }
    }

    /// Takes over the spheres that this rank received, and adds their changes to `changed`. `Halo::list_held` must follow, and a
    /// change of blocks and lists.
    pub(super) fn accept(&mut self, records: Vec<Record>, changed: &mut PartChanges) {
        let mut holders = Vec::new();
        for record in records {
            let id = record.id;
            let (was_held, was_own) = (self.halo.holds(id), self.halo.owns(id));
            let block = self.order.block(id);
            let is_forgotten = record.owner == Record::NO_OWNER;
            self.halo.set_owner(id, record.owner);
            let is_own = self.halo.owns(id);
            if is_own && !was_own {
                let near = (self.halo.regions).ranks_near(record.level as u8, record.outer);
                holders.extend(self.halo.other_holders(id, near));
            }
            let inflated = |sphere: Point| if is_forgotten { Point::NOTHING } else { sphere };
            if is_forgotten || !was_held || record.has_new_outer == 1 {
                changed.outer.push(id, inflated(record.outer));
                changed.near.push(id);
            }
            changed.inner.push(id, inflated(record.inner));
            if !is_forgotten {
                self.take_over(&record);
            }
            let to = is_own.then(|| self.order.block(id));
            (changed.crossings).extend(crossings(id, was_own.then_some(block), to));
        }
        self.halo.holders.insert(holders);
    }

    /// Takes over the state of a sphere, but for its inflated spheres.
    fn take_over(&mut self, record: &Record) {
        (self.points).set(record.id, record.sphere, record.original);
        self.neighbors.refreshed[record.id as usize] = record.refreshed;
        (self.order).assign_in_part(record.id, record.level as u8, record.outer);
        if record.is_active == 1 {
            self.activity.activate([record.id]);
        }
    }

    /// Changes blocks, lists and shortlists.
    fn change_part(&mut self, changes: PartChanges) {
        let PartChanges {
            mut outer,
            mut inner,
            crossings,
            ..
        } = changes;
        self.order.change_members(crossings);
        outer.sort();
        inner.sort();
        (self.neighbors.lists).refresh_points(&outer.ids, &outer.spheres);
        self.neighbors.refresh_inner(&inner.ids, &inner.spheres);
    }

    /// Sends own spheres to the owners of larger spheres that they may touch, as only the owner of the smaller sphere finds such a
    /// pair. `near` are the held spheres with new lists that may touch a sphere of another rank. Copies of the own spheres `refreshed`,
    /// which must be sorted, that no rank needs are forgotten.
    fn complete_copies(&mut self, near: &[u32], refreshed: &[u32]) {
        if self.order.levels().len() == 1 {
            return;
        }
        let mut wanted = self.larger_partners(near);
        let mut messages = vec![Vec::new(); self.halo.ranks.ranks()];
        let mut needed = Vec::new();
        for &id in refreshed {
            for holder in self.halo.holders.of(id) {
                let rank = holder.rank as usize;
                let (level, outer) = (self.order.level(id), self.neighbors.outer()[id as usize]);
                let is_wanted = wanted.binary_search(holder).is_ok();
                if is_wanted || self.halo.regions.is_near(level, outer, rank) {
                    needed.push(*holder);
                } else {
                    messages[rank].push(self.record(id).forgotten());
                }
            }
        }
        self.halo.holders.replace(refreshed.iter().copied(), needed);
        wanted.retain(|holder| self.halo.holders.all().binary_search(holder).is_err());
        for &Holder { id, rank } in &wanted {
            messages[rank as usize].push(self.record(id));
        }
        self.halo.holders.insert(wanted);
        let received = self.halo.ranks.send_to_each(messages);
        let mut changed = PartChanges::default();
        self.accept(received, &mut changed);
        self.halo.list_held();
        self.change_part(changed);
    }

    /// Returns the own spheres that may touch a larger sphere of another rank, with that rank, sorted, as far as one of the two is
    /// among some held spheres.
    fn larger_partners(&self, held: &[u32]) -> Vec<Holder> {
        let mut partners = Vec::new();
        let finest = self.order.levels().len() as u8 - 1;
        for &id in held.iter().filter(|&&id| self.halo.holds(id)) {
            let (owns, level) = (self.halo.owns(id), self.order.level(id));
            if level == if owns { 0 } else { finest } {
                continue;
            }
            for &other in self.neighbors.of(id) {
                // Levels differ seldom, and are compared faster than owners.
                let is_copy_larger = match self.order.level(other).cmp(&level) {
                    Ordering::Less => owns,
                    Ordering::Equal => false,
                    Ordering::Greater => !owns,
                };
                if is_copy_larger && self.halo.owns(other) != owns {
                    let (own, copy) = if owns { (id, other) } else { (other, id) };
                    partners.push(Holder {
                        id: own,
                        rank: self.halo.owner(copy) as u32,
                    });
                }
            }
        }
        partners.sort_unstable();
        partners.dedup();
        partners
    }
}
