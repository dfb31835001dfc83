//! Fig. 9 of Raschdorf & Kolonko 2011: spheres on the levels of the octrees; and Eq. 3.

use crate::page::Page;
use jostle::{
    Boundaries,
    laboratory::compare::{
        Fig9, Fig9Level, Fig9Statement, IndexComparison, PaperSizes, PublishedOctree, fig_9,
    },
};

use super::{markdown::table, numbers::significant, outcome::Outcome};

/// Number of characters of a bar for all spheres.
const BAR_LENGTH: f64 = 25.0;

/// Prints the share of each level of both octrees on periodic packings, the statements of the paper, and the nodes of Eq. 3.
pub fn report(page: &mut Page, comparison: &IndexComparison) -> Outcome {
    let comparison = comparison.clone().boundary(Boundaries::PERIODIC);
    let found = fig_9(&comparison, &mut |step| {
        eprintln!("Fig. 9: {}, run {}", step.sizes, step.run);
    })?;
    page.line(format!("\n## Spheres on the levels of the octrees (Raschdorf & Kolonko 2011, Fig. 9)\n
Percentage of the spheres on each level, means over {} periodic packings; level 0 is the root:
`jostle compare index --experiment fig-9 --boundary ppp`. With Fuller sizes, the share of the deepest level depends on s0 alone: the smallest
spheres change their level at 64 d_min, and below 64 d_min there is no level as deep as that of the paper.", comparison.runs));
    for &sizes in PaperSizes::ALL {
        page.line(format!(
            "\n```text\n{sizes}\nlevel  {:<37}loose octree",
            "strict octree"
        ));
        let levels = found.levels.iter().filter(|row| row.sizes == sizes);
        for level in 0..levels.map(|row| row.level + 1).max().unwrap_or(0) {
            let [strict, loose] = [PublishedOctree::Strict, PublishedOctree::Loose]
                .map(|octree| bar(find(&found, sizes, octree, level)));
            page.line(format!("{level:5}  {strict:<37}{loose}").trim_end());
        }
        page.line("```");
    }
    page.line("\nStatements of the paper on the figure:");
    let header = ["sizes", "octree", "paper", "found", "result", "reason"];
    page.text(&table(&header, found.statements.iter().map(statement)));
    nodes(page, &found);
    Ok(())
}

fn find(
    found: &Fig9,
    sizes: PaperSizes,
    octree: PublishedOctree,
    level: usize,
) -> Option<&Fig9Level> {
    let mut rows = found.levels.iter();
    rows.find(|row| row.sizes == sizes && row.octree == octree && row.level == level)
}

/// Returns the share of the spheres on a level as a percentage and as a bar; 0 for a level that an octree does not have.
fn bar(level: Option<&Fig9Level>) -> String {
    let share = level.map_or(0.0, |row| row.share);
    let bar = "#".repeat((BAR_LENGTH * share).round() as usize);
    format!("{:6.2} % {bar}", 100.0 * share)
}

fn statement(row: &Fig9Statement) -> Vec<String> {
    let verdict = if row.holds { "holds" } else { "does not hold" };
    vec![
        format!("`{}`", row.sizes),
        row.octree.to_string(),
        row.statement.clone(),
        format!("{:.2} % {}", 100.0 * row.share, row.counted),
        verdict.to_owned(),
        row.reason.clone().unwrap_or_default(),
    ]
}

/// Prints the nodes that a sphere on each level of the strict octree must search.
fn nodes(page: &mut Page, found: &Fig9) {
    page.line("\n### Nodes that a search must open (Raschdorf & Kolonko 2011, Eq. 3)\n
Maximum number n_ν(l) of nodes whose spheres a sphere on level l of the strict octree has to compare itself with: its node, the l ancestors
of the node, and all descendants down to the deepest level of Eq. 2. Beside it, how many of these nodes exist in the packings, because
they or their descendants hold spheres. `tests/integration/papers_2011.rs` compares Eq. 3 with a direct count.");
    let header = ["sizes", "l", "n_ν(l), Eq. 3", "existing nodes"];
    let rows = found.levels.iter().filter_map(|row| {
        let [most, existing] = [row.most_nodes?, row.existing_nodes?];
        Some(vec![
            format!("`{}`", row.sizes),
            row.level.to_string(),
            significant(most),
            significant(existing),
        ])
    });
    page.text(&table(&header, rows));
}
