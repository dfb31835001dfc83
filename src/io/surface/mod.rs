//! Surfaces of triangles: spheres as icospheres, cut at the faces of the container, and bridges between them.

mod bridge;
mod clip;
mod icosphere;
mod mesh;
mod prism;
mod solids;

pub(super) use bridge::bridges;
pub(crate) use icosphere::icosphere;
pub(crate) use mesh::Mesh;
pub(super) use solids::for_each_solid;
#[cfg(feature = "report")]
pub(crate) use {clip::clip_to_box, prism::frustum};
