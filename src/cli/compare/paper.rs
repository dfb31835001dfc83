//! The experiments of `jostle compare index`: Table 1 and Fig. 9 of Raschdorf & Kolonko 2011.

use crate::cli::table::{aligned, table};
use crate::{
    cli::words::{counted, rounded, signed},
    laboratory::compare::{Fig9, Fig9Level, Fig9Statement, PaperSizes, PublishedOctree, Table1Row},
    macros::choice,
};

choice! {
    "experiment", "kebab-case";
    /// Experiment of the paper.
    pub enum PaperExperiment {
        /// Candidates per sphere.
        #[strum(serialize = "table-1")]
        Table1,
        /// Spheres on the levels of the octrees.
        #[strum(serialize = "fig-9")]
        Fig9,
    }
}

/// Returns a table for each size distribution, and the reasons of deviations below them.
pub fn describe_table_1(rows: &[Table1Row]) -> String {
    let Some(first) = rows.first() else {
        return String::new();
    };
    let mut parts = vec![format!(
        "Raschdorf & Kolonko 2011, Table 1: candidates per sphere\n{}, boundary {}, {}",
        counted(first.spheres as u64, "sphere"),
        first.boundary,
        counted(first.runs, "run"),
    )];
    let mut reasons: Vec<&String> = Vec::new();
    for reason in rows.iter().filter_map(|row| row.reason.as_ref()) {
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    for rows in rows.chunk_by(|a, b| a.sizes == b.sizes) {
        let lines = table(rows, |row| {
            let reason = reasons
                .iter()
                .position(|&reason| Some(reason) == row.reason.as_ref());
            [
                ("quantity", row.quantity.clone()),
                ("paper", or_nothing(row.paper, |value| rounded(value, 5))),
                ("jostle", with_spread(row)),
                ("deviation", or_nothing(row.deviation, percent)),
                ("reason", or_nothing(reason, |at| (at + 1).to_string())),
            ]
        });
        parts.push(format!("{}\n\n{}", rows[0].sizes, aligned(&lines)));
    }
    if !reasons.is_empty() {
        let lines = reasons.iter().zip(1..);
        let lines = lines.map(|(reason, number)| format!("  {number}  {reason}"));
        let lines: Vec<String> = lines.collect();
        parts.push(format!("Reasons of the deviations:\n{}", lines.join("\n")));
    }
    parts.join("\n\n")
}

/// Returns a table of levels for each size distribution, and a table of the statements of the paper.
pub fn describe_fig_9(results: &Fig9) -> String {
    let Some(first) = results.levels.first() else {
        return String::new();
    };
    let mut parts = vec![format!(
        "Raschdorf & Kolonko 2011, Fig. 9: share of the spheres on each level\n{}, boundary {}, {}",
        counted(first.spheres as u64, "sphere"),
        first.boundary,
        counted(first.runs, "run"),
    )];
    for rows in results.levels.chunk_by(|a, b| a.sizes == b.sizes) {
        parts.push(format!("{}\n\n{}", rows[0].sizes, levels(rows)));
    }
    parts.push(
        "Eq. 3 is the maximum number of nodes that a sphere on a level of the strict\n\
         octree must search; existing nodes are those of them that hold spheres, or\n\
         whose descendants do."
            .to_owned(),
    );
    parts.push(format!(
        "Statements of the paper:\n\n{}",
        statements(&results.statements)
    ));
    parts.join("\n\n")
}

/// Returns the levels of both octrees side by side.
fn levels(rows: &[Fig9Level]) -> String {
    let depth = rows.iter().map(|row| row.level + 1).max().unwrap_or(0);
    let levels: Vec<usize> = (0..depth).collect();
    let of = |octree: PublishedOctree, level: usize| {
        let mut rows = rows.iter();
        rows.find(|row| row.octree == octree && row.level == level)
    };
    aligned(&table(&levels, |&level| {
        let (strict, loose) = (
            of(PublishedOctree::Strict, level),
            of(PublishedOctree::Loose, level),
        );
        let nodes = |value: Option<f64>| or_nothing(value, |value| rounded(value, 5));
        [
            ("level", level.to_string()),
            ("strict octree", or_nothing(strict, share)),
            ("loose octree", or_nothing(loose, share)),
            (
                "nodes by Eq. 3",
                nodes(strict.and_then(|row| row.most_nodes)),
            ),
            (
                "existing nodes",
                nodes(strict.and_then(|row| row.existing_nodes)),
            ),
        ]
    }))
}

fn statements(rows: &[Fig9Statement]) -> String {
    let line = |row: &Fig9Statement| {
        let sizes = match row.sizes {
            PaperSizes::Equal => "equal spheres",
            PaperSizes::Fuller => "Fuller curve",
            _ => "Fuller classes",
        };
        let verdict = if row.holds { "holds" } else { "does not hold" };
        let reason = row.reason.as_ref();
        let reason = reason.map_or_else(String::new, |reason| format!("\n  {reason}"));
        format!(
            "{sizes}, {} octree: {}\n  {verdict}; {} {}{reason}",
            row.octree,
            row.statement,
            percentage(row.share),
            row.counted,
        )
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Returns the text of a value, or nothing without a value.
fn or_nothing<T>(value: Option<T>, text: impl FnOnce(T) -> String) -> String {
    value.map_or_else(String::new, text)
}

fn with_spread(row: &Table1Row) -> String {
    if row.runs > 1 {
        format!("{} ± {}", rounded(row.mean, 4), rounded(row.spread, 2))
    } else {
        rounded(row.mean, 4)
    }
}

/// Returns a relative deviation as a percentage with its sign.
fn percent(deviation: f64) -> String {
    format!("{} %", signed(100.0 * deviation, 0))
}

fn percentage(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

/// Returns the share of a level with its standard deviation.
fn share(row: &Fig9Level) -> String {
    if row.runs > 1 {
        format!("{:.2} ± {:.2} %", 100.0 * row.share, 100.0 * row.spread)
    } else {
        percentage(row.share)
    }
}
