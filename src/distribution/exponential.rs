//! Integrals of e^(kx) from 0 to a width, also for k near 0.

use super::constants::FLAT;

/// Returns ln ∫₀ʷ e^(kx) dx.
pub(super) fn log_integral(k: f64, width: f64) -> f64 {
    if is_flat(k, width) {
        libm::log(width)
    } else if k > 0.0 {
        k * width + libm::log(-libm::expm1(-k * width) / k)
    } else {
        libm::log(libm::expm1(k * width) / k)
    }
}

/// Returns the logarithm of the mean of e^(px) for the density e^(kx) on (0, w).
pub(super) fn log_mean_power(k: f64, p: f64, width: f64) -> f64 {
    log_integral(k + p, width) - log_integral(k, width)
}

/// Returns the part of ∫₀ʷ e^(kx) dx that lies below `offset`.
pub(super) fn part_below(k: f64, offset: f64, width: f64) -> f64 {
    if is_flat(k, width) {
        offset / width
    } else if k > 0.0 {
        libm::exp(k * (offset - width)) * libm::expm1(-k * offset) / libm::expm1(-k * width)
    } else {
        libm::expm1(k * offset) / libm::expm1(k * width)
    }
}

/// Returns the offset below which the given part of ∫₀ʷ e^(kx) dx lies: the inverse of [`part_below`].
pub(super) fn offset_at(k: f64, part: f64, width: f64) -> f64 {
    let offset = if is_flat(k, width) {
        part * width
    } else if k > 0.0 {
        width + libm::log1p((1.0 - part) * libm::expm1(-k * width)) / k
    } else {
        libm::log1p(part * libm::expm1(k * width)) / k
    };
    offset.clamp(0.0, width)
}

/// Returns whether e^(kx) rounds to 1 over the whole width.
fn is_flat(k: f64, width: f64) -> bool {
    (k * width).abs() < FLAT
}
