//! The largest sphere inside thin and extreme bodies, oriented at random, against formulas and against all half-spaces.

use jostle::{
    Container,
    container::Mesh,
    glam::{DMat3, DMat4, DQuat, DVec3, DVec4},
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::common::bodies::{Body, cubes, ring};

/// A random rotation.
fn rotation(rng: &mut Pcg64) -> DMat3 {
    let mut number = || rng.random_range(-1.0..1.0);
    let numbers: [f64; 4] = std::array::from_fn(|_| number());
    DMat3::from_quat(DQuat::from_array(numbers).normalize())
}

/// Compares the largest sphere that the library finds with the expected one.
fn check(name: &str, mut body: Body, map: DMat3, expected: f64) {
    for vertex in &mut body.vertices {
        *vertex = map * *vertex;
    }
    let mesh = Mesh::new(body.vertices, body.triangles).unwrap();
    let found = Container::mesh(mesh).largest_radius();
    assert!(
        (0.9995..1.0 + 1e-9).contains(&(found / expected)),
        "{name}, {map}: {found} of {expected}"
    );
}

fn tetrahedron(corners: [DVec3; 4]) -> Body {
    let [a, b, c, d] = corners;
    let is_turned = (b - a).cross(c - a).dot(d - a) < 0.0;
    let triangles = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    Body {
        vertices: corners.to_vec(),
        triangles: triangles
            .map(|[a, b, c]| if is_turned { [a, c, b] } else { [a, b, c] })
            .to_vec(),
    }
}

/// The radius of the sphere that touches all faces of a tetrahedron: three volumes by the surface.
fn insphere(corners: [DVec3; 4]) -> f64 {
    let [a, b, c, d] = corners;
    let area = |a: DVec3, b: DVec3, c: DVec3| 0.5 * (b - a).cross(c - a).length();
    let volume = (b - a).cross(c - a).dot(d - a).abs() / 6.0;
    3.0 * volume / (area(a, b, c) + area(a, b, d) + area(a, c, d) + area(b, c, d))
}

#[test]
fn tetrahedra_of_any_shape() {
    let mut rng = Pcg64::seed_from_u64(1);
    let x = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
    let slender = [
        x(0.0, 0.0, 0.0),
        x(8.0, 0.0, 0.0),
        x(0.0, 1.0, 0.0),
        x(0.0, 0.0, 1.0),
    ];
    check(
        "slender",
        tetrahedron(slender),
        DMat3::IDENTITY,
        insphere(slender),
    );
    assert!((2.0 * insphere(slender) - 0.564).abs() < 5e-4);
    for k in 0..60 {
        let mut number = || rng.random_range(-1.0..1.0);
        let widths: [f64; 3] = std::array::from_fn(|_| 10f64.powf(2.0 * number() - 2.0));
        let corners: [DVec3; 4] = std::array::from_fn(|_| {
            DVec3::new(number(), number(), number()) * DVec3::from_array(widths)
        });
        let map = rotation(&mut rng);
        let corners = corners.map(|corner| map * corner);
        let name = format!("tetrahedron {k}");
        check(
            &name,
            tetrahedron(corners),
            DMat3::IDENTITY,
            insphere(corners),
        );
    }
}

/// The largest sphere in a convex body: the best of the spheres that touch four planes and cross none.
fn largest_between_planes(body: &Body) -> f64 {
    let mut planes: Vec<DVec4> = Vec::new();
    for corners in &body.triangles {
        let [a, b, c] = corners.map(|vertex| body.vertices[vertex as usize]);
        let inwards = (c - a).cross(b - a).normalize();
        let plane = inwards.extend(-inwards.dot(a));
        if planes.iter().all(|other| (*other - plane).length() > 1e-9) {
            planes.push(plane);
        }
    }
    let mut best = 0.0f64;
    let count = planes.len();
    for i in 0..count {
        for j in 0..i {
            for k in 0..j {
                for l in 0..k {
                    let four = [planes[i], planes[j], planes[k], planes[l]];
                    // Each plane: the height of the center is the radius.
                    let matrix = DMat4::from_cols_array_2d(
                        &four.map(|plane| [plane.x, plane.y, plane.z, -1.0]),
                    )
                    .transpose();
                    if matrix.determinant().abs() < 1e-12 {
                        continue;
                    }
                    let heights = DVec4::from_array(four.map(|plane| -plane.w));
                    let solution = matrix.inverse() * heights;
                    let (center, radius) = (solution.truncate(), solution.w);
                    let crosses = |plane: &DVec4| {
                        plane.truncate().dot(center) + plane.w < radius * (1.0 - 1e-7)
                    };
                    if radius > best && !planes.iter().any(crosses) {
                        best = radius;
                    }
                }
            }
        }
    }
    best
}

/// A prism over a regular polygon.
fn prism(sides: u32) -> Body {
    let corner = |k: u32, z: f64| {
        let (sine, cosine) = (std::f64::consts::TAU * f64::from(k) / f64::from(sides)).sin_cos();
        DVec3::new(cosine, sine, z)
    };
    let low = (0..sides).map(|k| corner(k, 0.0));
    let mut body = Body {
        vertices: low.chain((0..sides).map(|k| corner(k, 1.0))).collect(),
        triangles: Vec::new(),
    };
    for k in 0..sides {
        let next = (k + 1) % sides;
        let above = [sides + k, sides + next];
        (body.triangles).extend([[k, next, above[1]], [k, above[1], above[0]]]);
    }
    for k in 1..sides - 1 {
        (body.triangles).extend([[0, k + 1, k], [sides, sides + k, sides + k + 1]]);
    }
    body
}

#[test]
fn thin_convex_bodies() {
    let mut rng = Pcg64::seed_from_u64(2);
    for k in 0..40 {
        let mut body = prism(3 + k % 5);
        let name = format!("prism {k}");
        let mut number = || rng.random_range(-1.0..1.0);
        let widths: [f64; 3] = std::array::from_fn(|_| 10f64.powf(1.5 * number() - 1.5));
        let mut map = DMat3::from_diagonal(DVec3::from_array(widths));
        // The upper end moves aside, and is smaller than the lower one.
        map.z_axis += DVec3::new(number(), number(), 0.0) * map.x_axis.x.min(map.y_axis.y);
        let map = rotation(&mut rng) * map;
        let shrink = rng.random_range(0.2..1.0);
        for vertex in &mut body.vertices {
            let factor = if vertex.z > 0.5 { shrink } else { 1.0 };
            *vertex = map * (*vertex * DVec3::new(factor, factor, 1.0));
        }
        let expected = largest_between_planes(&body);
        check(&name, body, DMat3::IDENTITY, expected);
    }
}

/// A body of cubes whose layers get other widths.
fn stretched(cells: &[[i32; 3]], widths: [&[f64]; 3]) -> Body {
    let mut body = cubes(cells, 1);
    let place = |widths: &[f64], at: f64| widths[..at.round() as usize].iter().sum();
    for vertex in &mut body.vertices {
        let at = vertex.to_array();
        *vertex = DVec3::from_array(std::array::from_fn(|axis| place(widths[axis], at[axis])));
    }
    body
}

#[test]
fn channels_with_thin_legs() {
    let mut rng = Pcg64::seed_from_u64(3);
    let elbow = 2.0 - 2f64.sqrt();
    let l: &[_] = &[[0, 0, 0], [1, 0, 0], [0, 1, 0]];
    let t: &[_] = &[[0, 1, 0], [1, 1, 0], [2, 1, 0], [1, 0, 0]];
    let u: &[_] = &[[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0], [2, 1, 0]];
    let frame: &[_] = &[
        [0, 0, 0],
        [1, 0, 0],
        [2, 0, 0],
        [0, 1, 0],
        [2, 1, 0],
        [0, 2, 0],
        [1, 2, 0],
        [2, 2, 0],
    ];
    for leg in [15.0, 20.0, 60.0, 400.0] {
        for height in [0.2, 1.0, 3.0, 50.0] {
            let two: &[f64] = &[1.0, leg];
            let three: &[f64] = &[1.0, leg, 1.0];
            let high: &[f64] = &[height];
            for (name, body, widest) in [
                ("L", stretched(l, [two, two, high]), elbow),
                (
                    "T",
                    stretched(t, [&[leg, 1.0, leg], &[leg, 1.0], high]),
                    0.625,
                ),
                ("U", stretched(u, [three, two, high]), elbow),
                ("frame", stretched(frame, [three, three, high]), elbow),
            ] {
                let name = format!("{name} of legs {leg}, {height} high");
                check(&name, body, rotation(&mut rng), widest.min(0.5 * height));
            }
        }
    }
}

#[test]
fn flat_rings() {
    let mut rng = Pcg64::seed_from_u64(4);
    for thickness in [1e-3, 0.1, 0.5] {
        // A ring of height 2.
        let flat = DMat3::from_diagonal(DVec3::new(1.0, 1.0, 0.5 * thickness));
        check(
            "ring",
            ring(2, 17),
            rotation(&mut rng) * flat,
            0.5 * thickness,
        );
    }
}
