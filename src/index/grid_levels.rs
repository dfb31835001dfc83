//! Levels of equal cells as a global index: the grid has one level, the hierarchical grid several.

use std::fmt;

use glam::DVec3;

use super::{
    arena::Arena,
    cell_level::CellLevel,
    entry::{Entry, EntryError},
    global_index::GlobalIndex,
    run_storage::Run,
};
use crate::container::Container;

/// Rule that chooses the cell sizes.
pub trait SizeRule: Clone + fmt::Debug + Send + Sync {
    /// Returns at least one cell size for these spheres, ascending.
    fn sizes(&self, container: &Container, entries: &[Entry]) -> Vec<f64>;
}

/// Several grids over the same container, each with its own cell size. [`Grid`](crate::index::Grid) and [`HGrid`](crate::index::HGrid)
/// differ in the rule `R` that chooses the cell sizes.
#[derive(Clone, Debug)]
pub struct GridLevels<R> {
    container: Container,
    rule: R,
    /// Cell sizes in use, ascending.
    sizes: Vec<f64>,
    arena: Arena,
    /// One for each size.
    levels: Vec<CellLevel>,
}

impl<R: SizeRule> GridLevels<R> {
    /// Builds the levels over `entries`.
    ///
    /// # Panics
    /// When an entry is invalid or two entries have the same id.
    pub(super) fn over(container: &Container, rule: R, entries: &[Entry]) -> Self {
        Entry::assert_all_valid(entries);
        Self::with_valid(container, rule, entries)
    }

    /// Builds the levels over entries whose numbers and ids were checked before.
    fn with_valid(container: &Container, rule: R, entries: &[Entry]) -> Self {
        let sizes = rule.sizes(container, entries);
        let mut members = vec![Vec::new(); sizes.len()];
        for (number, entry) in (0..).zip(entries) {
            members[level_of(&sizes, entry.radius)].push(number);
        }
        let mut arena = Arena::new(entries.len());
        let levels = sizes.iter().zip(&members);
        Self {
            container: container.clone(),
            rule,
            levels: levels
                .map(|(&size, members)| {
                    CellLevel::new(container, size, entries, members, &mut arena)
                })
                .collect(),
            sizes,
            arena,
        }
    }

    /// Returns the level and the number of the cell of a sphere.
    #[inline]
    fn cell_of(&self, entry: &Entry) -> (usize, u64) {
        let level = level_of(&self.sizes, entry.radius);
        (level, self.levels[level].cell(entry.center))
    }
}

/// Returns the finest level whose cells are as wide as the sphere, or the coarsest level.
#[inline]
fn level_of(sizes: &[f64], radius: f64) -> usize {
    let wide_enough = sizes.partition_point(|&size| size < 2.0 * radius);
    wide_enough.min(sizes.len() - 1)
}

impl<R: SizeRule> GlobalIndex for GridLevels<R> {
    fn insert(&mut self, entry: Entry) -> Result<(), EntryError> {
        entry.check()?;
        self.arena.slots.check_new(entry.id, self.len())?;
        let level = level_of(&self.sizes, entry.radius);
        self.levels[level].insert(&entry, &mut self.arena);
        Ok(())
    }

    fn would_change(&self, from: &Entry, to: &Entry) -> bool {
        let (level, cell) = self.cell_of(to);
        (level, cell) != self.cell_of(from) || !self.levels[level].covers(to.radius)
    }

    fn remove(&mut self, entry: Entry) -> Result<(), EntryError> {
        entry.check()?;
        let level = level_of(&self.sizes, entry.radius);
        self.levels[level].remove(&entry, &mut self.arena)
    }

    fn contains(&self, id: u32) -> bool {
        self.arena.slots.contains(id)
    }

    fn len(&self) -> usize {
        self.arena.population.len
    }

    fn visit_candidates(&self, center: DVec3, radius: f64, visit: &mut dyn FnMut(&[u32])) -> usize {
        let levels = self.levels.iter().rev();
        levels
            .map(|level| level.visit(center, radius, &self.arena, visit))
            .sum()
    }

    fn needs_rebuild(&self) -> bool {
        self.arena.needs_rebuild()
    }

    fn rebuild(&mut self, sphere: &(dyn Fn(u32) -> Entry + Sync)) {
        let stored = self.arena.runs.present();
        let entries: Vec<Entry> = stored.map(|(id, _)| sphere(id)).collect();
        *self = Self::with_valid(&self.container, self.rule.clone(), &entries);
    }

    fn bytes(&self) -> usize {
        self.arena.bytes() + self.levels.iter().map(CellLevel::bytes).sum::<usize>()
    }

    fn spheres_per_level(&self) -> Vec<usize> {
        let levels = self.levels.iter().rev();
        let spheres = |level: &CellLevel| level.runs().into_iter().map(Run::len).sum();
        levels.map(spheres).collect()
    }

    fn assert_well_formed(&self, sphere: &dyn Fn(u32) -> Entry) {
        for (index, level) in self.levels.iter().enumerate() {
            level.assert_well_formed(&self.arena, sphere);
            for run in level.runs() {
                for entry in self.arena.runs.ids(run).iter().map(|&id| sphere(id)) {
                    let expected = level_of(&self.sizes, entry.radius);
                    assert_eq!(index, expected, "level of {entry:?}");
                }
            }
        }
        let runs = self.levels.iter().flat_map(CellLevel::runs);
        self.arena.assert_well_formed(runs);
    }
}
