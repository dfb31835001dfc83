//! Laboratory for the comparisons in the papers. The packing loop does not depend on this module.

// Parts of the comparisons serve the measurement of the overhead and the colors of levels as well.
#![cfg_attr(not(feature = "laboratory"), allow(dead_code, unused_imports))]

pub mod broad_phase;
pub mod compare;
#[cfg(feature = "laboratory")]
pub mod published_loop;
#[cfg(feature = "laboratory")]
pub mod soft_spheres;
