//! The cube that an octree divides, and the addresses of its nodes.

use crate::{
    container::Container,
    index::{
        axis::Axis,
        cell_grid::{CellAxis, CellGrid},
        constants::MAX_LEVEL,
    },
};

/// Level of a node and its integer coordinates on that level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeAddress {
    pub(in crate::index) level: u32,
    pub(in crate::index) coordinates: [u32; 3],
}

impl NodeAddress {
    /// Returns the coordinates of the ancestor on `level`, which must not be deeper.
    #[inline]
    pub(super) fn ancestor(self, level: u32) -> [u32; 3] {
        let shift = self.level - level;
        self.coordinates.map(|coordinate| coordinate >> shift)
    }

    /// Returns the octant of the ancestor on `level` (or of the node itself) within its parent.
    #[inline]
    pub(super) fn octant(self, level: u32) -> u32 {
        let [x, y, z] = self.ancestor(level).map(|coordinate| coordinate & 1);
        x | y << 1 | z << 2
    }

    /// Returns the address of a child.
    pub(super) fn child(self, octant: u32) -> Self {
        let halves = [octant & 1, octant >> 1 & 1, octant >> 2];
        Self {
            level: self.level + 1,
            coordinates: [0, 1, 2].map(|axis| 2 * self.coordinates[axis] + halves[axis]),
        }
    }
}

/// The cube of nodes around a container: its side is the longest side of the container.
#[derive(Clone, Debug)]
pub struct RootCube {
    /// Side of the level-0 node.
    pub(super) side: f64,
    /// Side of the nodes of each level.
    sides: [f64; MAX_LEVEL as usize + 1],
    pub(super) axes: [Axis; 3],
    /// By axis, the middle of a node as a share of its side. That of a flat container is its plane, z = 0.
    pub(super) middle: [f64; 3],
    /// Nodes of the deepest level per unit of length.
    per_length: f64,
    /// By axis, the last coordinate on the deepest level that lies in the container.
    last: [u32; 3],
}

impl RootCube {
    pub(super) fn new(container: &Container) -> Self {
        let side = container.lengths().max_element();
        let finest = f64::from(1 << MAX_LEVEL);
        let last = (container.lengths() / side).to_array();
        Self {
            side,
            sides: std::array::from_fn(|level| side / f64::from(1u32 << level)),
            axes: Axis::of(container),
            middle: last.map(|share| if share > 0.0 { 0.5 } else { 0.0 }),
            per_length: finest / side,
            last: last.map(|share| ((share * finest).ceil() as u32).max(1) - 1),
        }
    }

    /// Returns the side of the nodes of a level (the paper's inner boundary).
    #[inline]
    pub(super) fn node_side(&self, level: u32) -> f64 {
        self.sides[level as usize]
    }

    /// Returns the coordinate, on the deepest level, of the node that holds `x`.
    #[inline]
    pub(super) fn finest_coordinate(&self, axis: usize, x: f64) -> u32 {
        ((x * self.per_length) as u32).min(self.last[axis])
    }

    /// Returns the nodes of a level that lie in the container, as cells.
    pub(super) fn nodes_on(&self, level: u32) -> CellGrid {
        let shift = MAX_LEVEL - level;
        // Division by a power of two is exact: nodes and cells of a point are the same.
        let per_length = self.per_length / f64::from(1u32 << shift);
        let count = |axis: usize| (self.last[axis] >> shift) as i32 + 1;
        CellGrid::new([0, 1, 2].map(|axis| CellAxis::new(self.axes[axis], per_length, count(axis))))
    }
}
