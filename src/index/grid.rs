//! The grid.

use super::{
    cell_level::{array_limit, cell_counts, cell_number},
    constants::CELL_WIDENING,
    entry::Entry,
    grid_levels::{GridLevels, SizeRule},
};
use crate::container::Container;

/// Equal cells as small as the largest sphere's diameter allows, `⌊length/d_max⌋` along each axis.
///
/// The choice for nearly equal spheres. One large sphere makes all cells large, and the number of candidates grows with
/// the cube of the size ratio.
///
/// The number of cells is limited in proportion to the number of spheres. The spheres of the build determine the cells;
/// the grid needs a rebuild when the number of spheres has doubled. Larger spheres that are inserted later widen
/// the search of each probe.
///
/// # Cost
/// Changes are O(1), building is O(N).
///
/// # Reference
/// S. Raschdorf & M. Kolonko, Loose octree: a data structure for the simulation of polydisperse particle
/// packings (2011), section 3.1, Eq. 1.
pub type Grid = GridLevels<LargestDiameter>;

/// The only cell size of the [`Grid`].
#[derive(Clone, Debug)]
pub struct LargestDiameter;

impl GridLevels<LargestDiameter> {
    /// Builds a grid over `entries`.
    ///
    /// # Panics
    /// When an entry is invalid; see [`IndexBuilder::build`](crate::index::IndexBuilder::build).
    pub fn new(container: &Container, entries: &[Entry]) -> Self {
        Self::over(container, LargestDiameter, entries)
    }
}

impl SizeRule for LargestDiameter {
    /// Returns the largest diameter, or a greater length if that made too many cells.
    fn sizes(&self, container: &Container, entries: &[Entry]) -> Vec<f64> {
        let limit = array_limit(entries.len());
        let largest = entries.iter().map(|e| e.radius).fold(0.0, f64::max);
        // With shorter sides, the cells along the longest axis alone would exceed the limit.
        let least = container.lengths().max_element() / limit as f64;
        let mut side = (2.0 * largest).max(least);
        while cell_number(cell_counts(container, side)) > limit {
            side *= CELL_WIDENING;
        }
        vec![side]
    }
}
