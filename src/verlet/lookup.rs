//! Makes new lists from the global index, for many spheres that lie side by side at a time.
//!
//! One query of the index, with a probe that holds a whole group of inflated spheres, offers the candidates of them all. The group
//! is then cut in two again and again, with the candidates that each part still has, until there are few members, which
//! search them one by one.

use super::{
    candidates::{Candidates, Probe},
    groups::{Crowd, Groups},
};
use crate::{
    container::frame::{Frame, Point},
    index::GlobalIndex,
    machine::instructions::Instructions,
    machine::prefetch::prefetch_line,
};

/// So many ids are collected before their spheres are looked at, which are being fetched meanwhile.
const FULL: usize = 256;

/// Looks up lists; keeps its buffers from one group to the next.
pub(super) struct Lookup<'a> {
    index: &'a dyn GlobalIndex,
    frame: &'a Frame,
    crowd: &'a Crowd,
    /// Every sphere at its anchor, inflated.
    inflated: &'a [Point],
    instructions: Instructions,
    /// Ids that the index offers, on their way to become candidates.
    offered: Vec<u32>,
    /// The candidates of a group, of a part of it, of a part of that …
    candidates: Vec<Candidates>,
    found: Vec<u32>,
}

impl<'a> Lookup<'a> {
    pub fn new(
        index: &'a dyn GlobalIndex,
        frame: &'a Frame,
        crowd: &'a Crowd,
        inflated: &'a [Point],
    ) -> Self {
        let instructions = Instructions::detect();
        Self {
            index,
            frame,
            crowd,
            inflated,
            instructions,
            offered: Vec::with_capacity(2 * FULL),
            candidates: vec![Candidates::new(instructions)],
            found: Vec::new(),
        }
    }

    /// Hands the sorted list of every sphere of `ids`, of which there must be some, to `visit`, in some order.
    pub fn lists_of(&mut self, ids: impl Iterator<Item = u32>, visit: &mut dyn FnMut(u32, &[u32])) {
        let mut probes: Vec<Probe> = ids
            .map(|id| Probe {
                id,
                point: self.inflated[id as usize],
            })
            .collect();
        let groups = Groups::new(self.frame, self.crowd, &mut probes);
        for group in groups.wholes() {
            self.query(groups.get(group).hull);
            self.search(&groups, group, &probes, 0, visit);
        }
    }

    /// Asks the index for all that may intersect a hull.
    fn query(&mut self, hull: Point) {
        let (frame, inflated) = (self.frame, self.inflated);
        let (offered, candidates) = (&mut self.offered, &mut self.candidates[0]);
        candidates.clear();
        let center = frame.center(hull.at);
        self.index
            .visit_candidates(center, hull.radius.into(), &mut |ids| {
                for &id in ids {
                    prefetch_line(&raw const inflated[id as usize]);
                }
                offered.extend_from_slice(ids);
                if offered.len() >= FULL {
                    candidates.add(frame, hull, inflated, offered);
                    offered.clear();
                }
            });
        candidates.add(frame, hull, inflated, offered);
        candidates.fill_up();
        offered.clear();
    }

    /// Searches the candidates of part of a group, so many cuts deep.
    fn search(
        &mut self,
        groups: &Groups,
        group: usize,
        probes: &[Probe],
        cuts: usize,
        visit: &mut dyn FnMut(u32, &[u32]),
    ) {
        let Some(parts) = groups.parts(group) else {
            for &probe in &probes[groups.get(group).members.clone()] {
                self.candidates[cuts].scan(self.frame, probe, &mut self.found);
                self.found.sort_unstable();
                visit(probe.id, &self.found);
            }
            return;
        };
        if self.candidates.len() == cuts + 1 {
            self.candidates.push(Candidates::new(self.instructions));
        }
        for part in parts {
            let (wider, narrower) = self.candidates.split_at_mut(cuts + 1);
            narrower[0].narrow(self.frame, groups.get(part).hull, &wider[cuts]);
            self.search(groups, part, probes, cuts + 1, visit);
        }
    }
}
