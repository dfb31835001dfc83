//! Ogarko & Luding 2012, A fast multilevel algorithm for contact detection of arbitrarily polydisperse objects.

use super::row::Row;
use crate::outcome::Outcome;

/// Returns a row for each figure, table, numbered equation and claim.
pub fn rows() -> Outcome<Vec<Row>> {
    Ok(Vec::new())
}
