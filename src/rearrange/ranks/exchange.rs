//! Exchange moves on ranks. Every rank draws all attempts. The owner of a sphere evaluates the energy at its position.

use std::collections::HashMap;

use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;

use super::{domain::Domain, record::gather};
use crate::rearrange::{
    exchange::{Attempt, Outgrown},
    state::State,
};

/// What a sphere receives from its partner in an exchange, besides the radius.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Partner {
    id: u32,
    /// The caller's number.
    original: u32,
    level: u32,
}

impl Domain {
    /// Returns the attempts that `passes` selects on all ranks. Each rank decides on those whose sphere `of` it owns.
    pub fn selected(
        &self,
        attempts: Vec<Attempt>,
        of: impl Fn(&Attempt) -> u32 + Sync,
        passes: impl Fn(Attempt) -> Option<Attempt> + Sync + Send,
    ) -> Vec<Attempt> {
        let own = attempts
            .into_par_iter()
            .filter(|attempt| self.owns(of(attempt)));
        let selected: Vec<Attempt> = own.filter_map(passes).collect();
        gather(&*self.communicator, &selected)
    }
}

impl State {
    /// Carries out exchanges, which every rank passes with the radii of the smaller and the larger sphere.
    pub(in crate::rearrange) fn exchange_on_ranks(
        &mut self,
        exchanges: &[(Attempt, [f32; 2])],
    ) -> Outgrown {
        let mut outgrown = Outgrown::default();
        let Some(domain) = self.domain.take() else {
            return outgrown;
        };
        let pairs = exchanges.iter();
        let spheres = pairs.flat_map(|(attempt, _)| [attempt.smaller, attempt.larger]);
        let own: Vec<Partner> = spheres
            .filter(|&id| domain.owns(id))
            .map(|id| Partner {
                id,
                original: self.original[id as usize],
                level: self.order.level(id).into(),
            })
            .collect();
        let partners: HashMap<u32, Partner> = gather(&*domain.communicator, &own)
            .into_iter()
            .map(|partner| (partner.id, partner))
            .collect();
        for &(
            Attempt {
                smaller, larger, ..
            },
            radii,
        ) in exchanges
        {
            let on_new_levels = partners[&smaller].level != partners[&larger].level;
            for (id, partner, radius) in [(smaller, larger, radii[1]), (larger, smaller, radii[0])]
            {
                if !domain.holds(id) {
                    continue;
                }
                let i = id as usize;
                self.original[i] = partners[&partner].original;
                self.order.set_level(id, partners[&partner].level as u8);
                self.points[i] = self.confined(self.points[i], radius);
                self.activate(id);
                if !domain.owns(id) {
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
        self.domain = Some(domain);
        outgrown
    }

    /// Returns spheres of all ranks that each rank names.
    pub(in crate::rearrange) fn named_on_ranks(&self, own: &[u32]) -> Vec<u32> {
        let mut all = self.of_all(own.to_vec());
        all.sort_unstable();
        all
    }
}
