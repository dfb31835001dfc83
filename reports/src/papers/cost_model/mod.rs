//! Krijgsman, Ogarko & Luding 2014, Optimal parameters for a hierarchical grid data structure for contact detection in arbitrarily polydisperse particle systems.

mod claims;
mod conclusions;
mod counts;
mod equations;
mod figures;
mod laws;

use super::row::Row;
use crate::{outcome::Outcome, tuning::scene::Scenes};

/// Returns a row for each figure, table, numbered equation and claim.
pub fn rows() -> Outcome<Vec<Row>> {
    let scenes = &mut Scenes::default();
    let mut rows = figures::rows(scenes)?;
    rows.extend(equations::rows()?);
    rows.extend(laws::rows()?);
    rows.extend(claims::rows(scenes)?);
    rows.extend(conclusions::rows()?);
    Ok(rows)
}

/// Returns the row of a statement without a single number: what the paper states, and whether the values found here agree.
fn stated(
    item: &'static str,
    statement: &'static str,
    theirs: &str,
    (ours, holds): (String, bool),
    reason: &str,
) -> Row {
    Row::checked(item, statement, theirs, ours, holds, reason)
}

/// Returns the row of an equation: the largest relative deviation of the values found here.
fn within(item: &'static str, statement: &'static str, deviation: f64, tolerance: f64) -> Row {
    stated(
        item,
        statement,
        "the equation",
        (
            format!("largest deviation {deviation:.0e}"),
            deviation <= tolerance,
        ),
        "",
    )
}

/// Returns the largest relative deviation between pairs of values; NaN counts as the largest.
fn largest_deviation(pairs: impl IntoIterator<Item = (f64, f64)>) -> f64 {
    let deviation = |(found, expected): (f64, f64)| (found / expected - 1.0).abs();
    let largest = pairs.into_iter().map(deviation).max_by(f64::total_cmp);
    largest.unwrap_or(0.0)
}
