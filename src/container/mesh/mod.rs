//! Closed triangle meshes: readers, tests of the surface, distances, and the largest sphere inside.

mod constants;
mod container;
mod error;
mod exact;
mod faces;
mod facet;
mod field;
mod grid;
mod inscribed;
mod intersections;
mod list;
mod obj;
mod outline;
mod raster;
mod read;
mod shells;
mod sides;
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
