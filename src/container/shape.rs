//! The interface of container shapes.

use glam::DVec3;
use rand::Rng;

use super::{
    boundary::Boundaries,
    frame::{Frame, Steps},
    parameters::ContainerShape,
};

/// Geometry of a container shape.
///
/// A shape lies in its bounding box, which has one corner at the origin. Along a periodic axis the shape has no wall: it
/// continues in the next image of the bounding box. Lengths, centers and radii have the same unit.
pub(super) trait Shape {
    /// Returns the shape with its parameters.
    fn parameters(&self) -> ContainerShape;

    /// Returns the lengths of the bounding box.
    fn lengths(&self) -> DVec3;

    /// Returns the boundary of each axis of the bounding box.
    fn boundary(&self) -> Boundaries;

    /// Returns the volume inside the walls.
    fn volume(&self) -> f64;

    /// Returns the radius of the largest sphere that crosses no wall; infinity without walls.
    fn inradius(&self) -> f64;

    /// Returns the distance from a point to the nearest wall: negative beyond a wall, infinite without walls.
    fn wall_distance(&self, point: DVec3) -> f64;

    /// Returns the position of a sphere that starts at `at` and moves by `displacement`, both in steps of `frame`, but
    /// stops at the walls.
    ///
    /// `frame` is the frame of this shape's bounding box. A sphere that is too large for the container goes to the middle.
    fn confine(&self, frame: &Frame, at: Steps, displacement: [i64; 3], radius: f32) -> Steps;

    /// Returns a random position, uniformly distributed over all positions at which a sphere crosses no wall.
    fn random_position(&self, frame: &Frame, radius: f32, rng: &mut dyn Rng) -> Steps;
}
