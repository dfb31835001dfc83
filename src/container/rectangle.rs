//! The rectangle in the plane, with walls at the sides of its bounding box.

use glam::{DVec2, DVec3};
use rand::Rng;

use super::{
    boundary::Boundaries,
    cuboid::{Cuboid, confine_to_cuboid, inradius_of_box, random_along},
    frame::{Frame, Steps},
    shape::{Extent, Place, Shape, Surface},
};

/// A rectangle in the plane of x and y, with sides parallel to the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rectangle {
    /// The side lengths.
    pub lengths: DVec2,
}

impl Rectangle {
    /// Returns the cuboid without height that this is: it has no faces along z.
    fn cuboid(&self) -> Cuboid {
        let lengths = self.lengths();
        Cuboid { lengths }
    }
}

impl Shape for Rectangle {
    fn lengths(&self) -> DVec3 {
        self.lengths.extend(0.0)
    }

    fn volume(&self) -> f64 {
        self.lengths.element_product()
    }

    fn surface(&self, place: &Place) -> Surface {
        self.cuboid().surface(place)
    }

    fn inradius(&self, boundary: Boundaries) -> f64 {
        inradius_of_box(&self.lengths.to_array(), boundary)
    }

    fn confine(&self, frame: &Frame, at: Steps, displacement: [i64; 3], radius: f32) -> Steps {
        confine_to_cuboid(frame, at, displacement, radius)
    }

    fn random_position(&self, frame: &Frame, radius: f32, rng: &mut dyn Rng) -> Steps {
        let [x, y] = [0, 1].map(|axis| random_along(axis, frame, radius, rng));
        frame.at_fraction(DVec3::new(x, y, 0.0))
    }

    fn add_chords(&self, extent: &Extent, x: f64, y: f64, chords: &mut Vec<[f64; 2]>) {
        self.cuboid().add_chords(extent, x, y, chords);
    }

    fn add_y_breaks(&self, extent: &Extent, x: f64, breaks: &mut Vec<f64>) {
        self.cuboid().add_y_breaks(extent, x, breaks);
    }
}
