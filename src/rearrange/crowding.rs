//! Spheres that find no room around fixed spheres: the container cannot grow for them.
//!
//! Where the requested container is out of reach, spheres that are stuck among fixed ones are placed again at random. If that does
//! not help either, the most crowded spheres are left out until the other spheres do not overlap. The spheres that exceed any expectation
//! are left out first, and then a third more each time.
//!
//! Each rank finds the overlaps of its own spheres, and all ranks decide alike on the overlaps of all spheres.

use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;

use super::{
    constants::{FIRST_LEFT_OUT, MOST_REPLACEMENTS, ROUNDING, STUCK_OVERLAP},
    moves::pending::PendingSphere,
    packer::Packer,
    placement::Present,
    setup::Radii,
    state::State,
};
use crate::{container::frame::Point, machine::parallel::Erase};

/// A sphere with its deepest overlap.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Crowded {
    /// The deepest overlap, as a share of the diameter.
    overlap: f64,
    id: u32,
    /// The caller's number.
    original: u32,
}

/// A sphere with another one that it would overlap.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Pair {
    sphere: Crowded,
    other: u32,
    padding: u32,
}

impl Packer {
    /// Makes room around fixed spheres when the requested container is out of reach: places stuck spheres again, or leaves the most
    /// crowded ones out. Returns whether that can help.
    pub(super) fn makes_room(&mut self) -> bool {
        let mut crowded = self.state.crowding(&self.radii);
        crowded.retain(|sphere| sphere.overlap > 0.0);
        let is_stuck = |sphere: &&Crowded| sphere.overlap > STUCK_OVERLAP;
        let stuck: Vec<u32> = crowded
            .iter()
            .filter(is_stuck)
            .map(|sphere| sphere.id)
            .collect();
        if let Some(approach) = self.phase.approach_mut()
            && approach.progress.replacements < MOST_REPLACEMENTS
            && self.state.halo.ranks.any(!stuck.is_empty())
        {
            approach.progress.replacements += 1;
            let seed = self.options.seed ^ u64::from(approach.progress.replacements) << 32;
            self.state.place_again(&stuck, seed);
            return true;
        }
        let mut crowded = self.state.halo.ranks.gather(crowded);
        // The caller's numbers decide between equal overlaps.
        crowded.sort_unstable_by(|a, b| {
            let deepest_first = b.overlap.total_cmp(&a.overlap);
            deepest_first.then(a.original.cmp(&b.original))
        });
        let (given, left_out) = (self.state.given as f64, self.state.left_out.len());
        let first = (FIRST_LEFT_OUT * given) as usize;
        let excess = ((self.excess() * given) as usize).saturating_sub(left_out);
        crowded.truncate(first.max(left_out / 3).max(excess).max(1));
        if crowded.is_empty() || crowded.len() == self.state.len() {
            return false;
        }
        self.state.remove(&crowded);
        self.moves.exchange.forget_spheres();
        true
    }

    /// Returns the share of the spheres that would find no room even if they filled the space between the fixed spheres as densely as they
    /// fill a container without any; negative where all of them would.
    fn excess(&self) -> f64 {
        let scale = self.state.points.scale;
        let fraction = self.start_fraction * self.state.dimension().power(scale);
        1.0 - self.schedule.expected_fraction * (1.0 - self.fixed_fraction) / fraction
    }
}

impl State {
    /// Returns the deepest overlap of each own sphere with another sphere, with a wall or with a fixed sphere.
    ///
    /// Computed in f64 for the exact radii.
    fn crowding(&self, radii: &Radii) -> Vec<Crowded> {
        let exact = self.exact_radius(radii);
        let radius = |id: u32| exact(id) * self.points.scale;
        let center = |id: u32| self.points.center(id);
        let wall_offset = self.points.wall_offset();
        let container = self.points.container();
        let of_sphere = |id: u32| {
            let (own_center, own_radius) = (center(id), radius(id));
            let wall_radius = own_radius + wall_offset;
            let at_wall = -container.wall_gap(own_center, wall_radius);
            let overlaps = self.neighbors.of(id).iter().map(|&other| {
                let displacement = container.displacement(own_center, center(other));
                own_radius + radius(other) - displacement.length()
            });
            Crowded {
                overlap: overlaps.fold(at_wall, f64::max) / (2.0 * own_radius),
                id,
                original: self.points.number(id),
            }
        };
        self.halo.own.par_iter().erased().map(of_sphere).collect()
    }

    /// Returns the own spheres of a set of spheres without overlap, which no further sphere could join, when the container has grown to
    /// the given scale of the radii. The least crowded spheres join first. Two spheres must be apart by `margin` times the sum of
    /// their radii.
    pub fn without_overlap(&self, radii: &Radii, scale: f64, margin: f64) -> Vec<u32> {
        let mut spheres = self.crowding(radii);
        let exact = self.exact_radius(radii);
        let radius = |id: u32| exact(id) * scale;
        let center = |id: u32| self.points.center(id);
        let container = self.points.container();
        // The certificate decides about spheres that touch walls.
        let rounding = ROUNDING * container.lengths().max_element();
        spheres.retain(|sphere| {
            let wall_radius = radius(sphere.id) + self.points.wall_offset_at_start * scale;
            container.wall_gap(center(sphere.id), wall_radius) >= -rounding
        });
        let pairs = spheres.par_iter().erased().flat_map_iter(|&sphere| {
            let (own_center, own_radius) = (center(sphere.id), radius(sphere.id));
            let overlaps = move |&&other: &&u32| {
                let displacement = container.displacement(own_center, center(other));
                (own_radius + radius(other)) * (1.0 + margin) > displacement.length()
            };
            let others = self.neighbors.of(sphere.id).iter().filter(overlaps);
            others.map(move |&other| Pair {
                sphere,
                other,
                padding: 0,
            })
        });
        let pairs: Vec<Pair> = pairs.collect();
        let mut pairs = self.halo.ranks.gather(pairs);
        pairs.sort_unstable_by(|Pair { sphere: a, .. }, Pair { sphere: b, .. }| {
            let loosest_first = a.overlap.total_cmp(&b.overlap);
            loosest_first.then(a.original.cmp(&b.original))
        });
        // Both spheres of a pair list it, so that the one that joins first excludes the other.
        let mut is_excluded = vec![false; self.len()];
        for pair in pairs {
            if !is_excluded[pair.sphere.id as usize] {
                is_excluded[pair.other as usize] = true;
            }
        }
        let ids = spheres.iter().map(|sphere| sphere.id);
        ids.filter(|&id| !is_excluded[id as usize]).collect()
    }

    /// Places own spheres again at random positions, of several the one with the smallest overlap. No sphere may be pending.
    ///
    /// Cost: index queries for these spheres, and new lists for all spheres.
    fn place_again(&mut self, ids: &[u32], seed: u64) {
        let own = self.halo.own.par_iter().erased();
        let present: Vec<Point> = own.map(|id| self.points.sphere(id)).collect();
        let placed: Vec<PendingSphere> = ids
            .iter()
            .map(|&id| PendingSphere {
                original: self.points.number(id),
                radius: self.points.sphere(id).radius,
            })
            .collect();
        let present = Present {
            space: self.space(self.points.wall_offset()),
            spheres: &present,
            // The radii have the present scale already.
            scale: 1.0,
        };
        let regions = &self.halo.regions;
        let near = |&probe: &Point| regions.ranks_near(0, probe);
        let positions = self.halo.positions_for(&placed, seed, &present, near);
        for (&id, at) in ids.iter().zip(positions) {
            self.points.set_position(id, at);
        }
        self.renew(&[]);
    }

    /// Removes spheres of all ranks. No sphere may be pending.
    ///
    /// Cost: new lists for all spheres.
    fn remove(&mut self, spheres: &[Crowded]) {
        (self.left_out).extend(spheres.iter().map(|sphere| sphere.original));
        let mut ids: Vec<u32> = spheres.iter().map(|sphere| sphere.id).collect();
        ids.sort_unstable();
        self.renew(&ids);
    }
}
