//! The shapes with their parameters, as callers state them.

use std::fmt;

use glam::DVec3;

use super::boundary::BoundarySpec;
#[cfg(feature = "mesh")]
use super::mesh::Mesh;
use crate::names::short;

/// A shape with its parameters, without its boundary. Lengths are in the caller's unit.
///
/// The text form is that of the command line, such as `cylinder:d=3,h=4`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ContainerShape {
    /// A cuboid.
    Box {
        /// The side lengths.
        lengths: DVec3,
    },
    /// A cylinder whose axis is parallel to z.
    Cylinder {
        /// The diameter.
        diameter: f64,
        /// The length along z.
        height: f64,
    },
    /// A sphere.
    Sphere {
        /// The diameter.
        diameter: f64,
    },
    /// The frustum of a cone whose axis is parallel to z. One of the two diameters may be 0.
    Cone {
        /// The diameter at the lowest z.
        bottom: f64,
        /// The diameter at the highest z.
        top: f64,
        /// The length along z.
        height: f64,
    },
    /// The body inside a closed triangle mesh.
    #[cfg(feature = "mesh")]
    Mesh(Mesh),
}

impl ContainerShape {
    /// Returns the name of the shape: `box`, `cylinder`, `sphere`, `cone` or `mesh`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Box { .. } => "box",
            Self::Cylinder { .. } => "cylinder",
            Self::Sphere { .. } => "sphere",
            Self::Cone { .. } => "cone",
            #[cfg(feature = "mesh")]
            Self::Mesh(_) => "mesh",
        }
    }

    /// Returns the names and values of the parameters.
    pub(crate) fn parameters(&self) -> Vec<(&'static str, f64)> {
        match *self {
            Self::Box { lengths } => vec![("lx", lengths.x), ("ly", lengths.y), ("lz", lengths.z)],
            Self::Cylinder { diameter, height } => vec![("d", diameter), ("h", height)],
            Self::Sphere { diameter } => vec![("d", diameter)],
            Self::Cone {
                bottom,
                top,
                height,
            } => vec![("d_bottom", bottom), ("d_top", top), ("h", height)],
            #[cfg(feature = "mesh")]
            Self::Mesh(_) => Vec::new(),
        }
    }
}

impl fmt::Display for ContainerShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        for (k, (name, value)) in self.parameters().into_iter().enumerate() {
            let separator = if k == 0 { ':' } else { ',' };
            write!(f, "{separator}{name}={}", short(value))?;
        }
        Ok(())
    }
}

/// Parameters that make no container.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ContainerError {
    /// A length of a box is not positive and finite.
    #[error("container length {axis} is {}; it must be a positive, finite number", short(*length))]
    Length {
        /// The axis by name.
        axis: char,
        /// The length.
        length: f64,
    },
    /// A parameter of another shape is not positive and finite. A diameter of a cone may be 0.
    #[error(
        "{name} of the {shape} is {}; it must be a {}, finite number",
        short(*value),
        if *shape == "cone" && *name != "h" { "non-negative" } else { "positive" }
    )]
    Parameter {
        /// The name of the shape.
        shape: &'static str,
        /// The name of the parameter.
        name: &'static str,
        /// The value.
        value: f64,
    },
    /// Both diameters of a cone are 0.
    #[error("d_bottom and d_top of the cone are 0; at least one of them must be positive")]
    Needle,
    /// A box has one letter for all its axes.
    #[error(
        "the boundary of a box has one letter for each axis, such as ppp, www or ppw; a single letter is for other shapes"
    )]
    BoxBoundary,
    /// The shape has walls along an axis that shall be periodic.
    #[error(
        "a {shape} cannot have the boundary {boundary}; only a box is periodic along x and y, and only a box or a cylinder along z"
    )]
    Boundary {
        /// The name of the shape.
        shape: &'static str,
        /// The boundary, as it was given.
        boundary: BoundarySpec,
    },
}
