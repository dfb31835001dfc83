//! Exchanges. Every rank draws all attempts. The owner of a sphere evaluates the energy at its position.

use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;

use super::halo::Halo;
use crate::{
    machine::parallel::Erase,
    rearrange::{moves::exchange::Attempt, refresh::Outgrown, state::State},
};

/// What a sphere receives from its partner in an exchange, besides the radius.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Partner {
    /// Twice the number of the exchange, and one more for the larger sphere.
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
    /// Carries out exchanges, which every rank passes with the radii of the smaller and the larger sphere.
    pub(in crate::rearrange) fn exchange(&mut self, exchanges: &[(Attempt, [f32; 2])]) -> Outgrown {
        let halo = &self.halo;
        let partner = |(place, id): (u32, u32)| Partner {
            place,
            original: self.points.number(id),
            level: self.order.level(id).into(),
        };
        let pairs = exchanges
            .iter()
            .map(|(attempt, _)| [attempt.smaller, attempt.larger]);
        let own = (0..).zip(pairs.flatten()).filter(|&(_, id)| halo.owns(id));
        let mut partners = halo.ranks.gather(Vec::from_iter(own.map(partner)));
        partners.sort_unstable_by_key(|partner| partner.place);
        let mut outgrown = Outgrown::default();
        for (&(attempt, radii), of_pair) in exchanges.iter().zip(partners.chunks_exact(2)) {
            let (smaller, larger) = (of_pair[0], of_pair[1]);
            let on_new_levels = smaller.level != larger.level;
            for (id, partner, radius) in [
                (attempt.smaller, larger, radii[1]),
                (attempt.larger, smaller, radii[0]),
            ] {
                if !halo.holds(id) {
                    continue;
                }
                let sphere = self.points.sphere_at_start(id);
                let sphere = self.points.confined(sphere, radius);
                self.points.set(id, sphere, partner.original);
                self.order.set_level(id, partner.level as u8);
                self.activate(id);
                if !halo.owns(id) {
                    continue;
                }
                if on_new_levels {
                    outgrown.on_new_levels.push(id);
                }
                if on_new_levels || self.leaves(id) {
                    outgrown.stale.push(id);
                }
            }
        }
        outgrown
    }
}
