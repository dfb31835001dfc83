//! Meshes that keep spheres out, against brute force over all triangles.

use jostle::{
    Boundaries, Container, Effort, PackOptions, Packer, Spheres, Target, certify,
    container::{Body, BodyError, Mesh, Solid},
    glam::DVec3,
    io::{read_checkpoint, write_checkpoint},
    pack,
    packing::ClosestPair,
    total_volume,
};

use crate::common::bodies::{hopper, l_shape, ring};

fn corners(mesh: &Mesh, corner: DVec3) -> Vec<[DVec3; 3]> {
    let vertices: Vec<DVec3> = mesh.vertices().map(|vertex| corner + vertex).collect();
    let triangle = |ids: &[u32; 3]| ids.map(|id| vertices[id as usize]);
    mesh.triangles().iter().map(triangle).collect()
}

/// The closest point of a triangle: the foot of the perpendicular, or the closest point of the three sides.
fn closest(p: DVec3, [a, b, c]: [DVec3; 3]) -> DVec3 {
    let normal = (b - a).cross(c - a).normalize();
    let foot = p - normal * (p - a).dot(normal);
    let sides = [(a, b), (b, c), (c, a)];
    let beyond = |q: DVec3, (from, to): (DVec3, DVec3)| {
        let inwards = normal.cross(to - from).normalize();
        ((q - from).dot(inwards), inwards)
    };
    if sides.iter().all(|&side| beyond(foot, side).0 >= 0.0) {
        return foot;
    }
    let on_sides = sides.map(|(from, to)| {
        let share = (p - from).dot(to - from) / (to - from).length_squared();
        from.lerp(to, share.clamp(0.0, 1.0))
    });
    (on_sides.into_iter()).fold(a, |best, q| {
        if q.distance(p) < best.distance(p) {
            q
        } else {
            best
        }
    })
}

/// How often a surface winds around a point: the sum of its solid angles (Van Oosterom & Strackee 1983) over that of a sphere.
fn winding(p: DVec3, triangles: &[[DVec3; 3]]) -> f64 {
    let angle = |corners: &[DVec3; 3]| {
        let [a, b, c] = corners.map(|corner| corner - p);
        let [x, y, z] = [a, b, c].map(DVec3::length);
        let below = x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y;
        2.0 * a.dot(b.cross(c)).atan2(below)
    };
    triangles.iter().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

/// The distance of a point from the meshes in a container and their images, negative inside.
fn distance(container: &Container, p: DVec3) -> f64 {
    let mut least = f64::INFINITY;
    let range = |axis: usize| {
        if container.is_periodic(axis) {
            -1..=1
        } else {
            0..=0
        }
    };
    for body in container.bodies() {
        let Solid::Mesh(mesh) = &body.solid else {
            panic!("{body}");
        };
        for x in range(0) {
            for y in range(1) {
                for z in range(2) {
                    let shift = DVec3::new(f64::from(x), f64::from(y), f64::from(z));
                    let triangles = corners(mesh, body.position + shift * container.lengths());
                    let distances = triangles.iter().map(|&t| closest(p, t).distance(p));
                    let distance = distances.fold(f64::INFINITY, f64::min);
                    let is_inside = winding(p, &triangles) > 0.5;
                    least = least.min(if is_inside { -distance } else { distance });
                }
            }
        }
    }
    least
}

fn meshes() -> Vec<(&'static str, Mesh)> {
    [
        ("L", l_shape(2)),
        ("ring", ring(2, 13)),
        ("hopper", hopper(2, 12)),
    ]
    .into_iter()
    .map(|(name, body)| {
        let mesh = Mesh::new(body.vertices, body.triangles).unwrap();
        let factor = 5.0 / mesh.lengths().max_element();
        (name, mesh.scaled(factor))
    })
    .collect()
}

fn cube(boundary: &str) -> Container {
    Container::cuboid(DVec3::splat(8.0), boundary.parse().unwrap()).unwrap()
}

/// Points that fill a cube of side 8 evenly: the Kronecker sequence of the plastic number.
fn points(count: u32) -> impl Iterator<Item = DVec3> {
    let step = DVec3::new(
        0.819_172_513_396_164_4,
        0.671_043_606_703_789_2,
        0.549_700_477_901_97,
    );
    (0..count).map(move |k| (f64::from(k) * step + 0.5).fract() * 8.0)
}

#[test]
fn gaps_are_those_of_the_closest_triangles() {
    for (name, mesh) in meshes() {
        for (boundary, corner) in [("www", DVec3::ONE), ("ppp", DVec3::new(5.0, 1.0, -2.0))] {
            let outer = cube(boundary);
            let mesh = mesh.clone();
            let container = outer
                .without([Body::new(Solid::Mesh(mesh), corner)])
                .unwrap();
            for p in points(300) {
                let (body, walls) = (distance(&container, p), outer.wall_gap(p, 0.0));
                let expected = body.min(walls);
                let gap = container.wall_gap(p, 0.0);
                assert!(
                    (gap - expected).abs() < 1e-11,
                    "{name} {p}: {gap} {expected}"
                );
                let found = certify(&Spheres::new(vec![p], vec![1e-6]), &container);
                assert!(
                    (found.min_gap + 1e-6 - expected).abs() < 1e-11,
                    "{name} {p}: {found:?}"
                );
                if body < walls {
                    assert_eq!(found.closest, Some(ClosestPair::Body(0, 0)));
                }
            }
        }
    }
}

#[test]
fn volumes_are_those_of_the_meshes() {
    for (name, mesh) in meshes() {
        let volume = mesh.volume();
        let lengths = mesh.lengths();
        for (boundary, corner, share) in [
            ("www", DVec3::ONE, 1.0),
            ("ppp", DVec3::splat(5.0), 1.0),
            // The ring and the L are as wide at one side of the middle of y as at the other side.
            ("www", DVec3::new(1.0, -0.5 * lengths.y, 1.0), 0.5),
        ] {
            if share < 1.0 && name == "L" {
                continue;
            }
            let body = Body::new(Solid::Mesh(mesh.clone()), corner);
            let container = cube(boundary).without([body]).unwrap();
            let expected = 512.0 - share * volume;
            let error = container.volume() / expected - 1.0;
            assert!(error.abs() < 1e-12, "{name} {boundary} {corner}: {error:e}");
        }
        // Twice the same mesh is once the mesh.
        let twice = [DVec3::ONE; 2].map(|corner| Body::new(Solid::Mesh(mesh.clone()), corner));
        let container = cube("www").without(twice).unwrap();
        let error = container.volume() / (512.0 - volume) - 1.0;
        assert!(error.abs() < 1e-12, "{name} twice: {error:e}");
    }
}

#[test]
fn spheres_are_packed_around_meshes() {
    for (name, mesh) in meshes() {
        for (boundary, corner) in [("www", DVec3::ONE), ("pwp", DVec3::new(5.0, 1.0, -2.0))] {
            let mesh = mesh.clone();
            let container = cube(boundary)
                .without([Body::new(Solid::Mesh(mesh), corner)])
                .unwrap();
            let unscaled: Vec<f64> = (0..400).map(|k| 1.0 + f64::from(k % 5)).collect();
            let factor = (0.4 * container.volume() / total_volume(&unscaled)).cbrt();
            let radii: Vec<f64> = unscaled.iter().map(|radius| radius * factor).collect();
            let options = PackOptions::default()
                .effort(Effort::QUICK)
                .container(container.clone())
                .target(Target::Exact);
            let packing = pack(&radii, &options).unwrap().packing;
            assert_eq!(*packing.container(), container, "{name} {boundary}");
            assert_eq!(packing.certificate().max_overlap, 0.0);
            for (center, radius) in packing.spheres().iter() {
                let gap = distance(&container, center) - radius;
                assert!(gap > -1e-12, "{name} {boundary}: {gap:e}");
            }
        }
    }
}

#[test]
fn mesh_bodies_survive_json_and_text() {
    let mesh = meshes().remove(0).1;
    let corner = DVec3::new(1.0, 2.0, 0.5);
    let body = Body::new(Solid::Mesh(mesh.clone()), corner);
    let container = cube("ppp").without([body]).unwrap();
    let json = serde_json::to_string(&container).unwrap();
    let read: Container = serde_json::from_str(&json).unwrap();
    assert_eq!(read, container);
    assert_eq!(serde_json::to_string(&read).unwrap(), json);

    let directory = tempfile::tempdir().unwrap();
    let mut moved = l_shape(1);
    for vertex in &mut moved.vertices {
        *vertex += DVec3::new(1.0, 0.0, 0.5);
    }
    let expected = Mesh::new(moved.vertices.clone(), moved.triangles.clone()).unwrap();
    let file = directory.path().join("an L, small.obj");
    std::fs::write(&file, moved.obj()).unwrap();
    std::fs::write(directory.path().join("l.stl"), moved.stl()).unwrap();
    for (name, scale, shift) in [("an L, small.obj,scale=2", 2.0, -3.0), ("l.stl", 1.0, 0.25)] {
        let text = format!("mesh:{}/{name}@1,2,{shift}", directory.path().display());
        let body: Body = text.parse().unwrap();
        let Solid::Mesh(mesh) = &body.solid else {
            panic!("{text}");
        };
        // The position moves the coordinates of the file.
        assert_eq!(mesh.lengths(), scale * expected.lengths());
        assert_eq!(
            body.position,
            scale * expected.origin() + DVec3::new(1.0, 2.0, shift)
        );
    }
    for (text, words) in [
        (
            format!("mesh:{},fit@1,2,3", file.display()),
            "cannot have 'fit'",
        ),
        (
            format!("mesh:{}@1,2", file.display()),
            "three finite numbers",
        ),
        (format!("mesh:{}@1,2,3,axis=x", file.display()), "no axis"),
        (
            format!("mesh:{},scale=0@1,2,3", file.display()),
            "scale is '0'",
        ),
        ("mesh:absent.stl@1,2,3".to_owned(), "absent.stl"),
    ] {
        let error = text.parse::<Body>().unwrap_err().to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
}

#[test]
fn meshes_that_cannot_be_in_the_container_are_rejected() {
    let mesh = meshes().remove(0).1;
    let far = Body::new(Solid::Mesh(mesh), DVec3::splat(9.0));
    let error = cube("www").without([far.clone()]).unwrap_err();
    assert!(matches!(error, BodyError::Outside { .. }), "{error}");
    assert!(
        error
            .to_string()
            .contains("the body mesh:FILE,scale=2.5@9,9,9"),
        "{error}"
    );
    let small = Container::cuboid(DVec3::splat(3.0), Boundaries::PERIODIC).unwrap();
    let error = small.without([far]).unwrap_err();
    assert!(matches!(error, BodyError::TooLong { .. }), "{error}");
}

#[test]
fn volumes_of_fine_meshes_are_integrated() {
    let body = ring(10, 300);
    let mesh = Mesh::new(body.vertices, body.triangles).unwrap();
    let mesh = mesh.scaled(5.0 / mesh.lengths().max_element());
    let lengths = mesh.lengths();
    let beside = DVec3::new(1.0, -0.5 * lengths.y, 1.0);
    for (corners, share) in [(vec![DVec3::ONE; 2], 1.0), (vec![beside], 0.5)] {
        let body = |corner| Body::new(Solid::Mesh(mesh.clone()), corner);
        let container = cube("www").without(corners.into_iter().map(body)).unwrap();
        let error = container.volume() - (512.0 - share * mesh.volume());
        let error = error / (share * lengths.element_product());
        assert!(error.abs() < 1e-5, "{share}: {error:e}");
    }
}

#[test]
fn bodies_of_every_kind_cross_a_mesh_container() {
    // The L has the corners (0, 0, 0), (2, 0, 0), (2, 1, 1), (1, 0, 1) and (1, 0, 2).
    let body = l_shape(2);
    let outer = Container::mesh(Mesh::new(body.vertices, body.triangles).unwrap()).scaled(6.0);
    assert!((outer.volume() - 648.0).abs() < 1e-9);
    let mesh = meshes().remove(1).1.scaled(0.4);
    let height = mesh.lengths().z;
    let ring = Body::new(
        Solid::Mesh(mesh.clone()),
        DVec3::new(8.0, 2.0, -0.5 * height),
    );
    let bar: Body = "cylinder:d=2,h=30@3,3,3,axis=y".parse().unwrap();
    let edge: Body = "box:lx=4,ly=4,lz=4@6,0,6".parse().unwrap();
    let container = outer.without([ring, bar, edge]).unwrap();
    // The ring is cut in halves by the lowest face; three quarters of a half of the box lie in the L.
    let taken = 0.5 * mesh.volume() + 6.0 * std::f64::consts::PI + 24.0;
    let error = (container.volume() - (648.0 - taken)) / 648.0;
    assert!(error.abs() < 1e-9, "{error:e}");

    let radii = vec![0.5; (0.4 * container.volume() / total_volume(&[0.5])) as usize];
    let options = PackOptions::default()
        .effort(Effort::QUICK)
        .container(container.clone())
        .target(Target::Exact);
    let packing = pack(&radii, &options).unwrap().packing;
    assert_eq!(*packing.container(), container);
    assert_eq!(packing.certificate().max_overlap, 0.0);
    for (p, r) in packing.spheres().iter() {
        let from_bar = (p.x - 3.0).hypot(p.z - 3.0) - 1.0;
        let from_edge =
            (p - p.clamp(DVec3::new(4.0, -2.0, 4.0), DVec3::new(8.0, 2.0, 8.0))).length();
        let triangles = corners(&mesh, DVec3::new(8.0, 2.0, -0.5 * height));
        let from_ring = triangles
            .iter()
            .map(|&t| closest(p, t).distance(p))
            .fold(f64::INFINITY, f64::min);
        assert!(from_bar.min(from_edge).min(from_ring) >= r - 1e-13, "{p}");
        assert!(winding(p, &triangles) < 0.5, "{p}");
    }
}

#[test]
fn resumed_runs_around_a_mesh_end_with_the_bits_of_undisturbed_ones() {
    let mesh = meshes().remove(2).1;
    let corner = DVec3::new(5.0, 1.0, -2.0);
    let container = cube("pwp")
        .without([Body::new(Solid::Mesh(mesh), corner)])
        .unwrap();
    let options = PackOptions::default()
        .effort(Effort::QUICK)
        .container(container.clone())
        .target(Target::Exact);
    let radii = vec![0.4; (0.5 * container.volume() / total_volume(&[0.4])) as usize];
    let expected = pack(&radii, &options).unwrap().packing;
    let mut packer = Packer::new(&radii, &options).unwrap();
    for _ in 0..20 {
        packer.sweep().unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.checkpoint");
    write_checkpoint(&packer.checkpoint(), &path).unwrap();
    let mut packer = Packer::resume(read_checkpoint(&path).unwrap().threads(2)).unwrap();
    while packer.sweep().is_some() {}
    assert_eq!(packer.finish().packing, expected);
}
