//! The cell grid exactly as Raschdorf & Kolonko 2011 describe it, for their Table 1.

use glam::DVec3;

use crate::{container::Container, index::CellGrid, spheres::Spheres};

/// Returns the candidates per sphere of the grid that Raschdorf & Kolonko 2011 describe.
///
/// The grid has `⌊length/d_max⌋` cells along each axis. A query opens the cell of the sphere and all adjoining cells,
/// 27 in total, wherever the sphere lies in its cell. The [`Grid`](crate::index::Grid) of this crate opens only the cells that
/// are near enough to the probe, and also opens cells beyond the adjoining ones if the Verlet distance reaches them.
pub fn adjoining_cell_candidates(spheres: &Spheres, container: &Container) -> f64 {
    let largest = 2.0 * spheres.radii().iter().copied().fold(0.0, f64::max);
    let counts = (container.lengths() / largest).floor().max(DVec3::ONE);
    let grid = CellGrid::filling(container, counts.to_array().map(|count| count as u32));
    let mut members = vec![0_u64; grid.len() as usize];
    for &center in spheres.centers() {
        members[grid.number(grid.cell(center)) as usize] += 1;
    }
    let mut candidates = 0;
    for &center in spheres.centers() {
        let [x, y, z] = grid.cell(center);
        let [ax, ay, az] = grid.axes();
        for z in az.around(z) {
            for y in ay.around(y) {
                let row = ax.around(x).map(|x| grid.number([x, y, z]));
                candidates += row.map(|cell| members[cell as usize]).sum::<u64>();
            }
        }
    }
    candidates as f64 / spheres.len() as f64 - 1.0
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
