//! The container that holds the spheres: one interface, one file for each shape.

mod boundary;
mod cuboid;
pub(crate) mod frame;
mod shape;

use glam::DVec3;
use rand::Rng;
use serde::{Deserialize, Serialize};

pub use boundary::{Boundaries, Boundary, ParseBoundariesError};
use cuboid::Cuboid;
use frame::{Frame, Steps};
use shape::Shape;

/// A region of space with walls or periodic faces, in a bounding box with one corner at the origin.
///
/// Lengths are in the caller's unit, which is also the unit of the diameters. The only shape so far is the cuboid.
///
/// The JSON form is `{"lengths": [x, y, z], "boundary": "ppp"}`.
///
/// # Example
/// ```
/// use jostle::{Container, glam::DVec3};
///
/// let container = Container::cuboid(DVec3::new(2.0, 2.0, 4.0), "ppw".parse()?)?;
/// assert_eq!(container.volume(), 16.0);
/// assert_eq!(container.wall_gap(DVec3::new(0.0, 0.0, 1.0), 0.25), 0.75);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "CuboidFields", into = "CuboidFields")]
pub struct Container {
    kind: Kind,
}

/// The shapes.
#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Cuboid(Cuboid),
}

/// Lengths that make no container.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ContainerError {
    /// A length is not positive and finite.
    #[error("container length {axis} is {length}; it must be a positive, finite number")]
    Length {
        /// The axis by name.
        axis: char,
        /// The length.
        length: f64,
    },
}

impl Container {
    /// Creates a cuboid of the given side lengths.
    ///
    /// # Errors
    /// [`ContainerError`] if a length is not positive and finite.
    pub fn cuboid(lengths: DVec3, boundary: Boundaries) -> Result<Self, ContainerError> {
        for (axis, length) in ['x', 'y', 'z'].into_iter().zip(lengths.to_array()) {
            if !(length > 0.0 && length.is_finite()) {
                return Err(ContainerError::Length { axis, length });
            }
        }
        Ok(Self {
            kind: Kind::Cuboid(Cuboid { lengths, boundary }),
        })
    }

    fn shape(&self) -> &dyn Shape {
        match &self.kind {
            Kind::Cuboid(cuboid) => cuboid,
        }
    }

    /// Returns the lengths of the bounding box.
    pub fn lengths(&self) -> DVec3 {
        self.shape().lengths()
    }

    /// Returns the boundary of each axis of the bounding box.
    pub fn boundary(&self) -> Boundaries {
        self.shape().boundary()
    }

    /// Returns whether the axis (0, 1, 2) is periodic.
    pub fn is_periodic(&self, axis: usize) -> bool {
        self.boundary().is_periodic(axis)
    }

    /// Returns the volume inside the walls.
    pub fn volume(&self) -> f64 {
        self.shape().volume()
    }

    /// Returns the radius of the largest sphere that crosses no wall and does not overlap its own periodic image.
    pub fn largest_radius(&self) -> f64 {
        self.shape().largest_radius()
    }

    /// Returns the gap between a sphere and the nearest wall: negative if the sphere crosses a wall, infinite without walls.
    pub fn wall_gap(&self, center: DVec3, radius: f64) -> f64 {
        self.shape().wall_gap(center, radius)
    }

    /// Returns the factor by which the container must grow until a sphere crosses no wall and does not overlap its own
    /// periodic image. The centre moves with the container, the radius stays. A factor below 1 is possible.
    pub fn growth_to_hold(&self, center: DVec3, radius: f64) -> f64 {
        self.shape().growth_to_hold(center, radius)
    }

    /// Returns this container with every length multiplied by `factor`, which must be positive.
    pub fn scaled(&self, factor: f64) -> Self {
        let kind = match self.kind {
            Kind::Cuboid(Cuboid { lengths, boundary }) => Kind::Cuboid(Cuboid {
                lengths: lengths * factor,
                boundary,
            }),
        };
        Self { kind }
    }

    /// Returns the lengths along periodic axes, and infinity along the others.
    pub(crate) fn periods(&self) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|axis| {
            if self.is_periodic(axis) {
                self.lengths()[axis]
            } else {
                f64::INFINITY
            }
        }))
    }

    /// Returns the shortest vector from `from` to any periodic image of `to`, for points inside the container.
    #[inline]
    pub fn displacement(&self, from: DVec3, to: DVec3) -> DVec3 {
        let (lengths, boundary) = (self.lengths(), self.boundary());
        let mut d = to - from;
        for axis in 0..3 {
            if boundary.is_periodic(axis) {
                let length = lengths[axis];
                if d[axis] > 0.5 * length {
                    d[axis] -= length;
                } else if d[axis] < -0.5 * length {
                    d[axis] += length;
                }
            }
        }
        d
    }

    /// Returns `point` moved by whole lengths of the bounding box along the periodic axes into `0 ≤ x < length`.
    #[inline]
    pub fn wrap(&self, mut point: DVec3) -> DVec3 {
        let (lengths, boundary) = (self.lengths(), self.boundary());
        for axis in 0..3 {
            if boundary.is_periodic(axis) {
                let length = lengths[axis];
                // The remainder is slow, and most points are inside.
                if (0.0..length).contains(&point[axis]) {
                    continue;
                }
                // rem_euclid rounds a tiny negative number up to the length itself.
                let wrapped = point[axis].rem_euclid(length);
                point[axis] = if wrapped < length { wrapped } else { 0.0 };
            }
        }
        point
    }

    /// Returns the fixed-point frame of the bounding box.
    pub(crate) fn frame(&self) -> Frame {
        Frame::new(self.lengths(), self.boundary())
    }

    /// Returns the position of a sphere that starts at `at` and moves by `displacement`, both in steps of `frame`, but
    /// stops at the walls. `frame` is that of this container.
    #[inline(always)]
    pub(crate) fn confine(
        &self,
        frame: &Frame,
        at: Steps,
        displacement: [i64; 3],
        radius: f32,
    ) -> Steps {
        match &self.kind {
            Kind::Cuboid(cuboid) => cuboid.confine(frame, at, displacement, radius),
        }
    }

    /// Returns a random position, uniformly distributed over all positions at which a sphere crosses no wall. `frame` is
    /// that of this container.
    pub(crate) fn random_position(&self, frame: &Frame, radius: f32, rng: &mut dyn Rng) -> Steps {
        self.shape().random_position(frame, radius, rng)
    }
}

/// The JSON form of a cuboid.
#[derive(Serialize, Deserialize)]
struct CuboidFields {
    lengths: DVec3,
    boundary: Boundaries,
}

impl TryFrom<CuboidFields> for Container {
    type Error = ContainerError;

    fn try_from(fields: CuboidFields) -> Result<Self, Self::Error> {
        Self::cuboid(fields.lengths, fields.boundary)
    }
}

impl From<Container> for CuboidFields {
    fn from(container: Container) -> Self {
        Self {
            lengths: container.lengths(),
            boundary: container.boundary(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_must_be_positive_and_finite() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let message = Container::cuboid(DVec3::new(1.0, bad, 1.0), Boundaries::PERIODIC)
                .unwrap_err()
                .to_string();
            assert!(message.contains("length y"), "{message}");
        }
    }

    #[test]
    fn displacement_crosses_periodic_faces_only() {
        let container = Container::cuboid(DVec3::splat(10.0), "pwp".parse().unwrap()).unwrap();
        let d = container.displacement(DVec3::splat(0.5), DVec3::splat(9.5));
        assert_eq!(d, DVec3::new(-1.0, 9.0, -1.0));
    }

    #[test]
    fn wrap_stays_below_the_length() {
        let container = Container::cuboid(DVec3::splat(10.0), Boundaries::PERIODIC).unwrap();
        let wrapped = container.wrap(DVec3::new(-1e-20, 10.0, -23.0));
        assert_eq!(wrapped, DVec3::new(0.0, 0.0, 7.0));
    }

    #[test]
    fn wall_gap_is_signed() {
        let container = Container::cuboid(DVec3::splat(10.0), "ppw".parse().unwrap()).unwrap();
        assert_eq!(container.wall_gap(DVec3::new(0.0, 0.0, 9.5), 1.0), -0.5);
        assert_eq!(container.wall_gap(DVec3::splat(5.0), 1.0), 4.0);
    }

    #[test]
    fn grown_containers_just_hold_the_sphere() {
        let container =
            Container::cuboid(DVec3::new(4.0, 6.0, 8.0), "wpw".parse().unwrap()).unwrap();
        for (center, radius) in [
            (DVec3::new(1.0, 3.0, 4.0), 2.0),
            (DVec3::new(2.0, 0.5, 7.0), 0.25),
            (DVec3::new(2.0, 0.5, 4.0), 3.5),
        ] {
            let factor = container.growth_to_hold(center, radius);
            let grown = container.scaled(factor);
            let image_gap = grown.lengths().y - 2.0 * radius;
            let gap = grown.wall_gap(factor * center, radius).min(image_gap);
            assert!(gap.abs() < 1e-12, "{center}, {radius}: {gap}");
        }
    }

    #[test]
    fn containers_survive_serialization() {
        let container = Container::cuboid(DVec3::new(1.0, 2.0, 0.1), Boundaries::WALLS).unwrap();
        let text = serde_json::to_string(&container).unwrap();
        assert_eq!(text, r#"{"lengths":[1.0,2.0,0.1],"boundary":"www"}"#);
        assert_eq!(serde_json::from_str::<Container>(&text).unwrap(), container);
        let flat = r#"{"lengths":[1.0,0.0,0.1],"boundary":"www"}"#;
        assert!(serde_json::from_str::<Container>(flat).is_err());
    }
}
