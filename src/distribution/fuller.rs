//! The Fuller curve.

use serde::{Deserialize, Serialize};

use super::{
    Basis,
    class_curve::ClassCurve,
    curve::Curve,
    power_law::power_curve,
    range::{SizeRangeError, check_range},
};

/// The most classes a curve is cut into.
const MOST_CLASSES: usize = 10_000;

/// What the smallest class of a Fuller curve in classes holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FirstClass {
    /// Its own increment of the curve, like every other class: P(d₁) − P(d₁/s), where s is the ratio of
    /// neighbouring diameters. What the curve has below d₁/s is left out.
    #[default]
    Increment,
    /// Everything the curve has at or below d₁: (d₁/d_max)^n, the formula by its letter.
    AllBelow,
}

/// The Fuller curve: mass share P(d) = (d/d_max)^n, cut off below `d_min`.
///
/// Continuous, what lies above the cut-off is normalised, P(d) = (d^n − d_min^n) / (d_max^n − d_min^n). In m
/// classes, the diameters d₁ = `d_min` … d_m = `d_max` are in geometric progression, class i has the mass
/// P(dᵢ) − P(dᵢ₋₁), and [`FirstClass`] says what the smallest has.
///
/// Raschdorf & Kolonko 2011, Eq. (6), n = 0.5.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parameters", into = "Parameters")]
pub struct Fuller {
    parameters: Parameters,
    curve: Curve,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with the parameters of the law"
)]
struct Parameters {
    d_min: f64,
    d_max: f64,
    #[serde(default = "square_root")]
    n: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    classes: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    first_class: Option<FirstClass>,
}

fn square_root() -> f64 {
    0.5
}

/// Parameters that make no Fuller curve.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FullerError {
    /// The diameters are none, or not in rising order.
    #[error(transparent)]
    Range(#[from] SizeRangeError),
    /// The exponent is not positive, or out of all use.
    #[error("n = {0:?} is not an exponent above 0 and at most 10")]
    Exponent(f64),
    /// Too few or too many classes.
    #[error("classes = {0} is not a number of classes from 2 to 10000")]
    Classes(usize),
    /// A rule for the first class, but no classes.
    #[error("first_class needs the number of classes as well")]
    FirstClassAlone,
}

impl Fuller {
    /// The continuous curve with exponent `n`, usually 0.5.
    ///
    /// # Errors
    /// When `d_min` is not below `d_max`, or `n` not above 0 and at most 10.
    pub fn new(d_min: f64, d_max: f64, n: f64) -> Result<Self, FullerError> {
        Parameters {
            d_min,
            d_max,
            n,
            classes: None,
            first_class: None,
        }
        .try_into()
    }

    /// The curve in size classes.
    ///
    /// # Errors
    /// As [`new`](Self::new), and when the number of classes is not 2 to 10 000.
    pub fn in_classes(
        d_min: f64,
        d_max: f64,
        n: f64,
        classes: usize,
        first_class: FirstClass,
    ) -> Result<Self, FullerError> {
        Parameters {
            d_min,
            d_max,
            n,
            classes: Some(classes),
            first_class: Some(first_class),
        }
        .try_into()
    }

    pub(super) fn curve(&self) -> &Curve {
        &self.curve
    }
}

impl TryFrom<Parameters> for Fuller {
    type Error = FullerError;

    fn try_from(parameters: Parameters) -> Result<Self, Self::Error> {
        let Parameters {
            d_min,
            d_max,
            n,
            classes,
            first_class,
        } = parameters;
        check_range(("d_min", d_min), ("d_max", d_max))?;
        if !(n > 0.0 && n <= 10.0) {
            return Err(FullerError::Exponent(n));
        }
        let curve = match classes {
            None if first_class.is_some() => return Err(FullerError::FirstClassAlone),
            None => power_curve(n - 4.0, d_min, d_max),
            Some(count) if !(2..=MOST_CLASSES).contains(&count) => {
                return Err(FullerError::Classes(count));
            }
            Some(count) => {
                let classes = classes_of(d_min, d_max, n, count, first_class.unwrap_or_default());
                Curve::Classes(ClassCurve::new(Basis::Mass, &classes))
            }
        };
        Ok(Self { parameters, curve })
    }
}

impl From<Fuller> for Parameters {
    fn from(law: Fuller) -> Self {
        law.parameters
    }
}

fn classes_of(
    d_min: f64,
    d_max: f64,
    n: f64,
    count: usize,
    first_class: FirstClass,
) -> Vec<(f64, f64)> {
    let log_step = libm::log(d_max / d_min) / (count - 1) as f64;
    // P(dᵢ) − P(dᵢ₋₁) without the cancellation.
    let increment = |log_below_max: f64| -libm::exp(n * log_below_max) * libm::expm1(-n * log_step);
    (0..count)
        .map(|i| {
            let log_below_max = -log_step * (count - 1 - i) as f64;
            let mass = if i == 0 && first_class == FirstClass::AllBelow {
                libm::exp(n * log_below_max)
            } else {
                increment(log_below_max)
            };
            let diameter = match i {
                0 => d_min,
                _ => d_max * libm::exp(log_below_max),
            };
            (diameter, mass)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_class_takes_its_increment_or_all_below() {
        let mass = |first_class| {
            let law = Fuller::in_classes(1.0, 16.0, 0.5, 3, first_class).unwrap();
            let Curve::Classes(curve) = law.curve else {
                panic!("in classes")
            };
            curve
                .classes()
                .iter()
                .map(|class| class.mass_share)
                .collect::<Vec<_>>()
        };
        // √(1/16), √(4/16), √(16/16), and √(0.25/16) one step below.
        for (got, expected) in mass(FirstClass::AllBelow).iter().zip([0.25, 0.25, 0.5]) {
            assert!((got - expected).abs() < 1e-15, "{got} {expected}");
        }
        let total = 1.0 - 0.125;
        let increments = [0.125 / total, 0.25 / total, 0.5 / total];
        for (got, expected) in mass(FirstClass::Increment).iter().zip(increments) {
            assert!((got - expected).abs() < 1e-15, "{got} {expected}");
        }
    }
}
