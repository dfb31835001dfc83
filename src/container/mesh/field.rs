//! A distance field, which shows for most spheres that no wall is near, with lists of near triangles for the others.
//!
//! Cells of several sizes cover the bounding box. The query of a sphere reads the smallest cells whose lists hold every triangle that it can touch
//! from inside the body. A cell stores the distance of its center, which bounds the distance of every point in it. Where that does not
//! suffice, its list holds the triangles of which one is the closest for any point of the cell that is inside. The few points that may
//! be outside search the tree. Everything depends on the surface only, so that the order of queries has no effect.

use glam::DVec3;

use super::{
    super::wall::Wall,
    constants::{CELLS, DEPTH},
    faces::Faces,
    facet::Nearest,
    grid::Grid,
    list::{List, nearest_from_inside},
    raster::{Layer, Near, Raster, Region},
    sides::{Side, Sides},
    surface::Surface,
};

/// Factor of bounds that makes up for distances in single precision.
const ROUNDED_UP: f64 = 1.0 + 1e-6;

/// The distance field of a surface.
pub(super) struct Field {
    faces: Faces,
    /// Levels with increasing cells.
    levels: Vec<Level>,
}

/// Cells of one size.
struct Level {
    grid: Grid,
    /// Greatest distance from a wall that is asked for.
    reach: f64,
    /// The cells, and an end.
    cells: Vec<Cell>,
    numbers: Vec<u32>,
}

/// A cell, and where its list starts.
#[derive(Clone, Copy)]
struct Cell {
    /// Lower bound of the signed distance of the center.
    bound: f32,
    /// Where the numbers of the cell start; the highest bit tells that every point of the cell is inside the body. The numbers are
    /// those of the list: how many faces there are, the faces, and the triangles without one. In a cell that is not inside, the
    /// number of planes and the planes of [`Sides`] come first.
    start: u32,
}

/// The bit of a cell that lies inside the body.
const INSIDE: u32 = 1 << 31;

impl Cell {
    fn is_inside(self) -> bool {
        self.start & INSIDE != 0
    }

    fn start(self) -> usize {
        (self.start & !INSIDE) as usize
    }
}

impl Field {
    /// Creates the field.
    pub fn new(surface: &Surface) -> Self {
        let faces = Faces::new(surface);
        let mut grid = Grid::new(surface.lengths, CELLS);
        let mut known = Sides::new(surface, &faces.planes, &grid);
        let mut levels = Vec::new();
        // No sphere inside has a larger radius.
        let most = 0.5 * surface.lengths.min_element() * ROUNDED_UP;
        loop {
            let coarse = grid.coarsened();
            let coarse_sides = known.coarsened(&grid, &coarse);
            let level = Level::new(surface, &faces, grid, &known);
            let is_last = level.reach >= most;
            levels.push(level);
            if is_last {
                return Self { faces, levels };
            }
            (grid, known) = (coarse, coarse_sides);
        }
    }

    /// Returns whether a point is inside and at least `reach` from the wall.
    pub fn is_clear(&self, surface: &Surface, p: DVec3, reach: f64) -> bool {
        !self.is_outside(p) && self.wall_within(surface, p, reach).is_none()
    }

    /// Returns whether a point is outside, if its smallest cell tells that.
    pub fn is_outside(&self, p: DVec3) -> bool {
        let (cell, away) = self.levels[0].cell(p);
        let bound = f64::from(self.levels[0].cells[cell].bound);
        bound + away < (1.0 - ROUNDED_UP) * (bound.abs() + away)
    }

    /// Returns whether a point is inside, if its smallest cell tells that.
    #[inline(always)]
    pub fn is_inside(&self, surface: &Surface, p: DVec3) -> bool {
        let level = &self.levels[0];
        let (number, away) = level.cell(p);
        let cell = level.cells[number];
        if cell.is_inside() || away < f64::from(cell.bound) {
            return true;
        }
        let planes = level.planes(number);
        !planes.is_empty()
            && (planes.iter()).all(|&plane| surface.tree.facets[plane as usize].is_inside(p))
    }

    /// Returns the wall nearest to a point if the point is beyond the wall or closer to it than `reach`.
    #[inline]
    pub fn wall_within(&self, surface: &Surface, p: DVec3, reach: f64) -> Option<Wall> {
        let Some(first) = self.levels.iter().position(|level| reach <= level.reach) else {
            return any_wall(surface, p, reach);
        };
        // Far from all walls, the larger cells suffice, which are fewer.
        if let Some(larger) = self.levels.get(first + 1) {
            let (number, away) = larger.cell(p);
            if f64::from(larger.cells[number].bound) - away >= reach {
                return None;
            }
        }
        let level = &self.levels[first];
        let (number, away) = level.cell(p);
        let cell = level.cells[number];
        let bound = f64::from(cell.bound);
        if bound - away >= reach {
            return None;
        }
        if cell.is_inside() || away < bound || self.is_inside(surface, p) {
            let list = level.list(number);
            let nearest = nearest_from_inside(surface, &self.faces, list, p, reach)?;
            Some(inner_wall(surface, p, &nearest))
        } else {
            any_wall(surface, p, reach)
        }
    }
}

impl Level {
    fn new(surface: &Surface, faces: &Faces, grid: Grid, sides: &Sides) -> Self {
        let depth = DEPTH * grid.side;
        // Edges of faces count for a cell if any point of the cell is at `depth` or less from the plane.
        let raster = Raster::new(surface, &grid, Region::Inwards, |triangle| {
            let is_at_edge = faces.is_at_unknown_edge(surface, triangle);
            depth + if is_at_edge { 2.0 * grid.radius() } else { 0.0 }
        });
        let mut layer = Layer::default();
        let mut cells = Vec::with_capacity(grid.len() + 1);
        let mut numbers = Vec::new();
        let mut list = List::new(faces);
        let mut sides_left = sides.sides.iter();
        for z in 0..grid.counts[2] {
            raster.layer(z, &mut layer);
            for y in 0..grid.counts[1] {
                for (x, &side) in (0..grid.counts[0]).zip(&mut sides_left) {
                    let mut start = numbers.len() as u32;
                    let mut bound = match side {
                        Side::Inside => {
                            start |= INSIDE;
                            depth as f32
                        }
                        Side::Cut(cut) => {
                            let planes = sides.planes(cut);
                            numbers.push(planes.len() as u32);
                            numbers.extend(planes);
                            cut.bound
                        }
                        Side::Outside | Side::Mixed => {
                            numbers.push(0);
                            f32::MIN
                        }
                    };
                    if side != Side::Outside {
                        let near = layer.cell(x + grid.counts[0] * y);
                        let center = grid.center([x, y, z]);
                        if let Some((least, most)) = distances(surface, center, near) {
                            if side == Side::Inside {
                                bound = bound.min(least);
                            }
                            let reach = (most + 2.0 * grid.radius()) * ROUNDED_UP;
                            list.fill(surface, faces, near, (center, &grid), reach);
                            list.write(&mut numbers);
                        }
                    }
                    cells.push(Cell { bound, start });
                }
            }
        }
        cells.push(Cell {
            bound: 0.0,
            start: numbers.len() as u32,
        });
        numbers.shrink_to_fit();
        Self {
            reach: depth - grid.radius() * ROUNDED_UP,
            grid,
            cells,
            numbers,
        }
    }

    /// Returns the planes of a cell that is not inside.
    #[inline(always)]
    fn planes(&self, cell: usize) -> &[u32] {
        let start = self.cells[cell].start();
        &self.numbers[start + 1..][..self.numbers[start] as usize]
    }

    /// Returns the list of a cell.
    #[inline(always)]
    fn list(&self, number: usize) -> &[u32] {
        let cell = self.cells[number];
        let mut start = cell.start();
        if !cell.is_inside() {
            start += 1 + self.numbers[start] as usize;
        }
        &self.numbers[start..self.cells[number + 1].start()]
    }

    /// Returns the number of the cell of a point, and the distance of the point from its center.
    #[inline(always)]
    fn cell(&self, p: DVec3) -> (usize, f64) {
        let (number, center) = self.grid.locate(p);
        (number, p.distance(center))
    }
}

/// Returns bounds of the distance of the closest of the triangles near a point, if there are any.
fn distances(surface: &Surface, p: DVec3, near: &[Near]) -> Option<(f32, f64)> {
    let tree = &surface.tree;
    let nearest = near.iter().min_by(|a, b| a.squared.total_cmp(&b.squared))?;
    let least = tree.outlines.lower_bound(nearest.squared);
    let outline = tree.outlines.outline(nearest.triangle);
    let most = if outline.is_foot_inside(tree.outlines.local(p)) {
        tree.outlines.upper_bound(nearest.squared)
    } else {
        let facet = &tree.facets[nearest.triangle as usize];
        facet.nearest(p, nearest.triangle).distance
    };
    Some((least, most))
}

/// Returns the wall at the closest point of the surface to a point inside.
#[inline(always)]
fn inner_wall(surface: &Surface, p: DVec3, nearest: &Nearest) -> Wall {
    if nearest.distance == 0.0 {
        return surface.wall(p, nearest);
    }
    Wall {
        distance: nearest.distance,
        point: nearest.point,
        inwards: (p - nearest.point) / nearest.distance,
    }
}

/// Returns the wall nearest to a point on any side if the point is beyond the wall or closer to it than `reach`.
#[inline(never)]
fn any_wall(surface: &Surface, p: DVec3, reach: f64) -> Option<Wall> {
    let wall = surface.wall(p, &surface.tree.nearest(p));
    (wall.distance < reach).then_some(wall)
}

#[cfg(test)]
mod tests {
    use std::{collections::HashMap, f64::consts::TAU};

    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;

    /// A ring around z whose tube has a radius between 0.4 - `bump` and 0.4 at each of `around` × `across` vertices.
    fn ring(around: u32, across: u32, bump: f64, rng: &mut Pcg64) -> Surface {
        let angle = |k: u32, of: u32| TAU * f64::from(k) / f64::from(of);
        let mut vertices = Vec::new();
        for i in 0..around {
            for j in 0..across {
                let radius = 0.4 - bump * rng.random::<f64>();
                let (sin, cos) = angle(j, across).sin_cos();
                let (y, x) = angle(i, around).sin_cos();
                let from_axis = 1.0 + radius * cos;
                vertices.push(DVec3::new(x * from_axis, y * from_axis, radius * sin));
            }
        }
        let low = vertices.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let vertices = vertices.into_iter().map(|vertex| vertex - low).collect();
        let vertex = |i: u32, j: u32| i % around * across + j % across;
        let triangles = (0..around)
            .flat_map(|i| (0..across).map(move |j| (i, j)))
            .flat_map(|(i, j)| {
                let [a, b] = [vertex(i, j), vertex(i + 1, j)];
                let [c, d] = [vertex(i + 1, j + 1), vertex(i, j + 1)];
                [[a, b, c], [a, c, d]]
            });
        Surface::new(vertices, triangles.collect()).unwrap()
    }

    /// The body of some cubes of side 0.1, with two triangles for each square of its surface.
    fn cubes(is_cube: impl Fn([i32; 3]) -> bool) -> Surface {
        let mut vertices = Vec::new();
        let mut numbers = HashMap::new();
        let mut triangles = Vec::new();
        let all = (0..1000).map(|k| [k % 10, k / 10 % 10, k / 100]);
        for cube in all.filter(|&cube| is_cube(cube)) {
            for (axis, step) in (0..6).map(|k| (k / 2, (k % 2) as i32)) {
                let mut beside = cube;
                beside[axis] += 2 * step - 1;
                if is_cube(beside) {
                    continue;
                }
                let corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[along, across]| {
                    let mut at = cube;
                    at[axis] += step;
                    at[(axis + 1) % 3] += along;
                    at[(axis + 2) % 3] += across;
                    *numbers.entry(at).or_insert_with(|| {
                        vertices.push(0.1 * DVec3::from_array(at.map(f64::from)));
                        vertices.len() as u32 - 1
                    })
                });
                let [a, b, c, d] = corners;
                let outwards = [[a, b, c], [a, c, d]];
                triangles.extend(
                    outwards.map(|[a, b, c]| if step == 1 { [a, b, c] } else { [a, c, b] }),
                );
            }
        }
        Surface::new(vertices, triangles).unwrap()
    }

    /// Compares the field with all triangles at random points, of which at least `least` are near a wall and as many are not.
    fn check(surface: &Surface, longest_reach: f64, least: u32, rng: &mut Pcg64) {
        let field = Field::new(surface);
        let (mut near, mut clear) = (0, 0);
        for _ in 0..3000 {
            let p = surface.lengths * DVec3::from_array(std::array::from_fn(|_| rng.random()));
            let reach = longest_reach * rng.random::<f64>();
            let nearest = (0..).zip(&surface.tree.facets);
            let nearest = nearest.map(|(id, facet)| facet.nearest(p, id));
            let nearest = nearest.min_by(|a, b| a.distance.total_cmp(&b.distance));
            let expected = surface.wall(p, &nearest.unwrap());
            let found = field.wall_within(surface, p, reach);
            assert_eq!(field.is_clear(surface, p, reach), found.is_none());
            if field.is_outside(p) {
                assert!(expected.distance < 0.0, "{p}: {expected:?}");
            }
            if let Some(found) = found {
                near += 1;
                let error = (found.distance - expected.distance).abs();
                assert!(error < 1e-9, "{p}: {found:?}, expected {expected:?}");
                assert!((found.point + found.inwards * found.distance - p).length() < 1e-9);
            } else {
                clear += 1;
                assert!(expected.distance > reach - 1e-9, "{p}: {expected:?}");
            }
        }
        assert!(near > least && clear > least, "{near} {clear}");
    }

    #[test]
    fn the_field_finds_the_walls_that_all_triangles_make() {
        let mut rng = Pcg64::seed_from_u64(7);
        for (around, across, bump) in [(64, 32, 0.0), (48, 24, 0.02), (24, 12, 0.1), (7, 5, 0.0)] {
            let surface = ring(around, across, bump, &mut rng);
            check(&surface, 0.3, 300, &mut rng);
        }
    }

    #[test]
    fn the_field_knows_faces_of_many_triangles() {
        let mut rng = Pcg64::seed_from_u64(8);
        let is_in = |cube: [i32; 3]| cube.iter().all(|x| (0..10).contains(x));
        // An L, and a plate with a hole and a step.
        let angle = cubes(|[x, y, z]| is_in([x, y, z]) && (x < 5 || z < 4));
        let plate = cubes(|[x, y, z]| {
            let is_hole = (3..6).contains(&x) && (2..5).contains(&y);
            is_in([x, y, z]) && z < if x < 7 { 8 } else { 5 } && !is_hole
        });
        for surface in [angle, plate] {
            check(&surface, 0.25, 300, &mut rng);
        }
    }
}
