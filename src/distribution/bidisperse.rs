//! Spheres of two diameters.

use super::{
    basis::Basis,
    blend_curve::BlendCurve,
    class_curve::ClassCurve,
    law::{Law, LawParameters, law},
    range::check_range,
    sizes_error::SizesError,
};
use crate::dimension::Dimension;

law! {
    /// Spheres of two diameters, mixed by mass or by number.
    pub struct Bidisperse(Parameters) {
        d_small: f64,
        d_large: f64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mass_small: Option<f64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        number_small: Option<f64>,
    }
}

impl Bidisperse {
    /// Creates a mixture from two diameters and the share of the mass that the small spheres have.
    ///
    /// # Errors
    /// `d_small` is not below `d_large`, or the share is not a normal number above 0 and below 1.
    pub fn new(d_small: f64, d_large: f64, mass_small: f64) -> Result<Self, SizesError> {
        Law::new(Parameters {
            d_small,
            d_large,
            mass_small: Some(mass_small),
            number_small: None,
        })
        .map(Self)
    }

    /// Creates a mixture from two diameters and the share of all spheres that are small.
    ///
    /// # Errors
    /// `d_small` is not below `d_large`, or the share is not a normal number above 0 and below 1.
    pub fn by_number(d_small: f64, d_large: f64, number_small: f64) -> Result<Self, SizesError> {
        Law::new(Parameters {
            d_small,
            d_large,
            mass_small: None,
            number_small: Some(number_small),
        })
        .map(Self)
    }
}

impl LawParameters for Parameters {
    fn curve(&self, dimension: Dimension) -> Result<BlendCurve, SizesError> {
        let Self {
            d_small, d_large, ..
        } = *self;
        check_range(("d_small", d_small), ("d_large", d_large))?;
        let is_share = |share: f64| (f64::MIN_POSITIVE..1.0).contains(&share);
        let no_share = |quantity: &str, share: f64| {
            SizesError(format!(
                "{quantity}_small = {share:?} is not a {quantity} share: a normal number above 0 and below 1"
            ))
        };
        let (basis, small) = match (self.mass_small, self.number_small) {
            (Some(mass), None) if is_share(mass) => (Basis::Mass, mass),
            (None, Some(number)) if is_share(number) => (Basis::Number, number),
            (Some(mass), None) => return Err(no_share("mass", mass)),
            (None, Some(number)) => return Err(no_share("number", number)),
            (None, None) => {
                return Err(SizesError::new(
                    "missing field `mass_small`, or number_small: the share of the small spheres by mass or by number",
                ));
            }
            (Some(_), Some(_)) => {
                return Err(SizesError::new(
                    "mass_small and number_small are given; one of them is the share of the small spheres",
                ));
            }
        };
        let classes = [(d_small, small), (d_large, 1.0 - small)];
        Ok(ClassCurve::new(dimension, basis, &classes).into())
    }
}
