//! Bodies that keep spheres out of a part of a container.

use std::fmt;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::boundary::Boundaries;
#[cfg(feature = "mesh")]
use super::mesh::Mesh;
use crate::names::short;

/// A coordinate axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Axis {
    /// The first axis.
    X,
    /// The second axis.
    Y,
    /// The third axis.
    Z,
}

impl Axis {
    /// Returns the number of the axis: 0, 1 or 2.
    pub fn number(self) -> usize {
        self as usize
    }
}

/// Writes `x`, `y` or `z`.
impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["x", "y", "z"][self.number()])
    }
}

/// A body in a container that no sphere may overlap. Lengths are in the caller's unit.
///
/// The text form is that of the command line; the position is the center of the body:
///
/// | text | body |
/// |---|---|
/// | `cylinder:d=2,h=8@5,5,5,axis=x` | cylinder with its axis along x; without `axis`, along z |
/// | `cylinder:d=2@5,5,5,axis=x` | cylinder without ends, along a periodic axis |
/// | `sphere:d=2@5,5,5` | sphere |
/// | `box:lx=1,ly=2,lz=3@5,5,5` | cuboid |
/// | `mesh:part.stl@5,5,5`, `mesh:part.stl,scale=0.001@5,5,5` | body inside a mesh; (5, 5, 5) is added to the coordinates of the file, after the factor |
///
/// # Example
/// ```
/// use jostle::{Axis, Body, Boundaries, Container, glam::DVec3};
///
/// let bar: Body = "cylinder:d=2@5,5,5,axis=x".parse()?;
/// assert_eq!(
///     bar,
///     Body::Cylinder { diameter: 2.0, height: None, center: DVec3::splat(5.0), axis: Axis::X }
/// );
/// let cube = Container::cuboid(DVec3::splat(10.0), Boundaries::PERIODIC)?;
/// let around_bar = cube.without([bar])?;
/// assert!((around_bar.volume() - (1000.0 - 10.0 * std::f64::consts::PI)).abs() < 1e-9);
/// assert_eq!(around_bar.wall_gap(DVec3::new(1.0, 5.0, 8.0), 0.5), 1.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "shape", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Body {
    /// A cylinder.
    Cylinder {
        /// The diameter.
        #[serde(rename = "d")]
        diameter: f64,
        /// The length along the axis; absent for a cylinder without ends, along a periodic axis.
        #[serde(rename = "h", default, skip_serializing_if = "Option::is_none")]
        height: Option<f64>,
        /// The center.
        center: DVec3,
        /// The direction of the axis.
        axis: Axis,
    },
    /// A sphere.
    Sphere {
        /// The diameter.
        #[serde(rename = "d")]
        diameter: f64,
        /// The center.
        center: DVec3,
    },
    /// A cuboid.
    Box {
        /// The side lengths.
        lengths: DVec3,
        /// The center.
        center: DVec3,
    },
    /// The body inside a closed triangle mesh.
    #[cfg(feature = "mesh")]
    Mesh {
        /// The mesh.
        #[serde(flatten)]
        mesh: Mesh,
        /// The lowest corner of its bounding box.
        corner: DVec3,
    },
}

/// A body that cannot be in a container. Each message quotes the text form of the body.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BodyError {
    /// A parameter is not positive and finite.
    #[error("{name} of the body {body} is {}; it must be a positive, finite number", short(*value))]
    Parameter {
        /// The body.
        body: String,
        /// The name of the parameter.
        name: &'static str,
        /// The value.
        value: f64,
    },
    /// A coordinate is not finite.
    #[error(
        "the position of the body {body} is not finite; its three coordinates must be finite numbers"
    )]
    Position {
        /// The body.
        body: String,
    },
    /// A cylinder along an axis with walls has no length.
    #[error(
        "the body {body} has no h, but the container has walls along {axis}; h may be left out along a periodic axis only"
    )]
    NoHeight {
        /// The body.
        body: String,
        /// The axis of the cylinder.
        axis: Axis,
    },
    /// A body is longer than the container along a periodic axis, so that it overlaps its own image.
    #[error(
        "the body {body} is {} long along {axis}, where the periodic container is {} long; it must not be longer than the container there{}",
        short(*length),
        short(*period),
        if matches!(body.split(':').next(), Some("cylinder")) { ", and a cylinder along this axis needs no h" } else { "" }
    )]
    TooLong {
        /// The body.
        body: String,
        /// The periodic axis.
        axis: Axis,
        /// The length of the body along the axis.
        length: f64,
        /// The length of the container along the axis.
        period: f64,
    },
    /// No part of the body is in the container.
    #[error(
        "the body {body} lies outside of the container, which has lengths {lengths}; a part of it must be inside"
    )]
    Outside {
        /// The body.
        body: String,
        /// The lengths of the bounding box of the container.
        lengths: DVec3,
    },
    /// The bodies leave no room.
    #[error("the bodies fill the container; they must leave room for a sphere")]
    Full,
}

/// Distance of a body from the container along a periodic axis, in lengths of the container, beyond which its position loses digits.
const FAR: f64 = 1e6;

impl Body {
    /// Returns the lowest and the highest corner of the bounding box. A cylinder without ends is infinitely long.
    pub(super) fn bounds(&self) -> (DVec3, DVec3) {
        let (center, half) = match *self {
            Self::Cylinder {
                diameter,
                height,
                center,
                axis,
            } => {
                let mut half = DVec3::splat(0.5 * diameter);
                half[axis.number()] = height.map_or(f64::INFINITY, |height| 0.5 * height);
                (center, half)
            }
            Self::Sphere { diameter, center } => (center, DVec3::splat(0.5 * diameter)),
            Self::Box { lengths, center } => (center, 0.5 * lengths),
            #[cfg(feature = "mesh")]
            Self::Mesh { ref mesh, corner } => return (corner, corner + mesh.lengths()),
        };
        (center - half, center + half)
    }

    /// Returns the body with every length and every coordinate multiplied by `factor`.
    pub(super) fn scaled(&self, factor: f64) -> Self {
        match *self {
            Self::Cylinder {
                diameter,
                height,
                center,
                axis,
            } => Self::Cylinder {
                diameter: diameter * factor,
                height: height.map(|height| height * factor),
                center: center * factor,
                axis,
            },
            Self::Sphere { diameter, center } => Self::Sphere {
                diameter: diameter * factor,
                center: center * factor,
            },
            Self::Box { lengths, center } => Self::Box {
                lengths: lengths * factor,
                center: center * factor,
            },
            #[cfg(feature = "mesh")]
            Self::Mesh { ref mesh, corner } => Self::Mesh {
                mesh: mesh.scaled(factor),
                corner: corner * factor,
            },
        }
    }

    /// Returns copies of this body in each of `counts` periods along each axis.
    #[cfg(feature = "files")]
    pub(crate) fn repeated(&self, period: DVec3, counts: [u32; 3]) -> Vec<Self> {
        // A cylinder without ends is its own copy.
        let (_, high) = self.bounds();
        let [nx, ny, nz] = [0, 1, 2].map(|k| if high[k].is_finite() { counts[k] } else { 1 });
        let mut copies = Vec::new();
        for x in 0..nx {
            for y in 0..ny {
                for z in 0..nz {
                    copies.push(self.moved(period * DVec3::from([x, y, z].map(f64::from))));
                }
            }
        }
        copies
    }

    /// Returns the images of this body that meet a bounding box. A cylinder without ends gets the length of the period.
    pub(crate) fn images(&self, lengths: DVec3, periods: DVec3) -> Vec<Self> {
        let mut body = self.clone();
        if let Self::Cylinder {
            height: height @ None,
            center,
            axis,
            ..
        } = &mut body
        {
            let k = axis.number();
            (*height, center[k]) = (Some(lengths[k]), 0.5 * lengths[k]);
        }
        let (low, high) = body.bounds();
        let shifts = |k: usize| {
            let period = periods[k];
            let range = if period.is_infinite() {
                0..=0
            } else {
                let first = (-high[k] / period).floor() as i64;
                let last = ((lengths[k] - low[k]) / period).ceil() as i64;
                first..=last
            };
            range
                .map(move |count| {
                    if count == 0 {
                        0.0
                    } else {
                        count as f64 * period
                    }
                })
                .filter(move |shift| high[k] + shift > 0.0 && low[k] + shift < lengths[k])
        };
        let mut images = Vec::new();
        for x in shifts(0) {
            for y in shifts(1) {
                for z in shifts(2) {
                    images.push(body.moved(DVec3::new(x, y, z)));
                }
            }
        }
        images
    }

    fn moved(&self, shift: DVec3) -> Self {
        let mut moved = self.clone();
        match &mut moved {
            Self::Cylinder { center, .. }
            | Self::Sphere { center, .. }
            | Self::Box { center, .. } => *center += shift,
            #[cfg(feature = "mesh")]
            Self::Mesh { corner, .. } => *corner += shift,
        }
        moved
    }

    /// Rejects a body that cannot be in a container with this bounding box.
    pub(super) fn check(&self, lengths: DVec3, boundary: Boundaries) -> Result<(), BodyError> {
        self.check_numbers()?;
        if let Self::Cylinder {
            height: None, axis, ..
        } = *self
            && !boundary.is_periodic(axis.number())
        {
            let body = self.to_string();
            return Err(BodyError::NoHeight { body, axis });
        }
        let (low, high) = self.bounds();
        for axis in [Axis::X, Axis::Y, Axis::Z] {
            let k = axis.number();
            let (length, period) = (self.length_along(k), lengths[k]);
            let is_outside = if boundary.is_periodic(k) {
                self.position()[k].abs() > FAR * period
            } else {
                high[k] <= 0.0 || low[k] >= period
            };
            if is_outside {
                let body = self.to_string();
                return Err(BodyError::Outside { body, lengths });
            }
            if boundary.is_periodic(k) && length.is_finite() && length > period {
                return Err(BodyError::TooLong {
                    body: self.to_string(),
                    axis,
                    length,
                    period,
                });
            }
        }
        Ok(())
    }

    /// Returns the length of the bounding box along an axis.
    fn length_along(&self, k: usize) -> f64 {
        match *self {
            Self::Cylinder { height, axis, .. } if axis.number() == k => {
                height.unwrap_or(f64::INFINITY)
            }
            Self::Cylinder { diameter, .. } | Self::Sphere { diameter, .. } => diameter,
            Self::Box { lengths, .. } => lengths[k],
            #[cfg(feature = "mesh")]
            Self::Mesh { ref mesh, .. } => mesh.lengths()[k],
        }
    }

    pub(super) fn check_numbers(&self) -> Result<(), BodyError> {
        let is_length = |value: f64| value > 0.0 && value.is_finite();
        if let Some((name, value)) = (self.parameters().into_iter()).find(|&(_, x)| !is_length(x)) {
            let body = self.to_string();
            return Err(BodyError::Parameter { body, name, value });
        }
        if self.position().is_finite() {
            Ok(())
        } else {
            let body = self.to_string();
            Err(BodyError::Position { body })
        }
    }

    /// Returns the names and values of the lengths.
    fn parameters(&self) -> Vec<(&'static str, f64)> {
        match *self {
            Self::Cylinder {
                diameter, height, ..
            } => {
                let mut parameters = vec![("d", diameter)];
                parameters.extend(height.map(|height| ("h", height)));
                parameters
            }
            Self::Sphere { diameter, .. } => vec![("d", diameter)],
            Self::Box { lengths, .. } => {
                vec![("lx", lengths.x), ("ly", lengths.y), ("lz", lengths.z)]
            }
            #[cfg(feature = "mesh")]
            Self::Mesh { ref mesh, .. } => {
                let DVec3 { x, y, z } = mesh.lengths();
                vec![("scale", mesh.scale()), ("lx", x), ("ly", y), ("lz", z)]
            }
        }
    }

    /// Returns the position in the text form.
    fn position(&self) -> DVec3 {
        match *self {
            Self::Cylinder { center, .. }
            | Self::Sphere { center, .. }
            | Self::Box { center, .. } => center,
            #[cfg(feature = "mesh")]
            Self::Mesh { ref mesh, corner } => corner - mesh.origin(),
        }
    }

    /// Returns the name of the shape: `cylinder`, `sphere`, `box` or `mesh`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Cylinder { .. } => "cylinder",
            Self::Sphere { .. } => "sphere",
            Self::Box { .. } => "box",
            #[cfg(feature = "mesh")]
            Self::Mesh { .. } => "mesh",
        }
    }
}

/// Writes the text from which the body can be read. A mesh does not store the name of its file, so that its text names the file `FILE`.
impl fmt::Display for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            #[cfg(feature = "mesh")]
            Self::Mesh { mesh, .. } if mesh.scale() == 1.0 => f.write_str(":FILE")?,
            #[cfg(feature = "mesh")]
            Self::Mesh { mesh, .. } => write!(f, ":FILE,scale={}", short(mesh.scale()))?,
            _ => {
                for (k, (name, value)) in self.parameters().into_iter().enumerate() {
                    let separator = if k == 0 { ':' } else { ',' };
                    write!(f, "{separator}{name}={}", short(value))?;
                }
            }
        }
        let [x, y, z] = self.position().to_array().map(short);
        write!(f, "@{x},{y},{z}")?;
        match self {
            Self::Cylinder { axis, .. } => write!(f, ",axis={axis}"),
            _ => Ok(()),
        }
    }
}
