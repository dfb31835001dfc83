//! The modified Andreasen curve.

use serde::{Deserialize, Serialize};

use super::{
    curve::Curve,
    power_law::power_curve,
    range::{SizeRangeError, check_range},
};

/// The modified Andreasen (Dinger–Funk) curve: mass share P(d) = (d^q − d_min^q) / (d_max^q − d_min^q).
///
/// D. R. Dinger & J. E. Funk, Predictive Process Control of Crowded Particulate Suspensions, Kluwer 1994.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parameters", into = "Parameters")]
pub struct Andreasen {
    parameters: Parameters,
    curve: Curve,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with the parameters of the law"
)]
struct Parameters {
    q: f64,
    d_min: f64,
    d_max: f64,
}

/// Parameters that make no modified Andreasen curve.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AndreasenError {
    /// The diameters are none, or not in rising order.
    #[error(transparent)]
    Range(#[from] SizeRangeError),
    /// The distribution modulus is not positive, or out of all use.
    #[error("q = {0:?} is not a distribution modulus above 0 and at most 10")]
    Modulus(f64),
}

impl Andreasen {
    /// The distribution modulus q (0.22 to 0.37 for dense mixtures), the smallest and the largest diameter.
    ///
    /// # Errors
    /// When q is not above 0 and at most 10, or `d_min` not below `d_max`.
    pub fn new(q: f64, d_min: f64, d_max: f64) -> Result<Self, AndreasenError> {
        Parameters { q, d_min, d_max }.try_into()
    }

    pub(super) fn curve(&self) -> &Curve {
        &self.curve
    }
}

impl TryFrom<Parameters> for Andreasen {
    type Error = AndreasenError;

    fn try_from(parameters: Parameters) -> Result<Self, Self::Error> {
        let Parameters { q, d_min, d_max } = parameters;
        check_range(("d_min", d_min), ("d_max", d_max))?;
        if !(q > 0.0 && q <= 10.0) {
            return Err(AndreasenError::Modulus(q));
        }
        // dP/dd ∝ d^(q − 1), and a number is a mass over d³.
        Ok(Self {
            parameters,
            curve: power_curve(q - 4.0, d_min, d_max),
        })
    }
}

impl From<Andreasen> for Parameters {
    fn from(law: Andreasen) -> Self {
        law.parameters
    }
}
