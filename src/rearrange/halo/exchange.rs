//! Exchanges. Every rank draws all attempts. The owner of a sphere evaluates the energy at its position.

use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;

use super::halo::Halo;
use crate::{
    machine::parallel::Erase,
    rearrange::{
        moves::{by_radius::Assignment, exchange::Attempt},
        refresh::Outgrown,
        state::State,
    },
};

/// The properties that a sphere receives from another one, besides the radius.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Given {
    /// The number of the assignment.
    place: u32,
    /// The caller's number.
    original: u32,
    level: u32,
}

impl Halo {
    /// Returns the attempts that `passes` selects on all ranks. Each rank decides on those whose sphere `of` it owns.
    pub fn selected(
        &self,
        attempts: Vec<Attempt>,
        of: impl Fn(&Attempt) -> u32 + Sync,
        passes: impl Fn(Attempt) -> Option<Attempt> + Sync + Send,
    ) -> Vec<Attempt> {
        let own = attempts
            .into_par_iter()
            .erased()
            .filter(|attempt| self.owns(of(attempt)));
        let selected: Vec<Attempt> = own.filter_map(passes).collect();
        self.ranks.gather(selected)
    }
}

impl State {
    /// Carries out assignments, which every rank passes. Each sphere receives, and gives, at most once.
    pub(in crate::rearrange) fn assign(&mut self, assignments: &[Assignment]) -> Outgrown {
        let halo = &self.halo;
        let given = |(place, &Assignment { from, .. }): (u32, &Assignment)| Given {
            place,
            original: self.points.number(from),
            level: self.order.level(from).into(),
        };
        let own = (0..)
            .zip(assignments)
            .filter(|(_, assignment)| halo.owns(assignment.from));
        let mut given = halo.ranks.gather(Vec::from_iter(own.map(given)));
        given.sort_unstable_by_key(|given| given.place);
        let mut outgrown = Outgrown::default();
        for (&Assignment { to, radius, .. }, given) in assignments.iter().zip(given) {
            if !halo.holds(to) {
                continue;
            }
            let is_on_new_level = given.level != u32::from(self.order.level(to));
            let sphere = self.points.sphere_at_start(to);
            let sphere = self.points.confined(sphere, radius);
            self.points.set(to, sphere, given.original);
            self.order.set_level(to, given.level as u8);
            self.activate(to);
            if !halo.owns(to) {
                continue;
            }
            if is_on_new_level {
                outgrown.on_new_levels.push(to);
            }
            if is_on_new_level || self.leaves(to) {
                outgrown.stale.push(to);
            }
        }
        outgrown
    }
}
