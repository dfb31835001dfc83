//! The Rosin–Rammler law.

use serde::{Deserialize, Serialize};

use super::{
    curve::Curve,
    power_segments::PowerSegments,
    range::{SizeRangeError, check_diameter, check_range},
};

/// Where exp(−t) and 1 − exp(−t) are as good as 0, for t = (d/d′)^n.
const CORE: (f64, f64) = (1e-10, 45.0);
/// The least share of the whole law that a truncated one must hold.
const LEAST_SHARE: f64 = 1e-9;

/// The Rosin–Rammler (RRSB) law: mass residue R(d) = exp(−(d/d′)^n), cut to `d_min` … `d_max` and normalised.
///
/// P. Rosin & E. Rammler, J. Inst. Fuel 7 (1933) 29; DIN 66145.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parameters", into = "Parameters")]
pub struct RosinRammler {
    parameters: Parameters,
    curve: Curve,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with the parameters of the law"
)]
struct Parameters {
    d_prime: f64,
    n: f64,
    d_min: f64,
    d_max: f64,
}

/// Parameters that make no Rosin–Rammler law.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RosinRammlerError {
    /// The diameters are none, or not in rising order.
    #[error(transparent)]
    Range(#[from] SizeRangeError),
    /// The uniformity exponent is not positive, or out of all use.
    #[error("n = {0:?} is not a uniformity exponent from 0.05 to 50")]
    Exponent(f64),
    /// Next to nothing of the law is left.
    #[error(
        "d_min = {d_min:?} to d_max = {d_max:?} holds less than a billionth of the mass of the law with d_prime = {d_prime:?}"
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
    /// The size parameter d′ (63.2 % of the mass is finer), the uniformity exponent n, and the range of diameters.
    ///
    /// # Errors
    /// When d′ is not a diameter, n not from 0.05 to 50, `d_min` not below `d_max`, or next to no mass between them.
    pub fn new(d_prime: f64, n: f64, d_min: f64, d_max: f64) -> Result<Self, RosinRammlerError> {
        Parameters {
            d_prime,
            n,
            d_min,
            d_max,
        }
        .try_into()
    }

    pub(super) fn curve(&self) -> &Curve {
        &self.curve
    }
}

impl TryFrom<Parameters> for RosinRammler {
    type Error = RosinRammlerError;

    fn try_from(parameters: Parameters) -> Result<Self, Self::Error> {
        let Parameters {
            d_prime,
            n,
            d_min,
            d_max,
        } = parameters;
        check_diameter("d_prime", d_prime)?;
        check_range(("d_min", d_min), ("d_max", d_max))?;
        if !(0.05..=50.0).contains(&n) {
            return Err(RosinRammlerError::Exponent(n));
        }
        let reduced = |d: f64| libm::pow(d / d_prime, n);
        let (low, high) = (reduced(d_min), reduced(d_max));
        let share = libm::exp(-low) * -libm::expm1(low - high);
        // No number at all when both ends lie where t overflows.
        if share.is_nan() || share < LEAST_SHARE {
            return Err(RosinRammlerError::Empty {
                d_min,
                d_max,
                d_prime,
            });
        }
        let log_d_prime = libm::log(d_prime);
        let t = |log_d: f64| libm::exp(n * (log_d - log_d_prime));
        let core = (
            d_prime * libm::pow(CORE.0, 1.0 / n),
            d_prime * libm::pow(CORE.1, 1.0 / n),
        );
        // Mass per ln d is n t exp(−t), and a number is a mass over d³.
        let segments = PowerSegments::fit(
            (d_min, d_max),
            core,
            |log_d| n * (log_d - log_d_prime) - t(log_d) - 3.0 * (log_d - log_d_prime),
            |log_d| n - n * t(log_d) - 3.0,
        );
        Ok(Self {
            parameters,
            curve: Curve::Segments(segments),
        })
    }
}

impl From<RosinRammler> for Parameters {
    fn from(law: RosinRammler) -> Self {
        law.parameters
    }
}
