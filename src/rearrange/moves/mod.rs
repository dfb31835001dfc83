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
mod numbers;
pub(super) mod pending;
pub(super) mod relocation;
mod single;
#[cfg(test)]
mod tests;
mod toward_nearest;

pub(super) use insertion::{Split, split};
pub use interface::{Arrangement, Move};
pub(super) use list::Moves;
pub use numbers::{
    BreathingShare, BreathingShareError, ExchangeRate, ExchangeRateError, GapShare, GapShareError,
};
pub(crate) use single::{SingleRelocation, single_relocation};
pub(crate) use toward_nearest::step_toward_nearest;
