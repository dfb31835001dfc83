//! The lognormal law.

use std::f64::consts::SQRT_2;

use serde::{Deserialize, Serialize};

use super::{
    Basis,
    curve::Curve,
    power_segments::PowerSegments,
    range::{SizeRangeError, check_diameter, check_range},
};

/// The 90 % quantile of the normal law with mean 0 and variance 1.
const Z_90: f64 = 1.281_551_565_544_600_4;
/// The 99.9 % quantile: where a law without bounds is cut, by number at its fine and by mass at its coarse end.
const Z_CUT: f64 = 3.090_232_306_167_813_5;
/// Standard deviations outside which the law has nothing to speak of.
const Z_CORE: f64 = 9.0;
/// How far d10 and d90 may be from those of the lognormal law through d50, as a share of the diameter.
const ASYMMETRY: f64 = 0.05;
/// The least share of the whole law that a truncated one must hold, by number or by mass.
const LEAST_SHARE: f64 = 1e-9;

/// The lognormal law: ln d is normally distributed with standard deviation σ, by number and by mass alike.
///
/// The median differs: ln d₀ (by number) = ln d₃ (by mass) − 3σ². Unless bounds are given, the law is cut at the
/// diameter below which 0.1 % of the number lies and at the one above which 0.1 % of the mass lies. The parameters
/// are those of the law before it is cut.
///
/// T. Hatch & S. P. Choate, J. Franklin Inst. 207 (1929) 369, doi:10.1016/S0016-0032(29)91451-4.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parameters", into = "Parameters")]
pub struct Lognormal {
    parameters: Parameters,
    curve: Curve,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with the parameters of the law"
)]
struct Parameters {
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

/// Parameters that make no lognormal law.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LognormalError {
    /// The diameters are none, or not in rising order.
    #[error(transparent)]
    Range(#[from] SizeRangeError),
    /// The width is not in the range that makes sense.
    #[error("sigma = {0:?} is not a standard deviation of ln d from 1e-6 to 3")]
    Sigma(f64),
    /// The width is given twice, by half, or not at all.
    #[error("the width of the law must be given either as sigma or as d10 and d90 together")]
    Width,
    /// Three diameters that no lognormal law has.
    #[error(
        "d10 = {d10:?}, d50 = {d50:?}, d90 = {d90:?} are not those of a lognormal law, for which d10 times d90 is d50 squared (within 5 % of d10 and d90); a sieve curve takes any three"
    )]
    Asymmetric {
        /// 10 % are finer.
        d10: f64,
        /// The median.
        d50: f64,
        /// 90 % are finer.
        d90: f64,
    },
    /// Next to nothing of the law is left.
    #[error(
        "d_min = {d_min:?} to d_max = {d_max:?} holds less than a billionth of the law with median d50 = {d50:?}"
    )]
    Empty {
        /// The smallest diameter.
        d_min: f64,
        /// The largest diameter.
        d_max: f64,
        /// The median.
        d50: f64,
    },
}

impl Lognormal {
    /// The median and the standard deviation σ of ln d; `by` says whether the median is by number or by mass.
    ///
    /// # Errors
    /// When the median is not a diameter, or σ not from 10⁻⁶ to 3.
    pub fn new(d50: f64, sigma: f64, by: Basis) -> Result<Self, LognormalError> {
        let sigma = Some(sigma);
        Parameters {
            d50,
            sigma,
            d10: None,
            d90: None,
            by,
            d_min: None,
            d_max: None,
        }
        .try_into()
    }

    /// The diameters below which 10, 50 and 90 % lie, by number or by mass: the median is d50, and
    /// σ = ln(d90/d10) / 2.563.
    ///
    /// # Errors
    /// When they do not rise, or are further than 5 % from those of a lognormal law.
    pub fn from_quantiles(d10: f64, d50: f64, d90: f64, by: Basis) -> Result<Self, LognormalError> {
        let (d10, d90) = (Some(d10), Some(d90));
        Parameters {
            d50,
            sigma: None,
            d10,
            d90,
            by,
            d_min: None,
            d_max: None,
        }
        .try_into()
    }

    /// The same law cut to the given smallest and largest diameter.
    ///
    /// # Errors
    /// When `d_min` is not below `d_max`, or next to nothing lies between them.
    pub fn truncated(self, d_min: f64, d_max: f64) -> Result<Self, LognormalError> {
        Parameters {
            d_min: Some(d_min),
            d_max: Some(d_max),
            ..self.parameters
        }
        .try_into()
    }

    pub(super) fn curve(&self) -> &Curve {
        &self.curve
    }
}

impl Parameters {
    fn sigma(&self) -> Result<f64, LognormalError> {
        let d50 = self.d50;
        match (self.sigma, self.d10, self.d90) {
            (Some(sigma), None, None) => Ok(sigma),
            (None, Some(d10), Some(d90)) => {
                check_range(("d10", d10), ("d50", d50))?;
                check_range(("d50", d50), ("d90", d90))?;
                if libm::log(d10 / d50 * (d90 / d50)).abs() / 2.0 > ASYMMETRY {
                    return Err(LognormalError::Asymmetric { d10, d50, d90 });
                }
                Ok(libm::log(d90 / d10) / (2.0 * Z_90))
            }
            _ => Err(LognormalError::Width),
        }
    }
}

impl TryFrom<Parameters> for Lognormal {
    type Error = LognormalError;

    fn try_from(parameters: Parameters) -> Result<Self, Self::Error> {
        let Parameters { d50, by, .. } = parameters;
        check_diameter("d50", d50)?;
        let sigma = parameters.sigma()?;
        if !(1e-6..=3.0).contains(&sigma) {
            return Err(LognormalError::Sigma(sigma));
        }
        let shift = 3.0 * sigma * sigma;
        let number_mean = match by {
            Basis::Number => libm::log(d50),
            Basis::Mass => libm::log(d50) - shift,
        };
        let mass_mean = number_mean + shift;
        let d_min = (parameters.d_min).unwrap_or_else(|| libm::exp(number_mean - Z_CUT * sigma));
        let d_max = (parameters.d_max).unwrap_or_else(|| libm::exp(mass_mean + Z_CUT * sigma));
        check_range(("d_min", d_min), ("d_max", d_max))?;

        let share = |mean: f64| {
            let z = |d: f64| (libm::log(d) - mean) / sigma;
            normal_share(z(d_min), z(d_max))
        };
        if share(number_mean).max(share(mass_mean)) < LEAST_SHARE {
            return Err(LognormalError::Empty { d_min, d_max, d50 });
        }
        let core = (
            libm::exp(number_mean - Z_CORE * sigma),
            libm::exp(mass_mean + Z_CORE * sigma),
        );
        let z = |log_d: f64| (log_d - number_mean) / sigma;
        let segments = PowerSegments::fit(
            (d_min, d_max),
            core,
            |log_d| -0.5 * z(log_d) * z(log_d),
            |log_d| -z(log_d) / sigma,
        );
        Ok(Self {
            parameters,
            curve: Curve::Segments(segments),
        })
    }
}

impl From<Lognormal> for Parameters {
    fn from(law: Lognormal) -> Self {
        law.parameters
    }
}

/// Share of the normal law between two values, without cancellation in the tails.
fn normal_share(low: f64, high: f64) -> f64 {
    let above = |z: f64| 0.5 * libm::erfc(z / SQRT_2);
    if low > 0.0 {
        above(low) - above(high)
    } else {
        above(-high) - above(-low)
    }
}
