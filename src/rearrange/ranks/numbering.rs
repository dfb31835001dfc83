//! Numbers along the space-filling curve, and the distribution of newly numbered spheres among their owners.

use rayon::prelude::*;

use super::{
    copies::PartChanges,
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

impl State {
    /// Replaces all spheres by those that the ranks pass, each rank any part of them, numbered along the curve.
    ///
    /// Cost: each rank sorts its share of the curve.
    pub(in crate::rearrange) fn number_on_ranks(&mut self, mut domain: Domain, own: Vec<Placed>) {
        let mut sorted = in_sections(&domain, own);
        sorted.par_sort_unstable_by_key(Placed::key);
        let lengths: Vec<u64> = gather(&*domain.communicator, &[sorted.len() as u64]);
        let first: u64 = lengths[..domain.rank()].iter().sum();
        let record = |(id, placed): (u32, Placed)| {
            let outer = placed.inflated();
            Record {
                sphere: placed.sphere,
                outer,
                inner: outer,
                id,
                original: placed.original,
                level: 0,
                owner: Record::NO_OWNER,
                refreshed: self.sweeps as u32,
                is_active: 1,
                padding: [0; 2],
            }
        };
        let records: Vec<Record> = (first as u32..).zip(sorted).map(record).collect();
        self.mean_radius = mean_radius(&domain, &records);
        self.shortlists = None;
        self.active = None;
        self.calm_sweeps = 0;
        self.distribute(&mut domain, records, false);
        self.domain = Some(domain);
    }

    /// Gives all spheres the skins of a start, and divides them into levels and blocks again.
    pub(in crate::rearrange) fn renew_on_ranks(&mut self, mut domain: Domain) {
        let ranks = domain.communicator.ranks();
        let mut messages = vec![Vec::new(); ranks];
        for &id in &domain.own {
            let mut record = self.record(id, &domain);
            record.outer = self.sphere(id).inflated(FIRST_SKIN);
            record.inner = record.outer;
            record.refreshed = self.sweeps as u32;
            messages[id as usize * ranks / self.len()].push(record);
        }
        let mut records = send_to_each(&*domain.communicator, &messages);
        records.sort_unstable_by_key(|record| record.id);
        self.mean_radius = mean_radius(&domain, &records);
        self.shortlists = None;
        self.active = None;
        self.calm_sweeps = 0;
        self.distribute(&mut domain, records, false);
        self.domain = Some(domain);
    }

    /// Restores spheres, of which each rank passes a part: those with successive numbers from `first` on. Returns whether no inflated
    /// sphere is too large.
    pub(in crate::rearrange) fn restore_on_ranks(
        &mut self,
        mut domain: Domain,
        first: usize,
        part: &Gathered,
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
            padding: [0; 2],
        };
        let mut records: Vec<Record> = (0..part.original.len()).map(record).collect();
        let communicator = domain.communicator.clone();
        let n = self.sort_into_levels(&domain, &mut records);
        let admits = |record: &Record| self.order.level_admits(record.level as u8, record.outer);
        let are_admitted = everywhere(&*communicator, records.iter().all(admits));
        if are_admitted {
            // The part of a rank may have no spheres.
            let has_activity = !everywhere(&*communicator, part.active.is_empty());
            self.active = has_activity.then(|| bytemuck::zeroed_vec(n + 1));
            let has_shortlists = !everywhere(&*communicator, part.inner.is_empty());
            self.send_to_owners(&mut domain, n, records, has_shortlists);
        }
        self.domain = Some(domain);
        are_admitted
    }

    /// Sorts spheres into levels and blocks, and sends each one to its owner and to the ranks that may need it. Each rank passes
    /// spheres of successive numbers, rising.
    fn distribute(&mut self, domain: &mut Domain, mut records: Vec<Record>, has_shortlists: bool) {
        let n = self.sort_into_levels(domain, &mut records);
        self.send_to_owners(domain, n, records, has_shortlists);
    }

    /// Sorts the spheres of all ranks into levels. Returns their number.
    fn sort_into_levels(&mut self, domain: &Domain, records: &mut [Record]) -> usize {
        let reach: Vec<f32> = records
            .iter()
            .map(|record| self.reach_of(record.sphere))
            .collect();
        let largest = reach.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
        let largest = gather(&*domain.communicator, &[largest]);
        let largest = largest.into_iter().fold(f32::MIN_POSITIVE, f32::max);
        let mut population = [0u32; LEVELS];
        for (record, &reach) in records.iter_mut().zip(&reach) {
            let level = level_of(reach, largest);
            record.level = level.into();
            population[level as usize] += 1;
        }
        drop(reach);
        let mut all = [0u32; LEVELS];
        for (level, count) in gather::<u32>(&*domain.communicator, &population)
            .into_iter()
            .enumerate()
        {
            all[level % LEVELS] += count;
        }
        let n = all.iter().sum::<u32>() as usize;
        self.order = VisitOrder::of_levels(&self.frame, largest, &all);
        self.order.hold_part(n);
        n
    }

    /// Sends each of `n` spheres, which are sorted into levels, to its owner and to the ranks that may need it.
    fn send_to_owners(
        &mut self,
        domain: &mut Domain,
        n: usize,
        records: Vec<Record>,
        has_shortlists: bool,
    ) {
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
        let mut changes = PartChanges::default();
        let mut parts = records.chunks(PER_MESSAGE);
        for _ in 0..domain.rounds(records.len()) {
            let messages = domain.messages_to_owners(parts.next().unwrap_or_default());
            let received = send_to_each(&*domain.communicator, &messages);
            changes.extend(self.accept(domain, received));
        }
        drop(records);
        domain.collect_own(&changes.ids());
        self.rebuild_part(domain, &changes, has_shortlists);
    }
}

impl Domain {
    /// Returns a message to each rank with the spheres that it owns or may need.
    fn messages_to_owners(&self, records: &[Record]) -> Vec<Vec<Record>> {
        let mut messages = vec![Vec::new(); self.communicator.ranks()];
        for record in records {
            let (level, outer) = (record.level as u8, record.outer);
            let owner = self.regions.owner(level, outer.at);
            let mut recipients = self.regions.ranks_near(level, outer);
            if !recipients.contains(&owner) {
                recipients.push(owner);
            }
            for recipient in recipients {
                messages[recipient].push(Record {
                    owner: owner as u32,
                    ..*record
                });
            }
        }
        messages
    }
}

/// Sends each sphere to the rank that sorts its section of the curve, and returns the spheres of the sections of this rank.
fn in_sections(domain: &Domain, own: Vec<Placed>) -> Vec<Placed> {
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
    let mut messages = vec![Vec::new(); ranks];
    for sphere in own {
        messages[rank_of_section[section(&sphere)]].push(sphere);
    }
    send_to_each(&*domain.communicator, &messages)
}

/// Returns the radius of a sphere of mean volume. Each rank passes spheres of successive numbers; the volumes are added in the order of
/// the numbers, one rank after the other.
fn mean_radius(domain: &Domain, records: &[Record]) -> f32 {
    let communicator = &*domain.communicator;
    let cube = |record: &Record| {
        let radius = f64::from(record.sphere.radius);
        radius * radius * radius
    };
    let sum = in_turn(communicator, 0.0, |sum| {
        records.iter().map(cube).fold(sum, |sum, cube| sum + cube)
    });
    let count: u64 = gather(communicator, &[records.len() as u64])
        .into_iter()
        .sum();
    libm::cbrt(sum / count as f64) as f32
}
