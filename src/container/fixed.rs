//! Fixed spheres as obstacles, in the cells of a grid.

use std::sync::Arc;

use glam::DVec3;

use super::{
    body::nearest_image,
    boundary::Boundaries,
    constants::{FIXED_PER_CELL, MOST_FIXED_CELLS},
    frame::{box_volume, dimension_of},
    shape::Surface,
    sphere::ball,
};
use crate::spheres::Spheres;

/// Fixed spheres that no other sphere may overlap.
#[derive(Clone, Debug)]
pub(super) struct FixedGrid {
    grid: Arc<Grid>,
    /// Length in the caller's unit that the grid takes as 1.
    scale: f64,
    /// Estimated share of the container's volume outside of the spheres.
    pub free_share: f64,
}

/// Two grids are equal if they hold the same spheres, multiplied by the same factor.
impl PartialEq for FixedGrid {
    fn eq(&self, other: &Self) -> bool {
        self.scale == other.scale && self.grid.spheres == other.grid.spheres
    }
}

/// Spheres by cell. Each sphere is listed in every cell that its bounding box touches.
#[derive(Debug)]
struct Grid {
    spheres: Spheres,
    lengths: DVec3,
    boundary: Boundaries,
    /// Number of cells along each axis.
    cells: [i64; 3],
    /// Shortest edge of a cell.
    edge: f64,
    /// Start of each cell in `ids`, and the end of the last one.
    starts: Vec<usize>,
    ids: Vec<u32>,
}

impl FixedGrid {
    /// Sorts spheres into the cells of a bounding box of these lengths. Radii may be negative: distances then count from a point
    /// beyond the center.
    ///
    /// Cost: linear in the number of spheres, and of cells that their bounding boxes touch.
    pub fn new(spheres: Spheres, lengths: DVec3, boundary: Boundaries) -> Self {
        Self {
            grid: Arc::new(Grid::new(spheres, lengths, boundary)),
            scale: 1.0,
            free_share: 1.0,
        }
    }

    /// Returns the spheres with all lengths and positions multiplied by `factor`.
    pub fn scaled(&self, factor: f64) -> Self {
        Self {
            scale: self.scale * factor,
            ..self.clone()
        }
    }

    /// Returns the surface nearest to a point of the spheres in the cells within `width` along each axis.
    fn nearest_in_cells(&self, point: DVec3, periods: DVec3, width: f64) -> Option<Surface> {
        let (grid, scale) = (&self.grid, self.scale);
        let mut nearest: Option<Surface> = None;
        grid.visit_cells(point / scale, width / scale, |cell| {
            for &id in &grid.ids[grid.starts[cell]..grid.starts[cell + 1]] {
                let center = grid.spheres.centers()[id as usize] * scale;
                let radius = grid.spheres.radii()[id as usize] * scale;
                let surface = ball(nearest_image(point - center, periods), radius);
                if nearest.is_none_or(|nearest| surface.distance < nearest.distance) {
                    nearest = Some(surface);
                }
            }
        });
        nearest
    }

    /// Returns the surface nearest to a point if its distance is below `reach`, or if the point is inside a sphere. The images
    /// along axes with finite `periods` count, too.
    ///
    /// Cost: the cells within `reach`, or within the distance of the nearest sphere if that is shorter.
    pub fn surface_within(&self, point: DVec3, periods: DVec3, reach: f64) -> Option<Surface> {
        let widest = (self.grid.lengths.max_element() * self.scale).min(reach.max(0.0));
        let mut width = (self.grid.edge * self.scale).min(widest);
        loop {
            let nearest = self.nearest_in_cells(point, periods, width);
            let is_certain = nearest.is_some_and(|surface| surface.distance <= width);
            if is_certain || width >= widest {
                return nearest.filter(|surface| surface.distance < reach);
            }
            width = (2.0 * width).min(widest);
        }
    }
}

impl Grid {
    fn new(spheres: Spheres, lengths: DVec3, boundary: Boundaries) -> Self {
        let count = spheres.len().max(1) as f64;
        let dimension = dimension_of(lengths);
        let edge = dimension.root(box_volume(lengths) * FIXED_PER_CELL / count);
        let cells = (lengths / edge)
            .to_array()
            .map(|along| along.clamp(1.0, MOST_FIXED_CELLS) as i64);
        let widths = (lengths / DVec3::from_array(cells.map(|along| along as f64))).to_array();
        let widths = widths.iter().take(dimension.number()).copied();
        let mut grid = Self {
            spheres,
            lengths,
            boundary,
            cells,
            edge: widths.fold(f64::INFINITY, f64::min),
            starts: vec![0],
            ids: Vec::new(),
        };
        let mut lists = vec![Vec::new(); cells.iter().product::<i64>() as usize];
        for (id, (center, radius)) in grid.spheres.iter().enumerate() {
            grid.visit_cells(center, radius.max(0.0), |cell| lists[cell].push(id as u32));
        }
        for list in lists {
            grid.ids.extend(list);
            grid.starts.push(grid.ids.len());
        }
        grid
    }

    /// Calls `visit` with each cell that the cube with edges of twice `width` around a point touches, once.
    fn visit_cells(&self, center: DVec3, width: f64, mut visit: impl FnMut(usize)) {
        let [xs, ys, zs] = [0, 1, 2].map(|axis| {
            let cells = self.cells[axis];
            let per_length = cells as f64 / self.lengths[axis];
            let cell = |x: f64| (x * per_length).floor() as i64;
            let (low, high) = (cell(center[axis] - width), cell(center[axis] + width));
            if self.boundary.is_periodic(axis) {
                low..=high.min(low.saturating_add(cells - 1))
            } else {
                low.clamp(0, cells - 1)..=high.clamp(0, cells - 1)
            }
        });
        let [nx, ny, nz] = self.cells;
        for x in xs {
            for y in ys.clone() {
                let row = x.rem_euclid(nx) * ny + y.rem_euclid(ny);
                for z in zs.clone() {
                    visit((row * nz + z.rem_euclid(nz)) as usize);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The nearest surface of all spheres and all images, one after the other.
    fn brute_force(spheres: &Spheres, periods: DVec3, point: DVec3) -> f64 {
        let shifts = |axis: usize| match periods[axis] {
            period if period.is_finite() => vec![-period, 0.0, period],
            _ => vec![0.0],
        };
        let mut nearest = f64::INFINITY;
        for (center, radius) in spheres.iter() {
            for x in shifts(0) {
                for y in shifts(1) {
                    for z in shifts(2) {
                        let image = center + DVec3::new(x, y, z);
                        nearest = nearest.min((point - image).length() - radius);
                    }
                }
            }
        }
        nearest
    }

    prop_compose! {
        /// Generates overlapping spheres of one decade or more of sizes in boxes from plate to needle, and points.
        fn case()(
            lengths in prop::array::uniform3(0.3..9.0f64),
            places in prop::collection::vec((prop::array::uniform3(0.0..1.0f64), 0.003..0.3f64), 1..80),
            points in prop::collection::vec(prop::array::uniform3(0.0..1.0f64), 20),
            boundary in prop::sample::select(&["ppp", "www", "pwp", "wwp"][..]),
            factor in 0.01..30.0f64,
            reach in prop::option::of(0.0..2.0f64),
        ) -> (Spheres, DVec3, Boundaries, Vec<DVec3>, f64, f64) {
            let lengths = DVec3::from_array(lengths);
            let shortest = lengths.min_element();
            let centers = places.iter().map(|(at, _)| DVec3::from_array(*at) * lengths).collect();
            let radii = places.iter().map(|(_, radius)| radius * shortest).collect();
            let points = points.into_iter().map(|at| DVec3::from_array(at) * lengths).collect();
            let reach = reach.map_or(f64::INFINITY, |reach| reach * shortest);
            (Spheres::new(centers, radii), lengths, boundary.parse().unwrap(), points, factor, reach)
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]
        #[test]
        fn the_grid_finds_what_brute_force_finds(
            (spheres, lengths, boundary, points, factor, reach) in case()
        ) {
            let periods = boundary.periods(lengths);
            let grid = FixedGrid::new(spheres.clone(), lengths, boundary).scaled(factor);
            for point in points {
                let expected = factor * brute_force(&spheres, periods, point);
                let limit = factor * reach;
                match grid.surface_within(factor * point, factor * periods, limit) {
                    Some(surface) => {
                        prop_assert!((surface.distance - expected).abs() < 1e-12 * factor * lengths.max_element());
                        prop_assert!((surface.outwards.length() - 1.0).abs() < 1e-12);
                    }
                    None => prop_assert!(expected >= limit),
                }
            }
        }
    }
}
