//! A law with accepted parameters, and the curve that follows from them.

use serde::{Deserialize, Deserializer, Serialize, de::Error};

use super::{blend_curve::BlendCurve, range::with_normal_volume, sizes_error::SizesError};
use crate::dimension::Dimension;

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
    /// Returns the parameters in the order in which the law keeps them.
    fn sorted(self) -> Self {
        self
    }

    /// Returns the parameters with the laws among them in another dimension.
    fn in_dimension(&self, _dimension: Dimension) -> Result<Self, SizesError> {
        Ok(self.clone())
    }

    /// Checks the parameters, and returns the curve of spheres of this dimension.
    fn curve(&self, dimension: Dimension) -> Result<BlendCurve, SizesError>;
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
    pub fn new(parameters: P) -> Result<Self, SizesError> {
        Self::of_dimension(parameters.sorted(), Dimension::Three)
    }

    /// Returns the law of spheres of this dimension with sorted parameters.
    fn of_dimension(parameters: P, dimension: Dimension) -> Result<Self, SizesError> {
        let curve = with_normal_volume(parameters.curve(dimension)?)?;
        Ok(Self { parameters, curve })
    }

    /// Returns the law with these parameters of spheres of another dimension.
    pub fn in_dimension(&self, dimension: Dimension) -> Result<Self, SizesError> {
        let law = Self::of_dimension(self.parameters.in_dimension(dimension)?, dimension);
        law.map_err(|error| error.at("the size distribution has no sizes in the plane"))
    }
}

impl<'de, P: LawParameters + Deserialize<'de>> Deserialize<'de> for Law<P> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(P::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}
