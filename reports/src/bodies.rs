//! Closed triangle meshes of concave bodies, of any fineness.

use std::f64::consts::TAU;

use jostle::glam::DVec3;

/// Vertices, and triangles by the numbers of their vertices.
#[derive(Clone, Default)]
pub struct Body {
    pub vertices: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
}

impl Body {
    /// Adds a vertex, and returns its number.
    fn vertex(&mut self, at: DVec3) -> u32 {
        self.vertices.push(at);
        self.vertices.len() as u32 - 1
    }

    /// Adds the two triangles of a quadrangle whose corners run counterclockwise seen from outside.
    fn quadrangle(&mut self, [a, b, c, d]: [u32; 4]) {
        self.triangles.extend([[a, b, c], [a, c, d]]);
    }

    /// Returns the bytes of a binary STL file.
    pub fn stl(&self) -> Vec<u8> {
        let mut bytes = vec![b' '; 80];
        bytes.extend((self.triangles.len() as u32).to_le_bytes());
        for corners in &self.triangles {
            bytes.extend([0; 12]);
            for number in corners.map(|vertex| self.vertices[vertex as usize]) {
                let numbers = number.to_array().map(|x| (x as f32).to_le_bytes());
                bytes.extend(numbers.as_flattened());
            }
            bytes.extend([0; 2]);
        }
        bytes
    }

    /// Returns the text of an OBJ file.
    pub fn obj(&self) -> String {
        let vertices = self
            .vertices
            .iter()
            .map(|v| format!("v {} {} {}\n", v.x, v.y, v.z));
        let triangles =
            (self.triangles.iter()).map(|t| format!("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1));
        vertices.chain(triangles).collect()
    }
}

/// Returns the body of some cubes of side 1, by their lowest corners. Each face has 2 n² triangles.
pub fn cubes(cubes: &[[i32; 3]], n: i32) -> Body {
    let mut body = Body::default();
    let mut numbers = std::collections::HashMap::new();
    for &cube in cubes {
        for axis in 0..3 {
            for step in [0, 1] {
                let mut beside = cube;
                beside[axis] += 2 * step - 1;
                if cubes.contains(&beside) {
                    continue;
                }
                // Seen from the positive side, the next axis and the one after it run counterclockwise.
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                let mut corner = |i: i32, j: i32| {
                    let mut at = cube.map(|x| x * n);
                    at[axis] += step * n;
                    at[u] += i;
                    at[v] += j;
                    let point = || DVec3::from_array(at.map(|x| f64::from(x) / f64::from(n)));
                    *numbers.entry(at).or_insert_with(|| body.vertex(point()))
                };
                let faces: Vec<[u32; 4]> = (0..n * n)
                    .map(|k| (k % n, k / n))
                    .map(|(i, j)| {
                        [
                            corner(i, j),
                            corner(i + 1, j),
                            corner(i + 1, j + 1),
                            corner(i, j + 1),
                        ]
                    })
                    .collect();
                for [a, b, c, d] in faces {
                    body.quadrangle(if step == 1 {
                        [a, b, c, d]
                    } else {
                        [a, d, c, b]
                    });
                }
            }
        }
    }
    body
}

/// Returns an L of three cubes of side 1, with 28 n² triangles.
pub fn l_shape(n: i32) -> Body {
    cubes(&[[0, 0, 0], [1, 0, 0], [0, 0, 1]], n)
}

/// Returns the body that a profile makes when it rotates around the z axis, in `segments` steps. The profile is a list of points
/// (distance from the axis, z). It runs counterclockwise: upwards at its greatest distance from the axis. A profile that starts
/// on the axis ends there; another one is closed.
pub fn rotated(profile: &[[f64; 2]], segments: u32) -> Body {
    let mut body = Body::default();
    let rings: Vec<Vec<u32>> = profile
        .iter()
        .map(|&[r, z]| {
            if r == 0.0 {
                return vec![body.vertex(DVec3::new(0.0, 0.0, z)); segments as usize];
            }
            let angle = |k: u32| TAU * f64::from(k) / f64::from(segments);
            (0..segments)
                .map(|k| body.vertex(DVec3::new(r * angle(k).cos(), r * angle(k).sin(), z)))
                .collect()
        })
        .collect();
    let is_closed = profile[0][0] > 0.0;
    for i in 0..profile.len() - usize::from(!is_closed) {
        let (low, high) = (&rings[i], &rings[(i + 1) % profile.len()]);
        for k in 0..segments as usize {
            let next = (k + 1) % segments as usize;
            for [a, b, c] in [
                [low[k], low[next], high[next]],
                [low[k], high[next], high[k]],
            ] {
                if a != b && b != c && c != a {
                    body.triangles.push([a, b, c]);
                }
            }
        }
    }
    body
}

/// Returns a profile with `n` points for each stretch between two points of `corners`.
fn divided(corners: &[[f64; 2]], n: u32, is_closed: bool) -> Vec<[f64; 2]> {
    let mut profile = Vec::new();
    for (k, &from) in corners.iter().enumerate() {
        let last = k + 1 == corners.len();
        if last && !is_closed {
            profile.push(from);
            break;
        }
        let to = corners[(k + 1) % corners.len()];
        profile.extend((0..n).map(|i| {
            let share = f64::from(i) / f64::from(n);
            std::array::from_fn(|axis| from[axis] + share * (to[axis] - from[axis]))
        }));
    }
    profile
}

/// Returns a hollow ring: a square tube around the z axis, with 8 n segments triangles.
pub fn ring(n: u32, segments: u32) -> Body {
    let corners = [[1.0, 0.0], [3.0, 0.0], [3.0, 2.0], [1.0, 2.0]];
    rotated(&divided(&corners, n, true), segments)
}

/// Returns a hopper: a cylinder over a cone over a short tube, with about 10 n segments triangles.
pub fn hopper(n: u32, segments: u32) -> Body {
    let corners = [
        [0.0, 0.0],
        [0.6, 0.0],
        [0.6, 0.5],
        [1.5, 2.0],
        [1.5, 4.0],
        [0.0, 4.0],
    ];
    rotated(&divided(&corners, n, false), segments)
}
