//! Rings of points that enclose a region of the plane.
//! A check that rings do not meet themselves or each other.

use glam::DVec2;

use super::{
    constants::{JOINED, LENGTHS, MOST_EDGES, TOUCHING},
    edges::Edges,
    error::OutlineError,
};

/// Accepted rings, with the region on their left, in a bounding box with one corner at the origin.
pub(super) struct Rings {
    pub rings: Vec<Vec<DVec2>>,
    /// Lengths of the bounding box.
    pub lengths: DVec2,
    /// Area of the region.
    pub area: f64,
    pub edges: Edges,
}

impl Rings {
    /// Accepts rings whose lowest coordinates are 0. A point is in the region if an odd number of rings enclose it.
    pub fn new(mut rings: Vec<Vec<DVec2>>) -> Result<Self, OutlineError> {
        let count = rings.iter().map(Vec::len).sum();
        if count > MOST_EDGES {
            return Err(OutlineError::TooManyEdges { edges: count });
        }
        let (_, lengths) = bounds(&rings);
        for (axis, length) in ['x', 'y'].into_iter().zip(lengths.to_array()) {
            if !LENGTHS.contains(&length) {
                return Err(OutlineError::Length { axis, length });
            }
        }
        check_crossings(&rings, lengths.max_element())?;
        let depths: Vec<usize> = (0..rings.len())
            .map(|own| {
                let others = rings.iter().enumerate().filter(|(other, _)| *other != own);
                others
                    .filter(|(_, ring)| encloses(ring, rings[own][0]))
                    .count()
            })
            .collect();
        let mut area = 0.0;
        for (ring, depth) in rings.iter_mut().zip(depths) {
            let is_hole = depth % 2 == 1;
            let own = signed_area(ring);
            if (own < 0.0) != is_hole {
                ring.reverse();
            }
            area += if is_hole { -own.abs() } else { own.abs() };
        }
        Ok(Self {
            edges: Edges::new(&rings, lengths),
            rings,
            lengths,
            area,
        })
    }
}

/// Joins successive points at one place, and rejects rings that are none.
pub(super) fn cleaned(rings: Vec<Vec<DVec2>>) -> Result<Vec<Vec<DVec2>>, OutlineError> {
    if rings.is_empty() {
        return Err(OutlineError::Empty);
    }
    let (low, high) = bounds(&rings);
    let joined = JOINED * (high - low).max_element();
    let is_one = |a: DVec2, b: DVec2| a.distance(b) <= joined;
    let clean = |(k, mut points): (usize, Vec<DVec2>)| {
        let ring = k + 1;
        if let Some(&point) = points.iter().find(|point| !point.is_finite()) {
            return Err(OutlineError::Number { ring, point });
        }
        points.dedup_by(|a, b| is_one(*a, *b));
        while points.len() > 1 && is_one(points[0], points[points.len() - 1]) {
            points.pop();
        }
        match points.len() {
            0..3 => Err(OutlineError::Points {
                ring,
                points: points.len(),
            }),
            _ => Ok(points),
        }
    };
    rings.into_iter().enumerate().map(clean).collect()
}

/// Returns the lowest and the highest corner of the bounding box.
pub(super) fn bounds(rings: &[Vec<DVec2>]) -> (DVec2, DVec2) {
    let points = || rings.iter().flatten().copied();
    let low = points().fold(DVec2::INFINITY, DVec2::min);
    let high = points().fold(DVec2::NEG_INFINITY, DVec2::max);
    (low, high)
}

/// Returns the area of a ring, negative if its points run clockwise.
fn signed_area(ring: &[DVec2]) -> f64 {
    let first = ring[0];
    let pairs = ring.windows(2);
    0.5 * (pairs.map(|pair| (pair[0] - first).perp_dot(pair[1] - first))).sum::<f64>()
}

/// Returns whether a ring encloses a point that is not on it: whether a line from the point to the right crosses the ring an odd number of
/// times.
pub(super) fn encloses(ring: &[DVec2], point: DVec2) -> bool {
    let count = ring.len();
    let is_crossed = |&k: &usize| {
        let (a, b) = (ring[k], ring[(k + 1) % count]);
        (a.y > point.y) != (b.y > point.y)
            && point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)
    };
    (0..count).filter(is_crossed).count() % 2 == 1
}

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
fn check_crossings(rings: &[Vec<DVec2>], longest: f64) -> Result<(), OutlineError> {
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
