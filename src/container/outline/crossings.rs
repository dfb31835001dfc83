//! The check that rings do not meet themselves or each other.

use glam::DVec2;

use super::{constants::TOUCHING, error::OutlineError};

/// An edge with the numbers of its ring and of itself in the ring.
struct Edge {
    ends: [DVec2; 2],
    ring: usize,
    number: usize,
}

/// Rejects rings whose edges cross or touch, except where successive edges share an end.
///
/// # Cost
/// O(E log E + pairs of edges that overlap along x).
pub(super) fn check_crossings(rings: &[Vec<DVec2>], longest: f64) -> Result<(), OutlineError> {
    let edges_of = |(ring, points): (usize, &Vec<DVec2>)| {
        let edge = |number: usize| Edge {
            ends: [points[number], points[(number + 1) % points.len()]],
            ring,
            number,
        };
        (0..points.len()).map(edge).collect::<Vec<Edge>>()
    };
    let mut edges: Vec<Edge> = rings.iter().enumerate().flat_map(edges_of).collect();
    let low = |edge: &Edge| edge.ends[0].x.min(edge.ends[1].x);
    edges.sort_unstable_by(|a, b| low(a).total_cmp(&low(b)));
    let margin = TOUCHING * longest;
    for (k, a) in edges.iter().enumerate() {
        let high = a.ends[0].x.max(a.ends[1].x) + margin;
        let later = edges[k + 1..].iter().take_while(|b| low(b) <= high);
        for b in later {
            let count = rings[a.ring].len();
            let meets = if a.ring == b.ring && (a.number + 1) % count == b.number {
                folds_back(a.ends, b.ends, margin)
            } else if a.ring == b.ring && (b.number + 1) % count == a.number {
                folds_back(b.ends, a.ends, margin)
            } else {
                touch(a.ends, b.ends, margin)
            };
            if meets {
                return Err(OutlineError::Crossing { at: a.ends[1] });
            }
        }
    }
    Ok(())
}

/// Returns whether the second of two successive edges returns along the first one.
fn folds_back([from, middle]: [DVec2; 2], [_, to]: [DVec2; 2], margin: f64) -> bool {
    let (back, on) = (from - middle, to - middle);
    back.dot(on) > 0.0 && from_edge(to, [from, middle]).min(from_edge(from, [middle, to])) <= margin
}

/// Returns whether two edges cross, or come as close as `margin`.
fn touch(a: [DVec2; 2], b: [DVec2; 2], margin: f64) -> bool {
    let side = |[from, to]: [DVec2; 2], point: DVec2| (to - from).perp_dot(point - from);
    let divides = |edge: [DVec2; 2], other: [DVec2; 2]| {
        let [first, last] = other.map(|end| side(edge, end));
        (first > 0.0) != (last > 0.0)
    };
    if divides(a, b) && divides(b, a) {
        return true;
    }
    let ends =
        (b.iter().map(|&end| from_edge(end, a))).chain(a.iter().map(|&end| from_edge(end, b)));
    ends.fold(f64::INFINITY, f64::min) <= margin
}

/// Returns the distance of a point from an edge.
fn from_edge(point: DVec2, [from, to]: [DVec2; 2]) -> f64 {
    let along = to - from;
    let share = (point - from).dot(along) / along.length_squared();
    point.distance(from + along * share.clamp(0.0, 1.0))
}
