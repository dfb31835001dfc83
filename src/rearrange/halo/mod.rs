//! The ranks that make one packing, of which one process is the only one or one of several.
//!
//! Each rank owns the blocks of a region and visits their spheres. In each color of a level, it first visits the blocks with spheres of which
//! other ranks hold copies, and sends them the positions of moved spheres. It then visits its other blocks, and receives positions.
//!
//! At the end of a sweep, refreshed spheres go to all ranks that may need them; a sphere whose block belongs to another rank moves there.
//! All sums are formed in the order of the blocks, so that every number has the bits of a run without ranks.

mod columns;
mod exchange;
#[expect(clippy::module_inception, reason = "the type of the module")]
mod halo;
mod holders;
mod insertion;
mod numbering;
mod record;
mod refresh;
mod regions;
mod sweep;
#[cfg(test)]
pub(super) mod tests;

pub(super) use columns::{Gathered, moved};
pub(super) use halo::Halo;
pub(super) use refresh::Inflated;
