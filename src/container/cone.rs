//! The frustum of a cone.

use std::f64::consts::PI;

use glam::{DVec2, DVec3};
use rand::{Rng, RngExt};
use rand_distr::{Distribution, UnitDisc};

use super::{
    boundary::Boundaries,
    constants::WALL_STEPS,
    frame::{Frame, Steps},
    shape::{Extent, Place, Shape, Surface, add_circle, add_round},
};

/// The frustum of a cone. One of its two diameters may be 0. The axis of a container is parallel to z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    /// The diameter at the lowest coordinate along the axis.
    pub bottom: f64,
    /// The diameter at the highest coordinate along the axis.
    pub top: f64,
    /// The length along the axis.
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

    /// Returns the point of the outline (distance from the axis, height) that is nearest to a point outside.
    fn nearest_of_outline(&self, point: DVec2) -> DVec2 {
        let low = DVec2::new(0.5 * self.bottom, 0.0);
        let high = DVec2::new(0.5 * self.top, self.height);
        let side = high - low;
        let share = (point - low).dot(side) / side.length_squared();
        [
            DVec2::new(point.x.min(low.x), 0.0),
            DVec2::new(point.x.min(high.x), self.height),
            low + share.clamp(0.0, 1.0) * side,
        ]
        .into_iter()
        .min_by(|a, b| point.distance(*a).total_cmp(&point.distance(*b)))
        .unwrap_or(low)
    }

    /// Returns the radius of the largest sphere inside.
    fn largest_radius(&self) -> f64 {
        let widest = 0.5 * self.bottom.max(self.top);
        (widest / (self.stretch() + self.slope().abs())).min(0.5 * self.height)
    }

    /// Returns the centers at which a sphere of this radius crosses no wall. They are reduced to the middle of the largest sphere
    /// if the radius is too large.
    fn centers(&self, radius: f64) -> Centers {
        let radius = radius.min(self.largest_radius());
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
    fn lengths(&self) -> DVec3 {
        let widest = self.bottom.max(self.top);
        DVec3::new(widest, widest, self.height)
    }

    fn volume(&self) -> f64 {
        let Self {
            bottom,
            top,
            height,
        } = *self;
        PI / 12.0 * height * (bottom * bottom + bottom * top + top * top)
    }

    fn surface(&self, place: &Place) -> Surface {
        let axis = place.axis;
        let (from_axis, radial) = place.away_from_axis();
        let height = place.from_low[axis];
        let (slope, stretch) = (self.slope(), self.stretch());
        let beyond_side = -(0.5 * self.bottom + slope * height - from_axis) / stretch;
        let beyond_end = place.beyond[axis];
        let (distance, [outwards, upwards]) = if beyond_side > 0.0 || beyond_end > 0.0 {
            let point = DVec2::new(from_axis, height);
            let away = point - self.nearest_of_outline(point);
            let outwards = away.try_normalize().unwrap_or(DVec2::X);
            (away.length(), outwards.to_array())
        } else if beyond_side >= beyond_end {
            (beyond_side, [1.0 / stretch, -slope / stretch])
        } else {
            (beyond_end, [0.0, place.from_middle[axis].signum()])
        };
        Surface {
            distance,
            outwards: outwards * radial + upwards * DVec3::AXES[axis],
        }
    }

    fn inradius(&self, _boundary: Boundaries) -> f64 {
        self.largest_radius()
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

    fn add_chords(&self, extent: &Extent, x: f64, y: f64, chords: &mut Vec<[f64; 2]>) {
        let Extent {
            low, middle, high, ..
        } = *extent;
        if extent.axis < 2 {
            let [along, across] = match extent.axis {
                0 => [x - low.x, y - middle.y],
                _ => [y - low.y, x - middle.x],
            };
            let radius = 0.5 * self.bottom + self.slope() * along;
            add_round(middle.z, radius * radius - across * across, chords);
            return;
        }
        let [bottom, top] = [0.5 * self.bottom, 0.5 * self.top];
        let beyond = DVec2::new(x, y).distance(middle.truncate()) - bottom;
        // Share of the height at which the side is at this distance from the axis.
        let share = beyond / (top - bottom);
        let side = low.z + self.height * share.clamp(0.0, 1.0);
        if bottom > top {
            chords.push([low.z, side]);
        } else if bottom < top {
            chords.push([side, high.z]);
        } else if beyond < 0.0 {
            chords.push([low.z, high.z]);
        }
    }

    fn add_x_breaks(&self, extent: &Extent, breaks: &mut Vec<f64>) {
        if extent.axis > 0 {
            for radius in [0.5 * self.bottom, 0.5 * self.top] {
                breaks.extend([extent.middle.x - radius, extent.middle.x + radius]);
            }
        }
    }

    fn add_y_breaks(&self, extent: &Extent, x: f64, breaks: &mut Vec<f64>) {
        let (low, middle) = (extent.low, extent.middle);
        let (bottom, slope) = (0.5 * self.bottom, self.slope());
        match extent.axis {
            0 => {
                let radius = bottom + slope * (x - low.x);
                breaks.extend([middle.y - radius, middle.y + radius]);
            }
            1 => {
                let side = low.y + ((x - middle.x).abs() - bottom) / slope;
                breaks.extend(
                    [low.y, extent.high.y, side]
                        .into_iter()
                        .filter(|y| y.is_finite()),
                );
            }
            _ => {
                add_circle(middle, bottom, x, breaks);
                add_circle(middle, 0.5 * self.top, x, breaks);
            }
        }
    }
}
