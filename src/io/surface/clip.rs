//! Convex bodies cut by planes.

use std::collections::HashMap;

use glam::DVec3;

use super::mesh::Mesh;

/// Returns the part of a convex body in a box; `None` if there is none.
pub(crate) fn clip_to_box(body: Mesh, low: DVec3, high: DVec3) -> Option<Mesh> {
    (0..3).try_fold(body, |body, axis| {
        clip(&clip(&body, axis, low[axis], -1.0)?, axis, high[axis], 1.0)
    })
}

/// Removes the part of a convex body on the outer side of a plane, and closes the cut with one polygon. The plane is
/// perpendicular to `axis` at `at`; `sign` is 1 if larger coordinates are outside, and -1 if smaller ones are. Returns `None`
/// if nothing remains.
fn clip(mesh: &Mesh, axis: usize, at: f64, sign: f64) -> Option<Mesh> {
    let heights: Vec<f64> = (mesh.vertices.iter())
        .map(|vertex| sign * (vertex[axis] - at))
        .collect();
    if heights.iter().all(|&height| height <= 0.0) {
        return Some(mesh.clone());
    }
    if heights.iter().all(|&height| height >= 0.0) {
        return None;
    }
    let mut cut = Cut {
        mesh,
        heights: &heights,
        axis,
        at,
        vertices: Vec::new(),
        kept: HashMap::new(),
        crossed: HashMap::new(),
    };
    let mut triangles = Vec::new();
    for &triangle in &mesh.triangles {
        let polygon = cut.polygon(triangle);
        for i in 2..polygon.len() {
            triangles.push([polygon[0], polygon[i - 1], polygon[i]]);
        }
    }
    let rim = cut.rim(sign);
    for i in 2..rim.len() {
        triangles.push([rim[0], rim[i - 1], rim[i]]);
    }
    Some(Mesh {
        vertices: cut.vertices,
        triangles,
    })
}

struct Cut<'a> {
    mesh: &'a Mesh,
    /// Height of each vertex above the plane; positive heights are removed.
    heights: &'a [f64],
    axis: usize,
    at: f64,
    vertices: Vec<DVec3>,
    /// New numbers of the vertices that remain.
    kept: HashMap<u32, u32>,
    /// Vertices where an edge crosses the plane.
    crossed: HashMap<(u32, u32), u32>,
}

impl Cut<'_> {
    /// Returns the part of a triangle below the plane.
    fn polygon(&mut self, triangle: [u32; 3]) -> Vec<u32> {
        let mut polygon = Vec::with_capacity(4);
        for i in 0..3 {
            let (a, b) = (triangle[i], triangle[(i + 1) % 3]);
            let (below_a, below_b) = (self.is_below(a), self.is_below(b));
            if below_a {
                polygon.push(self.keep(a));
            }
            if below_a != below_b {
                polygon.push(self.cross(a, b));
            }
        }
        polygon.dedup();
        if polygon.first() == polygon.last() {
            polygon.pop();
        }
        polygon
    }

    fn is_below(&self, vertex: u32) -> bool {
        self.heights[vertex as usize] <= 0.0
    }

    fn keep(&mut self, vertex: u32) -> u32 {
        let vertices = &mut self.vertices;
        let point = self.mesh.vertices[vertex as usize];
        *self.kept.entry(vertex).or_insert_with(|| {
            vertices.push(point);
            vertices.len() as u32 - 1
        })
    }

    fn cross(&mut self, a: u32, b: u32) -> u32 {
        // Both triangles of an edge get the same point.
        let (a, b) = (a.min(b), a.max(b));
        // A vertex on the plane is the point of all its edges.
        if let Some(vertex) = [a, b]
            .into_iter()
            .find(|&v| self.heights[v as usize] == 0.0)
        {
            let point = self.keep(vertex);
            self.crossed.insert((a, b), point);
            return point;
        }
        let (height_a, height_b) = (self.heights[a as usize], self.heights[b as usize]);
        let (from, to) = (
            self.mesh.vertices[a as usize],
            self.mesh.vertices[b as usize],
        );
        let mut point = from + (to - from) * (height_a / (height_a - height_b));
        point[self.axis] = self.at;
        let vertices = &mut self.vertices;
        *self.crossed.entry((a, b)).or_insert_with(|| {
            vertices.push(point);
            vertices.len() as u32 - 1
        })
    }

    /// Returns the points of the cut in counter-clockwise order when seen from outside.
    fn rim(&self, sign: f64) -> Vec<u32> {
        let mut rim: Vec<u32> = self.crossed.values().copied().collect();
        rim.sort_unstable();
        rim.dedup();
        let point = |vertex: u32| self.vertices[vertex as usize];
        let middle = rim.iter().map(|&v| point(v)).sum::<DVec3>() / rim.len() as f64;
        let (u, v) = ((self.axis + 1) % 3, (self.axis + 2) % 3);
        let angle = |vertex: u32| {
            let from_middle = point(vertex) - middle;
            libm::atan2(sign * from_middle[v], from_middle[u])
        };
        rim.sort_by(|&a, &b| angle(a).total_cmp(&angle(b)));
        rim
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::surface::icosphere::icosphere;

    fn volume(mesh: &Mesh) -> f64 {
        mesh.corners()
            .map(|[a, b, c]| a.cross(b).dot(c) / 6.0)
            .sum()
    }

    #[test]
    fn both_sides_of_a_cut_are_closed_and_fill_the_whole() {
        let sphere = icosphere(2);
        for axis in 0..3 {
            for at in [-0.5, 0.0, 0.1, 0.99] {
                let sides = [1.0, -1.0].map(|sign| clip(&sphere, axis, at, sign).unwrap());
                for side in &sides {
                    let mut edges = HashMap::new();
                    for &[a, b, c] in &side.triangles {
                        for (from, to) in [(a, b), (b, c), (c, a)] {
                            *edges.entry((from.min(to), from.max(to))).or_insert(0) +=
                                if from < to { 1 } else { -1 };
                        }
                    }
                    assert!(edges.values().all(|&sum| sum == 0), "an edge is open");
                }
                let whole = volume(&sides[0]) + volume(&sides[1]);
                assert!((whole - volume(&sphere)).abs() < 1e-12, "{axis} {at}");
            }
        }
        assert!(clip(&sphere, 0, -2.0, 1.0).is_none());
    }
}
