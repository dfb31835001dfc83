//! The solid inside a mesh: the answers to the questions of the packing loop, and lines through it for volumes.

use glam::{DVec2, DVec3};
use rand::{Rng, RngExt};

use super::{
    super::{
        boundary::Boundaries,
        constants::RANDOM_POINTS,
        frame::{Frame, Steps},
        shape::{Extent, Place, Shape, Surface},
        wall::confine_by,
    },
    constants::MOST_BREAKS,
    solid::Mesh,
    surface,
};

impl Shape for Mesh {
    fn lengths(&self) -> DVec3 {
        self.lengths()
    }

    fn volume(&self) -> f64 {
        self.volume()
    }

    fn surface(&self, place: &Place) -> Surface {
        self.wall(place.from_low).seen_from_outside()
    }

    fn surface_within(&self, place: &Place, reach: f64) -> Option<Surface> {
        let surface = self
            .wall_outside(place.from_low, reach)?
            .seen_from_outside();
        (surface.distance < reach).then_some(surface)
    }

    fn middle(&self) -> DVec3 {
        0.5 * self.lengths()
    }

    fn inradius(&self, _boundary: Boundaries) -> f64 {
        self.largest_sphere().1
    }

    fn confine(&self, frame: &Frame, at: Steps, displacement: [i64; 3], radius: f32) -> Steps {
        confine_by(frame, at, displacement, radius, |point, reach| {
            self.wall_within(point, reach)
        })
    }

    fn random_position(&self, frame: &Frame, radius: f32, rng: &mut dyn Rng) -> Steps {
        for _ in 0..RANDOM_POINTS {
            let fraction = DVec3::from_array(std::array::from_fn(|_| rng.random::<f64>()));
            let steps = frame.at_fraction(fraction);
            if self.is_clear(frame.center(steps), radius.into()) {
                return steps;
            }
        }
        frame.nearest_to(self.largest_sphere().0)
    }

    fn add_chords(&self, extent: &Extent, x: f64, y: f64, chords: &mut Vec<[f64; 2]>) {
        let (surface, scale) = (self.surface(), self.scale());
        let line = (DVec2::new(x, y) - extent.low.truncate()) / scale;
        let mut heights: Vec<f64> = (surface.tree.along_z(line.x, line.y))
            .filter_map(|triangle| height(surface, triangle, line))
            .collect();
        heights.sort_unstable_by(f64::total_cmp);
        let ends = heights.chunks_exact(2);
        chords.extend(ends.map(|ends| [0, 1].map(|k| extent.low.z + scale * ends[k])));
    }

    /// Adds the coordinates x of all vertices, unless there are many.
    fn add_x_breaks(&self, extent: &Extent, breaks: &mut Vec<f64>) {
        if self.has_breaks() {
            breaks.extend(self.vertices().map(|vertex| extent.low.x + vertex.x));
        }
    }

    /// Adds the coordinates y of all edges in the slice at `x`, unless there are many.
    fn add_y_breaks(&self, extent: &Extent, x: f64, breaks: &mut Vec<f64>) {
        breaks.extend([extent.low.y, extent.high.y]);
        if !self.has_breaks() {
            return;
        }
        let vertices: Vec<DVec3> = self.vertices().map(|vertex| extent.low + vertex).collect();
        for corners in self.triangles() {
            for k in 0..3 {
                let [a, b] = [corners[k], corners[(k + 1) % 3]].map(|v| vertices[v as usize]);
                if a.x < x && x < b.x {
                    breaks.push(a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x));
                }
            }
        }
    }

    fn has_breaks(&self) -> bool {
        self.unscaled_vertices().len() <= MOST_BREAKS
    }
}

/// Returns the z at which a line parallel to z crosses a triangle.
///
/// The side of an edge is computed from the same numbers for both triangles at the edge, so that the line crosses one of them.
fn height(surface: &surface::Surface, triangle: u32, line: DVec2) -> Option<f64> {
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
