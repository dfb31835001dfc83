//! The edges of a container, as line segments.

use std::f64::consts::TAU;

use glam::{DVec2, DVec3};

use super::constants::{CIRCLE_SEGMENTS, SIDE_LINES};
#[cfg(feature = "mesh")]
use super::constants::{CREASE, MOST_EDGES};
#[cfg(feature = "mesh")]
use crate::container::Mesh;
use crate::container::{Body, Circle, Container, Rectangle, Solid};

/// The two ends of a line.
pub(super) type Segment = [DVec3; 2];

/// Returns line segments that outline a container, by their two ends: the edges of a box, circles and side lines of a cylinder or cone,
/// three great circles of a sphere, the sharp edges of a mesh, the sides of a rectangle, a circle.
pub fn outline(container: &Container) -> Vec<[DVec3; 2]> {
    let axis = container.axis();
    let turned = |ends: Segment| ends.map(|end| axis.turned(end.to_array()).into());
    along_z(container).into_iter().map(turned).collect()
}

/// Returns the outline of a container whose axis is turned to z.
fn along_z(container: &Container) -> Vec<Segment> {
    match container.solid() {
        Solid::Box(cuboid) => edges_of_cuboid(cuboid.lengths),
        Solid::Cylinder(cylinder) => frustum(cylinder.diameter, cylinder.diameter, cylinder.height),
        Solid::Cone(cone) => frustum(cone.bottom, cone.top, cone.height),
        Solid::Sphere(ball) => great_circles(ball.diameter),
        Solid::Rectangle(_) => {
            let DVec3 { x, y, .. } = container.lengths();
            let corners = [[0.0, 0.0], [x, 0.0], [x, y], [0.0, y]];
            let corner = |k: usize| DVec3::new(corners[k % 4][0], corners[k % 4][1], 0.0);
            (0..4).map(|k| [corner(k), corner(k + 1)]).collect()
        }
        Solid::Circle(Circle { diameter }) => {
            let radius = 0.5 * diameter;
            let middle = DVec3::new(radius, radius, 0.0);
            circle(middle, radius * DVec3::X, radius * DVec3::Y).collect()
        }
        Solid::Outline(outline) => {
            let of_ring = |ring: Vec<DVec2>| {
                let ends = |k: usize| [ring[k], ring[(k + 1) % ring.len()]];
                let ends = (0..ring.len()).map(ends);
                let ends = ends.map(|ends| ends.map(|end| end.extend(0.0)));
                ends.collect::<Vec<Segment>>()
            };
            outline.rings().flat_map(of_ring).collect()
        }
        #[cfg(feature = "mesh")]
        Solid::Mesh(mesh) => edges(mesh),
    }
}

/// Returns the borders of the bodies in a flat container and of their periodic images, each body as closed rings of points. A point is in a
/// body if an odd number of its rings enclose the point.
pub(super) fn body_rings(container: &Container) -> Vec<Vec<Vec<DVec2>>> {
    let (lengths, periods) = (container.lengths(), container.periods());
    let images = (container.bodies().iter()).flat_map(|body| body.images(lengths, periods));
    images.map(|body| rings(&body)).collect()
}

fn rings(body: &Body) -> Vec<Vec<DVec2>> {
    let center = body.position.truncate();
    match &body.solid {
        Solid::Rectangle(Rectangle { lengths }) => {
            let corner = |x, y| center + 0.5 * *lengths * DVec2::new(x, y);
            let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
            vec![corners.map(|(x, y)| corner(x, y)).to_vec()]
        }
        Solid::Circle(circle) => {
            let point = |number| {
                let (sin, cos) = libm::sincos(turn(number));
                center + 0.5 * circle.diameter * DVec2::new(cos, sin)
            };
            vec![(0..CIRCLE_SEGMENTS).map(point).collect()]
        }
        Solid::Outline(outline) => {
            let at_center = |ring: Vec<DVec2>| ring.into_iter().map(|point| point + center);
            let rings = outline.rings().map(|ring| at_center(ring).collect());
            rings.collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the centers of a disk and of those of its periodic images that reach into the container.
pub(super) fn periodic_images(
    container: &Container,
    center: DVec3,
    radius: f64,
) -> impl Iterator<Item = DVec2> {
    let lengths = container.lengths();
    let along = |axis: usize| {
        let (at, length) = (center[axis], lengths[axis]);
        let is_periodic = container.is_periodic(axis);
        let shifts = [
            Some(0.0),
            (is_periodic && at < radius).then_some(length),
            (is_periodic && at > length - radius).then_some(-length),
        ];
        shifts.into_iter().flatten().map(move |shift| at + shift)
    };
    let (xs, ys) = (along(0), along(1));
    xs.flat_map(move |x| ys.clone().map(move |y| DVec2::new(x, y)))
}

/// Returns the profile of a container that is round about its axis: rows of the coordinate along the axis and the radius. It is empty for other
/// containers.
pub(super) fn profile(container: &Container) -> Vec<[f64; 2]> {
    let height = container.lengths()[container.axis().number()];
    match container.solid() {
        Solid::Cylinder(cylinder) => [0.0, height].map(|z| [z, 0.5 * cylinder.diameter]).to_vec(),
        Solid::Cone(cone) => vec![[0.0, 0.5 * cone.bottom], [height, 0.5 * cone.top]],
        Solid::Sphere(ball) => (0..=CIRCLE_SEGMENTS / 2)
            .map(|k| libm::sincos(0.5 * turn(2 * k)))
            .map(|(sin, cos)| [1.0 - cos, sin].map(|share| 0.5 * ball.diameter * share))
            .collect(),
        _ => Vec::new(),
    }
}

/// Returns the angle of a point of a circle, a full turn for [`CIRCLE_SEGMENTS`].
fn turn(number: usize) -> f64 {
    TAU * number as f64 / CIRCLE_SEGMENTS as f64
}

fn edges_of_cuboid(lengths: DVec3) -> Vec<Segment> {
    let corner = |number: usize| {
        let share = [0, 1, 2].map(|axis| (number >> axis & 1) as f64);
        DVec3::from_array(share) * lengths
    };
    let mut segments = Vec::new();
    for number in 0..8 {
        for axis in (0..3).filter(|axis| number >> axis & 1 == 0) {
            segments.push([corner(number), corner(number | 1 << axis)]);
        }
    }
    segments
}

/// Returns the segments of a circle around a point, in the plane of two vectors of the length of its radius.
fn circle(middle: DVec3, u: DVec3, v: DVec3) -> impl Iterator<Item = Segment> {
    let point = move |number: usize| {
        let (sin, cos) = libm::sincos(turn(number));
        middle + cos * u + sin * v
    };
    (0..CIRCLE_SEGMENTS).map(move |number| [point(number), point(number + 1)])
}

fn frustum(bottom: f64, top: f64, height: f64) -> Vec<Segment> {
    let middle = DVec3::new(0.5 * bottom.max(top), 0.5 * bottom.max(top), 0.0);
    let ends = [(0.0, 0.5 * bottom), (height, 0.5 * top)];
    let mut segments = Vec::new();
    for (z, radius) in ends.into_iter().filter(|(_, radius)| *radius > 0.0) {
        segments.extend(circle(
            middle + z * DVec3::Z,
            radius * DVec3::X,
            radius * DVec3::Y,
        ));
    }
    for number in 0..SIDE_LINES {
        let (sin, cos) = libm::sincos(TAU * number as f64 / SIDE_LINES as f64);
        let at = |(z, radius)| middle + DVec3::new(radius * cos, radius * sin, z);
        segments.push(ends.map(at));
    }
    segments
}

fn great_circles(diameter: f64) -> Vec<Segment> {
    let radius = 0.5 * diameter;
    let [x, y, z] = DVec3::AXES.map(|axis| radius * axis);
    [[x, y], [y, z], [z, x]]
        .into_iter()
        .flat_map(|[u, v]| circle(DVec3::splat(radius), u, v))
        .collect()
}

/// Returns the edges at which the surface of a mesh bends sharply. A mesh with no such edge, or with too many, has sections through its
/// middle instead.
#[cfg(feature = "mesh")]
fn edges(mesh: &Mesh) -> Vec<Segment> {
    let vertices: Vec<DVec3> = mesh.vertices().collect();
    let mut sides: Vec<([u32; 2], DVec3)> = Vec::with_capacity(3 * mesh.triangles().len());
    for &[a, b, c] in mesh.triangles() {
        let [p, q, r] = [a, b, c].map(|number| vertices[number as usize]);
        let normal = (q - p).cross(r - p).normalize_or_zero();
        for [from, to] in [[a, b], [b, c], [c, a]] {
            sides.push(([from.min(to), from.max(to)], normal));
        }
    }
    sides.sort_unstable_by_key(|(edge, _)| *edge);
    // Each edge belongs to two triangles.
    let sharp = sides
        .chunks_exact(2)
        .filter(|pair| pair[0].1.dot(pair[1].1) < CREASE);
    let ends = |pair: &[([u32; 2], DVec3)]| pair[0].0.map(|number| vertices[number as usize]);
    let segments: Vec<Segment> = sharp.map(ends).collect();
    if segments.is_empty() || segments.len() > MOST_EDGES {
        return sections(mesh, &vertices);
    }
    segments
}

/// Returns the lines in which three planes through the middle cut a mesh.
#[cfg(feature = "mesh")]
fn sections(mesh: &Mesh, vertices: &[DVec3]) -> Vec<Segment> {
    let middle = 0.5 * mesh.lengths();
    let mut segments = Vec::new();
    for axis in 0..3 {
        for corners in mesh.triangles() {
            let points = corners.map(|number| vertices[number as usize]);
            let mut crossings = (0..3).filter_map(|k| {
                let [from, to] = [points[k], points[(k + 1) % 3]];
                let [below, above] = [from, to].map(|point| point[axis] - middle[axis]);
                // A corner on the plane counts as above it.
                ((below < 0.0) != (above < 0.0)).then(|| from.lerp(to, below / (below - above)))
            });
            if let (Some(from), Some(to)) = (crossings.next(), crossings.next()) {
                segments.push([from, to]);
            }
        }
    }
    segments
}
