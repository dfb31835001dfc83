//! How the cost of an algorithm grows with the number of spheres.

use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

use super::{Experiment, Measurement};
use crate::laboratory::broad_phase::BroadPhaseKind;

/// A law by which time may grow with the number of spheres.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Growth {
    /// `a N`.
    Linear,
    /// `a N ln N`.
    Linearithmic,
    /// `a N² + b N + c`.
    Quadratic,
}

/// A law fitted to measured times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fit {
    /// The law.
    pub growth: Growth,
    /// `a`, or `a`, `b`, `c`, in seconds.
    pub coefficients: Vec<f64>,
    /// Root mean square of the relative deviations, over the points beyond the number of coefficients.
    pub residual: f64,
}

/// The three laws, each fitted to `(number of spheres, seconds)`, the simplest first.
///
/// Squares of *relative* deviations are minimised, since times span decades and would otherwise be judged by the largest
/// alone. A law needs more points than it has coefficients, all of them positive; it is left out otherwise.
pub fn fits(points: &[(f64, f64)]) -> Vec<Fit> {
    [Growth::Linear, Growth::Linearithmic, Growth::Quadratic]
        .into_iter()
        .filter_map(|growth| fit(growth, points))
        .collect()
}

/// The law that the residuals speak for: the better of `a N` and `a N ln N`, unless the quadratic law, which has more
/// coefficients to follow the noise with, leaves less than two thirds of its residual and its square makes up most of
/// the time at `largest`, the largest number of spheres.
///
/// Times that grow with N for another reason, such as data that outgrow the processor's caches, can look like a higher
/// law; the counts of [`Work`](crate::laboratory::broad_phase::Work) are free of that.
pub fn decided_growth(fits: &[Fit], largest: f64) -> Option<Growth> {
    let is_quadratic = |fit: &Fit| match fit.coefficients[..] {
        [a, b, c] => a * largest * largest > b * largest + c,
        _ => true,
    };
    let weight = |fit: &Fit| match fit.growth {
        Growth::Quadratic => 1.5 * fit.residual,
        _ => fit.residual,
    };
    fits.iter()
        .filter(|fit| is_quadratic(fit))
        .min_by(|a, b| weight(a).total_cmp(&weight(b)))
        .map(|fit| fit.growth)
}

fn fit(growth: Growth, points: &[(f64, f64)]) -> Option<Fit> {
    let terms = if growth == Growth::Quadratic { 3 } else { 1 };
    if points.len() <= terms || points.iter().any(|&(n, t)| !(n > 0.0 && t > 0.0)) {
        return None;
    }
    // Scaled to 1 at the largest N, which keeps the normal equations well conditioned.
    let scale = points.iter().map(|&(n, _)| n).fold(0.0, f64::max);
    let basis = |n: f64| match growth {
        Growth::Linear => DVec3::new(n / scale, 0.0, 0.0),
        Growth::Linearithmic => DVec3::new(n / scale * n.ln(), 0.0, 0.0),
        Growth::Quadratic => DVec3::new((n / scale).powi(2), n / scale, 1.0),
    };
    let mut normal = DMat3::ZERO;
    let mut right = DVec3::ZERO;
    for &(n, t) in points {
        let row = basis(n) / t;
        normal += DMat3::from_cols(row * row.x, row * row.y, row * row.z);
        right += row;
    }
    for unused in terms..3 {
        normal.col_mut(unused)[unused] = 1.0;
    }
    let solution = normal.inverse() * right;
    let squares: f64 = points
        .iter()
        .map(|&(n, t)| (solution.dot(basis(n)) / t - 1.0).powi(2))
        .sum();
    let residual = (squares / (points.len() - terms) as f64).sqrt();
    let unscaled = match growth {
        Growth::Quadratic => solution / DVec3::new(scale * scale, scale, 1.0),
        _ => solution / scale,
    };
    residual.is_finite().then(|| Fit {
        growth,
        coefficients: unscaled.to_array()[..terms].to_vec(),
        residual,
    })
}

/// The exponent `p` of `a N^p` through `(number of spheres, seconds)`, by least squares on logarithms; `None` without two
/// different positive numbers of spheres.
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

/// How one algorithm took to more and more spheres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrowthRow {
    /// The experiment.
    pub experiment: Experiment,
    /// The spacing, for II and III.
    pub spacing: f64,
    /// The size ratio, for V.
    pub size_ratio: f64,
    /// The algorithm.
    pub algorithm: BroadPhaseKind,
    /// The smallest and the largest number of spheres.
    pub spheres: [usize; 2],
    /// The exponent of the detection time.
    pub time_exponent: f64,
    /// The exponent of the number of distance tests and cell accesses, which no cache and no other load changes.
    pub work_exponent: f64,
    /// The law that the residuals speak for, if there are enough points.
    pub growth: Option<Growth>,
    /// The laws.
    pub fits: Vec<Fit>,
}

/// The growth of every algorithm that was measured with two or more numbers of spheres, in the order of the rows.
pub fn growth_rows(rows: &[Measurement]) -> Vec<GrowthRow> {
    let same = |a: &Measurement, b: &Measurement| {
        let key = |row: &Measurement| {
            let case = row.case;
            (
                case.experiment,
                case.spacing,
                case.size_ratio,
                row.algorithm,
            )
        };
        key(a) == key(b)
    };
    let firsts = (0..rows.len()).filter(|&i| !rows[..i].iter().any(|row| same(row, &rows[i])));
    firsts
        .filter_map(|first| {
            let first = &rows[first];
            let group: Vec<&Measurement> = rows.iter().filter(|row| same(row, first)).collect();
            let points = |cost: &dyn Fn(&Measurement) -> f64| -> Vec<(f64, f64)> {
                let count = |row: &Measurement| row.case.spheres as f64;
                group.iter().map(|row| (count(row), cost(row))).collect()
            };
            let times = points(&|row| row.seconds);
            let fits = fits(&times);
            let counts = group.iter().map(|row| row.case.spheres);
            let spheres = [counts.clone().min()?, counts.max()?];
            Some(GrowthRow {
                experiment: first.case.experiment,
                spacing: first.case.spacing,
                size_ratio: first.case.size_ratio,
                algorithm: first.algorithm,
                spheres,
                time_exponent: growth_exponent(&times)?,
                work_exponent: growth_exponent(&points(&|row| {
                    (row.pair_tests + row.cell_accesses) as f64
                }))?,
                growth: decided_growth(&fits, spheres[1] as f64),
                fits,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LARGEST: f64 = 256_000.0;

    #[test]
    fn fits_tell_the_laws_apart() {
        let noise = |n: f64| 1.0 + 0.01 * (n.sin());
        let made = |law: &dyn Fn(f64) -> f64| -> Vec<(f64, f64)> {
            (0..9)
                .map(|i| 1000.0 * 2f64.powi(i))
                .map(|n| (n, law(n) * noise(n)))
                .collect()
        };
        let best = |points: &[(f64, f64)]| {
            let fits = fits(points);
            let growth = decided_growth(&fits, LARGEST).unwrap();
            let fit = fits.iter().find(|fit| fit.growth == growth).unwrap();
            assert!(fit.residual < 0.02, "{fits:?}");
            (growth, fit.coefficients[0])
        };
        let close = |a: f64, b: f64| (a / b - 1.0).abs() < 0.05;

        let (growth, a) = best(&made(&|n| 3e-7 * n));
        assert!(growth == Growth::Linear && close(a, 3e-7));
        let (growth, a) = best(&made(&|n| 2e-8 * n * n.ln()));
        assert!(growth == Growth::Linearithmic && close(a, 2e-8));
        let (growth, a) = best(&made(&|n| 1e-9 * n * n + 1e-6 * n + 1e-3));
        assert!(growth == Growth::Quadratic && close(a, 1e-9));

        assert_eq!(decided_growth(&[], 1.0), None);
        // Linear times on a step that a parabola follows better.
        let step = made(&|n| n * (1.0 + 0.3 * n / LARGEST));
        assert_ne!(
            decided_growth(&fits(&step), LARGEST),
            Some(Growth::Quadratic)
        );
        assert!(fits(&[]).is_empty());
        assert_eq!(fits(&made(&|n| n)[..2]).len(), 2);
        assert!((growth_exponent(&made(&|n| n.powf(1.5))).unwrap() - 1.5).abs() < 0.01);
        assert_eq!(growth_exponent(&[(5.0, 1.0)]), None);
    }

    #[test]
    fn growth_rows_group_by_all_but_the_number_of_spheres() {
        let row = |spacing: f64, spheres: usize, algorithm| Measurement {
            case: super::super::Case {
                spacing,
                ..Experiment::I.cases(&[spheres], 1)[0]
            },
            algorithm,
            seconds: spacing * (spheres as f64).powi(2),
            first_seconds: 0.0,
            pairs: 0,
            pair_tests: spheres as u64,
            cell_accesses: 0,
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
        let grown = growth_rows(&rows);
        let found = grown.iter().map(|row| (row.spacing, row.spheres));
        assert_eq!(
            found.collect::<Vec<_>>(),
            [(1.0, [10, 100]), (2.0, [10, 1000])],
            "one number of spheres tells nothing"
        );
        assert!((grown[1].time_exponent - 2.0).abs() < 1e-12);
        assert!((grown[1].work_exponent - 1.0).abs() < 1e-12);
    }
}
