//! A distance field, from which most spheres learn that no wall is near, with lists of near triangles for the others.
//!
//! Cells of several sizes cover the bounding box. A sphere asks the smallest cells whose lists hold every triangle that it can touch
//! from inside the body. A cell knows the distance of its centre, which bounds the distance of every point in it. Where that does not
//! suffice, its list holds the triangles of which one is the closest for any point of the cell that is inside. The few points that may
//! be outside search the tree. Everything depends on the surface only, so that the order of questions has no effect.

use glam::DVec3;

use super::{
    constants::{CELLS, DEPTH, LONG_LIST},
    faces::Faces,
    facet::{Nearest, Part},
    grid::Grid,
    raster::{Layer, Near, Raster, Region},
    sides::{Side, Sides, sides},
    surface::{Surface, Wall},
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
    /// Lower bound of the signed distance of the centre.
    bound: f32,
    /// Where the numbers of the cell start; the highest bit tells that every point of the cell is inside the body. The numbers are
    /// those of the list: how many faces there are, the faces, and the triangles without one. In a cell that is not inside, the
    /// number of planes and the planes of [`Sides`] come first.
    start: u32,
}

/// The bit of a cell that lies inside the body.
const INSIDE: u32 = 1 << 31;

/// The only number of a list that would be too long.
const TREE: u32 = u32::MAX;

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
        let mut known = sides(surface, &faces.planes, &grid);
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
            level.wall_from_inside(surface, &self.faces, number, p, reach)
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
        let mut planes_start = 0;
        let mut list = List::new(faces);
        let mut sides_left = sides.sides.iter();
        for z in 0..grid.counts[2] {
            raster.layer(z, &mut layer);
            for y in 0..grid.counts[1] {
                for (x, &side) in (0..grid.counts[0]).zip(&mut sides_left) {
                    let mut start = numbers.len() as u32;
                    let mut bound = match side {
                        Side::Inside => depth as f32,
                        Side::Cut(cut) => cut.bound,
                        Side::Outside | Side::Mixed => f32::MIN,
                    };
                    match side {
                        Side::Inside => start |= INSIDE,
                        Side::Cut(cut) => {
                            let planes = sides.planes(&mut planes_start, cut);
                            numbers.push(planes.len() as u32);
                            numbers.extend(planes);
                        }
                        Side::Outside | Side::Mixed => numbers.push(0),
                    }
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

    /// Returns the number of the cell of a point, and the distance of the point from its centre.
    #[inline(always)]
    fn cell(&self, p: DVec3) -> (usize, f64) {
        let (number, center) = self.grid.locate(p);
        (number, p.distance(center))
    }

    /// Returns the wall nearest to a point inside if it is closer than `reach`.
    #[inline(always)]
    fn wall_from_inside(
        &self,
        surface: &Surface,
        faces: &Faces,
        cell: usize,
        p: DVec3,
        reach: f64,
    ) -> Option<Wall> {
        let nearest = match *self.list(cell) {
            [] => return None,
            [TREE] => surface.tree.nearest_from_inside(p, reach)?,
            [count, ref listed @ ..] => {
                let (listed_faces, triangles) = listed.split_at(count as usize);
                let mut best = Nearest::bound(reach);
                let edge = nearest_face(faces, listed_faces, p, &mut best);
                if !triangles.is_empty() {
                    nearest_triangle(surface, triangles, p, &mut best);
                }
                if edge < best.distance * best.distance {
                    let nearest = surface.tree.nearest_from_inside(p, best.distance);
                    best = nearest.unwrap_or(best);
                }
                best.is_found().then_some(best)?
            }
        };
        Some(inner_wall(surface, p, &nearest))
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

/// The list of a cell while it is made.
struct List {
    faces: Vec<Listed>,
    triangles: Vec<u32>,
    /// Where each face of the surface stands in `faces`, if it does.
    places: Vec<u32>,
}

/// A face near a cell.
#[derive(Clone, Copy)]
struct Listed {
    face: u32,
    /// Whether the face may be the closest one to a point of the cell.
    may_be_closest: bool,
    /// Whether an edge that the face does not know is near the cell.
    has_edge_near: bool,
}

impl List {
    fn new(faces: &Faces) -> Self {
        Self {
            faces: Vec::new(),
            triangles: Vec::new(),
            places: vec![0; faces.len()],
        }
    }

    /// Lists the triangles whose bounds of the distances from the centre of a cell do not exceed `reach`.
    ///
    /// A face stands for its triangles if it knows its edges, or if no edge is near the cell. The other faces are listed by their
    /// triangles.
    fn fill(
        &mut self,
        surface: &Surface,
        faces: &Faces,
        near: &[Near],
        (center, grid): (DVec3, &Grid),
        reach: f64,
    ) {
        self.faces.clear();
        self.triangles.clear();
        let squared = surface.tree.outlines.squared_limit(reach);
        let mut has_edge_near = false;
        for near in near {
            let may_be_closest = near.squared <= squared;
            let Some(number) = faces.of_triangle(near.triangle) else {
                if may_be_closest {
                    self.triangles.push(near.triangle);
                }
                continue;
            };
            let face = self.face(number);
            face.may_be_closest |= may_be_closest;
            if !face.has_edge_near
                && !faces.face(number).has_edges
                && is_edge_near(surface, faces, near.triangle, center, grid)
            {
                face.has_edge_near = true;
                has_edge_near = true;
            }
        }
        if has_edge_near {
            for near in near.iter().filter(|near| near.squared <= squared) {
                let face = faces.of_triangle(near.triangle);
                if face.is_some_and(|number| self.face(number).has_edge_near) {
                    self.triangles.push(near.triangle);
                }
            }
        }
        self.faces
            .retain(|face| face.may_be_closest && !face.has_edge_near);
    }

    fn face(&mut self, number: u32) -> &mut Listed {
        let place = &mut self.places[number as usize];
        let is_there = (self.faces.get(*place as usize)).is_some_and(|face| face.face == number);
        if !is_there {
            *place = self.faces.len() as u32;
            self.faces.push(Listed {
                face: number,
                may_be_closest: false,
                has_edge_near: false,
            });
        }
        &mut self.faces[*place as usize]
    }

    fn write(&self, numbers: &mut Vec<u32>) {
        let length = self.faces.len() + self.triangles.len();
        if length > LONG_LIST {
            numbers.push(TREE);
        } else if length > 0 {
            numbers.push(self.faces.len() as u32);
            numbers.extend(self.faces.iter().map(|face| face.face));
            numbers.extend(&self.triangles);
        }
    }
}

/// Returns whether the foot of a perpendicular from a point of a cell on the plane of a triangle may lie beyond an edge of the
/// triangle that is an edge of its face.
fn is_edge_near(
    surface: &Surface,
    faces: &Faces,
    triangle: u32,
    center: DVec3,
    grid: &Grid,
) -> bool {
    let outer = faces.outer_edges(surface, triangle);
    if outer == [false; 3] {
        return false;
    }
    let outlines = &surface.tree.outlines;
    let outline = outlines.outline(triangle);
    let beyond = outline.beyond_edges(
        outlines.local(center),
        (0.5 * grid.side / outlines.longest()) as f32,
    );
    (0..3).any(|k| outer[k] && beyond[k] >= 0.0)
}

/// Replaces `best` by the closest point in a face to a point inside the body if that is closer. Returns the square of a lower bound of
/// the distance of other points of the faces.
#[inline(always)]
fn nearest_face(faces: &Faces, listed: &[u32], p: DVec3, best: &mut Nearest) -> f64 {
    let mut edge = f64::INFINITY;
    for &number in listed {
        let face = faces.face(number);
        let height = face.height.at(p);
        let distance = height.abs();
        if distance >= best.distance {
            continue;
        }
        let beyond = face.beyond(p);
        if beyond > 0.0 {
            if face.is_reentrant {
                edge = edge.min(distance * distance + beyond * beyond);
            }
            continue;
        }
        *best = Nearest {
            distance,
            point: p - height * face.height.gradient,
            triangle: face.triangle,
            part: Part::Face,
        };
    }
    edge
}

/// Replaces `best` by the closest point on listed triangles to a point inside the body if that is closer.
///
/// Bounds in single precision select the few triangles whose distances are computed.
#[inline(always)]
fn nearest_triangle(surface: &Surface, triangles: &[u32], p: DVec3, best: &mut Nearest) {
    let tree = &surface.tree;
    let local = tree.outlines.local(p);
    let mut lowest = f32::INFINITY;
    for &id in triangles {
        lowest = lowest.min(tree.outlines.squared_distance(id, local));
    }
    let mut limit = tree.outlines.upper_bound(lowest).min(best.distance);
    loop {
        let squared = tree.outlines.squared_limit(limit);
        for &id in triangles {
            if tree.outlines.squared_distance(id, local) <= squared {
                tree.facets[id as usize].improve_from_inside(p, id, best);
            }
        }
        // Without a corner among the closest points, the first limit suffices.
        if best.distance <= limit {
            return;
        }
        limit = best.distance;
    }
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
    use std::f64::consts::TAU;

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

    #[test]
    fn the_field_finds_the_walls_that_all_triangles_make() {
        let mut rng = Pcg64::seed_from_u64(7);
        for (around, across, bump) in [(64, 32, 0.0), (48, 24, 0.02), (24, 12, 0.1), (7, 5, 0.0)] {
            let surface = ring(around, across, bump, &mut rng);
            let field = Field::new(&surface);
            let (mut near, mut clear) = (0, 0);
            for _ in 0..3000 {
                let p = surface.lengths * DVec3::from_array(std::array::from_fn(|_| rng.random()));
                let reach = 0.3 * rng.random::<f64>();
                let nearest = (0..).zip(&surface.tree.facets);
                let nearest = nearest.map(|(id, facet)| facet.nearest(p, id));
                let nearest = nearest.min_by(|a, b| a.distance.total_cmp(&b.distance));
                let expected = surface.wall(p, &nearest.unwrap());
                let found = field.wall_within(&surface, p, reach);
                assert_eq!(field.is_clear(&surface, p, reach), found.is_none());
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
            assert!(near > 1000 && clear > 300, "{near} {clear}");
        }
    }
}
