//! An octree as a global index.

use glam::DVec3;

use super::{node::Node, root_cube::NodeAddress, rule::NodeRule, tree::Octree};
use crate::index::{
    arena::Arena,
    constants::{REBUILD_NODES_PER_SPHERE, REBUILD_SLACK_SLOTS},
    entry::{Entry, EntryError},
    global_index::GlobalIndex,
};

impl<R: NodeRule> GlobalIndex for Octree<R> {
    fn insert(&mut self, entry: Entry) -> Result<(), EntryError> {
        entry.check()?;
        self.arena.check_new(entry.id)?;
        let Some(address) = self.node_of(&entry) else {
            let coarsest = self.rule.coarsest_level(&self.cube, entry.radius);
            self.has_coarser |= coarsest.is_some_and(|level| level < self.base);
            self.arena.push(&mut self.oversize, entry.id);
            return Ok(());
        };
        self.cover_radius(address.level, entry.radius);
        let node = self.create(address);
        let run = &mut self.nodes[node as usize].run;
        self.arena.push(run, entry.id);
        Ok(())
    }

    fn would_change(&self, from: &Entry, to: &Entry) -> bool {
        let address = self.node_of(to);
        address != self.node_of(from)
            || address.is_some_and(|address| to.radius > self.largest[address.level as usize])
    }

    fn remove(&mut self, entry: Entry) -> Result<(), EntryError> {
        entry.check()?;
        let Some(address) = self.node_of(&entry) else {
            if !self.arena.holds(self.oversize, entry.id) {
                return Err(self.arena.misplaced(entry.id));
            }
            self.arena.take(&mut self.oversize, entry.id);
            return Ok(());
        };
        let path = self.path(address);
        let path = path.ok_or_else(|| self.arena.misplaced(entry.id))?;
        let run = &mut self.nodes[path[address.level as usize] as usize].run;
        if !self.arena.holds(*run, entry.id) {
            return Err(self.arena.misplaced(entry.id));
        }
        self.arena.take(run, entry.id);
        self.drop_vacant(address, &path);
        Ok(())
    }

    fn contains(&self, id: u32) -> bool {
        self.arena.contains(id)
    }

    fn len(&self) -> usize {
        self.arena.len()
    }

    fn visit_candidates(&self, center: DVec3, radius: f64, visit: &mut dyn FnMut(&[u32])) -> usize {
        self.query(center, radius, visit)
    }

    fn needs_rebuild(&self) -> bool {
        self.has_coarser
            || self.arena.needs_rebuild()
            || self.nodes.len() > REBUILD_NODES_PER_SPHERE * self.arena.len() + REBUILD_SLACK_SLOTS
    }

    fn rebuild(&mut self, sphere: &(dyn Fn(u32) -> Entry + Sync)) {
        let ids: Vec<u32> = self.arena.present().collect();
        self.arena = Arena::new(0);
        // The ids were accepted when they were inserted.
        self.fill(ids.len(), u32::MAX, |k| sphere(ids[k as usize]));
    }

    fn bytes(&self) -> usize {
        let free: usize = self.free.iter().map(Vec::capacity).sum();
        self.arena.bytes() + self.nodes.capacity() * size_of::<Node>() + free * size_of::<u32>()
    }

    /// Spheres that fit into no node count for level 0.
    fn spheres_per_level(&self) -> Vec<usize> {
        let mut counts = vec![0; self.deepest as usize + 1];
        counts[0] = self.oversize.len();
        let mut open: Vec<(u32, u32)> =
            (0..self.base_len()).map(|node| (node, self.base)).collect();
        while let Some((node, level)) = open.pop() {
            let node = self.nodes[node as usize];
            counts[level as usize] += node.run.len();
            let children = node.children..node.children + node.octants.count_ones();
            open.extend(children.map(|child| (child, level + 1)));
        }
        let used = counts.iter().rposition(|&count| count > 0);
        counts.truncate(used.map_or(0, |deepest| deepest + 1));
        counts
    }

    fn assert_well_formed(&self, sphere: &dyn Fn(u32) -> Entry) {
        let mut owned = vec![false; self.nodes.len()];
        owned[..self.base_len() as usize].fill(true);
        let mut own = |start: u32, count: u32| {
            for node in start..start + count {
                assert!(!owned[node as usize], "node {node} belongs to two blocks");
                owned[node as usize] = true;
            }
        };
        let mut runs = vec![self.oversize];
        let mut stack: Vec<(u32, NodeAddress)> = (0..self.base_len())
            .map(|node| (node, self.base_address(node)))
            .collect();
        while let Some((index, address)) = stack.pop() {
            let node = self.nodes[index as usize];
            assert!(
                index < self.base_len() || !node.is_vacant(),
                "vacant node at {address:?}"
            );
            runs.push(node.run);
            self.assert_members(node, address, sphere);
            own(node.children, node.octants.count_ones());
            for octant in 0..8 {
                if let Some(child) = node.child(octant) {
                    stack.push((child, address.child(octant)));
                }
            }
        }
        for entry in self.arena.ids(self.oversize).iter().map(|&id| sphere(id)) {
            assert_eq!(self.node_of(&entry), None, "{entry:?} fits into a node");
        }
        for (count, list) in (1..).zip(&self.free) {
            list.iter().for_each(|&start| own(start, count));
        }
        assert!(owned.iter().all(|&o| o), "a block of nodes has no owner");
        self.arena.assert_well_formed(runs.into_iter());
    }
}

impl<R: NodeRule> Octree<R> {
    fn base_address(&self, node: u32) -> NodeAddress {
        let coordinates = self.base_nodes.coordinates(node.into());
        NodeAddress {
            level: self.base,
            coordinates: coordinates.map(|c| c as u32),
        }
    }

    /// Checks that the spheres of a node belong there and that queries cover their radii.
    fn assert_members(&self, node: Node, address: NodeAddress, sphere: &dyn Fn(u32) -> Entry) {
        for entry in self.arena.ids(node.run).iter().map(|&id| sphere(id)) {
            assert_eq!(self.node_of(&entry), Some(address), "node of {entry:?}");
            let bounds = &self.largest[..=address.level as usize];
            assert!(
                bounds.iter().all(|&radius| entry.radius <= radius),
                "queries do not cover the radius of {entry:?}"
            );
        }
    }
}
