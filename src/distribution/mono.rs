//! Equal spheres.

use serde::{Deserialize, Serialize};

use super::{
    Basis,
    class_curve::ClassCurve,
    curve::Curve,
    range::{SizeRangeError, check_diameter},
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
    /// Spheres of the given diameter.
    ///
    /// # Errors
    /// When that is not a diameter.
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
        let curve = Curve::Classes(ClassCurve::new(Basis::Number, &[(parameters.d, 1.0)]));
        Ok(Self { parameters, curve })
    }
}

impl From<Mono> for Parameters {
    fn from(law: Mono) -> Self {
        law.parameters
    }
}
