//! Writes the report on indexes and broad phase algorithms:
//! `cargo run --release -p reports -- comparison`.
//!
//! A number as argument divides all numbers of spheres, for a quick trial. A second number is the largest number of spheres, before
//! the division; its default is ten million.

pub mod broad_phases;
pub mod cache_misses;
mod growth_table;
mod index_costs;
mod large;
mod levels;
pub mod memory_access;
mod numbers;
pub mod orders;
pub mod soft_spheres;
pub mod sort_and_search;
pub mod steps;
mod table_1;

use crate::{markdown, outcome, outcome::Outcome, page::Page};
use jostle::laboratory::compare::IndexComparison;

pub fn write(arguments: &[String]) -> Outcome {
    let page = &mut Page::default();
    let divisor = arguments.first().map_or(Ok(1), |text| text.parse())?;
    let most = arguments
        .get(1)
        .map_or(Ok(10_000_000), |text| text.parse())?;
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
    broad_phases::report(page, &divided, most)?;
    soft_spheres::report(page, &divided)?;
    std::mem::take(page).write("comparison")
}
