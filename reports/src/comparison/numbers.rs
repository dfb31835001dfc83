//! Numbers as text.

use jostle::laboratory::compare::mean_and_spread;

/// Returns a number with about three significant digits and at most three decimals.
pub fn significant(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// Returns a mean and its standard deviation.
pub fn with_spread(mean: f64, spread: f64) -> String {
    format!("{} ± {}", significant(mean), significant(spread))
}

/// Returns the mean and the standard deviation of `values`, and the deviation of the mean from the paper's value.
pub fn beside_paper(values: &[f64], paper: Option<f64>) -> String {
    let (mean, spread) = mean_and_spread(values);
    let words = with_spread(mean, spread);
    match paper {
        Some(paper) => format!("{words} ({:+.0} %)", 100.0 * (mean / paper - 1.0)),
        None => words,
    }
}
