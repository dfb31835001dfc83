//! Bodies that keep spheres out of a part of a container.

use std::fmt;

use glam::DVec3;

use super::{
    axis::Axis,
    boundary::Boundaries,
    frame::dimension_of,
    shape::{Place, Surface},
    solid::Solid,
};
use crate::{dimension::Dimension, names::short};

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
/// | `circle:d=2@5,5`, `rectangle:lx=1,ly=2@5,5` | circle or rectangle in a flat container |
/// | `cone:d_bottom=3,d_top=1,h=4@5,5,5,axis=x` | frustum of a cone with its axis along x; without `axis`, along z |
/// | `mesh:part.stl@5,5,5`, `mesh:part.stl,scale=0.001@5,5,5` | body inside a mesh; (5, 5, 5) is added to the coordinates of the file, after the factor |
///
/// # Example
/// ```
/// use jostle::{Boundaries, Container, container::{Axis, Body, Cylinder, Solid}, glam::DVec3};
///
/// let bar: Body = "cylinder:d=2@5,5,5,axis=x".parse()?;
/// let cylinder = Solid::Cylinder(Cylinder { diameter: 2.0, height: f64::INFINITY });
/// assert_eq!(bar, Body::new(cylinder, DVec3::splat(5.0)).along(Axis::X));
/// let cube = Container::cuboid(DVec3::splat(10.0), Boundaries::PERIODIC)?;
/// let around_bar = cube.without([bar])?;
/// assert!((around_bar.volume() - (1000.0 - 10.0 * std::f64::consts::PI)).abs() < 1e-9);
/// assert_eq!(around_bar.wall_gap(DVec3::new(1.0, 5.0, 8.0), 0.5), 1.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Body {
    /// The solid.
    pub solid: Solid,
    /// The position of the center; for a mesh, that of the lowest corner of its bounding box.
    pub position: DVec3,
    /// The direction of the axis of a cylinder or a cone.
    pub axis: Axis,
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
        "the position of the body {body} is not finite, or not in the plane; its coordinates must be finite numbers, and z must be 0 for a flat body"
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
    /// The body is flat and the container is not, or the other way round.
    #[error(
        "the body {body} has {} dimensions, and the container has {}; circles, rectangles and outlines belong into flat containers, other bodies into others",
        body_dimension.number(), container.number()
    )]
    Dimension {
        /// The body.
        body: String,
        /// The dimension of the body.
        body_dimension: Dimension,
        /// The dimension of the container.
        container: Dimension,
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
    /// Creates a body with its axis, if it has one, along z.
    pub fn new(solid: Solid, position: DVec3) -> Self {
        Self {
            solid,
            position,
            axis: Axis::Z,
        }
    }

    /// Returns this body with its axis in another direction. Only a cylinder and a cone have an axis.
    #[must_use]
    pub fn along(self, axis: Axis) -> Self {
        Self { axis, ..self }
    }

    /// Returns the lengths of the bounding box; infinity along a cylinder without ends.
    pub(crate) fn lengths(&self) -> DVec3 {
        let lengths = self.solid.lengths();
        if self.solid.has_axis() {
            return self.axis.turned(lengths.to_array()).into();
        }
        lengths
    }

    /// Returns the lowest and the highest corner of the bounding box. A cylinder without ends is infinitely long.
    pub(super) fn bounds(&self) -> (DVec3, DVec3) {
        let (middle, half) = (self.solid.shape().middle(), 0.5 * self.lengths());
        (
            self.position + (middle - half),
            self.position + (middle + half),
        )
    }

    /// Returns the body with every length and every coordinate multiplied by `factor`.
    pub(super) fn scaled(&self, factor: f64) -> Self {
        Self {
            solid: self.solid.scaled(factor),
            position: self.position * factor,
            axis: self.axis,
        }
    }

    /// Returns whether the body has no ends along its axis.
    fn is_endless(&self) -> bool {
        matches!(&self.solid, Solid::Cylinder(cylinder) if cylinder.height == f64::INFINITY)
    }

    /// Returns copies of this body in each of `counts` periods along each axis.
    #[cfg(feature = "files")]
    pub(crate) fn repeated(&self, period: DVec3, counts: [u32; 3]) -> Vec<Self> {
        let (_, high) = self.bounds();
        let shifts = |k: usize| {
            // A cylinder without ends is its own copy.
            let count = if high[k].is_finite() { counts[k] } else { 1 };
            (0..count).map(move |copy| period[k] * f64::from(copy))
        };
        let shifts = combinations(shifts);
        shifts.map(|shift| self.moved(shift)).collect()
    }

    /// Returns the images of this body that meet a bounding box. A cylinder without ends gets the length of the period.
    pub(crate) fn images(&self, lengths: DVec3, periods: DVec3) -> Vec<Self> {
        let body = self.with_ends(lengths);
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
                .filter(move |shift| {
                    lengths[k] == 0.0 || high[k] + shift > 0.0 && low[k] + shift < lengths[k]
                })
        };
        let shifts = combinations(shifts);
        shifts.map(|shift| body.moved(shift)).collect()
    }

    /// Returns the distance of a point from the body and its images along axes with finite `periods`, and the unit vector from them, if the
    /// distance is below `reach`.
    pub(crate) fn nearest_within(
        &self,
        point: DVec3,
        periods: DVec3,
        reach: f64,
    ) -> Option<(f64, DVec3)> {
        let surface = self.surface_within(point, periods, reach)?;
        Some((surface.distance, surface.outwards))
    }

    /// Returns the surface nearest to a point if its distance is below `reach`, or if the point is inside the body. The images
    /// along axes with finite `periods` count, too.
    pub(super) fn surface_within(
        &self,
        point: DVec3,
        periods: DVec3,
        reach: f64,
    ) -> Option<Surface> {
        let shape = self.solid.shape();
        let (lengths, axis) = (self.lengths(), self.axis.number());
        let from_position = point - self.position;
        if self.solid.is_symmetric() {
            // The position is the middle.
            let image = nearest_image(from_position, periods);
            let place = Place::outside(image + 0.5 * lengths, image, lengths, axis);
            return shape.surface_within(&place, reach);
        }
        let middle = shape.middle();
        let low = middle - 0.5 * lengths;
        let mut nearest = None;
        let mut limit = reach;
        for image in from_near_images(from_position, periods) {
            let place = Place::outside(image - low, image - middle, lengths, axis);
            let from_low = place.from_low;
            let from_box = (-from_low).max(from_low - lengths).max(DVec3::ZERO);
            if from_box.length() > limit.max(0.0) {
                continue;
            }
            if let Some(surface) = shape.surface_within(&place, limit) {
                limit = surface.distance;
                nearest = Some(surface);
            }
        }
        nearest
    }

    /// Returns this body with the length of the container instead of none.
    pub(super) fn with_ends(&self, lengths: DVec3) -> Self {
        let mut body = self.clone();
        let k = self.axis.number();
        if self.is_endless()
            && let Solid::Cylinder(cylinder) = &mut body.solid
        {
            cylinder.height = lengths[k];
            body.position[k] = 0.5 * lengths[k];
        }
        body
    }

    fn moved(&self, shift: DVec3) -> Self {
        Self {
            position: self.position + shift,
            ..self.clone()
        }
    }

    /// Rejects a body that cannot be in a container with this bounding box.
    pub(super) fn check(&self, lengths: DVec3, boundary: Boundaries) -> Result<(), BodyError> {
        self.check_numbers()?;
        let (body_dimension, container) = (self.solid.dimension(), dimension_of(lengths));
        if body_dimension != container {
            return Err(BodyError::Dimension {
                body: self.to_string(),
                body_dimension,
                container,
            });
        }
        if self.is_endless() && !boundary.is_periodic(self.axis.number()) {
            let (body, axis) = (self.to_string(), self.axis);
            return Err(BodyError::NoHeight { body, axis });
        }
        let (low, high) = self.bounds();
        let of_body = self.lengths();
        let axes = [Axis::X, Axis::Y, Axis::Z].into_iter();
        for axis in axes.take(self.solid.dimension().number()) {
            let k = axis.number();
            let (length, period) = (of_body[k], lengths[k]);
            let is_outside = if boundary.is_periodic(k) {
                self.stated_position()[k].abs() > FAR * period
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

    /// Rejects a body whose solid or position is none.
    pub(super) fn check_numbers(&self) -> Result<(), BodyError> {
        let is_fault = |&(name, _): &(&str, f64)| !(name == "h" && self.is_endless());
        if let Some((name, value)) = self.solid.faulty_parameter().filter(is_fault) {
            let body = self.to_string();
            return Err(BodyError::Parameter { body, name, value });
        }
        let position = self.stated_position();
        if position.is_finite() && (position.z == 0.0 || self.solid.dimension() == Dimension::Three)
        {
            Ok(())
        } else {
            let body = self.to_string();
            Err(BodyError::Position { body })
        }
    }

    /// Returns the position in the text form: for an outline or a mesh, the vector that is added to the coordinates of its file.
    fn stated_position(&self) -> DVec3 {
        self.position - self.solid.file_origin().unwrap_or_default()
    }
}

/// Returns the shortest vector from any image of the middle of a body.
///
/// If a body is symmetric about the three planes through its middle, convex, and no longer than a period, then the nearest image
/// of the middle belongs to the nearest image of the body.
pub(super) fn nearest_image(mut from_middle: DVec3, periods: DVec3) -> DVec3 {
    for axis in 0..3 {
        if periods[axis].is_finite() {
            from_middle[axis] -= periods[axis] * (from_middle[axis] / periods[axis]).round();
        }
    }
    from_middle
}

/// Returns the vectors from those images of a body that may be nearest: along a periodic axis, the image that starts at or below the
/// point, and its neighbors.
pub(super) fn from_near_images(
    from_position: DVec3,
    periods: DVec3,
) -> impl Iterator<Item = DVec3> {
    combinations(move |axis: usize| {
        let (from, period) = (from_position[axis], periods[axis]);
        let count = if period.is_finite() { 3 } else { 1 };
        (0..count).map(move |k| match k {
            0 if count == 1 => from,
            0 => from.rem_euclid(period),
            1 => from.rem_euclid(period) - period,
            _ => from.rem_euclid(period) + period,
        })
    })
}

/// Returns the vectors of all combinations of coordinates along the axes.
#[inline]
fn combinations<I: Iterator<Item = f64>>(
    along: impl Fn(usize) -> I + Copy,
) -> impl Iterator<Item = DVec3> {
    along(0)
        .flat_map(move |x| along(1).flat_map(move |y| along(2).map(move |z| DVec3::new(x, y, z))))
}

/// Writes the text from which the body can be read. Outlines and meshes do not store the names of
/// their files, so that their texts name the file `FILE`.
impl fmt::Display for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.solid.fmt(f)?;
        if let Some(scale) = self.solid.file_scale() {
            f.write_str(":FILE")?;
            if scale != 1.0 {
                write!(f, ",scale={}", short(scale))?;
            }
        }
        let position = self.stated_position().to_array().map(short);
        write!(
            f,
            "@{}",
            position[..self.solid.dimension().number()].join(",")
        )?;
        if self.solid.has_axis() {
            write!(f, ",axis={}", self.axis)?;
        }
        Ok(())
    }
}
