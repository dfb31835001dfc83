//! Lines through a mesh, for volumes.

use glam::{DVec2, DVec3};

use super::{constants::MOST_BREAKS, solid::Mesh, surface::Surface};

impl Mesh {
    /// Adds the parts of the line through (x, y), parallel to z, that lie inside the body with its lowest corner at `corner`: each as
    /// its lowest and its highest z.
    pub(super) fn add_chords(&self, x: f64, y: f64, corner: DVec3, chords: &mut Vec<[f64; 2]>) {
        let (surface, scale) = (self.surface(), self.scale());
        let line = (DVec2::new(x, y) - corner.truncate()) / scale;
        let mut heights: Vec<f64> = (surface.tree.along_z(line.x, line.y))
            .filter_map(|triangle| height(surface, triangle, line))
            .collect();
        heights.sort_unstable_by(f64::total_cmp);
        let ends = heights.chunks_exact(2);
        chords.extend(ends.map(|ends| [0, 1].map(|k| corner.z + scale * ends[k])));
    }

    /// Returns whether the edges divide the integrals of volumes, because there are few.
    pub(super) fn has_breaks(&self) -> bool {
        self.unscaled_vertices().len() <= MOST_BREAKS
    }

    /// Adds the coordinates x of all vertices, unless there are many.
    pub(super) fn add_x_breaks(&self, corner: DVec3, breaks: &mut Vec<f64>) {
        if self.has_breaks() {
            breaks.extend(self.vertices().map(|vertex| corner.x + vertex.x));
        }
    }

    /// Adds the coordinates y of all edges in the slice at `x`, unless there are many.
    pub(super) fn add_y_breaks(&self, x: f64, corner: DVec3, breaks: &mut Vec<f64>) {
        if !self.has_breaks() {
            return;
        }
        let vertices: Vec<DVec3> = self.vertices().map(|vertex| corner + vertex).collect();
        for corners in self.triangles() {
            for k in 0..3 {
                let [a, b] = [corners[k], corners[(k + 1) % 3]].map(|v| vertices[v as usize]);
                if a.x < x && x < b.x {
                    breaks.push(a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x));
                }
            }
        }
    }
}

/// Returns the z at which a line parallel to z crosses a triangle.
///
/// The side of an edge is computed from the same numbers for both triangles at the edge, so that the line crosses one of them.
fn height(surface: &Surface, triangle: u32, line: DVec2) -> Option<f64> {
    let ids = surface.triangles[triangle as usize];
    let vertex = |id: u32| surface.vertices[id as usize];
    let is_left = |from: u32, to: u32| {
        let (low, high) = (vertex(from.min(to)), vertex(from.max(to)));
        let side = (high - low).truncate().perp_dot(line - low.truncate());
        (side >= 0.0) == (from < to)
    };
    let [a, b, c] = ids;
    let turn = is_left(a, b);
    if is_left(b, c) != turn || is_left(c, a) != turn {
        return None;
    }
    let corner = vertex(a);
    let normal = (vertex(b) - corner).cross(vertex(c) - corner);
    if normal.z == 0.0 {
        return None;
    }
    let beside = line - corner.truncate();
    Some(corner.z - normal.truncate().dot(beside) / normal.z)
}
