//! Faces of a surface: connected triangles in one plane.

use glam::DVec3;

use super::{
    constants::{FOOT_MARGIN, IN_PLANE},
    facet::{Facet, Linear},
    surface::Surface,
};

/// The faces of a surface.
pub(super) struct Faces {
    /// For each triangle, one in whose plane it lies and that faces the same side; the same one for connected triangles.
    pub planes: Vec<u32>,
    /// For each triangle, its face if that has other triangles, or [`NONE`].
    of_triangles: Vec<u32>,
    faces: Vec<Face>,
}

const NONE: u32 = u32::MAX;

/// Number of edges of a face that is a convex polygon with at most this number of edges.
const EDGES: usize = 4;

/// A face of two or more triangles.
#[repr(C, align(64))]
pub(super) struct Face {
    /// Distance from the plane, positive outside.
    pub height: Linear,
    /// Distances beyond the lines through the edges of a convex face with few edges.
    edges: [Linear; EDGES],
    pub triangle: u32,
    /// Whether the closest point may lie on an edge.
    pub is_reentrant: bool,
    pub has_edges: bool,
}

impl Face {
    /// Returns how far a point of the plane lies beyond the edges, negative inside a convex face with few edges.
    #[inline(always)]
    pub fn beyond(&self, p: DVec3) -> f64 {
        let [a, b, c, d] = self.edges.each_ref().map(|edge| edge.at(p));
        a.max(b).max(c.max(d))
    }
}

impl Faces {
    /// Joins connected triangles that lie in one plane and face the same side.
    pub fn new(surface: &Surface) -> Self {
        let facets = &surface.tree.facets;
        let tolerance = IN_PLANE * surface.lengths.max_element();
        let mut found = Self {
            planes: vec![NONE; facets.len()],
            of_triangles: vec![NONE; facets.len()],
            faces: Vec::new(),
        };
        let mut members = Vec::new();
        for first in 0..facets.len() as u32 {
            if found.planes[first as usize] != NONE {
                continue;
            }
            let plane = &facets[first as usize];
            let lies_in_plane = |facet: &Facet| {
                (plane.has_plane() && facet.has_plane())
                    && facet.normal().dot(plane.normal()) > 0.0
                    && (facet.corners().into_iter())
                        .all(|corner| plane.height.at(corner).abs() <= tolerance)
            };
            found.planes[first as usize] = first;
            members.clear();
            members.push(first);
            let mut reached = 0;
            while let Some(&triangle) = members.get(reached) {
                reached += 1;
                for other in surface.neighbors(triangle) {
                    let is_new = found.planes[other as usize] == NONE;
                    if is_new && lies_in_plane(&facets[other as usize]) {
                        found.planes[other as usize] = first;
                        members.push(other);
                    }
                }
            }
            if members.len() > 1 {
                let number = found.faces.len() as u32;
                for &triangle in &members {
                    found.of_triangles[triangle as usize] = number;
                }
                found.faces.push(face(surface, &found.planes, &members));
            }
        }
        found
    }

    /// Returns the number of faces.
    pub fn len(&self) -> usize {
        self.faces.len()
    }

    /// Returns the number of the face of a triangle that has other triangles.
    pub fn of_triangle(&self, triangle: u32) -> Option<u32> {
        let number = self.of_triangles[triangle as usize];
        (number != NONE).then_some(number)
    }

    #[inline(always)]
    pub fn face(&self, number: u32) -> &Face {
        &self.faces[number as usize]
    }

    /// Returns whether each edge of a triangle, from the corner of this number to the next, is an edge of its face.
    pub fn outer_edges(&self, surface: &Surface, triangle: u32) -> [bool; 3] {
        let plane = |triangle: u32| self.planes[triangle as usize];
        surface
            .neighbors(triangle)
            .map(|other| plane(other) != plane(triangle))
    }

    /// Returns whether a triangle has an edge of a face without known edges.
    pub fn is_at_unknown_edge(&self, surface: &Surface, triangle: u32) -> bool {
        let face = self.of_triangle(triangle);
        face.is_some_and(|number| !self.face(number).has_edges)
            && self.outer_edges(surface, triangle) != [false; 3]
    }
}

/// Creates the face of some triangles.
fn face(surface: &Surface, planes: &[u32], members: &[u32]) -> Face {
    let facets = &surface.tree.facets;
    let facet = |triangle: u32| &facets[triangle as usize];
    let plane = planes[members[0] as usize];
    let edges = edges(surface, planes, members);
    Face {
        height: facet(plane).height,
        has_edges: edges.is_some(),
        edges: edges.unwrap_or([Linear::NOWHERE; EDGES]),
        triangle: plane,
        is_reentrant: members.iter().any(|&member| facet(member).edge_slope > 0.0),
    }
}

/// Returns the lines through the edges of a face if it is a convex polygon and has few edges.
///
/// The boundary of the face lies on these lines, and no corner is beyond one: the face is all that lies beyond none of them.
fn edges(surface: &Surface, planes: &[u32], members: &[u32]) -> Option<[Linear; EDGES]> {
    let tolerance = IN_PLANE * surface.lengths.max_element();
    let facet = |triangle: u32| &surface.tree.facets[triangle as usize];
    let plane = planes[members[0] as usize];
    let normal = facet(plane).normal();
    let mut lines = [Linear::NOWHERE; EDGES];
    let mut count = 0;
    for &member in members {
        let corners = facet(member).corners();
        for (k, other) in surface.neighbors(member).into_iter().enumerate() {
            let (from, to) = (corners[k], corners[(k + 1) % 3]);
            let is_known =
                |line: &Linear| line.at(from).abs() <= tolerance && line.at(to).abs() <= tolerance;
            if planes[other as usize] == plane || lines[..count].iter().any(is_known) {
                continue;
            }
            // Seen from outside, the face is on the left of its edge.
            let right = (to - from).cross(normal).try_normalize()?;
            *lines.get_mut(count)? = Linear::new(right, from);
            count += 1;
        }
    }
    let corners = || members.iter().flat_map(|&member| facet(member).corners());
    let is_convex =
        (lines[..count].iter()).all(|line| corners().all(|corner| line.at(corner) <= tolerance));
    // Rounding must not let a foot fall between two faces.
    let margin = FOOT_MARGIN * surface.lengths.max_element();
    for line in &mut lines[..count] {
        line.constant -= margin;
    }
    is_convex.then_some(lines)
}
