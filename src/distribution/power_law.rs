//! A power law in number.

use serde::{Deserialize, Serialize};

use super::{
    curve::Curve,
    power_segments::PowerSegments,
    range::{SizeRangeError, check_range},
};

/// The steepest exponent taken.
const STEEPEST: f64 = 100.0;

/// A truncated power law by number: f(r) ∝ r^α between two sizes.
///
/// α = 0 is the uniform size distribution, α = −3 the uniform volume distribution, α = n − 4 the Fuller curve with
/// exponent n. At α = −1 the number and at α = −4 the mass is uniform in ln r.
///
/// Krijgsman, Ogarko & Luding, Comp. Part. Mech. 1 (2014) 357, doi:10.1007/s40571-014-0020-9.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parameters", into = "Parameters")]
pub struct PowerLaw {
    parameters: Parameters,
    curve: Curve,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with the parameters of the law"
)]
struct Parameters {
    exponent: f64,
    d_min: f64,
    d_max: f64,
}

/// Parameters that make no power law.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PowerLawError {
    /// The diameters are none, or not in rising order.
    #[error(transparent)]
    Range(#[from] SizeRangeError),
    /// The exponent is too steep, or no number.
    #[error("exponent = {0:?} is not a number from -100 to 100")]
    Exponent(f64),
}

impl PowerLaw {
    /// The exponent α of f(r) by number, and the smallest and largest diameter.
    ///
    /// # Errors
    /// When α is not a number from −100 to 100, or `d_min` not below `d_max`.
    pub fn new(exponent: f64, d_min: f64, d_max: f64) -> Result<Self, PowerLawError> {
        Parameters {
            exponent,
            d_min,
            d_max,
        }
        .try_into()
    }

    /// The exponent α of f(r) by number.
    pub fn exponent(&self) -> f64 {
        self.parameters.exponent
    }

    pub(super) fn curve(&self) -> &Curve {
        &self.curve
    }
}

/// The curve of f(r) ∝ r^`exponent`, for laws that are a power law by another name.
pub(super) fn power_curve(exponent: f64, d_min: f64, d_max: f64) -> Curve {
    Curve::Segments(PowerSegments::single(d_min, d_max, exponent + 1.0))
}

impl TryFrom<Parameters> for PowerLaw {
    type Error = PowerLawError;

    fn try_from(parameters: Parameters) -> Result<Self, Self::Error> {
        let Parameters {
            exponent,
            d_min,
            d_max,
        } = parameters;
        check_range(("d_min", d_min), ("d_max", d_max))?;
        if !(-STEEPEST..=STEEPEST).contains(&exponent) {
            return Err(PowerLawError::Exponent(exponent));
        }
        Ok(Self {
            parameters,
            curve: power_curve(exponent, d_min, d_max),
        })
    }
}

impl From<PowerLaw> for Parameters {
    fn from(law: PowerLaw) -> Self {
        law.parameters
    }
}
