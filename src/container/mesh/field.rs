//! A coarse distance field, from which most spheres learn that no wall is near, with lists of near triangles for the others.
//!
//! Coarse and fine cells cover the bounding box. A cell knows the signed distance of its centre, which bounds the distance of every
//! point in it. Where that does not suffice, a fine cell holds the triangles of which one is the closest for any point in the cell. A
//! cell with many of them is divided into eight. Distances, lists and divisions are made when a sphere needs them first. They depend on
//! the surface only, so that the order of requests has no effect.

use std::sync::OnceLock;

use glam::DVec3;

use super::{
    constants::{CELLS, FINE_CELL, FINE_PER_COARSE, IN_PLANE, LONG_LIST, SHORT_LIST},
    distances::{Distances, ROUNDED_UP, Region},
    facet::{Facet, Nearest},
    surface::{Surface, Wall},
};

/// The distance field of a surface.
pub(super) struct Field {
    /// Large cells, which suffice far from the surface.
    coarse: Distances,
    fine: Distances,
    /// The contents of the fine cells.
    contents: Vec<OnceLock<Content>>,
}

enum Content {
    /// The closest point of any point lies in the plane of this triangle.
    Plane(u32),
    List(List),
    /// Like a list, with an eighth of the cell for each corner.
    Divided(List, Box<[OnceLock<Eighth>; 8]>),
    /// Too many triangles.
    Tree,
}

/// A part of a divided cell.
struct Eighth {
    /// Signed distance of the centre.
    distance: f64,
    content: Content,
}

/// Triangles of which one is the closest for any point of a cell.
struct List {
    /// Triangles with lower bounds of their distances from the centre. The first part is sorted, and so is the rest.
    triangles: Box<[(f32, u32)]>,
    /// Number of triangles in the first part, of which one is the closest for any point inside the body.
    number_inside: usize,
}

impl List {
    /// Creates the list of triangles with lower bounds of their distances from the centre.
    fn new(surface: &Surface, mut near: Vec<(f64, u32)>, region: Region) -> Self {
        near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let is_from_inside = |&&(_, id): &&(f64, u32)| {
            let facet = &surface.tree.facets[id as usize];
            facet.may_be_closest_from_inside(region.center, region.half)
        };
        let (first, rest): (Vec<_>, Vec<_>) = near.iter().partition(is_from_inside);
        let rounded_down = |distance: f64| (distance as f32).next_down().max(0.0);
        let triangles = first.iter().chain(&rest);
        Self {
            triangles: triangles
                .map(|&(distance, id)| (rounded_down(distance), id))
                .collect(),
            number_inside: first.len(),
        }
    }

    /// Returns the triangles that may be the closest to a point inside the body.
    fn inside(&self) -> &[(f32, u32)] {
        &self.triangles[..self.number_inside]
    }

    /// Returns the other triangles.
    fn others(&self) -> &[(f32, u32)] {
        &self.triangles[self.number_inside..]
    }
}

impl Field {
    /// Creates the field without any distance.
    pub fn new(surface: &Surface) -> Self {
        let fine = Distances::new(surface.lengths, CELLS);
        let contents = std::iter::repeat_with(OnceLock::new);
        Self {
            coarse: Distances::new(surface.lengths, CELLS / FINE_PER_COARSE),
            contents: contents.take(fine.len()).collect(),
            fine,
        }
    }

    /// Returns whether a point is inside and at least `reach` from the wall.
    pub fn is_clear(&self, surface: &Surface, p: DVec3, reach: f64) -> bool {
        (self.coarse.is_clear(surface, p, reach))
            .or_else(|| self.fine.is_clear(surface, p, reach))
            .unwrap_or_else(|| self.wall_within(surface, p, reach).is_none())
    }

    /// Returns the wall nearest to a point if the point is beyond the wall or closer to it than `reach`.
    #[inline]
    pub fn wall_within(&self, surface: &Surface, p: DVec3, reach: f64) -> Option<Wall> {
        let (cell, region) = self.fine.cell(p);
        let distance = match self.fine.known(cell) {
            Some(distance) => distance,
            None if self.coarse.is_clear(surface, p, reach) == Some(true) => return None,
            None => self.fine.distance(surface, cell, region),
        };
        let away = p.distance(region.center);
        if distance - away >= reach {
            return None;
        }
        let content = self.contents[cell].get_or_init(|| first_content(surface, distance, region));
        let search = Search {
            surface,
            p,
            reach,
            distance,
            away,
        };
        match content {
            Content::Divided(list, eighths) => {
                let number = region.eighth(p);
                let region = region.divided(number);
                let eighth = eighths[number].get_or_init(|| eighth(surface, list, region));
                let search = Search {
                    distance: eighth.distance,
                    away: p.distance(region.center),
                    ..search
                };
                search.wall(&eighth.content)
            }
            content => search.wall(content),
        }
    }
}

/// The search for the wall near a point of a cell.
#[derive(Clone, Copy)]
struct Search<'a> {
    surface: &'a Surface,
    p: DVec3,
    reach: f64,
    /// Signed distance of the centre of the cell.
    distance: f64,
    /// Distance of the point from the centre.
    away: f64,
}

impl Search<'_> {
    /// Returns the wall nearest to the point if the point is beyond the wall or closer to it than the reach.
    #[inline(always)]
    fn wall(&self, content: &Content) -> Option<Wall> {
        let Self {
            surface, p, reach, ..
        } = *self;
        if self.distance - self.away >= reach {
            return None;
        }
        // No wall is between such a point and the centre.
        let is_inside = self.away < self.distance;
        let list = match content {
            &Content::Plane(id) => {
                let facet = &surface.tree.facets[id as usize];
                let distance = -facet.height(p);
                return (distance < reach).then(|| Wall {
                    distance,
                    point: p + facet.normal() * distance,
                    inwards: -facet.normal(),
                });
            }
            Content::Tree if is_inside => {
                let nearest = surface.tree.nearest_from_inside(p, reach)?;
                return Some(inner_wall(surface, p, &nearest));
            }
            Content::Tree => {
                let wall = surface.wall(p, &surface.tree.nearest(p));
                return (wall.distance < reach).then_some(wall);
            }
            Content::List(list) | Content::Divided(list, _) => list,
        };
        if is_inside {
            let best = self.nearest_from_inside(list.inside());
            return best.is_found().then(|| inner_wall(surface, p, &best));
        }
        let mut best = Nearest::bound(upper_bound(self.distance, self.away));
        self.improve(list.inside(), &mut best, Facet::improve);
        self.improve(list.others(), &mut best, Facet::improve);
        let wall = surface.wall(p, &best);
        (wall.distance < reach).then_some(wall)
    }

    /// Returns the closest point on sorted triangles to a point inside the body, if it is closer than the reach.
    ///
    /// Bounds in single precision select the few triangles whose distances are computed.
    #[inline(always)]
    fn nearest_from_inside(&self, triangles: &[(f32, u32)]) -> Nearest {
        let tree = &self.surface.tree;
        let local = tree.outlines.local(self.p);
        let mut lowest = f32::INFINITY;
        for &(_, id) in triangles {
            lowest = lowest.min(tree.outlines.squared_distance(id, local));
        }
        let mut best = Nearest::bound(self.reach);
        let mut limit = tree.outlines.upper_bound(lowest).min(self.reach);
        loop {
            let squared = tree.outlines.squared_limit(limit);
            for &(_, id) in triangles {
                if tree.outlines.squared_distance(id, local) <= squared {
                    tree.facets[id as usize].improve_from_inside(self.p, id, &mut best);
                }
            }
            // Without a corner among the closest points, the first limit suffices.
            if best.distance <= limit {
                return best;
            }
            limit = best.distance;
        }
    }

    /// Replaces `best` by the closest point on sorted triangles if that is closer.
    #[inline(always)]
    fn improve(
        &self,
        triangles: &[(f32, u32)],
        best: &mut Nearest,
        improve: impl Fn(&Facet, DVec3, u32, &mut Nearest),
    ) {
        for &(distance, id) in triangles {
            if f64::from(distance) - self.away > best.distance {
                break;
            }
            improve(&self.surface.tree.facets[id as usize], self.p, id, best);
        }
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

/// Returns a distance that the closest point of the surface does not reach, for a point that is `away` from a point at
/// `distance`.
fn upper_bound(distance: f64, away: f64) -> f64 {
    (distance.abs() + away) * ROUNDED_UP + f64::MIN_POSITIVE
}

/// Returns the distance from the centre within which a triangle may be the closest to a point of the cell.
fn list_reach(distance: f64, region: Region) -> f64 {
    (distance.abs() + 2.0 * region.reach()) * ROUNDED_UP
}

/// Returns the content of a cell that no division made.
#[inline(never)]
fn first_content(surface: &Surface, distance: f64, region: Region) -> Content {
    if 4.0 * region.reach() < FINE_CELL * distance.abs() {
        return Content::Tree;
    }
    let reach = list_reach(distance, region);
    let near = surface.tree.within(region.center, reach);
    content(surface, near, distance, region)
}

/// Returns an eighth of a cell with a list of triangles.
#[inline(never)]
fn eighth(surface: &Surface, list: &List, region: Region) -> Eighth {
    let p = region.center;
    let local = surface.tree.outlines.local(p);
    let mut near: Vec<(f64, u32)> = Vec::with_capacity(list.triangles.len());
    let mut closest = Nearest::bound(f64::MAX);
    let mut reach = f64::INFINITY;
    // Triangles are sorted by their distances from the centre of the divided cell.
    let away = region.reach();
    for part in [list.inside(), list.others()] {
        for &(distance, id) in part {
            if f64::from(distance) - away > reach {
                break;
            }
            let bound = surface.tree.outlines.distance_bound(id, local);
            if bound <= reach {
                near.push((bound, id));
            }
            if bound < closest.distance {
                surface.tree.facets[id as usize].improve(p, id, &mut closest);
                reach = list_reach(closest.distance, region);
            }
        }
    }
    near.retain(|&(bound, _)| bound <= reach);
    let distance = surface.wall(p, &closest).distance;
    Eighth {
        distance,
        content: content(surface, near, distance, region),
    }
}

fn content(surface: &Surface, near: Vec<(f64, u32)>, distance: f64, region: Region) -> Content {
    if let Some(id) = common_plane(surface, &near) {
        return Content::Plane(id);
    }
    let is_fine = region.depth > 0 || region.reach() < FINE_CELL * distance.abs();
    if is_fine && near.len() > LONG_LIST {
        return Content::Tree;
    }
    let is_short = near.len() <= SHORT_LIST;
    let list = List::new(surface, near, region);
    if is_fine || is_short {
        Content::List(list)
    } else {
        Content::Divided(list, Box::new(std::array::from_fn(|_| OnceLock::new())))
    }
}

/// Returns a triangle in whose plane all listed triangles lie and face the same side, if there is one.
///
/// The list holds the closest triangle of every point in the cell. A closest point on an edge belongs to two triangles of the
/// list. As these lie in one plane, it is the foot of the perpendicular, too.
fn common_plane(surface: &Surface, near: &[(f64, u32)]) -> Option<u32> {
    let facets = &surface.tree.facets;
    let id = near.first()?.1;
    let first = &facets[id as usize];
    let tolerance = IN_PLANE * surface.lengths.max_element();
    let lies_in_plane = |&(_, id): &(f64, u32)| {
        let facet = &facets[id as usize];
        facet.normal().dot(first.normal()) > 0.0
            && (facet.corners().into_iter()).all(|corner| first.height(corner).abs() <= tolerance)
    };
    near.iter().all(lies_in_plane).then_some(id)
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
