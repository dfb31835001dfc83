//! Verlet lists over any global index.
//!
//! Every sphere has a *skin* h: the distance that it may move from its *reference position*, where its list was built. The
//! global index holds the spheres at their reference positions, inflated by their skins. Two spheres are neighbors if their
//! inflated spheres intersect. Two spheres that have not moved further than their skins therefore overlap only if they are
//! neighbors. With the Verlet distance δ_V of Raschdorf & Kolonko 2011, h = δ_V/2: the two skins of a pair add up to δ_V.
//!
//! A sphere that has used up its skin is *refreshed*: it gets a new reference position and a new list from the index, and it
//! enters or leaves the lists of other spheres, so that the relation stays symmetric. Lists are sorted by id, and therefore
//! the same for every index.

mod candidates;
mod clusters;
mod constants;
mod lists;
mod lookup;
mod shard;
mod shortlists;
mod verlet_lists;

pub(crate) use candidates::squared_distances;
pub(crate) use lists::SymmetricLists;
pub(crate) use shard::Octet;
pub(crate) use shortlists::Shortlists;
pub use verlet_lists::{VerletError, VerletLists};
