//! Insertion of pending spheres. Each rank finds positions for its pending spheres, and tests positions in its region.

use std::iter::once;

use rayon::prelude::*;

use super::{halo::Halo, record::PER_MESSAGE};
use crate::{
    container::frame::{Point, Steps},
    machine::{
        parallel::Erase,
        ranks::{from_bytes, to_bytes},
        trace::shared,
    },
    rearrange::{
        constants::FIRST_SKIN,
        moves::pending::PendingSphere,
        placement::{Placed, Present, TriedPosition, placed},
        state::{State, each},
    },
};

impl State {
    /// Inserts a group of pending spheres, of which each rank passes its share.
    ///
    /// Cost: index queries for the group, and new lists for all spheres.
    pub(in crate::rearrange) fn insert_group(&mut self, group: &[PendingSphere]) {
        let halo = &self.halo;
        let group = halo.distributed(group);
        let scale = self.points.scale as f32;
        let held = halo.held();
        let held: Vec<Point> = shared("spheres before an insertion", || {
            held.par_iter()
                .erased()
                .map(|id| self.points.sphere(id))
                .collect()
        });
        let present = Present {
            space: self.space(self.points.wall_offset_at_start),
            spheres: &held,
            scale,
        };
        let finest = self.order.levels().len() as u8 - 1;
        // No present sphere is smaller, so that one rank holds all that the inserted one may touch.
        let positions = halo.positions_for(&group, self.seed, &present, |probe| {
            once(halo.regions.owner(finest, probe.at))
        });
        drop(held);
        let inflated = each(halo.own.par_iter(), |id| {
            self.new_outer_sphere(id, FIRST_SKIN)
        });
        let mut own = Vec::with_capacity(halo.own.len() + group.len());
        shared("placed spheres", || {
            let present = (halo.own.par_iter(), inflated).into_par_iter().erased();
            own.par_extend(present.map(|(id, inflated)| {
                let sphere = self.points.sphere_at_start(id);
                Placed::new(self.points.number(id), sphere, inflated.radius)
            }));
            own.par_extend(placed(&group, positions, scale));
        });
        self.number(own);
    }
}

impl Halo {
    /// Distributes spheres to the ranks round-robin, and returns those for this one. Where the caller sorted the spheres by size, one rank could have
    /// all spheres of a group.
    fn distributed(&self, spheres: &[PendingSphere]) -> Vec<PendingSphere> {
        let ranks = self.ranks.ranks();
        let of_rank = |rank: usize| {
            let first = (rank + ranks - self.rank()) % ranks;
            spheres.iter().copied().skip(first).step_by(ranks).collect()
        };
        self.ranks.send_to_each((0..ranks).map(of_rank).collect())
    }

    /// Returns positions for `inserted` spheres, whose radii are multiplied by the scale: of some random positions the first
    /// good one, or else the one with the smallest overlap. Overlaps among the inserted spheres are ignored. Together, the ranks that
    /// `ranks_of` returns have all `present` spheres that a sphere of some position and radius may touch.
    ///
    /// Cost: a few index queries for each inserted sphere.
    pub fn positions_for<R: Iterator<Item = usize>>(
        &self,
        inserted: &[PendingSphere],
        seed: u64,
        present: &Present,
        ranks_of: impl Fn(&Point) -> R,
    ) -> Vec<Steps> {
        let index = present.index();
        present.space.best_positions(inserted, seed, |tried| {
            let probe = |tried: &TriedPosition| Point {
                at: tried.at,
                radius: inserted[tried.sphere as usize].radius * present.scale,
            };
            let mut overlaps = Vec::with_capacity(tried.len());
            let mut parts = tried.chunks(PER_MESSAGE);
            for _ in 0..self.rounds(tried.len()) {
                let part = parts.next().unwrap_or_default();
                let probes: Vec<Point> = part.iter().map(probe).collect();
                overlaps.extend(self.deepest_overlaps(&probes, &ranks_of, |probe| {
                    present.deepest_overlap(&*index, probe.at, probe.radius)
                }));
            }
            overlaps
        })
    }

    /// Returns the deepest overlaps of some spheres, at least 0, in their order. The ranks that `ranks_of` returns find the `overlap` of
    /// a sphere with their spheres.
    fn deepest_overlaps<R: Iterator<Item = usize>>(
        &self,
        probes: &[Point],
        ranks_of: impl Fn(&Point) -> R,
        overlap: impl Fn(&Point) -> f32 + Sync,
    ) -> Vec<f32> {
        let (mut asked, mut sent) = (self.ranks.messages(), self.ranks.messages());
        let mut here = Vec::new();
        for (k, probe) in (0..).zip(probes) {
            for rank in ranks_of(probe) {
                if rank == self.rank() {
                    here.push(k);
                } else {
                    asked[rank].push(k);
                    sent[rank].push(*probe);
                }
            }
        }
        let messages = sent.iter().map(|probes| to_bytes(probes)).collect();
        let received = self.ranks.all_to_all(messages);
        let answers = received.iter().map(|message| {
            let probes = from_bytes::<Point>(message);
            let overlaps: Vec<f32> = probes.par_iter().erased().map(&overlap).collect();
            to_bytes(&overlaps)
        });
        let received = self.ranks.all_to_all(answers.collect());
        let own: Vec<f32> = shared("overlaps of inserted spheres", || {
            here.par_iter()
                .erased()
                .map(|&k| overlap(&probes[k as usize]))
                .collect()
        });
        let others = received.iter().map(|message| from_bytes::<f32>(message));
        let found = (others.zip(asked)).chain([(own, here)]);
        let mut deepest = vec![0f32; probes.len()];
        for (overlaps, asked) in found {
            for (overlap, k) in overlaps.into_iter().zip(asked) {
                let deepest = &mut deepest[k as usize];
                *deepest = deepest.max(overlap);
            }
        }
        deepest
    }
}
