//! Surfaces of triangles: spheres as icospheres, cut at the faces of the container, and bridges between them.

mod bridge;
mod clip;
mod icosphere;
mod mesh;
mod solids;

pub(super) use bridge::bridges;
pub(super) use icosphere::icosphere;
pub(super) use mesh::Mesh;
pub(super) use solids::for_each_solid;
