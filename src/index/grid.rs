//! The grid.

use glam::DVec3;

use super::{
    arena::Arena,
    cell_level::{CellLevel, array_limit, cell_counts, cell_number},
    constants::CELL_WIDENING,
    entry::{Entry, EntryError},
    global_index::GlobalIndex,
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
/// S. Raschdorf, M. Kolonko: Loose octree: a data structure for the simulation of polydisperse particle
/// packings, 2011, section 3.1, Eq. 1.
#[derive(Clone, Debug)]
pub struct Grid {
    container: Container,
    arena: Arena,
    level: CellLevel,
}

impl Grid {
    /// Builds a grid over `entries`.
    ///
    /// # Panics
    /// When an entry is invalid; see [`IndexBuilder::build`](crate::index::IndexBuilder::build).
    pub fn new(container: &Container, entries: &[Entry]) -> Self {
        Entry::assert_all_valid(entries);
        Self::with_valid(container, entries)
    }

    /// Builds a grid over entries whose numbers and ids were checked before.
    fn with_valid(container: &Container, entries: &[Entry]) -> Self {
        let mut arena = Arena::new(entries.len());
        let side = cell_side(container, entries);
        Self {
            container: container.clone(),
            level: CellLevel::new(container, side, entries, &mut arena),
            arena,
        }
    }
}

/// Returns the largest diameter, or a greater length if that made too many cells.
fn cell_side(container: &Container, entries: &[Entry]) -> f64 {
    let limit = array_limit(entries.len());
    let largest = entries.iter().map(|e| e.radius).fold(0.0, f64::max);
    // With shorter sides, the cells along the longest axis alone would exceed the limit.
    let least = container.lengths().max_element() / limit as f64;
    let mut side = (2.0 * largest).max(least);
    while cell_number(cell_counts(container, side)) > limit {
        side *= CELL_WIDENING;
    }
    side
}

impl GlobalIndex for Grid {
    fn insert(&mut self, entry: Entry) -> Result<(), EntryError> {
        entry.check()?;
        self.arena.check_new(entry.id)?;
        self.level.insert(&entry, &mut self.arena);
        Ok(())
    }

    fn would_change(&self, from: &Entry, to: &Entry) -> bool {
        self.level.cell(from.center) != self.level.cell(to.center) || !self.level.covers(to.radius)
    }

    fn remove(&mut self, entry: Entry) -> Result<(), EntryError> {
        entry.check()?;
        self.level.remove(&entry, &mut self.arena)
    }

    fn contains(&self, id: u32) -> bool {
        self.arena.contains(id)
    }

    fn len(&self) -> usize {
        self.arena.len()
    }

    fn visit_candidates(&self, center: DVec3, radius: f64, visit: &mut dyn FnMut(&[u32])) -> usize {
        self.level.visit(center, radius, &self.arena, visit)
    }

    fn needs_rebuild(&self) -> bool {
        self.arena.needs_rebuild()
    }

    fn rebuild(&mut self, sphere: &(dyn Fn(u32) -> Entry + Sync)) {
        let entries: Vec<Entry> = self.arena.present().map(sphere).collect();
        *self = Self::with_valid(&self.container, &entries);
    }

    fn bytes(&self) -> usize {
        self.arena.bytes() + self.level.bytes()
    }

    fn spheres_per_level(&self) -> Vec<usize> {
        vec![self.arena.len()]
    }

    fn assert_well_formed(&self, sphere: &dyn Fn(u32) -> Entry) {
        self.level.assert_well_formed(&self.arena, sphere);
        self.arena.assert_well_formed(self.level.runs().into_iter());
    }
}
