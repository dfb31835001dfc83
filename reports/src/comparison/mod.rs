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
mod packings;
pub mod sort_and_search;
pub mod steps;
mod table_1;

use crate::{markdown, outcome, outcome::Outcome, page::Page};

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
\"2011\" is S. Raschdorf & M. Kolonko, Loose octree: a data structure for the simulation of polydisperse particle packings.
\"The contact detection paper\" is that of Schiava D'Albano et al. on MR, MR-S, NBS and BBTS. `jostle compare index` and
`jostle compare broad-phase` make single tables for other sizes and other numbers of spheres.");
    let spheres = divided(10_000);
    let series = packings::all(spheres)?;
    table_1::report(page, &series);
    levels::report(page, &series);
    index_costs::report(page, spheres)?;
    broad_phases::report(page, &divided, most)?;
    std::mem::take(page).write("comparison")
}
