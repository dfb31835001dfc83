//! The edges of an outline, and the one nearest to a point.

use glam::DVec2;
use rayon::prelude::*;

use super::{
    super::wall::Wall,
    constants::{CELL_MARGIN, CELLS, CELLS_PER_EDGE},
};
use crate::machine::parallel::Erase;

/// The edges of rings, with the region on their left.
pub(super) struct Edges {
    edges: Vec<Edge>,
    /// Lowest corner of the cells.
    low: DVec2,
    cells_per_length: f64,
    counts: [usize; 2],
    /// Start of the edges of each cell, and the end of the last ones.
    starts: Vec<u32>,
    /// For each cell, the edges of which one is nearest to any point of the cell.
    near: Vec<u32>,
}

/// A straight edge.
struct Edge {
    from: DVec2,
    /// Unit vector towards the end.
    along: DVec2,
    length: f64,
    /// Unit vectors into the region: at the start, along the edge, and at the end. At a corner, it is the mean of both edges.
    inwards: [DVec2; 3],
}

impl Edge {
    /// Returns the position along the edge of the point nearest to `point`, and the square of the distance.
    #[inline]
    fn foot(&self, point: DVec2) -> (f64, f64) {
        let from_start = point - self.from;
        let at = from_start.dot(self.along).clamp(0.0, self.length);
        (at, (from_start - at * self.along).length_squared())
    }
}

impl Edges {
    /// Collects the edges of rings in a bounding box with one corner at the origin.
    pub fn new(rings: &[Vec<DVec2>], lengths: DVec2) -> Self {
        let edges: Vec<Edge> = rings.iter().flat_map(|ring| edges_of(ring)).collect();
        let longest = lengths.max_element();
        let cells = CELLS_PER_EDGE * (edges.len() as f64).sqrt();
        let cells_per_length = cells.clamp(*CELLS.start(), *CELLS.end()) / longest;
        let low = DVec2::splat(-CELL_MARGIN * longest);
        let counts = (lengths - 2.0 * low) * cells_per_length;
        let counts = counts.to_array().map(|count| count.ceil() as usize);
        let mut found = Self {
            edges,
            low,
            cells_per_length,
            counts,
            starts: vec![0],
            near: Vec::new(),
        };
        let near = (0..counts[0] * counts[1])
            .into_par_iter()
            .erased()
            .map(|cell| found.near_cell(cell));
        for edges in near.collect::<Vec<Vec<u32>>>() {
            found.near.extend(edges);
            found.starts.push(found.near.len() as u32);
        }
        found
    }

    /// Returns the edges of which one is nearest to any point of a cell: the distances of two points from an edge differ by at most their
    /// own distance.
    fn near_cell(&self, cell: usize) -> Vec<u32> {
        let [x, y] = [cell % self.counts[0], cell / self.counts[0]].map(|at| at as f64 + 0.5);
        let middle = self.low + DVec2::new(x, y) / self.cells_per_length;
        let half_diagonal = 0.5 * 2f64.sqrt() / self.cells_per_length;
        let distance = |edge: &Edge| edge.foot(middle).1.sqrt();
        let nearest = self
            .edges
            .iter()
            .map(distance)
            .fold(f64::INFINITY, f64::min);
        let reach = (nearest + 2.0 * half_diagonal) * (1.0 + 1e-9);
        let edges = (0..).zip(&self.edges);
        let near = edges.filter(|(_, edge)| distance(edge) <= reach);
        near.map(|(number, _)| number).collect()
    }

    /// Returns the part of the outline that is nearest to a point.
    pub fn wall(&self, point: DVec2) -> Wall {
        let of = |edge: &Edge| {
            let (at, squared) = edge.foot(point);
            (squared, at)
        };
        let closer = |best: (f64, f64, usize), number: usize| {
            let (squared, at) = of(&self.edges[number]);
            if squared < best.0 {
                (squared, at, number)
            } else {
                best
            }
        };
        let start = (f64::INFINITY, 0.0, 0);
        let (_, at, number) = match self.cell(point) {
            Some(near) => near
                .iter()
                .map(|&number| number as usize)
                .fold(start, closer),
            None => (0..self.edges.len()).fold(start, closer),
        };
        let edge = &self.edges[number];
        let foot = edge.from + at * edge.along;
        let inwards = if at <= 0.0 {
            edge.inwards[0]
        } else if at >= edge.length {
            edge.inwards[2]
        } else {
            edge.inwards[1]
        };
        let away = point - foot;
        let is_inside = away.dot(inwards) >= 0.0;
        let distance = away.length();
        let sign = if is_inside { 1.0 } else { -1.0 };
        Wall {
            distance: sign * distance,
            point: foot.extend(0.0),
            inwards: (sign * away).try_normalize().unwrap_or(inwards).extend(0.0),
        }
    }

    /// Returns the edges near a point; `None` far outside.
    #[inline]
    fn cell(&self, point: DVec2) -> Option<&[u32]> {
        let at = (point - self.low) * self.cells_per_length;
        let [x, y] = at.to_array().map(f64::floor);
        let [columns, rows] = self.counts.map(|count| count as f64);
        if !((0.0..columns).contains(&x) && (0.0..rows).contains(&y)) {
            return None;
        }
        let cell = y as usize * self.counts[0] + x as usize;
        Some(&self.near[self.starts[cell] as usize..self.starts[cell + 1] as usize])
    }
}

/// Returns the edges of a ring.
fn edges_of(ring: &[DVec2]) -> Vec<Edge> {
    let count = ring.len();
    let along = |k: usize| (ring[(k + 1) % count] - ring[k % count]).normalize();
    let corner = |before: DVec2, after: DVec2| {
        // Of edges that fold back, the check of crossings rejects all but those with an angle.
        (before.perp() + after.perp())
            .try_normalize()
            .unwrap_or(-before)
    };
    (0..count)
        .map(|k| {
            let (before, own, after) = (along(k + count - 1), along(k), along(k + 1));
            Edge {
                from: ring[k],
                along: own,
                length: ring[k].distance(ring[(k + 1) % count]),
                inwards: [corner(before, own), own.perp(), corner(own, after)],
            }
        })
        .collect()
}
