//! A law with accepted parameters, and the curve that follows from them.

use std::fmt::Display;

use serde::{Deserialize, Deserializer, Serialize, de::Error};

use super::{
    blend_curve::BlendCurve,
    curve::Curve,
    range::{SizeRangeError, with_normal_volume},
};

/// The parameters of a law: its JSON form.
pub(super) trait LawParameters: Sized {
    /// Parameters that the law cannot have.
    type Error: From<SizeRangeError> + Display;

    /// Returns the parameters in the order in which the law keeps them.
    fn sorted(self) -> Self {
        self
    }

    /// Checks the parameters, and returns the curve.
    fn curve(&self) -> Result<Curve, Self::Error>;
}

/// Accepted parameters with their curve. The JSON form has the parameters only.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub(super) struct Law<P> {
    pub parameters: P,
    #[serde(skip)]
    pub curve: BlendCurve,
}

impl<P: LawParameters> Law<P> {
    /// Creates the law with these parameters.
    pub fn new(parameters: P) -> Result<Self, P::Error> {
        let parameters = parameters.sorted();
        let curve = with_normal_volume(parameters.curve()?.into())?;
        Ok(Self { parameters, curve })
    }
}

impl<'de, P: LawParameters + Deserialize<'de>> Deserialize<'de> for Law<P> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(P::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}
