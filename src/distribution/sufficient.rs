//! The size of a sample that meets the mass curve of its distribution.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use super::{
    constants::{
        MASS_CURVE_TOLERANCE, MOST_SPHERES, SUFFICIENT_GROWTH, SUFFICIENT_PRECISION,
        SUFFICIENT_ROUNDING,
    },
    curve::Curve,
    stratified,
};

/// A sample that meets the mass curve of its distribution within 5 % and has a sphere in every class.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SufficientSample {
    /// The number of spheres.
    pub spheres: u64,
    /// The volume of the spheres, in cubes of the unit of the diameters.
    pub volume: f64,
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
    fn times(self, factor: f64, curve: &Curve) -> Self {
        match self {
            Self::Number(number) => Self::Number((number.max(1.0) * factor).ceil()),
            Self::Volume(volume) => {
                let smallest = curve.range().0;
                let smallest = PI / 6.0 * smallest * smallest * smallest;
                Self::Volume(volume.max(smallest) * factor)
            }
        }
    }

    /// Returns the expected Σd³.
    pub fn cubes(self, curve: &Curve) -> f64 {
        match self {
            Self::Number(number) => number * curve.raw_moment(3.0),
            Self::Volume(volume) => cubes_of(volume),
        }
    }

    /// Returns the expected number of spheres.
    fn spheres(self, curve: &Curve) -> f64 {
        match self {
            Self::Number(number) => number,
            Self::Volume(_) => self.cubes(curve) / curve.raw_moment(3.0),
        }
    }
}

/// Returns Σd³ of spheres with a total volume.
pub(super) fn cubes_of(volume: f64) -> f64 {
    volume * 6.0 / PI
}

/// Returns the smallest sufficient stratified sample that the search finds, of this size or larger; `None` if no sample of up to
/// 4.29e9 spheres is sufficient.
///
/// The cost does not depend on the number of spheres.
pub(super) fn sufficient(curve: &Curve, size: SampleSize) -> Option<SufficientSample> {
    let meets = |size: SampleSize| {
        stratified::mass_error(curve, size).is_some_and(|error| error <= MASS_CURVE_TOLERANCE)
    };
    let does = |factor: f64| {
        let mut sizes = SUFFICIENT_ROUNDING.iter();
        sizes.all(|rounding| meets(size.times(factor * rounding, curve)))
    };
    let (mut low, mut high) = (1.0, 1.0);
    while !does(high) {
        low = high;
        high *= SUFFICIENT_GROWTH;
        if size.times(high, curve).spheres(curve) > MOST_SPHERES {
            return None;
        }
    }
    while high / low > SUFFICIENT_PRECISION {
        let middle = (low * high).sqrt();
        if does(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    let size = size.times(high, curve);
    Some(SufficientSample {
        spheres: size.spheres(curve).ceil() as u64,
        volume: PI / 6.0 * size.cubes(curve),
    })
}
