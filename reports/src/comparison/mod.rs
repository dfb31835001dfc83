//! Writes the report on indexes and broad phase algorithms:
//! `cargo run --release -p reports -- comparison`.
//!
//! A number as argument divides all numbers of spheres, for a quick trial.

mod broad_phases;
mod growth_table;
mod index_costs;
mod levels;
mod numbers;
mod packings;
pub mod soft_spheres;
mod table_1;

use crate::{markdown, outcome, outcome::Outcome, page::Page};

pub fn write(arguments: &[String]) -> Outcome {
    let page = &mut Page::default();
    let divisor = arguments.first().map_or(Ok(1), |text| text.parse())?;
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
    broad_phases::report(page, &divided)?;
    soft_spheres::report(page, &divided)?;
    std::mem::take(page).write("comparison")
}
