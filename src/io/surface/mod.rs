//! Surfaces of triangles: spheres as icospheres, cut at the faces of the container, and bridges between them.

mod clip;
mod icosphere;
mod mesh;
mod solids;

pub(crate) use icosphere::icosphere;
pub(crate) use mesh::Mesh;
pub(super) use solids::{bridges, for_each_solid};
#[cfg(feature = "report")]
pub(crate) use {clip::clip_to_box, solids::frustum};
