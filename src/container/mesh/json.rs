//! The JSON form of a mesh: `scale`, `origin`, `vertices` and `triangles`.

use glam::DVec3;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use super::{error::MeshError, solid::Mesh};

#[derive(Serialize)]
struct Written<'a> {
    scale: f64,
    origin: DVec3,
    vertices: &'a [DVec3],
    triangles: &'a [[u32; 3]],
}

#[derive(Deserialize)]
struct Read {
    scale: Option<f64>,
    origin: Option<DVec3>,
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
}

impl Serialize for Mesh {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = Written {
            scale: self.scale(),
            origin: self.origin(),
            vertices: self.unscaled_vertices(),
            triangles: self.triangles(),
        };
        written.serialize(serializer)
    }
}

/// Reads a mesh from its fields. Without `scale`, it is 1.
impl<'de> Deserialize<'de> for Mesh {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = Read::deserialize(deserializer)?;
        Self::from_json(read.vertices, read.triangles, read.scale, read.origin)
            .map_err(D::Error::custom)
    }
}

impl Mesh {
    /// Returns the mesh that the fields of a file describe. Vertices times `scale` have the unit of the result, and so has `origin`.
    pub(in super::super) fn from_json(
        vertices: Vec<DVec3>,
        triangles: Vec<[u32; 3]>,
        scale: Option<f64>,
        origin: Option<DVec3>,
    ) -> Result<Self, MeshError> {
        let mesh = Self::new(vertices, triangles)?;
        let origin = origin.unwrap_or(mesh.origin());
        Ok(mesh.scaled(scale.unwrap_or(1.0)).with_origin(origin))
    }
}
