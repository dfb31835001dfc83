//! Costs of the indexes.

use crate::page::Page;
use jostle::{
    Boundaries, SizeSpec,
    laboratory::compare::{IndexComparison, IndexRow, compare_indexes},
};

use super::{
    markdown::table,
    numbers::{significant, with_spread},
    outcome::Outcome,
};

/// Measures the indexes on periodic packings and prints one table per size distribution.
pub fn report(page: &mut Page, comparison: &IndexComparison) -> Outcome {
    page.line("\n## Costs of the indexes\n
Ten packings of effort `quick`, periodic, one thread: `jostle compare index SIZES --boundary ppp --effort quick`. δ_V is a tenth of d_min.
Each entry is a mean ± standard deviation.\n
- Nodes: nodes or cells opened per query; for the k-d tree, searches.
- Insert: one insertion, averaged from the empty to the full index.
- Relocate: one relocation of a sphere by half of δ_V in a random direction.
- Query: one query with the distance tests of its candidates.
- Packing: a complete packing run with this index.");
    let comparison = comparison.clone().boundary(Boundaries::PERIODIC);
    for sizes in ["mono:d=1", "fuller:d_min=1,d_max=52.7"] {
        page.line(format!("\n`{sizes}`:"));
        let spec = SizeSpec::load(sizes)?;
        let rows = compare_indexes(&spec, &comparison, &mut |step| {
            eprintln!("{sizes}: run {}, {}", step.run, step.index);
        })?;
        let header = [
            "index",
            "nodes",
            "bytes/sphere",
            "insert, ns",
            "relocate, ns",
            "query, ns",
            "packing, s",
        ];
        page.text(&table(&header, rows.iter().map(cells)));
    }
    Ok(())
}

fn cells(row: &IndexRow) -> Vec<String> {
    vec![
        row.index.to_string(),
        with_spread(row.nodes_opened_mean, row.nodes_opened_spread),
        significant(row.bytes_per_sphere),
        with_spread(row.insert_ns, row.insert_ns_spread),
        with_spread(row.relocate_ns, row.relocate_ns_spread),
        with_spread(row.query_ns, row.query_ns_spread),
        with_spread(row.pack_seconds, row.pack_seconds_spread),
    ]
}
