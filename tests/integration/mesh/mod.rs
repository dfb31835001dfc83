//! Meshes as containers: against brute force over all triangles, and with hostile surfaces.

use jostle::{
    Boundaries, Certificate, Container, PackOptions, Packing, Spheres, Target, certify,
    container::{ContainerSpec, Mesh, MeshError},
    glam::DVec3,
    pack,
    rearrange::PackError,
};
use proptest::prelude::*;

mod largest_sphere;
mod repair;

fn mesh(body: Body) -> Mesh {
    Mesh::new(body.vertices, body.triangles).unwrap()
}

fn corners(mesh: &Mesh) -> Vec<[DVec3; 3]> {
    let vertices: Vec<DVec3> = mesh.vertices().collect();
    let corners = |triangle: &[u32; 3]| triangle.map(|vertex| vertices[vertex as usize]);
    mesh.triangles().iter().map(corners).collect()
}

/// The distance of a point from a triangle: the smallest over a plane, three lines and three corners, of those that apply.
fn distance(p: DVec3, [a, b, c]: [DVec3; 3]) -> f64 {
    // Barycentric coordinates of the foot of the perpendicular, by Cramer's rule.
    let (u, v, w) = (b - a, c - a, p - a);
    let (uu, uv, vv) = (u.dot(u), u.dot(v), v.dot(v));
    let (wu, wv) = (w.dot(u), w.dot(v));
    let determinant = uu * vv - uv * uv;
    let (s, t) = (
        (wu * vv - wv * uv) / determinant,
        (wv * uu - wu * uv) / determinant,
    );
    let mut least = f64::INFINITY;
    if s >= 0.0 && t >= 0.0 && s + t <= 1.0 {
        least = (w - s * u - t * v).length();
    }
    for [from, to] in [[a, b], [b, c], [c, a]] {
        let along = (to - from).normalize();
        let share = (p - from).dot(along).clamp(0.0, (to - from).length());
        least = least.min((p - from - share * along).length());
    }
    least
}

/// How often a surface winds around a point: the sum of solid angles (l'Huilier's theorem), divided by that of the whole sphere.
fn winding(p: DVec3, triangles: &[[DVec3; 3]]) -> f64 {
    let solid_angle = |corners: &[DVec3; 3]| {
        let [a, b, c] = corners.map(|corner| (corner - p).normalize());
        let angle = |x: DVec3, y: DVec3| x.cross(y).length().atan2(x.dot(y));
        let sides = [angle(b, c), angle(c, a), angle(a, b)];
        let half = 0.5 * sides.iter().sum::<f64>();
        let product = sides.iter().fold((0.5 * half).tan(), |product, side| {
            product * (0.5 * (half - side)).tan()
        });
        let excess = 4.0 * product.max(0.0).sqrt().atan();
        excess.copysign(a.dot(b.cross(c)))
    };
    triangles.iter().map(solid_angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

/// The signed distance of a point from the surface, positive inside.
fn signed_distance(p: DVec3, triangles: &[[DVec3; 3]]) -> f64 {
    let distances = triangles.iter().map(|&triangle| distance(p, triangle));
    let least = distances.fold(f64::INFINITY, f64::min);
    if winding(p, triangles) > 0.5 {
        least
    } else {
        -least
    }
}

/// A cube with a cube-shaped hole, by two shells.
fn hollow_cube() -> Body {
    let mut body = cubes(&[[0, 0, 0]], 3);
    let hole = cubes(&[[0, 0, 0]], 2);
    let first = body.vertices.len() as u32;
    let moved = hole
        .vertices
        .iter()
        .map(|&vertex| 0.4 * vertex + DVec3::splat(0.25));
    body.vertices.extend(moved);
    let turned = hole
        .triangles
        .iter()
        .map(|&[a, b, c]| [first + a, first + c, first + b]);
    body.triangles.extend(turned);
    body
}

/// Two cubes that do not touch.
fn two_cubes() -> Body {
    cubes(&[[0, 0, 0], [2, 0, 1]], 2)
}

fn bodies() -> Vec<(&'static str, Mesh)> {
    vec![
        ("L", mesh(l_shape(3))),
        ("ring", mesh(ring(2, 17))),
        ("hopper", mesh(hopper(3, 12))),
        ("hollow cube", mesh(hollow_cube())),
        ("two cubes", mesh(two_cubes())),
    ]
}

#[test]
fn volumes_are_those_of_the_bodies() {
    let expected = [3.0, ring_volume(17), f64::NAN, 1.0 - 0.4f64.powi(3), 2.0];
    for ((name, mesh), expected) in bodies().into_iter().zip(expected) {
        if !expected.is_nan() {
            assert!(
                (mesh.volume() - expected).abs() < 1e-12,
                "{name}: {}",
                mesh.volume()
            );
        }
        let sum: f64 = corners(&mesh)
            .iter()
            .map(|[a, b, c]| a.dot(b.cross(*c)) / 6.0)
            .sum();
        assert!((mesh.volume() - sum).abs() < 1e-11, "{name}");
    }
}

/// The volume of a ring of height 2 and radii 1 and 3: a difference of two prisms over regular polygons.
fn ring_volume(segments: u32) -> f64 {
    let n = f64::from(segments);
    2.0 * 0.5 * n * (std::f64::consts::TAU / n).sin() * (9.0 - 1.0)
}

/// Random points around and in a body.
fn points(mesh: &Mesh, count: usize) -> Vec<DVec3> {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let strategy = prop::array::uniform3(-0.1..1.1f64);
    (0..count)
        .map(|_| {
            let fraction = strategy.new_tree(&mut runner).unwrap().current();
            DVec3::from_array(fraction) * mesh.lengths()
        })
        .collect()
}

use proptest::strategy::ValueTree;

use crate::common::bodies::{Body, cubes, hopper, l_shape, ring};

#[test]
fn distances_are_those_of_all_triangles() {
    for (name, mesh) in bodies() {
        for factor in [1.0, 0.37] {
            let mesh = mesh.scaled(factor);
            let triangles = corners(&mesh);
            let container = Container::mesh(mesh.clone());
            for point in points(&mesh, 400) {
                let expected = signed_distance(point, &triangles);
                let found = container.wall_gap(point, 0.0);
                assert!(
                    (found - expected).abs() < 1e-12,
                    "{name}, {point}: {found}, {expected}"
                );
                let one = Spheres::new(vec![point], vec![0.1]);
                let Certificate { min_gap, .. } = certify(&one, &container);
                assert!(
                    (min_gap - (expected - 0.1)).abs() < 1e-12,
                    "{name}, {point}: {min_gap}, {expected}"
                );
            }
        }
    }
}

#[test]
fn certificates_name_the_sphere_with_the_smallest_gap() {
    for (name, mesh) in bodies() {
        let (triangles, container) = (corners(&mesh), Container::mesh(mesh.clone()));
        let centers = points(&mesh, 300);
        let radii: Vec<f64> = (0..300).map(|k| 0.001 * f64::from(k % 7)).collect();
        let gaps = centers.iter().zip(&radii);
        let gaps = gaps.map(|(&center, radius)| signed_distance(center, &triangles) - radius);
        let least = gaps.fold(f64::INFINITY, f64::min);
        // Spheres far apart from each other, so that only walls matter.
        for (center, radius) in centers.iter().zip(&radii) {
            let one = Spheres::new(vec![*center], vec![*radius]);
            assert!(certify(&one, &container).min_gap >= least - 1e-12, "{name}");
        }
        let all = certify(&Spheres::new(centers, vec![0.0; 300]), &container);
        assert!(all.min_gap < 0.0 && all.closest.is_some(), "{name}");
    }
}

fn assert_inside(name: &str, packing: &Packing) {
    assert_eq!(packing.certificate().max_overlap, 0.0, "{name}");
    let jostle::container::Solid::Mesh(mesh) = packing.container().solid() else {
        panic!("{name} is no mesh");
    };
    let triangles = corners(mesh);
    let (centers, radii) = (packing.spheres().centers(), packing.spheres().radii());
    for (i, (&center, &radius)) in centers.iter().zip(radii).enumerate() {
        let gap = signed_distance(center, &triangles) - radius;
        assert!(gap > -1e-12 * mesh.lengths().x, "{name}, sphere {i}: {gap}");
        for (&other, &other_radius) in centers[..i].iter().zip(radii) {
            let gap = center.distance(other) - (radius + other_radius);
            assert!(gap >= 0.0, "{name}, sphere {i}: {gap}");
        }
    }
}

/// Radii from 1 to 4.
fn radii(count: u32) -> Vec<f64> {
    (0..count)
        .map(|k| 1.0 + 3.0 * (f64::from(k) / f64::from(count)).powi(8))
        .collect()
}

#[test]
fn smallest_meshes_are_dense_and_hold_all_spheres() {
    for (name, mesh) in bodies() {
        let options = PackOptions::default().container(Container::mesh(mesh));
        let packing = pack(radii(600), &options).unwrap().packing;
        assert_inside(name, &packing);
        assert!(
            packing.packing_fraction() > 0.4,
            "{name}: {}",
            packing.packing_fraction()
        );
    }
}

#[test]
fn requested_meshes_are_met_exactly_from_dilute_to_dense() {
    for (name, mesh) in bodies() {
        for fraction in [0.02, 0.3, 0.42] {
            let radii = radii(500);
            let volume: f64 = radii
                .iter()
                .map(|r| 4.0 / 3.0 * std::f64::consts::PI * r.powi(3))
                .sum();
            let container =
                Container::mesh(mesh.scaled((volume / fraction / mesh.volume()).cbrt()));
            let options = PackOptions::default()
                .container(container.clone())
                .target(Target::Exact);
            let packing = pack(radii, &options).unwrap().packing;
            assert_eq!(*packing.container(), container, "{name}, {fraction}");
            assert_inside(name, &packing);
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_bits_with_any_threads_and_index() {
    let container = Container::mesh(mesh(hopper(4, 24)));
    let packed = |threads, index| {
        let options = PackOptions::default()
            .container(container.clone())
            .threads(threads)
            .index(index);
        pack(radii(1500), &options).unwrap().packing.into_spheres()
    };
    let first = packed(1, jostle::IndexKind::ALL[0]);
    for &index in jostle::IndexKind::ALL {
        assert_eq!(packed(3, index), first, "{index}");
    }
}

#[test]
fn single_spheres_and_wide_mixtures_find_their_place() {
    for (name, mesh) in bodies() {
        let largest = Container::mesh(mesh.clone()).largest_radius();
        let options = PackOptions::default()
            .container(Container::mesh(mesh))
            .target(Target::Exact);
        for share in [0.9999, 0.1] {
            let packing = pack(vec![share * largest], &options).unwrap().packing;
            assert_eq!(packing.container(), &options.container, "{name}, {share}");
            assert_inside(name, &packing);
        }
        let error = pack(vec![1.01 * largest], &options).unwrap_err();
        assert!(
            matches!(error, PackError::TooLarge { .. }),
            "{name}: {error}"
        );
        let wide = [vec![0.9 * largest], vec![0.009 * largest; 300]].concat();
        assert_inside(name, &pack(wide, &options).unwrap().packing);
    }
}

#[test]
fn the_largest_sphere_is_nearly_the_largest() {
    // Half of the thickness. The deepest point of a regular hopper lies on its axis, between the lid and the cone.
    let slope = 1.5f64.hypot(0.9);
    let inside = (0..100_000)
        .map(|k| 4.0 * f64::from(k) / 1e5)
        .map(|z| {
            (4.0 - z)
                .min(1.5)
                .min((0.6 * 1.5 + 0.9 * (z - 0.5)) / slope)
        })
        .fold(0.0, f64::max);
    let expected = [
        ("L", 0.5),
        ("ring", 1.0),
        ("hopper", inside),
        ("hollow cube", f64::NAN),
        ("two cubes", 0.5),
    ];
    for ((name, mesh), (_, expected)) in bodies().into_iter().zip(expected) {
        let found = Container::mesh(mesh).largest_radius();
        if !expected.is_nan() {
            assert!(found <= expected + 1e-12, "{name}: {found}");
            // Polygons are narrower than circles.
            let is_round = name == "hopper" || name == "ring";
            let polygon = if is_round { 0.95 } else { 0.9999 };
            assert!(found >= polygon * expected, "{name}: {found} of {expected}");
        }
    }
    let cube = Container::mesh(mesh(cubes(&[[0, 0, 0]], 2)));
    assert_eq!(cube.largest_radius(), 0.5);
}

#[test]
fn a_mesh_of_a_box_packs_like_the_box() {
    let cube = Container::mesh(mesh(cubes(&[[0, 0, 0]], 5)));
    let walls = Container::cuboid(DVec3::ONE, Boundaries::WALLS).unwrap();
    let fraction = |container| {
        let options = PackOptions::default().container(container);
        pack(radii(2000), &options)
            .unwrap()
            .packing
            .packing_fraction()
    };
    let (of_mesh, of_box) = (fraction(cube), fraction(walls));
    assert!((of_mesh - of_box).abs() < 0.01, "{of_mesh} {of_box}");
}

/// The message of a body that was changed.
fn rejected(change: impl FnOnce(&mut Body)) -> String {
    let mut body = l_shape(2);
    change(&mut body);
    Mesh::new(body.vertices, body.triangles)
        .unwrap_err()
        .to_string()
}

#[test]
fn surfaces_of_no_body_are_rejected_by_edge_or_triangle() {
    let open = rejected(|body| {
        body.triangles.remove(17);
    });
    assert!(
        open.starts_with("the mesh is open: the edge from ("),
        "{open}"
    );
    let turned = rejected(|body| body.triangles[30].swap(0, 1));
    assert!(
        turned.contains("face opposite sides") && turned.contains("31"),
        "{turned}"
    );
    let twice = rejected(|body| body.triangles.push(body.triangles[3]));
    assert!(
        twice.contains("3 triangles meet at the edge from"),
        "{twice}"
    );
    let inverted = rejected(|body| body.triangles.iter_mut().for_each(|t| t.swap(0, 1)));
    assert!(inverted.contains("inverted: triangle 1"), "{inverted}");
    let flat = rejected(|body| {
        // Division of a triangle at the middle of an edge, which its neighbor does not have.
        let [a, b, _] = body.triangles[5];
        let middle = 0.5 * (body.vertices[a as usize] + body.vertices[b as usize]);
        body.vertices.push(middle);
        let new = body.vertices.len() as u32 - 1;
        body.triangles.push([a, b, new]);
    });
    assert!(flat.contains("triangle 113 is flat"), "{flat}");
    let pressed = rejected(|body| body.vertices.iter_mut().for_each(|vertex| vertex.z = 0.0));
    assert!(pressed.contains("0e0 long along z"), "{pressed}");
    let unknown = rejected(|body| body.triangles[8][1] = 999);
    assert!(
        unknown.starts_with("triangle 9 names vertex 1000"),
        "{unknown}"
    );
    let infinite = rejected(|body| body.vertices[4].y = f64::NAN);
    assert!(infinite.starts_with("vertex 5 is ("), "{infinite}");
    let few = rejected(|body| body.triangles.truncate(2));
    assert!(few.starts_with("the mesh has 2 triangles"), "{few}");
}

#[test]
fn messages_show_the_coordinates_that_were_given() {
    let mut body = l_shape(1);
    for vertex in &mut body.vertices {
        *vertex += DVec3::new(0.1, 0.7, -3.3);
    }
    body.triangles.remove(17);
    let vertices = body.vertices.clone();
    match Mesh::new(body.vertices, body.triangles).unwrap_err() {
        MeshError::Open { edge, .. } => {
            assert!(edge.iter().all(|end| vertices.contains(end)), "{edge:?}");
        }
        error => panic!("{error}"),
    }
}

#[test]
fn surfaces_that_cross_or_touch_themselves_are_rejected_by_triangles() {
    // A vertex is pulled through the opposite face.
    let crossing = rejected(|body| {
        let vertex = body
            .vertices
            .iter()
            .position(|&v| v == DVec3::new(0.5, 0.5, 0.0))
            .unwrap();
        body.vertices[vertex].z = 2.5;
    });
    assert!(
        crossing.starts_with("the mesh intersects itself: triangles "),
        "{crossing}"
    );
    // Onto it.
    let touching = rejected(|body| {
        let vertex = body
            .vertices
            .iter()
            .position(|&v| v == DVec3::new(0.5, 0.5, 0.0))
            .unwrap();
        body.vertices[vertex] = DVec3::new(0.5, 0.25, 2.0);
    });
    assert!(
        touching.starts_with("the mesh intersects itself"),
        "{touching}"
    );
    // Two cubes that share a part of a face.
    let mut body = cubes(&[[0, 0, 0]], 2);
    let first = body.vertices.len() as u32;
    let other = cubes(&[[0, 0, 0]], 2);
    let moved = other
        .vertices
        .iter()
        .map(|&v| v + DVec3::new(1.0, 0.125, 0.0));
    body.vertices.extend(moved);
    body.triangles.extend(
        other
            .triangles
            .iter()
            .map(|t| t.map(|vertex| first + vertex)),
    );
    let beside = Mesh::new(body.vertices.clone(), body.triangles.clone()).unwrap_err();
    assert!(
        beside.to_string().starts_with("the mesh intersects itself"),
        "{beside}"
    );
    // A gap of the smallest number between them.
    for vertex in &mut body.vertices[first as usize..] {
        vertex.x = if vertex.x == 1.0 {
            1f64.next_up()
        } else {
            vertex.x
        };
    }
    assert!(Mesh::new(body.vertices, body.triangles).is_ok());
}

#[test]
fn shells_must_face_the_right_side() {
    let mut inner = hollow_cube();
    let first = 12 * 9;
    inner.triangles[first..]
        .iter_mut()
        .for_each(|t| t.swap(0, 1));
    let message = Mesh::new(inner.vertices, inner.triangles)
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("the shell of triangle 109 lies inside another"),
        "{message}"
    );
    let mut beside = two_cubes();
    beside.triangles[48..].iter_mut().for_each(|t| t.swap(0, 1));
    let message = Mesh::new(beside.vertices, beside.triangles)
        .unwrap_err()
        .to_string();
    assert!(message.contains("inverted: triangle 49"), "{message}");
}

#[test]
fn files_of_both_formats_hold_the_same_body() {
    let body = l_shape(4);
    let folder = tempfile::tempdir().unwrap();
    let (stl, obj) = (folder.path().join("a, b.STL"), folder.path().join("l.obj"));
    std::fs::write(&stl, body.stl()).unwrap();
    std::fs::write(&obj, body.obj()).unwrap();
    let expected = mesh(body);
    for path in [&stl, &obj] {
        let read = Mesh::read(path, 1.0).unwrap();
        assert_eq!(read.volume(), expected.volume());
        assert_eq!(read.triangles().len(), expected.triangles().len());
        assert_eq!(read.vertices().len(), expected.vertices().len());
    }
    let spec: ContainerSpec = format!("mesh:{},scale=2,fit", stl.display())
        .parse()
        .unwrap();
    assert!(!spec.is_exact());
    assert_eq!(spec.container(None).unwrap().volume(), 24.0);
    let spec: ContainerSpec = format!("mesh:{}", obj.display()).parse().unwrap();
    assert!(spec.is_exact());
    for (text, message) in [
        (
            format!("mesh:{},scale=-1", stl.display()),
            "scale is '-1'; it must be a positive, finite number",
        ),
        (format!("mesh:{},sclae=1", stl.display()), "No such file"),
        (
            "mesh:,fit".to_owned(),
            "a mesh needs the name of a file, as in mesh:part.stl",
        ),
        (
            "mesh:part.step".to_owned(),
            "the extension of a mesh file must be .stl, .obj or .ply",
        ),
    ] {
        let error = text.parse::<ContainerSpec>().unwrap_err().to_string();
        assert!(
            error.contains(message)
                || message.starts_with("No such") && error.contains("extension"),
            "{error}"
        );
    }
}

/// A cube whose triangles are changed, as ASCII STL.
fn changed_cube(change: impl FnOnce(&mut Vec<[DVec3; 3]>)) -> Result<Mesh, String> {
    let mut triangles = corners(&mesh(cubes(&[[0, 0, 0]], 1)));
    for corner in triangles.as_flattened_mut() {
        *corner *= 10.0;
    }
    change(&mut triangles);
    let mut text = "solid cube\n".to_owned();
    for corners in triangles {
        text += "facet normal 0 0 0\nouter loop\n";
        for corner in corners {
            text += &format!("vertex {} {} {}\n", corner.x, corner.y, corner.z);
        }
        text += "endloop\nendfacet\n";
    }
    Mesh::from_stl((text + "endsolid cube\n").as_bytes()).map_err(|fault| fault.to_string())
}

#[test]
fn files_with_rounded_corners_and_triangles_without_area_are_read() {
    let far = DVec3::new(10.0, 10.0, 10.0);
    let rounded = changed_cube(|triangles| {
        // One copy of a corner is rounded otherwise than the others.
        let corner = (triangles.as_flattened_mut().iter_mut()).find(|corner| **corner == far);
        corner.unwrap().x += 9e-7;
    })
    .unwrap();
    let flat = changed_cube(|triangles| {
        let [a, b, _] = triangles[0];
        triangles.insert(3, [a, b, a]);
        triangles.push([a, a.midpoint(b), b]);
    })
    .unwrap();
    for mesh in [rounded, flat] {
        assert_eq!((mesh.vertices().len(), mesh.triangles().len()), (8, 12));
        assert!((mesh.volume() - 1000.0).abs() < 1e-3);
    }
    let wide = changed_cube(|triangles| triangles[0][0] += 0.01).unwrap_err();
    assert!(wide.contains("the mesh is open"), "{wide}");
}

#[test]
fn concave_faces_of_files_are_read() {
    let obj = "v 0 0 0\nv 10 0 0\nv 10 4 0\nv 4 4 0\nv 4 10 0\nv 0 10 0\nv 0 0 5\nv 10 0 5\nv 10 4 5\nv 4 4 5\n\
        v 4 10 5\nv 0 10 5\nf 6 5 4 3 2 1\nf 7 8 9 10 11 12\nf 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\n\
        f 5 6 12 11\nf 6 1 7 12\n";
    let mesh = Mesh::from_obj(obj.as_bytes()).unwrap();
    assert!((mesh.volume() - 320.0).abs() < 1e-9);
    assert_eq!(mesh.triangles().len(), 20);
}

#[test]
fn packings_in_meshes_survive_serialization() {
    let mesh = mesh(hopper(3, 12)).scaled(0.3);
    let container = Container::mesh(mesh);
    let options = PackOptions::default().container(container);
    let packing = pack(radii(100), &options).unwrap().packing;
    let text = serde_json::to_string(&packing).unwrap();
    let read: Packing = serde_json::from_str(&text).unwrap();
    assert_eq!(read, packing);
    assert_eq!(
        certify(read.spheres(), read.container()),
        packing.certificate()
    );
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["container"]["shape"], "mesh");
    let open = text.replacen("\"triangles\":[[", "\"triangles\":[[0,1,2],[", 1);
    assert!(serde_json::from_str::<Packing>(&open).is_err());
}
