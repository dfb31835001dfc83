//! Spheres that find no room around fixed spheres: the container cannot grow for them.
//!
//! Where the requested container is out of reach, spheres that are stuck among fixed ones are placed again at random. If that does
//! not help either, the most crowded spheres are left out, a third more each time, until the other spheres do not overlap.

use rayon::prelude::*;

use super::{
    constants::{FIRST_LEFT_OUT, MOST_REPLACEMENTS, ROUNDING, STUCK_OVERLAP},
    exchange::Exchange,
    hold::Hold,
    packer::Packer,
    pending::PendingSphere,
    placement::{Present, Space},
    setup::scaled_radius,
    state::State,
};
use crate::packing::StopReason;

impl Packer {
    /// Makes room around fixed spheres when the requested container is out of reach: places stuck spheres again, or leaves the most
    /// crowded ones out. Returns why the run is over, if that cannot help.
    pub(super) fn make_room(&mut self) -> Option<StopReason> {
        let radius = scaled_radius(&self.radii, &self.options, self.unit);
        let crowding = self.state.crowding(&radius);
        drop(radius);
        let above = |limit: f64| -> Vec<u32> {
            let ids = 0..self.state.len() as u32;
            ids.filter(|&id| crowding[id as usize] > limit).collect()
        };
        let stuck = above(STUCK_OVERLAP);
        if self.replacements < MOST_REPLACEMENTS && !stuck.is_empty() {
            self.replacements += 1;
            let seed = self.options.seed ^ u64::from(self.replacements) << 32;
            self.state.place_again(&stuck, seed);
        } else {
            let mut crowded = above(0.0);
            let originals = &self.state.original;
            crowded.sort_unstable_by(|&a, &b| {
                let deepest_first = crowding[b as usize].total_cmp(&crowding[a as usize]);
                deepest_first.then(originals[a as usize].cmp(&originals[b as usize]))
            });
            let first = (FIRST_LEFT_OUT * self.radii.len() as f64) as usize;
            crowded.truncate(first.max(self.left_out.len() / 3).max(1));
            if crowded.is_empty() || crowded.len() == self.state.len() {
                return Some(StopReason::Stalled);
            }
            self.leave_out(&crowded);
        }
        self.hold.iter_mut().for_each(Hold::restart);
        None
    }

    /// Removes spheres from the container for good.
    fn leave_out(&mut self, ids: &[u32]) {
        let originals = ids.iter().map(|&id| self.state.original[id as usize]);
        self.left_out.extend(originals);
        self.state.remove(ids);
        let (rate, seed) = (f64::from(self.exchange_rate), self.options.seed);
        if let Some(exchange) = &mut self.exchange {
            let account = exchange.account();
            *exchange = Exchange::new(&self.state, rate, seed).restored(account);
        }
    }
}

impl State {
    /// Returns the deepest overlap of each sphere with another sphere, with a wall or with a fixed sphere, as a share of its diameter.
    ///
    /// Computed in f64 for the exact radii that `radius` returns by the caller's numbers.
    fn crowding(&self, radius: &(impl Fn(usize) -> f64 + Sync)) -> Vec<f64> {
        let radius = |id: u32| radius(self.original[id as usize] as usize) * self.scale;
        let center = |id: u32| self.frame.center(self.points[id as usize].at);
        let wall_offset = self.wall_offset * self.scale;
        let of_sphere = |id: u32| {
            let (own_center, own_radius) = (center(id), radius(id));
            let wall_radius = own_radius + wall_offset;
            let at_wall = -self.container.wall_gap(own_center, wall_radius);
            let overlaps = self.lists.neighbours(id).iter().map(|&other| {
                let displacement = self.container.displacement(own_center, center(other));
                own_radius + radius(other) - displacement.length()
            });
            overlaps.fold(at_wall, f64::max) / (2.0 * own_radius)
        };
        self.all().map(of_sphere).collect()
    }

    /// Returns whether each sphere belongs to a set of spheres without overlap, which no further sphere could join, when the
    /// container has grown to the given scale of the radii. The least crowded spheres join first. Two spheres must be apart by
    /// `margin` times the sum of their radii.
    pub fn without_overlap(
        &self,
        radius: &(impl Fn(usize) -> f64 + Sync),
        scale: f64,
        margin: f64,
    ) -> Vec<bool> {
        let crowding = self.crowding(radius);
        let radius = |id: u32| radius(self.original[id as usize] as usize) * scale;
        let center = |id: u32| self.frame.center(self.points[id as usize].at);
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_unstable_by(|&a, &b| {
            let loosest_first = crowding[a as usize].total_cmp(&crowding[b as usize]);
            let originals = &self.original;
            loosest_first.then(originals[a as usize].cmp(&originals[b as usize]))
        });
        // The certificate decides about spheres that touch walls.
        let rounding = ROUNDING * self.container.lengths().max_element();
        let mut joins = vec![false; self.len()];
        for id in order {
            let (own_center, own_radius) = (center(id), radius(id));
            let wall_radius = own_radius + self.wall_offset * scale;
            let overlaps = |other: u32| {
                let displacement = self.container.displacement(own_center, center(other));
                (own_radius + radius(other)) * (1.0 + margin) > displacement.length()
            };
            let neighbours = self.lists.neighbours(id).iter();
            joins[id as usize] = self.container.wall_gap(own_center, wall_radius) >= -rounding
                && !neighbours
                    .filter(|&&other| joins[other as usize])
                    .any(|&other| overlaps(other));
        }
        joins
    }

    /// Places spheres again at random positions, of several the one with the smallest overlap. No sphere may be pending.
    ///
    /// Cost: index queries for these spheres, and new lists for all spheres.
    fn place_again(&mut self, ids: &[u32], seed: u64) {
        let spheres: Vec<_> = (0..self.len() as u32).map(|id| self.sphere(id)).collect();
        let placed: Vec<PendingSphere> = ids
            .iter()
            .map(|&id| PendingSphere {
                original: self.original[id as usize],
                radius: spheres[id as usize].radius,
            })
            .collect();
        let positions = Present {
            space: Space {
                container: &self.container,
                frame: &self.frame,
                wall_offset: (self.wall_offset * self.scale) as f32,
            },
            spheres: &spheres,
            // The radii have the present scale already.
            scale: 1.0,
        }
        .positions_for(&placed, seed);
        for (&id, at) in ids.iter().zip(positions) {
            self.points[id as usize].at = at;
        }
        self.renew();
    }

    /// Removes spheres. No sphere may be pending.
    ///
    /// Cost: new lists for all spheres.
    fn remove(&mut self, ids: &[u32]) {
        let mut stays = vec![true; self.points.len()];
        for &id in ids {
            stays[id as usize] = false;
        }
        let mut stay = stays.iter();
        self.points.retain(|_| stay.next() == Some(&true));
        let mut stay = stays.iter();
        self.original.retain(|_| stay.next() == Some(&true));
        self.renew();
    }
}
