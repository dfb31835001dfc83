//! The loose and the strict octree: sparse nodes, storage and traversal, which both share.
//!
//! Level `l` divides a cube of the longest container side `s0` into `8^l` nodes of side `s0/2^l`.
//! Only nodes that hold a sphere, or have a descendant that does, exist. In a longer box the nodes
//! outside it are never created, so that a 100 × 1 × 1 container costs no more than its volume.
//! The children of a node lie side by side in memory.
//!
//! Two differences from a tree with one root keep cost and memory proportional to the number of
//! spheres. Queries skip the levels above the first level that can hold the largest sphere; the nodes
//! of that level form a dense array. Levels that would add more nodes than [`Depth`](rule::Depth) allows
//! are not used.
//!
//! The dense array is cut into regions. Each region holds the nodes below its part of the array, and their spheres, so that the
//! threads build and change different regions at the same time.

mod build;
mod global_index;
mod loose;
mod node;
mod query;
mod region;
mod relocate;
mod root_cube;
mod rule;
mod strict;
mod tree;

pub use self::{
    loose::{ExpansionFactorError, LooseOctree},
    strict::StrictOctree,
};
