//! Positions as 32-bit fractions of the bounding box of a container.
//!
//! Along a periodic axis the bounding box spans all 2³² steps of an `i32`. Integer wrap-around *is* then the periodic
//! boundary, and the difference of two coordinates *is* the minimum image. Along a walled axis the bounding box spans the
//! lower half, so that no difference wraps. One step is 2⁻³² of the length (2⁻³¹ with walls). For 10⁷ equal spheres that
//! is about 10⁻⁸ of a diameter, far below any overlap that matters before the exact last step.
//!
//! The third axis of a flat container has no length and a single step, so that all positions in it are 0. No code of the loop
//! asks for the dimension.

use bytemuck::{Pod, Zeroable};
use glam::DVec3;

use super::{axis::Axis, boundary::Boundaries};
use crate::{dimension::Dimension, machine::z_order::z_order};

/// A position (or, as a difference, a displacement) in steps of [`Frame::unit`].
pub(crate) type Steps = [i32; 3];

/// A sphere in the form that the inner loop reads: 16 bytes, four to a cache line.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C, align(16))]
pub(crate) struct Point {
    pub at: Steps,
    /// The radius of the sphere, or of an inflated sphere.
    pub radius: f32,
}

impl Point {
    /// A point that pads lists. Its radius is so far below zero that it overlaps no sphere.
    pub const NOTHING: Self = Self {
        at: [0; 3],
        radius: -1e12,
    };

    /// Returns the inflated sphere in which this sphere may move by `skin` radii.
    pub fn inflated(self, skin: f32) -> Self {
        Self {
            radius: self.radius * (1.0 + skin),
            ..self
        }
    }

    /// Writes the point with one store. A vector load after several smaller stores would have to wait for all of them.
    ///
    /// # Safety
    /// `slot` must be valid for writes.
    #[inline(always)]
    pub unsafe fn store(self, slot: *mut Self) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_mm_set_epi32, _mm_store_si128};
            let [x, y, z] = self.at;
            let radius = self.radius.to_bits() as i32;
            // SAFETY: SSE2 is part of x86-64, and points are aligned to 16 bytes.
            unsafe { _mm_store_si128(slot.cast(), _mm_set_epi32(radius, z, y, x)) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        // SAFETY: the caller guarantees that `slot` is valid for writes.
        unsafe {
            slot.write(self);
        }
    }
}

/// Fixed-point positions in the bounding box of a container.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    lengths: DVec3,
    boundary: Boundaries,
    /// Number of steps from face to face along each axis.
    steps: DVec3,
    /// Number of steps in a unit of length along each axis.
    pub per_length: DVec3,
    /// Length of one step along each axis. Along an axis without length it is so large that no displacement has a step.
    pub unit: [f32; 3],
}

impl Frame {
    /// Creates the frame of a bounding box.
    pub fn new(lengths: DVec3, boundary: Boundaries) -> Self {
        let steps = DVec3::from_array(std::array::from_fn(|axis| {
            if lengths[axis] == 0.0 {
                1.0
            } else if boundary.is_periodic(axis) {
                2f64.powi(32)
            } else {
                2f64.powi(31)
            }
        }));
        let mut frame = Self {
            lengths,
            boundary,
            steps,
            per_length: steps / lengths,
            unit: (lengths / steps).as_vec3().to_array(),
        };
        if frame.dimension() == Dimension::Two {
            frame.per_length.z = frame.per_length.x;
            frame.unit[2] = f32::MAX;
        }
        frame
    }

    /// Returns the dimension of the container.
    pub fn dimension(&self) -> Dimension {
        dimension_of(self.lengths)
    }

    /// Returns the volume of the bounding box, which is an area in the plane.
    pub fn volume(&self) -> f64 {
        box_volume(self.lengths)
    }

    /// Returns the length of the longest step.
    pub fn longest_step(&self) -> f32 {
        let axes = self.unit.iter().take(self.dimension().number());
        axes.copied().fold(0f32, f32::max)
    }

    /// Returns the frame in which `axis` and z are exchanged: that of a solid whose axis is parallel to z.
    pub fn turned(&self, axis: Axis) -> Self {
        let lengths = axis.turned(self.lengths.to_array());
        Self::new(lengths.into(), Boundaries(axis.turned(self.boundary.0)))
    }

    /// Returns the lengths of the bounding box.
    pub fn lengths(&self) -> DVec3 {
        self.lengths
    }

    /// Returns whether the axis (0, 1, 2) is periodic.
    #[inline]
    pub fn is_periodic(&self, axis: usize) -> bool {
        self.boundary.is_periodic(axis)
    }

    /// Returns the number of steps along `axis` from one face of the bounding box to the other.
    pub fn span(&self, axis: usize) -> i64 {
        self.steps[axis] as i64
    }

    /// Returns the position as fractions of the bounding box, exactly.
    pub fn fraction(&self, at: Steps) -> DVec3 {
        DVec3::from_array(at.map(|coordinate| f64::from(coordinate as u32))) / self.steps
    }

    /// Returns the position in the unit of the lengths.
    pub fn center(&self, at: Steps) -> DVec3 {
        self.fraction(at) * self.lengths
    }

    /// Returns a sphere whose center, inside the bounding box, is rounded down to whole steps.
    pub fn point(&self, center: DVec3, radius: f64) -> Point {
        Point {
            at: whole(center * self.per_length),
            radius: radius as f32,
        }
    }

    /// Returns the minimum-image distance between two positions.
    #[inline(always)]
    pub fn distance(&self, a: Steps, b: Steps) -> f32 {
        self.length_squared(difference(a, b).map(|steps| steps as f32))
            .sqrt()
    }

    /// Returns the square of the length of a displacement that is given in steps.
    #[inline(always)]
    pub fn length_squared(&self, displacement: [f32; 3]) -> f32 {
        let [x, y, z]: [f32; 3] = std::array::from_fn(|axis| displacement[axis] * self.unit[axis]);
        x * x + y * y + z * z
    }

    /// Returns the position at the given fractions of the bounding box, each in `0..1`.
    pub fn at_fraction(&self, fraction: DVec3) -> Steps {
        whole(fraction * self.steps)
    }

    /// Returns the position of a point, or the closest one in the bounding box.
    pub fn nearest_to(&self, point: DVec3) -> Steps {
        // The upper face itself is one step beyond the last position.
        let last = DVec3::splat(1.0 - f64::EPSILON);
        self.at_fraction((point / self.lengths).clamp(DVec3::ZERO, last))
    }
}

/// Returns the dimension of a container with these lengths: a flat one has no length along z.
pub(super) fn dimension_of(lengths: DVec3) -> Dimension {
    if lengths.z == 0.0 {
        Dimension::Two
    } else {
        Dimension::Three
    }
}

/// Returns the volume of a bounding box, which is an area in the plane.
pub(crate) fn box_volume(lengths: DVec3) -> f64 {
    dimension_of(lengths).of_box(lengths)
}

/// Returns whole steps, rounded down.
#[inline(always)]
fn whole(steps: DVec3) -> Steps {
    let step = |steps: f64| steps as u32 as i32;
    [step(steps.x), step(steps.y), step(steps.z)]
}

/// Returns the shortest displacement from `from` to `to`.
#[inline(always)]
pub(crate) fn difference(from: Steps, to: Steps) -> Steps {
    std::array::from_fn(|axis| to[axis].wrapping_sub(from[axis]))
}

/// Returns the number of a position along the Z-order curve.
#[inline]
pub(crate) fn curve_key(at: Steps) -> u64 {
    z_order(at.map(|coordinate| coordinate as u32 >> 11))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::container::Container;

    #[test]
    fn differences_are_minimum_images() {
        let container =
            Container::cuboid(DVec3::new(10.0, 20.0, 5.0), "pwp".parse().unwrap()).unwrap();
        let frame = container.frame();
        for (a, b) in [
            ([0.01, 0.01, 0.4], [0.98, 0.99, 0.6]),
            ([0.5, 0.999, 0.0], [0.1, 0.0, 0.999]),
        ] {
            let (a, b) = (
                frame.at_fraction(DVec3::from(a)),
                frame.at_fraction(DVec3::from(b)),
            );
            let steps = difference(a, b);
            let expected = container.displacement(frame.center(a), frame.center(b));
            for axis in 0..3 {
                let got = f64::from(steps[axis]) * f64::from(frame.unit[axis]);
                assert!((got - expected[axis]).abs() < 1e-5, "{got} {expected}");
            }
        }
    }
}
