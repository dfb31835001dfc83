//! Checks that all laws share: diameters, ranges of diameters, and the mean volume.

use super::{
    blend_curve::BlendCurve,
    constants::{LARGEST_DIAMETER, SMALLEST_DIAMETER},
};

/// Diameters that no distribution can have.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SizeRangeError {
    /// The value is not a number from 1e-60 to 1e60.
    #[error("{field} = {value:?} is not a diameter from 1e-60 to 1e60")]
    NotADiameter {
        /// Name of the parameter.
        field: &'static str,
        /// Value of the parameter.
        value: f64,
    },
    /// The smaller diameter is not below the larger one.
    #[error("{lower_field} = {lower:?} must lie below {upper_field} = {upper:?}")]
    Order {
        /// Name of the parameter that must be smaller.
        lower_field: &'static str,
        /// Value of the parameter that must be smaller.
        lower: f64,
        /// Name of the parameter that must be larger.
        upper_field: &'static str,
        /// Value of the parameter that must be larger.
        upper: f64,
    },
    /// The mean of d³ is zero, subnormal, infinite or not a number.
    #[error(
        "the parameters give a mean d³ of {0:?} over all spheres; it must be a normal, finite number"
    )]
    MeanVolume(f64),
}

/// Refuses a value that is not an accepted diameter.
pub(super) fn check_diameter(field: &'static str, value: f64) -> Result<(), SizeRangeError> {
    if (SMALLEST_DIAMETER..=LARGEST_DIAMETER).contains(&value) {
        Ok(())
    } else {
        Err(SizeRangeError::NotADiameter { field, value })
    }
}

/// Refuses two values that are not accepted diameters in ascending order.
pub(super) fn check_range(
    (lower_field, lower): (&'static str, f64),
    (upper_field, upper): (&'static str, f64),
) -> Result<(), SizeRangeError> {
    check_diameter(lower_field, lower)?;
    check_diameter(upper_field, upper)?;
    if lower < upper {
        Ok(())
    } else {
        Err(SizeRangeError::Order {
            lower_field,
            lower,
            upper_field,
            upper,
        })
    }
}

/// Returns the curve if the mean volume of its spheres is a normal, finite number.
pub(super) fn with_normal_volume(curve: BlendCurve) -> Result<BlendCurve, SizeRangeError> {
    let mean_cube = curve.mean_power();
    if mean_cube.is_normal() {
        Ok(curve)
    } else {
        Err(SizeRangeError::MeanVolume(mean_cube))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{basis::Basis, class_curve::ClassCurve};
    use super::*;
    use crate::dimension::Dimension;

    #[test]
    fn mean_volumes_outside_the_normal_numbers_are_refused() {
        for diameter in [1e-110, 1e-103, 1e110] {
            let classes = BlendCurve::from(ClassCurve::new(
                Dimension::Three,
                Basis::Number,
                &[(diameter, 1.0)],
            ));
            let power_law = BlendCurve::power_law(Dimension::Three, 0.0, diameter, diameter * 2.0);
            for curve in [classes, power_law] {
                let error = with_normal_volume(curve).unwrap_err();
                assert!(matches!(error, SizeRangeError::MeanVolume(_)), "{diameter}");
                let message = error.to_string();
                assert!(message.contains("normal, finite number"), "{message}");
            }
        }
        let accepted = BlendCurve::power_law(Dimension::Three, 0.0, 1e-60, 1e60);
        assert_eq!(with_normal_volume(accepted.clone()), Ok(accepted));
    }
}
