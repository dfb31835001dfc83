//! All diameters between two sizes equally frequent.

use serde::{Deserialize, Serialize};

use super::{
    curve::Curve,
    power_law::power_curve,
    range::{SizeRangeError, check_range},
};

/// Every diameter between two sizes equally likely by number: f(r) = const.
///
/// Ogarko & Luding, Comput. Phys. Commun. 183 (2012) 931, doi:10.1016/j.cpc.2011.12.019, section 4.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parameters", into = "Parameters")]
pub struct UniformSize {
    parameters: Parameters,
    curve: Curve,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with the parameters of the law"
)]
struct Parameters {
    d_min: f64,
    d_max: f64,
}

impl UniformSize {
    /// The smallest and the largest diameter.
    ///
    /// # Errors
    /// When `d_min` is not below `d_max`.
    pub fn new(d_min: f64, d_max: f64) -> Result<Self, SizeRangeError> {
        Parameters { d_min, d_max }.try_into()
    }

    pub(super) fn curve(&self) -> &Curve {
        &self.curve
    }
}

impl TryFrom<Parameters> for UniformSize {
    type Error = SizeRangeError;

    fn try_from(parameters: Parameters) -> Result<Self, Self::Error> {
        let Parameters { d_min, d_max } = parameters;
        check_range(("d_min", d_min), ("d_max", d_max))?;
        Ok(Self {
            parameters,
            curve: power_curve(0.0, d_min, d_max),
        })
    }
}

impl From<UniformSize> for Parameters {
    fn from(law: UniformSize) -> Self {
        law.parameters
    }
}
