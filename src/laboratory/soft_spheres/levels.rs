//! Cell sizes of least work for a simulation.

use crate::tuning::{CostModel, Dimension, RadiusLaw, Search, TuningError, optimal};

/// Returns the cell sizes of least work in the unit of the radii, finest first, by the cost model of Krijgsman, Ogarko &
/// Luding 2014. The last size is the largest diameter.
///
/// `packing_fraction` is the share of the plane or of space that the disks or spheres fill. Opening a cell costs `overhead`
/// (K) overlap tests.
///
/// # Errors
/// If there is no radius, if a radius is not from 10⁻³⁰⁰ to 10³⁰⁰, if the size ratio is above 10¹⁵, or if the packing
/// fraction or the overhead factor is out of range (see [`CostModel::new`]).
pub fn best_cell_sizes(
    radii: &[f64],
    packing_fraction: f64,
    dimension: Dimension,
    overhead: f64,
    search: Search,
) -> Result<Vec<f64>, TuningError> {
    let law = RadiusLaw::from_radii(radii)?;
    let model = CostModel::new(&law, dimension, packing_fraction, overhead)?;
    let mut sizes = optimal(&model, search);
    // Rounding must not leave the largest sphere without a level.
    sizes.pop();
    let last = 2.0 * largest(radii);
    let finer = sizes.into_iter().map(|size| size * law.smallest_radius());
    Ok(finer.filter(|&size| size < last).chain([last]).collect())
}

/// Returns the largest radius; 0 without radii.
pub(super) fn largest(radii: &[f64]) -> f64 {
    radii.iter().copied().fold(0.0, f64::max)
}
