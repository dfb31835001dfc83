//! Rows about statements that are not one number.

use super::row::{Row, Verdict};

/// Item and statement of a row.
pub type Statement = (&'static str, &'static str);

/// Returns the row of a [checked](Row::checked) statement.
pub fn checked(
    (item, statement): Statement,
    theirs: impl Into<String>,
    ours: impl Into<String>,
    holds: bool,
    reason: impl Into<String>,
) -> Row {
    Row::checked(item, statement, theirs, ours, holds, reason)
}

/// Returns a row that is out of reach, with the reason.
pub fn out_of_reach((item, statement): Statement, reason: impl Into<String>) -> Row {
    Row {
        item,
        statement,
        theirs: String::new(),
        ours: String::new(),
        verdict: Verdict::OutOfReach,
        reason: reason.into(),
    }
}
