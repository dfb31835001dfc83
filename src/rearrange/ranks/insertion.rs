//! Insertion of pending spheres on ranks. Each rank finds positions for its pending spheres, and tests positions in its region.

use std::iter::once;

use rayon::prelude::*;

use super::{
    domain::Domain,
    record::{from_bytes, send_to_each, to_bytes},
};
use crate::{
    container::frame::{Point, Steps},
    rearrange::{
        constants::FIRST_SKIN,
        pending::PendingSphere,
        placement::{Placed, Present, Space, TriedPosition, placed},
        state::State,
    },
};

impl State {
    /// Inserts the next group of pending spheres.
    pub(in crate::rearrange) fn insert_group_on_ranks(&mut self) {
        let group = self.pending.take_group();
        let Some(domain) = &self.domain else {
            return;
        };
        let group = domain.distributed(group);
        let scale = self.scale as f32;
        let held: Vec<Point> = domain.held().iter().map(|&id| self.sphere(id)).collect();
        let present = Present {
            space: Space {
                container: &self.container,
                frame: &self.frame,
                wall_offset: self.wall_offset as f32,
                limit: &self.limit,
            },
            spheres: &held,
            scale,
        };
        let finest = self.order.levels() as u8 - 1;
        // No present sphere is smaller, so that one rank holds all that the inserted one may touch.
        let positions = domain.positions_for(&group, self.pending.seed(), &present, |probe| {
            once(domain.regions.owner(finest, probe.at))
        });
        let inflated = self.new_inflated(self.all(), FIRST_SKIN);
        let mut own: Vec<Placed> = domain
            .own
            .iter()
            .zip(inflated)
            .map(|(&id, inflated)| {
                let i = id as usize;
                Placed::new(self.original[i], self.points[i], inflated.radius)
            })
            .collect();
        own.par_extend(placed(&group, positions, scale));
        if let Some(domain) = self.domain.take() {
            self.number_on_ranks(domain, own);
        }
    }
}

impl Domain {
    /// Distributes spheres to the ranks round-robin, and returns those for this one. Where the caller sorted the spheres by size, one rank could have
    /// all spheres of a group.
    fn distributed(&self, spheres: Vec<PendingSphere>) -> Vec<PendingSphere> {
        let ranks = self.communicator.ranks();
        let mut messages = vec![Vec::new(); ranks];
        for (k, sphere) in spheres.into_iter().enumerate() {
            messages[(self.rank() + k) % ranks].push(sphere);
        }
        send_to_each(&*self.communicator, messages)
    }

    /// Returns positions for spheres of any size among the own spheres of all ranks, of which this one passes its `present` ones. The
    /// rest is as in [`Present::positions_for`].
    pub fn positions_among_own(
        &self,
        inserted: &[PendingSphere],
        seed: u64,
        present: &Present,
    ) -> Vec<Steps> {
        self.positions_for(inserted, seed, present, |&probe| {
            self.regions.ranks_near(0, probe)
        })
    }

    /// Returns positions for `inserted` spheres, like [`Present::positions_for`]. Together, the ranks that `ranks_of` returns have all
    /// `present` spheres that a sphere of some position and radius may touch.
    fn positions_for<R: Iterator<Item = usize>>(
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
            let probes: Vec<Point> = tried.iter().map(probe).collect();
            self.deepest_overlaps(&probes, &ranks_of, |probe| {
                present.deepest_overlap(&*index, probe.at, probe.radius)
            })
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
        let ranks = self.communicator.ranks();
        let (mut asked, mut sent) = (vec![Vec::new(); ranks], vec![Vec::new(); ranks]);
        for (k, probe) in probes.iter().enumerate() {
            for rank in ranks_of(probe) {
                asked[rank].push(k as u32);
                sent[rank].push(*probe);
            }
        }
        let messages = sent.iter().map(|probes| to_bytes(probes)).collect();
        let received = self.communicator.all_to_all(messages);
        let answers = received.iter().map(|message| {
            let probes = from_bytes::<Point>(message);
            let overlaps: Vec<f32> = probes.par_iter().map(&overlap).collect();
            to_bytes(&overlaps)
        });
        let received = self.communicator.all_to_all(answers.collect());
        let mut deepest = vec![0f32; probes.len()];
        for (message, asked) in received.iter().zip(asked) {
            for (overlap, k) in from_bytes::<f32>(message).into_iter().zip(asked) {
                let deepest = &mut deepest[k as usize];
                *deepest = deepest.max(overlap);
            }
        }
        deepest
    }
}
