//! The packing loop: collective rearrangement by relocating one sphere at a time.
//!
//! After Jodrey & Tory (1985) and Raschdorf & Kolonko 2011: spheres are placed at random in a container that is too small.
//! Where sizes differ much, small spheres are inserted later. Each sweep visits every sphere once and moves it away from the
//! neighbors that it overlaps. The container grows a little after each sweep, more slowly as the overlaps vanish, until a
//! last exact step makes it just large enough for no overlap at all.
//!
//! `docs/method/algorithm.md` follows a run from the diameters to the packing.
//!
//! Where exchanges are requested, pairs of spheres of nearly equal size exchange their positions between two sweeps. Insertions, exchanges
//! and the relocations of a sweep are [moves](Move); a caller can add others.
//!
//! A sphere without overlap stays at its position. Raschdorf & Kolonko move it toward its nearest neighbor:
//! [`PackOptions::toward_nearest`] adds that move.

// The laboratory alone uses some parts.
#![cfg_attr(not(feature = "laboratory"), allow(dead_code, unused_imports))]

mod approach;
mod block_graph;
mod builder;
mod checkpoint;
mod checkpoint_checks;
mod constants;
mod crowding;
mod decision;
mod effort;
mod ending;
mod fixed;
mod gaps;
mod halo;
mod jamming;
mod last_step;
mod limit;
mod members;
mod memory;
mod mixture;
mod moves;
mod neighbors;
mod observer;
mod options;
mod order;
mod packer;
mod phase;
mod placement;
mod plain;
mod points;
mod refresh;
mod remaining;
mod resume;
mod schedule;
mod setup;
mod shuffled;
mod snapshot;
mod start;
mod state;
mod visits;

pub use builder::PackerBuilder;
#[cfg(feature = "files")]
pub(crate) use checkpoint::{Account, BLOCK, Columns, Shares};
pub use checkpoint::{Checkpoint, ResumeError};
pub use effort::{Effort, EffortError};
pub use fixed::{FixedError, FixedSpheres};
pub use limit::Interrupt;
pub use memory::MemoryEstimate;
pub(crate) use moves::step_toward_nearest;
pub use moves::{
    Arrangement, BreathingShare, BreathingShareError, ExchangeRate, ExchangeRateError, GapShare,
    GapShareError, Move,
};
pub use observer::{Observer, Progress};
pub(crate) use options::check_radii;
pub use options::{PackError, PackOptions, Target};
pub use packer::{GENERATOR, PackRun, Packer, pack, pack_observed};
pub(crate) use plain::{PlainSchedule, skin_for};
pub use start::{Start, StartError};
pub use state::Work;
