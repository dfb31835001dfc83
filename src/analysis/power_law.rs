//! Exponents of power laws.

use std::ops::Range;

use serde::Serialize;

use super::constants::{FEWEST_OF_POWER_LAW, FLAT, HALVINGS, STEEPEST};

/// The exponent of a power law, beside published ones.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PowerLaw {
    /// The exponent that makes the values most likely.
    pub exponent: f64,
    /// Standard error of the exponent, for independent values.
    pub standard_error: f64,
    /// Smallest value of the range in which values follow the power law.
    pub from: f64,
    /// Largest value of the range.
    pub to: f64,
    /// Number of values in the range.
    pub number: usize,
    /// Published exponents.
    pub published: &'static [PublishedExponent],
}

/// An exponent in a publication.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PublishedExponent {
    /// The exponent.
    pub exponent: f64,
    /// Meaning and source.
    pub source: &'static str,
}

impl PowerLaw {
    /// Returns the power k of the density x^k from which the values in `range` are most likely drawn; `None` with too few values.
    ///
    /// With s = k + 1 and L = ln(end / start), u = ln(x / start) has the density s exp(s u) / (exp(s L) − 1) from 0 to L. The likelihood is
    /// the largest where the mean of this density, L / (1 − exp(−s L)) − 1 / s, equals the mean of the values. The variance of one value is
    /// 1 / s² − (L / 2)² / sinh²(s L / 2), and its inverse is the squared standard error of s for one value.
    pub(super) fn new(
        values: impl Iterator<Item = f64>,
        range: &Range<f64>,
        published: &'static [PublishedExponent],
    ) -> Option<Self> {
        if range.is_empty() {
            return None;
        }
        let length = libm::log(range.end / range.start);
        let (mut sum, mut number) = (0.0, 0_usize);
        for value in values.filter(|value| range.contains(value)) {
            sum += libm::log(value / range.start);
            number += 1;
        }
        if number < FEWEST_OF_POWER_LAW {
            return None;
        }
        // With lengths in units of L, the exponent of the density is s L.
        let steepness = steepness_of_mean(sum / (number as f64 * length));
        let variance = variance(steepness) * length * length;
        Some(Self {
            exponent: steepness / length - 1.0,
            standard_error: 1.0 / (number as f64 * variance).sqrt(),
            from: range.start,
            to: range.end,
            number,
            published,
        })
    }
}

/// Returns the exponent s of the density proportional to exp(s u) from 0 to 1 that has this mean.
fn steepness_of_mean(target: f64) -> f64 {
    let (mut low, mut high) = (-STEEPEST, STEEPEST);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if mean(middle) < target {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// Returns the mean of the density proportional to exp(s u) from 0 to 1.
fn mean(s: f64) -> f64 {
    if s.abs() < FLAT {
        0.5 + s / 12.0
    } else {
        -1.0 / libm::expm1(-s) - 1.0 / s
    }
}

/// Returns the variance of the density proportional to exp(s u) from 0 to 1.
fn variance(s: f64) -> f64 {
    if s.abs() < FLAT {
        return 1.0 / 12.0 - s * s / 240.0;
    }
    let sinh = libm::sinh(0.5 * s);
    1.0 / (s * s) - 0.25 / (sinh * sinh)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_of_quantiles_are_found() {
        for power in [-0.9_f64, -0.41, 0.0, 0.42, 3.0] {
            // The quantiles of the density x^power from 0.001 to 0.5.
            let s = power + 1.0;
            let ends = [0.001_f64, 0.5].map(|x| x.powf(s));
            let count = 20_000;
            let quantile = |k: usize| {
                ends[0] + (ends[1] - ends[0]) * (k as f64 + 0.5) / f64::from(count as u32)
            };
            let values = (0..count).map(|k| quantile(k).powf(1.0 / s));
            // Values outside of the range do not count.
            let values = values.chain([0.0001, 0.5, 7.0]);
            let found = PowerLaw::new(values, &(0.001..0.5), &[]).unwrap();
            let (error, number) = (found.standard_error, found.number);
            let found = found.exponent;
            assert!((found - power).abs() < 1e-3, "{found} instead of {power}");
            assert!(error > 0.0 && error < 0.05);
            assert_eq!(number, count);
        }
        assert_eq!(PowerLaw::new([0.1].into_iter(), &(0.01..1.0), &[]), None);
    }
}
