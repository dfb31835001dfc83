//! What counts as a diameter, and as a range of diameters.

/// The smallest diameter taken, in any unit. Volumes of this size and sums of them neither overflow nor underflow.
const SMALLEST: f64 = 1e-60;
/// The largest diameter taken, in any unit.
const LARGEST: f64 = 1e60;

/// A diameter, or a pair of them, that no distribution can have.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SizeRangeError {
    /// Not a number from 1e-60 to 1e60.
    #[error("{field} = {value:?} is not a diameter from 1e-60 to 1e60")]
    NotADiameter {
        /// The parameter.
        field: &'static str,
        /// Its value.
        value: f64,
    },
    /// The smaller diameter is not below the larger one.
    #[error("{lower_field} = {lower:?} must lie below {upper_field} = {upper:?}")]
    Order {
        /// The parameter that must be smaller.
        lower_field: &'static str,
        /// Its value.
        lower: f64,
        /// The parameter that must be larger.
        upper_field: &'static str,
        /// Its value.
        upper: f64,
    },
}

/// Refuses what is not a diameter.
pub(super) fn check_diameter(field: &'static str, value: f64) -> Result<(), SizeRangeError> {
    if (SMALLEST..=LARGEST).contains(&value) {
        Ok(())
    } else {
        Err(SizeRangeError::NotADiameter { field, value })
    }
}

/// Refuses two diameters that are none, or not in rising order.
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
