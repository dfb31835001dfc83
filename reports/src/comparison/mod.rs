//! Writes the report on indexes and broad phase algorithms:
//! `cargo run --release -p reports -- comparison`.
//!
//! A number as argument divides all numbers of spheres, for a quick trial.

mod broad_phases;
mod growth_table;
mod index_costs;
mod levels;
mod numbers;
pub mod soft_spheres;
mod table_1;

use crate::{markdown, outcome, outcome::Outcome, page::Page};
use jostle::laboratory::compare::IndexComparison;

pub fn write(arguments: &[String]) -> Outcome {
    let page = &mut Page::default();
    let divisor = arguments.first().map_or(Ok(1), |text| text.parse())?;
    let divided = |count: usize| (count / divisor).max(10);
    page.line("# Indexes and broad phase algorithms compared\n
Written by `cargo run --release -p reports -- comparison`. Counts are the same in every run and
on every machine. Times belong to one machine: compare them with one another only.\n
Papers: S. Raschdorf & M. Kolonko, Loose octree: a data structure for the simulation of polydisperse particle packings (2011), and
C. Schiava D'Albano et al., comparison of the contact detection algorithms MR, MR-S, NBS and BBTS. `jostle compare index` and
`jostle compare broad-phase` make single tables for other sizes and other numbers of spheres.");
    let comparison = IndexComparison::of_the_paper().spheres(divided(10_000));
    table_1::report(page, &comparison)?;
    levels::report(page, &comparison)?;
    index_costs::report(page, &comparison)?;
    broad_phases::report(page, &divided)?;
    soft_spheres::report(page, &divided)?;
    std::mem::take(page).write("comparison")
}
