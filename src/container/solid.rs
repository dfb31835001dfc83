//! The choice among the solids.

use std::fmt;

use glam::{DVec2, DVec3};

#[cfg(feature = "mesh")]
use super::mesh::Mesh;
use super::{
    cone::Cone,
    cuboid::{Cuboid, Rectangle},
    cylinder::{Circle, Cylinder},
    error::ContainerError,
    frame::{Frame, Steps, dimension_of},
    outline::Outline,
    shape::Shape,
    sphere::Ball,
};
use crate::{dimension::Dimension, names::short};

/// A solid with its sizes. Inside it is a [`Container`](super::Container), outside of it a [`Body`](super::Body). Lengths are in the
/// caller's unit.
///
/// The text form is that of the command line, such as `cylinder:d=3,h=4`.
#[derive(Clone, Debug, PartialEq, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
#[non_exhaustive]
pub enum Solid {
    /// A cuboid.
    Box(Cuboid),
    /// A cylinder.
    Cylinder(Cylinder),
    /// A sphere.
    Sphere(Ball),
    /// The frustum of a cone.
    Cone(Cone),
    /// A rectangle in the plane.
    Rectangle(Rectangle),
    /// A circle in the plane.
    Circle(Circle),
    /// The region inside closed polygons in the plane.
    Outline(Outline),
    /// The solid inside a closed triangle mesh.
    #[cfg(feature = "mesh")]
    Mesh(Mesh),
}

/// The solids that have parameters. All parameters are 1.
pub(super) const UNITS: [Solid; 6] = {
    let (lengths, diameter, height) = (DVec3::ONE, 1.0, 1.0);
    [
        Solid::Box(Cuboid { lengths }),
        Solid::Cylinder(Cylinder { diameter, height }),
        Solid::Sphere(Ball { diameter }),
        Solid::Cone(Cone {
            bottom: diameter,
            top: diameter,
            height,
        }),
        Solid::Rectangle(Rectangle {
            lengths: DVec2::ONE,
        }),
        Solid::Circle(Circle { diameter }),
    ]
};

/// Computes the same of the shape of each kind, with a call of its own for each.
macro_rules! for_each_shape {
    ($solid:expr, $shape:ident => $value:expr) => {
        match $solid {
            Solid::Box($shape) => $value,
            Solid::Cylinder($shape) => $value,
            Solid::Sphere($shape) => $value,
            Solid::Cone($shape) => $value,
            Solid::Rectangle($shape) => $value,
            Solid::Circle($shape) => $value,
            Solid::Outline($shape) => $value,
            #[cfg(feature = "mesh")]
            Solid::Mesh($shape) => $value,
        }
    };
}

impl Solid {
    /// Returns the solid of this name in [`UNITS`].
    pub(super) fn unit(name: &str) -> Option<Self> {
        UNITS.into_iter().find(|solid| solid.name() == name)
    }

    /// Returns the solid that is a bounding box of these lengths: a rectangle if that along z is 0, or else a cuboid.
    pub fn of_lengths(lengths: DVec3) -> Self {
        match dimension_of(lengths) {
            Dimension::Two => Self::Rectangle(Rectangle {
                lengths: lengths.truncate(),
            }),
            Dimension::Three => Self::Box(Cuboid { lengths }),
        }
    }

    /// Returns the name: `box`, `cylinder`, `sphere`, `cone`, `rectangle`, `circle`, `outline` or `mesh`.
    pub fn name(&self) -> &'static str {
        self.into()
    }

    /// Returns the names of the parameters with the parameters, in the order of the text form. An outline and a mesh have none.
    pub(super) fn parameters_mut(&mut self) -> Vec<(&'static str, &mut f64)> {
        match self {
            Self::Box(Cuboid { lengths }) => vec![
                ("lx", &mut lengths.x),
                ("ly", &mut lengths.y),
                ("lz", &mut lengths.z),
            ],
            Self::Cylinder(Cylinder { diameter, height }) => vec![("d", diameter), ("h", height)],
            Self::Sphere(Ball { diameter }) => vec![("d", diameter)],
            Self::Cone(Cone {
                bottom,
                top,
                height,
            }) => vec![("d_bottom", bottom), ("d_top", top), ("h", height)],
            Self::Rectangle(Rectangle { lengths }) => {
                vec![("lx", &mut lengths.x), ("ly", &mut lengths.y)]
            }
            Self::Circle(Circle { diameter }) => vec![("d", diameter)],
            _ => Vec::new(),
        }
    }

    /// Returns the names and values of the parameters, in the order of the text form. An outline and a mesh have none.
    pub(crate) fn parameters(&self) -> Vec<(&'static str, f64)> {
        let mut solid = self.clone();
        let parameters = solid.parameters_mut().into_iter();
        parameters.map(|(name, value)| (name, *value)).collect()
    }

    /// Returns the lengths of the bounding box; those of a solid with an axis are the lengths along z.
    pub fn lengths(&self) -> DVec3 {
        self.shape().lengths()
    }

    /// Returns the volume; the area of a flat solid.
    pub fn volume(&self) -> f64 {
        self.shape().volume()
    }

    /// Returns the dimension of space: two for a flat solid.
    pub fn dimension(&self) -> Dimension {
        match self {
            Self::Rectangle(_) | Self::Circle(_) | Self::Outline(_) => Dimension::Two,
            _ => Dimension::Three,
        }
    }

    /// Returns the vector from the coordinates of the file of an outline or a mesh to those of the solid, with the sign changed: the lowest
    /// corner of the bounding box in the file. `None` for other solids.
    pub(crate) fn file_origin(&self) -> Option<DVec3> {
        match self {
            Self::Outline(outline) => Some(outline.origin().extend(0.0)),
            #[cfg(feature = "mesh")]
            Self::Mesh(mesh) => Some(mesh.origin()),
            _ => None,
        }
    }

    /// Returns the factor between the file of an outline or a mesh and the solid; `None` for other solids.
    pub(super) fn file_scale(&self) -> Option<f64> {
        match self {
            Self::Outline(outline) => Some(outline.scale()),
            #[cfg(feature = "mesh")]
            Self::Mesh(mesh) => Some(mesh.scale()),
            _ => None,
        }
    }

    /// Returns whether the shape is that of a file, and may be any.
    fn is_from_file(&self) -> bool {
        self.file_scale().is_some()
    }

    /// Returns whether the solid has an axis that may have any direction.
    pub(super) fn has_axis(&self) -> bool {
        matches!(self, Self::Cylinder(_) | Self::Cone(_))
    }

    /// Returns whether the straight line between any two points of the solid lies in it, for certain.
    pub(super) fn is_convex(&self) -> bool {
        !self.is_from_file()
    }

    /// Returns whether the solid is convex, and each plane through its middle that is perpendicular to an axis is a mirror, for certain.
    pub(super) fn is_symmetric(&self) -> bool {
        match self {
            Self::Cone(cone) => cone.bottom == cone.top,
            _ => !self.is_from_file(),
        }
    }

    /// Returns whether a container may be periodic along an axis. `own` is the direction of the solid's axis.
    pub(super) fn may_be_periodic(&self, axis: usize, own: usize) -> bool {
        match self {
            Self::Box(_) => true,
            // The boundary along z of a rectangle has no meaning.
            Self::Rectangle(_) => true,
            Self::Cylinder(_) => axis == own,
            _ => false,
        }
    }

    /// Returns the solid with every length multiplied by `factor`.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        if let Self::Outline(outline) = self {
            return Self::Outline(outline.scaled(factor));
        }
        #[cfg(feature = "mesh")]
        if let Self::Mesh(mesh) = self {
            return Self::Mesh(mesh.scaled(factor));
        }
        let mut solid = self.clone();
        for (_, length) in solid.parameters_mut() {
            *length *= factor;
        }
        solid
    }

    /// Returns the geometry.
    pub(super) fn shape(&self) -> &(dyn Shape + 'static) {
        for_each_shape!(self, shape => shape)
    }

    /// [`Shape::confine`], without a table of functions: relocations ask this.
    #[inline(never)]
    pub(super) fn confine(
        &self,
        frame: &Frame,
        at: Steps,
        displacement: [i64; 3],
        radius: f32,
    ) -> Steps {
        for_each_shape!(self, shape => shape.confine(frame, at, displacement, radius))
    }

    /// Rejects parameters that make no container.
    pub(super) fn check(&self) -> Result<(), ContainerError> {
        if let Self::Cone(Cone {
            bottom: 0.0,
            top: 0.0,
            ..
        }) = self
        {
            return Err(ContainerError::Needle);
        }
        let Some((name, value)) = self.faulty_parameter() else {
            return Ok(());
        };
        Err(match (self, name.chars().nth(1)) {
            (Self::Box(_) | Self::Rectangle(_), Some(axis)) => ContainerError::Length {
                axis,
                length: value,
            },
            _ => ContainerError::Parameter {
                shape: self.name(),
                name,
                value,
            },
        })
    }

    /// Writes the name, and the names and values of these fields.
    pub(super) fn write_name_and(
        &self,
        fields: impl Iterator<Item = (&'static str, f64)>,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        f.write_str(self.name())?;
        for (k, (name, value)) in fields.enumerate() {
            let separator = if k == 0 { ':' } else { ',' };
            write!(f, "{separator}{name}={}", short(value))?;
        }
        Ok(())
    }

    /// Returns the first parameter that is not positive and finite. One diameter of a cone may be 0.
    pub(super) fn faulty_parameter(&self) -> Option<(&'static str, f64)> {
        let is_length = |value: f64| value > 0.0 && value.is_finite();
        let may_be_zero = |name: &str| match self {
            Self::Cone(cone) => name != "h" && cone.bottom + cone.top > 0.0,
            _ => false,
        };
        let parameters = match self {
            Self::Outline(outline) => {
                let DVec3 { x, y, .. } = self.lengths();
                vec![("scale", outline.scale()), ("lx", x), ("ly", y)]
            }
            #[cfg(feature = "mesh")]
            Self::Mesh(mesh) => {
                // A factor may have made the mesh too large or too small.
                let DVec3 { x, y, z } = mesh.lengths();
                vec![("scale", mesh.scale()), ("lx", x), ("ly", y), ("lz", z)]
            }
            _ => self.parameters(),
        };
        (parameters.into_iter())
            .find(|&(name, value)| !(is_length(value) || value == 0.0 && may_be_zero(name)))
    }
}

/// Writes the text form. An infinite height is left out, and an outline or a mesh has its name only.
impl fmt::Display for Solid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parameters = self.parameters().into_iter();
        self.write_name_and(parameters.filter(|(_, value)| value.is_finite()), f)
    }
}
