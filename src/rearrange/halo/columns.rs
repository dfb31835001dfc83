//! Spheres of all ranks, where a run needs them at once or in another division.

use std::borrow::Cow;

use super::record::PER_MESSAGE;
use crate::{
    container::frame::Point,
    machine::ranks::Ranks,
    rearrange::{
        checkpoint::{Columns, Shares},
        state::State,
    },
};

/// All spheres by their ids, with radii at scale 1 and the caller's numbers.
pub(in crate::rearrange) struct Gathered<'a> {
    pub points: Cow<'a, [Point]>,
    pub original: Cow<'a, [u32]>,
}

impl State {
    /// Returns the spheres of all ranks.
    ///
    /// Cost: a message of 24 bytes per sphere to every rank; nothing without other ranks.
    pub(in crate::rearrange) fn gathered(&self) -> Gathered<'_> {
        if self.halo.holds_all() {
            return Gathered {
                points: self.points.at_start()[..self.len()].into(),
                original: self.points.numbers().into(),
            };
        }
        let (ranks, own) = (&self.halo.ranks, &self.halo.own);
        let ids = ranks.gather(Vec::from_iter(own.iter()));
        let mut places: Vec<u32> = (0..ids.len() as u32).collect();
        places.sort_unstable_by_key(|&place| ids[place as usize]);
        let points = ranks.gather(own.of(self.points.at_start()));
        let original = ranks.gather(own.of(self.points.numbers()));
        Gathered {
            points: places.iter().map(|&k| points[k as usize]).collect(),
            original: places.iter().map(|&k| original[k as usize]).collect(),
        }
    }

    /// Returns the part of a checkpoint that this rank writes: whole blocks of the columns. Each rank passes the `radii` of its share.
    ///
    /// Cost: a message of 80 bytes per sphere, in parts.
    pub(in crate::rearrange) fn columns(&self, radii: &[f64]) -> Columns {
        let halo = &self.halo;
        let shares = Shares {
            len: self.len(),
            ranks: halo.ranks.ranks(),
        };
        let own = shares.of_rank(halo.rank());
        let len_if = |is_kept: bool| if is_kept { own.len() } else { 0 };
        let mut columns = Columns {
            radii: moved(&halo.ranks, radii, |k, len| {
                Shares { len, ..shares }.rank_of(k)
            }),
            original: vec![0; own.len()],
            at: vec![[0; 3]; own.len()],
            age: vec![0; own.len()],
            outer: vec![Point::NOTHING; own.len()],
            inner: vec![Point::NOTHING; len_if(self.neighbors.has_shortlists())],
            active: vec![true; len_if(!self.activity.is_all())],
        };
        let mut left = halo.own.iter();
        for _ in 0..halo.rounds(halo.own.len()) {
            let mut messages = halo.ranks.messages();
            for id in left.by_ref().take(PER_MESSAGE) {
                messages[shares.rank_of(id as usize)].push(self.record(id));
            }
            for record in halo.ranks.send_to_each(messages) {
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
}

/// Divides a column of numbers among the ranks in another way, and returns the new part of this rank. The parts `own` of all ranks, one
/// after the other, are the column. `rank_of(k, len)` is the new rank of the k-th of `len` numbers; it rises with k.
pub(in crate::rearrange) fn moved(
    ranks: &Ranks,
    own: &[f64],
    rank_of: impl Fn(usize, usize) -> usize,
) -> Vec<f64> {
    let (first, len) = (ranks.before(own.len()), ranks.total(own.len()));
    let mut messages = ranks.messages();
    for (k, &number) in (first..).zip(own) {
        messages[rank_of(k, len)].push(number);
    }
    ranks.send_to_each(messages)
}
