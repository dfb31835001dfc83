//! The result of a run, and the certificate that its spheres do not overlap.

mod certificate;
mod closest;
mod provenance;
mod result;
mod search;

pub use certificate::{Certificate, certify};
pub use closest::ClosestPair;
pub use provenance::{Provenance, StopReason};
pub use result::Packing;
