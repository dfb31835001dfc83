//! Raschdorf & Kolonko 2011, Loose octree: a data structure for the simulation of polydisperse particle packings.

use super::row::Row;
use crate::outcome::Outcome;

/// Returns a row for each figure, table, numbered equation and claim.
pub fn rows() -> Outcome<Vec<Row>> {
    Ok(Vec::new())
}
