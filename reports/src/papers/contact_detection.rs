//! Schiava D'Albano et al., comparison of the contact detection algorithms MR, MR-S, NBS and BBTS.

use super::row::Row;
use crate::outcome::Outcome;

/// Returns a row for each figure, table, numbered equation and claim.
pub fn rows() -> Outcome<Vec<Row>> {
    Ok(Vec::new())
}
