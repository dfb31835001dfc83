//! The choice among the shapes.

#[cfg(feature = "mesh")]
use super::mesh::Mesh;
use super::{
    body::Body,
    boundary::{Boundaries, BoundarySpec},
    cone::Cone,
    cuboid::Cuboid,
    cylinder::Cylinder,
    frame::{Frame, Steps},
    hollow::Hollow,
    parameters::{ContainerError, ContainerShape},
    shape::Shape,
    sphere::Ball,
};

/// A shape with its boundary.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Cuboid(Cuboid),
    Cylinder(Cylinder),
    Ball(Ball),
    Cone(Cone),
    #[cfg(feature = "mesh")]
    Mesh(Mesh),
    /// One of the other shapes, with bodies in it.
    Hollow(Box<Hollow<Kind>>),
}

impl AsRef<dyn Shape> for Kind {
    fn as_ref(&self) -> &(dyn Shape + 'static) {
        self.shape()
    }
}

impl Kind {
    /// Creates the shape with these parameters.
    pub fn new(shape: &ContainerShape, boundary: Boundaries) -> Result<Self, ContainerError> {
        check_parameters(shape)?;
        let kind = match *shape {
            ContainerShape::Box { lengths } => Self::Cuboid(Cuboid { lengths, boundary }),
            ContainerShape::Cylinder { diameter, height } => Self::Cylinder(Cylinder {
                diameter,
                height,
                ends: boundary.0[2],
            }),
            ContainerShape::Sphere { diameter } => Self::Ball(Ball { diameter }),
            ContainerShape::Cone {
                bottom,
                top,
                height,
            } => Self::Cone(Cone {
                bottom,
                top,
                height,
            }),
            #[cfg(feature = "mesh")]
            ContainerShape::Mesh(ref mesh) => Self::Mesh(mesh.clone()),
        };
        if kind.shape().boundary() != boundary {
            let shape = shape.name();
            let boundary = BoundarySpec::Axes(boundary);
            return Err(ContainerError::Boundary { shape, boundary });
        }
        Ok(kind)
    }

    /// Returns the answers to the questions that are not asked for every relocation.
    pub fn shape(&self) -> &(dyn Shape + 'static) {
        match self {
            Self::Cuboid(cuboid) => cuboid,
            Self::Cylinder(cylinder) => cylinder,
            Self::Ball(ball) => ball,
            Self::Cone(cone) => cone,
            #[cfg(feature = "mesh")]
            Self::Mesh(mesh) => mesh,
            Self::Hollow(hollow) => &**hollow,
        }
    }

    /// Returns the shape without bodies, and the bodies in it.
    pub fn parts(&self) -> (&Self, &[Body]) {
        match self {
            Self::Hollow(hollow) => (&hollow.outer, &hollow.bodies),
            _ => (self, &[]),
        }
    }

    /// Returns the shape with every length multiplied by `factor`.
    pub fn scaled(&self, factor: f64) -> Self {
        match *self {
            Self::Cuboid(Cuboid { lengths, boundary }) => Self::Cuboid(Cuboid {
                lengths: lengths * factor,
                boundary,
            }),
            Self::Cylinder(Cylinder {
                diameter,
                height,
                ends,
            }) => Self::Cylinder(Cylinder {
                diameter: diameter * factor,
                height: height * factor,
                ends,
            }),
            Self::Ball(Ball { diameter }) => Self::Ball(Ball {
                diameter: diameter * factor,
            }),
            Self::Cone(Cone {
                bottom,
                top,
                height,
            }) => Self::Cone(Cone {
                bottom: bottom * factor,
                top: top * factor,
                height: height * factor,
            }),
            #[cfg(feature = "mesh")]
            Self::Mesh(ref mesh) => Self::Mesh(mesh.scaled(factor)),
            Self::Hollow(ref hollow) => {
                let outer = hollow.outer.scaled(factor);
                Self::Hollow(Box::new(hollow.scaled(outer, factor)))
            }
        }
    }

    /// Returns the position of a sphere that stops at the walls.
    ///
    /// Every relocation asks this. The code of the cuboid is part of the packing loop; that of other shapes is a call.
    #[inline(always)]
    pub fn confine(&self, frame: &Frame, at: Steps, displacement: [i64; 3], radius: f32) -> Steps {
        match self {
            Self::Cuboid(cuboid) => cuboid.confine(frame, at, displacement, radius),
            other => other.confine_beyond_cuboids(frame, at, displacement, radius),
        }
    }

    #[inline(never)]
    fn confine_beyond_cuboids(
        &self,
        frame: &Frame,
        at: Steps,
        displacement: [i64; 3],
        radius: f32,
    ) -> Steps {
        match self {
            Self::Cuboid(cuboid) => cuboid.confine(frame, at, displacement, radius),
            Self::Cylinder(cylinder) => cylinder.confine(frame, at, displacement, radius),
            Self::Ball(ball) => ball.confine(frame, at, displacement, radius),
            Self::Cone(cone) => cone.confine(frame, at, displacement, radius),
            #[cfg(feature = "mesh")]
            Self::Mesh(mesh) => mesh.confine(frame, at, displacement, radius),
            Self::Hollow(hollow) => hollow.confine(frame, at, displacement, radius),
        }
    }
}

/// Rejects parameters that make no shape.
fn check_parameters(shape: &ContainerShape) -> Result<(), ContainerError> {
    if let ContainerShape::Box { lengths } = *shape {
        for (axis, length) in ['x', 'y', 'z'].into_iter().zip(lengths.to_array()) {
            if !is_length(length) {
                return Err(ContainerError::Length { axis, length });
            }
        }
        return Ok(());
    }
    #[cfg(feature = "mesh")]
    if let ContainerShape::Mesh(mesh) = shape {
        return check_mesh(mesh);
    }
    if let ContainerShape::Cone { bottom, top, .. } = *shape
        && bottom == 0.0
        && top == 0.0
    {
        return Err(ContainerError::Needle);
    }
    let is_cone = matches!(shape, ContainerShape::Cone { .. });
    for (name, value) in shape.parameters() {
        let may_be_zero = is_cone && name != "h";
        if !(is_length(value) || may_be_zero && value == 0.0) {
            let shape = shape.name();
            return Err(ContainerError::Parameter { shape, name, value });
        }
    }
    Ok(())
}

/// Rejects a mesh that a factor has made too large or too small.
#[cfg(feature = "mesh")]
fn check_mesh(mesh: &Mesh) -> Result<(), ContainerError> {
    let value = mesh.scale();
    if is_length(value) && mesh.lengths().to_array().into_iter().all(is_length) {
        return Ok(());
    }
    Err(ContainerError::Parameter {
        shape: "mesh",
        name: "scale",
        value,
    })
}

fn is_length(value: f64) -> bool {
    value > 0.0 && value.is_finite()
}
