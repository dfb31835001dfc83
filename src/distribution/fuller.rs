//! The Fuller curve.

use super::{
    basis::Basis,
    blend_curve::BlendCurve,
    class_curve::ClassCurve,
    constants::{FULLER_EXPONENT, LARGEST_CURVE_EXPONENT, MOST_CLASSES},
    law::{Law, LawParameters, law},
    range::check_range,
    sizes_error::SizesError,
};
use crate::{dimension::Dimension, macros::choice};

choice! {
    "first class", "kebab-case";
    /// The mass of the smallest class of a Fuller curve in classes.
    #[derive(Default)]
    #[non_exhaustive]
    pub enum FirstClass {
        /// One increment of the curve, as in every other class: P(d₁) − P(d₁/s), where s is the ratio of neighboring
        /// diameters. The mass below d₁/s is left out.
        #[default]
        Increment,
        /// All mass of the curve at or below d₁: the formula (d₁/d_max)^n as published.
        AllBelow,
    }
}

law! {
    /// The Fuller curve: mass share P(d) = (d/d_max)^n, cut off below `d_min`.
    ///
    /// The continuous curve is normalized above the cut-off: P(d) = (d^n − d_min^n) / (d_max^n − d_min^n). In m classes, the
    /// diameters d₁ = `d_min` … d_m = `d_max` are in geometric progression. Class i has the mass P(dᵢ) − P(dᵢ₋₁), and
    /// [`FirstClass`] gives the mass of the smallest class.
    ///
    /// Raschdorf & Kolonko 2011, Eq. (6), n = 0.5.
    pub struct Fuller(Parameters) {
        d_min: f64,
        d_max: f64,
        #[serde(default = "default_exponent")]
        n: f64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        classes: Option<usize>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        first_class: Option<FirstClass>,
    }
}

fn default_exponent() -> f64 {
    FULLER_EXPONENT
}

impl Fuller {
    /// Creates the continuous curve with exponent `n`, usually 0.5.
    ///
    /// # Errors
    /// `d_min` is not below `d_max`, or `n` is not a normal number above 0 and at most 10.
    pub fn new(d_min: f64, d_max: f64, n: f64) -> Result<Self, SizesError> {
        Law::new(Parameters {
            d_min,
            d_max,
            n,
            classes: None,
            first_class: None,
        })
        .map(Self)
    }

    /// Creates the curve in size classes.
    ///
    /// # Errors
    /// The errors of [`new`](Self::new), the number of classes is not from 2 to 10 000, or two classes have the same diameter
    /// in f64.
    pub fn in_classes(
        d_min: f64,
        d_max: f64,
        n: f64,
        classes: usize,
        first_class: FirstClass,
    ) -> Result<Self, SizesError> {
        Law::new(Parameters {
            d_min,
            d_max,
            n,
            classes: Some(classes),
            first_class: Some(first_class),
        })
        .map(Self)
    }
}

impl Parameters {
    /// Returns diameter and mass of each class, sorted by diameter.
    fn classes(&self, count: usize) -> Vec<(f64, f64)> {
        let Self {
            d_min, d_max, n, ..
        } = *self;
        let log_step = libm::log(d_max / d_min) / (count - 1) as f64;
        // P(dᵢ) − P(dᵢ₋₁), without the cancellation of a difference.
        let increment = |log: f64| -libm::exp(n * log) * libm::expm1(-n * log_step);
        let class = |i: usize| {
            let log_below_max = -log_step * (count - 1 - i) as f64;
            if i > 0 {
                (d_max * libm::exp(log_below_max), increment(log_below_max))
            } else if self.first_class == Some(FirstClass::AllBelow) {
                (d_min, libm::exp(n * log_below_max))
            } else {
                (d_min, increment(log_below_max))
            }
        };
        (0..count).map(class).collect()
    }
}

impl LawParameters for Parameters {
    fn curve(&self, dimension: Dimension) -> Result<BlendCurve, SizesError> {
        let Self {
            d_min,
            d_max,
            n,
            classes,
            first_class,
        } = *self;
        check_range(("d_min", d_min), ("d_max", d_max))?;
        if !(f64::MIN_POSITIVE..=LARGEST_CURVE_EXPONENT).contains(&n) {
            return Err(SizesError(format!(
                "n = {n:?} is not an exponent: a normal number above 0 and at most 10"
            )));
        }
        match classes {
            None if first_class.is_some() => Err(SizesError::new(
                "first_class is given without classes; the number of classes is needed, from 2 to 10000",
            )),
            None => Ok(BlendCurve::power_law(
                dimension,
                n - (1.0 + dimension.exponent()),
                d_min,
                d_max,
            )),
            Some(count) if !(2..=MOST_CLASSES).contains(&count) => Err(SizesError(format!(
                "classes = {count} is not a number of classes from 2 to 10000"
            ))),
            Some(count) => {
                let classes = self.classes(count);
                if !classes.is_sorted_by(|finer, coarser| finer.0 < coarser.0) {
                    return Err(SizesError(format!(
                        "classes = {count} is too large for diameters from {d_min:?} to {d_max:?}: neighboring diameters are equal in f64; fewer classes or a wider range is needed"
                    )));
                }
                Ok(ClassCurve::new(dimension, Basis::Mass, &classes).into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_equal_diameters_are_refused() {
        let above_one = 1.0 + f64::EPSILON;
        for (d_max, classes) in [(above_one, 3), (above_one, 10_000), (1.0 + 1e-13, 1000)] {
            let law = Fuller::in_classes(1.0, d_max, 0.5, classes, FirstClass::Increment);
            let error = law.unwrap_err();
            let message = error.to_string();
            assert!(message.contains("are equal in f64"), "{message}");
        }
        assert!(Fuller::in_classes(1.0, above_one, 0.5, 2, FirstClass::Increment).is_ok());
    }

    #[test]
    fn the_first_class_takes_its_increment_or_all_below() {
        let mass = |first_class| {
            let law = Fuller::in_classes(1.0, 16.0, 0.5, 3, first_class).unwrap();
            let Some(curve) = law.0.curve.classes() else {
                panic!("the curve is not in classes")
            };
            curve
                .classes()
                .iter()
                .map(|class| class.mass_share)
                .collect::<Vec<_>>()
        };
        // The curve is √(1/16), √(4/16) and √(16/16) at the classes, and √(0.25/16) one step below the first.
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
