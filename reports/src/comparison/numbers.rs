//! Numbers as text.

use crate::numbers::signed;
use jostle::laboratory::compare::Table1Row;

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

/// Returns the mean and the standard deviation of a row, and the deviation of the mean from the paper's value.
pub fn beside_paper(row: &Table1Row) -> String {
    let words = with_spread(row.mean, row.spread);
    match row.deviation {
        Some(deviation) => format!("{words} ({} %)", signed(100.0 * deviation, 0)),
        None => words,
    }
}
