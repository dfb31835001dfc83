//! The hierarchical grid.

use glam::DVec3;

use super::{Entry, GlobalIndex, arena::Arena, cells::CellLevel};
use crate::container::Container;

/// More levels than this are never chosen without being asked for.
const MOST_LEVELS: usize = 20;

/// Several grids over the same container, each with its own cell size; a sphere belongs to the finest
/// whose cells are at least as wide as it is.
///
/// A query looks into every level, in the cells that a sphere of that level could reach the probe from. Cells
/// are kept in an array where they are few for the spheres they hold, else in a hash table.
///
/// # Cost
/// Changes are O(1), building is O(N · levels).
///
/// # Reference
/// V. Ogarko, S. Luding: A fast multilevel algorithm for contact detection of arbitrarily polydisperse objects,
/// Computer Physics Communications 183 (2012).
#[derive(Clone, Debug)]
pub struct HGrid {
    container: Container,
    /// Cell sizes the caller chose; absent if they follow from the spheres.
    given: Option<Vec<f64>>,
    /// Ascending.
    sizes: Vec<f64>,
    arena: Arena,
    /// One for each size.
    levels: Vec<CellLevel>,
    /// The number of spheres at which cells are chosen anew.
    rebuild_at: usize,
}

/// A list of cell sizes that makes no hierarchical grid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CellSizesError {
    /// The list is empty.
    #[error("the hierarchical grid has no cell sizes; it needs at least one")]
    Empty,
    /// A size is not a positive, finite number.
    #[error("cell size {0} of the hierarchical grid must be a positive, finite number")]
    NotPositive(f64),
}

impl HGrid {
    /// A hierarchical grid with one level for each of `cell_sizes`, in any order, over `entries`, which must have
    /// different ids.
    ///
    /// Spheres wider than the largest cell size belong to the coarsest level. Along each axis, cells are widened
    /// until a whole number of them fills the container.
    ///
    /// # Errors
    /// When there is no cell size, or one that is not positive and finite.
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
        Ok(Self::with_sizes(container, Some(sizes), entries))
    }

    /// A hierarchical grid over `entries` with cell sizes from [`doubling_cell_sizes`](Self::doubling_cell_sizes).
    pub fn with_doubling_sizes(container: &Container, entries: &[Entry]) -> Self {
        Self::with_sizes(container, None, entries)
    }

    /// Cell sizes from the largest diameter down, each half of the one before, as long as a sphere is that small.
    /// The longest side of the container if there are no spheres.
    pub fn doubling_cell_sizes(container: &Container, entries: &[Entry]) -> Vec<f64> {
        let radii = || entries.iter().map(|e| e.radius);
        let largest = 2.0 * radii().fold(0.0, f64::max);
        let smallest = 2.0 * radii().fold(f64::INFINITY, f64::min);
        if !(largest > 0.0 && largest.is_finite()) {
            return vec![container.lengths().max_element()];
        }
        std::iter::successors(Some(largest), |size| Some(0.5 * size))
            .take(MOST_LEVELS)
            .take_while(|&size| size == largest || size >= smallest)
            .collect()
    }

    fn with_sizes(container: &Container, given: Option<Vec<f64>>, entries: &[Entry]) -> Self {
        let sizes = given.clone().unwrap_or_else(|| {
            let mut sizes = Self::doubling_cell_sizes(container, entries);
            sizes.reverse();
            sizes
        });
        let mut members = vec![Vec::new(); sizes.len()];
        for entry in entries {
            members[level_of(&sizes, entry.radius)].push(*entry);
        }
        let mut arena = Arena::for_entries(entries);
        let levels = sizes.iter().zip(&members);
        Self {
            container: *container,
            levels: levels
                .map(|(&size, members)| CellLevel::new(container, size, members, &mut arena))
                .collect(),
            given,
            sizes,
            arena,
            rebuild_at: 2 * entries.len() + 64,
        }
    }

    /// Level and cell of a sphere.
    #[inline]
    fn place(&self, entry: &Entry) -> (usize, u64) {
        let level = level_of(&self.sizes, entry.radius);
        (level, self.levels[level].cell(entry.center))
    }
}

/// The finest level whose cells are as wide as the sphere, or the coarsest.
#[inline]
fn level_of(sizes: &[f64], radius: f64) -> usize {
    let wide_enough = sizes.partition_point(|&size| size < 2.0 * radius);
    wide_enough.min(sizes.len() - 1)
}

impl GlobalIndex for HGrid {
    fn insert(&mut self, entry: Entry) {
        if self.arena.len() >= self.rebuild_at || self.arena.is_fragmented() {
            let mut entries: Vec<Entry> = self.arena.iter().collect();
            entries.push(entry);
            *self = Self::with_sizes(&self.container, self.given.take(), &entries);
        } else {
            let level = level_of(&self.sizes, entry.radius);
            self.levels[level].insert(entry, &mut self.arena);
        }
    }

    fn relocate(&mut self, entry: Entry) {
        let slot = self.arena.slot(entry.id);
        let (level, cell) = self.place(&self.arena.get(slot));
        if (level, cell) == self.place(&entry) {
            self.levels[level].admit(entry.radius);
            self.arena.replace(slot, entry);
        } else {
            self.levels[level].remove(cell, slot, &mut self.arena);
            self.insert(entry);
        }
    }

    fn remove(&mut self, id: u32) {
        let slot = self.arena.slot(id);
        let (level, cell) = self.place(&self.arena.get(slot));
        self.levels[level].remove(cell, slot, &mut self.arena);
    }

    fn len(&self) -> usize {
        self.arena.len()
    }

    fn visit_candidates(
        &self,
        center: DVec3,
        radius: f64,
        visit: &mut dyn FnMut(&[Entry]),
    ) -> usize {
        let levels = self.levels.iter().rev();
        levels
            .map(|level| level.visit(center, radius, &self.arena, visit))
            .sum()
    }

    fn bytes(&self) -> usize {
        self.arena.bytes() + self.levels.iter().map(CellLevel::bytes).sum::<usize>()
    }

    fn spheres_per_level(&self) -> Vec<usize> {
        let mut counts = vec![0; self.sizes.len()];
        for entry in self.arena.iter() {
            counts[self.sizes.len() - 1 - level_of(&self.sizes, entry.radius)] += 1;
        }
        counts
    }

    fn assert_well_formed(&self) {
        for (index, level) in self.levels.iter().enumerate() {
            level.assert_well_formed(&self.arena);
            for run in level.runs() {
                for entry in self.arena.entries(run) {
                    assert_eq!(level_of(&self.sizes, entry.radius), index, "{entry:?}");
                }
            }
        }
        let runs = self.levels.iter().flat_map(CellLevel::runs);
        self.arena.assert_well_formed(runs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::container::Boundaries;

    #[test]
    fn spheres_belong_to_the_finest_level_wide_enough() {
        let container = Container::new(DVec3::splat(10.0), Boundaries::PERIODIC).unwrap();
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
    fn doubling_sizes_span_the_diameters() {
        let container = Container::new(DVec3::splat(10.0), Boundaries::PERIODIC).unwrap();
        let entry = |id, radius| Entry {
            center: DVec3::ZERO,
            radius,
            id,
        };
        let sizes = |radii: &[f64]| {
            let entries: Vec<Entry> = (0..).zip(radii).map(|(id, r)| entry(id, *r)).collect();
            HGrid::doubling_cell_sizes(&container, &entries)
        };
        assert_eq!(sizes(&[]), [10.0]);
        assert_eq!(sizes(&[0.5, 0.5]), [1.0]);
        assert_eq!(sizes(&[2.0, 0.3]), [4.0, 2.0, 1.0]);
        assert_eq!(sizes(&[2.0, 0.0]).len(), MOST_LEVELS);
    }

    #[test]
    fn cell_sizes_are_checked() {
        let container = Container::new(DVec3::ONE, Boundaries::PERIODIC).unwrap();
        let error = |sizes: &[f64]| HGrid::new(&container, sizes, &[]).unwrap_err();
        assert_eq!(error(&[]), CellSizesError::Empty);
        assert_eq!(error(&[1.0, -2.0]), CellSizesError::NotPositive(-2.0));
        assert!(matches!(error(&[f64::NAN]), CellSizesError::NotPositive(_)));
    }
}
