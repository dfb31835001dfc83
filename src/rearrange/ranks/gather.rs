//! Spheres of all ranks, where a run needs them at once or in another division.

use bytemuck::Pod;

use super::{
    domain::Domain,
    record::{Gathered, PER_MESSAGE, Record, gather, send_to_each},
};
use crate::{
    container::frame::Point,
    rearrange::{
        checkpoint::{Columns, Shares},
        state::State,
    },
};

impl State {
    /// Returns the spheres of all ranks; `None` without ranks.
    ///
    /// Cost: a message of 80 bytes per sphere to every rank.
    pub(in crate::rearrange) fn gathered(&self) -> Option<Gathered> {
        let domain = self.domain.as_ref()?;
        let own: Vec<Record> = domain
            .own
            .iter()
            .map(|&id| self.record(id, domain))
            .collect();
        Some(Gathered::new(gather(&*domain.communicator, &own)))
    }

    /// Returns the part of a checkpoint that this rank writes: whole blocks of the columns. Each rank passes the `radii` of its share.
    ///
    /// Cost: a message of 80 bytes per sphere, in parts.
    pub(in crate::rearrange) fn columns_on_ranks(&self, domain: &Domain, radii: &[f64]) -> Columns {
        let communicator = &*domain.communicator;
        let shares = Shares {
            len: self.len(),
            ranks: communicator.ranks(),
        };
        let own = shares.of_rank(domain.rank());
        let mut columns = Columns {
            radii: domain.moved(radii, |k, len| Shares { len, ..shares }.rank_of(k)),
            original: vec![0; own.len()],
            at: vec![[0; 3]; own.len()],
            age: vec![0; own.len()],
            outer: vec![Point::NOTHING; own.len()],
            inner: vec![Point::NOTHING; self.shortlists.as_ref().map_or(0, |_| own.len())],
            active: vec![true; self.active.as_ref().map_or(0, |_| own.len())],
        };
        let mut parts = domain.own.chunks(PER_MESSAGE);
        for _ in 0..domain.rounds(domain.own.len()) {
            let mut messages = vec![Vec::new(); shares.ranks];
            for &id in parts.next().unwrap_or_default() {
                messages[shares.rank_of(id as usize)].push(self.record(id, domain));
            }
            for record in send_to_each(communicator, messages) {
                let i = record.id as usize - own.start;
                columns.original[i] = record.original;
                columns.at[i] = record.sphere.at;
                columns.age[i] = self.sweeps as u32 - record.refreshed;
                columns.outer[i] = record.outer;
                if let Some(inner) = columns.inner.get_mut(i) {
                    *inner = record.inner;
                }
                if let Some(active) = columns.active.get_mut(i) {
                    *active = record.is_active == 1;
                }
            }
        }
        columns
    }

    /// Returns the items of all ranks.
    pub(in crate::rearrange) fn of_all<T: Pod>(&self, own: Vec<T>) -> Vec<T> {
        match &self.domain {
            None => own,
            Some(domain) => gather(&*domain.communicator, &own),
        }
    }

    /// Returns the sum of a count over all ranks.
    pub(in crate::rearrange) fn total(&self, own: usize) -> usize {
        self.domain.as_ref().map_or(own, |domain| {
            let counts: Vec<u64> = gather(&*domain.communicator, &[own as u64]);
            counts.iter().sum::<u64>() as usize
        })
    }

    /// Returns whether a statement holds on any rank.
    pub(in crate::rearrange) fn any(&self, own: bool) -> bool {
        self.domain.as_ref().map_or(own, |domain| {
            let all: Vec<u8> = gather(&*domain.communicator, &[own.into()]);
            all.contains(&1)
        })
    }

    /// Returns the largest of a number over all ranks.
    pub(in crate::rearrange) fn largest(&self, own: f64) -> f64 {
        self.domain.as_ref().map_or(own, |domain| {
            let all: Vec<f64> = gather(&*domain.communicator, &[own]);
            all.into_iter().fold(own, f64::max)
        })
    }
}

impl Domain {
    /// Divides a column of numbers among the ranks in another way, and returns the new part of this rank. The parts `own` of all ranks,
    /// one after the other, are the column. `rank_of(k, len)` is the new rank of the k-th of `len` numbers; it rises with k.
    pub fn moved(&self, own: &[f64], rank_of: impl Fn(usize, usize) -> usize) -> Vec<f64> {
        let communicator = &*self.communicator;
        let counts: Vec<u64> = gather(communicator, &[own.len() as u64]);
        let first: u64 = counts[..self.rank()].iter().sum();
        let len = counts.iter().sum::<u64>() as usize;
        let mut messages = vec![Vec::new(); counts.len()];
        for (k, &number) in (first as usize..).zip(own) {
            messages[rank_of(k, len)].push(number);
        }
        send_to_each(communicator, messages)
    }
}

impl Gathered {
    fn new(mut records: Vec<Record>) -> Self {
        records.sort_unstable_by_key(|record| record.id);
        let of = |of: fn(&Record) -> Point| records.iter().map(of).collect::<Vec<Point>>();
        let mut points = of(|record| record.sphere);
        points.push(Point::NOTHING);
        Self {
            points,
            original: records.iter().map(|record| record.original).collect(),
            outer: of(|record| record.outer),
            inner: of(|record| record.inner),
            refreshed: records.iter().map(|record| record.refreshed).collect(),
            active: records.iter().map(|record| record.is_active == 1).collect(),
        }
    }
}
