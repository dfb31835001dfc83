//! Homogeneity: whether the sizes are mixed as if by chance.

use glam::DVec3;

use super::{
    constants::{FEWEST_IN_CELL, MAX_CELLS_PER_AXIS},
    error::AnalysisError,
    scene::Scene,
};
use crate::{container::Container, spheres::Spheres};

/// Returns the root mean square of the z-scores of the mean sphere size in the cells of a grid: 1 if the radii are assigned to
/// the positions at random, more if sizes are segregated, less if they are mixed more evenly than by chance.
///
/// The bounding box is divided into `cells_per_axis`³ equal cells, the square of this number in the plane, and a sphere belongs to the cell of its center. With `x = ln r`,
/// its mean μ and variance σ² over all N spheres, the mean of x in a cell with n spheres has the z-score
/// `(mean − μ) / sqrt(σ² / n · (N − n) / (N − 1))`. The denominator is the standard deviation of the mean of n values that are
/// drawn from the N values without replacement. Thus the expected square of a z-score is exactly 1 for radii assigned at random,
/// and no random numbers are needed. Cells with fewer than 2 spheres are skipped, and so is a cell with all spheres.
///
/// With [`HOMOGENEITY_CELLS`](super::HOMOGENEITY_CELLS), the result shows at which scale sizes segregate. The larger a
/// sphere is, the more volume it takes from the others: in cells that are not much larger than the largest sphere, the
/// result differs from 1 for that reason alone.
///
/// The result is absent if all radii are equal or no cell is used.
///
/// # Cost
/// O(N + `cells_per_axis`³).
///
/// # Errors
/// [`AnalysisError`] if `cells_per_axis` is not from 2 to 128, or if a center or a radius is not accepted.
///
/// # Reference
/// W. G. Cochran, Sampling Techniques, 3rd ed. (1977), theorem 2.2: the variance of a mean without replacement.
pub fn homogeneity(
    spheres: &Spheres,
    container: &Container,
    cells_per_axis: usize,
) -> Result<Option<f64>, AnalysisError> {
    if !(2..=MAX_CELLS_PER_AXIS).contains(&cells_per_axis) {
        return Err(AnalysisError::CellsPerAxis { cells_per_axis });
    }
    let scene = Scene::new(spheres, container)?;
    let logs: Vec<f64> = scene
        .radii
        .iter()
        .map(|&radius| libm::log(radius))
        .collect();
    Ok(mixing(&scene, cells_per_axis, &logs))
}

/// Returns the root mean square of the z-scores of the mean of any value in the cells: see [`homogeneity`]. `values` are those of the
/// spheres of this process. The result is absent if all values are equal or no cell is used.
pub(super) fn mixing(scene: &Scene, cells_per_axis: usize, values: &[f64]) -> Option<f64> {
    let own = values.iter().copied();
    let smallest = own.clone().fold(f64::INFINITY, f64::min);
    let largest = scene.ranks.largest(own.fold(f64::NEG_INFINITY, f64::max));
    // Without values, the smallest one is infinite.
    if scene.ranks.smallest(vec![smallest])[0] >= largest {
        return None;
    }
    let count = scene.total as f64;
    let mean = scene.sum(values.iter().copied()) / count;
    // The variance, and then the number of spheres and the sum of their deviations in each cell.
    let sums = scene
        .ranks
        .sums_in_turn(1 + 2 * cells(scene, cells_per_axis), |sums| {
            for (center, value) in scene.centers[scene.own.clone()].iter().zip(values) {
                let deviation = value - mean;
                sums[0] += deviation * deviation / count;
                let cell = 1 + 2 * cell_of(scene, cells_per_axis, *center);
                sums[cell] += 1.0;
                sums[cell + 1] += deviation;
            }
        });
    let (variance, cells) = (sums[0], sums[1..].chunks_exact(2));
    let used = cells.filter(|cell| cell[0] >= FEWEST_IN_CELL && cell[0] < count);
    let square = |cell: &[f64]| {
        let (n, sum) = (cell[0], cell[1]);
        let rest = (count - n) / (count - 1.0);
        sum * sum / (n * variance * rest)
    };
    let squares: Vec<f64> = used.map(square).collect();
    let mean_square = squares.iter().sum::<f64>() / squares.len() as f64;
    (!squares.is_empty() && variance > 0.0).then(|| mean_square.sqrt())
}

/// Returns the number of equal cells of the bounding box of the container: `cells_per_axis` to the power of the dimension.
pub(super) fn cells(scene: &Scene, cells_per_axis: usize) -> usize {
    cells_per_axis.pow(scene.dimension().number() as u32)
}

/// Returns the cell of a center, among those of [`cells`].
pub(super) fn cell_of(scene: &Scene, cells_per_axis: usize, center: DVec3) -> usize {
    // In the plane, the share of z is no number, which becomes cell 0.
    let shares = (center / scene.container.lengths()).to_array();
    let [x, y, z] =
        shares.map(|share| ((share * cells_per_axis as f64) as usize).min(cells_per_axis - 1));
    (z * cells_per_axis + y) * cells_per_axis + x
}
