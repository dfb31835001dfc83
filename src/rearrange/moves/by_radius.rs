//! All spheres sorted by radius.

use rayon::prelude::*;

use crate::rearrange::{halo::Gathered, state::State};

/// A sphere that receives the radius, the number and the level of another one.
#[derive(Clone, Copy, Debug)]
pub(in crate::rearrange) struct Assignment {
    pub to: u32,
    pub from: u32,
    /// The radius of sphere `from` at scale 1.
    pub radius: f32,
}

/// All spheres sorted by radius. Exchanges of sizes replace the sphere at a place, and leave the radius and the caller's number there.
#[derive(Debug)]
pub(super) struct ByRadius {
    pub ids: Vec<u32>,
    /// The radius at each place, where this rank holds a part of the spheres; empty if it holds all.
    radii: Vec<f32>,
}

impl ByRadius {
    /// Sorts the spheres, and returns their radii too. No sphere may be pending.
    pub fn new(state: &State) -> (Self, Vec<f32>) {
        let Gathered { points, original } = state.gathered();
        let radius = |id: u32| points[id as usize].radius;
        let mut ids: Vec<u32> = (0..state.len() as u32).collect();
        // The caller's numbers decide between equal radii, as they stay with the spheres.
        let original = |id: u32| original[id as usize];
        ids.par_sort_unstable_by(|&a, &b| {
            let by_radius = radius(a).total_cmp(&radius(b));
            by_radius.then_with(|| original(a).cmp(&original(b)))
        });
        let radii = Vec::from_iter(ids.iter().map(|&id| radius(id)));
        let kept = if state.halo.holds_all() {
            Vec::new()
        } else {
            radii.clone()
        };
        (Self { ids, radii: kept }, radii)
    }

    /// Returns the radius at a place.
    pub fn radius_at(&self, state: &State, place: u32) -> f32 {
        let place = place as usize;
        let held = self.radii.get(place).copied();
        held.unwrap_or_else(|| state.points.sphere_at_start(self.ids[place]).radius)
    }

    /// Returns whether all spheres have the same radius.
    pub fn have_equal_radii(&self, state: &State) -> bool {
        let last = self.ids.len().saturating_sub(1) as u32;
        self.ids.is_empty() || self.radius_at(state, 0) == self.radius_at(state, last)
    }
}
