//! Equal spheres.

use serde::{Deserialize, Serialize};

use super::{
    basis::Basis,
    class_curve::ClassCurve,
    curve::Curve,
    range::{SizeRangeError, check_diameter, with_normal_volume},
};

/// Equal spheres of diameter `d`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parameters", into = "Parameters")]
pub struct Mono {
    parameters: Parameters,
    curve: Curve,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with the parameters of the law"
)]
struct Parameters {
    d: f64,
}

impl Mono {
    /// Creates the law of spheres with the given diameter.
    ///
    /// # Errors
    /// The diameter is not a number from 1e-60 to 1e60.
    pub fn new(d: f64) -> Result<Self, SizeRangeError> {
        Parameters { d }.try_into()
    }

    pub(super) fn curve(&self) -> &Curve {
        &self.curve
    }
}

impl TryFrom<Parameters> for Mono {
    type Error = SizeRangeError;

    fn try_from(parameters: Parameters) -> Result<Self, Self::Error> {
        check_diameter("d", parameters.d)?;
        let curve = ClassCurve::new(Basis::Number, &[(parameters.d, 1.0)]);
        Ok(Self {
            parameters,
            curve: with_normal_volume(Curve::Classes(curve))?,
        })
    }
}

impl From<Mono> for Parameters {
    fn from(law: Mono) -> Self {
        law.parameters
    }
}
