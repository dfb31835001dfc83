//! What every law comes down to: separate classes, or a continuous curve.

use super::{Basis, class_curve::ClassCurve, power_segments::PowerSegments};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Curve {
    Classes(ClassCurve),
    Segments(PowerSegments),
}

impl Curve {
    /// Smallest and largest diameter.
    pub fn range(&self) -> (f64, f64) {
        match self {
            Self::Classes(curve) => {
                let classes = curve.classes();
                (classes[0].diameter, classes[classes.len() - 1].diameter)
            }
            Self::Segments(curve) => (curve.d_min(), curve.d_max()),
        }
    }

    pub fn cdf(&self, basis: Basis, diameter: f64) -> f64 {
        match self {
            Self::Classes(curve) => curve.cdf(basis, diameter),
            Self::Segments(curve) => curve.cdf(basis, diameter),
        }
    }

    pub fn quantile(&self, basis: Basis, u: f64) -> f64 {
        match self {
            Self::Classes(curve) => curve.quantile(basis, u),
            Self::Segments(curve) => curve.quantile(basis, u),
        }
    }

    pub fn raw_moment(&self, power: f64) -> f64 {
        match self {
            Self::Classes(curve) => curve.raw_moment(power),
            Self::Segments(curve) => curve.raw_moment(power),
        }
    }
}
