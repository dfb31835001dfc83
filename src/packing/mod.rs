//! The result of a run, and the certificate that its spheres do not overlap.

mod certificate;
mod closest;
#[cfg(feature = "mesh")]
mod mesh_walls;
mod provenance;
mod result;
mod search;
mod solids;
mod walls;

pub use certificate::{Certificate, certify, exceeds_tolerance};
pub(crate) use certificate::{certify_spheres, certify_walls};
pub use closest::ClosestPair;
pub use provenance::{Provenance, StopReason};
pub use result::Packing;
