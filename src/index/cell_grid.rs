//! Equal cells: which cell holds a point, which cells an interval meets, and the number of a cell.
//!
//! The grids and octrees of this module share these cells with the broad phases of
//! [`laboratory`](crate::laboratory). They differ in what they store in a cell.

use glam::DVec3;

use super::axis::Axis;
use crate::container::Container;

/// Equal cells along one axis, numbered from 0.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CellAxis {
    axis: Axis,
    /// Coordinate at which the first cell begins; 0 if the axis is periodic.
    origin: f64,
    /// Number of cells per unit of length.
    per_length: f64,
    /// Number of cells, at least 1.
    count: i32,
}

impl CellAxis {
    /// Creates `count` cells that begin at the origin of `axis`.
    pub fn new(axis: Axis, per_length: f64, count: i32) -> Self {
        Self {
            axis,
            origin: 0.0,
            per_length,
            count,
        }
    }

    /// Creates `count` cells that fill an axis exactly.
    pub fn filling(axis: Axis, count: i32) -> Self {
        Self::new(axis, f64::from(count) / axis.length(), count)
    }

    /// Creates `count` cells along an axis without boundary, from `origin` on.
    pub fn open(origin: f64, per_length: f64, count: i32) -> Self {
        Self {
            origin,
            ..Self::new(Axis::new(0.0, false), per_length, count)
        }
    }

    #[inline]
    pub fn axis(&self) -> Axis {
        self.axis
    }

    #[inline]
    pub fn count(&self) -> i32 {
        self.count
    }

    /// Returns the cell that holds a coordinate; the nearest cell for a coordinate outside.
    #[inline]
    pub fn cell(&self, x: f64) -> i32 {
        // The conversion rounds towards zero instead of down. Below the origin both lead to the first cell.
        let cells = (x - self.origin) * self.per_length;
        (cells as i32).clamp(0, self.count - 1)
    }

    /// Returns the cells that meet the interval from `low` to `high`, each once. The interval may cross periodic faces
    /// if its middle lies between them.
    #[inline]
    pub fn between(&self, low: f64, high: f64) -> CellRange {
        if self.axis.is_crossed_by(low, high) {
            let length = self.axis.length();
            let (first, last) = if low < 0.0 {
                (self.cell(low + length), self.cell(high))
            } else {
                (self.cell(low), self.cell(high - length))
            };
            // An interval as long as the axis makes this at least `count`.
            let cells = last + 1 + self.count - first;
            return CellRange::new(first, cells.min(self.count), self.count);
        }
        let first = self.cell(low);
        CellRange::new(first, self.cell(high) - first + 1, self.count)
    }

    /// Returns the cell `index`, which may lie beyond a face; none if it lies beyond a face that is not periodic.
    #[inline]
    pub fn wrapped(&self, index: i32) -> Option<i32> {
        if (0..self.count).contains(&index) {
            Some(index)
        } else {
            self.axis
                .is_periodic()
                .then(|| index.rem_euclid(self.count))
        }
    }

    /// Returns a cell and the adjoining cells, each once; none beyond a face that is not periodic.
    pub fn around(&self, index: i32) -> CellRange {
        let (first, cells) = if self.axis.is_periodic() {
            ((index - 1).rem_euclid(self.count), self.count.min(3))
        } else {
            let first = (index - 1).max(0);
            (first, (index + 2).min(self.count) - first)
        };
        CellRange::new(first, cells, self.count)
    }
}

/// Successive cells along one axis; cell 0 follows the last cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellRange {
    next: i32,
    left: i32,
    count: i32,
}

impl CellRange {
    /// Creates a range of `cells` cells out of `count`, from `first` on, which must be one of them.
    #[inline]
    fn new(first: i32, cells: i32, count: i32) -> Self {
        Self {
            next: first,
            left: cells.max(0),
            count,
        }
    }

    /// Returns the next cell, or cell 0 if the last cell of the axis was the one before.
    #[inline]
    pub fn first(&self) -> i32 {
        self.next
    }

    /// Returns the number of cells from the next cell to the last cell of the range or of the axis.
    #[inline]
    pub fn before_face(&self) -> i32 {
        self.left.min(self.count - self.next)
    }

    /// Returns whether the range continues beyond the last cell of the axis, or holds every cell of the axis.
    #[inline]
    pub fn crosses_face(&self) -> bool {
        self.next + self.left > self.count || self.left == self.count
    }
}

impl Iterator for CellRange {
    type Item = i32;

    #[inline]
    fn next(&mut self) -> Option<i32> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let cell = self.next;
        self.next = if cell + 1 == self.count { 0 } else { cell + 1 };
        Some(cell)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for CellRange {}

/// Equal cells in three dimensions, numbered with x fastest.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CellGrid {
    axes: [CellAxis; 3],
    /// Difference of the numbers of two cells that are neighbors along each axis.
    strides: [u64; 3],
}

impl CellGrid {
    /// Creates a grid. The number of cells in one layer must be below 2⁶⁴.
    pub fn new(axes: [CellAxis; 3]) -> Self {
        let [nx, ny, _] = axes.map(|axis| axis.count as u64);
        Self {
            axes,
            strides: [1, nx, nx * ny],
        }
    }

    /// Creates cells that fill a container exactly, `counts` along each axis.
    pub fn filling(container: &Container, counts: [u32; 3]) -> Self {
        let axes = Axis::of(container);
        Self::new([0, 1, 2].map(|axis| CellAxis::filling(axes[axis], counts[axis] as i32)))
    }

    /// Returns the same cells with numbers that are to be reduced modulo `modulus`: the strides are reduced already.
    pub fn with_strides_modulo(self, modulus: u64) -> Self {
        Self {
            strides: self.strides.map(|stride| stride % modulus),
            ..self
        }
    }

    #[inline]
    pub fn axes(&self) -> &[CellAxis; 3] {
        &self.axes
    }

    #[inline]
    pub fn strides(&self) -> [u64; 3] {
        self.strides
    }

    /// Returns the number of cells, or `u64::MAX` if it is larger.
    pub fn len(&self) -> u64 {
        let counts = self.axes.map(|axis| axis.count as u64);
        counts.into_iter().fold(1, u64::saturating_mul)
    }

    /// Returns the cell that holds a point; the nearest cell for a point outside.
    #[inline]
    pub fn cell(&self, point: DVec3) -> [i32; 3] {
        let [x, y, z] = &self.axes;
        [x.cell(point.x), y.cell(point.y), z.cell(point.z)]
    }

    /// Returns the number of a cell, modulo 2⁶⁴.
    #[inline]
    pub fn number(&self, [x, y, z]: [i32; 3]) -> u64 {
        let [sx, sy, sz] = self.strides;
        (x as u64 * sx)
            .wrapping_add((y as u64).wrapping_mul(sy))
            .wrapping_add((z as u64).wrapping_mul(sz))
    }

    /// Returns the cell of a number, unless the strides are reduced.
    #[inline]
    pub fn coordinates(&self, number: u64) -> [i32; 3] {
        let [_, row, layer] = self.strides;
        [number % row, number % layer / row, number / layer].map(|coordinate| coordinate as i32)
    }

    /// Returns the cells between two corners, by axis.
    #[inline]
    pub fn between(&self, low: DVec3, high: DVec3) -> [CellRange; 3] {
        let [x, y, z] = &self.axes;
        [
            x.between(low.x, high.x),
            y.between(low.y, high.y),
            z.between(low.z, high.z),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(range: CellRange) -> Vec<i32> {
        range.collect()
    }

    #[test]
    fn intervals_meet_each_cell_once() {
        let periodic = CellAxis::filling(Axis::new(10.0, true), 5);
        assert_eq!(cells(periodic.between(2.5, 6.5)), [1, 2, 3]);
        assert_eq!(cells(periodic.between(-2.5, 0.5)), [3, 4, 0]);
        assert_eq!(cells(periodic.between(7.0, 11.0)), [3, 4, 0]);
        assert_eq!(cells(periodic.between(-4.9, 4.9)).len(), 5);
        assert_eq!(cells(periodic.between(-80.0, 90.0)).len(), 5);
        let walled = CellAxis::filling(Axis::new(10.0, false), 5);
        assert_eq!(cells(walled.between(-2.5, 0.5)), [0]);
        assert_eq!(cells(walled.between(7.0, 11.0)), [3, 4]);
        // A reversed interval meets no cell.
        assert!(cells(walled.between(8.0, 1.0)).is_empty());
    }

    #[test]
    fn cells_longer_than_the_axis_wrap_by_length() {
        // Three cells of side 4 cover an axis of length 10.
        let axis = CellAxis::new(Axis::new(10.0, true), 0.25, 3);
        assert_eq!(cells(axis.between(-3.0, 1.0)), [1, 2, 0]);
    }

    #[test]
    fn only_periodic_faces_have_cells_beyond() {
        let periodic = CellAxis::filling(Axis::new(10.0, true), 5);
        assert_eq!(
            [-1, 4, 5].map(|i| periodic.wrapped(i)),
            [Some(4), Some(4), Some(0)]
        );
        let open = CellAxis::open(-1.0, 0.5, 5);
        assert_eq!([-1, 4, 5].map(|i| open.wrapped(i)), [None, Some(4), None]);
    }

    #[test]
    fn numbers_lead_back_to_the_cells() {
        let axis = |count| CellAxis::filling(Axis::new(1.0, false), count);
        let grid = CellGrid::new([axis(3), axis(4), axis(5)]);
        assert_eq!(grid.len(), 60);
        for number in 0..60 {
            assert_eq!(grid.number(grid.coordinates(number)), number);
        }
        assert_eq!(grid.coordinates(1), [1, 0, 0]);
    }
}
