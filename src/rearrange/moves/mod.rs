//! The moves of a run, one file for each kind.
//!
//! A round consists of all moves that are due, in the order of [`Moves::list`]. The relocation of all spheres, which is a sweep, is the last
//! one.

mod breathing;
mod breathing_share;
pub(super) mod by_radius;
mod displacement;
mod energy;
pub(super) mod exchange;
mod exchange_rate;
mod gap_share;
mod insertion;
mod interface;
mod list;
pub(super) mod pending;
pub(super) mod relocation;
mod single;
#[cfg(test)]
mod tests;
mod toward_nearest;

pub use breathing_share::{BreathingShare, BreathingShareError};
pub use exchange_rate::{ExchangeRate, ExchangeRateError};
pub use gap_share::{GapShare, GapShareError};
pub(super) use insertion::{Split, split};
pub use interface::{Arrangement, Move};
pub(super) use list::Moves;
pub(crate) use single::{SingleRelocation, single_relocation};
pub(crate) use toward_nearest::step_toward_nearest;
