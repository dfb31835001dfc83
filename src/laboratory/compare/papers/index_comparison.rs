//! Comparison of the indexes on finished packings: candidates, levels, memory and times.

use serde::{Deserialize, Serialize};

use super::{
    constants::RELATIVE_VERLET_DISTANCE,
    index_comparison_options::{IndexComparison, IndexComparisonError},
    index_measurement::{IndexMeasurement, measure_index},
    statistics::mean_and_spread,
};
use crate::{
    container::Boundaries,
    distribution::{Sample, SizeSpec},
    index::IndexKind,
    rearrange::{PackError, pack},
};

/// Result of one index on all packings: means over the runs and their standard deviations, which are 0 for one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct IndexRow {
    /// Index.
    pub index: IndexKind,
    /// Name of the size distribution.
    pub sizes: String,
    /// Boundary of each axis.
    pub boundary: Boundaries,
    /// Number of spheres.
    pub spheres: usize,
    /// Number of packings.
    pub runs: u64,
    /// Packing fraction.
    pub packing_fraction_mean: f64,
    /// Verlet distance δ_V in the unit of the diameters.
    pub verlet_distance_mean: f64,
    /// Candidates per sphere; see [`IndexMeasurement::candidates`].
    pub candidates_mean: f64,
    /// Standard deviation of the candidates per sphere.
    pub candidates_spread: f64,
    /// Neighbors per sphere; see [`IndexMeasurement::neighbors`].
    pub neighbors_mean: f64,
    /// Standard deviation of the neighbors per sphere.
    pub neighbors_spread: f64,
    /// Nodes or cells opened per query.
    pub nodes_opened_mean: f64,
    /// Standard deviation of the nodes or cells opened per query.
    pub nodes_opened_spread: f64,
    /// Mean number of spheres on each level, coarsest first.
    pub levels: Vec<f64>,
    /// Memory of the index in bytes per sphere.
    pub bytes_per_sphere: f64,
    /// Time to insert a sphere in nanoseconds; see [`IndexMeasurement::insert_ns`].
    pub insert_ns: f64,
    /// Standard deviation of the time to insert a sphere.
    pub insert_ns_spread: f64,
    /// Time to relocate a sphere in nanoseconds; see [`IndexMeasurement::relocate_ns`].
    pub relocate_ns: f64,
    /// Standard deviation of the time to relocate a sphere.
    pub relocate_ns_spread: f64,
    /// Time of a query with its distance tests in nanoseconds.
    pub query_ns: f64,
    /// Standard deviation of the time of a query.
    pub query_ns_spread: f64,
    /// Time of a packing run with this index in seconds.
    pub pack_seconds: f64,
    /// Standard deviation of the time of a packing run.
    pub pack_seconds_spread: f64,
}

/// Step of a comparison: one packing run and its measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IndexStep {
    /// Number of the run, from 1.
    pub run: u64,
    /// Index of the packing run and of the measurement.
    pub index: IndexKind,
}

/// Packs with every index in every run, and measures each index on its packings.
///
/// `begin` is called before each step. Counts are the same every time; only times differ. Every index gives the
/// packing of a run the same bits, so all indexes are measured on equal packings; each index costs one packing per run.
///
/// # Errors
/// When there is no run, the Verlet distance is negative or not finite, or the spheres cannot be packed.
pub fn compare_indexes(
    sizes: &SizeSpec,
    comparison: &IndexComparison,
    begin: &mut dyn FnMut(IndexStep),
) -> Result<Vec<IndexRow>, IndexComparisonError> {
    comparison.check()?;
    let mut results: Vec<Vec<RunResult>> = vec![Vec::new(); comparison.indexes.len()];
    for run in 1..=comparison.runs {
        let seed = comparison.seed.wrapping_add(run - 1);
        let sampling = comparison.sampling.unwrap_or_default();
        let sample = (sizes.distribution).sample_number(comparison.spheres, sampling, seed);
        for (&index, results) in comparison.indexes.iter().zip(&mut results) {
            begin(IndexStep { run, index });
            results.push(measure_run(comparison, &sample, index, seed)?);
        }
    }
    let rows = comparison.indexes.iter().zip(&results);
    Ok(rows
        .map(|(&index, results)| row(index, sizes, comparison, results))
        .collect())
}

/// Result of one index in one run.
#[derive(Clone)]
struct RunResult {
    pack_seconds: f64,
    packing_fraction: f64,
    verlet_distance: f64,
    measured: IndexMeasurement,
}

fn measure_run(
    comparison: &IndexComparison,
    sample: &Sample,
    index: IndexKind,
    seed: u64,
) -> Result<RunResult, PackError> {
    let smallest = sample.diameters.iter().copied().fold(f64::MAX, f64::min);
    let default_distance = RELATIVE_VERLET_DISTANCE * smallest;
    let verlet_distance = comparison.verlet_distance.unwrap_or(default_distance);
    let options = comparison.pack_options(seed).index(index);
    let run = pack(sample.radii(), &options)?;
    let (spheres, container) = (&run.packing.spheres, &run.packing.container);
    Ok(RunResult {
        pack_seconds: run.elapsed.as_secs_f64(),
        packing_fraction: run.packing.packing_fraction(),
        verlet_distance,
        measured: measure_index(index, spheres, container, verlet_distance),
    })
}

/// Averages the results of one index over the runs.
fn row(
    index: IndexKind,
    sizes: &SizeSpec,
    comparison: &IndexComparison,
    results: &[RunResult],
) -> IndexRow {
    let of = |value: &dyn Fn(&RunResult) -> f64| {
        mean_and_spread(&results.iter().map(value).collect::<Vec<_>>())
    };
    let (candidates_mean, candidates_spread) = of(&|run| run.measured.candidates);
    let (neighbors_mean, neighbors_spread) = of(&|run| run.measured.neighbors);
    let (nodes_opened_mean, nodes_opened_spread) = of(&|run| run.measured.nodes_opened);
    let (insert_ns, insert_ns_spread) = of(&|run| run.measured.insert_ns);
    let (relocate_ns, relocate_ns_spread) = of(&|run| run.measured.relocate_ns);
    let (query_ns, query_ns_spread) = of(&|run| run.measured.query_ns);
    let (pack_seconds, pack_seconds_spread) = of(&|run| run.pack_seconds);
    let depth = results.iter().map(|run| run.measured.levels.len()).max();
    let levels = (0..depth.unwrap_or(0)).map(|level| {
        let on_level = |run: &RunResult| run.measured.levels.get(level).copied().unwrap_or(0);
        of(&|run| on_level(run) as f64).0
    });
    IndexRow {
        index,
        sizes: sizes.name.clone(),
        boundary: comparison.boundary,
        spheres: comparison.spheres,
        runs: comparison.runs,
        packing_fraction_mean: of(&|run| run.packing_fraction).0,
        verlet_distance_mean: of(&|run| run.verlet_distance).0,
        candidates_mean,
        candidates_spread,
        neighbors_mean,
        neighbors_spread,
        nodes_opened_mean,
        nodes_opened_spread,
        levels: levels.collect(),
        bytes_per_sphere: of(&|run| run.measured.bytes_per_sphere).0,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rearrange::Effort;

    fn comparison(spheres: usize) -> IndexComparison {
        IndexComparison::default()
            .spheres(spheres)
            .effort(Effort::QUICK)
            .runs(2)
    }

    #[test]
    fn all_indexes_find_the_same_neighbors() {
        let sizes = SizeSpec::load("fuller:d_min=1,d_max=6").unwrap();
        for boundary in [Boundaries::WALLS, Boundaries::PERIODIC] {
            let comparison = comparison(300).boundary(boundary).verlet_distance(0.3);
            let rows = compare_indexes(&sizes, &comparison, &mut |_| ()).unwrap();
            assert!(rows[0].neighbors_mean > 3.0);
            for row in &rows {
                assert_eq!(row.neighbors_mean, rows[0].neighbors_mean, "{row:?}");
                assert_eq!(row.packing_fraction_mean, rows[0].packing_fraction_mean);
                assert!(row.candidates_mean >= row.neighbors_mean);
                assert!(row.candidates_mean <= 299.0);
                assert!((row.levels.iter().sum::<f64>() - 300.0).abs() < 1e-9);
                assert!(row.insert_ns > 0.0 && row.relocate_ns > 0.0 && row.query_ns > 0.0);
                assert!(row.pack_seconds > 0.0 && row.bytes_per_sphere > 8.0);
            }
        }
    }

    #[test]
    fn invalid_comparisons_are_refused() {
        let sizes = SizeSpec::load("mono:d=1").unwrap();
        let error = |comparison: IndexComparison| {
            compare_indexes(&sizes, &comparison, &mut |_| ()).unwrap_err()
        };
        assert_eq!(error(comparison(10).runs(0)), IndexComparisonError::NoRuns);
        for bad in [-1.0, f64::NAN, f64::INFINITY] {
            let error = error(comparison(10).verlet_distance(bad));
            assert!(matches!(error, IndexComparisonError::VerletDistance(_)));
        }
        assert_eq!(
            error(comparison(0)),
            IndexComparisonError::Pack(PackError::NoSpheres)
        );
    }
}
