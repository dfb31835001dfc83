//! Diameters with equal frequency between two sizes.

use serde::{Deserialize, Serialize};

use super::{
    curve::Curve,
    range::{SizeRangeError, check_range, with_normal_volume},
};

/// Diameters with equal frequency by number between two sizes: f(r) = const.
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
    /// Creates a law from the smallest and the largest diameter.
    ///
    /// # Errors
    /// `d_min` is not below `d_max`, or one of them is not a number from 1e-60 to 1e60.
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
            curve: with_normal_volume(Curve::power_law(0.0, d_min, d_max))?,
        })
    }
}

impl From<UniformSize> for Parameters {
    fn from(law: UniformSize) -> Self {
        law.parameters
    }
}
