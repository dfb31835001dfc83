//! Writes the report on the four papers, one row for each of their figures, tables, numbered equations and claims:
//! `cargo run --release -p reports -- papers`.

mod contact_detection;
mod contact_experiments;
mod cost_model;
mod multilevel;
mod multilevel_times;
mod packing_loop;
mod row;
mod soft_spheres;
mod statement;

use row::{Row, Verdict};

use crate::{markdown::table, outcome::Outcome, page::Page};

/// A paper, with the title that all pages use.
type Paper = (&'static str, fn() -> Outcome<Vec<Row>>);

const PAPERS: [Paper; 4] = [
    (
        "S. Raschdorf & M. Kolonko, Loose octree: a data structure for the simulation of polydisperse particle packings (2011)",
        packing_loop::rows,
    ),
    (
        "D. Krijgsman, V. Ogarko & S. Luding, Optimal parameters for a hierarchical grid data structure for contact detection in \
         arbitrarily polydisperse particle systems (2014)",
        hierarchical_grid,
    ),
    (
        "V. Ogarko & S. Luding, A fast multilevel algorithm for contact detection of arbitrarily polydisperse objects (2012)",
        multilevel::rows,
    ),
    (
        "C. Schiava D'Albano et al., comparison of the contact detection algorithms MR, MR-S, NBS and BBTS",
        contact_detection::rows,
    ),
];

/// Returns the rows of the cost model and those of disks in a plane.
fn hierarchical_grid() -> Outcome<Vec<Row>> {
    let mut rows = cost_model::rows()?;
    rows.extend(soft_spheres::rows()?);
    Ok(rows)
}

/// Returns the text of a cell, which is never empty.
fn value(text: &str) -> String {
    if text.is_empty() { "–" } else { text }.to_owned()
}

pub fn write(_: &[String]) -> Outcome {
    let mut page = Page::default();
    page.line(
        "# The papers\n
Written by `cargo run --release -p reports -- papers`.\n
One row for each figure, table, numbered equation and claim of the four papers that jostle implements.",
    );
    for (title, rows) in PAPERS {
        let rows = rows()?;
        let count = |verdict| rows.iter().filter(|row| row.verdict == verdict).count();
        page.line(format!(
            "\n## {title}\n\n{} rows: {} reproduced, {} deviate, {} out of reach.",
            rows.len(),
            count(Verdict::Reproduced),
            count(Verdict::Deviates),
            count(Verdict::OutOfReach)
        ));
        let header = ["item", "statement", "paper", "jostle", "result", "remark"];
        let cells = |row: &Row| {
            vec![
                row.item.to_owned(),
                row.statement.to_owned(),
                value(&row.theirs),
                value(&row.ours),
                row.verdict.word().to_owned(),
                value(&row.reason),
            ]
        };
        page.text(&table(&header, rows.iter().map(cells)));
    }
    page.write("papers")
}
