//! Integer cells of one size in open space, and the extent of a snapshot and of its spheres.

use glam::DVec3;

use super::constants::{CELL_MARGIN, MAX_COORDINATE};
use crate::spheres::Spheres;

/// Integer cell coordinates as `[z, y, x]`, so that their order as arrays is the sorting criterion of MR
/// (Schiava D'Albano et al., Eq. 9).
pub(super) type Cell = [i32; 3];

/// The mask that halves the contact search: the 13 neighbors of a cell that precede it in the order of [`Cell`].
/// The row of the cell comes first, then the other rows, each as `[dz, dy]` and the first and last `dx`.
pub(super) const HALF_MASK: [([i32; 2], [i32; 2]); 5] = [
    ([0, 0], [-1, -1]),
    ([0, -1], [-1, 1]),
    ([-1, -1], [-1, 1]),
    ([-1, 0], [-1, 1]),
    ([-1, 1], [-1, 1]),
];

/// Number of rows of [`HALF_MASK`] in the layer of the cell. In a plane these rows are the whole mask: 4 neighbors.
pub(super) const ROWS_IN_LAYER: usize = 2;

/// Map from points to cells (Schiava D'Albano et al., Eq. 8).
#[derive(Clone, Copy, Debug)]
pub(super) struct Lattice {
    origin: DVec3,
    per_length: f64,
    lowest: DVec3,
    highest: DVec3,
}

impl Lattice {
    /// Creates cells of at least the given size, the first one at the lowest coordinates of the spheres.
    pub(super) fn new(snapshot: &Spheres, size: f64) -> Self {
        let [lowest, _] = bounds(snapshot.centers());
        Self {
            origin: lowest - 0.5 * size,
            per_length: 1.0 / (size * (1.0 + CELL_MARGIN)),
            lowest: DVec3::splat(-MAX_COORDINATE),
            highest: DVec3::splat(MAX_COORDINATE),
        }
    }

    /// Creates at most `limit` cells along each axis, and returns them with the number of cells along x, y and z.
    ///
    /// Cells beyond the limit are clamped to a window around the median center.
    pub(super) fn bounded(snapshot: &Spheres, size: f64, limit: usize) -> (Self, [usize; 3]) {
        let mut lattice = Self::new(snapshot, size);
        let mut counts = [0; 3];
        let centers = snapshot.centers();
        let [_, highest] = bounds(centers);
        for (axis, count) in counts.iter_mut().enumerate() {
            let span = (highest[axis] - lattice.origin[axis]) * lattice.per_length;
            if span >= limit as f64 {
                let mut along: Vec<f64> = centers.iter().map(|c| c[axis]).collect();
                let middle = along.len() / 2;
                let median = *along.select_nth_unstable_by(middle, f64::total_cmp).1;
                lattice.origin[axis] = median - 0.5 * limit as f64 / lattice.per_length;
            }
            lattice.lowest[axis] = 0.0;
            lattice.highest[axis] = span.floor().min(limit as f64 - 1.0);
            *count = lattice.highest[axis] as usize + 1;
        }
        (lattice, counts)
    }

    /// Returns the cell of a point.
    #[inline]
    pub(super) fn cell(&self, point: DVec3) -> Cell {
        let cell = ((point - self.origin) * self.per_length)
            .floor()
            .clamp(self.lowest, self.highest);
        [cell.z as i32, cell.y as i32, cell.x as i32]
    }
}

/// Returns the largest diameter; `None` when no two spheres can touch.
pub(super) fn largest_diameter(snapshot: &Spheres) -> Option<f64> {
    let radius = snapshot.radii().iter().copied().fold(0.0, f64::max);
    (snapshot.len() > 1 && radius > 0.0).then_some(2.0 * radius)
}

/// Returns the lower and upper corner of the smallest box that holds all centers.
pub(super) fn bounds(centers: &[DVec3]) -> [DVec3; 2] {
    centers
        .iter()
        .fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[low, high], &c| {
            [low.min(c), high.max(c)]
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mask_holds_the_13_preceding_cells() {
        let mut cells: Vec<Cell> = HALF_MASK
            .iter()
            .flat_map(|&([z, y], [from, to])| (from..=to).map(move |x| [z, y, x]))
            .collect();
        assert!(cells.iter().all(|&cell| cell < [0; 3]));
        cells.sort();
        cells.dedup();
        assert_eq!(cells.len(), 13);
        let is_in_layer = |&([z, _], _): &([i32; 2], [i32; 2])| z == 0;
        let (layer, others) = HALF_MASK.split_at(ROWS_IN_LAYER);
        assert!(layer.iter().all(is_in_layer) && !others.iter().any(is_in_layer));
    }

    #[test]
    fn an_outlier_does_not_merge_the_cells_of_other_spheres() {
        let mut centers: Vec<DVec3> = (0..100).map(|i| DVec3::splat(1.1 * f64::from(i))).collect();
        centers.push(DVec3::splat(-1e12));
        let spheres = Spheres::new(centers, vec![0.5; 101]);
        let (lattice, counts) = Lattice::bounded(&spheres, 1.0, 1000);
        assert_eq!(counts, [1000; 3]);
        let cells: std::collections::BTreeSet<Cell> = spheres
            .centers()
            .iter()
            .map(|&center| lattice.cell(center))
            .collect();
        assert_eq!(cells.len(), 101);
    }
}
