//! The bodies that keep spheres out, as triangles.

use glam::DVec3;

use super::constants::{BALL_RESOLUTION, CIRCLE_SEGMENTS, NEARLY_ROUND};
use crate::{
    container::{Body, Container, Cuboid, Solid},
    io::surface::{Mesh, clip_to_box, frustum, icosphere},
};

/// A triangle on the surface of a body.
#[derive(Clone, Copy)]
pub(super) struct Triangle {
    /// Corners, counterclockwise when seen from outside of the body.
    pub(super) corners: [DVec3; 3],
    /// Unit vectors away from the body at the corners.
    pub(super) normals: [DVec3; 3],
}

impl Triangle {
    fn flat(corners: [DVec3; 3]) -> Self {
        let [a, b, c] = corners;
        Self {
            corners,
            normals: [(b - a).cross(c - a).normalize_or_zero(); 3],
        }
    }

    /// Returns the unit vector away from the body at a point of the triangle.
    pub(super) fn normal_at(&self, point: DVec3) -> DVec3 {
        let [a, b, c] = self.corners;
        let flat = (b - a).cross(c - a);
        let share = |from: DVec3, to: DVec3| (to - from).cross(point - from).dot(flat);
        let [x, y, z] = self.normals;
        (share(b, c) * x + share(c, a) * y + share(a, b) * z).normalize_or(x)
    }
}

/// Returns the surfaces of all bodies that keep spheres out of a container, as the corners of triangles, with their periodic images.
pub fn body_surfaces(container: &Container) -> Vec<[DVec3; 3]> {
    let triangles = triangles(container).into_iter();
    triangles.map(|triangle| triangle.corners).collect()
}

/// Returns the closed surfaces of all bodies in a container, with their periodic images. Cylinders, balls and cuboids end at the
/// faces of the bounding box; meshes are whole.
pub(super) fn triangles(container: &Container) -> Vec<Triangle> {
    let (lengths, periods) = (container.lengths(), container.periods());
    let images = (container.bodies().iter()).flat_map(|body| body.images(lengths, periods));
    images.flat_map(|body| surface(&body, lengths)).collect()
}

/// Returns the surface of one body in a bounding box.
fn surface(body: &Body, lengths: DVec3) -> Vec<Triangle> {
    let center = body.position;
    let direction = DVec3::AXES[body.axis.number()];
    let round = |height: f64, radii: [f64; 2]| {
        let (half, sides) = (0.5 * height * direction, CIRCLE_SEGMENTS as u32);
        let mesh = frustum([center - half, center + half], radii, sides);
        let rounding = Rounding {
            center,
            across: DVec3::ONE - direction,
            slope: (radii[0] - radii[1]) / height * direction,
        };
        (mesh, Some(rounding))
    };
    let (mesh, rounding) = match &body.solid {
        Solid::Cylinder(cylinder) => round(cylinder.height, [0.5 * cylinder.diameter; 2]),
        Solid::Cone(cone) => round(cone.height, [0.5 * cone.bottom, 0.5 * cone.top]),
        Solid::Sphere(sphere) => {
            let radius = 0.5 * sphere.diameter;
            let rounding = Rounding {
                center,
                across: DVec3::ONE,
                slope: DVec3::ZERO,
            };
            (ball(center, radius), Some(rounding))
        }
        // Flat bodies have borders: see `body_rings`.
        Solid::Rectangle(_) | Solid::Circle(_) | Solid::Outline(_) => return Vec::new(),
        Solid::Box(Cuboid { lengths }) => (cuboid(center - 0.5 * lengths, *lengths), None),
        #[cfg(feature = "mesh")]
        Solid::Mesh(mesh) => {
            let vertices: Vec<DVec3> = mesh.vertices().map(|vertex| vertex + center).collect();
            let corners = |numbers: &[u32; 3]| numbers.map(|number| vertices[number as usize]);
            let triangles = mesh.triangles().iter().map(corners);
            return triangles.map(Triangle::flat).collect();
        }
    };
    let Some(mesh) = clip_to_box(mesh, DVec3::ZERO, lengths) else {
        return Vec::new();
    };
    let triangle = |corners| match &rounding {
        Some(rounding) => rounding.triangle(corners),
        None => Triangle::flat(corners),
    };
    mesh.corners().map(triangle).collect()
}

/// The curved surface that triangles approach.
struct Rounding {
    center: DVec3,
    /// 1 along each axis in which the surface is curved, and 0 along the others.
    across: DVec3,
    /// Part of the normals that is added to unit vectors away from the axis: the slope of a cone.
    slope: DVec3,
}

impl Rounding {
    /// Returns a triangle with the normals of the curved surface, or with its own normal if it belongs to an end or a cut.
    fn triangle(&self, corners: [DVec3; 3]) -> Triangle {
        let flat = Triangle::flat(corners);
        let normal = |corner: DVec3| {
            let away = ((corner - self.center) * self.across).try_normalize();
            away.map_or(flat.normals[0], |away| (away + self.slope).normalize())
        };
        let normals = corners.map(normal);
        if normals
            .iter()
            .any(|normal| normal.dot(flat.normals[0]) < NEARLY_ROUND)
        {
            return flat;
        }
        Triangle { corners, normals }
    }
}

fn ball(center: DVec3, radius: f64) -> Mesh {
    let unit = icosphere(BALL_RESOLUTION);
    let vertices = (unit.vertices.iter()).map(|&vertex| center + radius * vertex);
    Mesh {
        vertices: vertices.collect(),
        triangles: unit.triangles,
    }
}

/// Returns a cuboid from its lowest corner. Bit k of the number of a vertex tells its side along axis k.
fn cuboid(low: DVec3, lengths: DVec3) -> Mesh {
    let vertex = |number: u32| {
        let share = [0, 1, 2].map(|axis| f64::from(number >> axis & 1));
        low + DVec3::from_array(share) * lengths
    };
    let mut triangles = Vec::new();
    for axis in 0..3 {
        let [u, v] = [1, 2].map(|step| 1 << ((axis + step) % 3));
        let high = 1 << axis;
        triangles.extend([[0, v, u], [u, v, u | v]]);
        triangles.extend([[0, u, v], [u, u | v, v]].map(|corners| corners.map(|c| c | high)));
    }
    Mesh {
        vertices: (0..8).map(vertex).collect(),
        triangles,
    }
}
