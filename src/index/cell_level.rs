//! One level of equal cells, for the grid and the hierarchical grid.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

use glam::DVec3;

use super::{
    arena::Arena,
    axis::nearest,
    cell_grid::CellGrid,
    constants::{ARRAY_CELLS_BASE, ARRAY_CELLS_PER_SPHERE, MAX_CELLS_PER_AXIS, PROBE_MARGIN},
    entry::{Entry, EntryError},
    run_storage::Run,
};
use crate::{
    container::Container,
    machine::radix_sort::{Keyed, radix_sort},
};

/// Equal cells over the whole container, each with the spheres whose centers it holds.
#[derive(Clone, Debug)]
pub(super) struct CellLevel {
    grid: CellGrid,
    /// Side of a cell along each axis.
    sides: [f64; 3],
    longest_side: f64,
    runs: Runs,
    /// Upper bound of the radii stored here.
    largest_radius: f64,
}

/// The run of each cell, by the number of the cell.
#[derive(Clone, Debug)]
enum Runs {
    /// One run per cell.
    Array(Vec<Run>),
    /// Occupied cells only.
    Hashed(Occupied),
}

/// The runs of occupied cells. Their order follows from the operations made, so that it is the same on every machine.
#[derive(Clone, Debug, Default)]
struct Occupied {
    cells: Vec<(u64, Run)>,
    /// By number of a cell, its position in `cells`.
    positions: HashMap<u64, u32, BuildHasherDefault<CellHasher>>,
}

impl CellLevel {
    /// Creates cells with sides of at least `side` (at least one cell along each axis) that hold the `members` of `entries`.
    ///
    /// The cells are kept in an array if there are at most about two per sphere, else in a hash table.
    pub fn new(
        container: &Container,
        side: f64,
        entries: &[Entry],
        members: &[u32],
        arena: &mut Arena,
    ) -> Self {
        let counts = cell_counts(container, side);
        let lengths = container.lengths().to_array();
        let number = cell_number(counts);
        let runs = if number <= array_limit(members.len()) {
            Runs::Array(vec![Run::default(); number as usize])
        } else {
            Runs::Hashed(Occupied::default())
        };
        let mut level = Self {
            grid: CellGrid::filling(container, counts),
            sides: [0, 1, 2].map(|axis| lengths[axis] / f64::from(counts[axis])),
            longest_side: container.lengths().max_element(),
            runs,
            largest_radius: 0.0,
        };
        level.fill(entries, members, arena);
        level
    }

    fn fill(&mut self, entries: &[Entry], members: &[u32], arena: &mut Arena) {
        let entry = |number: u32| &entries[number as usize];
        let keyed = |&number: &u32| Keyed {
            key: self.cell(entry(number).center),
            number,
        };
        let mut keys: Vec<Keyed> = members.iter().map(keyed).collect();
        radix_sort(&mut keys);
        for in_cell in keys.chunk_by(|a, b| a.key == b.key) {
            let ids = in_cell.iter().map(|keyed| entry(keyed.number).id);
            *self.run_mut(in_cell[0].key) = arena.append(ids);
        }
        let radii = members.iter().map(|&number| entry(number).radius);
        self.largest_radius = radii.fold(0.0, f64::max);
    }

    /// Returns the number of the cell that holds a center.
    #[inline]
    pub fn cell(&self, center: DVec3) -> u64 {
        self.grid.number(self.grid.cell(center))
    }

    /// Returns the run of a cell, which becomes occupied if it is not.
    fn run_mut(&mut self, cell: u64) -> &mut Run {
        match &mut self.runs {
            Runs::Array(runs) => &mut runs[cell as usize],
            Runs::Hashed(Occupied { cells, positions }) => {
                let position = *positions.entry(cell).or_insert_with(|| {
                    cells.push((cell, Run::default()));
                    cells.len() as u32 - 1
                });
                &mut cells[position as usize].1
            }
        }
    }

    /// Stores a sphere that the arena accepts.
    pub fn insert(&mut self, entry: &Entry, arena: &mut Arena) {
        self.largest_radius = self.largest_radius.max(entry.radius);
        let cell = self.cell(entry.center);
        arena.push(self.run_mut(cell), entry.id);
    }

    /// Returns whether queries cover this radius.
    #[inline]
    pub fn covers(&self, radius: f64) -> bool {
        radius <= self.largest_radius
    }

    /// Removes a sphere from the cell of its center.
    ///
    /// # Errors
    /// When that cell does not hold the sphere.
    pub fn remove(&mut self, entry: &Entry, arena: &mut Arena) -> Result<(), EntryError> {
        let (cell, id) = (self.cell(entry.center), entry.id);
        match &mut self.runs {
            Runs::Array(runs) => {
                let run = &mut runs[cell as usize];
                if !arena.holds(*run, id) {
                    return Err(arena.slots.misplaced(id));
                }
                arena.take(run, id);
            }
            Runs::Hashed(Occupied { cells, positions }) => {
                let position = positions.get(&cell).copied();
                let Some(position) =
                    position.filter(|&position| arena.holds(cells[position as usize].1, id))
                else {
                    return Err(arena.slots.misplaced(id));
                };
                let run = &mut cells[position as usize].1;
                arena.take(run, id);
                if run.is_empty() {
                    positions.remove(&cell);
                    cells.swap_remove(position as usize);
                    if let Some((moved, _)) = cells.get(position as usize) {
                        positions.insert(*moved, position);
                    }
                }
            }
        }
        Ok(())
    }

    /// Reports the spheres of the cells that the probe may reach; returns the number of cells opened.
    pub fn visit(
        &self,
        center: DVec3,
        radius: f64,
        arena: &Arena,
        visit: &mut dyn FnMut(&[u32]),
    ) -> usize {
        let margin = PROBE_MARGIN * (self.longest_side + radius);
        let reach = radius + self.largest_radius + margin;
        let reach_squared = reach * reach;
        let distance_squared = |axis: usize, cell: i32| {
            let half = 0.5 * self.sides[axis];
            let middle = f64::from(cell) * self.sides[axis] + half;
            let geometry = self.grid.axes()[axis].axis();
            let distance = nearest(geometry.distance(middle, center[axis]), half);
            distance * distance
        };
        let mut opened = 0;
        let mut open = |run: Run| {
            opened += 1;
            if !run.is_empty() {
                visit(arena.runs.ids(run));
            }
        };
        let ranges = self.grid.between(center - reach, center + reach);
        if let Runs::Hashed(Occupied { cells, .. }) = &self.runs {
            let near: u64 = ranges.iter().map(|range| range.len() as u64).product();
            if near > cells.len() as u64 {
                for &(cell, run) in cells {
                    let [x, y, z] = self.grid.coordinates(cell);
                    let across = distance_squared(0, x) + distance_squared(1, y);
                    if across + distance_squared(2, z) <= reach_squared {
                        open(run);
                    }
                }
                return opened;
            }
        }
        for z in ranges[2] {
            let along_z = distance_squared(2, z);
            for y in ranges[1] {
                let along_yz = along_z + distance_squared(1, y);
                if along_yz > reach_squared {
                    continue;
                }
                for x in ranges[0] {
                    if along_yz + distance_squared(0, x) > reach_squared {
                        continue;
                    }
                    let cell = self.grid.number([x, y, z]);
                    open(match &self.runs {
                        Runs::Array(runs) => runs[cell as usize],
                        Runs::Hashed(Occupied { cells, positions }) => positions
                            .get(&cell)
                            .map_or_else(Run::default, |&position| cells[position as usize].1),
                    });
                }
            }
        }
        opened
    }

    /// Returns the runs of all cells.
    pub fn runs(&self) -> Vec<Run> {
        match &self.runs {
            Runs::Array(runs) => runs.clone(),
            Runs::Hashed(occupied) => occupied.cells.iter().map(|cell| cell.1).collect(),
        }
    }

    /// Returns the memory held, in bytes.
    pub fn bytes(&self) -> usize {
        match &self.runs {
            Runs::Array(runs) => runs.capacity() * size_of::<Run>(),
            Runs::Hashed(Occupied { cells, positions }) => {
                // A hash table keeps one more byte per entry.
                cells.capacity() * size_of::<(u64, Run)>()
                    + positions.capacity() * (size_of::<(u64, u32)>() + 1)
            }
        }
    }

    /// Checks that each sphere is in its cell and that queries cover its radius.
    ///
    /// # Panics
    /// When one of these conditions does not hold.
    pub fn assert_well_formed(&self, arena: &Arena, sphere: &dyn Fn(u32) -> Entry) {
        let check = |cell: u64, run: Run| {
            assert_eq!(self.grid.number(self.grid.coordinates(cell)), cell);
            for entry in arena.runs.ids(run).iter().map(|&id| sphere(id)) {
                assert_eq!(self.cell(entry.center), cell, "cell of {entry:?}");
                assert!(
                    self.covers(entry.radius),
                    "queries do not cover the radius of {entry:?}"
                );
            }
        };
        match &self.runs {
            Runs::Array(runs) => (0..).zip(runs).for_each(|(cell, run)| check(cell, *run)),
            Runs::Hashed(Occupied { cells, positions }) => {
                assert_eq!(cells.len(), positions.len(), "number of occupied cells");
                for (position, &(cell, run)) in (0..).zip(cells) {
                    assert_eq!(positions.get(&cell), Some(&position), "cell {cell}");
                    assert!(!run.is_empty(), "cell {cell} is occupied by no sphere");
                    check(cell, run);
                }
            }
        }
    }
}

/// Returns how many cells with sides of at least `side` fit along each axis.
pub(super) fn cell_counts(container: &Container, side: f64) -> [u32; 3] {
    let lengths = container.lengths().to_array();
    lengths.map(|length| (length / side).floor().clamp(1.0, MAX_CELLS_PER_AXIS) as u32)
}

/// Returns the number of cells in three dimensions.
pub(super) fn cell_number(counts: [u32; 3]) -> u64 {
    counts.map(u64::from).iter().product()
}

/// Returns the greatest number of cells that are kept in an array.
pub(super) fn array_limit(spheres: usize) -> u64 {
    ARRAY_CELLS_PER_SPHERE * spheres as u64 + ARRAY_CELLS_BASE
}

/// Hashes the number of a cell. The standard hasher takes several times as long, because it guards against attacks,
/// which cannot arise here.
#[derive(Clone, Debug, Default)]
struct CellHasher(u64);

impl Hasher for CellHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(self.0 ^ u64::from(byte));
        }
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        // The golden ratio times 2⁶⁴ spreads successive numbers evenly (Fibonacci hashing).
        let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}
