//! The sphere.

use std::f64::consts::PI;

use glam::DVec3;
use rand::Rng;
use rand_distr::{Distribution, UnitBall};

use super::{
    boundary::Boundaries,
    constants::WALL_STEPS,
    frame::{Frame, Steps},
    shape::{Extent, Place, Shape, Surface, add_circle, add_round},
};

/// A sphere as a container or as a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// The diameter.
    pub diameter: f64,
}

/// Returns the surface of a sphere, seen from a point.
pub(super) fn ball(from_center: DVec3, radius: f64) -> Surface {
    let length = from_center.length();
    Surface {
        distance: length - radius,
        outwards: from_center.try_normalize().unwrap_or(DVec3::Z),
    }
}

/// Returns the coordinates along `axes` of a sphere that moves by `displacement`, but stops at the round wall that the faces of
/// the bounding box touch.
///
/// The bounding box has equal lengths along `axes`, so that distances may be measured in steps. All numbers are exact until the
/// square root.
#[inline(always)]
pub(super) fn confine_to_ball<const N: usize>(
    axes: [usize; N],
    frame: &Frame,
    at: Steps,
    displacement: [i64; 3],
    radius: f32,
) -> [i32; N] {
    let middle = frame.span(axes[0]) / 2;
    let target = axes.map(|axis| i64::from(at[axis]) + displacement[axis]);
    let from_middle = target.map(|coordinate| (coordinate - middle) as f64);
    let squared: f64 = from_middle.iter().map(|x| x * x).sum();
    let margin = f64::from(radius / frame.unit[axes[0]]) + WALL_STEPS;
    let limit = (middle as f64 - margin).max(0.0);
    if squared <= limit * limit {
        return target.map(|coordinate| coordinate as i32);
    }
    let factor = limit / squared.sqrt();
    // Conversion rounds towards the middle.
    from_middle.map(|x| (middle + (x * factor) as i64) as i32)
}

impl Shape for Ball {
    fn lengths(&self) -> DVec3 {
        DVec3::splat(self.diameter)
    }

    fn volume(&self) -> f64 {
        PI / 6.0 * self.diameter * self.diameter * self.diameter
    }

    fn surface(&self, place: &Place) -> Surface {
        ball(place.from_middle, 0.5 * self.diameter)
    }

    fn inradius(&self, _boundary: Boundaries) -> f64 {
        0.5 * self.diameter
    }

    #[inline(always)]
    fn confine(&self, frame: &Frame, at: Steps, displacement: [i64; 3], radius: f32) -> Steps {
        confine_to_ball([0, 1, 2], frame, at, displacement, radius)
    }

    fn random_position(&self, frame: &Frame, radius: f32, rng: &mut dyn Rng) -> Steps {
        let margin = f64::from(radius) + WALL_STEPS * f64::from(frame.unit[0]);
        let limit = (0.5 - margin / self.diameter).max(0.0);
        let point: [f64; 3] = UnitBall.sample(rng);
        frame.at_fraction(0.5 + limit * DVec3::from_array(point))
    }

    fn add_chords(&self, extent: &Extent, x: f64, y: f64, chords: &mut Vec<[f64; 2]>) {
        let (radius, middle) = (0.5 * self.diameter, extent.middle);
        let (x, y) = (x - middle.x, y - middle.y);
        add_round(middle.z, radius * radius - x * x - y * y, chords);
    }

    fn add_y_breaks(&self, extent: &Extent, x: f64, breaks: &mut Vec<f64>) {
        add_circle(extent.middle, 0.5 * self.diameter, x, breaks);
    }
}
