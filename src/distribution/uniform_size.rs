//! Diameters with equal frequency between two sizes.

use serde::{Deserialize, Serialize};

use super::{
    blend_curve::BlendCurve,
    law::{Law, LawParameters},
    range::check_range,
    sizes_error::SizesError,
};
use crate::dimension::Dimension;

/// Diameters with equal frequency by number between two sizes: f(r) = const.
///
/// Ogarko & Luding 2012, Comput. Phys. Commun. 183, 931, doi:10.1016/j.cpc.2011.12.019, section 4.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UniformSize(pub(super) Law<Parameters<0>>);

/// The range of a law f(r) ∝ V^`POWER` by number, where V is the volume of a sphere or the area of a disk.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[serde(expecting = "an object with the parameters of the law")]
pub(super) struct Parameters<const POWER: i32> {
    pub d_min: f64,
    pub d_max: f64,
}

impl UniformSize {
    /// Creates a law from the smallest and the largest diameter.
    ///
    /// # Errors
    /// `d_min` is not below `d_max`, or one of them is not a number from 1e-60 to 1e60.
    pub fn new(d_min: f64, d_max: f64) -> Result<Self, SizesError> {
        Law::new(Parameters { d_min, d_max }).map(Self)
    }
}

impl<const POWER: i32> LawParameters for Parameters<POWER> {
    fn curve(&self, dimension: Dimension) -> Result<BlendCurve, SizesError> {
        let Self { d_min, d_max } = *self;
        check_range(("d_min", d_min), ("d_max", d_max))?;
        let exponent = f64::from(POWER) * dimension.exponent();
        Ok(BlendCurve::power_law(dimension, exponent, d_min, d_max))
    }
}
