//! Spheres of two diameters.

use serde::{Deserialize, Serialize};

use super::{
    basis::Basis,
    class_curve::ClassCurve,
    curve::Curve,
    law::{Law, LawParameters},
    range::{SizeRangeError, check_range},
};

/// Spheres of two diameters, mixed by mass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Bidisperse(pub(super) Law<Parameters>);

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[serde(expecting = "an object with the parameters of the law")]
pub(super) struct Parameters {
    d_small: f64,
    d_large: f64,
    mass_small: f64,
}

/// Parameters that no mixture of two sizes has.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BidisperseError {
    /// A diameter is outside the accepted range, or the diameters do not rise.
    #[error(transparent)]
    Range(#[from] SizeRangeError),
    /// The mass share of the small spheres is not a normal number between 0 and 1.
    #[error("mass_small = {0:?} is not a mass share: a normal number above 0 and below 1")]
    MassSmall(f64),
}

impl Bidisperse {
    /// Creates a mixture from two diameters and the share of the mass that the small spheres have.
    ///
    /// # Errors
    /// `d_small` is not below `d_large`, or the share is not a normal number above 0 and below 1.
    pub fn new(d_small: f64, d_large: f64, mass_small: f64) -> Result<Self, BidisperseError> {
        Law::new(Parameters {
            d_small,
            d_large,
            mass_small,
        })
        .map(Self)
    }
}

impl LawParameters for Parameters {
    type Error = BidisperseError;

    fn curve(&self) -> Result<Curve, Self::Error> {
        let Self {
            d_small,
            d_large,
            mass_small,
        } = *self;
        check_range(("d_small", d_small), ("d_large", d_large))?;
        if !(f64::MIN_POSITIVE..1.0).contains(&mass_small) {
            return Err(BidisperseError::MassSmall(mass_small));
        }
        let classes = [(d_small, mass_small), (d_large, 1.0 - mass_small)];
        Ok(Curve::Classes(ClassCurve::new(Basis::Mass, &classes)))
    }
}
