//! The frustum of a cone, with its axis along z.

use std::f64::consts::PI;

use glam::{DVec2, DVec3};
use rand::{Rng, RngExt};
use rand_distr::{Distribution, UnitDisc};

use super::{
    boundary::Boundaries,
    constants::WALL_STEPS,
    frame::{Frame, Steps},
    parameters::ContainerShape,
    shape::Shape,
};

/// A frustum whose axis is parallel to z. One of the two diameters may be 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cone {
    /// Diameter at z = 0.
    pub bottom: f64,
    /// Diameter at z = height.
    pub top: f64,
    pub height: f64,
}

/// The centers at which a sphere crosses no wall. They form a smaller frustum.
///
/// All three walls extended to infinity, a sphere inside the cone crosses a wall exactly if it crosses the extended wall, because
/// the cone is convex.
struct Centers {
    /// Smallest and largest height of a center.
    low: f64,
    high: f64,
    /// Largest distance of a center from the axis, at z = 0; it can be negative.
    limit: f64,
    /// Increase of this distance with the height.
    slope: f64,
}

impl Centers {
    /// Returns the largest distance of a center at height `z` from the axis.
    fn limit_at(&self, z: f64) -> f64 {
        self.limit + self.slope * z
    }

    /// Returns the nearest point of this frustum to a point at height `z` and at the distance `x` from the axis. Beyond an edge of
    /// the frustum, the result is a point near that edge.
    fn nearest(&self, x: f64, z: f64) -> (f64, f64) {
        let beyond = x - self.limit_at(z);
        let along = if beyond > 0.0 {
            // Perpendicular to the side.
            beyond * self.slope / (1.0 + self.slope * self.slope)
        } else {
            0.0
        };
        let z = (z + along).clamp(self.low, self.high);
        (x.min(self.limit_at(z)).max(0.0), z)
    }
}

impl Cone {
    /// Returns the increase of the radius with the height.
    fn slope(&self) -> f64 {
        0.5 * (self.top - self.bottom) / self.height
    }

    /// Returns the length of the side, from bottom to top, divided by the height.
    fn stretch(&self) -> f64 {
        let slope = self.slope();
        (1.0 + slope * slope).sqrt()
    }

    /// Returns the centers at which a sphere of this radius crosses no wall. They are reduced to the middle of the largest sphere
    /// if the radius is too large.
    fn centers(&self, radius: f64) -> Centers {
        let radius = radius.min(self.inradius());
        let slope = self.slope();
        let limit = 0.5 * self.bottom - radius * self.stretch();
        let (mut low, mut high) = (radius, self.height - radius);
        // The height at which the side leaves no room beside the axis.
        let apex = -limit / slope;
        if slope > 0.0 {
            low = low.max(apex);
        } else if slope < 0.0 {
            high = high.min(apex);
        }
        Centers {
            low: low.min(high),
            high,
            limit,
            slope,
        }
    }
}

impl Shape for Cone {
    fn parameters(&self) -> ContainerShape {
        ContainerShape::Cone {
            bottom: self.bottom,
            top: self.top,
            height: self.height,
        }
    }

    fn lengths(&self) -> DVec3 {
        let widest = self.bottom.max(self.top);
        DVec3::new(widest, widest, self.height)
    }

    fn boundary(&self) -> Boundaries {
        Boundaries::WALLS
    }

    fn volume(&self) -> f64 {
        let Self {
            bottom,
            top,
            height,
        } = *self;
        PI / 12.0 * height * (bottom * bottom + bottom * top + top * top)
    }

    fn inradius(&self) -> f64 {
        let widest = 0.5 * self.bottom.max(self.top);
        (widest / (self.stretch() + self.slope().abs())).min(0.5 * self.height)
    }

    fn wall_distance(&self, point: DVec3) -> f64 {
        let middle = 0.5 * self.bottom.max(self.top);
        let from_axis = (point.truncate() - DVec2::splat(middle)).length();
        let from_side = (0.5 * self.bottom + self.slope() * point.z - from_axis) / self.stretch();
        from_side.min(point.z).min(self.height - point.z)
    }

    #[inline(always)]
    fn confine(&self, frame: &Frame, at: Steps, displacement: [i64; 3], radius: f32) -> Steps {
        let steps = frame.span(0) as f64;
        let unit = self.lengths() / steps;
        let middle = frame.span(0) / 2;
        let target: [i64; 3] = std::array::from_fn(|axis| i64::from(at[axis]) + displacement[axis]);
        let [x, y] = [target[0], target[1]].map(|steps| (steps - middle) as f64 * unit.x);
        let z = target[2] as f64 * unit.z;
        let from_axis = (x * x + y * y).sqrt();
        let margin = WALL_STEPS * unit.max_element();
        let centers = self.centers(f64::from(radius) + margin);
        let (confined, height) = centers.nearest(from_axis, z);
        if confined == from_axis && height == z {
            return target.map(|coordinate| coordinate as i32);
        }
        let factor = if from_axis > 0.0 {
            confined / from_axis / unit.x
        } else {
            0.0
        };
        let along = |x: f64| (middle + (x * factor) as i64) as i32;
        [along(x), along(y), (height / unit.z) as i32]
    }

    fn random_position(&self, frame: &Frame, radius: f32, rng: &mut dyn Rng) -> Steps {
        let lengths = self.lengths();
        let margin = WALL_STEPS * lengths.max_element() / frame.span(0) as f64;
        let centers = self.centers(f64::from(radius) + margin);
        let limits = [centers.low, centers.high].map(|z| centers.limit_at(z).max(0.0));
        let widest = limits[0].max(limits[1]);
        let (z, limit) = loop {
            let z = centers.low + rng.random::<f64>() * (centers.high - centers.low);
            let limit = centers.limit_at(z).max(0.0);
            // Cross-sections are chosen in proportion to their areas.
            let share = rng.random::<f64>() * widest * widest;
            if share <= limit * limit {
                break (z, limit);
            }
        };
        let [x, y] = UnitDisc
            .sample(rng)
            .map(|x: f64| 0.5 + limit / lengths.x * x);
        frame.at_fraction(DVec3::new(x, y, z / lengths.z))
    }
}
