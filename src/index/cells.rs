//! One level of equal cells, for the grid and the hierarchical grid.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

use glam::DVec3;

use super::{
    Entry,
    arena::{Arena, Run},
    axis::{Axis, nearest},
};
use crate::{
    container::Container,
    machine::radix_sort::{Keyed, radix_sort},
};

/// Cells along one axis are at most this many, so that a cell's number fits into 60 bits.
pub(super) const MOST_CELLS: f64 = (1 << 20) as f64;

/// Equal cells over the whole container, each with the spheres whose centres it holds.
#[derive(Clone, Debug)]
pub(super) struct CellLevel {
    axes: [Axis; 3],
    counts: [u32; 3],
    sides: [f64; 3],
    longest_side: f64,
    cells: Cells,
    /// No sphere stored here is larger.
    largest_radius: f64,
}

#[derive(Clone, Debug)]
enum Cells {
    /// One run for each cell.
    Dense(Vec<Run>),
    /// The occupied cells, in an order that depends on nothing but the operations made, and where each of them is.
    Hashed {
        occupied: Vec<(u64, Run)>,
        places: HashMap<u64, u32, BuildHasherDefault<CellHasher>>,
    },
}

impl CellLevel {
    /// Cells with sides of at least `side` (at least one cell along each axis) that hold `entries`.
    ///
    /// The cells are kept in a plain array if they are at most about two for each sphere, else in a hash table.
    pub fn new(container: &Container, side: f64, entries: &[Entry], arena: &mut Arena) -> Self {
        let counts = cell_counts(container, side);
        let lengths = container.lengths().to_array();
        let number = cell_number(counts);
        let cells = if number <= dense_limit(entries.len()) {
            Cells::Dense(vec![Run::default(); number as usize])
        } else {
            Cells::Hashed {
                occupied: Vec::new(),
                places: HashMap::default(),
            }
        };
        let mut level = Self {
            axes: Axis::of(container),
            counts,
            sides: [0, 1, 2].map(|axis| lengths[axis] / f64::from(counts[axis])),
            longest_side: container.lengths().max_element(),
            cells,
            largest_radius: 0.0,
        };
        level.fill(entries, arena);
        level
    }

    fn fill(&mut self, entries: &[Entry], arena: &mut Arena) {
        let mut keys: Vec<Keyed> = (0..)
            .zip(entries)
            .map(|(number, entry)| Keyed {
                key: self.cell(entry.center),
                number,
            })
            .collect();
        radix_sort(&mut keys);
        for group in keys.chunk_by(|a, b| a.key == b.key) {
            let members = group.iter().map(|keyed| entries[keyed.number as usize].id);
            *self.run_mut(group[0].key) = arena.append(members);
        }
        self.largest_radius = entries.iter().map(|e| e.radius).fold(0.0, f64::max);
    }

    /// The number of the cell that holds a centre.
    #[inline]
    pub fn cell(&self, center: DVec3) -> u64 {
        let [x, y, z] = [0, 1, 2].map(|axis| {
            let cell = (center[axis] / self.sides[axis]) as u32;
            cell.min(self.counts[axis] - 1)
        });
        self.number([x, y, z])
    }

    #[inline]
    fn number(&self, [x, y, z]: [u32; 3]) -> u64 {
        let [nx, ny, _] = self.counts.map(u64::from);
        (u64::from(z) * ny + u64::from(y)) * nx + u64::from(x)
    }

    fn coordinates(&self, number: u64) -> [u32; 3] {
        let [nx, ny, _] = self.counts.map(u64::from);
        [number % nx, number / nx % ny, number / nx / ny].map(|c| c as u32)
    }

    /// The run of a cell, made if the cell is not kept yet.
    fn run_mut(&mut self, cell: u64) -> &mut Run {
        match &mut self.cells {
            Cells::Dense(runs) => &mut runs[cell as usize],
            Cells::Hashed { occupied, places } => {
                let place = *places.entry(cell).or_insert_with(|| {
                    occupied.push((cell, Run::default()));
                    occupied.len() as u32 - 1
                });
                &mut occupied[place as usize].1
            }
        }
    }

    pub fn insert(&mut self, entry: Entry, arena: &mut Arena) {
        self.largest_radius = self.largest_radius.max(entry.radius);
        let cell = self.cell(entry.center);
        arena.push(self.run_mut(cell), entry.id);
    }

    /// Whether queries reckon with a radius like this.
    #[inline]
    pub fn allows_for(&self, radius: f64) -> bool {
        radius <= self.largest_radius
    }

    /// Takes a sphere out whose centre is in `cell`.
    pub fn remove(&mut self, cell: u64, id: u32, arena: &mut Arena) {
        let run = self.run_mut(cell);
        arena.take(run, id);
        if !run.is_empty() {
            return;
        }
        if let Cells::Hashed { occupied, places } = &mut self.cells {
            let place = places.remove(&cell).expect("an occupied cell has a place");
            occupied.swap_remove(place as usize);
            if let Some((moved, _)) = occupied.get(place as usize) {
                places.insert(*moved, place);
            }
        }
    }

    /// Offers the spheres of the cells that come near enough to the probe; returns how many cells were opened.
    pub fn visit(
        &self,
        center: DVec3,
        radius: f64,
        arena: &Arena,
        visit: &mut dyn FnMut(&[u32]),
    ) -> usize {
        // Rounding in cell boundaries is far below this margin.
        let margin = 1e-12 * (self.longest_side + radius);
        let reach = radius + self.largest_radius + margin;
        let reach_squared = reach * reach;
        let distance_squared = |axis: usize, cell: u32| {
            let half = 0.5 * self.sides[axis];
            let middle = f64::from(cell) * self.sides[axis] + half;
            let away = nearest(self.axes[axis].distance(middle, center[axis]), half);
            away * away
        };
        let mut opened = 0;
        let mut open = |run: Run| {
            opened += 1;
            if !run.is_empty() {
                visit(arena.ids(run));
            }
        };
        let ranges = [0, 1, 2].map(|axis| {
            let (side, count) = (self.sides[axis], self.counts[axis]);
            self.axes[axis].cells_near(center[axis], reach, side, count)
        });
        if let Cells::Hashed { occupied, .. } = &self.cells {
            let near: u64 = ranges.iter().map(|range| range.len() as u64).product();
            if near > occupied.len() as u64 {
                for &(cell, run) in occupied {
                    let [x, y, z] = self.coordinates(cell);
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
                    let cell = self.number([x, y, z]);
                    open(match &self.cells {
                        Cells::Dense(runs) => runs[cell as usize],
                        Cells::Hashed { occupied, places } => places
                            .get(&cell)
                            .map_or_else(Run::default, |&place| occupied[place as usize].1),
                    });
                }
            }
        }
        opened
    }

    /// The runs of all cells.
    pub fn runs(&self) -> Vec<Run> {
        match &self.cells {
            Cells::Dense(runs) => runs.clone(),
            Cells::Hashed { occupied, .. } => occupied.iter().map(|cell| cell.1).collect(),
        }
    }

    pub fn bytes(&self) -> usize {
        match &self.cells {
            Cells::Dense(runs) => runs.capacity() * size_of::<Run>(),
            Cells::Hashed { occupied, places } => {
                // A hash table keeps one byte beside each of its places.
                occupied.capacity() * size_of::<(u64, Run)>()
                    + places.capacity() * (size_of::<(u64, u32)>() + 1)
            }
        }
    }

    /// Panics unless each sphere is in its cell and no larger than the level allows for.
    pub fn assert_well_formed(&self, arena: &Arena, sphere: &dyn Fn(u32) -> Entry) {
        let check = |cell: u64, run: Run| {
            assert_eq!(self.number(self.coordinates(cell)), cell);
            for entry in arena.ids(run).iter().map(|&id| sphere(id)) {
                assert_eq!(self.cell(entry.center), cell, "{entry:?}");
                assert!(entry.radius <= self.largest_radius, "{entry:?}");
            }
        };
        match &self.cells {
            Cells::Dense(runs) => (0..).zip(runs).for_each(|(cell, run)| check(cell, *run)),
            Cells::Hashed { occupied, places } => {
                assert_eq!(occupied.len(), places.len());
                for (place, &(cell, run)) in (0..).zip(occupied) {
                    assert_eq!(places.get(&cell), Some(&place));
                    assert!(!run.is_empty(), "cell {cell} is kept without a sphere");
                    check(cell, run);
                }
            }
        }
    }
}

/// How many cells with sides of at least `side` fit along each axis.
pub(super) fn cell_counts(container: &Container, side: f64) -> [u32; 3] {
    let lengths = container.lengths().to_array();
    lengths.map(|length| (length / side).floor().clamp(1.0, MOST_CELLS) as u32)
}

pub(super) fn cell_number(counts: [u32; 3]) -> u64 {
    counts.map(u64::from).iter().product()
}

/// Up to how many cells an array of cells pays for so many spheres.
pub(super) fn dense_limit(spheres: usize) -> u64 {
    2 * spheres as u64 + 64
}

/// Mixes a cell's number; the standard hasher guards against attacks that do not arise here, at several times the cost.
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
        let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}
