//! Two diameters.

use serde::{Deserialize, Serialize};

use super::{
    Basis,
    class_curve::ClassCurve,
    curve::Curve,
    range::{SizeRangeError, check_range},
};

/// Spheres of two diameters, mixed by mass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parameters", into = "Parameters")]
pub struct Bidisperse {
    parameters: Parameters,
    curve: Curve,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with the parameters of the law"
)]
struct Parameters {
    d_small: f64,
    d_large: f64,
    mass_small: f64,
}

/// Parameters that make no mixture of two sizes.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BidisperseError {
    /// The diameters are none, or not in rising order.
    #[error(transparent)]
    Range(#[from] SizeRangeError),
    /// The mass share of the small spheres is not strictly between 0 and 1.
    #[error("mass_small = {0:?} is not a share of the mass above 0 and below 1")]
    MassSmall(f64),
}

impl Bidisperse {
    /// Two diameters, and the share of the mass (the volume) that the small spheres have.
    ///
    /// # Errors
    /// When `d_small` is not below `d_large`, or the share is not strictly between 0 and 1.
    pub fn new(d_small: f64, d_large: f64, mass_small: f64) -> Result<Self, BidisperseError> {
        Parameters {
            d_small,
            d_large,
            mass_small,
        }
        .try_into()
    }

    pub(super) fn curve(&self) -> &Curve {
        &self.curve
    }
}

impl TryFrom<Parameters> for Bidisperse {
    type Error = BidisperseError;

    fn try_from(parameters: Parameters) -> Result<Self, Self::Error> {
        let Parameters {
            d_small,
            d_large,
            mass_small,
        } = parameters;
        check_range(("d_small", d_small), ("d_large", d_large))?;
        if !(mass_small > 0.0 && mass_small < 1.0) {
            return Err(BidisperseError::MassSmall(mass_small));
        }
        let classes = [(d_small, mass_small), (d_large, 1.0 - mass_small)];
        let curve = Curve::Classes(ClassCurve::new(Basis::Mass, &classes));
        Ok(Self { parameters, curve })
    }
}

impl From<Bidisperse> for Parameters {
    fn from(law: Bidisperse) -> Self {
        law.parameters
    }
}
