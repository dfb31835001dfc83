//! One packing on several ranks.
//!
//! Each rank owns the blocks of a region and visits their spheres. In each phase, it first visits the blocks with spheres of which
//! other ranks hold copies, and sends them the positions of moved spheres. It then visits its other blocks, and receives positions.
//!
//! At the end of a sweep, refreshed spheres go to all ranks that may need them; a sphere whose block belongs to another rank moves there.
//! All sums are formed in the order of the blocks, so that every number has the bits of a run without ranks.

mod copies;
mod domain;
mod exchange;
mod finish;
mod finish_around;
mod gather;
mod holders;
mod insertion;
mod numbering;
mod record;
mod regions;
mod sweep;
#[cfg(test)]
mod tests;

pub(super) use copies::Change;
pub(super) use domain::Domain;
pub(super) use finish::LastStep;
pub(super) use record::Gathered;
