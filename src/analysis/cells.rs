//! Cell lists: points sorted by the cells of a grid, and spheres in several grids by size.

use std::ops::{AddAssign, Range};

use glam::DVec3;

use super::{
    constants::{CELLS_PER_POINT, PROBE_MARGIN},
    scene::Scene,
};

/// Points sorted by the cells of one grid over the bounding box of the container.
pub(super) struct CellGrid {
    /// Number of cells along each axis.
    counts: [usize; 3],
    lengths: DVec3,
    is_periodic: [bool; 3],
    /// The cells of each row along x that have points. A rank has points in a part of the container only.
    rows: Vec<Row>,
    /// Start of the points of each cell of the rows, and the end of the last ones.
    starts: Vec<u32>,
    /// Ids of the points by cell, increasing within a cell.
    ids: Vec<u32>,
    /// Centers of the points by cell.
    centers: Vec<DVec3>,
}

/// Successive cells along x.
#[derive(Clone, Copy)]
struct Row {
    /// Position of the first cell among those of all rows.
    first: usize,
    /// Numbers of the cells along x.
    from: u32,
    to: u32,
}

impl Row {
    const EMPTY: Self = Self {
        first: 0,
        from: u32::MAX,
        to: 0,
    };
}

impl CellGrid {
    /// Sorts the points `ids` of a scene into cells. The cells are at least as long as `size` along each axis, and wider
    /// where there are few points.
    pub(super) fn new(scene: &Scene, ids: &[u32], size: f64) -> Self {
        let lengths = scene.container.lengths();
        let most = (CELLS_PER_POINT * ids.len() as f64 * scene.dilution()).max(1.0);
        let mut counts = cell_counts(lengths, size);
        let mut widened = size;
        while counts.iter().product::<f64>() > most {
            // Below the smallest normal number, the product could round to the same number.
            widened = (1.25 * widened).max(f64::MIN_POSITIVE);
            counts = cell_counts(lengths, widened);
        }
        let mut grid = Self {
            counts: counts.map(|count| count as usize),
            lengths,
            is_periodic: [0, 1, 2].map(|axis| scene.container.is_periodic(axis)),
            rows: Vec::new(),
            starts: Vec::new(),
            ids: vec![0; ids.len()],
            centers: vec![DVec3::ZERO; ids.len()],
        };
        grid.fill(scene, ids);
        grid
    }

    /// Sorts the points by counting.
    fn fill(&mut self, scene: &Scene, ids: &[u32]) {
        let [_, rows, layers] = self.counts;
        self.rows = vec![Row::EMPTY; rows * layers];
        let cells: Vec<[u32; 2]> = ids
            .iter()
            .map(|&id| self.cell_of(scene.centers[id as usize]))
            .collect();
        for &[row, x] in &cells {
            let row = &mut self.rows[row as usize];
            (row.from, row.to) = (row.from.min(x), row.to.max(x + 1));
        }
        let mut first = 0;
        for row in &mut self.rows {
            row.first = first;
            first += row.to.saturating_sub(row.from) as usize;
        }
        let place = |[row, x]: [u32; 2], rows: &[Row]| {
            let row = rows[row as usize];
            row.first + (x - row.from) as usize
        };
        let mut starts = vec![0_u32; first + 1];
        for &cell in &cells {
            starts[place(cell, &self.rows)] += 1;
        }
        to_ends(&mut starts);
        for (&id, &cell) in ids.iter().zip(&cells).rev() {
            let start = &mut starts[place(cell, &self.rows)];
            *start -= 1;
            self.ids[*start as usize] = id;
            self.centers[*start as usize] = scene.centers[id as usize];
        }
        self.starts = starts;
    }

    /// Returns the row of a point, and its cell along x.
    fn cell_of(&self, point: DVec3) -> [u32; 2] {
        let along = |axis: usize| {
            let cell = point[axis] / self.lengths[axis] * self.counts[axis] as f64;
            (cell as usize).min(self.counts[axis] - 1)
        };
        [
            (along(2) * self.counts[1] + along(1)) as u32,
            along(0) as u32,
        ]
    }

    /// Returns the shortest side of a cell.
    pub(super) fn shortest(&self) -> f64 {
        let side = |axis: usize| self.lengths[axis] / self.counts[axis] as f64;
        let sides = [0, 1, 2].map(side).into_iter();
        // A flat container has no side along z.
        sides
            .filter(|&side| side > 0.0)
            .fold(f64::INFINITY, f64::min)
    }

    /// Returns the ids of the points by cell: neighboring ids are close in space.
    pub(super) fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// Passes every point within `reach` of `point` to `visit`, once, with its center. Points out of reach may be among them.
    #[inline]
    pub(super) fn visit(&self, point: DVec3, reach: f64, mut visit: impl FnMut(u32, DVec3)) {
        let range = |axis: usize| self.ranges(axis, point[axis], reach);
        let (xs, ys, zs) = (range(0), range(1), range(2));
        for z in zs.into_iter().flatten() {
            for y in ys.clone().into_iter().flatten() {
                let row = self.rows[z * self.counts[1] + y];
                for x in &xs {
                    let (from, to) = (row.from as usize, row.to as usize);
                    let (start, end) = (x.start.max(from), x.end.min(to));
                    if start >= end {
                        continue;
                    }
                    let cell = |x: usize| self.starts[row.first + x - from];
                    let cells = cell(start)..cell(end);
                    let points = cells.start as usize..cells.end as usize;
                    let points = self.ids[points.clone()].iter().zip(&self.centers[points]);
                    for (&id, &center) in points {
                        visit(id, center);
                    }
                }
            }
        }
    }

    /// Returns the cells along an axis that may contain points within `reach`: one range, or two across a periodic face.
    fn ranges(&self, axis: usize, at: f64, reach: f64) -> [Range<usize>; 2] {
        let (count, length) = (self.counts[axis], self.lengths[axis]);
        let reach = reach * (1.0 + PROBE_MARGIN) + length * PROBE_MARGIN;
        if self.is_periodic[axis] && 2.0 * reach >= length {
            return [0..count, 0..0];
        }
        let cell = |at: f64| (at / length * count as f64).floor();
        // The conversion of numbers below zero or beyond usize gives the nearest usize.
        let (low, high) = (cell(at - reach), cell(at + reach));
        if !self.is_periodic[axis] {
            return [
                low as usize..high.min(count as f64 - 1.0) as usize + 1,
                0..0,
            ];
        }
        let last = count as f64;
        if high - low + 1.0 >= last {
            [0..count, 0..0]
        } else if low < 0.0 {
            [0..high as usize + 1, (low + last) as usize..count]
        } else if high >= last {
            [0..(high - last) as usize + 1, low as usize..count]
        } else {
            [low as usize..high as usize + 1, 0..0]
        }
    }
}

/// Turns the lengths of successive lists into their ends. Lists that are filled from their ends leave their starts.
pub(super) fn to_ends<T: Copy + Default + AddAssign>(lengths: &mut [T]) {
    let mut end = T::default();
    for length in lengths {
        end += *length;
        *length = end;
    }
}

/// Returns the numbers of cells that are at least `size` wide. They can exceed every integer.
fn cell_counts(lengths: DVec3, size: f64) -> [f64; 3] {
    (lengths / size)
        .to_array()
        .map(|count| count.floor().max(1.0))
}

/// Spheres of similar size: the largest is at most about twice the smallest.
pub(super) struct Level {
    /// The spheres.
    pub(super) grid: CellGrid,
    /// Largest radius.
    pub(super) largest: f64,
}

/// Sorts the spheres of a scene into levels of an octave each, from the smallest spheres to the largest ones.
pub(super) fn levels(scene: &Scene) -> Vec<Level> {
    let smallest = scene.radii.iter().copied().fold(f64::INFINITY, f64::min);
    let mut octaves: Vec<Vec<u32>> = Vec::new();
    for (id, &radius) in scene.radii.iter().enumerate() {
        let octave = libm::ilogb((radius / smallest).min(f64::MAX)) as usize;
        if octave >= octaves.len() {
            octaves.resize_with(octave + 1, Vec::new);
        }
        octaves[octave].push(id as u32);
    }
    let level = |ids: Vec<u32>| {
        let radius = |&id: &u32| scene.radii[id as usize];
        let largest = ids.iter().map(radius).fold(0.0, f64::max);
        Level {
            grid: CellGrid::new(scene, &ids, 2.0 * largest),
            largest,
        }
    };
    let used = octaves.into_iter().filter(|ids| !ids.is_empty());
    used.map(level).collect()
}
