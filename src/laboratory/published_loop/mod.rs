//! The packing loop as Raschdorf & Kolonko 2011 describe it, with the time of a refresh as an option.
//!
//! Their loop visits one sphere after the other, and refreshes a sphere as soon as it has moved by half the Verlet distance δ_V. The
//! [`Packer`](crate::Packer) visits distant spheres at the same time, and refreshes all spheres that left their inflated spheres in one batch
//! after the sweep. Until then, an overlap with such a sphere may be missing in a list. [`PublishedLoop`] makes both runs from the same
//! spheres, and [`PublishedLoop::missed`] returns the missed overlaps of a visit.

mod run;

pub use run::{PublishedLoop, PublishedLoopOptions, PublishedSweep, RefreshPolicy};
