//! Convex polyhedra that planes cut.

use glam::DVec3;

use super::constants::SAME_CORNER;

/// A convex polyhedron. The planes of its faces have distances from the origin, which need not be inside.
pub(super) struct Polyhedron {
    faces: Vec<Face>,
    /// Length below which two corners are one.
    smallest: f64,
}

/// One face.
struct Face {
    /// Distance of its plane from the origin, negative if the origin is beyond the plane.
    offset: f64,
    /// The corners in their order around the face.
    corners: Vec<DVec3>,
}

impl Polyhedron {
    /// Creates a cuboid from its lowest and its highest corner.
    pub(super) fn cuboid(low: DVec3, high: DVec3) -> Self {
        let face = |axis: usize, is_high: bool| {
            let (normal, plane) = if is_high {
                (DVec3::AXES[axis], high)
            } else {
                (-DVec3::AXES[axis], low)
            };
            let corner = |[is_b_high, is_c_high]: [bool; 2]| {
                let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
                let mut corner = plane;
                corner[b] = if is_b_high { high[b] } else { low[b] };
                corner[c] = if is_c_high { high[c] } else { low[c] };
                corner
            };
            let around = [[false, false], [true, false], [true, true], [false, true]];
            Face {
                offset: normal.dot(plane),
                corners: around.map(corner).to_vec(),
            }
        };
        let faces = (0..6).map(|k| face(k / 2, k % 2 == 1)).collect();
        Self {
            faces,
            smallest: SAME_CORNER * (high - low).length(),
        }
    }

    /// Removes the points with `normal · point > offset`. The normal has the length 1.
    pub(super) fn cut(&mut self, normal: DVec3, offset: f64) {
        if self.corners().all(|corner| normal.dot(corner) <= offset) {
            return;
        }
        let mut rim = Vec::new();
        for face in &mut self.faces {
            face.cut(normal, offset, &mut rim);
        }
        self.faces.retain(|face| face.corners.len() > 2);
        let corners = around(normal, rim, self.smallest);
        if corners.len() > 2 {
            self.faces.push(Face { offset, corners });
        }
    }

    /// Removes all points.
    pub(super) fn clear(&mut self) {
        self.faces.clear();
    }

    /// Returns the corners, each once for each of its faces.
    pub(super) fn corners(&self) -> impl Iterator<Item = DVec3> {
        self.faces.iter().flat_map(|face| &face.corners).copied()
    }

    /// Returns the distance of the farthest corner from the origin; 0 without points.
    pub(super) fn reach(&self) -> f64 {
        let squared = self.corners().map(DVec3::length_squared);
        squared.fold(0.0, f64::max).sqrt()
    }

    /// Returns the volume, by the divergence theorem: each face is the base of a pyramid whose apex is the origin.
    pub(super) fn volume(&self) -> f64 {
        let pyramids = self.faces.iter().map(|face| face.offset * face.area());
        (pyramids.sum::<f64>() / 3.0).max(0.0)
    }
}

impl Face {
    /// Removes the points with `normal · point > offset`, and adds the corners that are in this plane then to `rim`.
    fn cut(&mut self, normal: DVec3, offset: f64, rim: &mut Vec<DVec3>) {
        let is_inside = |corner: &DVec3| normal.dot(*corner) < offset;
        let Some(&last) = self.corners.last() else {
            return;
        };
        if self.corners.iter().all(is_inside) {
            return;
        }
        let corners = std::mem::take(&mut self.corners);
        let mut before = (last, normal.dot(last) - offset);
        for corner in corners {
            let height = normal.dot(corner) - offset;
            let (from, other) = before;
            if (other < 0.0 && height > 0.0) || (other > 0.0 && height < 0.0) {
                let between = from + (corner - from) * (other / (other - height));
                self.corners.push(between);
                rim.push(between);
            }
            if height <= 0.0 {
                self.corners.push(corner);
            }
            if height == 0.0 {
                rim.push(corner);
            }
            before = (corner, height);
        }
    }

    fn area(&self) -> f64 {
        let first = self.corners[0];
        let triangles = self.corners.windows(2);
        let doubled: DVec3 = triangles
            .map(|ends| (ends[0] - first).cross(ends[1] - first))
            .sum();
        0.5 * doubled.length()
    }
}

/// Returns the corners of a convex polygon in their order around it. Corners closer than `smallest` are one corner.
fn around(normal: DVec3, mut corners: Vec<DVec3>, smallest: f64) -> Vec<DVec3> {
    let middle = corners.iter().sum::<DVec3>() / corners.len().max(1) as f64;
    let (right, up) = normal.any_orthonormal_pair();
    let angle = |corner: &DVec3| {
        let from_middle = *corner - middle;
        turn(from_middle.dot(right), from_middle.dot(up))
    };
    corners.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    corners.dedup_by(|a, b| a.distance(*b) <= smallest);
    corners
}

/// Returns a number from −2 to 2 that increases with the angle of a vector, from −π to π.
fn turn(x: f64, y: f64) -> f64 {
    let share = y / (x.abs() + y.abs()).max(f64::MIN_POSITIVE);
    if x >= 0.0 {
        share
    } else {
        2.0_f64.copysign(y) - share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut_cubes_have_known_volumes() {
        let mut cube = Polyhedron::cuboid(DVec3::splat(-1.0), DVec3::splat(1.0));
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
        let mut cell = Polyhedron::cuboid(DVec3::splat(-3.0), DVec3::splat(3.0));
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
