//! Spheres by cell: what the linked cell method and each level of the HGrid keep.

use glam::DVec3;

use super::{
    Tester,
    lattice::{Cell, HALF_MASK, LIMIT, MARGIN},
    vec_bytes,
};
use crate::container::Container;

/// One sphere in its cell.
#[derive(Clone, Copy, Debug, Default)]
struct Item {
    cell: Cell,
    id: u32,
}

/// One axis of the cells.
#[derive(Clone, Copy, Debug, Default)]
struct Axis {
    origin: f64,
    per_length: f64,
    count: i32,
    periodic: bool,
}

impl Axis {
    #[inline]
    fn floor(&self, x: f64) -> i32 {
        let scaled = (x - self.origin) * self.per_length;
        // `f64::floor` is a call to the C library on processors of the baseline.
        let whole = scaled as i32;
        whole.saturating_sub(i32::from(f64::from(whole) > scaled))
    }

    #[inline]
    fn cell(&self, x: f64) -> i32 {
        // Rounding towards zero is as good as down, for what is below zero comes to the first cell.
        let scaled = (x - self.origin) * self.per_length;
        (scaled as i32).clamp(0, self.count - 1)
    }

    /// The first cell and the number of cells between two coordinates; none twice. The first may lie up to one length
    /// before a periodic axis.
    #[inline]
    fn range(&self, low: f64, high: f64) -> (i32, i32) {
        if self.periodic {
            let (first, last) = (self.floor(low), self.floor(high));
            let cells = (i64::from(last) - i64::from(first) + 1).min(i64::from(self.count));
            let before = if first >= -self.count && first < self.count {
                first
            } else {
                first.rem_euclid(self.count)
            };
            (before, cells as i32)
        } else {
            let first = self.cell(low);
            (first, self.cell(high) - first + 1)
        }
    }

    /// The cell at `index`, brought back into a periodic axis.
    #[inline]
    fn wrap(&self, index: i32) -> Option<i32> {
        if (0..self.count).contains(&index) {
            Some(index)
        } else {
            self.periodic.then(|| index.rem_euclid(self.count))
        }
    }
}

/// The most cells for each sphere for which every cell gets a place of its own.
///
/// Looking into cells that share places takes longer, and grids tuned for the papers' K have up to about so many.
const DENSE: u64 = 8;

/// A grid of equal cells, each with its spheres.
///
/// The spheres of a cell stand one after another, and a table says where they begin: the linked lists of the classical
/// method, stored in order. The length of the table is bound to the number of spheres, not to the volume. A cell's place
/// in it is its number in the dense grid, modulo the length: a compact scene uses the table as the dense array of the
/// classical method, a sparse one like a hash table, where cells far apart may share a place and are told apart by
/// their coordinates.
#[derive(Clone, Debug, Default)]
pub(super) struct CellTable {
    axes: [Axis; 3],
    strides: [u64; 3],
    /// Whether every cell has a place of its own.
    dense: bool,
    starts: Vec<u32>,
    items: Vec<Item>,
}

impl CellTable {
    /// Cells of at least `size` in the box from `low` to `high`, or in a container, then exactly filling periodic axes.
    pub(super) fn lay_out(
        &mut self,
        size: f64,
        [low, high]: [DVec3; 2],
        container: Option<&Container>,
        spheres: usize,
    ) {
        let size = size * (1.0 + MARGIN);
        for axis in 0..3 {
            let length = high[axis] - low[axis];
            let periodic = container.is_some_and(|container| container.is_periodic(axis));
            self.axes[axis] = if periodic {
                let count = (length / size).floor().clamp(1.0, LIMIT);
                Axis {
                    origin: low[axis],
                    per_length: count / length,
                    count: count as i32,
                    periodic,
                }
            } else {
                // Half a cell ahead, so that regular scenes stand in the middle of their cells.
                Axis {
                    origin: low[axis] - 0.5 * size,
                    per_length: 1.0 / size,
                    count: ((length / size + 0.5).floor() + 1.0).clamp(1.0, LIMIT) as i32,
                    periodic,
                }
            };
        }
        let counts = self.axes.map(|axis| axis.count as u64);
        let cells = counts.into_iter().fold(1u64, u64::saturating_mul);
        let length = if cells <= DENSE * spheres as u64 {
            cells
        } else {
            // An odd length mixes well with the even strides of regular scenes.
            (2 * spheres as u64) | 1
        };
        self.strides = [
            1 % length,
            counts[0] % length,
            counts[0] * counts[1] % length,
        ];
        self.dense = length == cells;
        self.starts.clear();
        self.starts.resize(length as usize + 1, 0);
        self.items.clear();
        self.items.resize(spheres, Item::default());
    }

    /// Puts in the spheres with the given numbers, as many as announced to [`Self::lay_out`].
    pub(super) fn fill(&mut self, ids: impl Iterator<Item = u32> + Clone, centers: &[DVec3]) {
        let [x, y, z] = self.axes;
        let cell = |id: u32| {
            let center = centers[id as usize];
            [z.cell(center.z), y.cell(center.y), x.cell(center.x)]
        };
        // Counting sort: ends of the places first, which count down to the starts as the spheres come in.
        for id in ids.clone() {
            let place = self.place(cell(id));
            self.starts[place] += 1;
        }
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        for id in ids {
            let cell = cell(id);
            let place = self.place(cell);
            self.starts[place] -= 1;
            self.items[self.starts[place] as usize] = Item { cell, id };
        }
    }

    /// Numbers the spheres in the order of the cells, from `first` on, and puts the numbers that they had into `before`.
    pub(super) fn rename(&mut self, before: &mut [u32], first: u32) {
        for ((item, before), number) in self.items.iter_mut().zip(before).zip(first..) {
            *before = item.id;
            item.id = number;
        }
    }

    #[inline]
    fn length(&self) -> usize {
        self.starts.len() - 1
    }

    #[inline]
    fn place(&self, [z, y, x]: Cell) -> usize {
        let [sx, sy, sz] = self.strides;
        let number = (x as u64 * sx)
            .wrapping_add((y as u64).wrapping_mul(sy))
            .wrapping_add((z as u64).wrapping_mul(sz));
        self.reduced(number)
    }

    /// The place of a cell number.
    #[inline]
    fn reduced(&self, number: u64) -> usize {
        let length = self.length() as u64;
        // Never in a dense table, where the division would take as long as several tests.
        (if number >= length {
            number % length
        } else {
            number
        }) as usize
    }

    /// A place, brought back into the table from less than one length beyond.
    #[inline]
    fn folded(&self, place: usize) -> usize {
        place
            - if place >= self.length() {
                self.length()
            } else {
                0
            }
    }

    /// Visits the spheres of successive cells along x, of which the first has the given place in the table.
    ///
    /// Their places follow one another as well, so that empty cells cost nothing.
    #[inline(always)]
    fn visit_row(
        &self,
        [z, y, x]: Cell,
        place: usize,
        cells: i32,
        tester: &mut Tester,
        visit: &mut impl FnMut(&mut Tester, u32),
    ) {
        tester.work.cell_accesses += cells as u64;
        let end = place + cells as usize;
        if self.dense {
            let (from, to) = (self.starts[place], self.starts[end]);
            if to - from > Waiting::FEW {
                for item in &self.items[from as usize..to as usize] {
                    visit(tester, item.id);
                }
            } else if tester.waiting.push(from, to) {
                self.visit_waiting(tester, visit);
            }
        } else {
            let end = end.min(place + self.length());
            let turn = end.min(self.length());
            for places in [place..turn, 0..end - turn] {
                let stretch = self.starts[places.start] as usize..self.starts[places.end] as usize;
                for item in &self.items[stretch] {
                    let [iz, iy, ix] = item.cell;
                    if iz == z && iy == y && (x..x + cells).contains(&ix) {
                        visit(tester, item.id);
                    }
                }
            }
        }
    }

    /// Visits the spheres that the rows so far left waiting.
    #[inline]
    fn visit_waiting(&self, tester: &mut Tester, visit: &mut impl FnMut(&mut Tester, u32)) {
        for at in 0..std::mem::take(&mut tester.waiting.count) {
            let position = tester.waiting.positions[at];
            visit(tester, self.items[position as usize].id);
        }
    }

    /// Tests all pairs within the table that lie in the same or in adjacent cells, each once: for every sphere those
    /// after it in its own cell and those in the 13 neighbours of the half mask.
    pub(super) fn search_within(&self, tester: &mut Tester) {
        let folded = self.axes.iter().any(|axis| axis.periodic && axis.count < 3);
        let rows = self.half_rows();
        for place in 0..self.length() {
            let end = self.starts[place + 1] as usize;
            for at in self.starts[place] as usize..end {
                let item = &self.items[at];
                if folded {
                    self.search_folded(item, tester);
                    continue;
                }
                tester.work.cell_accesses += 1;
                for other in &self.items[at + 1..end] {
                    if other.cell == item.cell {
                        tester.test(item.id, other.id);
                    }
                }
                if self.is_inside(item.cell) {
                    let [z, y, x] = item.cell;
                    let visit = &mut |tester: &mut Tester, id| tester.test(item.id, id);
                    for &([dz, dy, dx], cells, ahead) in &rows {
                        let (cell, place) = ([z + dz, y + dy, x + dx], self.folded(place + ahead));
                        self.visit_row(cell, place, cells, tester, visit);
                    }
                    self.visit_waiting(tester, visit);
                } else {
                    self.search_at_face(item, tester);
                }
            }
        }
    }

    /// The rows of the half mask: first cell, number of cells, and the way to the first in the table.
    fn half_rows(&self) -> [(Cell, i32, usize); 5] {
        let [sx, sy, sz] = self.strides.map(|stride| stride as i64);
        HALF_MASK.map(|([dz, dy], [from, to])| {
            let way = i64::from(from) * sx + i64::from(dy) * sy + i64::from(dz) * sz;
            let ahead = way.rem_euclid(self.length() as i64) as usize;
            ([dz, dy, from], to - from + 1, ahead)
        })
    }

    /// Whether a cell has neighbours on all sides without crossing a face.
    #[inline]
    fn is_inside(&self, [z, y, x]: Cell) -> bool {
        let [ax, ay, az] = self.axes;
        [(ax, x), (ay, y), (az, z)]
            .iter()
            .all(|(axis, index)| (1..axis.count - 1).contains(index))
    }

    fn search_at_face(&self, item: &Item, tester: &mut Tester) {
        let [z, y, x] = item.cell;
        let visit = &mut |tester: &mut Tester, id| tester.test_across(item.id, id);
        for ([dz, dy], [from, to]) in HALF_MASK {
            let (Some(z), Some(y)) = (self.axes[2].wrap(z + dz), self.axes[1].wrap(y + dy)) else {
                continue;
            };
            for x in (from..=to).filter_map(|dx| self.axes[0].wrap(x + dx)) {
                let cell = [z, y, x];
                self.visit_row(cell, self.place(cell), 1, tester, visit);
            }
        }
        self.visit_waiting(tester, visit);
    }

    /// With fewer than three cells along a periodic axis a neighbour lies on both sides: each cell is visited once and
    /// each pair tested from the sphere with the smaller number.
    fn search_folded(&self, item: &Item, tester: &mut Tester) {
        let [z, y, x] = item.cell;
        let around = |axis: Axis, index: i32| {
            if axis.periodic {
                (index - 1, axis.count.min(3))
            } else {
                let first = (index - 1).max(0);
                (first, (index + 2).min(axis.count) - first)
            }
        };
        let [ax, ay, az] = self.axes;
        let ranges = [around(ax, x), around(ay, y), around(az, z)];
        self.visit_ranges(ranges, tester, |tester, id| {
            if id > item.id {
                tester.test_across(item.id, id);
            }
        });
    }

    /// Tests a sphere against all in the cells between two corners, in every cell once.
    pub(super) fn search_box(&self, low: DVec3, high: DVec3, id: u32, tester: &mut Tester) {
        let [x, y, z] = &self.axes;
        let ranges = [
            x.range(low.x, high.x),
            y.range(low.y, high.y),
            z.range(low.z, high.z),
        ];
        // What is as long as the axis may hold spheres that are nearer the other way round.
        let crosses = |axis: &Axis, (first, cells): (i32, i32)| {
            first < 0 || first + cells > axis.count || cells == axis.count
        };
        let mut ends = self.axes.iter().zip(ranges);
        if ends.any(|(axis, range)| crosses(axis, range)) {
            self.visit_ranges(ranges, tester, |tester, other| {
                tester.test_across(id, other)
            });
        } else {
            self.visit_ranges(ranges, tester, |tester, other| tester.test(id, other));
        }
    }

    fn visit_ranges(
        &self,
        [xs, ys, zs]: [(i32, i32); 3],
        tester: &mut Tester,
        mut visit: impl FnMut(&mut Tester, u32),
    ) {
        let [ys, zs] = [self.walk(1, ys), self.walk(2, zs)];
        let (first, left) = (self.walk(0, xs), xs.1);
        // Cells up to the face, and those beyond it.
        let ahead = left.min(first.count - first.index);
        for (z, layer) in zs {
            for (y, row) in ys {
                let row = self.folded(layer + row);
                let place = self.folded(row + first.place);
                self.visit_row([z, y, first.index], place, ahead, tester, &mut visit);
                if left > ahead {
                    self.visit_row([z, y, 0], row, left - ahead, tester, &mut visit);
                }
            }
        }
        self.visit_waiting(tester, &mut visit);
    }

    fn walk(&self, axis: usize, (first, left): (i32, i32)) -> Walk {
        let (count, stride) = (self.axes[axis].count, self.strides[axis]);
        let index = if first < 0 { first + count } else { first };
        let length = self.length();
        Walk {
            index,
            left,
            place: self.reduced(index as u64 * stride),
            count,
            stride: stride as usize,
            length,
        }
    }

    /// All spheres, cell by cell.
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

/// Spheres of short rows, by where they stand in the table, which are tested together.
///
/// Every row on its own would be a loop over none, one or a few spheres, whose end the processor cannot foresee.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    positions: [u32; Self::MOST],
    count: usize,
}

impl Waiting {
    const MOST: usize = 128;
    /// The length of a short row.
    const FEW: u32 = 8;

    pub(super) fn new() -> Self {
        Self {
            positions: [0; Self::MOST],
            count: 0,
        }
    }

    /// Adds a short row, and tells when there is no room for another.
    #[inline]
    fn push(&mut self, from: u32, to: u32) -> bool {
        // As many as may be, whatever the length: the surplus is overwritten.
        let room = &mut self.positions[self.count..self.count + Self::FEW as usize];
        for (position, number) in room.iter_mut().zip(from..from + Self::FEW) {
            *position = number;
        }
        self.count += (to - from) as usize;
        self.count > Self::MOST - Self::FEW as usize
    }
}

/// Successive cells along one axis, on from the first after the last, each with its part in the place in the table.
#[derive(Clone, Copy, Debug)]
struct Walk {
    index: i32,
    left: i32,
    place: usize,
    count: i32,
    stride: usize,
    length: usize,
}

impl Iterator for Walk {
    type Item = (i32, usize);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 {
            return None;
        }
        let here = (self.index, self.place);
        self.left -= 1;
        self.index += 1;
        self.place += self.stride;
        if self.place >= self.length {
            self.place -= self.length;
        }
        if self.index == self.count {
            (self.index, self.place) = (0, 0);
        }
        Some(here)
    }
}

/// The smallest box that holds all centres.
pub(super) fn bounds(centers: &[DVec3]) -> [DVec3; 2] {
    centers
        .iter()
        .fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[low, high], &c| {
            [low.min(c), high.max(c)]
        })
}
