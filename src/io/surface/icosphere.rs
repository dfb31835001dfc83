//! Spheres of triangles: an icosahedron whose triangles are divided into four, repeatedly.

use std::collections::HashMap;

use glam::DVec3;

use super::mesh::Mesh;

/// The golden ratio, of which the coordinates of an icosahedron consist.
const GOLDEN: f64 = 1.618_033_988_749_895;

/// Returns a sphere of radius 1 around the origin with `20 · 4^resolution` triangles. All vertices are on the sphere, so that
/// the surface lies inside of it.
pub(crate) fn icosphere(resolution: u32) -> Mesh {
    let mut mesh = icosahedron();
    for _ in 0..resolution {
        mesh = divided(&mesh);
    }
    mesh
}

fn icosahedron() -> Mesh {
    let mut vertices = Vec::new();
    for (a, b) in [
        (1.0, GOLDEN),
        (-1.0, GOLDEN),
        (1.0, -GOLDEN),
        (-1.0, -GOLDEN),
    ] {
        for corner in [[a, b, 0.0], [0.0, a, b], [b, 0.0, a]] {
            vertices.push(DVec3::from_array(corner).normalize());
        }
    }
    // Any three corners at the shortest distance from each other are a triangle.
    let edge = vertices[1..]
        .iter()
        .map(|vertex| vertex.distance(vertices[0]))
        .fold(f64::INFINITY, f64::min);
    let is_edge = |a: usize, b: usize| vertices[a].distance(vertices[b]) < 1.1 * edge;
    let mut triangles = Vec::new();
    for a in 0..vertices.len() {
        for b in a + 1..vertices.len() {
            for c in b + 1..vertices.len() {
                if is_edge(a, b) && is_edge(b, c) && is_edge(a, c) {
                    let outside = vertices[a].cross(vertices[b]).dot(vertices[c]) > 0.0;
                    let [b, c] = if outside { [b, c] } else { [c, b] };
                    triangles.push([a as u32, b as u32, c as u32]);
                }
            }
        }
    }
    Mesh {
        vertices,
        triangles,
    }
}

fn divided(mesh: &Mesh) -> Mesh {
    let mut vertices = mesh.vertices.clone();
    let mut middles = HashMap::new();
    let mut middle = |a: u32, b: u32| {
        *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
            let sum = mesh.vertices[a as usize] + mesh.vertices[b as usize];
            vertices.push(sum.normalize());
            vertices.len() as u32 - 1
        })
    };
    let mut triangles = Vec::with_capacity(4 * mesh.triangles.len());
    for &[a, b, c] in &mesh.triangles {
        let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
        triangles.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
    }
    Mesh {
        vertices,
        triangles,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn icospheres_are_closed_and_approach_the_sphere() {
        let mut before = 0.0;
        for resolution in 0..4 {
            let mesh = icosphere(resolution);
            assert_eq!(mesh.triangles.len(), 20 << (2 * resolution));
            // Euler's formula for closed surfaces: V − E + F = 2, with 3 F = 2 E.
            assert_eq!(mesh.vertices.len(), mesh.triangles.len() / 2 + 2);
            let volume: f64 = mesh
                .corners()
                .map(|[a, b, c]| a.cross(b).dot(c) / 6.0)
                .sum();
            assert!(volume > before && volume < 4.0 / 3.0 * std::f64::consts::PI);
            before = volume;
        }
        assert!(before > 4.15);
    }
}
