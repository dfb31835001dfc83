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
    cells: Vec<Cell>,
    layers: Lists,
    rows: [Lists; 2],
    columns: [Lists; 5],
    next_in_layer: Vec<u32>,
    next_in_row: Vec<u32>,
    next_in_column: Vec<u32>,
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

    fn push(&mut self, links: &mut [u32], index: i32, id: u32) {
        links[id as usize] = std::mem::replace(&mut self.heads[index as usize], id);
    }
}

/// The members of a list.
fn list(links: &[u32], head: u32) -> impl Iterator<Item = u32> + '_ {
    let some = |id: u32| (id != NONE).then_some(id);
    std::iter::successors(some(head), move |&id| some(links[id as usize]))
}

impl Nbs {
    /// With no memory of any frame.
    pub fn new() -> Self {
        Self::default()
    }

    /// Distributes the layer `z` to the y-lists of `which`.
    fn fill_rows(&mut self, which: usize, z: i32) {
        for id in list(&self.next_in_layer, self.layers.head(z)) {
            let y = self.cells[id as usize][1];
            self.rows[which].push(&mut self.next_in_row, y, id);
        }
    }

    fn clear_rows(&mut self, which: usize, z: i32) {
        for id in list(&self.next_in_layer, self.layers.head(z)) {
            self.rows[which].heads[self.cells[id as usize][1] as usize] = NONE;
        }
    }

    /// The spheres of the row that stands at the given place in the mask, relative to row `y`.
    fn row_head(&self, y: i32, [dz, dy]: [i32; 2]) -> u32 {
        self.rows[dz.unsigned_abs() as usize].head(y + dy)
    }

    /// Searches row `y` of the layer in `rows[0]`, with the layer below it in `rows[1]`.
    fn search_row(&mut self, y: i32, tester: &mut Tester) {
        for (which, (row, _)) in HALF_MASK.into_iter().enumerate() {
            for id in list(&self.next_in_row, self.row_head(y, row)) {
                let x = self.cells[id as usize][2];
                self.columns[which].push(&mut self.next_in_column, x, id);
            }
        }
        for first in list(&self.next_in_row, self.row_head(y, [0, 0])) {
            let x = self.cells[first as usize][2];
            // The sphere at the head of the list stands for the cell.
            if self.columns[0].head(x) != first {
                continue;
            }
            tester.work.cell_accesses += 14;
            for i in list(&self.next_in_column, first) {
                for j in list(&self.next_in_column, self.next_in_column[i as usize]) {
                    tester.test(i, j);
                }
                for (which, (_, [from, to])) in HALF_MASK.into_iter().enumerate() {
                    for dx in from..=to {
                        for j in list(&self.next_in_column, self.columns[which].head(x + dx)) {
                            tester.test(i, j);
                        }
                    }
                }
            }
        }
        for (which, (row, _)) in HALF_MASK.into_iter().enumerate() {
            for id in list(&self.next_in_row, self.row_head(y, row)) {
                self.columns[which].heads[self.cells[id as usize][2] as usize] = NONE;
            }
        }
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
        for links in [
            &mut self.next_in_layer,
            &mut self.next_in_row,
            &mut self.next_in_column,
        ] {
            links.clear();
            links.resize(spheres.len(), NONE);
        }
        self.cells.clear();
        self.cells
            .extend(spheres.centers().iter().map(|&center| lattice.cell(center)));

        for id in 0..spheres.len() as u32 {
            let z = self.cells[id as usize][0];
            self.layers.push(&mut self.next_in_layer, z, id);
        }
        for first in 0..spheres.len() as u32 {
            let z = self.cells[first as usize][0];
            if self.layers.head(z) != first {
                continue;
            }
            self.fill_rows(0, z);
            self.fill_rows(1, z - 1);
            let mut member = first;
            while member != NONE {
                let y = self.cells[member as usize][1];
                if self.rows[0].head(y) == member {
                    self.search_row(y, &mut tester);
                }
                member = self.next_in_layer[member as usize];
            }
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
        let links = [&self.next_in_layer, &self.next_in_row, &self.next_in_column];
        heads + vec_bytes(&self.cells) + links.into_iter().map(vec_bytes).sum::<usize>()
    }
}
