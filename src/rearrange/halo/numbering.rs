//! Numbers along the space-filling curve, and the distribution of newly numbered spheres among their owners.

use rayon::prelude::*;

use super::{
    halo::Halo,
    record::{PER_MESSAGE, Record},
    refresh::{Inner, PartChanges, no_inner},
    regions::Regions,
};
use crate::{
    container::frame::{Point, curve_key},
    dimension::Dimension,
    machine::{parallel::Erase, ranks::Ranks, trace::shared},
    rearrange::{
        checkpoint::Columns,
        constants::FIRST_SKIN,
        order::{LEVELS, VisitOrder, level_of},
        placement::Placed,
        state::State,
    },
};

/// Sections of the curve in which spheres are counted, as an exponent of two. The ranks sort whole sections.
const SECTIONS: u32 = 15;

/// Spheres of a task at least.
const TASK: usize = 4096;

/// Returns the section of a position along the curve.
fn section(sphere: &Placed) -> usize {
    (curve_key(sphere.sphere.at) >> (63 - SECTIONS)) as usize
}

impl State {
    /// Replaces all spheres by the spheres `own` of all ranks, and numbers them along the curve.
    ///
    /// The spheres may be distributed over the ranks in any way.
    ///
    /// Cost: each rank sorts its share of the curve.
    pub(in crate::rearrange) fn number(&mut self, own: Vec<Placed>) {
        let mut sorted = self.halo.in_sections(own);
        shared("order along the curve", || {
            sorted.par_sort_unstable_by_key(Placed::key);
        });
        let first = self.halo.ranks.before(sorted.len()) as u32;
        let refreshed = self.sweeps as u32;
        let record = |k: usize| {
            let placed = &sorted[k];
            let (id, outer) = (first + k as u32, placed.inflated());
            Record::new(id, placed.original, placed.sphere, outer, refreshed)
        };
        self.begin(sorted.len(), &record);
        drop(sorted);
        self.rebuild(None);
    }

    /// Gives all spheres but the `removed` ones, whose ids are sorted, the skins of a start, and divides them into levels and blocks again.
    /// Renumbers the remaining spheres without gaps.
    pub(in crate::rearrange) fn renew(&mut self, removed: &[u32]) {
        // The lists take more memory than the records.
        self.neighbors.clear();
        let mut messages = self.halo.ranks.messages();
        let left = self.len() - removed.len();
        for id in self.halo.own.iter() {
            let Err(before) = removed.binary_search(&id) else {
                continue;
            };
            let (original, sphere) = (self.points.number(id), self.points.sphere_at_start(id));
            let (outer, id) = (
                self.points.sphere(id).inflated(FIRST_SKIN),
                id - before as u32,
            );
            let record = Record::new(id, original, sphere, outer, self.sweeps as u32);
            messages[self.halo.ranks.rank_of(id as usize, left)].push(record);
        }
        let mut records = self.halo.ranks.send_to_each(messages);
        records.sort_unstable_by_key(|record| record.id);
        self.begin(records.len(), &|k: usize| records[k]);
        drop(records);
        self.rebuild(None);
    }

    /// Begins with spheres of successive ids, sorted, of which each rank passes `own` ones by `record`. [`Self::rebuild`] must follow.
    fn begin(&mut self, own: usize, record: &(impl Fn(usize) -> Record + Sync)) {
        let radii = (0..own).map(|k| record(k).sphere.radius);
        self.points.mean_radius = mean_radius(self.dimension(), &self.halo.ranks, radii);
        self.activity.activate_all();
        self.neighbors.calm_sweeps = 0;
        let (n, largest) = self.divide_into_levels(own, record);
        self.distribute(n, largest, own, record, &mut None);
    }

    /// Restores spheres, of which each rank passes a part: the columns of successive ids, and the `radii` at scale 1. Returns whether no
    /// inflated sphere is too large.
    pub(in crate::rearrange) fn restore_part(&mut self, part: Columns, radii: Vec<f32>) -> bool {
        let own = part.original.len();
        let first = self.halo.ranks.before(own);
        let now = self.sweeps as u32;
        let record = |i: usize| {
            let (at, radius, outer) = (part.at[i], radii[i], part.outer[i]);
            let (id, sphere) = ((first + i) as u32, Point { at, radius });
            let refreshed = now - part.age[i];
            Record {
                inner: part.inner.get(i).copied().unwrap_or(outer),
                is_active: part.active.get(i).is_none_or(|&active| active).into(),
                ..Record::new(id, part.original[i], sphere, outer, refreshed)
            }
        };
        let (n, largest) = self.divide_into_levels(own, &record);
        let admits = |i: usize| {
            let Record { sphere, outer, .. } = record(i);
            let level = level_of(self.points.reach_of(sphere), largest);
            self.order.level_admits(level, outer)
        };
        if !self.halo.ranks.everywhere((0..own).all(admits)) {
            return false;
        }
        // The part of a rank may have no spheres.
        let has_activity = self.halo.ranks.any(!part.active.is_empty());
        if has_activity {
            self.activity.begin(n, None);
        }
        let has_shortlists = self.halo.ranks.any(!part.inner.is_empty());
        let mut inner = has_shortlists.then(|| no_inner(n));
        self.distribute(n, largest, own, &record, &mut inner);
        drop((part, radii));
        self.rebuild(inner);
        true
    }

    /// Divides the spheres of all ranks into levels. Returns their number and the largest inflated radius.
    fn divide_into_levels(
        &mut self,
        own: usize,
        record: &(impl Fn(usize) -> Record + Sync),
    ) -> (usize, f32) {
        let reach = |k: usize| self.points.reach_of(record(k).sphere);
        let spheres = || (0..own).into_par_iter().with_min_len(TASK).erased();
        let (largest, population) = shared("levels", || {
            let largest = spheres().map(reach).reduce(|| f32::MIN_POSITIVE, f32::max);
            let largest = self.halo.ranks.largest(largest.into()) as f32;
            let count = |mut population: [u64; LEVELS], k: usize| {
                population[level_of(reach(k), largest) as usize] += 1;
                population
            };
            let sum = |a: [u64; LEVELS], b: [u64; LEVELS]| std::array::from_fn(|k| a[k] + b[k]);
            let population = spheres().fold(|| [0; LEVELS], count);
            (largest, population.reduce(|| [0; LEVELS], sum))
        });
        let population = self.halo.ranks.totals(population.to_vec());
        let population: [u32; LEVELS] = std::array::from_fn(|level| population[level] as u32);
        self.order = VisitOrder::of_levels(self.points.frame(), self.seed, largest, &population);
        (population.iter().sum::<u32>() as usize, largest)
    }

    /// Gives each sphere to its owner and to the ranks that may need it.
    fn distribute(
        &mut self,
        n: usize,
        largest: f32,
        own: usize,
        record: &(impl Fn(usize) -> Record + Sync),
        inner: &mut Inner,
    ) {
        let ranks = self.halo.ranks.ranks();
        self.halo.clear(Regions::new(
            self.points.frame(),
            ranks,
            self.order.levels(),
        ));
        if self.halo.ranks.is_alone() {
            self.halo.own_all(n);
            self.fill(n, largest, record, inner);
            return;
        }
        self.halo.own_none(n);
        self.order.hold(vec![0; n]);
        self.points.reset(n);
        self.neighbors.fill(vec![0; n]);
        let mut left = 0..own;
        for _ in 0..self.halo.rounds(own) {
            let part = left.by_ref().take(PER_MESSAGE).map(|k| {
                let record = record(k);
                let level = level_of(self.points.reach_of(record.sphere), largest).into();
                Record { level, ..record }
            });
            let messages = self.halo.messages_to_owners(part);
            let received = self.halo.ranks.send_to_each(messages);
            let mut changed = PartChanges::default();
            self.accept(received, &mut changed);
            self.note(inner, &changed);
        }
    }

    /// Takes over all spheres, on several threads: messages would take one thread a tenth of the time of new lists.
    fn fill(
        &mut self,
        n: usize,
        largest: f32,
        record: &(impl Fn(usize) -> Record + Sync),
        inner: &mut Inner,
    ) {
        let spheres = || {
            (0..n)
                .into_par_iter()
                .with_min_len(TASK)
                .erased()
                .map(record)
        };
        shared("numbered spheres", || {
            let level = |record: Record| level_of(self.points.reach_of(record.sphere), largest);
            self.order.hold(spheres().map(level).collect());
            (self.points).fill(
                spheres().map(|record| record.sphere),
                spheres().map(|record| record.original),
            );
            let refreshed = spheres().map(|record| record.refreshed).collect();
            *self.neighbors.fill(refreshed) = spheres().map(|record| record.outer).collect();
            if let Some(inner) = inner {
                (inner.par_iter_mut().zip(spheres()).erased())
                    .for_each(|(inner, record)| *inner = record.inner);
            }
            if let Some(active) = self.activity.marks_mut() {
                (active.par_iter_mut().zip(spheres()).erased())
                    .for_each(|(active, record)| *active.get_mut() = record.is_active == 1);
            }
        });
    }
}

impl Halo {
    /// Returns a message to each rank with the spheres that it owns or may need.
    fn messages_to_owners(&self, records: impl Iterator<Item = Record>) -> Vec<Vec<Record>> {
        let mut messages = self.ranks.messages();
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

    /// Sends each sphere to the rank that sorts its section of the curve, and returns the spheres of the sections of this rank, in any
    /// order.
    fn in_sections(&self, mut own: Vec<Placed>) -> Vec<Placed> {
        let ranks = self.ranks.ranks();
        let mut counts = vec![0u64; 1 << SECTIONS];
        own.iter().for_each(|sphere| counts[section(sphere)] += 1);
        let all = self.ranks.totals(counts);
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
        let rank_of = |sphere: &Placed| rank_of_section[section(sphere)];
        let leaving: Vec<Placed> = own
            .extract_if(.., |sphere| rank_of(sphere) != self.rank())
            .collect();
        let mut parts = leaving.chunks(PER_MESSAGE);
        for _ in 0..self.rounds(leaving.len()) {
            let mut messages = self.ranks.messages();
            for sphere in parts.next().unwrap_or_default() {
                messages[rank_of(sphere)].push(*sphere);
            }
            own.extend(self.ranks.send_to_each(messages));
        }
        own
    }
}

/// Returns the radius of a sphere of mean volume. Each rank passes spheres of successive ids; the volumes are added in the order of the
/// ids, one rank after the other.
fn mean_radius(
    dimension: Dimension,
    ranks: &Ranks,
    radii: impl ExactSizeIterator<Item = f32>,
) -> f32 {
    let count = ranks.total(radii.len());
    let sum = ranks.in_turn(0.0, |sum| {
        radii.fold(sum, |sum, radius| sum + dimension.power(radius.into()))
    });
    dimension.root(sum / count as f64) as f32
}
