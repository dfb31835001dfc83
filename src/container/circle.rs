//! The circle in the plane.

use std::f64::consts::FRAC_PI_4;

use glam::DVec3;
use rand::Rng;
use rand_distr::{Distribution, UnitDisc};

use super::{
    boundary::Boundaries,
    constants::WALL_STEPS,
    cylinder::Cylinder,
    frame::{Frame, Steps},
    shape::{Extent, Place, Shape, Surface},
    sphere::confine_to_ball,
};

/// A circle in the plane of x and y, as a container or as a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// The diameter.
    pub diameter: f64,
}

impl Circle {
    /// Returns the cylinder without height that this is: it has no ends.
    fn cylinder(&self) -> Cylinder {
        Cylinder {
            diameter: self.diameter,
            height: 0.0,
        }
    }
}

impl Shape for Circle {
    fn lengths(&self) -> DVec3 {
        self.cylinder().lengths()
    }

    fn volume(&self) -> f64 {
        FRAC_PI_4 * self.diameter * self.diameter
    }

    fn surface(&self, place: &Place) -> Surface {
        self.cylinder().surface(place)
    }

    fn inradius(&self, _boundary: Boundaries) -> f64 {
        0.5 * self.diameter
    }

    #[inline(always)]
    fn confine(&self, frame: &Frame, at: Steps, displacement: [i64; 3], radius: f32) -> Steps {
        let [x, y] = confine_to_ball([0, 1], frame, at, displacement, radius);
        [x, y, 0]
    }

    fn random_position(&self, frame: &Frame, radius: f32, rng: &mut dyn Rng) -> Steps {
        let margin = f64::from(radius) + WALL_STEPS * f64::from(frame.unit[0]);
        let limit = (0.5 - margin / self.diameter).max(0.0);
        let [x, y] = UnitDisc.sample(rng).map(|x: f64| 0.5 + limit * x);
        frame.at_fraction(DVec3::new(x, y, 0.0))
    }

    fn add_chords(&self, extent: &Extent, x: f64, y: f64, chords: &mut Vec<[f64; 2]>) {
        self.cylinder().add_chords(extent, x, y, chords);
    }

    fn add_y_breaks(&self, extent: &Extent, x: f64, breaks: &mut Vec<f64>) {
        self.cylinder().add_y_breaks(extent, x, breaks);
    }
}
