//! The HGrid measured, to be set beside its cost model.

use std::time::Instant;

use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::{
    container::{Boundaries, Container, ContainerError},
    distribution::{Sampling, SizeDistribution, UniformVolume},
    laboratory::broad_phase::{BroadPhase, HGrid, HGridSearch},
    spheres::{Spheres, total_volume},
    tuning::{Overhead, SearchTiming, fit_overhead},
};

/// Counts and times one frame.
///
/// The first frame also pays for memory, and other programs disturb any frame: take the fastest of several.
pub fn search(hgrid: &mut HGrid, spheres: &Spheres) -> SearchTiming {
    let mut pairs = 0u64;
    let start = Instant::now();
    let work = hgrid.detect(spheres, &mut |_, _| pairs += 1);
    let seconds = start.elapsed().as_secs_f64();
    std::hint::black_box(pairs);
    SearchTiming {
        pair_tests: work.pair_tests as f64,
        cell_accesses: work.cell_accesses as f64,
        seconds,
    }
}

/// The cell sizes, rising, as they come out in a periodic cube, where whole cells fill a side; sizes that come out
/// the same are one level.
///
/// An HGrid in the cube has exactly these cells, which the cost model then should be given as well.
pub fn whole_cells(side: f64, cell_sizes: &[f64]) -> Vec<f64> {
    // The grid makes cells two millionths larger than asked, and finds its number of cells again in what is returned.
    const LARGER: f64 = 2e-6;
    let mut sizes: Vec<f64> = cell_sizes
        .iter()
        .map(|&size| {
            let count = (side / (size * (1.0 + LARGER))).floor().max(1.0);
            size.max(side / count * (1.0 - 2.0 * LARGER))
        })
        .collect();
    sizes.dedup();
    sizes
}

/// Spheres with independent centres, overlaps and all, in a periodic cube of which they fill the given share, overlaps
/// counted twice.
///
/// # Errors
/// When the radii and the share make no cube.
pub fn random_spheres(
    radii: &[f64],
    packing_fraction: f64,
    seed: u64,
) -> Result<(Spheres, Container), ContainerError> {
    let side = (total_volume(radii) / packing_fraction).cbrt();
    let container = Container::new(DVec3::splat(side), Boundaries::PERIODIC)?;
    let mut rng = Pcg64::seed_from_u64(seed);
    let mut point = || DVec3::new(rng.random(), rng.random(), rng.random()) * side;
    let centers = radii.iter().map(|_| point()).collect();
    Ok((Spheres::new(centers, radii.to_vec()), container))
}

/// The overhead factor K of the [`HGrid`] on this machine, from timed searches among 50 000 spheres of uniform volume,
/// ω = 10, on one to seven levels. Takes about half a second.
///
/// `None` when times are so disturbed that they cannot be told apart.
pub fn measure_overhead() -> Option<Overhead> {
    const REPEATS: usize = 5;
    let law = SizeDistribution::UniformVolume(UniformVolume::new(1.0, 10.0).ok()?);
    let sample = law.sample(50_000, Sampling::Stratified, 0);
    let radii: Vec<f64> = sample.diameters.iter().map(|d| 0.5 * d).collect();
    let (spheres, container) = random_spheres(&radii, 0.4, 0).ok()?;
    let mut grids: Vec<HGrid> = (1..8)
        .filter_map(|levels| {
            let size = |h| 10f64.powf(f64::from(h) / f64::from(levels));
            let sizes = (1..=levels).map(size).collect();
            HGrid::new(sizes, HGridSearch::TopDown).ok()
        })
        .map(|grid| grid.in_container(container.clone()))
        .collect();
    let mut fastest: Vec<Option<SearchTiming>> = vec![None; grids.len()];
    for _ in 0..REPEATS {
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
    fn random_spheres_fill_the_share() {
        let (spheres, container) = random_spheres(&[1.0, 2.0, 0.5], 0.3, 5).unwrap();
        assert!((spheres.volume() / container.volume() / 0.3 - 1.0).abs() < 1e-12);
        let lengths = container.lengths();
        assert!(spheres.centers().iter().all(|c| c.cmple(lengths).all()));
        assert!(random_spheres(&[1.0], 0.0, 5).is_err());
    }
}
