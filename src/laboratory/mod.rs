//! The comparisons that the papers make. The packing loop does not depend on this module.

pub mod broad_phase;
pub mod compare;
