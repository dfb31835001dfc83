//! Raschdorf & Kolonko 2011, Loose octree: a data structure for the simulation of polydisperse particle packings.

mod counts;
mod lists;
mod scenes;
mod speed;
mod trees;

use scenes::Scenes;

use super::row::{Row, Verdict};
use crate::outcome::Outcome;

/// Returns a row for each figure, table, numbered equation and claim.
pub fn rows() -> Outcome<Vec<Row>> {
    let scenes = Scenes::pack()?;
    let mut rows = lists::rows(&scenes)?;
    rows.extend(trees::rows(&scenes));
    rows.extend(counts::rows(&scenes)?);
    rows.extend(speed::rows(&scenes)?);
    rows.extend(out_of_reach());
    Ok(rows)
}

/// Returns the statements about programs that jostle does not contain.
fn out_of_reach() -> Vec<Row> {
    let statements = [
        (
            "Section 1",
            "Packings of the discrete element method have at most a few thousand spheres",
            "a few thousand",
            "jostle has no discrete element method. It writes starting configurations for such programs.",
        ),
        (
            "Section 1",
            "Random sequential addition is faster than collective rearrangement, and packs looser",
            "looser",
            "jostle has no random sequential addition.",
        ),
        (
            "Section 3.1",
            "A sweep through cells, in which spheres migrate from cell to cell, is useful only if all spheres are checked at once",
            "all at once",
            "No published contact detection of jostle follows this algorithm, reference 23 of the paper.",
        ),
        (
            "Section 3.2",
            "An octree whose nodes are built on demand is slower than a static octree, and takes less memory",
            "slower",
            "The octrees of jostle build nodes on demand below a dense array of one level. There is no static octree to compare with.",
        ),
    ];
    let row = |(item, statement, theirs, reason): (_, _, &str, &str)| Row {
        item,
        statement,
        theirs: theirs.to_owned(),
        ours: "–".to_owned(),
        verdict: Verdict::OutOfReach,
        reason: reason.to_owned(),
    };
    statements.map(row).into()
}
