//! The JSON form of a container.

use glam::DVec3;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error, ser::SerializeMap};

#[cfg(feature = "mesh")]
use super::mesh::Mesh;
use super::{
    Container,
    body::Body,
    boundary::{Boundaries, BoundarySpec},
    parameters::ContainerShape,
    spec::axes,
};

impl Serialize for Container {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let shape = self.shape();
        let boundary = self.boundary_spec().to_string();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("shape", shape.name())?;
        if let ContainerShape::Box { lengths } = shape {
            // The order in files of version 1.0.
            map.serialize_entry("lengths", &lengths)?;
            map.serialize_entry("boundary", &boundary)?;
            map.serialize_entry("volume", &self.volume())?;
        } else {
            for (name, value) in shape.parameters() {
                map.serialize_entry(name, &value)?;
            }
            #[cfg(feature = "mesh")]
            if let ContainerShape::Mesh(mesh) = &shape {
                map.serialize_entry("scale", &mesh.scale())?;
                map.serialize_entry("origin", &mesh.origin())?;
                map.serialize_entry("vertices", mesh.unscaled_vertices())?;
                map.serialize_entry("triangles", mesh.triangles())?;
            }
            map.serialize_entry("boundary", &boundary)?;
            map.serialize_entry("volume", &self.volume())?;
            map.serialize_entry("lengths", &self.lengths())?;
        }
        if !self.bodies().is_empty() {
            map.serialize_entry("keep_out", self.bodies())?;
        }
        map.end()
    }
}

/// The fields of all shapes. Unknown fields are ignored, as in every part of a file.
#[derive(Deserialize)]
struct Fields {
    /// Absent in files that hold boxes only.
    shape: Option<String>,
    lengths: Option<DVec3>,
    boundary: Option<String>,
    d: Option<f64>,
    h: Option<f64>,
    d_bottom: Option<f64>,
    d_top: Option<f64>,
    #[serde(default)]
    keep_out: Vec<Body>,
    #[cfg(feature = "mesh")]
    scale: Option<f64>,
    #[cfg(feature = "mesh")]
    origin: Option<DVec3>,
    #[cfg(feature = "mesh")]
    vertices: Option<Vec<DVec3>>,
    #[cfg(feature = "mesh")]
    triangles: Option<Vec<[u32; 3]>>,
}

impl Fields {
    fn shape<E: Error>(&mut self) -> Result<ContainerShape, E> {
        Ok(match self.shape.as_deref() {
            None | Some("box") => ContainerShape::Box {
                lengths: self.lengths.ok_or_else(|| E::missing_field("lengths"))?,
            },
            Some("cylinder") => ContainerShape::Cylinder {
                diameter: required(self.d, "d")?,
                height: required(self.h, "h")?,
            },
            Some("sphere") => ContainerShape::Sphere {
                diameter: required(self.d, "d")?,
            },
            Some("cone") => ContainerShape::Cone {
                bottom: required(self.d_bottom, "d_bottom")?,
                top: required(self.d_top, "d_top")?,
                height: required(self.h, "h")?,
            },
            #[cfg(feature = "mesh")]
            Some("mesh") => ContainerShape::Mesh(self.mesh()?),
            Some(other) => {
                return Err(E::custom(format!(
                    "unknown shape of the container '{other}'; expected box, cylinder, sphere, cone or mesh"
                )));
            }
        })
    }

    #[cfg(feature = "mesh")]
    fn mesh<E: Error>(&mut self) -> Result<Mesh, E> {
        let (vertices, triangles) = (self.vertices.take(), self.triangles.take());
        let vertices = vertices.ok_or_else(|| E::missing_field("vertices"))?;
        let triangles = triangles.ok_or_else(|| E::missing_field("triangles"))?;
        Mesh::from_json(vertices, triangles, self.scale, self.origin).map_err(E::custom)
    }

    fn boundary<E: Error>(&self, shape: &ContainerShape) -> Result<Boundaries, E> {
        let boundary = match &self.boundary {
            None if matches!(shape, ContainerShape::Box { .. }) => {
                return Err(E::missing_field("boundary"));
            }
            None => None,
            Some(text) => Some(text.parse::<BoundarySpec>().map_err(E::custom)?),
        };
        axes(shape, boundary).map_err(E::custom)
    }
}

fn required<E: Error>(value: Option<f64>, name: &'static str) -> Result<f64, E> {
    value.ok_or_else(|| E::missing_field(name))
}

impl<'de> Deserialize<'de> for Container {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut fields = Fields::deserialize(deserializer)?;
        let shape = fields.shape()?;
        let boundary = fields.boundary(&shape)?;
        let outer = Self::new(&shape, boundary).map_err(D::Error::custom)?;
        outer.without(fields.keep_out).map_err(D::Error::custom)
    }
}
