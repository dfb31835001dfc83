//! The search of the certificate: spheres of similar size in hashed cells.

use std::ops::Range;

use glam::DVec3;
use rayon::prelude::*;

use super::closest::{Closest, ClosestPair};
use crate::{
    container::{Boundaries, Container},
    machine::{
        parallel::Erase,
        trace::{shared, task},
    },
    spheres::Spheres,
};

/// Spheres that one task searches.
const TASK: usize = 256;

/// Number of spheres in a bucket from which on its cells are divided. Spheres that hardly overlap fill a cell with less than a hundred, and few
/// cells share a bucket. Tests with few spheres divide cells too.
const CROWD: u32 = if cfg!(test) { 4 } else { 512 };

/// Rounding of positions and of distances, as a share of the lengths they come from: 45 units in the last place.
const ROUNDING: f64 = 1e-14;

/// Smallest square of a length that counts. The digits of smaller squares can be lost, because their products and
/// differences come near the smallest numbers of f64.
const LEAST_SQUARE: f64 = 1e-280;

/// The length whose square is [`LEAST_SQUARE`].
const LEAST_LENGTH: f64 = 1e-140;

/// A sphere.
#[derive(Clone, Copy)]
struct Item {
    center: DVec3,
    radius: f64,
}

/// The spheres of one octave of the radius, hashed by cell, so that memory and time do not depend on their local density.
pub(super) struct Level {
    /// Lengths of the container.
    lengths: DVec3,
    boundary: Boundaries,
    /// Lengths along periodic axes, infinite along the others.
    periods: DVec3,
    max_radius: f64,
    /// Share of the smaller radius that the gap of a pair counts.
    share: f64,
    /// Smallest width of a cell.
    edge: f64,
    /// Number of cells along each axis, each at least as wide as the largest sphere and the margin.
    cells: [i64; 3],
    /// Start of each bucket's items, and the end of the last one. The number of buckets is a power of two.
    starts: Vec<u32>,
    /// Sorted by bucket, and within a bucket by id, or from the largest to the smallest if `is_crowded`.
    items: Vec<Item>,
    /// The ids of the items.
    ids: Vec<u32>,
    /// Whether some cells hold many spheres and cannot be divided.
    is_crowded: bool,
}

impl Level {
    /// Sorts the spheres `ids` into cells that are at least as wide as the margin.
    pub(super) fn new(
        spheres: &Spheres,
        ids: Vec<u32>,
        margin: f64,
        share: f64,
        container: &Container,
    ) -> Self {
        let radii = ids.iter().map(|&id| spheres.radii()[id as usize]);
        let max_radius = radii.fold(0.0, f64::max);
        // Where spheres are few, wider cells reduce the number of visited cells.
        let spacing = container
            .dimension()
            .root(container.volume() / ids.len() as f64);
        let edge = spacing
            .clamp(2.0 * max_radius, 4.0 * max_radius)
            .max(margin);
        Self::with_cells(spheres, ids, share, [max_radius, edge], container)
    }

    /// Sorts spheres into cells that are at least `edge` wide.
    fn with_cells(
        spheres: &Spheres,
        ids: Vec<u32>,
        share: f64,
        [max_radius, edge]: [f64; 2],
        container: &Container,
    ) -> Self {
        let lengths = container.lengths();
        let mut level = Self {
            lengths,
            boundary: container.boundary(),
            periods: container.periods(),
            max_radius,
            share,
            edge,
            cells: (lengths / edge)
                .to_array()
                .map(|cells| (cells as i64).max(1)),
            starts: vec![0; ids.len().next_power_of_two() + 1],
            items: Vec::new(),
            ids: Vec::new(),
            is_crowded: false,
        };
        let key = |id: u32| {
            let cell = level.cell_of(container.wrap(spheres.centers()[id as usize]));
            let bucket = level.bucket(cell[0], row(cell[1], cell[2]));
            (bucket as u64) << 32 | u64::from(id)
        };
        let keys = shared("cells of the certificate", || {
            let ids = ids.into_par_iter().with_min_len(TASK).erased();
            let mut keys: Vec<u64> = ids.map(key).collect();
            keys.par_sort_unstable();
            keys
        });
        for key in &keys {
            level.starts[(key >> 32) as usize + 1] += 1;
        }
        let mut end = 0;
        for start in &mut level.starts {
            end += *start;
            *start = end;
        }
        let item = |key: u64| {
            let id = key as u32;
            let item = Item {
                center: container.wrap(spheres.centers()[id as usize]),
                radius: spheres.radii()[id as usize],
            };
            (item, id)
        };
        shared("cells of the certificate", || {
            let keys = keys.into_par_iter().with_min_len(TASK).erased();
            keys.map(item)
                .unzip_into_vecs(&mut level.items, &mut level.ids);
        });
        level
    }

    /// Divides the cells while some of them hold many spheres, which overlap. Improves `best` by the pairs that are compared for it.
    ///
    /// The smaller the gap of some pair, the narrower the cells can be: no sphere farther than the sum of two radii and this gap matters.
    /// In the end most cells hold few spheres, unless many centers are equal.
    pub(super) fn divided(
        mut self,
        spheres: &Spheres,
        container: &Container,
        best: &mut Closest,
    ) -> Self {
        let (share, radius) = (self.share, self.max_radius);
        let reach = self.longest_reach(radius);
        while best.gap >= -reach && self.has_crowd() {
            *best = self.sampled(*best);
            let edge = (reach + best.gap).max(self.rounding(radius));
            if edge.is_nan() || edge > 0.5 * self.edge {
                self.sort_crowds();
                break;
            }
            self = Self::with_cells(spheres, self.ids, share, [radius, edge], container);
        }
        self
    }

    fn has_crowd(&self) -> bool {
        let mut starts = self.starts.windows(2);
        starts.any(|bucket| bucket[1] - bucket[0] > CROWD)
    }

    /// Returns the closest of `best` and some pairs: in each bucket, the largest sphere with all others, and successive ones.
    fn sampled(&self, mut best: Closest) -> Closest {
        for bucket in self.starts.windows(2) {
            let items = bucket[0] as usize..bucket[1] as usize;
            let radius = |&k: &usize| self.items[k].radius;
            let largest = items.clone().max_by(|a, b| radius(a).total_cmp(&radius(b)));
            for k in items {
                for other in largest.into_iter().chain(k.checked_sub(1)) {
                    best = self.closest_among(other..other + 1, self, k, best);
                }
            }
        }
        best
    }

    /// Sorts the spheres of each bucket from the largest to the smallest, and equal ones by id.
    fn sort_crowds(&mut self) {
        self.is_crowded = true;
        for bucket in self.starts.windows(2) {
            let items = bucket[0] as usize..bucket[1] as usize;
            let ids = &mut self.ids[items.clone()];
            let items = &mut self.items[items];
            let mut both: Vec<(Item, u32)> =
                items.iter().copied().zip(ids.iter().copied()).collect();
            both.sort_unstable_by(|(a, i), (b, j)| {
                b.radius.total_cmp(&a.radius).then_with(|| i.cmp(j))
            });
            for (place, (item, id)) in both.into_iter().enumerate() {
                (items[place], ids[place]) = (item, id);
            }
        }
    }

    /// Returns the distance at which two spheres have no gap.
    #[inline]
    fn reach(&self, radius: f64, other: f64) -> f64 {
        radius.max(other) + self.share * radius.min(other)
    }

    /// Returns the longest distance at which a sphere has no gap to another one that is at most as large as `other`.
    fn reach_up_to(&self, radius: f64, other: f64) -> f64 {
        radius.max(other) + self.share.max(0.0) * radius.min(other)
    }

    /// Returns the longest distance at which a sphere has no gap to a sphere of this level.
    fn longest_reach(&self, radius: f64) -> f64 {
        self.reach_up_to(radius, self.max_radius)
    }

    /// Returns the rounding of positions, and of gaps to a sphere of this radius.
    fn rounding(&self, radius: f64) -> f64 {
        ROUNDING * (radius + self.max_radius + self.lengths.max_element())
    }

    /// Returns the cell of a coordinate. A coordinate beyond a wall belongs to the cell at the wall.
    fn cell(&self, axis: usize, x: f64) -> i64 {
        let cells = self.cells[axis];
        let position = x / self.lengths[axis] * cells as f64;
        // Rounded down. A coordinate far beyond a wall gives the largest or smallest integer.
        let whole = position as i64;
        let cell = whole.saturating_sub(i64::from((whole as f64) > position));
        if self.boundary.is_periodic(axis) {
            cell
        } else {
            cell.clamp(0, cells - 1)
        }
    }

    /// Returns the cell of a point inside the container or beyond a wall.
    fn cell_of(&self, point: DVec3) -> [i64; 3] {
        // Rounding may move a coordinate just below the far face into the cell beyond.
        [0, 1, 2].map(|axis| self.cell(axis, point[axis]).min(self.cells[axis] - 1))
    }

    /// Returns the cells that intersect `x − reach ..= x + reach`, each once. Cells beyond a periodic face are not wrapped yet.
    fn cells_within(&self, axis: usize, x: f64, reach: f64) -> Range<i64> {
        let reach = reach.min(self.lengths[axis]);
        let low = self.cell(axis, x - reach);
        let high = self.cell(axis, x + reach).min(low + self.cells[axis] - 1);
        low..high + 1
    }

    /// Returns the cell inside the container whose image `cell` is.
    fn wrap(&self, axis: usize, cell: i64) -> i64 {
        let cells = self.cells[axis];
        if cell < 0 {
            cell + cells
        } else if cell >= cells {
            cell - cells
        } else {
            cell
        }
    }

    /// Returns a lower bound of the distance from a coordinate to one of the cells [`within`](Self::cells_within) its reach.
    fn distance_to(&self, axis: usize, x: f64, cell: i64, within: &Range<i64>) -> f64 {
        let cells = self.cells[axis];
        let periodic = self.boundary.is_periodic(axis);
        // With all cells within reach, the nearest image of a cell is unknown.
        if periodic && within.end - within.start == cells {
            return 0.0;
        }
        let edge = self.lengths[axis] / cells as f64;
        let below = if periodic || cell > 0 {
            cell as f64 * edge - x
        } else {
            f64::NEG_INFINITY
        };
        let above = if periodic || cell < cells - 1 {
            x - (cell + 1) as f64 * edge
        } else {
            f64::NEG_INFINITY
        };
        below.max(above).max(0.0)
    }

    /// Returns the bucket of a cell. Neighboring cells along x share cache lines.
    fn bucket(&self, x: i64, row: i64) -> usize {
        row.wrapping_add(x) as usize & (self.starts.len() - 2)
    }

    /// Returns the estimated number of cells of `other` that the spheres of this level visit when they search it.
    pub(super) fn visits(&self, other: &Self, margin: f64) -> f64 {
        let reach = (other.longest_reach(self.max_radius) + margin).max(0.0);
        let lengths = self.lengths;
        let cells = (0..3).map(|axis| {
            let cells = other.cells[axis] as f64;
            (2.0 * reach / lengths[axis] * cells + 1.0).min(cells)
        });
        self.items.len() as f64 * cells.product::<f64>()
    }

    /// Returns the closest of `best` and the pairs of this level whose gap is at most `margin`.
    pub(super) fn closest_within(&self, margin: f64, best: Closest) -> Closest {
        self.fold(best, |best, i| {
            // Every pair of rows is searched from one side only.
            let [_, y, z] = self.cell_of(self.items[i].center);
            self.closest_to(self, i, margin, (z, y), best)
        })
    }

    /// Returns the closest of `best` and the pairs with spheres of another level whose gap is at most `margin`.
    pub(super) fn closest_across(&self, other: &Self, margin: f64, best: Closest) -> Closest {
        self.fold(best, |best, i| {
            other.closest_to(self, i, margin, (0, 0), best)
        })
    }

    /// Improves `best` by every item of this level, on all threads.
    fn fold(&self, best: Closest, closer: impl Fn(Closest, usize) -> Closest + Sync) -> Closest {
        let items = self.items.len();
        let closest = |k: usize| (k * TASK..((k + 1) * TASK).min(items)).fold(best, &closer);
        shared("gaps of the certificate", || {
            (0..items.div_ceil(TASK))
                .into_par_iter()
                .erased()
                .map(|k| task(|| closest(k)))
                .reduce(|| best, Closest::min)
        })
    }

    /// Returns the closest of `best` and the pairs of item `i` of `level` with spheres of this level, in rows from `first` on,
    /// whose gap is at most `margin`.
    fn closest_to(
        &self,
        level: &Self,
        i: usize,
        margin: f64,
        first: (i64, i64),
        mut best: Closest,
    ) -> Closest {
        let item = &level.items[i];
        // Even equal centers have no smaller gap.
        let longest = self.longest_reach(item.radius);
        if best.gap < -longest {
            return best;
        }
        let reach = (longest + margin).max(0.0) + self.rounding(item.radius);
        let [ys, zs] = [1, 2].map(|axis| self.cells_within(axis, item.center[axis], reach));
        for z in zs.clone() {
            let dz = self.distance_to(2, item.center.z, z, &zs);
            let z = self.wrap(2, z);
            for y in ys.clone() {
                let dy = self.distance_to(1, item.center.y, y, &ys);
                let y = self.wrap(1, y);
                if (z, y) < first {
                    continue;
                }
                if let Some(half) = half_chord(reach, dy, dz) {
                    let xs = self.cells_within(0, item.center.x, half);
                    best = self.closest_in_row(xs, row(y, z), level, i, best);
                }
            }
        }
        best
    }

    /// Returns the closest of `best` and the pairs of one item with spheres in some cells of a row.
    fn closest_in_row(
        &self,
        xs: Range<i64>,
        row: i64,
        level: &Self,
        i: usize,
        mut best: Closest,
    ) -> Closest {
        let cells = self.cells[0];
        let inside = xs.start.max(0)..xs.end.min(cells);
        let before = xs.start + cells..cells;
        let beyond = 0..xs.end - cells;
        let buckets = self.starts.len() - 1;
        for xs in [inside, before, beyond] {
            if xs.is_empty() {
                continue;
            }
            let first = self.bucket(xs.start, row);
            let end = first + buckets.min((xs.end - xs.start) as usize);
            for part in [first..end.min(buckets), 0..end.saturating_sub(buckets)] {
                if self.is_crowded {
                    best = self.closest_in_crowds(part, level, i, best);
                } else {
                    let items = self.starts[part.start]..self.starts[part.end];
                    let items = items.start as usize..items.end as usize;
                    best = self.closest_among(items, level, i, best);
                }
            }
        }
        best
    }

    /// Returns the closest of `best` and the pairs of one item with spheres in some buckets, from the largest to the smallest.
    fn closest_in_crowds(
        &self,
        buckets: Range<usize>,
        level: &Self,
        i: usize,
        mut best: Closest,
    ) -> Closest {
        let own = level.ids[i];
        for bucket in buckets {
            for k in self.starts[bucket] as usize..self.starts[bucket + 1] as usize {
                // The gap of two equal centers. All later pairs come after it.
                let least = -self.reach_up_to(level.items[i].radius, self.items[k].radius);
                if best.is_before(&Closest::new(least, pair_of(own, self.ids[k]))) {
                    break;
                }
                best = self.closest_among(k..k + 1, level, i, best);
            }
        }
        best
    }

    /// Returns the closest of `best` and the pairs of one item of `level` with some items of this level.
    #[inline]
    fn closest_among(
        &self,
        items: Range<usize>,
        level: &Self,
        i: usize,
        mut best: Closest,
    ) -> Closest {
        let item = &level.items[i];
        for k in items {
            let other = &self.items[k];
            let d = (item.center - other.center).abs();
            let d = d.min(self.periods - d);
            let square = d.x * d.x + d.y * d.y + d.z * d.z;
            let reach = self.reach(item.radius, other.radius);
            // A pair that is certainly farther than the best is skipped. The exact gap decides within rounding.
            let limit = best.gap + reach + 1e-14 * (best.gap.abs() + reach);
            if square > limit * limit && limit >= LEAST_LENGTH {
                continue;
            }
            let gap = length(d, square) - reach;
            let (a, b) = (level.ids[i], self.ids[k]);
            // Numbers near the end of the range of f64 can make the gap NaN.
            if a != b && gap <= best.gap {
                best = best.min(Closest::new(gap, pair_of(a, b)));
            }
        }
        best
    }
}

/// Returns a pair of spheres, the first one first.
fn pair_of(a: u32, b: u32) -> ClosestPair {
    ClosestPair::Spheres(a.min(b) as usize, a.max(b) as usize)
}

/// Returns the hash of a row of cells.
fn row(y: i64, z: i64) -> i64 {
    let mixed = y.wrapping_mul(0x9E37_79B9_7F4A_7C15_u64 as i64) ^ z;
    mixed.wrapping_mul(0xD6E8_FEB8_6659_FD93_u64 as i64) >> 32
}

/// Returns the length of a vector, none of whose components is negative, from its square.
///
/// Where the square leaves the range of f64, the vector is scaled.
#[inline]
fn length(vector: DVec3, square: f64) -> f64 {
    if (LEAST_SQUARE..f64::INFINITY).contains(&square) {
        return square.sqrt();
    }
    let longest = vector.max_element();
    if longest > 0.0 && longest.is_finite() {
        longest * (vector / longest).length()
    } else {
        longest
    }
}

/// Returns half the length along x of the section of a ball at distances `dy` and `dz` from its center.
fn half_chord(reach: f64, dy: f64, dz: f64) -> Option<f64> {
    let square = reach * reach;
    // Squares beyond the range of f64 give no better bound.
    if !(LEAST_SQUARE..f64::INFINITY).contains(&square) {
        return Some(reach);
    }
    let rest = square - dy * dy - dz * dz;
    (rest >= 0.0).then(|| rest.sqrt())
}
