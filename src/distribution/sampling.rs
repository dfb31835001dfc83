//! The method that chooses the diameters of a sample, and its requested size.

use super::blend_curve::BlendCurve;
use crate::{dimension::Dimension, macros::choice};

choice! {
    "sampling", "kebab-case";
    /// The method that chooses the diameters of a sample.
    #[derive(Default)]
    #[non_exhaustive]
    pub enum Sampling {
        /// Diameters whose mass curve is as near to the law as the number of spheres allows. Every seed gives the same sample.
        ///
        /// A continuous law gives one sphere to each n-th part of the number. The sphere has the mean volume of that part, so
        /// the sample has n times the mean volume of the law, and its mass curve meets the law n − 1 times. A law in classes
        /// rounds the mass to whole spheres from the largest class down. The next smaller class takes the rounding
        /// difference. The number curve may deviate by one sphere and 1 % where that improves the mass curve.
        #[default]
        Stratified,
        /// Independent draws by number. The count of rare large spheres varies from seed to seed.
        Random,
    }
}

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
                let dimension = curve.dimension();
                let smallest = dimension.of_diameters(dimension.power(curve.range().0));
                Self::Volume(volume.max(smallest) * factor)
            }
        }
    }

    /// Returns the expected Σd³ of spheres with a mean d³; of disks, that of d².
    pub fn cubes(self, dimension: Dimension, mean_cube: f64) -> f64 {
        match self {
            Self::Number(number) => number * mean_cube,
            Self::Volume(volume) => dimension.diameters_of(volume),
        }
    }

    /// Returns the expected number of spheres with a mean d³.
    pub fn spheres(self, dimension: Dimension, mean_cube: f64) -> f64 {
        match self {
            Self::Number(number) => number,
            Self::Volume(_) => self.cubes(dimension, mean_cube) / mean_cube,
        }
    }
}
