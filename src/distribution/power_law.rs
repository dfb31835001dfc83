//! A power law by number.

use super::{
    blend_curve::BlendCurve,
    constants::LARGEST_POWER,
    law::{Law, LawParameters, law},
    range::check_range,
    sizes_error::SizesError,
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

impl PowerLaw {
    /// Creates a law from the exponent α of f(r) by number, and the smallest and the largest diameter.
    ///
    /// # Errors
    /// α is neither 0 nor a normal number from −100 to 100, or `d_min` is not below `d_max`.
    pub fn new(exponent: f64, d_min: f64, d_max: f64) -> Result<Self, SizesError> {
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
    fn curve(&self, dimension: Dimension) -> Result<BlendCurve, SizesError> {
        let Self {
            exponent,
            d_min,
            d_max,
        } = *self;
        check_range(("d_min", d_min), ("d_max", d_max))?;
        if !(-LARGEST_POWER..=LARGEST_POWER).contains(&exponent) || exponent.is_subnormal() {
            return Err(SizesError(format!(
                "exponent = {exponent:?} is neither 0 nor a normal number from -100 to 100"
            )));
        }
        Ok(BlendCurve::power_law(dimension, exponent, d_min, d_max))
    }
}
