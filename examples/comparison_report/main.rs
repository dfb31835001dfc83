//! Writes the report on indexes and broad phase algorithms:
//! `cargo run --release --example comparison_report > docs/comparison.md`.
//!
//! A number as argument divides all numbers of spheres, to try it out.

mod broad_phases;
mod indexes;
mod table;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let divisor = std::env::args().nth(1).map_or(Ok(1), |text| text.parse())?;
    let divided = |count: usize| (count / divisor).max(10);
    println!(
        "# Indexes and broad phase algorithms compared\n
Written by `cargo run --release --example comparison_report > docs/comparison.md`. Counts are the same in every run and
on every machine, times are not: compare them with one another only.\n
\"2011\" is S. Raschdorf & M. Kolonko, Loose octree: a data structure for the simulation of polydisperse particle packings;
the contact detection paper is that of Schiava D'Albano et al. on MR, MR-S, NBS and BBTS. Single tables, for other sizes and
numbers, come from `jostle compare index` and `jostle compare broad-phase`."
    );
    indexes::report(divided(10_000))?;
    broad_phases::report(&divided)
}
