//! Radial distribution function, in total and between size classes.

use glam::DVec3;
use rayon::prelude::*;

use super::{
    cells::CellGrid,
    constants::{CELLS_PER_REACH, MAX_BINS, MAX_CLASSES, TASK},
    error::AnalysisError,
    scene::Scene,
};
use crate::{container::Container, machine::parallel::Erase, spheres::Spheres};

/// The radial distribution function g(r) of the centers, in a container with three periodic axes.
///
/// g(r) is the number of pairs of centers at the distance r, divided by the expected number for independent, uniformly
/// distributed points in the container. The pairs between N_a spheres of class a and N_b of class b are compared with
/// `N_a N_b v / V` pairs in a bin, and those within a class with `N_a (N_a − 1) / 2 · v / V`; v is the volume of the
/// spherical shell of the bin and V that of the container. Thus the expected g(r) of random points is exactly 1 for any
/// number of spheres. Many texts divide by N² instead of N (N − 1); the difference is a factor of 1 − 1 / N.
///
/// A container with walls is rejected, because the shells around spheres near the walls extend beyond them.
///
/// # Reference
/// M. P. Allen & D. J. Tildesley, Computer Simulation of Liquids, 2nd ed. (2017), section 8.2,
/// [doi:10.1093/oso/9780198803195.001.0001](https://doi.org/10.1093/oso/9780198803195.001.0001).
///
/// # Example
/// ```
/// use jostle::{Effort, PackOptions, pack, analysis::RadialDistribution};
///
/// let packing = pack(&[0.5; 500], &PackOptions::default().effort(Effort::QUICK))?.packing;
/// let g = RadialDistribution::new(packing.spheres(), packing.container(), 2.0, 20, &[])?;
/// // No two centers are closer than a diameter, and many are just farther.
/// assert!(g.total()[..10].iter().all(|&g| g == 0.0));
/// assert!(g.total()[10] > 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RadialDistribution {
    r_max: f64,
    bins: usize,
    class_counts: Vec<usize>,
    total: Vec<f64>,
    /// By pair of classes, see [`pair_of_classes`]; absent where no two spheres form a pair.
    partial: Vec<Option<Vec<f64>>>,
}

impl RadialDistribution {
    /// Computes g(r) in `bins` bins of equal width from 0 to `r_max`, which is at most half the shortest length of the
    /// container.
    ///
    /// The increasing diameters `limits` divide the spheres into size classes: class 0 has the diameters below the first
    /// limit, class k those from limit k − 1 to below limit k. Without limits there is one class.
    ///
    /// # Cost
    /// O(N + pairs closer than `r_max`), on rayon's threads.
    ///
    /// # Errors
    /// [`AnalysisError`] if an axis has walls, if `r_max`, `bins` (1 to 10 000), `limits` (at most 15, increasing), a
    /// center or a radius is not accepted.
    pub fn new(
        spheres: &Spheres,
        container: &Container,
        r_max: f64,
        bins: usize,
        limits: &[f64],
    ) -> Result<Self, AnalysisError> {
        check(container, r_max, bins, limits)?;
        let scene = Scene::new(spheres, container)?;
        let class_of = |radius: &f64| limits.partition_point(|limit| *limit <= 2.0 * radius);
        let classes: Vec<usize> = spheres.radii().iter().map(class_of).collect();
        let mut class_counts = vec![0; limits.len() + 1];
        classes.iter().for_each(|&class| class_counts[class] += 1);

        let search = PairSearch::new(&scene, r_max, bins);
        let ids: Vec<u32> = (0..scene.len() as u32).collect();
        let grid = search.grid(&ids);
        let center = |&id: &u32| scene.centers[id as usize];
        let pair = |&i: &u32, j: u32| {
            let [a, b] = [i, j].map(|id| classes[id as usize]);
            (i != j).then(|| pair_of_classes(a, b))
        };
        let kinds = pair_of_classes(0, limits.len() + 1);
        let histogram = search.histogram(grid.ids(), center, &grid, kinds, pair);
        Ok(search.distribution(&histogram, class_counts))
    }

    /// Returns the number of bins.
    pub fn bins(&self) -> usize {
        self.bins
    }

    /// Returns the borders of the bins, one more than there are bins, from 0 to the largest distance, in the caller's unit.
    pub fn edges(&self) -> Vec<f64> {
        let Self { r_max, bins, .. } = *self;
        (0..=bins).map(|bin| edge(r_max, bins, bin)).collect()
    }

    /// Returns the middle of each bin, in the caller's unit.
    pub fn distances(&self) -> Vec<f64> {
        let edges = self.edges();
        edges
            .windows(2)
            .map(|ends| 0.5 * (ends[0] + ends[1]))
            .collect()
    }

    /// Returns g(r) of all spheres in each bin, without unit; 0 for fewer than two spheres.
    pub fn total(&self) -> &[f64] {
        &self.total
    }

    /// Returns g(r) between the size classes `a` and `b` in each bin, the same in either order. It is absent if there is no
    /// such class or no pair of spheres.
    pub fn partial(&self, a: usize, b: usize) -> Option<&[f64]> {
        let classes = self.class_counts.len();
        if a >= classes || b >= classes {
            return None;
        }
        self.partial[pair_of_classes(a, b)].as_deref()
    }

    /// Returns the number of spheres in each size class.
    pub fn class_counts(&self) -> &[usize] {
        &self.class_counts
    }
}

/// Checks everything but the spheres.
fn check(
    container: &Container,
    r_max: f64,
    bins: usize,
    limits: &[f64],
) -> Result<(), AnalysisError> {
    let axes = ['x', 'y', 'z'].into_iter().enumerate();
    for (number, axis) in axes.take(container.dimension().number()) {
        if !container.is_periodic(number) {
            return Err(AnalysisError::NotPeriodic { axis });
        }
    }
    let limit = 0.5 * container.shortest_length();
    if !(r_max > 0.0 && r_max <= limit) {
        return Err(AnalysisError::Distance { r_max, limit });
    }
    if !(1..=MAX_BINS).contains(&bins) {
        return Err(AnalysisError::Bins { bins });
    }
    if limits.len() >= MAX_CLASSES {
        let classes = limits.len().saturating_add(1);
        return Err(AnalysisError::TooManyClasses { classes });
    }
    let mut previous = 0.0;
    for (position, &limit) in limits.iter().enumerate() {
        if !(limit > previous && limit.is_finite()) {
            return Err(AnalysisError::ClassLimit { position, limit });
        }
        previous = limit;
    }
    Ok(())
}

/// Returns the number of the pair of two classes, the same in either order. The numbers of the classes below n are those below
/// `pair_of_classes(0, n)`.
fn pair_of_classes(a: usize, b: usize) -> usize {
    let (small, large) = (a.min(b), a.max(b));
    large * (large + 1) / 2 + small
}

/// A count of pairs by their distance.
pub(super) struct PairSearch<'a> {
    scene: &'a Scene<'a>,
    r_max: f64,
    bins: usize,
}

impl<'a> PairSearch<'a> {
    /// Prepares to count pairs in `bins` bins of equal width from 0 to `r_max`.
    pub(super) fn new(scene: &'a Scene<'a>, r_max: f64, bins: usize) -> Self {
        Self { scene, r_max, bins }
    }

    /// Sorts the spheres `ids` into cells that suit the search.
    pub(super) fn grid(&self, ids: &[u32]) -> CellGrid {
        CellGrid::new(self.scene, ids, self.r_max / CELLS_PER_REACH)
    }

    /// Returns the number of pairs (reference, sphere in the grid) in each bin, for each of several kinds of pairs. `kind` returns
    /// `None` for pairs that do not count.
    ///
    /// Whole numbers have the same sum in any order, so that the result does not depend on the threads.
    pub(super) fn histogram<T: Sync>(
        &self,
        references: &[T],
        center: impl Fn(&T) -> DVec3 + Sync,
        grid: &CellGrid,
        kinds: usize,
        kind: impl Fn(&T, u32) -> Option<usize> + Sync,
    ) -> Vec<u64> {
        let Self { scene, r_max, bins } = *self;
        let count = |mut histogram: Vec<u64>, references: &[T]| {
            for reference in references {
                let from = center(reference);
                grid.visit(from, r_max, |id, to| {
                    let square = scene.displacement(from, to).length_squared();
                    if square >= r_max * r_max {
                        return;
                    }
                    let distance = square.sqrt();
                    if let Some(kind) = kind(reference, id).filter(|_| distance < r_max) {
                        let bin = (distance / r_max * bins as f64) as usize;
                        histogram[kind * bins + bin.min(bins - 1)] += 1;
                    }
                });
            }
            histogram
        };
        references
            .par_chunks(TASK)
            .erased()
            .fold(|| vec![0_u64; bins * kinds], count)
            .reduce_with(sum)
            .unwrap_or_else(|| vec![0; bins * kinds])
    }

    /// Divides the number of pairs in each bin by the expected number for random points.
    pub(super) fn normalized(&self, counts: &[u64], pairs: f64) -> Vec<f64> {
        let container = self.scene.container;
        let (dimension, volume) = (container.dimension(), container.volume());
        let share = |bin: usize| {
            let [low, high] = [bin, bin + 1].map(|bin| edge(self.r_max, self.bins, bin));
            dimension.unit_sphere() * (dimension.power(high) - dimension.power(low)) / volume
        };
        (0..self.bins)
            .map(|bin| counts[bin] as f64 / (pairs * share(bin)))
            .collect()
    }

    /// Returns the functions of the counted pairs.
    fn distribution(&self, histogram: &[u64], class_counts: Vec<usize>) -> RadialDistribution {
        let bins = self.bins;
        // Pairs of one class are found from both ends. Pairs of two classes are counted together, also from both ends.
        let within = |count: usize| count as f64 * count.saturating_sub(1) as f64;
        let mut sums = vec![0; bins];
        let mut partial = Vec::new();
        for b in 0..class_counts.len() {
            for a in 0..=b {
                let start = pair_of_classes(a, b) * bins;
                let counts = &histogram[start..start + bins];
                sums = sum(sums, counts.to_vec());
                let pairs = if a == b {
                    within(class_counts[a])
                } else {
                    2.0 * class_counts[a] as f64 * class_counts[b] as f64
                };
                partial.push((pairs > 0.0).then(|| self.normalized(counts, pairs)));
            }
        }
        let pairs = within(class_counts.iter().sum());
        let total = if pairs > 0.0 {
            self.normalized(&sums, pairs)
        } else {
            vec![0.0; bins]
        };
        RadialDistribution {
            r_max: self.r_max,
            bins,
            class_counts,
            total,
            partial,
        }
    }
}

/// Returns the sums of two histograms.
fn sum(mut a: Vec<u64>, b: Vec<u64>) -> Vec<u64> {
    for (a, b) in a.iter_mut().zip(b) {
        *a += b;
    }
    a
}

/// Returns the lower border of a bin.
fn edge(r_max: f64, bins: usize, bin: usize) -> f64 {
    r_max * (bin as f64 / bins as f64)
}
