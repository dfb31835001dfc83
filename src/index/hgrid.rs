//! The hierarchical grid.

use super::{
    constants::{CELL_OPENING_COST, MAX_CELLS_PER_AXIS},
    entry::Entry,
    grid_levels::{GridLevels, SizeRule},
};
use crate::{
    container::{Container, frame::box_volume},
    tuning::cell_sizes_for,
};

/// Several grids over the same container, each with its own cell size. A sphere belongs to the finest grid whose cells
/// are at least as wide as the sphere.
///
/// A query searches every level, in the cells from which a sphere of that level could reach the probe. The cells of a
/// level are kept in an array if they are few in proportion to its spheres, else in a hash table.
///
/// [`laboratory::broad_phase::SortedHGrid`](crate::laboratory::broad_phase::SortedHGrid) has the same levels and cells,
/// but sorts all spheres of a snapshot into them and reports all pairs at once.
///
/// # Cost
/// Changes are O(1), building is O(N · levels).
///
/// # Reference
/// V. Ogarko & S. Luding, A fast multilevel algorithm for contact detection of arbitrarily polydisperse objects (2012),
/// Comput. Phys. Commun. 183, 931.
pub type HGrid = GridLevels<Hierarchy>;

/// The cell sizes of the [`HGrid`].
#[derive(Clone, Debug)]
pub enum Hierarchy {
    /// Chosen by the caller, ascending.
    Given(Vec<f64>),
    /// Chosen for the spheres.
    Tuned,
}

/// A list of cell sizes that defines no hierarchical grid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CellSizesError {
    /// The list is empty.
    #[error("the hierarchical grid has no cell sizes; it needs at least one")]
    Empty,
    /// A size is not a positive, finite number.
    #[error("cell size {0} of the hierarchical grid must be a positive, finite number")]
    NotPositive(f64),
}

impl GridLevels<Hierarchy> {
    /// Builds a hierarchical grid over `entries` with one level for each of `cell_sizes`, in any order.
    ///
    /// Spheres wider than the largest cell size belong to the coarsest level. Along each axis, cells are widened
    /// until a whole number of them fills the container.
    ///
    /// # Errors
    /// When there is no cell size, or one that is not positive and finite.
    ///
    /// # Panics
    /// When an entry is invalid; see [`IndexBuilder::build`](crate::index::IndexBuilder::build).
    pub fn new(
        container: &Container,
        cell_sizes: &[f64],
        entries: &[Entry],
    ) -> Result<Self, CellSizesError> {
        if cell_sizes.is_empty() {
            return Err(CellSizesError::Empty);
        }
        if let Some(&bad) = cell_sizes.iter().find(|&&s| !(s > 0.0 && s.is_finite())) {
            return Err(CellSizesError::NotPositive(bad));
        }
        let mut sizes = cell_sizes.to_vec();
        sizes.sort_by(f64::total_cmp);
        sizes.dedup();
        Ok(Self::over(container, Hierarchy::Given(sizes), entries))
    }

    /// Builds a hierarchical grid over `entries` with cell sizes from
    /// [`tuned_cell_sizes`](Self::tuned_cell_sizes) and K = 2.
    ///
    /// K is fixed, so that the same spheres get the same cells on any machine. The grid needs a rebuild when the number
    /// of spheres has doubled.
    ///
    /// # Panics
    /// When an entry is invalid; see [`IndexBuilder::build`](crate::index::IndexBuilder::build).
    pub fn tuned(container: &Container, entries: &[Entry]) -> Self {
        Self::over(container, Hierarchy::Tuned, entries)
    }

    /// Returns the cell sizes for which the cost model predicts the least work when every entry queries for its
    /// neighbors, finest first; `overhead` is the cost K of opening a cell, in overlap tests.
    ///
    /// The radii count as given: a Verlet allowance must be part of them. Without entries, or if K is not a number of
    /// at least 0, the only size is the longest side of the container. O(N).
    ///
    /// # Reference
    /// D. Krijgsman, V. Ogarko & S. Luding, Optimal parameters for a hierarchical grid data structure for contact detection
    /// in arbitrarily polydisperse particle systems (2014), Eq. 27.
    pub fn tuned_cell_sizes(container: &Container, entries: &[Entry], overhead: f64) -> Vec<f64> {
        // In units of the longest side no power overflows. Smaller or larger cells than these do not exist.
        let longest = container.lengths().max_element();
        let radii: Vec<f64> = entries
            .iter()
            .map(|entry| (entry.radius / longest).clamp(0.5 / MAX_CELLS_PER_AXIS, 0.5))
            .collect();
        let volume = box_volume(container.lengths() / longest);
        let dimension = container.dimension();
        let packing_fraction = (dimension.volume(&radii) / volume).min(f64::MAX);
        let sizes =
            cell_sizes_for(&radii, dimension, packing_fraction, overhead).unwrap_or(vec![1.0]);
        sizes.into_iter().map(|size| size * longest).collect()
    }
}

impl SizeRule for Hierarchy {
    fn sizes(&self, container: &Container, entries: &[Entry]) -> Vec<f64> {
        match self {
            Self::Given(sizes) => sizes.clone(),
            Self::Tuned => HGrid::tuned_cell_sizes(container, entries, CELL_OPENING_COST),
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::{container::Boundaries, index::GlobalIndex, spheres::total_volume};

    #[test]
    fn spheres_belong_to_the_finest_level_that_is_wide_enough() {
        let container = Container::cuboid(DVec3::splat(10.0), Boundaries::PERIODIC).unwrap();
        let entry = |id, diameter: f64| Entry {
            center: DVec3::splat(5.0),
            radius: 0.5 * diameter,
            id,
        };
        let entries: Vec<Entry> = (0..)
            .zip([0.1, 1.0, 1.1, 3.0, 3.5, 9.0])
            .map(|(id, diameter)| entry(id, diameter))
            .collect();
        let grid = HGrid::new(&container, &[3.0, 1.0, 4.0], &entries).unwrap();
        assert_eq!(grid.spheres_per_level(), [2, 2, 2]);
    }

    #[test]
    fn tuned_sizes_fit_the_largest_sphere_and_accept_any_radius() {
        let sizes = |lengths: DVec3, radii: &[f64]| {
            let container = Container::cuboid(lengths, Boundaries::PERIODIC).unwrap();
            let entries: Vec<Entry> = (0..)
                .zip(radii)
                .map(|(id, &radius)| Entry {
                    center: DVec3::ZERO,
                    radius,
                    id,
                })
                .collect();
            HGrid::tuned_cell_sizes(&container, &entries, 0.2)
        };
        let close = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-9;
        let cube = DVec3::splat(10.0);
        assert_eq!(sizes(cube, &[]), [10.0]);
        let equal = sizes(cube, &[0.5; 300]);
        assert!(equal.len() == 1 && close(equal[0], 1.0), "{equal:?}");
        let mut mixed = vec![0.05; 500_000];
        mixed.push(2.0);
        let two = sizes(cube, &mixed);
        assert!(two.len() == 2 && close(two[0], 0.1), "{two:?}");
        assert!(close(two[1], 4.0), "{two:?}");
        let finest = 10.0 / MAX_CELLS_PER_AXIS;
        for radii in [
            [0.0, 1e-300],
            [0.0, 7.0],
            [1e-9, 1e300],
            [f64::MAX, f64::MAX],
        ] {
            let sizes = sizes(cube, &radii);
            let inside = sizes.iter().all(|&s| s > 0.999 * finest && s < 10.001);
            assert!(inside && sizes.is_sorted(), "{radii:?}: {sizes:?}");
        }
        for lengths in [
            DVec3::splat(1e-200),
            DVec3::splat(1e200),
            DVec3::new(1e-150, 1.0, 1e150),
        ] {
            let [size] = sizes(lengths, &[1.0])[..] else {
                panic!("one sphere needs one level");
            };
            assert!(size > 0.0 && size.is_finite(), "{lengths}: {size}");
        }
    }

    #[test]
    fn tuned_levels_cost_as_little_as_levels_in_equal_ratios() {
        // Uniform volume, ω = 30.
        let count = 4000;
        let radii =
            (0..count).map(|i| (1.0 - 0.9989 * (f64::from(i) + 0.5) / f64::from(count)).sqrt());
        let radii: Vec<f64> = radii.map(f64::recip).collect();
        let side = (total_volume(&radii) / 0.6).cbrt();
        let container = Container::cuboid(DVec3::splat(side), Boundaries::PERIODIC).unwrap();
        let coordinate = |i: u32, step: f64| side * (f64::from(i) * step).fract();
        let entries: Vec<Entry> = (0..)
            .zip(&radii)
            .map(|(id, &radius)| Entry {
                center: DVec3::new(
                    coordinate(id, 0.819_172_513_396_164),
                    coordinate(id, 0.671_043_606_703_789),
                    coordinate(id, 0.549_700_477_901_971),
                ),
                radius,
                id,
            })
            .collect();
        let cost = |grid: HGrid| {
            let (mut candidates, mut opened) = (0, 0);
            for entry in &entries {
                let count = &mut |run: &[u32]| candidates += run.len();
                opened += grid.visit_candidates(entry.center, entry.radius, count);
            }
            candidates as f64 + CELL_OPENING_COST * opened as f64
        };
        let tuned = cost(HGrid::tuned(&container, &entries));
        let largest = 2.0 * radii[radii.len() - 1];
        for levels in 1..9 {
            let ratio = (0.5 * largest).powf(-1.0 / f64::from(levels));
            let sizes: Vec<f64> = (0..levels).map(|h| largest * ratio.powi(h)).collect();
            let other = cost(HGrid::new(&container, &sizes, &entries).unwrap());
            assert!(
                tuned < 1.05 * other,
                "{levels} levels in equal ratios cost {other}, tuned levels {tuned}"
            );
        }
    }

    #[test]
    fn cell_sizes_are_checked() {
        let container = Container::cuboid(DVec3::ONE, Boundaries::PERIODIC).unwrap();
        let error = |sizes: &[f64]| HGrid::new(&container, sizes, &[]).unwrap_err();
        assert_eq!(error(&[]), CellSizesError::Empty);
        assert_eq!(error(&[1.0, -2.0]), CellSizesError::NotPositive(-2.0));
        assert!(matches!(error(&[f64::NAN]), CellSizesError::NotPositive(_)));
    }
}
