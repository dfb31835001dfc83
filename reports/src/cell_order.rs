//! Spheres in the order of their cells.

use jostle::{Spheres, glam::DVec3};

/// Returns the spheres numbered in the order of cubic cells of a size: along x, then y, then z.
pub fn in_cell_order(spheres: &Spheres, size: f64) -> Spheres {
    let mut ordered: Vec<(DVec3, f64)> = spheres.iter().collect();
    ordered.sort_by_key(|(center, _)| {
        let [x, y, z] = (*center / size).floor().to_array().map(|x| x as i64);
        [z, y, x]
    });
    let (centers, radii) = ordered.into_iter().unzip();
    Spheres::new(centers, radii)
}
