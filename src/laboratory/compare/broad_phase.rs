//! Broad phase against broad phase: the experiments of Schiava D'Albano et al., and one with many sizes.

use std::{
    fmt,
    str::FromStr,
    time::{Duration, Instant},
};

use glam::DVec3;
use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};

use crate::{
    laboratory::broad_phase::{BroadPhaseKind, HGridError, Work},
    spheres::{Spheres, total_volume},
    tuning::{TuningError, cell_sizes_for},
};

/// The number of detect-then-move cycles that a measurement adds up.
pub const CYCLES: usize = 10;

/// What takes less time than this is measured again, up to so many times in all.
const SHORT: Duration = Duration::from_millis(400);
const MOST_REPETITIONS: usize = 5;

/// The packing fraction of experiment V.
const FRACTION: f64 = 0.4;

/// The cost of opening a cell of the HGrid in overlap tests (Krijgsman, Ogarko & Luding 2014).
const OVERHEAD: f64 = 0.2;

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

/// A case that makes no scene.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum CaseError {
    /// No sphere.
    #[error("the number of spheres is 0; it must be at least 1")]
    NoSpheres,
    /// A spacing that is not positive and finite.
    #[error("spacing = {0} is not a finite number of diameters above 0")]
    Spacing(f64),
    /// A size ratio below 1, or not finite.
    #[error("size_ratio = {0} is not a finite ratio of at least 1")]
    SizeRatio(f64),
}

/// A measurement that cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeasureError {
    /// The case makes no scene.
    #[error(transparent)]
    Case(#[from] CaseError),
    /// The cell sizes make no HGrid.
    #[error(transparent)]
    HGrid(#[from] HGridError),
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
///
/// # Errors
/// When there is no sphere, the spacing is not positive, or the size ratio below 1; NaN and infinity are neither.
pub fn scene(case: &Case) -> Result<Spheres, CaseError> {
    if case.spheres == 0 {
        return Err(CaseError::NoSpheres);
    }
    if !(case.spacing > 0.0 && case.spacing.is_finite()) {
        return Err(CaseError::Spacing(case.spacing));
    }
    if !(case.size_ratio >= 1.0 && case.size_ratio.is_finite()) {
        return Err(CaseError::SizeRatio(case.size_ratio));
    }
    let mut rng = Pcg64::seed_from_u64(case.seed);
    let count = case.spheres;
    Ok(match case.experiment {
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
    })
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

/// Cell sizes for the HGrid, by [`cell_sizes_for`] with K = 0.2: a single one for equal spheres.
///
/// # Errors
/// When a radius is not positive and finite, or there is no sphere.
pub fn cell_sizes(spheres: &Spheres) -> Result<Vec<f64>, TuningError> {
    cell_sizes_for(spheres.radii(), FRACTION, OVERHEAD)
}

/// Ten cycles of detect-then-move with one algorithm. The same case gives every algorithm the same frames, and the same
/// counts in every run; only times differ.
///
/// # Errors
/// When the case makes no scene, or the kind is an HGrid and there is no cell size, or they are not positive, finite and
/// rising.
pub fn measure(
    case: &Case,
    kind: BroadPhaseKind,
    cell_sizes: &[f64],
) -> Result<Measurement, MeasureError> {
    Ok(measure_scene(case, &scene(case)?, kind, cell_sizes)?)
}

/// The same for a first frame of the caller's, such as [`scene`] in another order. The moves are those of the case.
///
/// What takes less than 0.4 s in all is repeated, up to five times, and the fastest repetition counts.
///
/// # Errors
/// When the kind is an HGrid and there is no cell size, or they are not positive, finite and rising.
pub fn measure_scene(
    case: &Case,
    scene: &Spheres,
    kind: BroadPhaseKind,
    cell_sizes: &[f64],
) -> Result<Measurement, HGridError> {
    let start = Instant::now();
    let mut best = cycles(case, scene, kind, cell_sizes)?;
    for _ in 1..MOST_REPETITIONS {
        if start.elapsed() >= SHORT {
            break;
        }
        let again = cycles(case, scene, kind, cell_sizes)?;
        if again.seconds < best.seconds {
            best = again;
        }
    }
    Ok(best)
}

fn cycles(
    case: &Case,
    scene: &Spheres,
    kind: BroadPhaseKind,
    cell_sizes: &[f64],
) -> Result<Measurement, HGridError> {
    let mut algorithm = kind.build(cell_sizes)?;
    let mut spheres = scene.clone();
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
        bytes_per_sphere: algorithm.bytes() as f64 / spheres.len().max(1) as f64,
        paper_bytes_per_sphere: kind.paper_bytes_per_sphere(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laboratory::compare::growth_exponent;

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
            let sizes = cell_sizes(&scene(&case).unwrap()).unwrap();
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
        let block = scene(&case(Experiment::I, 27)).unwrap();
        assert_eq!(block.centers()[1], DVec3::Z);
        assert_eq!(block.centers()[26], DVec3::splat(2.0));

        let sparse = Experiment::Ii.cases(&[8], 1);
        assert_eq!(sparse.last().unwrap().spacing.powi(3), 8e6);
        assert_eq!(
            scene(sparse.last().unwrap()).unwrap().centers()[7],
            DVec3::splat(200.0)
        );

        let random = scene(&case(Experiment::Iii, 1000)).unwrap();
        let [low, high] = [DVec3::ZERO, DVec3::splat(30.0)];
        assert!(
            random
                .centers()
                .iter()
                .all(|c| c.cmpge(low).all() && c.cmplt(high).all())
        );

        let wide = scene(&case(Experiment::V, 20_000)).unwrap();
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
    fn cases_without_a_scene_are_refused() {
        let good = case(Experiment::V, 10);
        let error = |case: Case| measure(&case, BroadPhaseKind::Nbs, &[]).unwrap_err();
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            for (case, word) in [
                (
                    Case {
                        spacing: bad,
                        ..good
                    },
                    "spacing",
                ),
                (
                    Case {
                        size_ratio: bad,
                        ..good
                    },
                    "size_ratio",
                ),
            ] {
                let message = error(case).to_string();
                assert!(message.starts_with(word), "{message}");
            }
        }
        assert_eq!(
            error(case(Experiment::I, 0)),
            MeasureError::Case(CaseError::NoSpheres)
        );
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
                let points: Vec<(f64, f64)> = [300, 3_000, 30_000]
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
    fn cell_sizes_hold_the_largest_sphere() {
        let sizes = |experiment| cell_sizes(&scene(&case(experiment, 1000)).unwrap()).unwrap();
        assert_eq!(sizes(Experiment::I).len(), 1);
        let wide = scene(&case(Experiment::V, 1000)).unwrap();
        let largest = wide.radii().iter().copied().fold(0.0, f64::max);
        let sizes = sizes(Experiment::V);
        assert!(sizes.len() > 1 && sizes.is_sorted());
        assert!((sizes[sizes.len() - 1] / (2.0 * largest) - 1.0).abs() < 1e-9);
    }
}
