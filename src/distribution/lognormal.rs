//! The lognormal law.

use std::f64::consts::SQRT_2;

use super::{
    basis::Basis,
    blend_curve::BlendCurve,
    constants::{
        LARGEST_ASYMMETRY, LEAST_SHARE_WITHIN_BOUNDS, LOGNORMAL_CORE, LOGNORMAL_SIGMAS, Z_90, Z_CUT,
    },
    law::{Law, LawParameters, law},
    power_segments::PowerSegments,
    range::{check_diameter, check_range},
    sizes_error::SizesError,
};
use crate::dimension::Dimension;

law! {
    /// The lognormal law: ln d is normally distributed with standard deviation σ, by number and by mass alike.
    ///
    /// The medians differ: ln d₀ (by number) = ln d₃ (by mass) − 3σ². A law without bounds is cut at two diameters: 0.1 % of the
    /// number lies below the first, and 0.1 % of the mass lies above the second. The parameters describe the law before it is
    /// cut.
    ///
    /// T. Hatch & S. P. Choate, J. Franklin Inst. 207 (1929) 369, doi:10.1016/S0016-0032(29)91451-4.
    pub struct Lognormal(Parameters) {
        d50: f64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sigma: Option<f64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        d10: Option<f64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        d90: Option<f64>,
        #[serde(default)]
        by: Basis,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        d_min: Option<f64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        d_max: Option<f64>,
    }
}

impl Lognormal {
    /// Creates a law from the median, by number or by mass, and the standard deviation σ of ln d.
    ///
    /// # Errors
    /// The median is not a diameter, or σ is not from 10⁻⁶ to 3.
    pub fn new(d50: f64, sigma: f64, by: Basis) -> Result<Self, SizesError> {
        Law::new(Parameters {
            d50,
            sigma: Some(sigma),
            d10: None,
            d90: None,
            by,
            d_min: None,
            d_max: None,
        })
        .map(Self)
    }

    /// Creates a law from the diameters below which 10, 50 and 90 % lie, by number or by mass.
    ///
    /// The median is d50, and σ = ln(d90/d10) / 2.563.
    ///
    /// # Errors
    /// The diameters do not rise, or d10 and d90 deviate by more than 5 % from a lognormal law.
    pub fn from_quantiles(d10: f64, d50: f64, d90: f64, by: Basis) -> Result<Self, SizesError> {
        Law::new(Parameters {
            d50,
            sigma: None,
            d10: Some(d10),
            d90: Some(d90),
            by,
            d_min: None,
            d_max: None,
        })
        .map(Self)
    }

    /// Returns the same law with other bounds: the smallest and the largest diameter.
    ///
    /// # Errors
    /// `d_min` is not below `d_max`, or less than a billionth of the law lies between them.
    pub fn truncated(self, d_min: f64, d_max: f64) -> Result<Self, SizesError> {
        Law::new(Parameters {
            d_min: Some(d_min),
            d_max: Some(d_max),
            ..self.0.parameters
        })
        .map(Self)
    }
}

impl Parameters {
    fn sigma(&self) -> Result<f64, SizesError> {
        let d50 = self.d50;
        match (self.sigma, self.d10, self.d90) {
            (Some(sigma), None, None) => Ok(sigma),
            (None, Some(d10), Some(d90)) => {
                check_range(("d10", d10), ("d50", d50))?;
                check_range(("d50", d50), ("d90", d90))?;
                if libm::log(d10 / d50 * (d90 / d50)).abs() / 2.0 > LARGEST_ASYMMETRY {
                    return Err(SizesError(format!(
                        "d10 = {d10:?}, d50 = {d50:?}, d90 = {d90:?} are not quantiles of a lognormal law, where d10 times d90 is d50 squared (within 5 % of d10 and d90); a sieve curve accepts any three"
                    )));
                }
                Ok(libm::log(d90 / d10) / (2.0 * Z_90))
            }
            _ => Err(SizesError::new(
                "the width of the law must be given either as sigma or as d10 and d90 together",
            )),
        }
    }
}

impl LawParameters for Parameters {
    fn curve(&self, dimension: Dimension) -> Result<BlendCurve, SizesError> {
        let Self { d50, by, .. } = *self;
        check_diameter("d50", d50)?;
        let sigma = self.sigma()?;
        if !LOGNORMAL_SIGMAS.contains(&sigma) {
            return Err(SizesError(format!(
                "sigma = {sigma:?} is not a standard deviation of ln d from 1e-6 to 3"
            )));
        }
        let shift = dimension.exponent() * sigma * sigma;
        let number_mean = match by {
            Basis::Number => libm::log(d50),
            Basis::Mass => libm::log(d50) - shift,
        };
        let mass_mean = number_mean + shift;
        let d_min = (self.d_min).unwrap_or_else(|| libm::exp(number_mean - Z_CUT * sigma));
        let d_max = (self.d_max).unwrap_or_else(|| libm::exp(mass_mean + Z_CUT * sigma));
        check_range(("d_min", d_min), ("d_max", d_max))?;

        let share = |mean: f64| {
            let z = |d: f64| (libm::log(d) - mean) / sigma;
            normal_share(z(d_min), z(d_max))
        };
        if share(number_mean).max(share(mass_mean)) < LEAST_SHARE_WITHIN_BOUNDS {
            return Err(SizesError(format!(
                "less than a billionth of the law with median d50 = {d50:?} lies between d_min = {d_min:?} and d_max = {d_max:?}; wider bounds are needed"
            )));
        }
        let core = (
            libm::exp(number_mean - LOGNORMAL_CORE * sigma),
            libm::exp(mass_mean + LOGNORMAL_CORE * sigma),
        );
        let z = |log_d: f64| (log_d - number_mean) / sigma;
        Ok(PowerSegments::fit(
            dimension,
            (d_min, d_max),
            core,
            |log_d| -0.5 * z(log_d) * z(log_d),
            |log_d| -z(log_d) / sigma,
        )
        .into())
    }
}

/// Returns the share of the standard normal law between two values, without cancellation in the tails.
pub(super) fn normal_share(low: f64, high: f64) -> f64 {
    let above = |z: f64| 0.5 * libm::erfc(z / SQRT_2);
    if low > 0.0 {
        above(low) - above(high)
    } else {
        above(-high) - above(-low)
    }
}
