//! Tables of detection times against the number of spheres.

use jostle::laboratory::{
    broad_phase::BroadPhaseKind,
    compare::{Growth, GrowthRow, Measurement, growth_rows},
};

use super::{markdown::table, numbers::significant};

const RESIDUALS: &str = "residuals of a N, a N log N, a N² + b N + c";

/// Returns the detection time of a measurement in nanoseconds per sphere and cycle.
pub fn nanoseconds(row: &Measurement) -> f64 {
    row.per_sphere_and_cycle(1e9 * row.seconds)
}

/// Returns the row of an algorithm with a number of spheres.
pub fn find(
    rows: &[Measurement],
    algorithm: BroadPhaseKind,
    spheres: usize,
) -> Option<&Measurement> {
    rows.iter()
        .find(|row| row.algorithm == algorithm && row.case.spheres == spheres)
}

/// Returns a table of times, exponents and fits with one column for each number of spheres.
pub fn growth_table(rows: &[Measurement]) -> String {
    let mut counts: Vec<usize> = rows.iter().map(|row| row.case.spheres).collect();
    counts.sort_unstable();
    counts.dedup();
    let mut header = vec!["algorithm".to_owned()];
    header.extend(counts.iter().map(|count| format!("N = {count}")));
    header.extend(
        [
            "time ~ N^",
            "operations ~ N^",
            "best fit of time",
            RESIDUALS,
        ]
        .map(str::to_owned),
    );
    let cells = |growth: &GrowthRow| {
        let time = |&count: &usize| {
            find(rows, growth.algorithm, count)
                .map_or_else(String::new, |row| significant(nanoseconds(row)))
        };
        let mut cells = vec![growth.algorithm.to_string()];
        cells.extend(counts.iter().map(time));
        cells.extend([
            format!("{:.2}", growth.time_exponent),
            format!("{:.2}", growth.operations_exponent),
            growth.growth.map_or("", Growth::formula).to_owned(),
            residuals(growth),
        ]);
        cells
    };
    table(&header, growth_rows(rows).iter().map(cells))
}

/// Returns a table of the coefficients of the quadratic law in nanoseconds.
pub fn quadratic_table(rows: &[Measurement]) -> String {
    let header = [
        "algorithm",
        "a",
        "b",
        "c",
        RESIDUALS,
        "time ~ N^",
        "operations ~ N^",
    ];
    let cells = |row: &GrowthRow| {
        let quadratic = row.fits.iter().find(|fit| fit.growth == Growth::Quadratic);
        let coefficient = |i: usize| {
            let value = quadratic.and_then(|fit| fit.coefficients.get(i));
            value.map_or_else(String::new, |value| significant(1e9 * value))
        };
        vec![
            row.algorithm.to_string(),
            coefficient(0),
            coefficient(1),
            coefficient(2),
            residuals(row),
            format!("{:.2}", row.time_exponent),
            format!("{:.2}", row.operations_exponent),
        ]
    };
    table(&header, growth_rows(rows).iter().map(cells))
}

fn residuals(row: &GrowthRow) -> String {
    let fits = row.fits.iter();
    let percentages = fits.map(|fit| format!("{:.0} %", 100.0 * fit.residual));
    percentages.collect::<Vec<_>>().join(", ")
}
