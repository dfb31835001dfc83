//! Cracks: open edges whose vertices nearly meet, or that end on other edges.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;
use parry3d_f64::{
    bounding_volume::Aabb,
    partitioning::{Bvh, BvhBuildStrategy},
};

use super::{
    facet::vector,
    patchwork::Patchwork,
    surface::bounds,
    topology::{Side, open_edges, sides},
    weld::first_of_each,
};

impl Patchwork {
    /// Joins vertices at open edges that are at most [`Self::tolerance`] apart along each axis.
    pub fn join_cracks(&mut self) {
        let sides = sides(&self.triangles);
        let open = vertices_of(open_edges(&sides));
        let points: Vec<DVec3> = open.iter().map(|&v| self.vertices[v as usize]).collect();
        let low = bounds(&self.vertices).0;
        let first = first_of_each(&points, low, self.tolerance);
        let mut numbers: Vec<u32> = (0..self.vertices.len() as u32).collect();
        for (&vertex, &first) in open.iter().zip(&first) {
            if open[first] != vertex {
                numbers[vertex as usize] = open[first];
                self.repairs.welded_vertices += 1;
            }
        }
        for vertex in self.triangles.as_flattened_mut() {
            *vertex = numbers[*vertex as usize];
        }
        self.drop_useless();
    }

    /// Divides triangles at the vertices on their open edges, within [`Self::tolerance`].
    pub fn divide_at_vertices(&mut self) {
        // Each pass divides one of the three edges of a triangle.
        for _ in 0..3 {
            let sides = sides(&self.triangles);
            let open: Vec<&Side> = open_edges(&sides).collect();
            let mut divided = BTreeSet::new();
            for (edge, mut on_edge) in self.vertices_on(&open) {
                let &Side { triangle, edge, .. } = open[edge];
                if divided.insert(triangle) {
                    on_edge.sort_by(|a, b| a.0.total_cmp(&b.0));
                    let on_edge = on_edge.into_iter().map(|(_, vertex)| vertex);
                    self.divide(triangle, edge as usize, on_edge);
                }
            }
            if divided.is_empty() {
                return;
            }
            self.repairs.divided_triangles += divided.len() as u64;
            self.drop_useless();
        }
    }

    /// Returns for each open edge the vertices of other open edges that lie on it, with their shares of the way from the edge's first
    /// corner to the next.
    fn vertices_on(&self, open: &[&Side]) -> BTreeMap<usize, Vec<(f64, u32)>> {
        let mut found: BTreeMap<usize, Vec<(f64, u32)>> = BTreeMap::new();
        if open.is_empty() {
            return found;
        }
        let tolerance = self.tolerance;
        let boxes: Vec<Aabb> = (open.iter())
            .map(|side| {
                let [a, b] = self.at(side.ends());
                Aabb::new(vector(a.min(b) - tolerance), vector(a.max(b) + tolerance))
            })
            .collect();
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
        for vertex in vertices_of(open.iter().copied()) {
            let [at] = self.at([vertex]);
            let point = vector(at);
            let near = tree
                .leaves(|node| node.mins().cmple(point).all() && node.maxs().cmpge(point).all());
            for edge in near {
                let ends = self.directed(open[edge as usize]);
                if let Some(share) = share_on_edge(self.at(ends), at, tolerance) {
                    found
                        .entry(edge as usize)
                        .or_default()
                        .push((share, vertex));
                }
            }
        }
        found
    }

    /// Returns the ends of an edge in the direction of its triangle.
    fn directed(&self, side: &Side) -> [u32; 2] {
        let corners = self.triangles[side.triangle as usize];
        [0, 1].map(|k| corners[(side.edge as usize + k) % 3])
    }

    /// Divides a triangle at vertices on one of its edges, from corner `edge` to the next.
    fn divide(&mut self, triangle: u32, edge: usize, on_edge: impl Iterator<Item = u32>) {
        let corners = self.triangles[triangle as usize];
        let [from, to, opposite] = [0, 1, 2].map(|k| corners[(edge + k) % 3]);
        let source = self.sources[triangle as usize];
        let mut last = from;
        for vertex in on_edge {
            self.triangles.push([last, vertex, opposite]);
            self.sources.push(source);
            last = vertex;
        }
        self.triangles[triangle as usize] = [last, to, opposite];
    }
}

/// Returns the vertices at some edges, sorted.
fn vertices_of<'a>(open: impl Iterator<Item = &'a Side>) -> Vec<u32> {
    let vertices: BTreeSet<u32> = open.flat_map(Side::ends).collect();
    vertices.into_iter().collect()
}

/// Returns the share of the way along an edge at which a point lies on it; `None` beside the edge and near its ends.
fn share_on_edge([from, to]: [DVec3; 2], point: DVec3, tolerance: f64) -> Option<f64> {
    let (along, beside) = (to - from, point - from);
    let share = beside.dot(along) / along.length_squared();
    let is_on_edge = (beside - share * along).length() <= tolerance;
    let is_between = beside.length() > tolerance && (point - to).length() > tolerance;
    (is_on_edge && is_between && share > 0.0 && share < 1.0).then_some(share)
}
