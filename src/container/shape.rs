//! What each solid answers about itself. A shape has one file.

use glam::DVec3;
use rand::Rng;

use super::{
    boundary::Boundaries,
    frame::{Frame, Steps},
};

/// Geometry of a solid: inside it is a container, outside of it a body. Lengths, points and radii have the same unit.
pub(super) trait Shape {
    /// Returns the lengths of the bounding box.
    fn lengths(&self) -> DVec3;

    /// Returns the volume; the area of a flat solid.
    fn volume(&self) -> f64;

    /// Returns the surface nearest to a point.
    fn surface(&self, place: &Place) -> Surface;

    /// Returns the surface nearest to a point if its distance is below `reach`.
    fn surface_within(&self, place: &Place, reach: f64) -> Option<Surface> {
        let surface = self.surface(place);
        (surface.distance < reach).then_some(surface)
    }

    /// Returns the middle of the bounding box, from the position of a body.
    fn middle(&self) -> DVec3 {
        DVec3::ZERO
    }

    // As a container.

    // In these three, the axis of the solid is parallel to z.

    /// Returns the radius of the largest sphere that crosses no wall; infinity without walls.
    fn inradius(&self, boundary: Boundaries) -> f64;

    /// Returns the position of a sphere that starts at `at` and moves by `displacement`, both in steps of `frame`, but
    /// stops at the walls.
    ///
    /// `frame` is the frame of the bounding box. A sphere that is too large for the container goes to the middle.
    fn confine(&self, frame: &Frame, at: Steps, displacement: [i64; 3], radius: f32) -> Steps;

    /// Returns a random position, uniformly distributed over all positions at which a sphere crosses no wall.
    fn random_position(&self, frame: &Frame, radius: f32, rng: &mut dyn Rng) -> Steps;

    // Integrals over lines parallel to z.

    /// Adds the parts of the line through (x, y) inside the bounding box that lie in the solid, each as its lowest and its highest z.
    fn add_chords(&self, extent: &Extent, x: f64, y: f64, chords: &mut Vec<[f64; 2]>);

    /// Adds the coordinates x, beside those of the bounding box, at which the areas of slices may change abruptly.
    fn add_x_breaks(&self, _extent: &Extent, _breaks: &mut Vec<f64>) {}

    /// Adds the coordinates y at which the lengths of lines in the slice at `x` may change abruptly.
    fn add_y_breaks(&self, extent: &Extent, x: f64, breaks: &mut Vec<f64>);

    /// Returns whether the breaks divide integrals into parts without an edge.
    fn has_breaks(&self) -> bool {
        true
    }
}

/// A point as seen from a solid.
pub(super) struct Place {
    /// From the lowest corner of the bounding box.
    pub from_low: DVec3,
    /// From the middle of the bounding box.
    pub from_middle: DVec3,
    /// Distance beyond the nearer face of the bounding box along each axis: negative inside, and −∞ without faces.
    pub beyond: DVec3,
    /// The direction of the solid's own axis.
    pub axis: usize,
}

impl Place {
    /// A point in a container, from its lowest corner. `axis` is the direction of the solid's axis.
    pub fn inside(point: DVec3, lengths: DVec3, boundary: Boundaries, axis: usize) -> Self {
        let beyond = |axis: usize| {
            if boundary.is_periodic(axis) || lengths[axis] == 0.0 {
                f64::NEG_INFINITY
            } else {
                -point[axis].min(lengths[axis] - point[axis])
            }
        };
        Self {
            from_low: point,
            from_middle: point - 0.5 * lengths,
            beyond: DVec3::new(beyond(0), beyond(1), beyond(2)),
            axis,
        }
    }

    /// Returns the distance from the solid's axis, and the unit vector away from it.
    pub fn away_from_axis(&self) -> (f64, DVec3) {
        let mut across = self.from_middle;
        across[self.axis] = 0.0;
        let radial = across.try_normalize();
        let any = DVec3::AXES[(self.axis + 1) % 3];
        (across.length(), radial.unwrap_or(any))
    }

    /// A point near a body whose bounding box has these lengths, from its lowest corner and from its middle.
    pub fn outside(from_low: DVec3, from_middle: DVec3, lengths: DVec3, axis: usize) -> Self {
        Self {
            from_low,
            from_middle,
            beyond: DVec3::select(
                lengths.cmpgt(DVec3::ZERO),
                from_middle.abs() - 0.5 * lengths,
                DVec3::NEG_INFINITY,
            ),
            axis,
        }
    }
}

/// The surface of a solid near a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Surface {
    /// Distance of the point from the surface, negative inside the solid.
    pub distance: f64,
    /// Unit vector in which the distance grows fastest.
    pub outwards: DVec3,
}

/// The bounding box of a solid at a fixed position, and the direction of the solid's own axis.
pub(super) struct Extent {
    pub low: DVec3,
    pub middle: DVec3,
    pub high: DVec3,
    pub axis: usize,
}

/// Adds the chord around `middle` whose half has this square, if it is positive.
pub(super) fn add_round(middle: f64, squared: f64, chords: &mut Vec<[f64; 2]>) {
    if squared > 0.0 {
        chords.push([middle - squared.sqrt(), middle + squared.sqrt()]);
    }
}

/// Adds the coordinates y of the points of a circle with this x.
pub(super) fn add_circle(middle: DVec3, radius: f64, x: f64, breaks: &mut Vec<f64>) {
    let squared = radius * radius - (x - middle.x) * (x - middle.x);
    if squared > 0.0 {
        breaks.extend([middle.y - squared.sqrt(), middle.y + squared.sqrt()]);
    }
}
