//! The cuboid, with walls at the faces of its bounding box.

use glam::DVec3;
use rand::{Rng, RngExt};

use super::{
    boundary::Boundaries,
    frame::{Frame, Steps},
    parameters::ContainerShape,
    shape::Shape,
};

/// A cuboid with one corner at the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cuboid {
    pub lengths: DVec3,
    pub boundary: Boundaries,
}

impl Cuboid {
    fn walled_axes(&self) -> impl Iterator<Item = usize> {
        let boundary = self.boundary;
        (0..3).filter(move |&axis| !boundary.is_periodic(axis))
    }
}

/// Returns the coordinate along `axis` of a position that stops at the walls of this axis, or wraps around a periodic axis.
#[inline(always)]
pub(super) fn confine_along(
    axis: usize,
    boundary: Boundaries,
    frame: &Frame,
    at: Steps,
    displacement: [i64; 3],
    radius: f32,
) -> i32 {
    let target = i64::from(at[axis]) + displacement[axis];
    if boundary.is_periodic(axis) {
        // Steps wrap around like the axis.
        return target as i32;
    }
    let margin = (radius / frame.unit[axis]) as i64 + 1;
    let span = frame.span(axis);
    let low = margin.min(span / 2);
    target.clamp(low, span - low) as i32
}

/// Returns a random coordinate along an axis, as a fraction of its length, at which a sphere crosses none of its walls.
pub(super) fn random_along(
    axis: usize,
    lengths: DVec3,
    boundary: Boundaries,
    radius: f32,
    rng: &mut dyn Rng,
) -> f64 {
    let margin = if boundary.is_periodic(axis) {
        0.0
    } else {
        (f64::from(radius) / lengths[axis]).min(0.5)
    };
    margin + rng.random::<f64>() * (1.0 - 2.0 * margin)
}

impl Shape for Cuboid {
    fn parameters(&self) -> ContainerShape {
        ContainerShape::Box {
            lengths: self.lengths,
        }
    }

    fn lengths(&self) -> DVec3 {
        self.lengths
    }

    fn boundary(&self) -> Boundaries {
        self.boundary
    }

    fn volume(&self) -> f64 {
        self.lengths.element_product()
    }

    fn inradius(&self) -> f64 {
        self.walled_axes()
            .map(|axis| 0.5 * self.lengths[axis])
            .fold(f64::INFINITY, f64::min)
    }

    fn wall_distance(&self, point: DVec3) -> f64 {
        self.walled_axes()
            .map(|axis| point[axis].min(self.lengths[axis] - point[axis]))
            .fold(f64::INFINITY, f64::min)
    }

    #[inline(always)]
    fn confine(&self, frame: &Frame, at: Steps, displacement: [i64; 3], radius: f32) -> Steps {
        // `array::from_fn` would remain a call in the loop.
        let along = |axis| confine_along(axis, self.boundary, frame, at, displacement, radius);
        [along(0), along(1), along(2)]
    }

    fn random_position(&self, frame: &Frame, radius: f32, rng: &mut dyn Rng) -> Steps {
        frame.at_fraction(DVec3::from_array(std::array::from_fn(|axis| {
            random_along(axis, self.lengths, self.boundary, radius, rng)
        })))
    }
}
