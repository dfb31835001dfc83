//! Closed triangle meshes: readers, tests of the surface, distances, and the largest sphere inside.

mod chords;
mod constants;
mod container;
mod distances;
mod error;
mod exact;
mod facet;
mod field;
mod intersections;
mod json;
mod obj;
mod outline;
mod read;
mod shells;
mod solid;
mod soup;
mod stl;
mod surface;
mod topology;
mod tree;

pub use error::MeshError;
pub use read::ReadMeshError;
pub use solid::Mesh;
pub use soup::MeshFault;
