//! New lists from the global index, for many neighboring spheres at a time.
//!
//! One index query, with a probe that contains a whole cluster of inflated spheres, reports the candidates of all members. The
//! cluster is then divided again and again, with the candidates that each part still has, until few members are left, which
//! are searched one by one.

use super::{
    candidates::{Candidates, Probe},
    clusters::{ClusterTree, Density},
    constants::COLLECTED_IDS,
};
use crate::{
    container::frame::{Frame, Point},
    index::GlobalIndex,
    machine::prefetch::prefetch_line,
};

/// A search for lists. It keeps its buffers from one cluster to the next.
pub(super) struct Lookup<'a> {
    index: &'a dyn GlobalIndex,
    frame: &'a Frame,
    density: &'a Density,
    /// All spheres at their reference positions, inflated.
    inflated: &'a [Point],
    /// Ids reported by the index that are not yet tested.
    reported: Vec<u32>,
    /// The candidates of a cluster, of a part of it, of a part of that part …
    candidates: Vec<Candidates>,
    found: Vec<u32>,
}

impl<'a> Lookup<'a> {
    pub fn new(
        index: &'a dyn GlobalIndex,
        frame: &'a Frame,
        density: &'a Density,
        inflated: &'a [Point],
    ) -> Self {
        Self {
            index,
            frame,
            density,
            inflated,
            reported: Vec::with_capacity(2 * COLLECTED_IDS),
            candidates: vec![Candidates::default()],
            found: Vec::new(),
        }
    }

    /// Passes the sorted list of every sphere of `ids` to `visit`, in any order. A sphere without a positive radius has an empty list.
    pub fn lists_of(&mut self, ids: &[u32], visit: &mut dyn FnMut(u32, &[u32])) {
        let mut probes = Vec::with_capacity(ids.len());
        for &id in ids {
            let point = self.inflated[id as usize];
            if point.radius > 0.0 {
                probes.push(Probe { id, point });
            } else {
                visit(id, &[]);
            }
        }
        if probes.is_empty() {
            return;
        }
        let tree = ClusterTree::new(self.frame, self.density, &mut probes);
        for cluster in tree.wholes() {
            self.query(tree.nodes[cluster].bounding);
            self.search(&tree, cluster, &probes, 0, visit);
        }
    }

    /// Collects all spheres that may intersect a bounding sphere.
    fn query(&mut self, bounding: Point) {
        let (frame, inflated) = (self.frame, self.inflated);
        let (reported, candidates) = (&mut self.reported, &mut self.candidates[0]);
        candidates.clear();
        let center = frame.center(bounding.at);
        self.index
            .visit_candidates(center, bounding.radius.into(), &mut |ids| {
                for &id in ids {
                    prefetch_line(&raw const inflated[id as usize]);
                }
                reported.extend_from_slice(ids);
                if reported.len() >= COLLECTED_IDS {
                    candidates.add(frame, bounding, inflated, reported);
                    reported.clear();
                }
            });
        candidates.add(frame, bounding, inflated, reported);
        candidates.complete();
        reported.clear();
    }

    /// Searches the candidates of a part of a cluster, `depth` cuts below it.
    fn search(
        &mut self,
        tree: &ClusterTree,
        cluster: usize,
        probes: &[Probe],
        depth: usize,
        visit: &mut dyn FnMut(u32, &[u32]),
    ) {
        let Some(parts) = tree.parts(cluster) else {
            for &probe in &probes[tree.nodes[cluster].members.clone()] {
                self.candidates[depth].scan(self.frame, probe, &mut self.found);
                self.found.sort_unstable();
                visit(probe.id, &self.found);
            }
            return;
        };
        if self.candidates.len() == depth + 1 {
            self.candidates.push(Candidates::default());
        }
        for part in parts {
            let (wider, narrower) = self.candidates.split_at_mut(depth + 1);
            narrower[0].narrow(self.frame, tree.nodes[part].bounding, &wider[depth]);
            self.search(tree, part, probes, depth + 1, visit);
        }
    }
}
