//! The two representations of a law that is no blend: separate classes, or a continuous curve.

use rand::{Rng, RngExt};

use super::{basis::Basis, class_curve::ClassCurve, power_segments::PowerSegments};
use crate::dimension::Dimension;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Curve {
    Classes(ClassCurve),
    Segments(PowerSegments),
}

impl From<ClassCurve> for Curve {
    fn from(curve: ClassCurve) -> Self {
        Self::Classes(curve)
    }
}

impl From<PowerSegments> for Curve {
    fn from(curve: PowerSegments) -> Self {
        Self::Segments(curve)
    }
}

impl Curve {
    /// Returns the same curve for diameters that are larger by a factor.
    pub fn scaled(&self, factor: f64) -> Self {
        match self {
            Self::Classes(curve) => Self::Classes(curve.scaled(factor)),
            Self::Segments(curve) => Self::Segments(curve.scaled(factor)),
        }
    }

    /// Returns the curve between two diameters, which belong to it; `None` if no sphere lies there.
    pub fn cut(&self, low: f64, high: f64) -> Option<Self> {
        match self {
            Self::Classes(curve) => curve.cut(low, high).map(Self::Classes),
            Self::Segments(curve) => curve.cut(low, high).map(Self::Segments),
        }
    }

    /// Returns the classes; `None` for a continuous distribution.
    pub fn classes(&self) -> Option<&ClassCurve> {
        match self {
            Self::Classes(curve) => Some(curve),
            Self::Segments(_) => None,
        }
    }

    /// Returns the smallest and the largest diameter.
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

    pub fn quantile(&self, basis: Basis, share: f64) -> f64 {
        match self {
            Self::Classes(curve) => curve.quantile(basis, share),
            Self::Segments(curve) => curve.quantile(basis, share),
        }
    }

    pub fn raw_moment(&self, power: f64) -> f64 {
        match self {
            Self::Classes(curve) => curve.raw_moment(power),
            Self::Segments(curve) => curve.raw_moment(power),
        }
    }

    /// Returns the dimension of the spheres.
    pub fn dimension(&self) -> Dimension {
        match self {
            Self::Classes(curve) => curve.dimension(),
            Self::Segments(curve) => curve.dimension(),
        }
    }

    /// Returns the mean of d³ by number, or of d² of disks.
    pub fn mean_power(&self) -> f64 {
        self.raw_moment(self.dimension().exponent())
    }

    /// Draws one diameter by number, from one uniform number.
    pub fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        self.quantile(Basis::Number, rng.random())
    }
}
