//! Triangles of closed surfaces, drawn into a buffer of depths.

use glam::DVec3;

use super::{
    solids::Triangle,
    view::{Cut, Part, Pixel, View},
};

impl View {
    /// Draws the triangles of closed surfaces, where no higher surface hides them. Planes that cut the surfaces close them.
    pub(super) fn draw_triangles(
        &self,
        triangles: &[Triangle],
        cuts: &[Cut],
        buffer: &mut [Pixel],
    ) {
        if triangles.is_empty() {
            return;
        }
        let kept = |row: usize, column: usize| {
            let line = [f64::NEG_INFINITY, f64::INFINITY];
            (cuts.iter()).try_fold(line, |ends, cut| cut.keep(row, column, ends))
        };
        // By how much more often the line of sight enters a body than it leaves one, before it reaches the part that remains.
        let mut entries = vec![0i32; buffer.len()];
        for (number, triangle) in triangles.iter().enumerate() {
            let corners = triangle.corners.map(|corner| self.project(corner));
            self.for_each_pixel(corners, |row, column, height, faces_viewer| {
                let Some([low, high]) = kept(row, column) else {
                    return;
                };
                let at = row * self.side + column;
                if height > high {
                    entries[at] += if faces_viewer { 1 } else { -1 };
                } else if faces_viewer && height > low && height > buffer[at].height {
                    let part = Part::Triangle(number as u32);
                    buffer[at] = Pixel { height, part };
                }
            });
        }
        for (at, pixel) in buffer
            .iter_mut()
            .enumerate()
            .filter(|&(at, _)| entries[at] > 0)
        {
            if let Some([_, height]) = kept(at / self.side, at % self.side)
                && height > pixel.height
            {
                let part = Part::CutBody;
                *pixel = Pixel { height, part };
            }
        }
    }

    /// Calls `visit` with row, column and height of each pixel whose middle a projected triangle covers, and with whether the
    /// triangle faces the viewer. Of two triangles at an edge, exactly one covers a middle on the edge.
    fn for_each_pixel(&self, corners: [DVec3; 3], mut visit: impl FnMut(usize, usize, f64, bool)) {
        let [a, b, c] = corners;
        let area = cross(a, b, c);
        if area == 0.0 {
            return;
        }
        // Rows run downwards.
        let faces_viewer = area < 0.0;
        let corners = if faces_viewer { [a, c, b] } else { corners };
        let slope_x = ((b.z - a.z) * (c.y - a.y) - (c.z - a.z) * (b.y - a.y)) / area;
        let slope_y = ((c.z - a.z) * (b.x - a.x) - (b.z - a.z) * (c.x - a.x)) / area;
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let edges = [0, 1, 2].map(|k| [corners[k], corners[(k + 1) % 3]]);
        for row in self.middles(low.y, high.y) {
            let y = row as f64 + 0.5;
            let [mut left, mut right] = [f64::INFINITY, f64::NEG_INFINITY];
            for [from, to] in edges {
                if (from.y <= y) != (to.y <= y) {
                    let x = from.x + (to.x - from.x) * ((y - from.y) / (to.y - from.y));
                    (left, right) = (left.min(x), right.max(x));
                }
            }
            // The exact test decides about the pixels at both ends.
            for column in self.middles(left - 1.0, right + 1.0) {
                let x = column as f64 + 0.5;
                let point = DVec3::new(x, y, 0.0);
                if edges.iter().all(|&[from, to]| is_beside(from, to, point)) {
                    let height = a.z + slope_x * (x - a.x) + slope_y * (y - a.y);
                    visit(row, column, height.clamp(low.z, high.z), faces_viewer);
                }
            }
        }
    }

    /// Returns the pixels along a side of the picture whose middles lie between two coordinates.
    fn middles(&self, low: f64, high: f64) -> std::ops::Range<usize> {
        let first = (low - 0.5).ceil().max(0.0) as usize;
        let end = (high - 0.5).floor().max(-1.0) + 1.0;
        first..(end as usize).min(self.side)
    }
}

/// Returns twice the area of a projected triangle, with a sign.
fn cross(a: DVec3, b: DVec3, c: DVec3) -> f64 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

/// Returns whether a point lies on the inner side of an edge. The edge in the other direction gives the opposite result, also for a
/// point on the edge: both directions compute the same number.
fn is_beside(from: DVec3, to: DVec3, point: DVec3) -> bool {
    if (from.x, from.y) < (to.x, to.y) {
        cross(from, to, point) >= 0.0
    } else {
        cross(to, from, point) < 0.0
    }
}
