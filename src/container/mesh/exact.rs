//! Exact tests of points, lines and triangles. Signs come from adaptive precision arithmetic.
//!
//! Shewchuk, *Adaptive precision floating-point arithmetic and fast robust geometric predicates*, Discrete Comput. Geom. 18
//! (1997) 305.

use glam::{DVec2, DVec3};
use robust::{Coord, Coord3D};

/// Returns a number of the sign of the volume of a tetrahedron: positive if `d` lies on the side from which `a`, `b` and `c`
/// run clockwise, 0 if all four points lie in one plane.
pub(super) fn side(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> f64 {
    let [a, b, c, d] = [a, b, c, d].map(|DVec3 { x, y, z }| Coord3D { x, y, z });
    robust::orient3d(a, b, c, d)
}

/// Returns a number of the sign of the area of a triangle: positive if its corners run counterclockwise.
fn turn(corners: [DVec2; 3]) -> f64 {
    let [a, b, c] = corners.map(|DVec2 { x, y }| Coord { x, y });
    robust::orient2d(a, b, c)
}

/// The three projections to planes of two axes.
pub(super) const PROJECTIONS: [fn(DVec3) -> DVec2; 3] = [
    |p| DVec2::new(p.y, p.z),
    |p| DVec2::new(p.z, p.x),
    |p| DVec2::new(p.x, p.y),
];

/// Returns whether the corners of a triangle lie on one line.
pub(super) fn is_flat(corners: [DVec3; 3]) -> bool {
    (PROJECTIONS.into_iter()).all(|project| turn(corners.map(project)) == 0.0)
}

/// Returns the projection in which a triangle is not flat.
fn projection(corners: [DVec3; 3]) -> fn(DVec3) -> DVec2 {
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a).abs();
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| normal[j].total_cmp(&normal[i]));
    let is_good = |&axis: &usize| turn(corners.map(PROJECTIONS[axis])) != 0.0;
    let axis = order.into_iter().find(is_good).unwrap_or(order[0]);
    PROJECTIONS[axis]
}

/// Returns whether two triangles with the common edge `a`, `b` are folded onto each other. `c` and `d` are their other corners.
pub(super) fn are_folded(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> bool {
    // Most triangles are far from folded, with normals of opposite sense for the same direction along the edge.
    let (first, second) = ((b - a).cross(c - a), (b - a).cross(d - a));
    let product = first.length() * second.length();
    if first.dot(second) < 0.5 * product {
        return false;
    }
    if side(a, b, c, d) != 0.0 {
        return false;
    }
    let project = projection([a, b, c]);
    let [a, b, c, d] = [a, b, c, d].map(project);
    (turn([a, b, c]) > 0.0) == (turn([a, b, d]) > 0.0)
}

/// Returns whether a segment and a triangle have a common point.
pub(super) fn segment_meets_triangle(segment: [DVec3; 2], triangle: [DVec3; 3]) -> bool {
    let [p, q] = segment;
    let [a, b, c] = triangle;
    let (first, second) = (side(a, b, c, p), side(a, b, c, q));
    if first == 0.0 && second == 0.0 {
        let project = projection(triangle);
        return flat_segment_meets_triangle(segment.map(project), triangle.map(project));
    }
    if first > 0.0 && second > 0.0 || first < 0.0 && second < 0.0 {
        return false;
    }
    is_one_way(edges(triangle).map(|[from, to]| side(p, q, from, to)))
}

/// Returns whether no two numbers have opposite signs.
fn is_one_way(turns: [f64; 3]) -> bool {
    turns.iter().all(|&turn| turn >= 0.0) || turns.iter().all(|&turn| turn <= 0.0)
}

fn flat_segment_meets_triangle([p, q]: [DVec2; 2], triangle: [DVec2; 3]) -> bool {
    let edges = edges(triangle);
    is_one_way(edges.map(|[from, to]| turn([from, to, p])))
        || (edges.into_iter()).any(|edge| segments_meet([p, q], edge))
}

fn segments_meet([p, q]: [DVec2; 2], [a, b]: [DVec2; 2]) -> bool {
    let sign = |x: f64| (x > 0.0) as i8 - (x < 0.0) as i8;
    let [pa, pb] = [a, b].map(|end| sign(turn([p, q, end])));
    let [ap, aq] = [p, q].map(|end| sign(turn([a, b, end])));
    if [pa, pb, ap, aq] == [0; 4] {
        // On one line: the segments meet where their bounding boxes do.
        return p.min(q).cmple(a.max(b)).all() && a.min(b).cmple(p.max(q)).all();
    }
    pa * pb <= 0 && ap * aq <= 0
}

/// Returns whether two triangles without a common corner have a common point.
pub(super) fn triangles_meet(first: [DVec3; 3], second: [DVec3; 3]) -> bool {
    let is_beside = |[a, b, c]: [DVec3; 3], other: [DVec3; 3]| {
        let sides = other.map(|point| side(a, b, c, point));
        sides.iter().all(|&side| side > 0.0) || sides.iter().all(|&side| side < 0.0)
    };
    if is_beside(first, second) || is_beside(second, first) {
        return false;
    }
    (edges(first).into_iter()).any(|edge| segment_meets_triangle(edge, second))
        || (edges(second).into_iter()).any(|edge| segment_meets_triangle(edge, first))
}

/// Returns whether two triangles, whose first corner is common and whose other corners are not, have another common point.
///
/// From the common corner through another common point, a ray leaves one of the triangles first, at its far edge. This point
/// belongs to both triangles.
pub(super) fn corners_meet(first: [DVec3; 3], second: [DVec3; 3]) -> bool {
    segment_meets_triangle([first[1], first[2]], second)
        || segment_meets_triangle([second[1], second[2]], first)
}

fn edges<T: Copy>([a, b, c]: [T; 3]) -> [[T; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}
