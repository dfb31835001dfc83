//! Results and numbers, in the form of the report.

use crate::numbers::signed;

/// Result of a function that can fail for any reason.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Result of a section of the report.
pub type Outcome = Result<()>;

/// Returns a number with three significant digits.
pub fn three_digits(value: f64) -> String {
    match value {
        ..10.0 => format!("{value:.2}"),
        ..100.0 => format!("{value:.1}"),
        ..1e4 => format!("{value:.0}"),
        _ => format!("{value:.2e}"),
    }
}

/// Returns the deviation of a count from its expected value.
pub fn percent(counted: f64, expected: f64) -> String {
    format!("{} %", signed(100.0 * (counted / expected - 1.0), 1))
}

/// Returns numbers with a fixed number of decimals, separated by spaces.
pub fn joined(values: &[f64], decimals: usize) -> String {
    let texts: Vec<String> = values
        .iter()
        .map(|value| format!("{value:.decimals$}"))
        .collect();
    texts.join(" ")
}
