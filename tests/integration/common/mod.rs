//! What several suites need.

#[cfg(feature = "mesh")]
#[path = "../../../reports/src/bodies.rs"]
pub mod bodies;
pub mod body_distance;
#[cfg(feature = "files")]
pub mod directory;
#[cfg(feature = "cli")]
pub mod outcomes;
#[cfg(feature = "cli")]
pub mod program;
#[cfg(all(feature = "cli", target_os = "linux"))]
#[path = "../../../reports/src/resident.rs"]
pub mod resident;
#[cfg(all(feature = "cli", unix))]
pub mod signals;
pub mod spheres;
