//! The size of a sample that meets the mass curve of its distribution.

use serde::{Deserialize, Serialize};

use super::{
    blend_curve::BlendCurve,
    constants::{
        MASS_CURVE_TOLERANCE, MOST_SPHERES, SUFFICIENT_GROWTH, SUFFICIENT_PRECISION,
        SUFFICIENT_ROUNDING,
    },
    sample_size::SampleSize,
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

/// Returns the smallest sufficient stratified sample that the search finds, of this size or larger; `None` if no sample of up to
/// 4.29e9 spheres is sufficient.
///
/// The cost does not depend on the number of spheres.
pub(super) fn sufficient(curve: &BlendCurve, size: SampleSize) -> Option<SufficientSample> {
    let meets = |size: SampleSize| {
        stratified::mass_error(curve, size).is_some_and(|error| error <= MASS_CURVE_TOLERANCE)
    };
    let does = |factor: f64| {
        let mut sizes = SUFFICIENT_ROUNDING.iter();
        sizes.all(|rounding| meets(size.times(factor * rounding, curve)))
    };
    let dimension = curve.dimension();
    let mean_cube = curve.mean_power();
    let (mut low, mut high) = (1.0, 1.0);
    while !does(high) {
        low = high;
        high *= SUFFICIENT_GROWTH;
        if size.times(high, curve).spheres(dimension, mean_cube) > MOST_SPHERES {
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
        spheres: size.spheres(dimension, mean_cube).ceil() as u64,
        volume: dimension.of_diameters(size.cubes(dimension, mean_cube)),
    })
}
