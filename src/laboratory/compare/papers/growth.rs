//! Growth of the cost of every algorithm with the number of spheres, and laws fitted to it.

use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use super::{constants::QUADRATIC_PENALTY, detection::Measurement, experiment::Experiment};
use crate::{laboratory::broad_phase::BroadPhaseKind, macros::choice};

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

choice! {
    "law of growth", "kebab-case";
    /// Law by which time may grow with the number of spheres, the simplest first.
    #[non_exhaustive]
    pub enum Growth {
        /// `a N`.
        Linear,
        /// `a N ln N`.
        Linearithmic,
        /// `a N² + b N + c`.
        Quadratic,
    }
}

impl Growth {
    /// Returns the law as a formula in the number of spheres N.
    pub fn formula(self) -> &'static str {
        match self {
            Self::Linear => "a N",
            Self::Linearithmic => "a N log N",
            Self::Quadratic => "a N² + b N + c",
        }
    }

    /// Number of coefficients.
    fn terms(self) -> usize {
        match self {
            Self::Linear | Self::Linearithmic => 1,
            Self::Quadratic => 3,
        }
    }

    /// Returns the factors of the coefficients at `n` spheres, with `n` divided by `largest` except in the logarithm.
    fn basis(self, n: f64, largest: f64) -> DVec3 {
        match self {
            Self::Linear => DVec3::new(n / largest, 0.0, 0.0),
            Self::Linearithmic => DVec3::new(n / largest * n.ln(), 0.0, 0.0),
            Self::Quadratic => DVec3::new((n / largest).powi(2), n / largest, 1.0),
        }
    }
}

/// Law fitted to measured times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Fit {
    /// Law.
    pub growth: Growth,
    /// `a`, or `a`, `b`, `c`, in seconds.
    pub coefficients: Vec<f64>,
    /// Standard error of the fit: `√(Σ (relative deviation)² / (number of points − number of coefficients))`.
    pub residual: f64,
}

impl Fit {
    /// Returns the time of the law in seconds for a number of spheres, also beyond the measured numbers.
    pub fn seconds(&self, spheres: f64) -> f64 {
        let mut coefficients = [0.0; 3];
        for (coefficient, &fitted) in coefficients.iter_mut().zip(&self.coefficients) {
            *coefficient = fitted;
        }
        self.growth
            .basis(spheres, 1.0)
            .dot(DVec3::from_array(coefficients))
    }
}

/// Fits each law to `(number of spheres, seconds)`, the simplest law first.
///
/// The fit minimizes the squares of *relative* deviations: times span decades, and the largest time alone would
/// determine an absolute fit. A law needs more points than it has coefficients, all of them positive; otherwise the
/// result does not contain the law.
pub fn fits(points: &[(f64, f64)]) -> Vec<Fit> {
    Growth::VARIANTS
        .iter()
        .filter_map(|&growth| fit(growth, points))
        .collect()
}

/// Returns the law that the residuals support.
///
/// That is the better of `a N` and `a N ln N`, or the quadratic law if it passes two tests. Its residual must be below
/// two thirds of the other residuals, because its additional coefficients follow the noise. Its square must make up
/// most of the time at `largest`, the largest number of spheres.
///
/// Times that grow with N for another reason, such as data that outgrow the processor's caches, can resemble a higher
/// law; the numbers of distance tests and opened cells do not have this weakness.
pub fn best_growth(fits: &[Fit], largest: f64) -> Option<Growth> {
    let is_plausible = |fit: &Fit| match fit.coefficients[..] {
        [a, b, c] => a * largest * largest > b * largest + c,
        _ => true,
    };
    let penalised_residual = |fit: &Fit| match fit.growth {
        Growth::Quadratic => QUADRATIC_PENALTY * fit.residual,
        _ => fit.residual,
    };
    fits.iter()
        .filter(|fit| is_plausible(fit))
        .min_by(|a, b| penalised_residual(a).total_cmp(&penalised_residual(b)))
        .map(|fit| fit.growth)
}

fn fit(growth: Growth, points: &[(f64, f64)]) -> Option<Fit> {
    let terms = growth.terms();
    if points.len() <= terms || points.iter().any(|&(n, t)| !(n > 0.0 && t > 0.0)) {
        return None;
    }
    // Division by the largest N keeps the normal equations well conditioned.
    let largest = points.iter().map(|&(n, _)| n).fold(0.0, f64::max);
    let mut normal = DMat3::ZERO;
    let mut right = DVec3::ZERO;
    for &(n, t) in points {
        let row = growth.basis(n, largest) / t;
        normal += DMat3::from_cols(row * row.x, row * row.y, row * row.z);
        right += row;
    }
    for unused in terms..3 {
        normal.col_mut(unused)[unused] = 1.0;
    }
    let solution = normal.inverse() * right;
    let squares: f64 = points
        .iter()
        .map(|&(n, t)| (solution.dot(growth.basis(n, largest)) / t - 1.0).powi(2))
        .sum();
    let residual = (squares / (points.len() - terms) as f64).sqrt();
    let coefficients = match growth {
        Growth::Quadratic => solution / DVec3::new(largest * largest, largest, 1.0),
        Growth::Linear | Growth::Linearithmic => solution / largest,
    };
    residual.is_finite().then(|| Fit {
        growth,
        coefficients: coefficients.to_array()[..terms].to_vec(),
        residual,
    })
}

/// Returns the exponent `p` of `a N^p` through `(number of spheres, seconds)`, by least squares on logarithms.
///
/// Points that are not positive are ignored. The result is `None` without two different numbers of spheres.
pub fn growth_exponent(points: &[(f64, f64)]) -> Option<f64> {
    let logs: Vec<(f64, f64)> = points
        .iter()
        .filter(|&&(n, t)| n > 0.0 && t > 0.0)
        .map(|&(n, t)| (n.ln(), t.ln()))
        .collect();
    let count = logs.len() as f64;
    let mean_x = logs.iter().map(|&(x, _)| x).sum::<f64>() / count;
    let mean_y = logs.iter().map(|&(_, y)| y).sum::<f64>() / count;
    let (mut xy, mut xx) = (0.0, 0.0);
    for (x, y) in logs {
        xy += (x - mean_x) * (y - mean_y);
        xx += (x - mean_x).powi(2);
    }
    (xx > 0.0).then(|| xy / xx)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laboratory::compare::Case;

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

    const LARGEST: f64 = 256_000.0;

    /// Nine points from 1000 spheres up to [`LARGEST`], each with a deviation of up to 1 % from `law`.
    fn noisy_points(law: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
        (0..9)
            .map(|i| 1000.0 * 2f64.powi(i))
            .map(|n| (n, law(n) * (1.0 + 0.01 * n.sin())))
            .collect()
    }

    #[test]
    fn fits_tell_the_laws_apart() {
        let assert_best = |points: Vec<(f64, f64)>, growth: Growth, a: f64| {
            let fits = fits(&points);
            assert_eq!(best_growth(&fits, LARGEST), Some(growth));
            let fit = fits.iter().find(|fit| fit.growth == growth).unwrap();
            assert!(fit.residual < 0.02, "{fits:?}");
            assert!((fit.coefficients[0] / a - 1.0).abs() < 0.05, "{fit:?}");
            for (n, t) in points {
                assert!((fit.seconds(n) / t - 1.0).abs() < 0.05, "{fit:?}");
            }
        };
        assert_best(noisy_points(|n| 3e-7 * n), Growth::Linear, 3e-7);
        assert_best(
            noisy_points(|n| 2e-8 * n * n.ln()),
            Growth::Linearithmic,
            2e-8,
        );
        assert_best(
            noisy_points(|n| 1e-9 * n * n + 1e-6 * n + 1e-3),
            Growth::Quadratic,
            1e-9,
        );
    }

    #[test]
    fn linear_times_with_a_step_are_not_quadratic() {
        // A parabola follows these points better than a line.
        let step = noisy_points(|n| n * (1.0 + 0.3 * n / LARGEST));
        assert_ne!(best_growth(&fits(&step), LARGEST), Some(Growth::Quadratic));
    }

    #[test]
    fn a_law_needs_more_points_than_coefficients() {
        assert_eq!(best_growth(&[], 1.0), None);
        assert!(fits(&[]).is_empty());
        assert_eq!(fits(&noisy_points(|n| n)[..2]).len(), 2);
    }

    #[test]
    fn exponent_is_that_of_the_power_law() {
        let points = noisy_points(|n| n.powf(1.5));
        assert!((growth_exponent(&points).unwrap() - 1.5).abs() < 0.01);
        assert_eq!(growth_exponent(&[(5.0, 1.0)]), None);
    }
}
