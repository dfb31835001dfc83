//! A power law by number.

use super::{
    blend_curve::BlendCurve,
    constants::LARGEST_POWER,
    law::{Law, LawParameters, law},
    range::{SizeRangeError, check_range},
};
use crate::dimension::Dimension;

law! {
    /// A truncated power law by number: f(r) ∝ r^α between two sizes.
    ///
    /// α = 0 is the uniform size distribution, α = −3 the uniform volume distribution, and α = n − 4 the Fuller curve with
    /// exponent n. At α = −1 the number is uniform in ln r. At α = −4 the mass is uniform in ln r.
    ///
    /// Krijgsman, Ogarko & Luding 2014, Comput. Part. Mech. 1, 357, doi:10.1007/s40571-014-0020-9.
    pub struct PowerLaw(Parameters) {
        exponent: f64,
        d_min: f64,
        d_max: f64,
    }
}

/// Parameters that no power law has.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PowerLawError {
    /// A diameter is outside the accepted range, or the diameters do not rise.
    #[error(transparent)]
    Range(#[from] SizeRangeError),
    /// The exponent is subnormal, too large in magnitude, or not a number.
    #[error("exponent = {0:?} is neither 0 nor a normal number from -100 to 100")]
    Exponent(f64),
}

impl PowerLaw {
    /// Creates a law from the exponent α of f(r) by number, and the smallest and the largest diameter.
    ///
    /// # Errors
    /// α is neither 0 nor a normal number from −100 to 100, or `d_min` is not below `d_max`.
    pub fn new(exponent: f64, d_min: f64, d_max: f64) -> Result<Self, PowerLawError> {
        Law::new(Parameters {
            exponent,
            d_min,
            d_max,
        })
        .map(Self)
    }

    /// Returns the exponent α of f(r) by number.
    pub fn exponent(&self) -> f64 {
        self.0.parameters.exponent
    }
}

impl LawParameters for Parameters {
    type Error = PowerLawError;

    fn curve(&self, dimension: Dimension) -> Result<BlendCurve, Self::Error> {
        let Self {
            exponent,
            d_min,
            d_max,
        } = *self;
        check_range(("d_min", d_min), ("d_max", d_max))?;
        if !(-LARGEST_POWER..=LARGEST_POWER).contains(&exponent) || exponent.is_subnormal() {
            return Err(PowerLawError::Exponent(exponent));
        }
        Ok(BlendCurve::power_law(dimension, exponent, d_min, d_max))
    }
}
