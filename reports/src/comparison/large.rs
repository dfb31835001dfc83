//! The paper's algorithms among up to ten million spheres, and an estimate beyond.

use crate::{markdown::table, numbers::grouped, page::Page};
use jostle::laboratory::{
    broad_phase::BroadPhaseKind,
    compare::{Experiment, Fit, Growth, Measurement, best_growth, fits},
};

use super::{
    broad_phases::{SEED, measure_cases},
    growth_table::growth_table,
    orders::PAPER,
    outcome::Outcome,
};

/// Numbers of spheres beyond those of the other tables.
pub const NUMBERS: [usize; 2] = [3_162_278, 10_000_000];

/// Largest number of elements in the paper.
const MOST_OF_PAPER: f64 = 1.2e8;

/// Smallest number of spheres from which times are extrapolated: below it, the data fit into the caches.
const LEAST_FITTED: usize = 100_000;

/// The paper's algorithms that are linear.
const LINEAR: [BroadPhaseKind; 3] = [BroadPhaseKind::Nbs, BroadPhaseKind::Mr, BroadPhaseKind::MrS];

/// Measures the paper's algorithms with more spheres than in `rows`, and prints their growth and an estimate for the largest number of
/// elements of the paper. Returns all rows of these algorithms.
pub fn report(
    page: &mut Page,
    experiment: Experiment,
    rows: &[Measurement],
    numbers: &[usize],
) -> Outcome<Vec<Measurement>> {
    let mut rows = rows.to_vec();
    rows.retain(|row| PAPER.contains(&row.algorithm));
    let has_bbts = |spheres| {
        let mut rows = rows.iter();
        rows.any(|row| row.case.spheres == spheres && row.algorithm == BroadPhaseKind::Bbts)
    };
    let mut without: Vec<usize> = rows.iter().map(|row| row.case.spheres).collect();
    without.sort_unstable();
    without.dedup();
    without.retain(|&spheres| !has_bbts(spheres));
    rows.extend(measure_cases(
        experiment.cases(&without, SEED),
        &[BroadPhaseKind::Bbts],
    )?);
    rows.extend(measure_cases(experiment.cases(numbers, SEED), &LINEAR)?);
    let mut large = rows.clone();
    large.retain(|row| row.case.spheres >= LEAST_FITTED);
    page.line("\nThe paper's algorithms with more spheres, in memory:");
    page.text(&growth_table(&large));
    print_estimates(page, &large);
    Ok(rows)
}

/// Prints the times of the fitted laws for the largest number of elements of the paper.
fn print_estimates(page: &mut Page, rows: &[Measurement]) {
    page.line(format!(
        "\nAn estimate, not a measurement: the time of ten cycles for {} spheres, by a N or a N log N, whichever fits the times from
{} spheres on better. The quadratic law follows the step at the size of a cache, and is not extrapolated. The paper has up to 0.12 billion particles.",
        grouped(MOST_OF_PAPER as usize),
        grouped(LEAST_FITTED)
    ));
    let header = ["algorithm", "measured up to", "law", "estimate, s"];
    let cells = |algorithm: &BroadPhaseKind| {
        let points: Vec<(f64, f64)> = (rows.iter())
            .filter(|row| row.algorithm == *algorithm)
            .map(|row| (row.case.spheres as f64, row.seconds))
            .collect();
        let largest = points.iter().map(|&(n, _)| n).fold(0.0, f64::max);
        let fits = extrapolating(&points, largest);
        let law = fits.map(|fit| (fit.growth.formula(), fit.seconds(MOST_OF_PAPER)));
        vec![
            algorithm.to_string(),
            grouped(largest as usize),
            law.map_or("", |(formula, _)| formula).to_owned(),
            law.map_or_else(String::new, |(_, seconds)| format!("{seconds:.0}")),
        ]
    };
    page.text(&table(&header, PAPER.iter().map(cells)));
}

/// Returns the best law by which times may be extrapolated. The quadratic law is none: it follows the step at the size of a cache.
fn extrapolating(points: &[(f64, f64)], largest: f64) -> Option<Fit> {
    let mut fits = fits(points);
    fits.retain(|fit| fit.growth != Growth::Quadratic);
    let best = best_growth(&fits, largest)?;
    fits.into_iter().find(|fit| fit.growth == best)
}
