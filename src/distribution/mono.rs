//! Equal spheres.

use serde::{Deserialize, Serialize};

use super::{
    basis::Basis,
    class_curve::ClassCurve,
    curve::Curve,
    law::{Law, LawParameters},
    range::{SizeRangeError, check_diameter},
};
use crate::dimension::Dimension;

/// Equal spheres of diameter `d`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Mono(pub(super) Law<Parameters>);

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[serde(expecting = "an object with the parameters of the law")]
pub(super) struct Parameters {
    d: f64,
}

impl Mono {
    /// Creates the law of spheres with the given diameter.
    ///
    /// # Errors
    /// The diameter is not a number from 1e-60 to 1e60.
    pub fn new(d: f64) -> Result<Self, SizeRangeError> {
        Law::new(Parameters { d }).map(Self)
    }
}

impl LawParameters for Parameters {
    type Error = SizeRangeError;

    fn curve(&self, dimension: Dimension) -> Result<Curve, Self::Error> {
        check_diameter("d", self.d)?;
        let classes = [(self.d, 1.0)];
        Ok(Curve::Classes(ClassCurve::new(
            dimension,
            Basis::Number,
            &classes,
        )))
    }
}
