//! Index against index on finished packings: Table 1 and Fig. 9 of Raschdorf & Kolonko 2011, and what they cost.

use std::time::Instant;

use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};

use crate::{
    container::{Boundaries, Container},
    distribution::{Sampling, SizeSpec},
    index::{Entry, GlobalIndex, IndexKind},
    rearrange::{Effort, PackError, PackOptions, pack},
    spheres::Spheres,
};

/// The Verlet distance that is taken when none is given, over the smallest diameter.
const VERLET_SHARE: f64 = 0.1;

/// Times are means over at least this long, unless one pass takes longer.
const SHORTEST_TIMING: f64 = 0.02;

/// What is compared on which packings.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexComparison {
    /// Number of spheres.
    pub spheres: usize,
    /// How their diameters are chosen. The seed of a run is that of its sample and of its packing.
    pub sampling: Sampling,
    /// The boundary of each axis of the packings.
    pub boundary: Boundaries,
    /// How dense the packings are made.
    pub effort: Effort,
    /// δ_V, how far beyond its surface a sphere looks for neighbours, in the unit of the diameters; a tenth of the
    /// smallest diameter if absent.
    pub verlet_distance: Option<f64>,
    /// Number of packings, with different seeds, over which everything is averaged.
    pub runs: u64,
    /// The seed of the first run; the others follow it.
    pub seed: u64,
    /// The indexes.
    pub indexes: Vec<IndexKind>,
    /// Number of threads of the packing runs; 0 takes one for each core.
    pub threads: usize,
}

impl Default for IndexComparison {
    /// The 10 000 spheres and ten runs of the paper, between walls; all indexes, one thread.
    fn default() -> Self {
        Self {
            spheres: 10_000,
            sampling: Sampling::default(),
            boundary: Boundaries::WALLS,
            effort: Effort::default(),
            verlet_distance: None,
            runs: 10,
            seed: 1,
            indexes: IndexKind::ALL.to_vec(),
            threads: 1,
        }
    }
}

/// A comparison that cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum IndexComparisonError {
    /// No run.
    #[error("the number of runs is 0; it must be at least 1")]
    NoRuns,
    /// A Verlet distance that is negative or not finite.
    #[error("Verlet distance {0} is not a finite number of at least 0")]
    VerletDistance(f64),
    /// The spheres cannot be packed.
    #[error(transparent)]
    Pack(#[from] PackError),
}

/// What one index did on one packing.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexMeasurement {
    /// Candidates per sphere: the other spheres in the nodes or cells that a query opens, before any distance test.
    pub candidates: f64,
    /// Neighbours per sphere: the candidates that intersect the Verlet sphere.
    pub neighbours: f64,
    /// Nodes or cells opened per query.
    pub nodes_opened: f64,
    /// Spheres on each level, coarsest first; see [`GlobalIndex::spheres_per_level`].
    pub levels: Vec<usize>,
    /// Memory of the index for each sphere.
    pub bytes_per_sphere: f64,
    /// Time to insert a sphere while the index grows from none to all, in nanoseconds.
    pub insert_ns: f64,
    /// Time to relocate a sphere by half the Verlet distance in any direction, in nanoseconds.
    pub relocate_ns: f64,
    /// Time of a query with the distance tests of its candidates, in nanoseconds.
    pub query_ns: f64,
}

/// What one index did on all packings: means, and their spreads (standard deviations over the runs, 0 for one run).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IndexRow {
    /// The index.
    pub index: IndexKind,
    /// Name of the size distribution.
    pub sizes: String,
    /// The boundary of each axis.
    pub boundary: Boundaries,
    /// Number of spheres.
    pub spheres: usize,
    /// Number of packings.
    pub runs: u64,
    /// Packing fraction.
    pub packing_fraction_mean: f64,
    /// δ_V in the unit of the diameters.
    pub verlet_distance_mean: f64,
    /// Candidates per sphere; see [`IndexMeasurement::candidates`].
    pub candidates_mean: f64,
    /// Spread of the candidates per sphere.
    pub candidates_spread: f64,
    /// Neighbours per sphere.
    pub neighbours_mean: f64,
    /// Spread of the neighbours per sphere.
    pub neighbours_spread: f64,
    /// Nodes or cells opened per query.
    pub nodes_opened_mean: f64,
    /// Spread of the nodes or cells opened per query.
    pub nodes_opened_spread: f64,
    /// Mean number of spheres on each level, coarsest first.
    pub levels: Vec<f64>,
    /// Memory of the index for each sphere.
    pub bytes_per_sphere: f64,
    /// Time to insert a sphere, in nanoseconds.
    pub insert_ns: f64,
    /// Spread of the time to insert.
    pub insert_ns_spread: f64,
    /// Time to relocate a sphere, in nanoseconds.
    pub relocate_ns: f64,
    /// Spread of the time to relocate.
    pub relocate_ns_spread: f64,
    /// Time of a query with its distance tests, in nanoseconds.
    pub query_ns: f64,
    /// Spread of the time of a query.
    pub query_ns_spread: f64,
    /// Time of a whole packing run with this index, in seconds.
    pub pack_seconds: f64,
    /// Spread of the time of a packing run.
    pub pack_seconds_spread: f64,
}

/// What begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexStep {
    /// The run, from 1.
    pub run: u64,
    /// The index with which is packed and which is measured then.
    pub index: IndexKind,
}

/// Packs with every index and measures each on the packings, run after run. Counts are the same every time; only times
/// differ.
///
/// The packing of a run has the same bits with every index, so that one index costs one packing more per run.
///
/// # Errors
/// When there is no run, the Verlet distance is negative or not finite, or the spheres cannot be packed.
pub fn compare_indexes(
    sizes: &SizeSpec,
    comparison: &IndexComparison,
    begin: &mut dyn FnMut(IndexStep),
) -> Result<Vec<IndexRow>, IndexComparisonError> {
    if comparison.runs == 0 {
        return Err(IndexComparisonError::NoRuns);
    }
    if let Some(distance) = comparison.verlet_distance
        && !(distance >= 0.0 && distance.is_finite())
    {
        return Err(IndexComparisonError::VerletDistance(distance));
    }
    let mut results: Vec<Vec<RunResult>> = vec![Vec::new(); comparison.indexes.len()];
    for run in 1..=comparison.runs {
        let seed = comparison.seed.wrapping_add(run - 1);
        let sample = (sizes.distribution).sample(comparison.spheres, comparison.sampling, seed);
        let smallest = sample.diameters.iter().copied().fold(f64::MAX, f64::min);
        let radii: Vec<f64> = sample.diameters.iter().map(|d| 0.5 * d).collect();
        let verlet_distance = comparison
            .verlet_distance
            .unwrap_or(VERLET_SHARE * smallest);
        for (&index, results) in comparison.indexes.iter().zip(&mut results) {
            begin(IndexStep { run, index });
            let options = PackOptions {
                boundary: comparison.boundary,
                effort: comparison.effort,
                index,
                seed,
                threads: comparison.threads,
                ..PackOptions::default()
            };
            let packed = pack(&radii, &options)?;
            let packing = packed.packing;
            results.push(RunResult {
                pack_seconds: packed.elapsed.as_secs_f64(),
                packing_fraction: packing.packing_fraction(),
                verlet_distance,
                measured: measure_index(
                    index,
                    &packing.spheres,
                    &packing.container,
                    verlet_distance,
                ),
            });
        }
    }
    let rows = comparison.indexes.iter().zip(&results);
    Ok(rows
        .map(|(&index, results)| row(index, sizes, comparison, results))
        .collect())
}

#[derive(Clone)]
struct RunResult {
    pack_seconds: f64,
    packing_fraction: f64,
    verlet_distance: f64,
    measured: IndexMeasurement,
}

fn row(
    index: IndexKind,
    sizes: &SizeSpec,
    comparison: &IndexComparison,
    results: &[RunResult],
) -> IndexRow {
    let of = |value: &dyn Fn(&RunResult) -> f64| {
        mean_and_spread(&results.iter().map(value).collect::<Vec<_>>())
    };
    let (packing_fraction_mean, _) = of(&|run| run.packing_fraction);
    let (verlet_distance_mean, _) = of(&|run| run.verlet_distance);
    let (candidates_mean, candidates_spread) = of(&|run| run.measured.candidates);
    let (neighbours_mean, neighbours_spread) = of(&|run| run.measured.neighbours);
    let (nodes_opened_mean, nodes_opened_spread) = of(&|run| run.measured.nodes_opened);
    let (bytes_per_sphere, _) = of(&|run| run.measured.bytes_per_sphere);
    let (insert_ns, insert_ns_spread) = of(&|run| run.measured.insert_ns);
    let (relocate_ns, relocate_ns_spread) = of(&|run| run.measured.relocate_ns);
    let (query_ns, query_ns_spread) = of(&|run| run.measured.query_ns);
    let (pack_seconds, pack_seconds_spread) = of(&|run| run.pack_seconds);
    let depth = results.iter().map(|run| run.measured.levels.len()).max();
    let levels = (0..depth.unwrap_or(0)).map(|level| {
        let on = |run: &RunResult| run.measured.levels.get(level).copied().unwrap_or(0);
        of(&|run| on(run) as f64).0
    });
    IndexRow {
        index,
        sizes: sizes.name.clone(),
        boundary: comparison.boundary,
        spheres: comparison.spheres,
        runs: comparison.runs,
        packing_fraction_mean,
        verlet_distance_mean,
        candidates_mean,
        candidates_spread,
        neighbours_mean,
        neighbours_spread,
        nodes_opened_mean,
        nodes_opened_spread,
        levels: levels.collect(),
        bytes_per_sphere,
        insert_ns,
        insert_ns_spread,
        relocate_ns,
        relocate_ns_spread,
        query_ns,
        query_ns_spread,
        pack_seconds,
        pack_seconds_spread,
    }
}

/// Mean and standard deviation; the deviation of a single value is 0.
fn mean_and_spread(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0).max(1.0)).sqrt())
}

/// Builds an index over spheres and asks it for the neighbours of each within `verlet_distance` of its surface.
///
/// There must be a sphere, and all centres inside the container.
pub fn measure_index(
    kind: IndexKind,
    spheres: &Spheres,
    container: &Container,
    verlet_distance: f64,
) -> IndexMeasurement {
    let entries: Vec<Entry> = spheres
        .iter()
        .zip(0..)
        .map(|((center, radius), id)| Entry { center, radius, id })
        .collect();
    let count = entries.len() as f64;
    let mut index = kind.build(container, &entries);
    let found = query_all(&*index, container, &entries, verlet_distance);
    let levels = index.spheres_per_level();
    let bytes_per_sphere = index.bytes() as f64 / count;
    let query_ns = nanoseconds(entries.len(), &mut || {
        std::hint::black_box(query_all(&*index, container, &entries, verlet_distance));
    });
    // There and back, so that any number of passes leaves the spheres where they belong.
    let moved = moved(container, &entries, 0.5 * verlet_distance);
    let relocate_ns = nanoseconds(2 * entries.len(), &mut || {
        let here_and_there = || entries.iter().zip(&moved);
        here_and_there().for_each(|(&here, &there)| index.relocate(here, there));
        here_and_there().for_each(|(&here, &there)| index.relocate(there, here));
    });
    let insert_ns = nanoseconds(entries.len(), &mut || {
        let mut index = kind.build(container, &[]);
        for &entry in &entries {
            index.insert(entry);
            index.suit(&|id| entries[id as usize]);
        }
    });
    IndexMeasurement {
        candidates: found.candidates as f64 / count,
        neighbours: found.neighbours as f64 / count,
        nodes_opened: found.opened as f64 / count,
        levels,
        bytes_per_sphere,
        insert_ns,
        relocate_ns,
        query_ns,
    }
}

#[derive(Default)]
struct Found {
    candidates: usize,
    neighbours: usize,
    opened: usize,
}

/// One query for each sphere; a sphere is no candidate of its own.
fn query_all(
    index: &dyn GlobalIndex,
    container: &Container,
    entries: &[Entry],
    verlet_distance: f64,
) -> Found {
    let mut found = Found::default();
    for entry in entries {
        let reach = entry.radius + verlet_distance;
        let opened = index.visit_candidates(entry.center, reach, &mut |run| {
            found.candidates += run.len();
            for &other in run {
                let other = entries[other as usize];
                let distance = container.displacement(entry.center, other.center);
                let touching = reach + other.radius;
                found.neighbours += usize::from(distance.length_squared() < touching * touching);
            }
        });
        found.opened += opened;
    }
    // Each query has found the sphere it was made for.
    found.candidates -= entries.len();
    found.neighbours -= entries.len();
    found
}

/// Every sphere moved by the same distance in a direction of its own, but not out of the container.
fn moved(container: &Container, entries: &[Entry], distance: f64) -> Vec<Entry> {
    let mut rng = Pcg64::seed_from_u64(1);
    let lengths = container.lengths();
    entries
        .iter()
        .map(|&entry| {
            let way = DVec3::from_array(std::array::from_fn(|_| rng.random::<f64>() - 0.5));
            let center = container.wrap(entry.center + distance * way.normalize_or_zero());
            Entry {
                center: center.clamp(DVec3::ZERO, lengths),
                ..entry
            }
        })
        .collect()
}

/// Mean time of one of the `operations` of a pass.
fn nanoseconds(operations: usize, pass: &mut dyn FnMut()) -> f64 {
    let start = Instant::now();
    let mut passes = 0.0;
    loop {
        pass();
        passes += 1.0;
        let elapsed = start.elapsed().as_secs_f64();
        if elapsed >= SHORTEST_TIMING {
            return 1e9 * elapsed / (passes * operations as f64);
        }
    }
}

/// Candidates per sphere of the grid as the paper has it: `⌊length/d_max⌋` cells along each axis, of which a query
/// opens its own and all that adjoin it, 27 in all, wherever in its cell the sphere lies.
///
/// The [`Grid`](crate::Grid) of this crate opens only those cells that come near enough to the probe, but for that
/// looks as far as the Verlet distance asks.
pub fn adjoining_cell_candidates(spheres: &Spheres, container: &Container) -> f64 {
    let largest = 2.0 * spheres.radii().iter().copied().fold(0.0, f64::max);
    let lengths = container.lengths();
    let counts = (lengths / largest).floor().max(DVec3::ONE);
    let [nx, ny, nz] = counts.to_array().map(|count| count as usize);
    let cell = |center: DVec3| {
        let at = (center / lengths * counts).floor().min(counts - 1.0);
        at.to_array().map(|coordinate| coordinate as usize)
    };
    let number = |[x, y, z]: [usize; 3]| (z * ny + y) * nx + x;
    let mut members = vec![0u64; nx * ny * nz];
    for &center in spheres.centers() {
        members[number(cell(center))] += 1;
    }
    let around = |axis: usize, at: usize| -> Vec<usize> {
        let count = [nx, ny, nz][axis];
        let mut cells: Vec<usize> = if container.is_periodic(axis) {
            vec![(at + count - 1) % count, at, (at + 1) % count]
        } else {
            (at.saturating_sub(1)..=(at + 1).min(count - 1)).collect()
        };
        cells.sort_unstable();
        cells.dedup();
        cells
    };
    let mut candidates = 0;
    for &center in spheres.centers() {
        let [x, y, z] = cell(center);
        let (xs, ys, zs) = (around(0, x), around(1, y), around(2, z));
        for &z in &zs {
            for &y in &ys {
                candidates += xs.iter().map(|&x| members[number([x, y, z])]).sum::<u64>();
            }
        }
    }
    candidates as f64 / spheres.len() as f64 - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comparison(spheres: usize) -> IndexComparison {
        IndexComparison {
            spheres,
            effort: Effort::QUICK,
            runs: 2,
            ..IndexComparison::default()
        }
    }

    fn rows(sizes: &str, comparison: &IndexComparison) -> Vec<IndexRow> {
        let sizes = SizeSpec::load(sizes).unwrap();
        compare_indexes(&sizes, comparison, &mut |_| ()).unwrap()
    }

    #[test]
    fn all_indexes_find_the_same_neighbours() {
        for boundary in [Boundaries::WALLS, Boundaries::PERIODIC] {
            let comparison = IndexComparison {
                boundary,
                verlet_distance: Some(0.3),
                ..comparison(300)
            };
            let rows = rows("fuller:d_min=1,d_max=6", &comparison);
            assert!(rows[0].neighbours_mean > 3.0);
            for row in &rows {
                assert_eq!(row.neighbours_mean, rows[0].neighbours_mean, "{row:?}");
                assert_eq!(row.packing_fraction_mean, rows[0].packing_fraction_mean);
                assert!(row.candidates_mean >= row.neighbours_mean);
                assert!(row.candidates_mean <= 299.0);
                assert!((row.levels.iter().sum::<f64>() - 300.0).abs() < 1e-9);
                assert!(row.insert_ns > 0.0 && row.relocate_ns > 0.0 && row.query_ns > 0.0);
                assert!(row.pack_seconds > 0.0 && row.bytes_per_sphere > 8.0);
            }
        }
    }

    #[test]
    fn spread_is_that_of_a_sample() {
        assert_eq!(mean_and_spread(&[3.0]), (3.0, 0.0));
        assert_eq!(mean_and_spread(&[1.0, 3.0]), (2.0, 2f64.sqrt()));
    }

    #[test]
    fn bad_comparisons_are_refused() {
        let sizes = SizeSpec::load("mono:d=1").unwrap();
        let error = |comparison: IndexComparison| {
            compare_indexes(&sizes, &comparison, &mut |_| ()).unwrap_err()
        };
        assert_eq!(
            error(IndexComparison {
                runs: 0,
                ..comparison(10)
            }),
            IndexComparisonError::NoRuns
        );
        for bad in [-1.0, f64::NAN, f64::INFINITY] {
            let error = error(IndexComparison {
                verlet_distance: Some(bad),
                ..comparison(10)
            });
            assert!(matches!(error, IndexComparisonError::VerletDistance(_)));
        }
        assert_eq!(
            error(comparison(0)),
            IndexComparisonError::Pack(PackError::NoSpheres)
        );
    }

    #[test]
    fn adjoining_cells_are_27_or_fewer_at_walls() {
        // One sphere in the middle of each of 5³ cells.
        let centers = (0..125).map(|i| {
            let [x, y, z] = [i % 5, i / 5 % 5, i / 25].map(f64::from);
            DVec3::new(x, y, z) + 0.5
        });
        let spheres = Spheres::new(centers.collect(), vec![0.5; 125]);
        let candidates = |boundary| {
            let container = Container::new(DVec3::splat(5.0), boundary).unwrap();
            adjoining_cell_candidates(&spheres, &container)
        };
        assert_eq!(candidates(Boundaries::PERIODIC), 26.0);
        // Along a walled axis two of five cells have one neighbour less: 13/5 on the mean.
        let walls = 2.6f64.powi(3) - 1.0;
        assert!((candidates(Boundaries::WALLS) - walls).abs() < 1e-12);

        let wide = Spheres::new(spheres.centers().to_vec(), vec![1.5; 125]);
        let container = Container::new(DVec3::splat(5.0), Boundaries::PERIODIC).unwrap();
        assert_eq!(adjoining_cell_candidates(&wide, &container), 124.0);
    }
}
