//! Equal spheres.

use super::{
    basis::Basis,
    blend_curve::BlendCurve,
    class_curve::ClassCurve,
    law::{Law, LawParameters, law},
    range::check_diameter,
    sizes_error::SizesError,
};
use crate::dimension::Dimension;

law! {
    /// Equal spheres of diameter `d`.
    pub struct Mono(Parameters) {
        d: f64,
    }
}

impl Mono {
    /// Creates the law of spheres with the given diameter.
    ///
    /// # Errors
    /// The diameter is not a number from 1e-60 to 1e60.
    pub fn new(d: f64) -> Result<Self, SizesError> {
        Law::new(Parameters { d }).map(Self)
    }
}

impl LawParameters for Parameters {
    fn curve(&self, dimension: Dimension) -> Result<BlendCurve, SizesError> {
        check_diameter("d", self.d)?;
        let classes = [(self.d, 1.0)];
        Ok(ClassCurve::new(dimension, Basis::Number, &classes).into())
    }
}
