//! The cylinder, and the circle in the plane.

use std::f64::consts::FRAC_PI_4;

use glam::DVec3;
use rand::Rng;
use rand_distr::{Distribution, UnitDisc};

use super::{
    boundary::Boundaries,
    constants::WALL_STEPS,
    cuboid::{confine_along, random_along},
    frame::{Frame, Steps},
    shape::{Extent, Place, Shape, Surface, add_circle, add_round},
    sphere::confine_to_ball,
};

/// A cylinder. The axis of a container is parallel to z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    /// The diameter.
    pub diameter: f64,
    /// The length along the axis; infinity for a body without ends, along a periodic axis.
    pub height: f64,
}

impl Shape for Cylinder {
    fn lengths(&self) -> DVec3 {
        DVec3::new(self.diameter, self.diameter, self.height)
    }

    fn volume(&self) -> f64 {
        FRAC_PI_4 * self.diameter * self.diameter * self.height
    }

    fn surface(&self, place: &Place) -> Surface {
        let axis = place.axis;
        let (from_axis, radial) = place.away_from_axis();
        let axial = DVec3::AXES[axis] * place.from_middle[axis].signum();
        let beyond_side = from_axis - 0.5 * self.diameter;
        let beyond_end = place.beyond[axis];
        let (distance, outwards) = if beyond_side > 0.0 && beyond_end > 0.0 {
            let edge = radial * beyond_side + axial * beyond_end;
            let distance = edge.length();
            (distance, edge / distance)
        } else if beyond_side >= beyond_end {
            (beyond_side, radial)
        } else {
            (beyond_end, axial)
        };
        Surface { distance, outwards }
    }

    fn inradius(&self, boundary: Boundaries) -> f64 {
        if boundary.is_periodic(2) {
            0.5 * self.diameter
        } else {
            0.5 * self.diameter.min(self.height)
        }
    }

    #[inline(always)]
    fn confine(&self, frame: &Frame, at: Steps, displacement: [i64; 3], radius: f32) -> Steps {
        let [x, y] = confine_to_ball([0, 1], frame, at, displacement, radius);
        let z = confine_along(2, frame, at, displacement, radius);
        [x, y, z]
    }

    fn random_position(&self, frame: &Frame, radius: f32, rng: &mut dyn Rng) -> Steps {
        let [x, y] = random_in_circle(self.diameter, frame, radius, rng);
        let z = random_along(2, frame, radius, rng);
        frame.at_fraction(DVec3::new(x, y, z))
    }

    fn add_chords(&self, extent: &Extent, x: f64, y: f64, chords: &mut Vec<[f64; 2]>) {
        let (radius, middle) = (0.5 * self.diameter, extent.middle);
        let (x, y) = (x - middle.x, y - middle.y);
        match extent.axis {
            0 => add_round(middle.z, radius * radius - y * y, chords),
            1 => add_round(middle.z, radius * radius - x * x, chords),
            _ if x * x + y * y < radius * radius => chords.push([extent.low.z, extent.high.z]),
            _ => {}
        }
    }

    fn add_y_breaks(&self, extent: &Extent, x: f64, breaks: &mut Vec<f64>) {
        if extent.axis == 2 {
            add_circle(extent.middle, 0.5 * self.diameter, x, breaks);
        } else {
            breaks.extend([extent.low.y, extent.high.y]);
        }
    }
}

/// Returns a random position across the axis, as fractions of the diameter, at which a sphere does not cross the circle.
fn random_in_circle(diameter: f64, frame: &Frame, radius: f32, rng: &mut dyn Rng) -> [f64; 2] {
    let margin = f64::from(radius) + WALL_STEPS * f64::from(frame.unit[0]);
    let limit = (0.5 - margin / diameter).max(0.0);
    UnitDisc.sample(rng).map(|x: f64| 0.5 + limit * x)
}

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
        let [x, y] = random_in_circle(self.diameter, frame, radius, rng);
        frame.at_fraction(DVec3::new(x, y, 0.0))
    }

    fn add_chords(&self, extent: &Extent, x: f64, y: f64, chords: &mut Vec<[f64; 2]>) {
        self.cylinder().add_chords(extent, x, y, chords);
    }

    fn add_y_breaks(&self, extent: &Extent, x: f64, breaks: &mut Vec<f64>) {
        self.cylinder().add_y_breaks(extent, x, breaks);
    }
}
