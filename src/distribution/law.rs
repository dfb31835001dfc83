//! A law with accepted parameters, and the curve that follows from them.

use std::fmt::Display;

use serde::{Deserialize, Deserializer, Serialize, de::Error};

use super::{
    blend_curve::BlendCurve,
    range::{SizeRangeError, with_normal_volume},
};
use crate::dimension::Dimension;

/// A size distribution that has no sizes in another dimension. The message is that of the law.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the size distribution has no sizes in the plane: {0}")]
pub struct OtherDimensionError(pub(super) String);

/// Declares a law: its type, and its parameters, which are its JSON form.
macro_rules! law {
    (
        $(#[$attribute:meta])*
        pub struct $name:ident($parameters:ident) {
            $($(#[$of_field:meta])* $visibility:vis $field:ident: $type:ty,)+
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub(super) $crate::distribution::law::Law<$parameters>);

        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        #[serde(expecting = "an object with the parameters of the law")]
        pub(super) struct $parameters {
            $($(#[$of_field])* $visibility $field: $type,)+
        }
    };
}

pub(super) use law;

/// The parameters of a law: its JSON form.
pub(super) trait LawParameters: Clone {
    /// Parameters that the law cannot have.
    type Error: From<SizeRangeError> + Display;

    /// Returns the parameters in the order in which the law keeps them.
    fn sorted(self) -> Self {
        self
    }

    /// Returns the parameters with the laws among them in another dimension.
    fn in_dimension(&self, _dimension: Dimension) -> Result<Self, OtherDimensionError> {
        Ok(self.clone())
    }

    /// Checks the parameters, and returns the curve of spheres of this dimension.
    fn curve(&self, dimension: Dimension) -> Result<BlendCurve, Self::Error>;
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
        Self::of_dimension(parameters.sorted(), Dimension::Three)
    }

    /// Returns the law of spheres of this dimension with sorted parameters.
    fn of_dimension(parameters: P, dimension: Dimension) -> Result<Self, P::Error> {
        let curve = with_normal_volume(parameters.curve(dimension)?)?;
        Ok(Self { parameters, curve })
    }

    /// Returns the law with these parameters of spheres of another dimension.
    pub fn in_dimension(&self, dimension: Dimension) -> Result<Self, OtherDimensionError> {
        let law = Self::of_dimension(self.parameters.in_dimension(dimension)?, dimension);
        law.map_err(|error| OtherDimensionError(error.to_string()))
    }
}

impl<'de, P: LawParameters + Deserialize<'de>> Deserialize<'de> for Law<P> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(P::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}
