//! The triangles and faces of which one is the closest to a point of a cell: making the list, and searching it.

use glam::DVec3;

use super::{
    constants::{LONG_LIST, MOST_NUMBERS},
    faces::Faces,
    facet::{Nearest, Part},
    grid::Grid,
    raster::Near,
    surface::Surface,
};

/// The only number of a list that would be too long.
const TREE: u32 = u32::MAX;

/// The list of a cell while it is made.
pub(super) struct List {
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
    /// Whether an edge that the face does not store is near the cell.
    has_edge_near: bool,
}

impl List {
    pub fn new(faces: &Faces) -> Self {
        Self {
            faces: Vec::new(),
            triangles: Vec::new(),
            places: vec![0; faces.len()],
        }
    }

    /// Lists the triangles whose bounds of the distances from the center of a cell do not exceed `reach`.
    ///
    /// A face replaces its triangles in the list if it stores all its edges, or if no edge is near the cell. The other faces are listed by their
    /// triangles.
    pub fn fill(
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

    /// Adds the list to the numbers of all cells: how many faces there are, the faces, and the triangles. An empty list has no number.
    pub fn write(&self, numbers: &mut Vec<u32>) {
        let length = self.faces.len() + self.triangles.len();
        if length > LONG_LIST || numbers.len() > MOST_NUMBERS {
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
        (0.5 * grid.side / outlines.longest) as f32,
    );
    (0..3).any(|k| outer[k] && beyond[k] >= 0.0)
}

/// Returns the closest point of the surface to a point inside the body if it is closer than `reach`, from the list of the cell of the
/// point.
#[inline(always)]
pub(super) fn nearest_from_inside(
    surface: &Surface,
    faces: &Faces,
    list: &[u32],
    p: DVec3,
    reach: f64,
) -> Option<Nearest> {
    let (count, listed) = match *list {
        [] => return None,
        [TREE] => return surface.tree.nearest_from_inside(p, reach),
        [count, ref listed @ ..] => (count, listed),
    };
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
    best.is_found().then_some(best)
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
