//! The side of the surface on which each cell of a grid lies.

use glam::DVec3;

use super::{
    constants::{COARSENING, MOST_PLANES},
    facet::Nearest,
    grid::Grid,
    raster::{Layer, Near, Raster, Region},
    surface::Surface,
};

/// The state of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Side {
    /// Every point is inside the body.
    Inside,
    /// Every point is outside the body.
    Outside,
    /// The surface may cross the cell.
    Cut(Cut),
    /// The surface may cross the cell, and nothing is known of its center.
    Mixed,
}

/// A cell that the surface may cross.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cut {
    /// The signed distance of the center is at least this, and hardly more.
    pub bound: f32,
    /// Where the planes of the cell start, and how many there are.
    planes_start: u32,
    planes_count: u8,
}

/// The sides of the cells of a grid.
pub(super) struct Sides {
    pub sides: Vec<Side>,
    planes: Vec<u32>,
}

impl Sides {
    /// Finds the sides of the cells of a grid. `planes` names for each triangle one in its plane.
    ///
    /// A cell that no triangle is near has one side, and so have all such cells that share faces. Each row of them takes its side from
    /// a row beside it, or from the distance of a point.
    pub fn new(surface: &Surface, planes: &[u32], grid: &Grid) -> Self {
        let raster = Raster::new(surface, grid, Region::Around, |_| grid.radius());
        let mut layer = Layer::default();
        let mut found = Self {
            sides: Vec::with_capacity(grid.len()),
            planes: Vec::new(),
        };
        for z in 0..grid.counts[2] {
            raster.layer(z, &mut layer);
            for y in 0..grid.counts[1] {
                for x in 0..grid.counts[0] {
                    let near = layer.cell(x + grid.counts[0] * y);
                    let bound = cut(surface, grid, [x, y, z], near);
                    found.sides.push(bound.map_or(Side::Mixed, |bound| {
                        let start = found.planes.len();
                        add_planes(surface, planes, near, &mut found.planes);
                        Side::Cut(Cut {
                            bound,
                            planes_start: start as u32,
                            planes_count: (found.planes.len() - start) as u8,
                        })
                    }));
                }
                fill_row(surface, grid, [y, z], &mut found.sides);
            }
        }
        found
    }

    /// Returns the triangles in whose planes all surface near a cell lies. A point of the cell on the inner side of each plane is
    /// inside the body. There are none where these planes are too many or uncertain.
    ///
    /// The straight line from a point outside to the closest point of the near surface, which lies in the ball around the cell,
    /// meets one of the triangles there on its outer side. The ball holds the line.
    pub fn planes(&self, cut: Cut) -> &[u32] {
        &self.planes[cut.planes_start as usize..][..cut.planes_count.into()]
    }

    /// Returns the sides of the cells of the next level.
    pub fn coarsened(&self, grid: &Grid, coarse: &Grid) -> Self {
        let mut coarse_sides: Vec<Option<Side>> = vec![None; coarse.len()];
        let [width, depth, height] = grid.counts;
        let mut sides = self.sides.iter();
        for z in 0..height {
            for y in 0..depth {
                let row = coarse.counts[0] * (y / COARSENING + coarse.counts[1] * (z / COARSENING));
                for (x, &side) in (0..width).zip(&mut sides) {
                    let whole = &mut coarse_sides[row + x / COARSENING];
                    let is_whole = matches!(side, Side::Inside | Side::Outside);
                    *whole = Some(match *whole {
                        None if is_whole => side,
                        Some(whole) if whole == side => side,
                        _ => Side::Mixed,
                    });
                }
            }
        }
        // Each cell holds at least one of the smaller cells.
        let sides = coarse_sides.into_iter();
        Self {
            sides: sides.map(|side| side.unwrap_or(Side::Mixed)).collect(),
            planes: Vec::new(),
        }
    }
}

/// Returns the signed distance of the center of a cell that the surface may cross, rounded down.
fn cut(surface: &Surface, grid: &Grid, at: [usize; 3], near: &[Near]) -> Option<f32> {
    let center = grid.center(at);
    let nearest = nearest(surface, center, near)?;
    (nearest.distance <= grid.radius()).then(|| {
        let distance = surface.wall(center, &nearest).distance;
        (distance as f32).next_down()
    })
}

/// Adds the planes of near triangles, if they are few.
fn add_planes(surface: &Surface, planes: &[u32], near: &[Near], found: &mut Vec<u32>) {
    let start = found.len();
    for near in near {
        let plane = planes[near.triangle as usize];
        if !found[start..].contains(&plane) {
            let is_known = surface.tree.facets[plane as usize].has_plane();
            if !is_known || found.len() == start + MOST_PLANES {
                found.truncate(start);
                return;
            }
            found.push(plane);
        }
    }
}

/// Returns the closest point of the triangles near a point.
fn nearest(surface: &Surface, p: DVec3, near: &[Near]) -> Option<Nearest> {
    let tree = &surface.tree;
    let mut best = Nearest::bound(f64::MAX);
    let first = near.iter().min_by(|a, b| a.squared.total_cmp(&b.squared))?;
    tree.facets[first.triangle as usize].improve(p, first.triangle, &mut best);
    let mut limit = tree.outlines.squared_limit(best.distance);
    for other in near {
        if other.squared <= limit && other.triangle != first.triangle {
            tree.facets[other.triangle as usize].improve(p, other.triangle, &mut best);
            limit = tree.outlines.squared_limit(best.distance);
        }
    }
    Some(best)
}

/// Gives each cell of the last row that is not cut the side of the cells that it shares faces with.
fn fill_row(surface: &Surface, grid: &Grid, [y, z]: [usize; 2], sides: &mut [Side]) {
    let (width, layer_len) = (grid.counts[0], grid.layer_len());
    let start = sides.len() - width;
    let (before, row) = sides.split_at_mut(start);
    let is_whole = |side: &Side| matches!(side, Side::Inside | Side::Outside);
    let beside = |x: usize| {
        let in_y = (y > 0).then(|| before[start + x - width]).filter(is_whole);
        in_y.or_else(|| {
            (z > 0)
                .then(|| before[start + x - layer_len])
                .filter(is_whole)
        })
    };
    let mut x = 0;
    while x < width {
        if row[x] != Side::Mixed {
            x += 1;
            continue;
        }
        let end = (x..width).find(|&x| row[x] != Side::Mixed).unwrap_or(width);
        let side = (x..end).find_map(beside).unwrap_or_else(|| {
            if surface.distance(grid.center([x, y, z])) > 0.0 {
                Side::Inside
            } else {
                Side::Outside
            }
        });
        row[x..end].fill(side);
        x = end;
    }
}
