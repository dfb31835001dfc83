//! Comparisons of indexes and of broad phase algorithms, as in the papers.
//!
//! The functions return measurements as data; the caller prints them.

mod constants;
mod hgrid;
#[cfg(feature = "laboratory")]
mod papers;
mod published_octree;
mod random;

pub use hgrid::{measure_overhead, random_spheres, search, whole_cells};
#[cfg(feature = "laboratory")]
pub use papers::*;
pub use published_octree::{
    AcrossFaces, PublishedOctree, published_octree_candidates, published_octree_levels,
    published_octree_searched_nodes, published_octree_sphere_levels,
};
