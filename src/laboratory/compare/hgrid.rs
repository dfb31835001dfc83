//! Measurements of the HGrid, for comparison with its cost model.

use glam::DVec3;
use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::{
    constants::{
        CELL_ENLARGEMENT, OVERHEAD_MAX_LEVELS, OVERHEAD_REPETITIONS, OVERHEAD_SIZE_RATIO,
        OVERHEAD_SPHERES, PACKING_FRACTION,
    },
    random::random_point,
};
use crate::{
    container::{Boundaries, Container, ContainerError},
    distribution::{Sampling, SizeDistribution, UniformVolume},
    laboratory::broad_phase::{BroadPhase, HGridSearch, SortedHGrid},
    machine::clock::Instant,
    spheres::{Spheres, total_volume},
    tuning::{Overhead, SearchTiming, fit_overhead},
};

/// Searches one snapshot for contacts, and returns the counts and the time of the search.
///
/// The first search also allocates memory, and other programs disturb single searches: use the fastest of several.
pub fn search(hgrid: &mut SortedHGrid, spheres: &Spheres) -> SearchTiming {
    let mut pairs = 0u64;
    let start = Instant::now();
    let counts = hgrid.detect(spheres, &mut |_, _| pairs += 1);
    let seconds = start.elapsed().as_secs_f64();
    std::hint::black_box(pairs);
    SearchTiming {
        pair_tests: counts.pair_tests as f64,
        cell_accesses: counts.cell_accesses as f64,
        seconds,
    }
}

/// Returns the cell sizes enlarged so that whole cells fill a periodic cube of this `side`.
///
/// The sizes must be ascending. Sizes that become equal are one level. An HGrid in the cube has exactly these cells,
/// so the cost model must use these sizes too.
pub fn whole_cells(side: f64, cell_sizes: &[f64]) -> Vec<f64> {
    // The sizes are slightly below side/count, so that the HGrid, which enlarges cells, gets the same count from them.
    let mut sizes: Vec<f64> = cell_sizes
        .iter()
        .map(|&size| {
            let count = (side / (size * (1.0 + CELL_ENLARGEMENT))).floor().max(1.0);
            size.max(side / count * (1.0 - 2.0 * CELL_ENLARGEMENT))
        })
        .collect();
    sizes.dedup();
    sizes
}

/// Returns spheres with independent random centers in a periodic cube, of which they fill `packing_fraction`.
///
/// Spheres may overlap; the packing fraction counts overlaps twice.
///
/// # Errors
/// When the volume of the spheres over the packing fraction is not the volume of a valid cube.
pub fn random_spheres(
    radii: &[f64],
    packing_fraction: f64,
    seed: u64,
) -> Result<(Spheres, Container), ContainerError> {
    let side = (total_volume(radii) / packing_fraction).cbrt();
    let container = Container::cuboid(DVec3::splat(side), Boundaries::PERIODIC)?;
    let mut rng = Pcg64::seed_from_u64(seed);
    let centers = radii
        .iter()
        .map(|_| random_point(&mut rng) * side)
        .collect();
    Ok((Spheres::new(centers, radii.to_vec()), container))
}

/// Measures the overhead factor K of the [`SortedHGrid`] on this machine.
///
/// K follows from timed searches among 50 000 spheres of uniform volume with size ratio 10, on one to seven levels.
/// The measurement takes about half a second. The result is `None` when the times of a distance test and of a cell
/// access cannot be separated, because other programs disturb the measurement.
pub fn measure_overhead() -> Option<Overhead> {
    let law = SizeDistribution::UniformVolume(UniformVolume::new(1.0, OVERHEAD_SIZE_RATIO).ok()?);
    let sample = law.sample_number(OVERHEAD_SPHERES, Sampling::Stratified, 0);
    let radii = sample.radii();
    let (spheres, container) = random_spheres(&radii, PACKING_FRACTION, 0).ok()?;
    let mut grids: Vec<SortedHGrid> = (1..=OVERHEAD_MAX_LEVELS)
        .filter_map(|levels| {
            let size = |h| OVERHEAD_SIZE_RATIO.powf(f64::from(h) / f64::from(levels));
            let sizes = (1..=levels).map(size).collect();
            SortedHGrid::new(sizes, HGridSearch::TopDown).ok()
        })
        .map(|grid| grid.in_container(container.clone()))
        .collect();
    let mut fastest: Vec<Option<SearchTiming>> = vec![None; grids.len()];
    for _ in 0..OVERHEAD_REPETITIONS {
        for (grid, fastest) in grids.iter_mut().zip(&mut fastest) {
            let timing = search(grid, &spheres);
            if fastest.is_none_or(|fastest| timing.seconds < fastest.seconds) {
                *fastest = Some(timing);
            }
        }
    }
    fit_overhead(&fastest.into_iter().flatten().collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_cells_fill_the_side() {
        let sizes = whole_cells(10.0, &[1.0, 2.6, 3.0, 4.0]);
        let expected = [10.0 / 9.0, 10.0 / 3.0, 5.0];
        assert_eq!(sizes.len(), expected.len());
        for (size, expected) in sizes.iter().zip(expected) {
            assert!((size / expected - 1.0).abs() < 1e-5, "{sizes:?}");
        }
        assert_eq!(whole_cells(1.0, &[3.0]).len(), 1);
    }

    #[test]
    fn random_spheres_have_the_packing_fraction() {
        let (spheres, container) = random_spheres(&[1.0, 2.0, 0.5], 0.3, 5).unwrap();
        assert!((spheres.volume() / container.volume() / 0.3 - 1.0).abs() < 1e-12);
        let lengths = container.lengths();
        assert!(spheres.centers().iter().all(|c| c.cmple(lengths).all()));
        assert!(random_spheres(&[1.0], 0.0, 5).is_err());
    }
}
