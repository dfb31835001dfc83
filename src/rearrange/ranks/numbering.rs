//! Numbers along the space-filling curve, and the distribution of newly numbered spheres among their owners.

use rayon::prelude::*;

use super::{
    copies::{PartChanges, Rebuild},
    domain::Domain,
    record::{Gathered, PER_MESSAGE, Record, from_bytes, gather, in_turn, send_to_each, to_bytes},
    regions::Regions,
};
use crate::{
    container::frame::{Point, curve_key},
    machine::messages::everywhere,
    rearrange::{
        constants::FIRST_SKIN,
        order::{LEVELS, VisitOrder, level_of},
        placement::Placed,
        state::State,
    },
};

/// Sections of the curve in which spheres are counted, as an exponent of two. The ranks sort whole sections.
const SECTIONS: u32 = 15;

/// Returns the section of a position along the curve.
fn section(sphere: &Placed) -> usize {
    (curve_key(sphere.sphere.at) >> (63 - SECTIONS)) as usize
}

/// The size levels of the spheres of all ranks.
struct Levels {
    /// Number of spheres.
    n: usize,
    /// Largest inflated radius.
    largest: f32,
}

impl State {
    /// Replaces all spheres by those that the ranks pass, each rank any part of them, numbered along the curve.
    ///
    /// Cost: each rank sorts its share of the curve.
    pub(in crate::rearrange) fn number_on_ranks(&mut self, mut domain: Domain, own: Vec<Placed>) {
        let mut sorted = in_sections(&domain, &own);
        drop(own);
        sorted.par_sort_unstable_by_key(Placed::key);
        let lengths: Vec<u64> = gather(&*domain.communicator, &[sorted.len() as u64]);
        let first: u64 = lengths[..domain.rank()].iter().sum();
        let refreshed = self.sweeps as u32;
        let record = |k: usize| {
            let placed: &Placed = &sorted[k];
            let outer = placed.inflated();
            Record {
                sphere: placed.sphere,
                outer,
                inner: outer,
                id: first as u32 + k as u32,
                original: placed.original,
                level: 0,
                owner: Record::NO_OWNER,
                refreshed,
                is_active: 1,
                has_new_outer: 1,
                padding: 0,
            }
        };
        let radii = sorted.iter().map(|placed| placed.sphere.radius);
        self.mean_radius = mean_radius(&domain, radii);
        self.shortlists = None;
        self.active = None;
        self.calm_sweeps = 0;
        let rebuild = self.distribute(&mut domain, sorted.len(), record);
        drop(sorted);
        self.rebuild_part(&mut domain, rebuild);
        self.domain = Some(domain);
    }

    /// Gives all spheres but the `removed` ones, whose ids are sorted, the skins of a start, and divides them into levels and blocks again.
    /// Renumbers the remaining spheres without gaps.
    pub(in crate::rearrange) fn renew_on_ranks(&mut self, mut domain: Domain, removed: &[u32]) {
        let mut messages = vec![Vec::new(); domain.communicator.ranks()];
        let left = self.len() - removed.len();
        for &id in &domain.own {
            let Err(before) = removed.binary_search(&id) else {
                continue;
            };
            let mut record = self.record(id, &domain);
            record.id -= before as u32;
            record.outer = self.sphere(id).inflated(FIRST_SKIN);
            record.inner = record.outer;
            record.refreshed = self.sweeps as u32;
            messages[domain.rank_of(record.id as usize, left)].push(record);
        }
        let mut records = send_to_each(&*domain.communicator, messages);
        records.sort_unstable_by_key(|record| record.id);
        let radii = records.iter().map(|record| record.sphere.radius);
        self.mean_radius = mean_radius(&domain, radii);
        self.shortlists = None;
        self.active = None;
        self.calm_sweeps = 0;
        let rebuild = self.distribute(&mut domain, records.len(), |k| records[k]);
        drop(records);
        self.rebuild_part(&mut domain, rebuild);
        self.domain = Some(domain);
    }

    /// Restores spheres, of which each rank passes a part: those with successive numbers from `first` on. Returns whether no inflated
    /// sphere is too large.
    pub(in crate::rearrange) fn restore_on_ranks(
        &mut self,
        mut domain: Domain,
        first: usize,
        part: Gathered,
    ) -> bool {
        let record = |i: usize| Record {
            sphere: part.points[i],
            outer: part.outer[i],
            inner: part.inner.get(i).copied().unwrap_or(part.outer[i]),
            id: (first + i) as u32,
            original: part.original[i],
            level: 0,
            owner: Record::NO_OWNER,
            refreshed: part.refreshed[i],
            is_active: part.active.get(i).is_none_or(|&active| active).into(),
            has_new_outer: 1,
            padding: 0,
        };
        let own = part.original.len();
        let communicator = domain.communicator.clone();
        let levels = self.divide_into_levels(&domain, own, &record);
        let admits = |i: usize| {
            let level = level_of(self.reach_of(part.points[i]), levels.largest);
            self.order.level_admits(level, part.outer[i])
        };
        let are_admitted = everywhere(&*communicator, (0..own).all(admits));
        if are_admitted {
            // The part of a rank may have no spheres.
            let has_activity = !everywhere(&*communicator, part.active.is_empty());
            self.active = has_activity.then(|| bytemuck::zeroed_vec(levels.n + 1));
            let has_shortlists = !everywhere(&*communicator, part.inner.is_empty());
            let rebuild = self.send_to_owners(&mut domain, &levels, own, record, has_shortlists);
            drop(part);
            self.rebuild_part(&mut domain, rebuild);
        }
        self.domain = Some(domain);
        are_admitted
    }

    /// Divides all spheres into levels and blocks, and sends each one to its owner and to the ranks that may need it. Each rank passes
    /// `own` spheres of successive numbers, sorted, by `record`. [`Self::rebuild_part`] must follow.
    fn distribute(
        &mut self,
        domain: &mut Domain,
        own: usize,
        record: impl Fn(usize) -> Record,
    ) -> Rebuild {
        let levels = self.divide_into_levels(domain, own, &record);
        self.send_to_owners(domain, &levels, own, record, false)
    }

    /// Divides the spheres of all ranks into levels.
    fn divide_into_levels(
        &mut self,
        domain: &Domain,
        own: usize,
        record: &impl Fn(usize) -> Record,
    ) -> Levels {
        let reach = |k: usize| self.reach_of(record(k).sphere);
        let largest = (0..own).map(reach).fold(f32::MIN_POSITIVE, f32::max);
        let largest = gather(&*domain.communicator, &[largest]);
        let largest = largest.into_iter().fold(f32::MIN_POSITIVE, f32::max);
        let mut population = [0u32; LEVELS];
        for k in 0..own {
            population[level_of(reach(k), largest) as usize] += 1;
        }
        let mut all = [0u32; LEVELS];
        for (level, count) in gather::<u32>(&*domain.communicator, &population)
            .into_iter()
            .enumerate()
        {
            all[level % LEVELS] += count;
        }
        let n = all.iter().sum::<u32>() as usize;
        self.order = VisitOrder::of_levels(&self.frame, self.pending.seed(), largest, &all);
        self.order.hold_part(n);
        Levels { n, largest }
    }

    /// Sends each sphere to its owner and to the ranks that may need it. With `has_shortlists`, shortlists follow.
    fn send_to_owners(
        &mut self,
        domain: &mut Domain,
        &Levels { n, largest }: &Levels,
        own: usize,
        record: impl Fn(usize) -> Record,
        has_shortlists: bool,
    ) -> Rebuild {
        let ranks = domain.communicator.ranks();
        domain.clear(
            n,
            Regions::new(&self.frame, ranks, self.order.blocks_of_levels()),
        );
        self.points = bytemuck::zeroed_vec(n + 1);
        self.points[n] = Point::NOTHING;
        self.original = vec![0; n];
        self.refreshed = vec![0; n];
        self.lists.clear_part(n);
        let mut rebuild = Rebuild::new(n, has_shortlists);
        let mut left = 0..own;
        for _ in 0..domain.rounds(own) {
            let part = left.by_ref().take(PER_MESSAGE).map(|k| {
                let record = record(k);
                let level = level_of(self.reach_of(record.sphere), largest).into();
                Record { level, ..record }
            });
            let messages = domain.messages_to_owners(part);
            let received = send_to_each(&*domain.communicator, messages);
            let mut changed = PartChanges::default();
            self.accept(domain, received, &mut changed);
            self.note_for(&mut rebuild, &changed);
        }
        rebuild
    }
}

impl Domain {
    /// Returns a message to each rank with the spheres that it owns or may need.
    fn messages_to_owners(&self, records: impl Iterator<Item = Record>) -> Vec<Vec<Record>> {
        let mut messages = vec![Vec::new(); self.communicator.ranks()];
        for record in records {
            let (level, outer) = (record.level as u8, record.outer);
            let owner = self.regions.owner(level, outer.at);
            let record = Record {
                owner: owner as u32,
                ..record
            };
            let near = self.regions.ranks_near(level, outer);
            for other in near.filter(|&rank| rank != owner) {
                messages[other].push(record);
            }
            messages[owner].push(record);
        }
        messages
    }
}

/// Sends each sphere to the rank that sorts its section of the curve, and returns the spheres of the sections of this rank.
fn in_sections(domain: &Domain, own: &[Placed]) -> Vec<Placed> {
    let ranks = domain.communicator.ranks();
    let mut counts = vec![0u32; 1 << SECTIONS];
    own.iter().for_each(|sphere| counts[section(sphere)] += 1);
    let mut all = vec![0u64; 1 << SECTIONS];
    for message in domain.communicator.all_gather(&to_bytes(&counts)) {
        for (sum, count) in all.iter_mut().zip(from_bytes::<u32>(&message)) {
            *sum += u64::from(count);
        }
    }
    let total: u64 = all.iter().sum();
    let mut before = 0;
    let rank_of_section: Vec<usize> = all
        .into_iter()
        .map(|count| {
            let rank = before * ranks as u64 / total.max(1);
            before += count;
            (rank as usize).min(ranks - 1)
        })
        .collect();
    let mut received = Vec::with_capacity(total.div_ceil(ranks as u64) as usize);
    let mut parts = own.chunks(PER_MESSAGE);
    for _ in 0..domain.rounds(own.len()) {
        let mut messages = vec![Vec::new(); ranks];
        for sphere in parts.next().unwrap_or_default() {
            messages[rank_of_section[section(sphere)]].push(*sphere);
        }
        received.extend(send_to_each(&*domain.communicator, messages));
    }
    received
}

/// Returns the radius of a sphere of mean volume. Each rank passes spheres of successive numbers; the volumes are added in the order of
/// the numbers, one rank after the other.
fn mean_radius(domain: &Domain, radii: impl ExactSizeIterator<Item = f32>) -> f32 {
    let communicator = &*domain.communicator;
    let spheres = radii.len() as u64;
    let cubes = radii.map(|radius| {
        let radius = f64::from(radius);
        radius * radius * radius
    });
    let sum = in_turn(communicator, 0.0, |sum| {
        cubes.fold(sum, |sum, cube| sum + cube)
    });
    let count: u64 = gather(communicator, &[spheres]).into_iter().sum();
    libm::cbrt(sum / count as f64) as f32
}
