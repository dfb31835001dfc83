//! NBS: no binary search.

use super::{
    BroadPhase, Tester, Work, largest_diameter,
    lattice::{Cell, HALF_MASK, Lattice},
    vec_bytes,
};
use crate::spheres::Spheres;

const NONE: u32 = u32::MAX;

/// The shortest limit on the number of layers, rows and columns; it grows with the number of spheres.
const MIN_LIMIT: usize = 1 << 16;

/// NBS, no binary search: singly connected lists in arrays, first of layers, then of the rows of two layers, then of the
/// cells of five rows.
///
/// Spheres are first put into the lists of their layers (z). For each layer that is not empty, the spheres of it and of
/// the layer below go into lists of rows (y-lists); for each row that is not empty, the spheres of it and of its four
/// neighbours in the half contact mask go into lists of cells (x-lists). Each cell that is not empty is then checked
/// against itself and 13 neighbours. Only lists that are not empty are travelled, and cleared afterwards.
///
/// The arrays of heads are as long as the scene is wide, not as large as its volume. Where a few spheres lie more than
/// 65 536 (or 4 N) cells away from the others, they share cells at the edge of a window around the median. Rebuilt in
/// every frame. Cost N for spheres of similar size.
///
/// Source: Munjiza & Andrews, Int. J. Numer. Methods Eng. 43 (1998) 131.
#[derive(Clone, Debug, Default)]
pub struct Nbs {
    elements: Vec<Element>,
    layers: Lists,
    rows: [Lists; 2],
    columns: [Lists; 5],
}

/// One sphere: its cell, and who follows it in the lists it is in.
#[derive(Clone, Copy, Debug)]
struct Element {
    cell: Cell,
    next_in_layer: u32,
    next_in_row: u32,
    next_in_column: u32,
}

/// The heads of singly connected lists; the links stand in an array beside them.
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

    /// Puts `id` at the head of a list; the old head is returned to be linked behind it.
    fn push(&mut self, index: i32, id: u32) -> u32 {
        std::mem::replace(&mut self.heads[index as usize], id)
    }

    fn clear(&mut self, index: i32) {
        self.heads[index as usize] = NONE;
    }
}

impl Nbs {
    /// With no memory of any frame.
    pub fn new() -> Self {
        Self::default()
    }

    /// Visits a list, whose links the visitor may not change.
    fn travel(
        &mut self,
        mut id: u32,
        next: impl Fn(&Element) -> u32,
        mut visit: impl FnMut(&mut Self, u32),
    ) {
        while id != NONE {
            visit(self, id);
            id = next(&self.elements[id as usize]);
        }
    }

    /// Distributes the layer `z` to the y-lists of `which`.
    fn fill_rows(&mut self, which: usize, z: i32) {
        self.travel(self.layers.head(z), Element::in_layer, |nbs, id| {
            let element = &mut nbs.elements[id as usize];
            element.next_in_row = nbs.rows[which].push(element.cell[1], id);
        });
    }

    fn clear_rows(&mut self, which: usize, z: i32) {
        self.travel(self.layers.head(z), Element::in_layer, |nbs, id| {
            nbs.rows[which].clear(nbs.elements[id as usize].cell[1]);
        });
    }

    /// The spheres of a row of the mask, relative to row `y`.
    fn row_head(&self, y: i32, [dz, dy]: [i32; 2]) -> u32 {
        self.rows[dz.unsigned_abs() as usize].head(y + dy)
    }

    /// Searches row `y` of the layer in `rows[0]`, with the layer below it in `rows[1]`.
    fn search_row(&mut self, y: i32, tester: &mut Tester) {
        for (which, (row, _)) in HALF_MASK.into_iter().enumerate() {
            self.travel(self.row_head(y, row), Element::in_row, |nbs, id| {
                let element = &mut nbs.elements[id as usize];
                element.next_in_column = nbs.columns[which].push(element.cell[2], id);
            });
        }
        self.travel(self.row_head(y, [0, 0]), Element::in_row, |nbs, id| {
            let x = nbs.elements[id as usize].cell[2];
            // The sphere at the head of the list stands for the cell.
            if nbs.columns[0].head(x) == id {
                nbs.search_cell(x, id, tester);
            }
        });
        for (which, (row, _)) in HALF_MASK.into_iter().enumerate() {
            self.travel(self.row_head(y, row), Element::in_row, |nbs, id| {
                nbs.columns[which].clear(nbs.elements[id as usize].cell[2]);
            });
        }
    }

    /// Tests the spheres of a cell, of which the first is given, with one another and with those of the mask.
    fn search_cell(&self, x: i32, first: u32, tester: &mut Tester) {
        tester.work.cell_accesses += 14;
        for i in self.column(first) {
            for j in self.column(i).skip(1) {
                tester.test(i, j);
            }
        }
        for (which, (_, [from, to])) in HALF_MASK.into_iter().enumerate() {
            for dx in from..=to {
                let neighbour = self.columns[which].head(x + dx);
                if neighbour != NONE {
                    for i in self.column(first) {
                        for j in self.column(neighbour) {
                            tester.test(i, j);
                        }
                    }
                }
            }
        }
    }

    /// The spheres of an x-list.
    fn column(&self, first: u32) -> impl Iterator<Item = u32> + '_ {
        let some = |id: u32| (id != NONE).then_some(id);
        std::iter::successors(some(first), move |&id| {
            some(self.elements[id as usize].next_in_column)
        })
    }
}

impl Element {
    fn in_layer(&self) -> u32 {
        self.next_in_layer
    }

    fn in_row(&self) -> u32 {
        self.next_in_row
    }
}

impl BroadPhase for Nbs {
    fn detect(&mut self, spheres: &Spheres, report: &mut dyn FnMut(u32, u32)) -> Work {
        let mut tester = Tester::new(spheres, report);
        let Some(size) = largest_diameter(spheres) else {
            return tester.work;
        };
        let limit = MIN_LIMIT.max(4 * spheres.len());
        let (lattice, [nx, ny, nz]) = Lattice::bounded(spheres, size, limit);
        self.layers.size(nz);
        self.rows.iter_mut().for_each(|rows| rows.size(ny));
        self.columns.iter_mut().for_each(|columns| columns.size(nx));

        self.elements.clear();
        self.elements.reserve_exact(spheres.len());
        for (id, &center) in spheres.centers().iter().enumerate() {
            let cell = lattice.cell(center);
            self.elements.push(Element {
                cell,
                next_in_layer: self.layers.push(cell[0], id as u32),
                next_in_row: NONE,
                next_in_column: NONE,
            });
        }
        // By rising z, so that the layer below is still in the processor's cache.
        for z in 0..nz as i32 {
            let first = self.layers.head(z);
            if first == NONE {
                continue;
            }
            self.fill_rows(0, z);
            self.fill_rows(1, z - 1);
            self.travel(first, Element::in_layer, |nbs, id| {
                let y = nbs.elements[id as usize].cell[1];
                if nbs.rows[0].head(y) == id {
                    nbs.search_row(y, &mut tester);
                }
            });
            self.clear_rows(0, z);
            self.clear_rows(1, z - 1);
        }
        tester.work
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
