//! All spheres on every rank, where a run needs them at once.

use super::record::{Gathered, Record, gather, send_to_each};
use crate::{container::frame::Point, rearrange::state::State};

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

    /// Returns the spheres of all ranks on the first rank, and none on the others; `None` without ranks.
    pub(in crate::rearrange) fn gathered_on_first(&self) -> Option<Gathered> {
        let domain = self.domain.as_ref()?;
        let mut messages = vec![Vec::new(); domain.communicator.ranks()];
        messages[0] = domain
            .own
            .iter()
            .map(|&id| self.record(id, domain))
            .collect();
        Some(Gathered::new(send_to_each(
            &*domain.communicator,
            &messages,
        )))
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
