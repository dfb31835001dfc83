//! Broad phase against broad phase: the experiments of Schiava D'Albano et al., and one with many sizes.

use std::{
    fmt,
    str::FromStr,
    time::{Duration, Instant},
};

use glam::{DMat3, DVec3};
use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};

use crate::{
    broad_phase::{BroadPhaseKind, HGridError, Work},
    spheres::{Spheres, total_volume},
};

/// The number of detect-then-move cycles that a measurement adds up.
pub const CYCLES: usize = 10;

/// The packing fraction of experiment V.
const FRACTION: f64 = 0.4;

/// One of the experiments; spheres have the diameter 1, in V the smallest ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Experiment {
    /// A cuboid block on a regular raster at a spacing of one diameter, in raster order.
    I,
    /// The same raster at a spacing `s`: density `1 / s³`.
    Ii,
    /// Random places in a cube, `s³` cells for each sphere, in random order.
    Iii,
    /// All in one cell.
    Iv,
    /// Sizes from a power law with equal volume in equal intervals of radius (`α = −3`) over the given size ratio, at
    /// random places with packing fraction 0.4.
    V,
}

impl Experiment {
    /// All experiments.
    pub const ALL: [Self; 5] = [Self::I, Self::Ii, Self::Iii, Self::Iv, Self::V];

    /// The Roman number.
    pub fn name(self) -> &'static str {
        match self {
            Self::I => "I",
            Self::Ii => "II",
            Self::Iii => "III",
            Self::Iv => "IV",
            Self::V => "V",
        }
    }

    /// The cases of the paper for the given numbers of spheres: II at densities from 1 to 1/8 000 000, V at the size
    /// ratios 10 and 50, the others once.
    pub fn cases(self, counts: &[usize], seed: u64) -> Vec<Case> {
        let (spacings, ratios): (&[f64], &[f64]) = match self {
            Self::I | Self::Iv => (&[1.0], &[1.0]),
            Self::Ii => (&[1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0], &[1.0]),
            Self::Iii => (&[3.0], &[1.0]),
            Self::V => (&[1.0], &[10.0, 50.0]),
        };
        let mut cases = Vec::new();
        for &size_ratio in ratios {
            for &spacing in spacings {
                cases.extend(counts.iter().map(|&spheres| Case {
                    experiment: self,
                    spheres,
                    spacing,
                    size_ratio,
                    seed,
                }));
            }
        }
        cases
    }
}

impl fmt::Display for Experiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no experiment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no experiment; choose I, II, III, IV or V")]
pub struct ParseExperimentError(String);

impl FromStr for Experiment {
    type Err = ParseExperimentError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|experiment| experiment.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| ParseExperimentError(text.to_owned()))
    }
}

/// One scene to be measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The experiment.
    pub experiment: Experiment,
    /// The number of spheres.
    pub spheres: usize,
    /// The spacing `s` in diameters, for II and III; the others do not use it.
    pub spacing: f64,
    /// The ratio of the largest to the smallest radius, for V; the others do not use it.
    pub size_ratio: f64,
    /// The seed of places, sizes and moves.
    pub seed: u64,
}

/// What one algorithm did with one case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// The case.
    #[serde(flatten)]
    pub case: Case,
    /// The algorithm.
    pub algorithm: BroadPhaseKind,
    /// Detection time of the ten cycles together, without the moves, in seconds.
    pub seconds: f64,
    /// Detection time of the first cycle, in which lists that are kept are made, in seconds.
    pub first_seconds: f64,
    /// Touching pairs of the ten cycles together.
    pub pairs: u64,
    /// Distance tests of the ten cycles together.
    pub pair_tests: u64,
    /// Cells looked into, in the ten cycles together; see [`Work`].
    pub cell_accesses: u64,
    /// Memory of the data structure after the last cycle, for each sphere.
    pub bytes_per_sphere: f64,
    /// The same as the paper states it, where it does.
    pub paper_bytes_per_sphere: Option<u32>,
}

/// The spheres of a case before the first cycle.
pub fn scene(case: &Case) -> Spheres {
    let mut rng = Pcg64::seed_from_u64(case.seed);
    let count = case.spheres;
    match case.experiment {
        Experiment::I => equal(raster(count, 1.0)),
        Experiment::Ii => equal(raster(count, case.spacing)),
        Experiment::Iii => {
            let side = raster_side(count) as f64 * case.spacing;
            equal((0..count).map(|_| side * point(&mut rng)).collect())
        }
        Experiment::Iv => equal((0..count).map(|_| point(&mut rng)).collect()),
        Experiment::V => {
            let mut radii = uniform_volume_radii(count, case.size_ratio);
            radii.shuffle(&mut rng);
            let side = (total_volume(&radii) / FRACTION).cbrt();
            let centers = (0..count).map(|_| side * point(&mut rng)).collect();
            Spheres::new(centers, radii)
        }
    }
}

fn equal(centers: Vec<DVec3>) -> Spheres {
    let radii = vec![0.5; centers.len()];
    Spheres::new(centers, radii)
}

fn point(rng: &mut Pcg64) -> DVec3 {
    DVec3::new(rng.random(), rng.random(), rng.random())
}

/// The smallest cube of places that holds the given number of spheres.
fn raster_side(count: usize) -> usize {
    (0..).find(|side: &usize| side.pow(3) >= count).unwrap_or(0)
}

/// Places at equal distance, z running fastest and x slowest (Eqs. 12 and 18).
fn raster(count: usize, spacing: f64) -> Vec<DVec3> {
    let side = raster_side(count);
    (0..count)
        .map(|i| {
            spacing
                * DVec3::new(
                    (i / side / side) as f64,
                    (i / side % side) as f64,
                    (i % side) as f64,
                )
        })
        .collect()
}

/// Systematic sample of `f(r) ∝ r⁻³` between 0.5 and 0.5 ω, so that the rare largest sizes are always there.
fn uniform_volume_radii(count: usize, ratio: f64) -> Vec<f64> {
    (0..count)
        .map(|i| {
            let share = (i as f64 + 0.5) / count as f64;
            0.5 * (1.0 - share * (1.0 - ratio.powi(-2))).powf(-0.5)
        })
        .collect()
}

/// The next frame: every sphere moves by up to one diameter (V: the smallest) forwards along each axis, at random
/// (Eqs. 13–16, which leave a displacement below nine diameters in the nine moves between ten detections).
/// In IV it goes to another random place in the cell.
fn moved(experiment: Experiment, spheres: &Spheres, rng: &mut Pcg64) -> Spheres {
    let centers = spheres.centers().iter().map(|&center| match experiment {
        Experiment::Iv => point(rng),
        _ => center + point(rng),
    });
    Spheres::new(centers.collect(), spheres.radii().to_vec())
}

/// Cell sizes for the HGrid: rising by equal factors near 3 up to the largest diameter, for which the cost model of
/// Krijgsman, Ogarko & Luding 2014 is near its minimum among such sizes.
pub fn cell_sizes(spheres: &Spheres) -> Vec<f64> {
    let (smallest, largest) = spheres
        .radii()
        .iter()
        .filter(|&&radius| radius > 0.0)
        .fold((f64::MAX, f64::MIN_POSITIVE), |(low, high), &radius| {
            (low.min(radius), high.max(radius))
        });
    let ratio = (largest / smallest).max(1.0);
    let levels = (ratio.ln() / 3f64.ln()).round().max(1.0);
    (0..levels as i32)
        .rev()
        .map(|below| 2.0 * largest * ratio.powf(-f64::from(below) / levels))
        .collect()
}

/// Ten cycles of detect-then-move with one algorithm. The same case gives every algorithm the same frames, and the same
/// counts in every run; only times differ.
///
/// # Errors
/// When the kind is an HGrid and there is no cell size, or they are not positive, finite and rising.
pub fn measure(
    case: &Case,
    kind: BroadPhaseKind,
    cell_sizes: &[f64],
) -> Result<Measurement, HGridError> {
    let mut algorithm = kind.build(cell_sizes)?;
    let mut spheres = scene(case);
    let mut rng = Pcg64::seed_from_u64(case.seed.wrapping_add(1));
    let (mut pairs, mut work) = (0, Work::default());
    let (mut total, mut first) = (Duration::ZERO, None);
    for cycle in 0..CYCLES {
        if cycle > 0 {
            spheres = moved(case.experiment, &spheres, &mut rng);
        }
        let start = Instant::now();
        work += algorithm.detect(&spheres, &mut |_, _| pairs += 1);
        total += start.elapsed();
        first.get_or_insert(total);
    }
    Ok(Measurement {
        case: *case,
        algorithm: kind,
        seconds: total.as_secs_f64(),
        first_seconds: first.unwrap_or_default().as_secs_f64(),
        pairs,
        pair_tests: work.pair_tests,
        cell_accesses: work.cell_accesses,
        bytes_per_sphere: algorithm.bytes() as f64 / case.spheres.max(1) as f64,
        paper_bytes_per_sphere: kind.paper_bytes_per_sphere(),
    })
}

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
/// coefficients to follow the noise with, leaves less than two thirds of its residual.
///
/// Times that grow with N for another reason, such as data that outgrow the processor's caches, can look like a higher
/// law; the counts of [`Work`] are free of that.
pub fn decided_growth(fits: &[Fit]) -> Option<Growth> {
    let weight = |fit: &Fit| match fit.growth {
        Growth::Quadratic => 1.5 * fit.residual,
        _ => fit.residual,
    };
    fits.iter()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn case(experiment: Experiment, spheres: usize) -> Case {
        experiment.cases(&[spheres], 1)[0]
    }

    #[test]
    fn names_read_back_and_match_the_json_form() {
        for experiment in Experiment::ALL {
            assert_eq!(experiment.name().parse(), Ok(experiment));
            assert_eq!(serde_json::to_value(experiment).unwrap(), experiment.name());
        }
        assert_eq!("iii".parse(), Ok(Experiment::Iii));
        assert!("VI".parse::<Experiment>().is_err());
    }

    #[test]
    fn all_algorithms_find_the_same_pairs_in_every_experiment() {
        for experiment in Experiment::ALL {
            let case = case(experiment, 300);
            let sizes = cell_sizes(&scene(&case));
            let pairs: Vec<u64> = BroadPhaseKind::ALL
                .into_iter()
                .map(|kind| measure(&case, kind, &sizes).unwrap().pairs)
                .collect();
            assert!(pairs[0] > 0, "{experiment} finds nothing");
            assert!(
                pairs.iter().all(|&found| found == pairs[0]),
                "{experiment}: {pairs:?}"
            );
        }
    }

    #[test]
    fn scenes_are_as_the_paper_has_them() {
        let block = scene(&case(Experiment::I, 27));
        assert_eq!(block.centers()[1], DVec3::Z);
        assert_eq!(block.centers()[26], DVec3::splat(2.0));

        let sparse = Experiment::Ii.cases(&[8], 1);
        assert_eq!(sparse.last().unwrap().spacing.powi(3), 8e6);
        assert_eq!(
            scene(sparse.last().unwrap()).centers()[7],
            DVec3::splat(200.0)
        );

        let random = scene(&case(Experiment::Iii, 1000));
        let [low, high] = [DVec3::ZERO, DVec3::splat(30.0)];
        assert!(
            random
                .centers()
                .iter()
                .all(|c| c.cmpge(low).all() && c.cmplt(high).all())
        );

        let wide = scene(&case(Experiment::V, 20_000));
        let smallest = wide.radii().iter().copied().fold(f64::MAX, f64::min);
        let largest = wide.radii().iter().copied().fold(0.0, f64::max);
        assert!((largest / smallest / 10.0 - 1.0).abs() < 0.01);
        let below = |radius| {
            let some: Vec<f64> = wide
                .radii()
                .iter()
                .copied()
                .filter(|&r| r < radius)
                .collect();
            total_volume(&some) / wide.volume()
        };
        // Equal volume in equal intervals: half of it below the middle of 0.5 … 5.
        assert!((below(2.75) - 0.5).abs() < 0.01);
    }

    #[test]
    fn one_cell_tests_every_pair_in_every_cycle() {
        let case = case(Experiment::Iv, 60);
        for kind in BroadPhaseKind::ALL
            .into_iter()
            .filter(|kind| kind.has_one_cell_size())
        {
            let row = measure(&case, kind, &[1.0]).unwrap();
            assert_eq!(row.pair_tests, (CYCLES * 60 * 59 / 2) as u64, "{kind}");
        }
    }

    #[test]
    fn work_is_linear_in_raster_and_random_scenes() {
        for experiment in [Experiment::I, Experiment::Ii, Experiment::Iii] {
            for kind in BroadPhaseKind::ALL
                .into_iter()
                .filter(|kind| kind.has_one_cell_size())
            {
                let points: Vec<(f64, f64)> = [2_000, 20_000]
                    .into_iter()
                    .map(|count| {
                        let row = measure(&case(experiment, count), kind, &[1.0]).unwrap();
                        (count as f64, (row.pair_tests + row.cell_accesses) as f64)
                    })
                    .collect();
                let exponent = growth_exponent(&points).unwrap();
                assert!(
                    (exponent - 1.0).abs() < 0.1,
                    "{experiment} {kind}: {exponent}"
                );
            }
        }
    }

    #[test]
    fn counts_repeat_and_rows_read_back() {
        let case = case(Experiment::V, 200);
        let measure = || measure(&case, BroadPhaseKind::HgridTopDown, &[3.0, 10.0]).unwrap();
        let (one, two) = (measure(), measure());
        let counts = |row: &Measurement| (row.pairs, row.pair_tests, row.cell_accesses);
        assert_eq!(counts(&one), counts(&two));
        let text = serde_json::to_string(&one).unwrap();
        assert!(
            text.starts_with(r#"{"experiment":"V","spheres":200,"#),
            "{text}"
        );
        assert_eq!(serde_json::from_str::<Measurement>(&text).unwrap(), one);
    }

    #[test]
    fn memory_is_that_of_the_structure() {
        let case = case(Experiment::Iii, 10_000);
        for (kind, bytes) in [(BroadPhaseKind::Mr, 24.0), (BroadPhaseKind::MrS, 20.0)] {
            let row = measure(&case, kind, &[]).unwrap();
            assert!(
                (row.bytes_per_sphere - bytes).abs() < 0.01,
                "{kind}: {}",
                row.bytes_per_sphere
            );
        }
    }

    #[test]
    fn cell_sizes_end_at_the_largest_diameter() {
        let sizes = |radii: &[f64]| {
            cell_sizes(&Spheres::new(
                vec![DVec3::ZERO; radii.len()],
                radii.to_vec(),
            ))
        };
        assert_eq!(sizes(&[0.5, 0.5]), [1.0]);
        let nine = sizes(&[0.5, 4.5]);
        assert!((nine[0] - 3.0).abs() < 1e-12 && nine[1..] == [9.0]);
    }

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
            let growth = decided_growth(&fits).unwrap();
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

        assert_eq!(decided_growth(&[]), None);
        assert!(fits(&[]).is_empty());
        assert_eq!(fits(&made(&|n| n)[..2]).len(), 2);
        assert!((growth_exponent(&made(&|n| n.powf(1.5))).unwrap() - 1.5).abs() < 0.01);
        assert_eq!(growth_exponent(&[(5.0, 1.0)]), None);
    }
}
