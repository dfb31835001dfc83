//! Where the nodes of an octree lie, and which of them a sphere belongs to.

use std::fmt;

use crate::{
    container::Container,
    index::{Entry, axis::Axis},
};

/// The deepest level of any octree: a node is then 2⁻¹⁹ of the container's side.
pub(in crate::index) const MAX_LEVEL: u32 = 19;

/// A node, by level and integer coordinates on that level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub(in crate::index) level: u32,
    pub(in crate::index) cell: [u32; 3],
}

/// Which node a sphere belongs to.
pub trait Placement: Clone + fmt::Debug + Send + Sync {
    /// Side of a node's outer boundary over that of its inner boundary.
    fn expansion(&self) -> f64;

    /// The coarsest level to which a sphere of this radius may belong, wherever it is; none if it may
    /// fit into no node at all.
    fn coarsest_level(&self, frame: &Frame, radius: f64) -> Option<u32>;

    /// The node of a sphere, not deeper than `deepest`; none if it fits into no node.
    fn place(&self, frame: &Frame, entry: &Entry, deepest: u32) -> Option<Place>;
}

/// The cube of nodes laid over a container.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Side of the level-0 node.
    pub(in crate::index) side: f64,
    sides: [f64; MAX_LEVEL as usize + 1],
    pub(in crate::index) axes: [Axis; 3],
    /// Coordinates on the deepest level per unit of length.
    scale: f64,
    /// Last coordinate on the deepest level, for each axis.
    last: [u32; 3],
}

impl Frame {
    pub(in crate::index) fn new(container: &Container) -> Self {
        let side = container.lengths().max_element();
        let finest = f64::from(1 << MAX_LEVEL);
        let last = (container.lengths() / side).to_array();
        Self {
            side,
            sides: std::array::from_fn(|level| side / f64::from(1u32 << level)),
            axes: Axis::of(container),
            scale: finest / side,
            last: last.map(|share| ((share * finest).ceil() as u32).max(1) - 1),
        }
    }

    /// Side of the nodes of a level (the paper's inner boundary).
    #[inline]
    pub(in crate::index) fn node_side(&self, level: u32) -> f64 {
        self.sides[level as usize]
    }

    /// The cell of the deepest level that holds a coordinate.
    #[inline]
    pub(in crate::index) fn finest_cell(&self, axis: usize, x: f64) -> u32 {
        ((x * self.scale) as u32).min(self.last[axis])
    }

    /// Number of nodes of a level along an axis.
    fn count(&self, axis: usize, level: u32) -> u32 {
        (self.last[axis] >> (MAX_LEVEL - level)) + 1
    }

    pub(in crate::index) fn counts(&self, level: u32) -> [u32; 3] {
        [0, 1, 2].map(|axis| self.count(axis, level))
    }
}

/// Largest `l` with `2^l ≤ x`, for positive `x`.
#[inline]
pub(in crate::index) fn floor_log2(x: f64) -> i32 {
    (x.to_bits() >> 52) as i32 - 1023
}
