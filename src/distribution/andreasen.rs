//! The modified Andreasen curve.

use super::{
    blend_curve::BlendCurve,
    constants::LARGEST_CURVE_EXPONENT,
    law::{Law, LawParameters, law},
    range::check_range,
    sizes_error::SizesError,
};
use crate::dimension::Dimension;

law! {
    /// The modified Andreasen (Dinger–Funk) curve: mass share P(d) = (d^q − d_min^q) / (d_max^q − d_min^q).
    ///
    /// D. R. Dinger & J. E. Funk, Predictive Process Control of Crowded Particulate Suspensions, Kluwer 1994.
    pub struct Andreasen(Parameters) {
        q: f64,
        d_min: f64,
        d_max: f64,
    }
}

impl Andreasen {
    /// Creates a curve from the distribution modulus q, and the smallest and the largest diameter.
    ///
    /// Dense mixtures have q from 0.22 to 0.37.
    ///
    /// # Errors
    /// q is not a normal number above 0 and at most 10, or `d_min` is not below `d_max`.
    pub fn new(q: f64, d_min: f64, d_max: f64) -> Result<Self, SizesError> {
        Law::new(Parameters { q, d_min, d_max }).map(Self)
    }
}

impl LawParameters for Parameters {
    fn curve(&self, dimension: Dimension) -> Result<BlendCurve, SizesError> {
        let Self { q, d_min, d_max } = *self;
        check_range(("d_min", d_min), ("d_max", d_max))?;
        if !(f64::MIN_POSITIVE..=LARGEST_CURVE_EXPONENT).contains(&q) {
            return Err(SizesError(format!(
                "q = {q:?} is not a distribution modulus: a normal number above 0 and at most 10"
            )));
        }
        // dP/dd ∝ d^(q − 1) is the density by mass. The density by number is ∝ d^(q − 4), and d^(q − 3) of disks.
        Ok(BlendCurve::power_law(
            dimension,
            q - (1.0 + dimension.exponent()),
            d_min,
            d_max,
        ))
    }
}
