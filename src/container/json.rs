//! The JSON forms of containers and bodies.

use glam::{DVec2, DVec3};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error, ser::SerializeMap};

#[cfg(feature = "mesh")]
use super::mesh::{Mesh, MeshRepairs};
use super::{
    Container,
    axis::Axis,
    body::Body,
    boundary::{Boundaries, BoundarySpec},
    cuboid::Cuboid,
    outline::Outline,
    solid::Solid,
    spec::axes,
};
use crate::names::lacks;

/// Writes the name of a solid and its sizes.
fn write_solid<M: SerializeMap>(solid: &Solid, map: &mut M) -> Result<(), M::Error> {
    map.serialize_entry("shape", solid.name())?;
    match solid {
        Solid::Box(Cuboid { lengths }) => map.serialize_entry("lengths", lengths),
        Solid::Outline(outline) => {
            map.serialize_entry("scale", &outline.scale())?;
            map.serialize_entry("origin", &outline.origin().extend(0.0))?;
            map.serialize_entry("rings", outline.unscaled_rings())
        }
        #[cfg(feature = "mesh")]
        Solid::Mesh(mesh) => {
            map.serialize_entry("scale", &mesh.scale())?;
            map.serialize_entry("origin", &mesh.origin())?;
            if !mesh.repairs().is_empty() {
                map.serialize_entry("repairs", &mesh.repairs())?;
            }
            map.serialize_entry("vertices", mesh.unscaled_vertices())?;
            map.serialize_entry("triangles", mesh.triangles())
        }
        _ => (solid.parameters().into_iter())
            .filter(|(_, value)| value.is_finite())
            .try_for_each(|(name, value)| map.serialize_entry(name, &value)),
    }
}

impl Serialize for Container {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        write_solid(self.solid(), &mut map)?;
        if self.axis() != Axis::Z {
            map.serialize_entry("axis", &self.axis())?;
        }
        map.serialize_entry("boundary", &self.boundary_spec().to_string())?;
        map.serialize_entry("volume", &self.volume())?;
        if !matches!(self.solid(), Solid::Box(_)) {
            map.serialize_entry("lengths", &self.lengths())?;
        }
        if !self.bodies().is_empty() {
            map.serialize_entry("keep_out", self.bodies())?;
        }
        map.end()
    }
}

impl Serialize for Body {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        write_solid(&self.solid, &mut map)?;
        map.serialize_entry(position_name(&self.solid), &self.position)?;
        if self.solid.has_axis() {
            map.serialize_entry("axis", &self.axis)?;
        }
        map.end()
    }
}

/// Returns the name of the position of a body.
fn position_name(solid: &Solid) -> &'static str {
    match solid {
        Solid::Outline(_) => "corner",
        #[cfg(feature = "mesh")]
        Solid::Mesh(_) => "corner",
        _ => "center",
    }
}

/// The fields of containers and bodies. Unknown fields are ignored, as in every part of a file.
#[derive(Deserialize)]
struct Fields {
    shape: Option<String>,
    lengths: Option<DVec3>,
    d: Option<f64>,
    h: Option<f64>,
    d_bottom: Option<f64>,
    d_top: Option<f64>,
    lx: Option<f64>,
    ly: Option<f64>,
    scale: Option<f64>,
    origin: Option<DVec3>,
    rings: Option<Vec<Vec<DVec2>>>,
    #[cfg(feature = "mesh")]
    #[serde(default)]
    repairs: MeshRepairs,
    #[cfg(feature = "mesh")]
    vertices: Option<Vec<DVec3>>,
    #[cfg(feature = "mesh")]
    triangles: Option<Vec<[u32; 3]>>,
    // Of a container.
    boundary: Option<String>,
    #[serde(default)]
    keep_out: Vec<Body>,
    // Of a body.
    center: Option<DVec3>,
    corner: Option<DVec3>,
    // Of both.
    axis: Option<Axis>,
}

impl Fields {
    /// Returns the solid with this name. `owner` names in messages what has it.
    fn solid<E: Error>(&mut self, name: &str, owner: &str) -> Result<Solid, E> {
        if name == "box" {
            let lengths = self.lengths.ok_or_else(|| E::missing_field("lengths"))?;
            return Ok(Solid::Box(Cuboid { lengths }));
        }
        if name == "outline" {
            return self.outline().map(Solid::Outline);
        }
        #[cfg(feature = "mesh")]
        if name == "mesh" {
            return self.mesh().map(Solid::Mesh);
        }
        if name == "mesh" && !cfg!(feature = "mesh") {
            return Err(E::custom(lacks("the shape mesh", "mesh")));
        }
        let mut solid = Solid::unit(name).ok_or_else(|| {
            E::custom(format!(
                "unknown shape of the {owner} '{name}'; expected box, cylinder, sphere, cone, rectangle, circle, outline or mesh"
            ))
        })?;
        for (name, value) in solid.parameters_mut() {
            let given = match name {
                "d" => self.d,
                "h" => self.h,
                "d_bottom" => self.d_bottom,
                "lx" => self.lx,
                "ly" => self.ly,
                _ => self.d_top,
            };
            *value = given.ok_or_else(|| E::missing_field(name))?;
        }
        Ok(solid)
    }

    fn outline<E: Error>(&mut self) -> Result<Outline, E> {
        let rings = self.rings.take().ok_or_else(|| E::missing_field("rings"))?;
        let outline = Outline::new(rings).map_err(E::custom)?;
        // Points times `scale` have the unit of the result, and so has `origin`.
        let origin = self.origin.map_or(outline.origin(), DVec3::truncate);
        Ok(outline
            .scaled(self.scale.unwrap_or(1.0))
            .with_origin(origin))
    }

    #[cfg(feature = "mesh")]
    fn mesh<E: Error>(&mut self) -> Result<Mesh, E> {
        let (vertices, triangles) = (self.vertices.take(), self.triangles.take());
        let vertices = vertices.ok_or_else(|| E::missing_field("vertices"))?;
        let triangles = triangles.ok_or_else(|| E::missing_field("triangles"))?;
        let mesh = Mesh::new(vertices, triangles).map_err(E::custom)?;
        // Vertices times `scale` have the unit of the result, and so have `origin` and `repairs`.
        let origin = self.origin.unwrap_or(mesh.origin());
        let mesh = mesh.scaled(self.scale.unwrap_or(1.0)).with_origin(origin);
        Ok(mesh.with_repairs(self.repairs))
    }

    fn boundary<E: Error>(&self, solid: &Solid, axis: Axis) -> Result<Boundaries, E> {
        if self.boundary.is_none() && matches!(solid, Solid::Box(_) | Solid::Rectangle(_)) {
            return Err(E::missing_field("boundary"));
        }
        let boundary = self.boundary.as_deref().map(str::parse::<BoundarySpec>);
        let boundary = boundary.transpose().map_err(E::custom)?;
        axes(solid, axis, boundary).map_err(E::custom)
    }
}

/// In files that hold boxes only, the shape is absent.
impl<'de> Deserialize<'de> for Container {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut fields = Fields::deserialize(deserializer)?;
        let shape = fields.shape.take();
        let solid = fields.solid(shape.as_deref().unwrap_or("box"), "container")?;
        let axis = fields.axis.unwrap_or(Axis::Z);
        let boundary = fields.boundary(&solid, axis)?;
        let outer = Self::with_axis(solid, axis, boundary).map_err(D::Error::custom)?;
        outer.without(fields.keep_out).map_err(D::Error::custom)
    }
}

/// A cylinder without ends has no `h`.
impl<'de> Deserialize<'de> for Body {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut fields = Fields::deserialize(deserializer)?;
        let shape = fields.shape.take();
        let shape = shape.ok_or_else(|| D::Error::missing_field("shape"))?;
        if shape == "cylinder" {
            fields.h.get_or_insert(f64::INFINITY);
        }
        let solid = fields.solid(&shape, "body")?;
        let position = match position_name(&solid) {
            "corner" => fields.corner,
            _ => fields.center,
        };
        let missing = || D::Error::missing_field(position_name(&solid));
        let position = position.ok_or_else(missing)?;
        Ok(Self::new(solid, position).along(fields.axis.unwrap_or(Axis::Z)))
    }
}
