//! Convex polyhedra that planes cut.

use std::ops::Range;

use glam::{BVec3, DVec3};

/// A convex polyhedron. The planes of its faces have distances from the origin, which need not be inside.
///
/// A cut reuses memory, so that cutting many polyhedra one after the other allocates none.
#[derive(Default)]
pub(super) struct Polyhedron {
    surface: Surface,
    /// Distance of the farthest corner from the origin.
    reach: f64,
    /// The surface after a cut, and before it while it is made.
    next: Surface,
    /// Height of each corner above the plane of a cut, and its position among the corners that remain, or [`ABOVE`].
    heights: Vec<f64>,
    places: Vec<u32>,
    rim: Rim,
}

/// Corners and faces.
///
/// Each corner is stored once, so that it is on one side of a plane for all of its faces. Each edge belongs to two faces, which pass it in
/// opposite directions. A cut keeps this order even where rounding errors decide on which side corners are.
#[derive(Default)]
struct Surface {
    corners: Vec<DVec3>,
    faces: Vec<Face>,
    /// Positions of the corners around each face, face by face.
    rounds: Vec<u32>,
}

/// One face.
#[derive(Clone, Copy)]
struct Face {
    /// Distance of its plane from the origin, negative if the origin is beyond the plane.
    offset: f64,
    /// Number of its corners.
    corners: usize,
}

/// The edges where a plane divides faces.
#[derive(Default)]
struct Rim {
    /// Edges that the plane crosses, from the corner below it to the corner above it, with the position of the new corner.
    crossings: Vec<([u32; 2], u32)>,
    /// Edges of the new face, from corner to corner.
    edges: Vec<[u32; 2]>,
}

/// The position of a corner above the plane.
const ABOVE: u32 = u32::MAX;

/// The corners around the faces of a cuboid. The bits of a corner state along which axes it is high.
const CUBOID: [[u32; 4]; 6] = [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
];

impl Polyhedron {
    /// Becomes a cuboid, from its lowest and its highest corner.
    pub(super) fn set_cuboid(&mut self, low: DVec3, high: DVec3) {
        let surface = &mut self.surface;
        surface.clear();
        surface.corners.extend((0..8).map(|corner| {
            let is_high = |axis: u32| (corner >> axis) & 1 == 1;
            DVec3::select(BVec3::new(is_high(0), is_high(1), is_high(2)), high, low)
        }));
        for (face, round) in CUBOID.iter().enumerate() {
            let axis = face / 2;
            let is_high = face % 2 == 1;
            surface.faces.push(Face {
                offset: if is_high { high[axis] } else { -low[axis] },
                corners: round.len(),
            });
            surface.rounds.extend(round);
        }
        self.measure();
    }

    /// Removes the points with `normal · point > offset`. The normal has the length 1.
    pub(super) fn cut(&mut self, normal: DVec3, offset: f64) {
        let corners = self.surface.corners.iter();
        self.heights.clear();
        self.heights
            .extend(corners.map(|&corner| normal.dot(corner) - offset));
        if self.heights.iter().all(|&height| height <= 0.0) {
            return;
        }
        self.next.clear();
        self.places.clear();
        for (&corner, &height) in self.surface.corners.iter().zip(&self.heights) {
            let is_below = height <= 0.0;
            let place = self.next.corners.len() as u32;
            self.places.push(if is_below { place } else { ABOVE });
            if is_below {
                self.next.corners.push(corner);
            }
        }
        let mut start = 0;
        for face in 0..self.surface.faces.len() {
            let Face { offset, corners } = self.surface.faces[face];
            self.cut_face(start..start + corners, offset);
            start += corners;
        }
        self.rim.close(&mut self.next, offset);
        std::mem::swap(&mut self.surface, &mut self.next);
        self.measure();
    }

    /// Adds the part of a face below the plane to the next surface, and the edge in the plane to the rim.
    fn cut_face(&mut self, round: Range<usize>, offset: f64) {
        let first = self.next.rounds.len();
        let round = &self.surface.rounds[round];
        let places = round.iter().map(|&corner| self.places[corner as usize]);
        self.next.rounds.extend(places);
        if self.next.rounds[first..]
            .iter()
            .all(|&place| place != ABOVE)
        {
            let corners = round.len();
            self.next.faces.push(Face { offset, corners });
            return;
        }
        self.next.rounds.truncate(first);
        let is_below = |corner: u32| self.places[corner as usize] != ABOVE;
        let (mut before, mut left, mut entered) = (round[round.len() - 1], None, None);
        for &corner in round {
            if is_below(corner) != is_below(before) {
                let ends = if is_below(before) {
                    [before, corner]
                } else {
                    [corner, before]
                };
                let heights = ends.map(|end| self.heights[end as usize]);
                let place = self
                    .rim
                    .crossing(ends, heights, &self.surface, &mut self.next);
                self.next.rounds.push(place);
                if is_below(before) {
                    left = Some(place);
                } else if let Some(left) = left.take() {
                    self.rim.edges.push([place, left]);
                } else {
                    entered = Some(place);
                }
            }
            if is_below(corner) {
                self.next.rounds.push(self.places[corner as usize]);
            }
            before = corner;
        }
        self.rim
            .edges
            .extend(entered.zip(left).map(|(entered, left)| [entered, left]));
        let corners = self.next.rounds.len() - first;
        if corners > 0 {
            self.next.faces.push(Face { offset, corners });
        }
    }

    /// Removes all points.
    pub(super) fn clear(&mut self) {
        self.surface.clear();
        self.measure();
    }

    /// Returns the corners.
    pub(super) fn corners(&self) -> impl Iterator<Item = DVec3> {
        self.surface.corners.iter().copied()
    }

    /// Returns the distance of the farthest corner from the origin; 0 without points.
    pub(super) fn reach(&self) -> f64 {
        self.reach
    }

    fn measure(&mut self) {
        let squared = self.corners().map(DVec3::length_squared);
        self.reach = squared.fold(0.0, f64::max).sqrt();
    }

    /// Returns the volume, by the divergence theorem: each face is the base of a pyramid whose apex is the origin.
    pub(super) fn volume(&self) -> f64 {
        let mut rounds = self.surface.rounds.as_slice();
        let mut sum = 0.0;
        for face in &self.surface.faces {
            let (round, later) = rounds.split_at(face.corners);
            sum += face.offset * self.surface.area(round);
            rounds = later;
        }
        (sum / 3.0).max(0.0)
    }
}

impl Surface {
    fn clear(&mut self) {
        self.corners.clear();
        self.faces.clear();
        self.rounds.clear();
    }

    /// Returns the area of the polygon with these corners.
    fn area(&self, round: &[u32]) -> f64 {
        let corner = |k: usize| self.corners[round[k] as usize];
        let triangle = |k| (corner(k) - corner(0)).cross(corner(k + 1) - corner(0));
        0.5 * (1..round.len() - 1).map(triangle).sum::<DVec3>().length()
    }
}

impl Rim {
    /// Returns the position of the corner where an edge crosses the plane, which is new for the first of its two faces. `heights` are those
    /// of its ends, the lower one and the upper one.
    fn crossing(
        &mut self,
        ends: [u32; 2],
        heights: [f64; 2],
        surface: &Surface,
        next: &mut Surface,
    ) -> u32 {
        if let Some(&(_, place)) = self.crossings.iter().find(|(known, _)| *known == ends) {
            return place;
        }
        let [from, to] = ends.map(|end| surface.corners[end as usize]);
        let place = next.corners.len() as u32;
        next.corners
            .push(from + (to - from) * (heights[0] / (heights[0] - heights[1])));
        self.crossings.push((ends, place));
        place
    }

    /// Adds the face in the plane: the rounds of the edges. Rounding errors can divide it into several rounds.
    fn close(&mut self, next: &mut Surface, offset: f64) {
        self.crossings.clear();
        while let Some([start, mut at]) = self.edges.pop() {
            let first = next.rounds.len();
            next.rounds.push(start);
            while at != start {
                next.rounds.push(at);
                let Some(edge) = self.edges.iter().position(|edge| edge[0] == at) else {
                    break;
                };
                at = self.edges.swap_remove(edge)[1];
            }
            let corners = next.rounds.len() - first;
            next.faces.push(Face { offset, corners });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut_cubes_have_known_volumes() {
        let mut cube = Polyhedron::default();
        cube.set_cuboid(DVec3::splat(-1.0), DVec3::splat(1.0));
        assert_eq!(cube.volume(), 8.0);
        assert_eq!(cube.reach(), 3.0_f64.sqrt());
        // A corner, which is a tetrahedron with three edges of length 1.
        let diagonal = DVec3::ONE.normalize();
        cube.cut(diagonal, 2.0 / 3.0_f64.sqrt());
        assert!((cube.volume() - (8.0 - 1.0 / 6.0)).abs() < 1e-14);
        // A plane through the other corners of the same faces halves nothing twice.
        cube.cut(diagonal, 2.0 / 3.0_f64.sqrt());
        cube.cut(DVec3::X, 1.0);
        assert!((cube.volume() - (8.0 - 1.0 / 6.0)).abs() < 1e-14);
        cube.cut(-diagonal, 0.0);
        assert!((cube.volume() - (4.0 - 1.0 / 6.0)).abs() < 1e-14);
        // The origin is outside.
        cube.cut(-DVec3::X, -0.5);
        assert!(cube.volume() > 0.0 && cube.volume() < 2.0);
        cube.cut(DVec3::X, 0.25);
        assert_eq!(cube.volume(), 0.0);
    }

    #[test]
    fn planes_around_a_sphere_leave_its_volume() {
        let mut cell = Polyhedron::default();
        cell.set_cuboid(DVec3::splat(-3.0), DVec3::splat(3.0));
        let count = 500;
        for k in 0..count {
            // Points of a spiral on the sphere.
            let z = 1.0 - (2.0 * k as f64 + 1.0) / count as f64;
            let (sin, cos) = (k as f64 * 2.399_963).sin_cos();
            let across = (1.0 - z * z).sqrt();
            cell.cut(DVec3::new(across * cos, across * sin, z), 1.0);
        }
        let ball = 4.0 / 3.0 * std::f64::consts::PI;
        assert!(cell.volume() > ball && cell.volume() < 1.01 * ball);
    }
}
