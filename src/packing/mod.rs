//! The result of a run, and the certificates that its spheres do not overlap, and that spheres at rest are supported.

mod certificate;
mod closest;
mod component;
mod force;
#[cfg(feature = "mesh")]
mod mesh_walls;
mod provenance;
mod result;
mod search;
mod solids;
mod stability;
mod support;
mod walls;

pub use certificate::{Certificate, certify, exceeds_tolerance};
pub(crate) use certificate::{certify_spheres, certify_walls};
pub use closest::ClosestPair;
#[cfg(feature = "files")]
pub(crate) use component::with_spheres;
pub use component::{ComponentError, PackedComponent};
pub(crate) use component::{of_part, of_sample};
pub use force::{ContactForces, ForceError, WallForce};
pub use provenance::{Deposition, JamEnd, Jamming, Provenance, StopReason};
pub use result::Packing;
#[cfg(feature = "files")]
pub(crate) use result::PackingParts;
pub use stability::StabilityCertificate;
pub use support::{Support, Supports, SupportsError};
