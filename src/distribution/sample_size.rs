//! The requested size of a sample.

use std::f64::consts::PI;

use super::blend_curve::BlendCurve;

/// The requested size of a sample.
#[derive(Clone, Copy, Debug)]
pub(super) enum SampleSize {
    /// The number of spheres.
    Number(f64),
    /// The total volume.
    Volume(f64),
}

impl SampleSize {
    /// Returns a size that is larger by a factor. A size of 0 counts as one sphere.
    pub fn times(self, factor: f64, curve: &BlendCurve) -> Self {
        match self {
            Self::Number(number) => Self::Number((number.max(1.0) * factor).ceil()),
            Self::Volume(volume) => {
                let smallest = curve.range().0;
                let smallest = PI / 6.0 * smallest * smallest * smallest;
                Self::Volume(volume.max(smallest) * factor)
            }
        }
    }

    /// Returns the expected Σd³ of spheres with a mean d³.
    pub fn cubes(self, mean_cube: f64) -> f64 {
        match self {
            Self::Number(number) => number * mean_cube,
            Self::Volume(volume) => cubes_of(volume),
        }
    }

    /// Returns the expected number of spheres with a mean d³.
    pub fn spheres(self, mean_cube: f64) -> f64 {
        match self {
            Self::Number(number) => number,
            Self::Volume(_) => self.cubes(mean_cube) / mean_cube,
        }
    }
}

/// Returns Σd³ of spheres with a total volume.
pub(super) fn cubes_of(volume: f64) -> f64 {
    volume * 6.0 / PI
}
