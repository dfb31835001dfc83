//! The grid.

use glam::DVec3;

use super::{
    Entry, GlobalIndex,
    arena::Arena,
    cells::{CellLevel, cell_counts, cell_number, dense_limit},
};
use crate::container::Container;

/// Equal cells as small as the largest sphere's diameter allows, `⌊length/d_max⌋` along each axis.
///
/// The choice for nearly equal spheres. One large sphere makes all cells large, and candidates grow with the
/// cube of the size ratio.
///
/// Cells are never many more than spheres. They are chosen from the spheres the index is built with; it is outgrown when
/// their number has doubled. Larger spheres that come in between make queries look further.
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
    /// A grid over `entries`, which must have different ids.
    pub fn new(container: &Container, entries: &[Entry]) -> Self {
        let mut arena = Arena::new(entries.len());
        let side = cell_side(container, entries);
        Self {
            container: container.clone(),
            level: CellLevel::new(container, side, entries, &mut arena),
            arena,
        }
    }
}

/// The largest diameter, or more if that made too many cells.
fn cell_side(container: &Container, entries: &[Entry]) -> f64 {
    let largest = entries.iter().map(|e| e.radius).fold(0.0, f64::max);
    // Below this, cells along the longest axis alone would be more than `dense_limit` allows.
    let least = container.lengths().max_element() / dense_limit(entries.len()) as f64;
    let mut side = (2.0 * largest).max(least);
    while cell_number(cell_counts(container, side)) > dense_limit(entries.len()) {
        side *= 1.25;
    }
    side
}

impl GlobalIndex for Grid {
    fn insert(&mut self, entry: Entry) {
        self.level.insert(entry, &mut self.arena);
    }

    fn stays(&self, from: &Entry, to: &Entry) -> bool {
        self.level.cell(from.center) == self.level.cell(to.center)
            && self.level.allows_for(to.radius)
    }

    fn remove(&mut self, entry: Entry) {
        let cell = self.level.cell(entry.center);
        self.level.remove(cell, entry.id, &mut self.arena);
    }

    fn len(&self) -> usize {
        self.arena.len()
    }

    fn visit_candidates(&self, center: DVec3, radius: f64, visit: &mut dyn FnMut(&[u32])) -> usize {
        self.level.visit(center, radius, &self.arena, visit)
    }

    fn is_outgrown(&self) -> bool {
        self.arena.is_outgrown()
    }

    fn rebuild(&mut self, sphere: &(dyn Fn(u32) -> Entry + Sync)) {
        let entries: Vec<Entry> = self.arena.present().map(sphere).collect();
        *self = Self::new(&self.container, &entries);
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
