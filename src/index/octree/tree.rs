//! The regions of an octree, and how to find the node of a sphere.

use super::{
    region::{Region, Root, Size},
    root_cube::{NodeAddress, RootCube},
    rule::{Depth, NodeRule},
};
use crate::index::{
    cell_grid::CellGrid, constants::MAX_LEVEL, entry::Entry, population::Population,
    slot_table::SlotTable,
};

/// By level, the largest radius stored there or deeper.
pub(super) type LargestRadii = [f64; MAX_LEVEL as usize + 1];

/// An octree over spheres. [`LooseOctree`](crate::index::LooseOctree) and [`StrictOctree`](crate::index::StrictOctree) differ in the
/// rule `R` that assigns a node to each sphere.
#[derive(Clone, Debug)]
pub struct Octree<R> {
    pub(super) rule: R,
    pub(super) depth: Depth,
    pub(super) cube: RootCube,
    /// Coarsest level with nodes.
    pub(super) base: u32,
    /// The nodes of level `base`, numbered with x fastest.
    pub(super) base_nodes: CellGrid,
    /// Each region holds this number of successive nodes of level `base`, as an exponent of two. The last one may hold fewer.
    pub(super) region_bits: u32,
    pub(super) regions: Vec<Region>,
    /// Sum of all regions.
    pub(super) size: Size,
    /// By id, the slot in the storage of its region, or in `oversize`.
    pub(super) slots: SlotTable,
    /// The table of slots is at least so long after a build.
    pub(super) shortest_table: usize,
    /// Spheres that fit into no node; every probe reports them.
    pub(super) oversize: Vec<u32>,
    pub(super) population: Population,
    /// Deepest level with nodes.
    pub(super) deepest: u32,
    /// Upper bounds of the radii.
    pub(super) largest: LargestRadii,
    /// Whether a sphere was inserted since the build that belongs to a level above `base`.
    pub(super) has_coarser: bool,
}

impl<R: NodeRule> Octree<R> {
    /// Returns the node of a sphere; none if the sphere fits into no node of this tree.
    pub(super) fn node_of(&self, entry: &Entry) -> Option<NodeAddress> {
        let address = self.rule.node(&self.cube, entry, self.deepest);
        address.filter(|address| address.level >= self.base)
    }

    /// Returns whether the tree changes when a sphere moves between these nodes and gets a new radius.
    pub(super) fn is_changed_by(
        &self,
        from: Option<NodeAddress>,
        to: Option<NodeAddress>,
        radius: f64,
    ) -> bool {
        to != from || to.is_some_and(|to| radius > self.largest[to.level as usize])
    }

    /// Raises the upper bounds of the radii.
    pub(super) fn cover_radii(&mut self, stored: &LargestRadii) {
        for (largest, &stored) in self.largest.iter_mut().zip(stored) {
            *largest = largest.max(stored);
        }
    }

    /// Returns the ancestor of a node on level `base`.
    #[inline]
    pub(super) fn root(&self, address: NodeAddress) -> Root {
        self.root_of_number(self.root_number(address))
    }

    /// Returns the number of the ancestor of a node on level `base`.
    #[inline]
    pub(super) fn root_number(&self, address: NodeAddress) -> u32 {
        let coordinates = address.ancestor(self.base).map(|c| c as i32);
        self.base_nodes.number(coordinates) as u32
    }

    #[inline]
    pub(super) fn root_of_number(&self, number: u32) -> Root {
        Root {
            level: self.base,
            region: number >> self.region_bits,
            node: number & ((1 << self.region_bits) - 1),
        }
    }

    /// Changes one region.
    pub(super) fn change_region<T>(
        &mut self,
        number: u32,
        change: impl FnOnce(&mut Region, &SlotTable) -> T,
    ) -> T {
        let region = &mut self.regions[number as usize];
        let before = region.size();
        let result = change(region, &self.slots);
        let after = region.size();
        self.size.nodes += after.nodes - before.nodes;
        self.size.slots += after.slots - before.slots;
        result
    }

    /// Replaces all regions.
    pub(super) fn set_regions(&mut self, regions: Vec<Region>) {
        let sizes = regions.iter().map(Region::size);
        self.size = sizes.fold(Size::default(), |sum, size| Size {
            nodes: sum.nodes + size.nodes,
            slots: sum.slots + size.slots,
        });
        self.regions = regions;
    }

    /// Iterates over all ids.
    pub(super) fn present(&self) -> impl Iterator<Item = u32> + '_ {
        let regions = self.regions.iter();
        let stored = regions.flat_map(|region| region.runs.present().map(|(id, _)| id));
        stored.chain(self.oversize.iter().copied())
    }

    /// Returns the number of nodes on level `base` in a region.
    pub(super) fn roots_in(&self, region: usize) -> u32 {
        let first = (region as u64) << self.region_bits;
        (self.base_nodes.len() - first).min(1 << self.region_bits) as u32
    }
}

/// Notes the radius of a sphere that is stored on `level`.
pub(super) fn cover_radius(largest: &mut LargestRadii, level: u32, radius: f64) {
    for largest in largest[..=level as usize].iter_mut().rev() {
        if *largest >= radius {
            break;
        }
        *largest = radius;
    }
}
