//! NBS: no binary search.

use super::{
    algorithm::{BroadPhase, OperationCounts, vec_bytes},
    constants::{LAYERS_PER_SPHERE, MIN_LAYERS},
    lattice::{Cell, HALF_MASK, Lattice, largest_diameter},
    tester::Tester,
};
use crate::spheres::Spheres;

/// Link that leads to no sphere.
const NONE: u32 = u32::MAX;

/// NBS, no binary search: singly linked lists in arrays, first of layers, then of the rows of two layers, then of the
/// cells of five rows.
///
/// Spheres are first added to the lists of their layers (z). For each layer that is not empty, its spheres and the spheres
/// of the layer below are added to lists of rows (y-lists). For each row that is not empty, its spheres and the spheres of its
/// four neighbors in the half contact mask are added to lists of cells (x-lists). Each cell that is not empty is then tested
/// against itself and 13 neighbors. Only lists that are not empty are traversed, and cleared afterwards.
///
/// The lengths of the arrays of heads are proportional to the extent of the snapshot, not to its volume. If a few spheres
/// lie more than 65 536 (or 4 N) cells away from the other spheres, they share cells at the edge of a window around the median.
/// All lists are rebuilt for each snapshot. Cost N for spheres of similar size.
///
/// Source: Munjiza & Andrews, Int. J. Numer. Methods Eng. 43 (1998) 131.
#[derive(Clone, Debug, Default)]
pub struct Nbs {
    elements: Vec<Element>,
    layers: Lists,
    rows: [Lists; 2],
    columns: [Lists; 5],
}

/// The layer of a sphere: its position in a [`Cell`], and that of the list among the lists of an [`Element`].
const LAYER: usize = 0;

/// The row of a sphere in its layer, likewise.
const ROW: usize = 1;

/// The column of a sphere in its row, likewise.
const COLUMN: usize = 2;

/// One sphere: its cell, and the next sphere in each of its lists.
#[derive(Clone, Copy, Debug)]
struct Element {
    cell: Cell,
    next: [u32; 3],
}

/// The heads of singly linked lists; each [`Element`] holds the links.
#[derive(Clone, Debug, Default)]
struct Lists {
    heads: Vec<u32>,
}

impl Lists {
    fn size(&mut self, count: usize) {
        self.heads.clear();
        self.heads.resize(count, NONE);
    }

    fn head(&self, index: i32) -> u32 {
        usize::try_from(index)
            .ok()
            .and_then(|index| self.heads.get(index))
            .map_or(NONE, |&head| head)
    }

    /// Makes `id` the head of a list, and returns the old head, to be linked behind it.
    fn push(&mut self, index: i32, id: u32) -> u32 {
        std::mem::replace(&mut self.heads[index as usize], id)
    }

    fn clear(&mut self, index: i32) {
        self.heads[index as usize] = NONE;
    }
}

impl Nbs {
    /// Visits the spheres of a list of one kind; the visitor must not change its links.
    #[inline]
    fn traverse(&mut self, kind: usize, mut id: u32, mut visit: impl FnMut(&mut Self, u32)) {
        while id != NONE {
            visit(self, id);
            id = self.elements[id as usize].next[kind];
        }
    }

    /// Adds the spheres of layer `z` to the y-lists `which`.
    fn fill_rows(&mut self, which: usize, z: i32) {
        self.traverse(LAYER, self.layers.head(z), |nbs, id| {
            let element = &mut nbs.elements[id as usize];
            element.next[ROW] = nbs.rows[which].push(element.cell[ROW], id);
        });
    }

    fn clear_rows(&mut self, which: usize, z: i32) {
        self.traverse(LAYER, self.layers.head(z), |nbs, id| {
            nbs.rows[which].clear(nbs.elements[id as usize].cell[ROW]);
        });
    }

    /// Returns the first sphere of a row of the mask, relative to row `y`.
    fn row_head(&self, y: i32, [dz, dy]: [i32; 2]) -> u32 {
        self.rows[dz.unsigned_abs() as usize].head(y + dy)
    }

    /// Searches row `y` of the layer in `rows[0]`; `rows[1]` holds the layer below.
    fn search_row(&mut self, y: i32, tester: &mut Tester) {
        for (which, (row, _)) in HALF_MASK.into_iter().enumerate() {
            self.traverse(ROW, self.row_head(y, row), |nbs, id| {
                let element = &mut nbs.elements[id as usize];
                element.next[COLUMN] = nbs.columns[which].push(element.cell[COLUMN], id);
            });
        }
        self.traverse(ROW, self.row_head(y, [0, 0]), |nbs, id| {
            let x = nbs.elements[id as usize].cell[COLUMN];
            // The sphere at the head of the list represents the cell.
            if nbs.columns[0].head(x) == id {
                nbs.search_cell(x, id, tester);
            }
        });
        for (which, (row, _)) in HALF_MASK.into_iter().enumerate() {
            self.traverse(ROW, self.row_head(y, row), |nbs, id| {
                nbs.columns[which].clear(nbs.elements[id as usize].cell[COLUMN]);
            });
        }
    }

    /// Tests the spheres of a cell, which begin with `first`, among themselves and against the cells of the mask.
    fn search_cell(&self, x: i32, first: u32, tester: &mut Tester) {
        tester.counts.cell_accesses += 14;
        for i in self.column(first) {
            for j in self.column(i).skip(1) {
                tester.test(i, j);
            }
        }
        for (which, (_, [from, to])) in HALF_MASK.into_iter().enumerate() {
            for dx in from..=to {
                let neighbor = self.columns[which].head(x + dx);
                if neighbor != NONE {
                    for i in self.column(first) {
                        for j in self.column(neighbor) {
                            tester.test(i, j);
                        }
                    }
                }
            }
        }
    }

    /// Iterates over the spheres of an x-list.
    fn column(&self, first: u32) -> impl Iterator<Item = u32> + '_ {
        let some = |id: u32| (id != NONE).then_some(id);
        std::iter::successors(some(first), move |&id| {
            some(self.elements[id as usize].next[COLUMN])
        })
    }
}

impl BroadPhase for Nbs {
    fn detect_in_phases(
        &mut self,
        snapshot: &Spheres,
        _: &mut dyn FnMut(),
        report: &mut dyn FnMut(u32, u32),
    ) -> OperationCounts {
        let mut tester = Tester::new(snapshot, report);
        let Some(size) = largest_diameter(snapshot) else {
            return tester.counts;
        };
        let limit = MIN_LAYERS.max(LAYERS_PER_SPHERE * snapshot.len());
        let (lattice, [nx, ny, nz]) = Lattice::bounded(snapshot, size, limit);
        self.layers.size(nz);
        self.rows.iter_mut().for_each(|rows| rows.size(ny));
        self.columns.iter_mut().for_each(|columns| columns.size(nx));

        self.elements.clear();
        self.elements.reserve_exact(snapshot.len());
        for (id, &center) in snapshot.centers().iter().enumerate() {
            let cell = lattice.cell(center);
            self.elements.push(Element {
                cell,
                next: [self.layers.push(cell[LAYER], id as u32), NONE, NONE],
            });
        }
        // Sorted by z, so that the layer below is still in the processor's cache: random snapshots of a million spheres take
        // half the time.
        for z in 0..nz as i32 {
            let first = self.layers.head(z);
            if first == NONE {
                continue;
            }
            self.fill_rows(0, z);
            self.fill_rows(1, z - 1);
            self.traverse(LAYER, first, |nbs, id| {
                let y = nbs.elements[id as usize].cell[ROW];
                if nbs.rows[0].head(y) == id {
                    nbs.search_row(y, &mut tester);
                }
            });
            self.clear_rows(0, z);
            self.clear_rows(1, z - 1);
        }
        tester.counts
    }

    fn bytes(&self) -> usize {
        let heads = std::iter::once(&self.layers)
            .chain(&self.rows)
            .chain(&self.columns)
            .map(|lists| vec_bytes(&lists.heads))
            .sum::<usize>();
        heads + vec_bytes(&self.elements)
    }
}
