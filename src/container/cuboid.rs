//! The cuboid and the rectangle in the plane, with walls at the faces or the sides of their bounding boxes.

use glam::{DVec2, DVec3};
use rand::{Rng, RngExt};

use super::{
    boundary::Boundaries,
    frame::{Frame, Steps},
    shape::{Extent, Place, Shape, Surface},
};

/// A cuboid with edges parallel to the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid {
    /// The side lengths.
    pub lengths: DVec3,
}

/// Returns the coordinate along `axis` of a position that stops at the walls of this axis, or wraps around a periodic axis.
#[inline(always)]
pub(super) fn confine_along(
    axis: usize,
    frame: &Frame,
    at: Steps,
    displacement: [i64; 3],
    radius: f32,
) -> i32 {
    let target = i64::from(at[axis]) + displacement[axis];
    if frame.is_periodic(axis) {
        // Steps wrap around like the axis.
        return target as i32;
    }
    let margin = (radius / frame.unit[axis]) as i64 + 1;
    let span = frame.span(axis);
    let low = margin.min(span / 2);
    target.clamp(low, span - low) as i32
}

/// Returns a position in the bounding box itself.
#[inline(always)]
pub(super) fn confine_to_cuboid(
    frame: &Frame,
    at: Steps,
    displacement: [i64; 3],
    radius: f32,
) -> Steps {
    // `array::from_fn` would remain a call in the loop.
    let along = |axis| confine_along(axis, frame, at, displacement, radius);
    [along(0), along(1), along(2)]
}

/// Returns the radius of the largest sphere between the walls of a box, in as many dimensions as there are lengths.
fn inradius_of_box(lengths: &[f64], boundary: Boundaries) -> f64 {
    let lengths = lengths.iter().enumerate();
    lengths
        .filter(|&(axis, _)| !boundary.is_periodic(axis))
        .map(|(_, length)| 0.5 * length)
        .fold(f64::INFINITY, f64::min)
}

/// Returns a random coordinate along an axis, as a fraction of its length, at which a sphere crosses none of its walls.
pub(super) fn random_along(axis: usize, frame: &Frame, radius: f32, rng: &mut dyn Rng) -> f64 {
    let margin = if frame.is_periodic(axis) {
        0.0
    } else {
        (f64::from(radius) / frame.lengths()[axis]).min(0.5)
    };
    margin + rng.random::<f64>() * (1.0 - 2.0 * margin)
}

impl Shape for Cuboid {
    fn lengths(&self) -> DVec3 {
        self.lengths
    }

    fn volume(&self) -> f64 {
        self.lengths.element_product()
    }

    fn surface(&self, place: &Place) -> Surface {
        let beyond = place.beyond;
        let signs = place.from_middle.signum();
        let outside = beyond.max(DVec3::ZERO);
        if outside == DVec3::ZERO {
            let nearest = beyond.max_position();
            let mut outwards = DVec3::ZERO;
            outwards[nearest] = signs[nearest];
            return Surface {
                distance: beyond[nearest],
                outwards,
            };
        }
        let distance = outside.length();
        Surface {
            distance,
            outwards: outside * signs / distance,
        }
    }

    fn inradius(&self, boundary: Boundaries) -> f64 {
        inradius_of_box(&self.lengths.to_array(), boundary)
    }

    fn confine(&self, frame: &Frame, at: Steps, displacement: [i64; 3], radius: f32) -> Steps {
        confine_to_cuboid(frame, at, displacement, radius)
    }

    fn random_position(&self, frame: &Frame, radius: f32, rng: &mut dyn Rng) -> Steps {
        let along = |axis| random_along(axis, frame, radius, rng);
        frame.at_fraction(DVec3::from_array([0, 1, 2].map(along)))
    }

    fn add_chords(&self, extent: &Extent, _x: f64, _y: f64, chords: &mut Vec<[f64; 2]>) {
        chords.push([extent.low.z, extent.high.z]);
    }

    fn add_y_breaks(&self, extent: &Extent, _x: f64, breaks: &mut Vec<f64>) {
        breaks.extend([extent.low.y, extent.high.y]);
    }
}

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
