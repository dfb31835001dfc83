//! Global indexes: which spheres may intersect a probe sphere.
//!
//! Every index implements [`GlobalIndex`], whose documentation states the contract. An [`IndexBuilder`] builds one;
//! [`IndexKind`] is the choice among the builders of this crate. The module [`contract`] tests an index of a user.

// The laboratory alone uses some parts.
#![cfg_attr(not(feature = "laboratory"), allow(dead_code, unused_imports))]

mod arena;
mod axis;
mod cell_grid;
mod cell_level;
pub(crate) mod columns;
mod constants;
pub mod contract;
mod entry;
mod exponent;
mod for_lists;
mod global_index;
mod grid;
mod grid_levels;
mod hgrid;
#[cfg(feature = "kd-tree")]
mod kd_tree;
mod kind;
mod octree;
mod population;
mod run_storage;
mod slot_table;
mod subset;

#[cfg(feature = "kd-tree")]
pub use self::kd_tree::KdTree;
pub(crate) use self::{
    axis::Axis,
    cell_grid::{CellAxis, CellGrid, CellRange},
    for_lists::build_for_lists,
};
pub use self::{
    entry::{Entry, EntryError},
    global_index::{GlobalIndex, IndexBuilder},
    grid::Grid,
    hgrid::{CellSizesError, HGrid},
    kind::IndexKind,
    octree::{ExpansionFactorError, LooseOctree, StrictOctree},
};
