//! Rules of an octree: to which node a sphere belongs, and how deep the tree may grow.

use std::fmt;

use super::root_cube::{NodeAddress, RootCube};
use crate::index::{
    constants::{BASE_NODES, DEEP_NODES_PER_SPHERE, SHALLOW_SPHERES_PER_NODE},
    entry::Entry,
};

/// Rule that assigns a node to each sphere. By default, it is the rule of the standard tree.
pub trait NodeRule: Clone + Default + fmt::Debug + Send + Sync {
    /// Returns the ratio of the sides of a node's outer and inner boundary.
    fn expansion(&self) -> f64;

    /// Returns the coarsest level to which a sphere of this radius may belong, wherever its center is; none if it may fit
    /// into no node at all.
    fn coarsest_level(&self, cube: &RootCube, radius: f64) -> Option<u32>;

    /// Returns the node of a sphere, not deeper than `deepest`; none if it fits into no node.
    fn node(&self, cube: &RootCube, entry: &Entry, deepest: u32) -> Option<NodeAddress>;
}

/// Limit on the number of nodes, and hence on the depth of a tree.
#[derive(Clone, Copy, Debug)]
pub(super) enum Depth {
    /// At most three nodes per sphere, so that probes meet few candidates.
    Deep,
    /// At most one node for every ten spheres, for probes that contain many spheres.
    Shallow,
}

impl Depth {
    pub(super) fn max_nodes(self, spheres: usize) -> usize {
        BASE_NODES
            + match self {
                Self::Deep => DEEP_NODES_PER_SPHERE * spheres,
                Self::Shallow => spheres / SHALLOW_SPHERES_PER_NODE,
            }
    }
}
