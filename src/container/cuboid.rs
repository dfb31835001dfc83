//! The cuboid, with walls at the faces of its bounding box.

use glam::DVec3;
use rand::{Rng, RngExt};

use super::{
    boundary::Boundaries,
    frame::{Frame, Steps},
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

    /// Returns one coordinate of a confined position.
    #[inline(always)]
    fn confine_along(
        &self,
        axis: usize,
        frame: &Frame,
        at: Steps,
        displacement: [i64; 3],
        radius: f32,
    ) -> i32 {
        let target = i64::from(at[axis]) + displacement[axis];
        if self.boundary.is_periodic(axis) {
            // Steps wrap around like the axis.
            return target as i32;
        }
        let margin = (radius / frame.unit[axis]) as i64 + 1;
        let span = frame.span(axis);
        let low = margin.min(span / 2);
        target.clamp(low, span - low) as i32
    }
}

impl Shape for Cuboid {
    fn lengths(&self) -> DVec3 {
        self.lengths
    }

    fn boundary(&self) -> Boundaries {
        self.boundary
    }

    fn volume(&self) -> f64 {
        self.lengths.element_product()
    }

    fn largest_radius(&self) -> f64 {
        0.5 * self.lengths.min_element()
    }

    fn wall_gap(&self, center: DVec3, radius: f64) -> f64 {
        self.walled_axes()
            .map(|axis| center[axis].min(self.lengths[axis] - center[axis]) - radius)
            .fold(f64::INFINITY, f64::min)
    }

    fn growth_to_hold(&self, center: DVec3, radius: f64) -> f64 {
        (0..3)
            .map(|axis| {
                let length = self.lengths[axis];
                if self.boundary.is_periodic(axis) {
                    2.0 * radius / length
                } else {
                    radius / center[axis].min(length - center[axis])
                }
            })
            .fold(0.0, f64::max)
    }

    #[inline(always)]
    fn confine(&self, frame: &Frame, at: Steps, displacement: [i64; 3], radius: f32) -> Steps {
        // `array::from_fn` would remain a call in the loop.
        let [x, y, z] = [0, 1, 2];
        [
            self.confine_along(x, frame, at, displacement, radius),
            self.confine_along(y, frame, at, displacement, radius),
            self.confine_along(z, frame, at, displacement, radius),
        ]
    }

    fn random_position(&self, frame: &Frame, radius: f32, rng: &mut dyn Rng) -> Steps {
        frame.at_fraction(DVec3::from_array(std::array::from_fn(|axis| {
            let margin = if self.boundary.is_periodic(axis) {
                0.0
            } else {
                (f64::from(radius) / self.lengths[axis]).min(0.5)
            };
            margin + rng.random::<f64>() * (1.0 - 2.0 * margin)
        })))
    }
}
