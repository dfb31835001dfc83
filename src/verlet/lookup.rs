//! Makes new lists from the global index, for many spheres that lie side by side at a time.
//!
//! One query of the index, with a probe that holds a whole group of inflated spheres, offers the candidates of them all. The group
//! is then cut in two again and again, with the candidates that each part still has, until there are few members, which
//! search them one by one.

use super::{
    candidates::{Candidates, Probe},
    groups::{Crowd, Groups},
    intake::Intake,
};
use crate::{
    container::Container,
    frame::{Frame, Point},
    index::{Entry, GlobalIndex},
    instructions::Instructions,
};

/// Looks up lists; keeps its buffers from one group to the next.
pub(super) struct Lookup<'a, F> {
    index: &'a dyn GlobalIndex,
    frame: &'a Frame,
    crowd: &'a Crowd,
    /// Every sphere at its anchor, inflated.
    inflated: &'a F,
    instructions: Instructions,
    intake: Intake,
    /// The candidates of a group, of a part of it, of a part of that …
    candidates: Vec<Candidates>,
    found: Vec<u32>,
}

impl<'a, F: Fn(u32) -> Entry> Lookup<'a, F> {
    pub fn new(
        index: &'a dyn GlobalIndex,
        frame: &'a Frame,
        crowd: &'a Crowd,
        inflated: &'a F,
    ) -> Self {
        let instructions = Instructions::detect();
        Self {
            index,
            frame,
            crowd,
            inflated,
            instructions,
            intake: Intake::new(instructions),
            candidates: vec![Candidates::new(instructions)],
            found: Vec::new(),
        }
    }

    /// Hands the sorted list of every sphere of `ids`, of which there must be some, to `visit`, in some order.
    pub fn lists_of(&mut self, ids: impl Iterator<Item = u32>, visit: &mut dyn FnMut(u32, &[u32])) {
        let mut probes: Vec<Probe> = ids
            .map(|id| {
                let Entry { center, radius, .. } = (self.inflated)(id);
                let point = self.frame.point(center, radius);
                Probe { id, point }
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
        let (frame, intake, candidates) = (self.frame, &mut self.intake, &mut self.candidates[0]);
        candidates.clear();
        self.index
            .visit_candidates(frame.center(hull.at), hull.radius.into(), &mut |run| {
                intake.take(run, frame, hull, candidates);
            });
        intake.finish(frame, hull, candidates);
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
            let (container, inflated) = (self.frame.container(), self.inflated);
            for &probe in &probes[groups.get(group).members.clone()] {
                let exactly = |other| intersect(container, inflated(probe.id), inflated(other));
                self.candidates[cuts].scan(self.frame, probe, exactly, &mut self.found);
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

fn intersect(container: &Container, a: Entry, b: Entry) -> bool {
    let reach = a.radius + b.radius;
    container.displacement(a.center, b.center).length_squared() < reach * reach
}
