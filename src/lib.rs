//! Dense, random, overlap-free packings of spheres from particle size distributions.

mod container;
mod distribution;
mod index;
mod packing;
mod rearrange;
mod spheres;
mod verlet;

pub use container::{Boundaries, Boundary, Container, ContainerError, ParseBoundariesError};
pub use distribution::SizeReport;
pub use index::{
    CellSizesError, Entry, ExpansionFactorError, GlobalIndex, Grid, HGrid, IndexKind, KdTree,
    LooseOctree, ParseIndexKindError, StrictOctree,
};
pub use packing::{Certificate, ClosestPair, Packing, Provenance, StopReason};
pub use spheres::{Spheres, total_volume};

pub use verlet::VerletLists;
pub use rearrange::proto;
