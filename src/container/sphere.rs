//! The sphere as a container.

use std::f64::consts::PI;

use glam::DVec3;
use rand::Rng;
use rand_distr::{Distribution, UnitBall};

use super::{
    boundary::Boundaries,
    constants::WALL_STEPS,
    frame::{Frame, Steps},
    parameters::ContainerShape,
    round::confine_to_ball,
    shape::Shape,
};

/// A spherical container.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ball {
    pub diameter: f64,
}

impl Shape for Ball {
    fn parameters(&self) -> ContainerShape {
        ContainerShape::Sphere {
            diameter: self.diameter,
        }
    }

    fn lengths(&self) -> DVec3 {
        DVec3::splat(self.diameter)
    }

    fn boundary(&self) -> Boundaries {
        Boundaries::WALLS
    }

    fn volume(&self) -> f64 {
        PI / 6.0 * self.diameter * self.diameter * self.diameter
    }

    fn inradius(&self) -> f64 {
        0.5 * self.diameter
    }

    fn wall_distance(&self, point: DVec3) -> f64 {
        let middle = 0.5 * self.diameter;
        middle - (point - DVec3::splat(middle)).length()
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
}
