//! Laboratory for the comparisons in the papers. The packing loop does not depend on this module.

pub mod broad_phase;
pub mod compare;
pub mod published_loop;
pub mod soft_spheres;
