//! The moves of a run, one file for each kind.
//!
//! A round consists of all moves that are due, in the order of [`Moves::list`]. The relocation of all spheres, which is a sweep, is the last
//! one.

mod breathing;
pub(super) mod by_radius;
mod displacement;
mod energy;
pub(super) mod exchange;
mod insertion;
mod interface;
mod list;
pub(super) mod pending;
pub(super) mod relocation;
mod single;
#[cfg(test)]
mod tests;
mod toward_nearest;

pub use breathing::{BreathingShare, BreathingShareError};
pub use exchange::{ExchangeRate, ExchangeRateError};
pub(super) use insertion::{Split, split};
pub use interface::{Arrangement, Move};
pub(super) use list::Moves;
pub(crate) use single::{SingleRelocation, single_relocation};
pub(crate) use toward_nearest::step_toward_nearest;
pub use toward_nearest::{GapShare, GapShareError};
