//! Spheres sorted by cell, for the linked cell method and for each level of the HGrid.

use glam::DVec3;

use super::{
    algorithm::vec_bytes,
    constants::{CELL_MARGIN, DENSE_CELLS_PER_SPHERE, MAX_COORDINATE, SHORT_ROW},
    lattice::{Cell, HALF_MASK, ROWS_IN_LAYER},
    tester::Tester,
};
use crate::{
    container::Container,
    index::{Axis, CellAxis, CellGrid, CellRange},
};

/// One sphere in its cell.
#[derive(Clone, Copy, Debug, Default)]
struct Item {
    cell: Cell,
    id: u32,
}

/// A grid of equal cells, each with its spheres.
///
/// The spheres of a cell are stored one after another, and a table contains where they begin: the linked lists of the
/// classical method, stored in order. The length of the table is limited in proportion to the number of spheres, not to
/// the volume. A cell has the entry of its number in the dense grid, modulo the length. A compact snapshot thus uses the
/// table as the dense array of the classical method. A sparse snapshot uses it like a hash table: distant cells
/// may share an entry and are distinguished by their coordinates.
///
/// The table is sorted anew for each snapshot. The cells of [`HGrid`](crate::index::HGrid) are the same, but can be changed one
/// sphere at a time.
#[derive(Clone, Debug, Default)]
pub(super) struct CellTable {
    grid: CellGrid,
    /// Whether every cell has an entry of its own.
    is_dense: bool,
    /// Whether no cell has a neighbor along z: there is one layer, whose faces are not periodic.
    is_plane: bool,
    /// By entry, the position of its first item; one more than there are entries.
    starts: Vec<u32>,
    items: Vec<Item>,
}

impl CellTable {
    /// Prepares cells of at least `size` in the box from `low` to `high`, or in a container, where they fill periodic
    /// axes exactly.
    pub(super) fn lay_out(
        &mut self,
        size: f64,
        [low, high]: [DVec3; 2],
        container: Option<&Container>,
        spheres: usize,
    ) {
        let size = size * (1.0 + CELL_MARGIN);
        let axes = [0, 1, 2].map(|axis| {
            let length = high[axis] - low[axis];
            if container.is_some_and(|container| container.is_periodic(axis)) {
                let count = (length / size).floor().clamp(1.0, MAX_COORDINATE);
                CellAxis::filling(Axis::new(length, true), count as i32)
            } else {
                // The cells begin half a cell outside, so that the spheres of a regular snapshot lie in the middle of
                // their cells.
                let count = ((length / size + 0.5).floor() + 1.0).clamp(1.0, MAX_COORDINATE);
                CellAxis::open(low[axis] - 0.5 * size, 1.0 / size, count as i32)
            }
        });
        let grid = CellGrid::new(axes);
        let cells = grid.len();
        let length = if cells <= DENSE_CELLS_PER_SPHERE * spheres as u64 {
            cells
        } else {
            // An odd length mixes well with the even strides of regular snapshots.
            (2 * spheres as u64) | 1
        };
        let [_, _, az] = grid.axes();
        self.is_plane = az.count() == 1 && !az.axis().is_periodic();
        self.grid = grid.with_strides_modulo(length);
        self.is_dense = length == cells;
        self.starts.clear();
        self.starts.resize(length as usize + 1, 0);
        self.items.clear();
        self.items.resize(spheres, Item::default());
    }

    /// Sorts in the spheres with the given numbers, as many as announced to [`Self::lay_out`].
    pub(super) fn fill(&mut self, ids: impl Iterator<Item = u32> + Clone, centers: &[DVec3]) {
        let grid = self.grid;
        let cell = |id: u32| {
            let [x, y, z] = grid.cell(centers[id as usize]);
            [z, y, x]
        };
        // Counting sort: `starts` first holds the end of each entry, and counts down to its start as spheres are stored.
        for id in ids.clone() {
            let entry = self.entry(cell(id));
            self.starts[entry] += 1;
        }
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        for id in ids {
            let cell = cell(id);
            let entry = self.entry(cell);
            self.starts[entry] -= 1;
            self.items[self.starts[entry] as usize] = Item { cell, id };
        }
    }

    /// Numbers the spheres in the order of the cells, from `first` on, and writes their previous numbers to `before`.
    pub(super) fn renumber(&mut self, before: &mut [u32], first: u32) {
        for ((item, before), number) in self.items.iter_mut().zip(before).zip(first..) {
            *before = item.id;
            item.id = number;
        }
    }

    /// Returns the number of entries.
    #[inline]
    fn length(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the entry of a cell.
    #[inline]
    fn entry(&self, [z, y, x]: Cell) -> usize {
        self.reduced(self.grid.number([x, y, z]))
    }

    /// Returns the entry of a cell number.
    #[inline]
    fn reduced(&self, number: u64) -> usize {
        let length = self.length() as u64;
        // A dense table skips the division, which would take as long as several tests.
        (if number >= length {
            number % length
        } else {
            number
        }) as usize
    }

    /// Returns an entry that is less than one length beyond the end, as an entry of the table.
    #[inline]
    fn folded(&self, entry: usize) -> usize {
        entry
            - if entry >= self.length() {
                self.length()
            } else {
                0
            }
    }

    /// Visits the spheres of successive cells along x, of which the first has the given entry.
    ///
    /// The entries of these cells are successive as well, so that empty cells cost nothing.
    #[inline(always)]
    fn visit_row<const BOXES_FIRST: bool>(
        &self,
        [z, y, x]: Cell,
        entry: usize,
        cells: i32,
        tester: &mut Tester<BOXES_FIRST>,
        visit: &mut impl FnMut(&mut Tester<BOXES_FIRST>, u32),
    ) {
        tester.counts.cell_accesses += cells as u64;
        let end = entry + cells as usize;
        if self.is_dense {
            let (from, to) = (self.starts[entry], self.starts[end]);
            if to - from > SHORT_ROW {
                for item in &self.items[from as usize..to as usize] {
                    visit(tester, item.id);
                }
            } else if tester.short_rows.push(from, to) {
                self.visit_short_rows(tester, visit);
            }
        } else {
            let end = end.min(entry + self.length());
            let turn = end.min(self.length());
            for entries in [entry..turn, 0..end - turn] {
                let section =
                    self.starts[entries.start] as usize..self.starts[entries.end] as usize;
                for item in &self.items[section] {
                    let [iz, iy, ix] = item.cell;
                    if iz == z && iy == y && (x..x + cells).contains(&ix) {
                        visit(tester, item.id);
                    }
                }
            }
        }
    }

    /// Visits the spheres that were collected from short rows.
    #[inline]
    fn visit_short_rows<const BOXES_FIRST: bool>(
        &self,
        tester: &mut Tester<BOXES_FIRST>,
        visit: &mut impl FnMut(&mut Tester<BOXES_FIRST>, u32),
    ) {
        for k in 0..tester.short_rows.take_len() {
            let position = tester.short_rows.position(k);
            visit(tester, self.items[position as usize].id);
        }
    }

    /// Tests all pairs within the table that lie in the same or in adjacent cells, each once. Each sphere is tested
    /// against the later spheres of its own cell and the spheres of the 13 neighbors of the half mask, 4 in a plane.
    pub(super) fn search_within<const BOXES_FIRST: bool>(&self, tester: &mut Tester<BOXES_FIRST>) {
        let axes = self.grid.axes().iter();
        let mut periodic = axes.filter(|axis| axis.axis().is_periodic());
        let has_repeated_neighbors = periodic.any(|axis| axis.count() < 3);
        let rows = self.half_rows();
        let rows = if self.is_plane {
            &rows[..ROWS_IN_LAYER]
        } else {
            &rows[..]
        };
        for entry in 0..self.length() {
            let end = self.starts[entry + 1] as usize;
            for position in self.starts[entry] as usize..end {
                let item = &self.items[position];
                if has_repeated_neighbors {
                    self.search_around(item, tester);
                    continue;
                }
                tester.counts.cell_accesses += 1;
                for other in &self.items[position + 1..end] {
                    if other.cell == item.cell {
                        tester.test(item.id, other.id);
                    }
                }
                if self.is_inside(item.cell) {
                    let [z, y, x] = item.cell;
                    let visit =
                        &mut |tester: &mut Tester<BOXES_FIRST>, id| tester.test(item.id, id);
                    for &([dz, dy, dx], cells, ahead) in rows {
                        let (cell, entry) = ([z + dz, y + dy, x + dx], self.folded(entry + ahead));
                        self.visit_row(cell, entry, cells, tester, visit);
                    }
                    self.visit_short_rows(tester, visit);
                } else {
                    self.search_at_face(item, tester);
                }
            }
        }
    }

    /// Returns the rows of the half mask: first cell, number of cells, and difference of the entries, modulo the length.
    fn half_rows(&self) -> [(Cell, i32, usize); 5] {
        let [sx, sy, sz] = self.grid.strides().map(|stride| stride as i64);
        HALF_MASK.map(|([dz, dy], [from, to])| {
            let difference = i64::from(from) * sx + i64::from(dy) * sy + i64::from(dz) * sz;
            let ahead = difference.rem_euclid(self.length() as i64) as usize;
            ([dz, dy, from], to - from + 1, ahead)
        })
    }

    /// Returns whether a cell has neighbors on all sides without crossing a face. In a plane, the sides along z do not
    /// count.
    #[inline]
    fn is_inside(&self, [z, y, x]: Cell) -> bool {
        let is_between = |axis: &CellAxis, index| (1..axis.count() - 1).contains(&index);
        let [ax, ay, az] = self.grid.axes();
        is_between(ax, x) && is_between(ay, y) && (is_between(az, z) || self.is_plane)
    }

    fn search_at_face<const BOXES_FIRST: bool>(
        &self,
        item: &Item,
        tester: &mut Tester<BOXES_FIRST>,
    ) {
        let [z, y, x] = item.cell;
        let [ax, ay, az] = self.grid.axes();
        let visit = &mut |tester: &mut Tester<BOXES_FIRST>, id| tester.test_across(item.id, id);
        for ([dz, dy], [from, to]) in HALF_MASK {
            let (Some(z), Some(y)) = (az.wrapped(z + dz), ay.wrapped(y + dy)) else {
                continue;
            };
            for x in (from..=to).filter_map(|dx| ax.wrapped(x + dx)) {
                let cell = [z, y, x];
                self.visit_row(cell, self.entry(cell), 1, tester, visit);
            }
        }
        self.visit_short_rows(tester, visit);
    }

    /// Tests a sphere against the spheres of all cells around it, each cell once, and each pair from the sphere with the
    /// smaller number.
    ///
    /// Needed where a periodic axis has fewer than three cells: there a cell is a neighbor on both sides.
    fn search_around<const BOXES_FIRST: bool>(
        &self,
        item: &Item,
        tester: &mut Tester<BOXES_FIRST>,
    ) {
        let [z, y, x] = item.cell;
        let [ax, ay, az] = self.grid.axes();
        let ranges = [ax.around(x), ay.around(y), az.around(z)];
        self.visit_ranges(ranges, tester, |tester, id| {
            if id > item.id {
                tester.test_across(item.id, id);
            }
        });
    }

    /// Tests a sphere against the spheres of all cells between two corners, each cell once.
    pub(super) fn search_box<const BOXES_FIRST: bool>(
        &self,
        low: DVec3,
        high: DVec3,
        id: u32,
        tester: &mut Tester<BOXES_FIRST>,
    ) {
        let ranges = self.grid.between(low, high);
        // A range that holds every cell of a periodic axis may contain spheres whose nearest image is across a face.
        let crosses_face = ranges
            .iter()
            .zip(self.grid.axes())
            .any(|(range, axis)| range.crosses_face() && axis.axis().is_periodic());
        if crosses_face {
            self.visit_ranges(ranges, tester, |tester, other| {
                tester.test_across(id, other);
            });
        } else {
            self.visit_ranges(ranges, tester, |tester, other| {
                tester.test(id, other);
            });
        }
    }

    fn visit_ranges<const BOXES_FIRST: bool>(
        &self,
        [xs, ys, zs]: [CellRange; 3],
        tester: &mut Tester<BOXES_FIRST>,
        mut visit: impl FnMut(&mut Tester<BOXES_FIRST>, u32),
    ) {
        let [first, ys, zs] = [self.walk(0, xs), self.walk(1, ys), self.walk(2, zs)];
        let (x, left, before_face) = (xs.first(), xs.len() as i32, xs.before_face());
        for (z, layer) in zs {
            for (y, row) in ys {
                let row = self.folded(layer + row);
                let entry = self.folded(row + first.entry);
                self.visit_row([z, y, x], entry, before_face, tester, &mut visit);
                if left > before_face {
                    self.visit_row([z, y, 0], row, left - before_face, tester, &mut visit);
                }
            }
        }
        self.visit_short_rows(tester, &mut visit);
    }

    fn walk(&self, axis: usize, cells: CellRange) -> Walk {
        let stride = self.grid.strides()[axis];
        Walk {
            cells,
            entry: self.reduced(cells.first() as u64 * stride),
            stride: stride as usize,
            length: self.length(),
        }
    }

    /// Iterates over all spheres, cell by cell.
    pub(super) fn ids(&self) -> impl Iterator<Item = u32> + '_ {
        self.items.iter().map(|item| item.id)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub(super) fn bytes(&self) -> usize {
        vec_bytes(&self.starts) + vec_bytes(&self.items)
    }
}

/// Successive cells along one axis, each with its part of the entry in the table.
#[derive(Clone, Copy, Debug)]
struct Walk {
    cells: CellRange,
    entry: usize,
    stride: usize,
    length: usize,
}

impl Iterator for Walk {
    type Item = (i32, usize);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let here = (self.cells.next()?, self.entry);
        self.entry += self.stride;
        if self.entry >= self.length {
            self.entry -= self.length;
        }
        if self.cells.first() == 0 {
            self.entry = 0;
        }
        Some(here)
    }
}
