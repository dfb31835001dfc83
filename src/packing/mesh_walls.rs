//! Distances from triangle meshes, for the certificate.
//!
//! Nothing here is shared with the packing loop: a uniform grid instead of a tree and a field of distances, other formulas for the
//! distance of a triangle, and exact crossings of a line instead of normals for the inside.

use glam::{DVec2, DVec3};
use robust::{Coord, Coord3D};

use super::closest::{Closest, ClosestPair};
use crate::{container::Mesh, spheres::Spheres};

/// Returns the smallest gap of a sphere to the walls of a mesh.
pub(super) fn closest_mesh_wall(spheres: &Spheres, mesh: &Mesh) -> Closest {
    let walls = MeshWalls::new(mesh);
    let of_sphere = |best: Closest, i: usize| {
        let (center, radius) = (spheres.centers()[i], spheres.radii()[i]);
        // A sphere with a larger gap than the smallest so far is of no interest.
        match walls.distance_below(center, true, radius + best.gap) {
            Some(distance) => best.or(distance - radius, ClosestPair::Side(i)),
            None => best,
        }
    };
    Closest::of_all(spheres.len(), of_sphere)
}

/// A triangle by its corners.
type Triangle = [DVec3; 3];

/// The triangles of a mesh in the cells of a grid over its bounding box.
pub(super) struct MeshWalls {
    triangles: Vec<Triangle>,
    /// Side of a cell.
    side: f64,
    /// Number of cells along each axis.
    counts: [usize; 3],
    /// Where the triangles of each cell start in `entries`.
    starts: Vec<u32>,
    /// Triangles of all cells, cell by cell.
    entries: Vec<u32>,
}

impl MeshWalls {
    /// Sorts the triangles of a mesh into cells.
    ///
    /// Cost: O(T) for T triangles.
    pub fn new(mesh: &Mesh) -> Self {
        let vertices: Vec<DVec3> = mesh.vertices().collect();
        let triangles: Vec<Triangle> = mesh
            .triangles()
            .iter()
            .map(|corners| corners.map(|vertex| vertices[vertex as usize]))
            .collect();
        let lengths = mesh.lengths();
        // About one cell for each triangle, but no more entries than memory holds.
        let most = 16 * triangles.len() + 1000;
        let side = libm::cbrt(lengths.element_product() / triangles.len() as f64)
            .max(lengths.max_element() / 1024.0);
        let mut walls = Self {
            triangles,
            side,
            counts: [0; 3],
            starts: Vec::new(),
            entries: Vec::new(),
        };
        loop {
            let counts = lengths.to_array();
            walls.counts = counts.map(|length| (length / walls.side) as usize + 1);
            if walls.fill(most) {
                return walls;
            }
            walls.side *= 1.5;
        }
    }

    /// Sorts the triangles into the cells, unless there are more than `most` entries. Returns whether they are sorted.
    fn fill(&mut self, most: usize) -> bool {
        let cells: usize = self.counts.iter().product();
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for (id, &triangle) in (0..).zip(&self.triangles) {
            let [a, b, c] = triangle;
            let (low, high) = (self.cell(a.min(b).min(c)), self.cell(a.max(b).max(c)));
            for z in low[2]..=high[2] {
                for y in low[1]..=high[1] {
                    for x in low[0]..=high[0] {
                        if self.may_meet([x, y, z], triangle) {
                            pairs.push((self.number([x, y, z]) as u32, id));
                        }
                    }
                }
            }
            if pairs.len() > most && cells > 1 {
                return false;
            }
        }
        self.starts = vec![0; cells + 1];
        for &(cell, _) in &pairs {
            self.starts[cell as usize + 1] += 1;
        }
        for cell in 0..cells {
            self.starts[cell + 1] += self.starts[cell];
        }
        let mut next = self.starts.clone();
        self.entries = vec![0; pairs.len()];
        for (cell, id) in pairs {
            let slot = &mut next[cell as usize];
            self.entries[*slot as usize] = id;
            *slot += 1;
        }
        true
    }

    fn number(&self, [x, y, z]: [usize; 3]) -> usize {
        x + self.counts[0] * (y + self.counts[1] * z)
    }

    /// Returns the cell of a point; the nearest one for a point outside of the grid.
    fn cell(&self, point: DVec3) -> [usize; 3] {
        // Conversion of a negative number to an unsigned one gives 0.
        std::array::from_fn(|axis| ((point[axis] / self.side) as usize).min(self.counts[axis] - 1))
    }

    /// Returns whether the plane of a triangle meets a cell, or nearly does.
    fn may_meet(&self, cell: [usize; 3], [a, b, c]: Triangle) -> bool {
        let normal = (b - a).cross(c - a);
        let center = (DVec3::from_array(cell.map(|x| x as f64)) + 0.5) * self.side;
        let reach = 0.5001 * self.side * normal.abs().element_sum();
        (center - a).dot(normal).abs() <= reach + 1e-9 * self.side * normal.length()
    }

    fn in_cell(&self, cell: [usize; 3]) -> &[u32] {
        let number = self.number(cell);
        &self.entries[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    /// Returns the signed distance of a point from the surface if it is below `limit`. It is positive inside if spheres are inside the
    /// mesh, or else outside.
    pub fn distance_below(
        &self,
        point: DVec3,
        spheres_are_inside: bool,
        limit: f64,
    ) -> Option<f64> {
        if self.is_inside(point) != spheres_are_inside {
            return Some(-self.nearest(point, f64::INFINITY));
        }
        let distance = self.nearest(point, limit);
        (distance < limit).then_some(distance)
    }

    /// Returns the distance from the nearest triangle, or `limit` if that is smaller.
    fn nearest(&self, point: DVec3, limit: f64) -> f64 {
        let center = self.cell(point);
        let farthest = self.counts.into_iter().max().unwrap_or(1);
        let mut best = limit;
        // A point outside of the grid is farther from all cells than the nearest point in the grid.
        for ring in 0..=farthest {
            if ring > 1 && (ring - 1) as f64 * self.side > best {
                break;
            }
            self.visit_ring(center, ring, &mut |cell| {
                for &id in self.in_cell(cell) {
                    best = best.min(distance(point, self.triangles[id as usize]));
                }
            });
        }
        best
    }

    /// Visits the cells at `ring` cells from `center` along at least one axis, and no more along the others.
    fn visit_ring(&self, center: [usize; 3], ring: usize, visit: &mut impl FnMut([usize; 3])) {
        let range = |axis: usize| {
            let high = (center[axis] + ring).min(self.counts[axis] - 1);
            center[axis].saturating_sub(ring)..=high
        };
        let is_far = |axis: usize, x: usize| x.abs_diff(center[axis]) == ring;
        for z in range(2) {
            for y in range(1) {
                if is_far(2, z) || is_far(1, y) {
                    range(0).for_each(|x| visit([x, y, z]));
                    continue;
                }
                for x in [center[0].checked_sub(ring), Some(center[0] + ring)] {
                    if let Some(x) = x.filter(|&x| x < self.counts[0]) {
                        visit([x, y, z]);
                    }
                }
            }
        }
    }

    /// Returns whether a point lies inside: whether a line from it to infinite x leaves the body once more than it enters.
    ///
    /// All decisions are exact. The line is moved by less than any number to one side, so that it meets no edge.
    fn is_inside(&self, point: DVec3) -> bool {
        let highest = DVec3::from_array(self.counts.map(|count| count as f64)) * self.side;
        if point.cmplt(DVec3::ZERO).any() || point.cmpgt(highest).any() {
            return false;
        }
        let [start, y, z] = self.cell(point);
        let mut ids: Vec<u32> = (start..self.counts[0])
            .flat_map(|x| self.in_cell([x, y, z]))
            .copied()
            .collect();
        ids.sort_unstable();
        ids.dedup();
        let crossings = ids
            .into_iter()
            .map(|id| crossing(point, self.triangles[id as usize]));
        crossings.sum::<i32>() > 0
    }
}

/// Returns the distance of a point from a triangle.
fn distance(p: DVec3, [a, b, c]: Triangle) -> f64 {
    let normal = (b - a).cross(c - a);
    let is_left = |from: DVec3, to: DVec3| (to - from).cross(p - from).dot(normal) >= 0.0;
    if is_left(a, b) && is_left(b, c) && is_left(c, a) {
        return (p - a).dot(normal).abs() / normal.length();
    }
    let squared = [[a, b], [b, c], [c, a]].map(|[from, to]| {
        let along = to - from;
        let share = ((p - from).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        (p - (from + along * share)).length_squared()
    });
    squared.into_iter().fold(f64::INFINITY, f64::min).sqrt()
}

/// Returns 1 if a line from `p` towards infinite x leaves the body through a triangle, −1 if it enters, and 0 if it misses.
fn crossing(p: DVec3, [a, b, c]: Triangle) -> i32 {
    let turn = turn_around(p, a, b);
    if turn == 0 || turn_around(p, b, c) != turn || turn_around(p, c, a) != turn {
        return 0;
    }
    let [qa, qb, qc, qp] = [a, b, c, p].map(|DVec3 { x, y, z }| Coord3D { x, y, z });
    let side = robust::orient3d(qa, qb, qc, qp);
    if side * f64::from(turn) > 0.0 {
        turn
    } else {
        0
    }
}

/// Returns the direction in which an edge runs around the line through `p` parallel to x: 1 or −1, and 0 for an edge parallel to
/// x. The line is moved by an infinitely small length along y, and by the square of this length along z.
fn turn_around(p: DVec3, from: DVec3, to: DVec3) -> i32 {
    let sign = |x: f64| i32::from(x > 0.0) - i32::from(x < 0.0);
    let [a, b, q] = [from, to, p].map(|point| DVec2::new(point.y, point.z));
    let coord = |DVec2 { x, y }| Coord { x, y };
    match sign(robust::orient2d(coord(a), coord(b), coord(q))) {
        0 if a.y != b.y => sign(a.y - b.y),
        0 => sign(b.x - a.x),
        turn => turn,
    }
}
