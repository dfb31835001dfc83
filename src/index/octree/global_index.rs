//! An octree as a global index.

use glam::DVec3;

use super::{
    node::Node,
    region::Region,
    root_cube::NodeAddress,
    rule::NodeRule,
    tree::{Octree, cover_radius},
};
use crate::index::{
    constants::{REBUILD_NODES_PER_SPHERE, REBUILD_SLACK_SLOTS},
    entry::{Entry, EntryError},
    global_index::GlobalIndex,
    slot_table::ABSENT,
};

impl<R: NodeRule> GlobalIndex for Octree<R> {
    fn insert(&mut self, entry: Entry) -> Result<(), EntryError> {
        entry.check()?;
        let id = entry.id;
        self.slots.check_new(id, self.population.len)?;
        self.slots.reach(id);
        self.population.len += 1;
        let Some(address) = self.node_of(&entry) else {
            let coarsest = self.rule.coarsest_level(&self.cube, entry.radius);
            self.has_coarser |= coarsest.is_some_and(|level| level < self.base);
            self.slots.set(id, self.oversize.len() as u32);
            self.oversize.push(id);
            return Ok(());
        };
        cover_radius(&mut self.largest, address.level, entry.radius);
        let root = self.root(address);
        self.change_region(root.region, |region, slots| {
            region.insert(root, address, id, slots);
        });
        Ok(())
    }

    fn would_change(&self, from: &Entry, to: &Entry) -> bool {
        self.is_changed_by(self.node_of(from), self.node_of(to), to.radius)
    }

    fn relocate_all(&mut self, count: u32, entries: &(dyn Fn(u32) -> (Entry, Entry) + Sync)) {
        self.relocate_by_region(count, entries);
    }

    fn remove(&mut self, entry: Entry) -> Result<(), EntryError> {
        entry.check()?;
        let is_stored = match self.node_of(&entry) {
            None => self.remove_oversize(entry.id),
            Some(address) => {
                let root = self.root(address);
                self.change_region(root.region, |region, slots| {
                    region.remove(root, address, entry.id, slots)
                })
            }
        };
        if !is_stored {
            return Err(self.slots.misplaced(entry.id));
        }
        self.population.len -= 1;
        Ok(())
    }

    fn contains(&self, id: u32) -> bool {
        self.slots.contains(id)
    }

    fn len(&self) -> usize {
        self.population.len
    }

    fn visit_candidates(&self, center: DVec3, radius: f64, visit: &mut dyn FnMut(&[u32])) -> usize {
        self.query(center, radius, visit)
    }

    fn needs_rebuild(&self) -> bool {
        let most_nodes = REBUILD_NODES_PER_SPHERE * self.population.len + REBUILD_SLACK_SLOTS;
        self.has_coarser
            || self.population.needs_rebuild(self.size.slots)
            || self.size.nodes > most_nodes
    }

    fn rebuild(&mut self, sphere: &(dyn Fn(u32) -> Entry + Sync)) {
        let ids: Vec<u32> = self.present().collect();
        // The ids were accepted when they were inserted.
        self.fill(ids.len(), u32::MAX, |k| sphere(ids[k as usize]));
    }

    fn bytes(&self) -> usize {
        let regions: usize = self.regions.iter().map(Region::bytes).sum();
        regions + self.slots.bytes() + self.oversize.capacity() * size_of::<u32>()
    }

    /// Spheres that fit into no node count for level 0.
    fn spheres_per_level(&self) -> Vec<usize> {
        let mut counts = vec![0; self.deepest as usize + 1];
        counts[0] = self.oversize.len();
        for (number, region) in self.regions.iter().enumerate() {
            let mut open: Vec<(u32, u32)> = (0..self.roots_in(number))
                .map(|node| (node, self.base))
                .collect();
            while let Some((node, level)) = open.pop() {
                let node = region.nodes[node as usize];
                counts[level as usize] += node.run.len();
                let children = node.children..node.children + node.octants.count_ones();
                open.extend(children.map(|child| (child, level + 1)));
            }
        }
        let used = counts.iter().rposition(|&count| count > 0);
        counts.truncate(used.map_or(0, |deepest| deepest + 1));
        counts
    }

    fn assert_well_formed(&self, sphere: &dyn Fn(u32) -> Entry) {
        let stored = |number| self.assert_region(number, sphere);
        let stored: usize = (0..self.regions.len()).map(stored).sum();
        for (slot, &id) in (0..).zip(&self.oversize) {
            let entry = sphere(id);
            assert_eq!(self.node_of(&entry), None, "{entry:?} fits into a node");
            assert_eq!(self.slots.get(id), slot, "slot of id {id}");
        }
        let sizes = || self.regions.iter().map(Region::size);
        let nodes: usize = sizes().map(|size| size.nodes).sum();
        let slots: usize = sizes().map(|size| size.slots).sum();
        assert_eq!((self.size.nodes, self.size.slots), (nodes, slots));
        let len = self.population.len;
        assert_eq!(stored + self.oversize.len(), len, "number of ids");
        assert_eq!(
            self.slots.count(),
            len,
            "number of ids in the table of slots"
        );
    }
}

impl<R: NodeRule> Octree<R> {
    /// Removes a sphere that fits into no node. Returns whether it was stored as such a sphere.
    fn remove_oversize(&mut self, id: u32) -> bool {
        let slot = self.slots.get(id) as usize;
        if self.oversize.get(slot) != Some(&id) {
            return false;
        }
        self.oversize.swap_remove(slot);
        self.slots.set(id, ABSENT);
        if let Some(&moved) = self.oversize.get(slot) {
            self.slots.set(moved, slot as u32);
        }
        true
    }

    /// Checks a region, and returns the number of its spheres.
    fn assert_region(&self, number: usize, sphere: &dyn Fn(u32) -> Entry) -> usize {
        let region = &self.regions[number];
        let roots = self.roots_in(number);
        let mut owned = vec![false; region.nodes.len()];
        owned[..roots as usize].fill(true);
        let mut own = |start: u32, count: u32| {
            for node in start..start + count {
                assert!(!owned[node as usize], "node {node} belongs to two blocks");
                owned[node as usize] = true;
            }
        };
        let mut runs = Vec::new();
        let first = (number as u32) << self.region_bits;
        let mut stack: Vec<(u32, NodeAddress)> = (0..roots)
            .map(|node| (node, self.base_address(first + node)))
            .collect();
        while let Some((index, address)) = stack.pop() {
            let node = region.nodes[index as usize];
            assert!(
                index < roots || !node.is_vacant(),
                "vacant node at {address:?}"
            );
            runs.push(node.run);
            self.assert_members(region, node, address, sphere);
            own(node.children, node.octants.count_ones());
            for octant in 0..8 {
                if let Some(child) = node.child(octant) {
                    stack.push((child, address.child(octant)));
                }
            }
        }
        for (count, list) in (1..).zip(&region.free) {
            list.iter().for_each(|&start| own(start, count));
        }
        assert!(owned.iter().all(|&o| o), "a block of nodes has no owner");
        (region.runs).assert_well_formed(runs.into_iter(), &self.slots)
    }

    fn base_address(&self, node: u32) -> NodeAddress {
        let coordinates = self.base_nodes.coordinates(node.into());
        NodeAddress {
            level: self.base,
            coordinates: coordinates.map(|c| c as u32),
        }
    }

    /// Checks that the spheres of a node belong there and that queries cover their radii.
    fn assert_members(
        &self,
        region: &Region,
        node: Node,
        address: NodeAddress,
        sphere: &dyn Fn(u32) -> Entry,
    ) {
        for entry in region.runs.ids(node.run).iter().map(|&id| sphere(id)) {
            assert_eq!(self.node_of(&entry), Some(address), "node of {entry:?}");
            let bounds = &self.largest[..=address.level as usize];
            assert!(
                bounds.iter().all(|&radius| entry.radius <= radius),
                "queries do not cover the radius of {entry:?}"
            );
        }
    }
}
