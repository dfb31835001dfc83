//! The cell grid exactly as Raschdorf & Kolonko 2011 describe it, for their Table 1.

use glam::DVec3;

use crate::{container::Container, spheres::Spheres};

/// Returns the candidates per sphere of the grid that the paper describes.
///
/// The grid has `⌊length/d_max⌋` cells along each axis. A query opens the cell of the sphere and all adjoining cells,
/// 27 in total, wherever the sphere lies in its cell. The [`Grid`](crate::index::Grid) of this crate opens only the cells that
/// are near enough to the probe, and also opens cells beyond the adjoining ones if the Verlet distance reaches them.
pub fn adjoining_cell_candidates(spheres: &Spheres, container: &Container) -> f64 {
    let cells = Cells::new(spheres, container);
    let candidates: u64 = spheres
        .centers()
        .iter()
        .map(|&center| cells.candidates(center))
        .sum();
    candidates as f64 / spheres.len() as f64 - 1.0
}

/// Number of spheres in each cell of a container.
struct Cells<'a> {
    container: &'a Container,
    counts: DVec3,
    /// Number of spheres in each cell; x runs fastest.
    members: Vec<u64>,
}

impl<'a> Cells<'a> {
    fn new(spheres: &Spheres, container: &'a Container) -> Self {
        let largest = 2.0 * spheres.radii().iter().copied().fold(0.0, f64::max);
        let counts = (container.lengths() / largest).floor().max(DVec3::ONE);
        let total: usize = counts
            .to_array()
            .iter()
            .map(|&count| count as usize)
            .product();
        let mut cells = Self {
            container,
            counts,
            members: vec![0; total],
        };
        for &center in spheres.centers() {
            let cell = cells.cell_index(cells.cell(center));
            cells.members[cell] += 1;
        }
        cells
    }

    /// Returns the coordinates of the cell that contains a point.
    fn cell(&self, center: DVec3) -> [usize; 3] {
        let cell = (center / self.container.lengths() * self.counts).floor();
        let cell = cell.min(self.counts - 1.0);
        cell.to_array().map(|coordinate| coordinate as usize)
    }

    fn cell_index(&self, [x, y, z]: [usize; 3]) -> usize {
        let [nx, ny] = [self.counts.x as usize, self.counts.y as usize];
        (z * ny + y) * nx + x
    }

    /// Returns the coordinates of a cell and of the adjoining cells along one axis.
    fn adjoining(&self, axis: usize, cell: usize) -> Vec<usize> {
        let count = self.counts[axis] as usize;
        let mut cells: Vec<usize> = if self.container.is_periodic(axis) {
            vec![(cell + count - 1) % count, cell, (cell + 1) % count]
        } else {
            (cell.saturating_sub(1)..=(cell + 1).min(count - 1)).collect()
        };
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// Returns the number of spheres in the cell of a point and in the adjoining cells.
    fn candidates(&self, center: DVec3) -> u64 {
        let [x, y, z] = self.cell(center);
        let (xs, ys, zs) = (
            self.adjoining(0, x),
            self.adjoining(1, y),
            self.adjoining(2, z),
        );
        let mut candidates = 0;
        for &z in &zs {
            for &y in &ys {
                let row = xs.iter().map(|&x| self.members[self.cell_index([x, y, z])]);
                candidates += row.sum::<u64>();
            }
        }
        candidates
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::container::Boundaries;

    #[test]
    fn a_query_opens_27_cells_and_fewer_at_walls() {
        // One sphere in the middle of each of 5³ cells.
        let centers = (0..125).map(|i| {
            let [x, y, z] = [i % 5, i / 5 % 5, i / 25].map(f64::from);
            DVec3::new(x, y, z) + 0.5
        });
        let spheres = Spheres::new(centers.collect(), vec![0.5; 125]);
        let candidates = |boundary| {
            let container = Container::cuboid(DVec3::splat(5.0), boundary).unwrap();
            adjoining_cell_candidates(&spheres, &container)
        };
        assert_eq!(candidates(Boundaries::PERIODIC), 26.0);
        // Along an axis with walls, two of five cells have one adjoining cell instead of two: 13/5 cells on average.
        let walls = 2.6f64.powi(3) - 1.0;
        assert!((candidates(Boundaries::WALLS) - walls).abs() < 1e-12);

        let wide = Spheres::new(spheres.centers().to_vec(), vec![1.5; 125]);
        let container = Container::cuboid(DVec3::splat(5.0), Boundaries::PERIODIC).unwrap();
        assert_eq!(adjoining_cell_candidates(&wide, &container), 124.0);
    }
}
