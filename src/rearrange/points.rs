//! Positions, radii and numbers of the spheres in the container.

use glam::DVec3;
use rayon::prelude::*;

use super::constants::{FIRST_SKIN, LARGEST_SKIN};
use crate::container::{
    Container,
    frame::{Frame, Point, Steps},
};

/// Spheres in a container of fixed size, while all radii shrink by a common factor, the scale.
///
/// This is the growing container in relative coordinates: positions are fractions of the container, so that growth moves no
/// sphere.
pub(super) struct Points {
    container: Container,
    /// Distance that a sphere keeps from walls beyond its radius, at scale 1.
    pub wall_offset_at_start: f64,
    frame: Frame,
    /// Spheres with radii at scale 1; one more point pads the lists.
    points: Vec<Point>,
    /// The caller's number of each sphere.
    numbers: Vec<u32>,
    /// Radius of a sphere of mean volume, at scale 1.
    pub mean_radius: f32,
    /// Common factor of all radii.
    pub scale: f64,
}

impl Points {
    /// Creates an empty container.
    pub fn new(container: Container, wall_offset_at_start: f64) -> Self {
        Self {
            frame: container.frame(),
            container,
            wall_offset_at_start,
            points: vec![Point::NOTHING],
            numbers: Vec::new(),
            mean_radius: 0.0,
            scale: 1.0,
        }
    }

    pub fn container(&self) -> &Container {
        &self.container
    }

    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Returns the number of spheres in the container, on all ranks.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Returns the distance that a sphere keeps from walls beyond its radius.
    pub fn wall_offset(&self) -> f64 {
        self.wall_offset_at_start * self.scale
    }

    /// Lets the container grow by the factor `growth ≥ 1`: divides all radii by it.
    pub fn grow(&mut self, growth: f64) {
        debug_assert!(growth >= 1.0);
        self.scale /= growth;
    }

    /// Returns all spheres with radii at scale 1, and the point that pads lists.
    pub fn at_start(&self) -> &[Point] {
        &self.points
    }

    /// Returns a sphere with its radius at scale 1.
    pub fn sphere_at_start(&self, id: u32) -> Point {
        self.points[id as usize]
    }

    /// Returns a sphere with its present radius.
    pub fn sphere(&self, id: u32) -> Point {
        let sphere = self.points[id as usize];
        let radius = sphere.radius * self.scale as f32;
        Point { radius, ..sphere }
    }

    /// Returns the center of a sphere in the container.
    pub fn center(&self, id: u32) -> DVec3 {
        self.frame.center(self.points[id as usize].at)
    }

    /// Returns the caller's number of a sphere.
    pub fn number(&self, id: u32) -> u32 {
        self.numbers[id as usize]
    }

    /// Returns the caller's numbers of all spheres.
    pub fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// Returns the upper bound of a sphere's skin, as a share of its radius.
    pub fn largest_skin(&self, id: u32) -> f32 {
        self.largest_skin_of(self.points[id as usize].radius)
    }

    /// Returns the upper bound of the skin of a sphere with this radius at scale 1.
    fn largest_skin_of(&self, radius: f32) -> f32 {
        (FIRST_SKIN * self.mean_radius / radius).clamp(FIRST_SKIN, LARGEST_SKIN)
    }

    /// Returns the upper bound of the inflated radius of a sphere.
    pub fn reach_of(&self, sphere: Point) -> f32 {
        sphere.inflated(self.largest_skin_of(sphere.radius)).radius
    }

    /// Returns a sphere with a new radius at scale 1, moved off the walls.
    pub fn confined(&self, sphere: Point, radius: f32) -> Point {
        let at = self.confined_at(sphere.at, [0; 3], radius * self.scale as f32);
        Point { at, radius }
    }

    /// Moves a sphere by a step, inside the walls.
    pub fn displace(&mut self, id: u32, step: [i64; 3]) {
        let sphere = self.sphere(id);
        self.set_position(id, self.confined_at(sphere.at, step, sphere.radius));
    }

    /// Returns a position at a step from another one, moved off the walls for a sphere of this radius.
    fn confined_at(&self, at: Steps, step: [i64; 3], radius: f32) -> Steps {
        let radius = radius + self.wall_offset() as f32;
        self.container.confine(&self.frame, at, step, radius)
    }

    pub fn set_position(&mut self, id: u32, at: Steps) {
        self.points[id as usize].at = at;
    }

    /// Replaces a sphere, whose radius is that at scale 1, and its number.
    pub fn set(&mut self, id: u32, sphere: Point, number: u32) {
        self.points[id as usize] = sphere;
        self.numbers[id as usize] = number;
    }

    /// Provides memory for `n` spheres.
    pub fn reset(&mut self, n: usize) {
        self.points = bytemuck::zeroed_vec(n + 1);
        self.points[n] = Point::NOTHING;
        self.numbers = vec![0; n];
    }

    /// Replaces all spheres, of which `sphere` returns the radius at scale 1.
    pub fn fill(
        &mut self,
        spheres: impl IndexedParallelIterator<Item = Point>,
        numbers: impl IndexedParallelIterator<Item = u32>,
    ) {
        let mut points = Vec::with_capacity(spheres.len() + 1);
        points.par_extend(spheres);
        points.push(Point::NOTHING);
        self.points = points;
        self.numbers = numbers.collect();
    }

    /// Returns the place of all spheres, for threads that write different ones.
    pub fn as_mut_ptr(&mut self) -> *mut Point {
        self.points.as_mut_ptr()
    }

    /// Returns the spheres with radii at scale 1, the caller's numbers and the frame.
    pub fn into_parts(self) -> (Vec<Point>, Vec<u32>, Frame) {
        (self.points, self.numbers, self.frame)
    }
}
