//! Positions as 32-bit fractions of the container.
//!
//! Along a periodic axis the container spans all 2³² steps of an `i32`, so that integer wrap-around *is* the
//! periodic boundary and the difference of two coordinates *is* the minimum image. Along a walled axis it spans
//! the lower half, so that no difference wraps. One step is 2⁻³² of the container (2⁻³¹ with walls): some 10⁻⁸
//! of a diameter for 10⁷ equal spheres, far below any overlap that matters before the exact last step.

use glam::DVec3;

use crate::{container::Container, machine::z_order::z_order};

/// A position (or, as a difference, a displacement) in steps of [`Frame::unit`].
pub(crate) type Steps = [i32; 3];

/// A sphere as the inner loop reads it: 16 bytes, four to a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub(crate) struct Point {
    pub at: Steps,
    /// The radius of the sphere, or of an inflated sphere.
    pub radius: f32,
}

impl Point {
    /// A point that is near nothing and overlaps nothing, so far below zero is its radius: it pads lists.
    pub const NOTHING: Self = Self {
        at: [0; 3],
        radius: -1e12,
    };

    /// The sphere with room for so many radii to move.
    pub fn inflated(self, allowance: f32) -> Self {
        Self {
            radius: self.radius * (1.0 + allowance),
            ..self
        }
    }

    /// Writes the point in one piece: a vector load of what was written in several must wait for them all.
    ///
    /// # Safety
    /// `place` must be valid for writes.
    #[inline(always)]
    pub unsafe fn store(self, place: *mut Self) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_mm_set_epi32, _mm_store_si128};
            let [x, y, z] = self.at;
            let radius = self.radius.to_bits() as i32;
            // SAFETY: SSE2 is part of x86-64, and points are aligned to 16 bytes.
            unsafe { _mm_store_si128(place.cast(), _mm_set_epi32(radius, z, y, x)) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        // SAFETY: the caller vouches for the place.
        unsafe {
            place.write(self);
        }
    }
}

/// A container and its step lengths.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    container: Container,
    steps: DVec3,
    /// Steps to a unit of length along each axis.
    pub per_length: DVec3,
    /// Length of one step along each axis.
    pub unit: [f32; 3],
}

impl Frame {
    pub fn new(container: Container) -> Self {
        let steps = DVec3::from_array(std::array::from_fn(|axis| {
            if container.is_periodic(axis) {
                2f64.powi(32)
            } else {
                2f64.powi(31)
            }
        }));
        let unit = (container.lengths() / steps).as_vec3().to_array();
        Self {
            container,
            steps,
            per_length: steps / container.lengths(),
            unit,
        }
    }

    pub fn container(&self) -> &Container {
        &self.container
    }

    /// Steps along `axis` from one face of the container to the other.
    pub fn span(&self, axis: usize) -> i64 {
        self.steps[axis] as i64
    }

    /// The position as fractions of the container's lengths, exactly.
    pub fn fraction(&self, at: Steps) -> DVec3 {
        DVec3::from_array(at.map(|coordinate| f64::from(coordinate as u32))) / self.steps
    }

    pub fn center(&self, at: Steps) -> DVec3 {
        self.fraction(at) * self.container.lengths()
    }

    /// A sphere whose centre is inside the container, to the step.
    pub fn point(&self, center: DVec3, radius: f64) -> Point {
        Point {
            at: whole(center * self.per_length),
            radius: radius as f32,
        }
    }

    /// The minimum-image distance between two positions.
    #[inline(always)]
    pub fn distance(&self, a: Steps, b: Steps) -> f32 {
        self.length_squared(difference(a, b).map(|steps| steps as f32))
            .sqrt()
    }

    /// The square of the length of a displacement in steps.
    #[inline(always)]
    pub fn length_squared(&self, way: [f32; 3]) -> f32 {
        let [x, y, z]: [f32; 3] = std::array::from_fn(|axis| way[axis] * self.unit[axis]);
        x * x + y * y + z * z
    }

    /// The position with the given fractions of the container's lengths, each in `0..1`.
    pub fn at_fraction(&self, fraction: DVec3) -> Steps {
        whole(fraction * self.steps)
    }
}

/// Whole steps, rounded down.
#[inline(always)]
fn whole(steps: DVec3) -> Steps {
    let step = |steps: f64| steps as u32 as i32;
    [step(steps.x), step(steps.y), step(steps.z)]
}

/// The shortest way from `from` to `to`.
#[inline(always)]
pub(crate) fn difference(from: Steps, to: Steps) -> Steps {
    std::array::from_fn(|axis| to[axis].wrapping_sub(from[axis]))
}

/// The number of a position along the Z-order curve.
#[inline]
pub(crate) fn curve_key(at: Steps) -> u64 {
    z_order(at.map(|coordinate| coordinate as u32 >> 11))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::container::Boundaries;

    #[test]
    fn differences_are_minimum_images() {
        let container = Container::new(
            DVec3::new(10.0, 20.0, 5.0),
            "pwp".parse::<Boundaries>().unwrap(),
        )
        .unwrap();
        let frame = Frame::new(container);
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
