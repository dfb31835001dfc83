//! Dense, random, overlap-free packings of spheres from particle size distributions.

pub mod broad_phase;
pub mod compare;
mod container;
mod distribution;
mod index;
mod packing;
mod spheres;

pub use container::{Boundaries, Boundary, Container, ContainerError, ParseBoundariesError};
pub use distribution::SizeReport;
pub use index::{Entry, GlobalIndex, IndexKind, ParseIndexKindError};
pub use packing::{Certificate, ClosestPair, Packing, Provenance, StopReason};
pub use spheres::{Spheres, total_volume};
