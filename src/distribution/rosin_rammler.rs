//! The Rosin–Rammler law.

use super::{
    blend_curve::BlendCurve,
    constants::{LEAST_SHARE_WITHIN_BOUNDS, ROSIN_RAMMLER_CORE, UNIFORMITY_EXPONENTS},
    law::{Law, LawParameters, law},
    power_segments::PowerSegments,
    range::{SizeRangeError, check_diameter, check_range},
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

/// Parameters that no Rosin–Rammler law has.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RosinRammlerError {
    /// A diameter is outside the accepted range, or the diameters do not rise.
    #[error(transparent)]
    Range(#[from] SizeRangeError),
    /// The uniformity exponent is not a number from 0.05 to 50.
    #[error("n = {0:?} is not a uniformity exponent from 0.05 to 50")]
    Exponent(f64),
    /// Less than a billionth of the mass of the law lies between the bounds.
    #[error(
        "less than a billionth of the mass of the law with d_prime = {d_prime:?} lies between d_min = {d_min:?} and d_max = {d_max:?}; wider bounds are needed"
    )]
    Empty {
        /// The smallest diameter.
        d_min: f64,
        /// The largest diameter.
        d_max: f64,
        /// The size parameter.
        d_prime: f64,
    },
}

impl RosinRammler {
    /// Creates a law from the size parameter d′, the uniformity exponent n, and the smallest and the largest diameter.
    ///
    /// 63.2 % of the mass of the whole law is finer than d′.
    ///
    /// # Errors
    /// d′ is not a diameter, n is not from 0.05 to 50, `d_min` is not below `d_max`, or less than a billionth of the mass
    /// lies between them.
    pub fn new(d_prime: f64, n: f64, d_min: f64, d_max: f64) -> Result<Self, RosinRammlerError> {
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
    type Error = RosinRammlerError;

    fn curve(&self, dimension: Dimension) -> Result<BlendCurve, Self::Error> {
        let Self {
            d_prime,
            n,
            d_min,
            d_max,
        } = *self;
        check_diameter("d_prime", d_prime)?;
        check_range(("d_min", d_min), ("d_max", d_max))?;
        if !UNIFORMITY_EXPONENTS.contains(&n) {
            return Err(RosinRammlerError::Exponent(n));
        }
        let reduced = |d: f64| libm::pow(d / d_prime, n);
        let (low, high) = (reduced(d_min), reduced(d_max));
        let share = libm::exp(-low) * -libm::expm1(low - high);
        // The share is NaN if t overflows at both ends.
        if share.is_nan() || share < LEAST_SHARE_WITHIN_BOUNDS {
            return Err(RosinRammlerError::Empty {
                d_min,
                d_max,
                d_prime,
            });
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
