//! Growth of the cost of every algorithm with the number of spheres.

use serde::{Deserialize, Serialize};

use super::{
    detection::Measurement,
    experiment::Experiment,
    growth_fit::{Fit, Growth, best_growth, fits, growth_exponent},
};
use crate::laboratory::broad_phase::BroadPhaseKind;

/// Growth of the cost of one algorithm with the number of spheres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct GrowthRow {
    /// Experiment.
    pub experiment: Experiment,
    /// Spacing in diameters, for experiments II and III.
    pub spacing: f64,
    /// Size ratio, for experiment V.
    pub size_ratio: f64,
    /// Algorithm.
    pub algorithm: BroadPhaseKind,
    /// Smallest and largest number of spheres.
    pub spheres: [usize; 2],
    /// Exponent of the detection time.
    pub time_exponent: f64,
    /// Exponent of the number of distance tests and opened cells, which caches and other programs do not change.
    pub operations_exponent: f64,
    /// Law that the residuals support; `None` with too few points.
    pub growth: Option<Growth>,
    /// Fitted laws, the simplest first.
    pub fits: Vec<Fit>,
}

impl GrowthRow {
    /// Fits the rows of one algorithm, which differ in the number of spheres; `None` without two different numbers.
    fn new(rows: &[&Measurement]) -> Option<Self> {
        let points = |cost: &dyn Fn(&Measurement) -> f64| -> Vec<(f64, f64)> {
            rows.iter()
                .map(|row| (row.case.spheres as f64, cost(row)))
                .collect()
        };
        let times = points(&|row| row.seconds);
        let operations = points(&|row| row.operations() as f64);
        let counts = rows.iter().map(|row| row.case.spheres);
        let spheres = [counts.clone().min()?, counts.max()?];
        let fits = fits(&times);
        let &first = rows.first()?;
        Some(Self {
            experiment: first.case.experiment,
            spacing: first.case.spacing,
            size_ratio: first.case.size_ratio,
            algorithm: first.algorithm,
            spheres,
            time_exponent: growth_exponent(&times)?,
            operations_exponent: growth_exponent(&operations)?,
            growth: best_growth(&fits, spheres[1] as f64),
            fits,
        })
    }
}

/// Returns the growth of every algorithm that has measurements with at least two numbers of spheres.
///
/// The result keeps the order in which `rows` first name an algorithm in an experiment.
pub fn growth_rows(rows: &[Measurement]) -> Vec<GrowthRow> {
    let key = |row: &Measurement| {
        let case = row.case;
        (
            case.experiment,
            case.spacing,
            case.size_ratio,
            row.algorithm,
        )
    };
    let mut keys = Vec::new();
    for row in rows {
        if !keys.contains(&key(row)) {
            keys.push(key(row));
        }
    }
    keys.into_iter()
        .filter_map(|wanted| {
            let rows: Vec<&Measurement> = rows.iter().filter(|row| key(row) == wanted).collect();
            GrowthRow::new(&rows)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laboratory::compare::experiment::Case;

    #[test]
    fn rows_differ_in_all_but_the_number_of_spheres() {
        let row = |spacing: f64, spheres: usize, algorithm| Measurement {
            case: Case {
                spacing,
                ..Experiment::I.cases(&[spheres], 1)[0]
            },
            algorithm,
            seconds: spacing * (spheres as f64).powi(2),
            sort_seconds: None,
            first_seconds: 0.0,
            pairs: 0,
            pair_tests: spheres as u64,
            box_overlaps: 0,
            cell_accesses: 0,
            comparisons: 0,
            bytes_per_sphere: 0.0,
            paper_bytes_per_sphere: None,
        };
        let (nbs, mr) = (BroadPhaseKind::Nbs, BroadPhaseKind::Mr);
        let rows = [
            row(1.0, 10, nbs),
            row(1.0, 10, mr),
            row(1.0, 100, nbs),
            row(2.0, 10, nbs),
            row(2.0, 1000, nbs),
        ];
        let growth = growth_rows(&rows);
        let found = growth.iter().map(|row| (row.spacing, row.spheres));
        assert_eq!(
            found.collect::<Vec<_>>(),
            [(1.0, [10, 100]), (2.0, [10, 1000])],
            "an algorithm with one number of spheres has no growth"
        );
        assert!((growth[1].time_exponent - 2.0).abs() < 1e-12);
        assert!((growth[1].operations_exponent - 1.0).abs() < 1e-12);
    }
}
