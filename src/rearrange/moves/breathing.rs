//! Breathing radii: the radius of each sphere follows its overlaps, and all spheres exchange their sizes at once.
//!
//! A sphere under pressure would fit into its place with a smaller radius, and a rattler with a larger one. A round computes the radius with
//! which each sphere would touch its neighbors, sorts the spheres by these radii, and gives the k-th sphere the k-th of the radii that the
//! spheres have. So the set of radii never changes: all spheres exchange their sizes at once.
//!
//! Measured for f(r) ∝ r⁻³ of ratio 5.9 (4 000 spheres, seed 1), normal and thorough effort: φ 0.7080 and 0.7157 without, 0.7293 and 0.7417 with
//! exchanges of pairs at the rate 0.12. With breathing before every sweep, the share 0.1 gives 0.7380 and 0.7492, and the share 0.3 gives 0.7442 and
//! 0.7519.
//!
//! A rattler mostly touches a neighbor, so that its nearest gap does not tell the room that it has. With the mean of four gaps instead, jammed
//! packings of 1 000 spheres (with exchanges, seeds 1 and 2, both efforts) had 5.9 to 9.4 % rattlers, and 9.6 to 12.7 % before.

use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;

use super::{
    by_radius::{Assignment, ByRadius},
    numbers::BreathingShare,
};
use crate::{
    container::frame::difference,
    rearrange::{constants::LARGEST_BREATH, state::State},
};

/// Exchanges of all spheres at once, before every sweep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Breathing {
    /// Share of the overlap by which a radius follows.
    share: f32,
}

/// A sphere and the radius with which it would touch its neighbors.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Wish {
    /// Place by radius.
    place: u32,
    id: u32,
    radius: f32,
}

impl Breathing {
    /// Creates the exchanges for a requested share.
    pub fn new(share: BreathingShare) -> Self {
        Self {
            share: f64::from(share) as f32,
        }
    }

    /// Returns whether each sphere keeps its radius.
    pub fn is_off(self) -> bool {
        self.share == 0.0
    }

    /// Lets all spheres exchange their sizes, and refreshes the lists that larger radii outgrow.
    pub fn round(self, state: &mut State, by_radius: &mut ByRadius) {
        if by_radius.have_equal_radii(state) {
            return;
        }
        let mut wishes = self.wishes(state, by_radius);
        wishes.par_sort_unstable_by(|a, b| {
            let order = a.radius.total_cmp(&b.radius);
            order.then_with(|| a.place.cmp(&b.place))
        });
        let mut assignments = Vec::new();
        for (place, wish) in (0..).zip(&wishes) {
            if wish.place != place {
                assignments.push(Assignment {
                    to: wish.id,
                    from: by_radius.ids[place as usize],
                    radius: by_radius.radius_at(state, place),
                });
            }
        }
        let outgrown = state.assign(&assignments);
        by_radius.ids.clear();
        by_radius.ids.extend(wishes.iter().map(|wish| wish.id));
        state.refresh_outgrown(outgrown);
    }

    /// Returns the wishes of the spheres of all ranks.
    fn wishes(self, state: &State, by_radius: &ByRadius) -> Vec<Wish> {
        let own = (0..)
            .zip(&by_radius.ids)
            .filter(|&(_, &id)| state.halo.owns(id));
        let own: Vec<(u32, u32)> = own.map(|(place, &id)| (place, id)).collect();
        let wish = |&(place, id): &(u32, u32)| Wish {
            place,
            id,
            radius: state.fitting_radius(id, self.share),
        };
        state
            .halo
            .ranks
            .gather(own.par_iter().map(wish).collect::<Vec<_>>())
    }
}

impl State {
    /// Returns the radius at scale 1 of a sphere that gave way to its overlaps by this share. One that too few neighbors overlap to hold it
    /// grows by this share of the mean gap to the nearest ones that would.
    fn fitting_radius(&self, id: u32, share: f32) -> f32 {
        let sphere = self.points.sphere(id);
        let frame = self.points.frame();
        let (mut weighted, mut weights) = (0.0f32, 0.0f32);
        let holding = self.points.container().dimension().number() + 1;
        let mut nearest = [LARGEST_BREATH * sphere.radius; 4];
        let nearest = &mut nearest[..holding];
        for &other in self.neighbors.of(id) {
            let other = self.points.sphere(other);
            let steps = difference(sphere.at, other.at).map(|steps| steps as f32);
            let mut gap = frame.length_squared(steps).sqrt() - sphere.radius - other.radius;
            if gap < 0.0 {
                let weight = sphere.radius.min(other.radius);
                weighted -= weight * gap;
                weights += weight;
            }
            for least in &mut *nearest {
                (*least, gap) = (least.min(gap), least.max(gap));
            }
        }
        let is_held = nearest[holding - 1] < 0.0;
        let change = if is_held {
            -weighted / weights
        } else {
            nearest.iter().sum::<f32>() / holding as f32
        };
        (sphere.radius + share * change) / self.points.scale as f32
    }
}
