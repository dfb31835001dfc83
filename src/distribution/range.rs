//! Checks that all laws share: diameters, ranges of diameters, and the mean volume.

use super::{
    blend_curve::BlendCurve,
    constants::{LARGEST_DIAMETER, SMALLEST_DIAMETER},
    sizes_error::SizesError,
};

/// Refuses a value that is not an accepted diameter.
pub(super) fn check_diameter(field: &str, value: f64) -> Result<(), SizesError> {
    if (SMALLEST_DIAMETER..=LARGEST_DIAMETER).contains(&value) {
        Ok(())
    } else {
        Err(SizesError(format!(
            "{field} = {value:?} is not a diameter from 1e-60 to 1e60"
        )))
    }
}

/// Refuses two values that are not accepted diameters in ascending order.
pub(super) fn check_range(
    (lower_field, lower): (&str, f64),
    (upper_field, upper): (&str, f64),
) -> Result<(), SizesError> {
    check_diameter(lower_field, lower)?;
    check_diameter(upper_field, upper)?;
    if lower < upper {
        Ok(())
    } else {
        Err(SizesError(format!(
            "{lower_field} = {lower:?} must lie below {upper_field} = {upper:?}"
        )))
    }
}

/// Returns the curve if the mean volume of its spheres is a normal, finite number.
pub(super) fn with_normal_volume(curve: BlendCurve) -> Result<BlendCurve, SizesError> {
    let mean_cube = curve.mean_power();
    if mean_cube.is_normal() {
        Ok(curve)
    } else {
        Err(SizesError(format!(
            "the parameters give a mean d³ of {mean_cube:?} over all spheres; it must be a normal, finite number"
        )))
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
                let message = error.to_string();
                assert!(message.contains("normal, finite number"), "{message}");
            }
        }
        let accepted = BlendCurve::power_law(Dimension::Three, 0.0, 1e-60, 1e60);
        assert_eq!(with_normal_volume(accepted.clone()), Ok(accepted));
    }
}
