//! A coarse distance field, from which most spheres learn that no wall is near, with lists of near triangles for the others.
//!
//! Cells cover the bounding box. A cell knows the signed distance of its centre, which bounds the distance of every point in it.
//! Where that does not suffice, it holds the triangles of which one is the closest for any point in the cell, sorted by their
//! distances from its centre. A cell with many of them is divided into eight. Cells, lists and divisions are made when a sphere
//! needs them first. They depend on the surface only, so that the order of requests has no effect.

use std::sync::{
    OnceLock,
    atomic::{AtomicU32, Ordering::Relaxed},
};

use glam::DVec3;

use super::{
    constants::{CELLS, FINE_CELL, IN_PLANE, LONG_LIST, MOST_ALONG_AXIS, SHORT_LIST},
    facet::{Facet, Nearest},
    surface::{Surface, Wall},
};

/// The distance field of a surface.
pub(super) struct Field {
    /// Signed distance of the centre of each cell, rounded down, by its bits; [`UNKNOWN`] before it is needed.
    distances: Vec<AtomicU32>,
    contents: Vec<OnceLock<Content>>,
    /// Number of cells along each axis.
    counts: [usize; 3],
    /// Half the side of a cell.
    half: f64,
}

/// Factor of bounds that makes up for distances in single precision.
const ROUNDED_UP: f64 = 1.0 + 1e-6;

/// The bits of a distance that is not computed yet: not a number.
const UNKNOWN: u32 = u32::MAX;

enum Content {
    /// The closest point of any point lies in the plane of this triangle.
    Plane(u32),
    /// Triangles, sorted by their distances from the centre.
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

/// Triangles with their distances from the centre of a cell, rounded down.
type List = Box<[(f32, u32)]>;

/// The position of a cell.
#[derive(Clone, Copy)]
struct Region {
    center: DVec3,
    /// Half the side.
    half: f64,
    /// Number of divisions that led to the cell.
    depth: u32,
}

impl Region {
    /// Returns an upper bound of the distance of points in the cell from its centre.
    fn reach(&self) -> f64 {
        // Half the diagonal, rounded up.
        1.7321 * self.half
    }

    /// Returns the number of the eighth in which a point lies.
    fn eighth(&self, p: DVec3) -> usize {
        let is_upper = p.cmpge(self.center);
        usize::from(is_upper.x) + 2 * usize::from(is_upper.y) + 4 * usize::from(is_upper.z)
    }

    fn divided(&self, eighth: usize) -> Self {
        let half = 0.5 * self.half;
        let step = |bit: usize| if eighth >> bit & 1 == 1 { half } else { -half };
        Self {
            center: self.center + DVec3::new(step(0), step(1), step(2)),
            half,
            depth: self.depth + 1,
        }
    }
}

impl Field {
    /// Creates the field without any distance.
    pub fn new(surface: &Surface) -> Self {
        let lengths = surface.lengths;
        let side = libm::cbrt(lengths.element_product() / CELLS)
            .max(lengths.max_element() / MOST_ALONG_AXIS);
        let counts = lengths
            .to_array()
            .map(|length| (length / side) as usize + 1);
        let number: usize = counts.iter().product();
        let distances = std::iter::repeat_with(|| AtomicU32::new(UNKNOWN));
        Self {
            distances: distances.take(number).collect(),
            contents: std::iter::repeat_with(OnceLock::new).take(number).collect(),
            counts,
            half: 0.5 * side,
        }
    }

    /// Returns the number of the cell that contains a point, which need not lie in the bounding box, and the region of the cell.
    #[inline(always)]
    fn cell(&self, p: DVec3) -> (usize, Region) {
        let side = 2.0 * self.half;
        // Conversion of a negative number to an unsigned one gives 0.
        let along = |axis: usize| ((p[axis] / side) as usize).min(self.counts[axis] - 1);
        let (x, y, z) = (along(0), along(1), along(2));
        let region = Region {
            center: (DVec3::new(x as f64, y as f64, z as f64) + 0.5) * side,
            half: self.half,
            depth: 0,
        };
        (x + self.counts[0] * (y + self.counts[1] * z), region)
    }

    /// Returns the signed distance of the centre of a cell, rounded down.
    #[inline(always)]
    fn distance(&self, surface: &Surface, cell: usize, region: Region) -> f64 {
        let bits = self.distances[cell].load(Relaxed);
        if bits != UNKNOWN {
            return f32::from_bits(bits).into();
        }
        let distance = (surface.distance(region.center) as f32).next_down();
        // Another thread stores the same bits.
        self.distances[cell].store(distance.to_bits(), Relaxed);
        distance.into()
    }

    /// Returns the wall nearest to a point if the point is beyond the wall or closer to it than `reach`.
    #[inline]
    pub fn wall_within(&self, surface: &Surface, p: DVec3, reach: f64) -> Option<Wall> {
        let (cell, region) = self.cell(p);
        let distance = self.distance(surface, cell, region);
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
            let improve = Facet::improve_from_inside;
            let nearest = nearest_of(surface, list, p, self.away, reach, improve)?;
            return Some(inner_wall(surface, p, &nearest));
        }
        let upper = upper_bound(self.distance, self.away);
        let nearest = nearest_of(surface, list, p, self.away, upper, Facet::improve)?;
        let wall = surface.wall(p, &nearest);
        (wall.distance < reach).then_some(wall)
    }
}

/// Returns the closest point on the listed triangles if it is closer than `most`. The triangles are sorted by their distances from
/// a point that is `away` from `p`.
#[inline(always)]
fn nearest_of(
    surface: &Surface,
    list: &[(f32, u32)],
    p: DVec3,
    away: f64,
    most: f64,
    improve: impl Fn(&Facet, DVec3, u32, &mut Nearest),
) -> Option<Nearest> {
    let mut best = Nearest::bound(most);
    for &(distance, id) in list {
        if f64::from(distance) - away > best.distance {
            break;
        }
        improve(&surface.tree.facets[id as usize], p, id, &mut best);
    }
    (best.triangle != u32::MAX).then_some(best)
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
fn eighth(surface: &Surface, list: &[(f32, u32)], region: Region) -> Eighth {
    let p = region.center;
    let mut near: Vec<(f64, u32)> = Vec::with_capacity(list.len());
    let mut closest = Nearest::bound(f64::MAX);
    let mut reach = f64::INFINITY;
    // Triangles are sorted by their distances from the centre of the divided cell.
    let away = region.reach();
    for &(distance, id) in list {
        if f64::from(distance) - away > reach {
            break;
        }
        let nearest = surface.tree.facets[id as usize].nearest(p, id);
        near.push((nearest.distance, id));
        if nearest.distance < closest.distance {
            closest = nearest;
            reach = list_reach(nearest.distance, region);
        }
    }
    near.retain(|&(distance, _)| distance <= reach);
    let distance = surface.wall(p, &closest).distance;
    Eighth {
        distance,
        content: content(surface, near, distance, region),
    }
}

fn content(surface: &Surface, mut near: Vec<(f64, u32)>, distance: f64, region: Region) -> Content {
    if let Some(id) = common_plane(surface, &near) {
        return Content::Plane(id);
    }
    let is_fine = region.depth > 0 || region.reach() < FINE_CELL * distance.abs();
    if is_fine && near.len() > LONG_LIST {
        return Content::Tree;
    }
    near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let rounded_down = |distance: f64| (distance as f32).next_down().max(0.0);
    let list: List = near
        .iter()
        .map(|&(distance, id)| (rounded_down(distance), id))
        .collect();
    if is_fine || near.len() <= SHORT_LIST {
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
