//! The Rosin–Rammler law.

use super::{
    blend_curve::BlendCurve,
    constants::{LEAST_SHARE_WITHIN_BOUNDS, ROSIN_RAMMLER_CORE, UNIFORMITY_EXPONENTS},
    law::{Law, LawParameters, law},
    power_segments::PowerSegments,
    range::{check_diameter, check_range},
    sizes_error::SizesError,
};
use crate::dimension::Dimension;

law! {
    /// The Rosin–Rammler (RRSB) law: mass residue R(d) = exp(−(d/d′)^n), cut to `d_min` … `d_max` and normalized.
    ///
    /// P. Rosin & E. Rammler, J. Inst. Fuel 7 (1933) 29; DIN 66145.
    pub struct RosinRammler(Parameters) {
        d_prime: f64,
        n: f64,
        d_min: f64,
        d_max: f64,
    }
}

impl RosinRammler {
    /// Creates a law from the size parameter d′, the uniformity exponent n, and the smallest and the largest diameter.
    ///
    /// 63.2 % of the mass of the whole law is finer than d′.
    ///
    /// # Errors
    /// d′ is not a diameter, n is not from 0.05 to 50, `d_min` is not below `d_max`, or less than a billionth of the mass
    /// lies between them.
    pub fn new(d_prime: f64, n: f64, d_min: f64, d_max: f64) -> Result<Self, SizesError> {
        Law::new(Parameters {
            d_prime,
            n,
            d_min,
            d_max,
        })
        .map(Self)
    }
}

impl LawParameters for Parameters {
    fn curve(&self, dimension: Dimension) -> Result<BlendCurve, SizesError> {
        let Self {
            d_prime,
            n,
            d_min,
            d_max,
        } = *self;
        check_diameter("d_prime", d_prime)?;
        check_range(("d_min", d_min), ("d_max", d_max))?;
        if !UNIFORMITY_EXPONENTS.contains(&n) {
            return Err(SizesError(format!(
                "n = {n:?} is not a uniformity exponent from 0.05 to 50"
            )));
        }
        let reduced = |d: f64| libm::pow(d / d_prime, n);
        let (low, high) = (reduced(d_min), reduced(d_max));
        let share = libm::exp(-low) * -libm::expm1(low - high);
        // The share is NaN if t overflows at both ends.
        if share.is_nan() || share < LEAST_SHARE_WITHIN_BOUNDS {
            return Err(SizesError(format!(
                "less than a billionth of the mass of the law with d_prime = {d_prime:?} lies between d_min = {d_min:?} and d_max = {d_max:?}; wider bounds are needed"
            )));
        }
        let log_d_prime = libm::log(d_prime);
        let t = |log_d: f64| libm::exp(n * (log_d - log_d_prime));
        let core = (
            d_prime * libm::pow(ROSIN_RAMMLER_CORE.0, 1.0 / n),
            d_prime * libm::pow(ROSIN_RAMMLER_CORE.1, 1.0 / n),
        );
        // The mass density per ln d is n t exp(−t). The number density is the mass density over d³, or over d² of disks.
        let power = dimension.exponent();
        Ok(PowerSegments::fit(
            dimension,
            (d_min, d_max),
            core,
            |log_d| n * (log_d - log_d_prime) - t(log_d) - power * (log_d - log_d_prime),
            |log_d| n - n * t(log_d) - power,
        )
        .into())
    }
}
