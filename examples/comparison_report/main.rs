//! Writes the report on indexes and broad phase algorithms:
//! `cargo run --release --example comparison_report > docs/comparison.md`.
//!
//! A number as argument divides all numbers of spheres, for a quick trial.

mod broad_phases;
mod growth_table;
mod index_costs;
mod levels;
#[path = "../common/markdown.rs"]
mod markdown;
mod numbers;
#[path = "../common/outcome.rs"]
mod outcome;
mod packings;
mod table_1;

use outcome::Outcome;

fn main() -> Outcome {
    let divisor = std::env::args().nth(1).map_or(Ok(1), |text| text.parse())?;
    let divided = |count: usize| (count / divisor).max(10);
    println!(
        "# Indexes and broad phase algorithms compared\n
Written by `cargo run --release --example comparison_report > docs/comparison.md`. Counts are the same in every run and
on every machine. Times belong to one machine: compare them with one another only.\n
\"2011\" is S. Raschdorf & M. Kolonko, Loose octree: a data structure for the simulation of polydisperse particle packings.
\"The contact detection paper\" is that of Schiava D'Albano et al. on MR, MR-S, NBS and BBTS. `jostle compare index` and
`jostle compare broad-phase` make single tables for other sizes and other numbers of spheres."
    );
    let spheres = divided(10_000);
    let series = packings::all(spheres)?;
    table_1::report(&series);
    levels::report(&series);
    index_costs::report(spheres)?;
    broad_phases::report(&divided)
}
