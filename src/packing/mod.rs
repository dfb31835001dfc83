//! The result of a run, and the certificate that no two of its spheres overlap.

mod certificate;
mod result;
mod search;

pub use certificate::certify;
pub use result::{Certificate, ClosestPair, Packing, Provenance, StopReason};
