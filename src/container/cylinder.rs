//! The cylinder, with its axis along z.

use std::f64::consts::FRAC_PI_4;

use glam::{DVec2, DVec3};
use rand::Rng;
use rand_distr::{Distribution, UnitDisc};

use super::{
    boundary::{Boundaries, Boundary},
    constants::WALL_STEPS,
    cuboid::{confine_along, random_along},
    frame::{Frame, Steps},
    parameters::ContainerShape,
    round::confine_to_ball,
    shape::Shape,
};

/// A cylinder whose axis is parallel to z, with a curved wall, and with walls or periodic faces at its two ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cylinder {
    pub diameter: f64,
    pub height: f64,
    /// The boundary along the axis.
    pub ends: Boundary,
}

impl Shape for Cylinder {
    fn parameters(&self) -> ContainerShape {
        ContainerShape::Cylinder {
            diameter: self.diameter,
            height: self.height,
        }
    }

    fn lengths(&self) -> DVec3 {
        DVec3::new(self.diameter, self.diameter, self.height)
    }

    fn boundary(&self) -> Boundaries {
        Boundaries([Boundary::Wall, Boundary::Wall, self.ends])
    }

    fn volume(&self) -> f64 {
        FRAC_PI_4 * self.diameter * self.diameter * self.height
    }

    fn inradius(&self) -> f64 {
        match self.ends {
            Boundary::Wall => 0.5 * self.diameter.min(self.height),
            Boundary::Periodic => 0.5 * self.diameter,
        }
    }

    fn wall_distance(&self, point: DVec3) -> f64 {
        let middle = 0.5 * self.diameter;
        let from_side = middle - (point.truncate() - DVec2::splat(middle)).length();
        match self.ends {
            Boundary::Wall => from_side.min(point.z).min(self.height - point.z),
            Boundary::Periodic => from_side,
        }
    }

    #[inline(always)]
    fn confine(&self, frame: &Frame, at: Steps, displacement: [i64; 3], radius: f32) -> Steps {
        let [x, y] = confine_to_ball([0, 1], frame, at, displacement, radius);
        let z = confine_along(2, self.boundary(), frame, at, displacement, radius);
        [x, y, z]
    }

    fn random_position(&self, frame: &Frame, radius: f32, rng: &mut dyn Rng) -> Steps {
        let margin = f64::from(radius) + WALL_STEPS * f64::from(frame.unit[0]);
        let limit = (0.5 - margin / self.diameter).max(0.0);
        let [x, y] = UnitDisc.sample(rng).map(|x: f64| 0.5 + limit * x);
        let z = random_along(2, self.lengths(), self.boundary(), radius, rng);
        frame.at_fraction(DVec3::new(x, y, z))
    }
}
