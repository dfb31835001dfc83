//! Binary exponents.

/// Returns the largest `l` with `2^l ≤ x`, for positive `x` that is not subnormal.
#[inline]
pub(super) fn floor_log2(x: f64) -> i32 {
    (x.to_bits() >> 52) as i32 - 1023
}
