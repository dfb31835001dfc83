//! Exact tests of points, lines and triangles. Signs come from adaptive precision arithmetic.
//!
//! Shewchuk, *Adaptive precision floating-point arithmetic and fast robust geometric predicates*, Discrete Comput. Geom. 18
//! (1997) 305.

use glam::{DVec2, DVec3};
use robust::{Coord, Coord3D};

/// Returns a number of the sign of the volume of a tetrahedron: positive if `d` lies on the side from which `a`, `b` and `c`
/// run clockwise, 0 if all four points lie in one plane.
pub(super) fn side(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> f64 {
    let point = |p: DVec3| Coord3D {
        x: p.x,
        y: p.y,
        z: p.z,
    };
    robust::orient3d(point(a), point(b), point(c), point(d))
}

/// Returns a number of the sign of the area of a triangle: positive if its corners run counterclockwise.
fn turn(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    let point = |p: DVec2| Coord { x: p.x, y: p.y };
    robust::orient2d(point(a), point(b), point(c))
}

/// The three projections to planes of two axes.
const PROJECTIONS: [fn(DVec3) -> DVec2; 3] = [
    |p| DVec2::new(p.y, p.z),
    |p| DVec2::new(p.z, p.x),
    |p| DVec2::new(p.x, p.y),
];

/// Returns whether the corners of a triangle lie on one line.
pub(super) fn is_flat([a, b, c]: [DVec3; 3]) -> bool {
    PROJECTIONS
        .iter()
        .all(|project| turn(project(a), project(b), project(c)) == 0.0)
}

/// Returns the projection in which a triangle is not flat.
fn projection([a, b, c]: [DVec3; 3]) -> fn(DVec3) -> DVec2 {
    let normal = (b - a).cross(c - a).abs();
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| normal[j].total_cmp(&normal[i]));
    let is_good = |&axis: &usize| {
        turn(
            PROJECTIONS[axis](a),
            PROJECTIONS[axis](b),
            PROJECTIONS[axis](c),
        ) != 0.0
    };
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
    (turn(a, b, c) > 0.0) == (turn(a, b, d) > 0.0)
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
    let turns = [side(p, q, a, b), side(p, q, b, c), side(p, q, c, a)];
    turns.iter().all(|&turn| turn >= 0.0) || turns.iter().all(|&turn| turn <= 0.0)
}

fn flat_segment_meets_triangle([p, q]: [DVec2; 2], [a, b, c]: [DVec2; 3]) -> bool {
    let turns = [turn(a, b, p), turn(b, c, p), turn(c, a, p)];
    let is_inside = turns.iter().all(|&turn| turn >= 0.0) || turns.iter().all(|&turn| turn <= 0.0);
    is_inside
        || [[a, b], [b, c], [c, a]]
            .into_iter()
            .any(|edge| segments_meet([p, q], edge))
}

fn segments_meet([p, q]: [DVec2; 2], [a, b]: [DVec2; 2]) -> bool {
    let sign = |x: f64| (x > 0.0) as i8 - (x < 0.0) as i8;
    let (pa, pb) = (sign(turn(p, q, a)), sign(turn(p, q, b)));
    let (ap, aq) = (sign(turn(a, b, p)), sign(turn(a, b, q)));
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
    edges(first).any(|edge| segment_meets_triangle(edge, second))
        || edges(second).any(|edge| segment_meets_triangle(edge, first))
}

/// Returns whether two triangles, whose first corner is common and whose other corners are not, have another common point.
///
/// From the common corner through another common point, a ray leaves one of the triangles first, at its far edge. This point
/// belongs to both triangles.
pub(super) fn corners_meet(first: [DVec3; 3], second: [DVec3; 3]) -> bool {
    segment_meets_triangle([first[1], first[2]], second)
        || segment_meets_triangle([second[1], second[2]], first)
}

fn edges([a, b, c]: [DVec3; 3]) -> impl Iterator<Item = [DVec3; 2]> {
    [[a, b], [b, c], [c, a]].into_iter()
}
