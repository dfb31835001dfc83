//! Repair of meshes: volumes and areas are those of formulas, and the account states what was changed.

use std::f64::consts::TAU;

use jostle::{
    Container,
    container::{ContainerSpec, Mesh, MeshReader, MeshRepairs},
    glam::DVec3,
};

use super::{corners, hollow_cube, two_cubes};
use crate::common::bodies::{Body, cubes, hopper, l_shape, ring, rotated};

/// Number of segments of rotated bodies.
const SEGMENTS: u32 = 12;

fn repaired(reader: MeshReader, body: &Body) -> Result<Mesh, String> {
    let mesh = reader.triangles(&body.vertices, &body.triangles);
    mesh.map_err(|error| error.to_string())
}

/// Repairs that leave everything but some numbers at 0.
fn repairs(change: impl FnOnce(&mut MeshRepairs)) -> MeshRepairs {
    let mut repairs = MeshRepairs::default();
    change(&mut repairs);
    repairs
}

/// The area of the regular polygon of a rotated body at a distance from its axis.
fn polygon(radius: f64) -> f64 {
    let n = f64::from(SEGMENTS);
    0.5 * n * (TAU / n).sin() * radius * radius
}

/// The volume of the frustum of a pyramid.
fn frustum(low: f64, high: f64, height: f64) -> f64 {
    height / 3.0 * (low + high + (low * high).sqrt())
}

/// The volume of the hopper.
fn hopper_volume() -> f64 {
    let (outlet, top) = (polygon(0.6), polygon(1.5));
    0.5 * outlet + frustum(outlet, top, 1.5) + 2.0 * top
}

/// Removes the triangles whose corners all satisfy a condition. Returns their number.
fn remove(body: &mut Body, is_there: impl Fn(DVec3) -> bool) -> usize {
    let before = body.triangles.len();
    let Body {
        vertices,
        triangles,
    } = body;
    triangles.retain(|corners| !corners.iter().all(|&v| is_there(vertices[v as usize])));
    before - triangles.len()
}

/// Turns every triangle whose number leaves no remainder. Returns the number of turned triangles.
fn turn(body: &mut Body, every: usize) -> u64 {
    let turned = body.triangles.iter_mut().step_by(every);
    turned.map(|triangle| triangle.swap(0, 1)).count() as u64
}

#[track_caller]
fn assert_near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} {expected}");
}

#[test]
fn surfaces_of_bodies_stay_as_they_are() {
    let bodies = [
        l_shape(3),
        ring(2, 17),
        hopper(3, 12),
        hollow_cube(),
        two_cubes(),
    ];
    for body in bodies {
        let expected = Mesh::new(body.vertices.clone(), body.triangles.clone()).unwrap();
        for reader in [MeshReader::default(), MeshReader::default().cap()] {
            let read = repaired(reader, &body).unwrap();
            assert_eq!(corners(&read), corners(&expected));
            assert!(read.repairs().is_empty());
        }
        assert!(expected.repairs().is_empty());
        let text = serde_json::to_string(&Container::mesh(expected)).unwrap();
        assert!(!text.contains("repairs"));
    }
}

#[test]
fn turned_triangles_face_the_outside_again() {
    for every in [1, 2, 3, 7, 40] {
        for mut body in [
            cubes(&[[0, 0, 0]], 3),
            l_shape(2),
            hollow_cube(),
            two_cubes(),
        ] {
            let expected = Mesh::new(body.vertices.clone(), body.triangles.clone()).unwrap();
            let turned = turn(&mut body, every);
            let mesh = repaired(MeshReader::default(), &body).unwrap();
            assert_near(mesh.volume(), expected.volume(), 1e-12);
            let flipped = mesh.repairs().flipped_triangles;
            assert_eq!(flipped, turned, "every {every}");
            assert_eq!(mesh.repairs(), repairs(|it| it.flipped_triangles = turned));
            // Each corner starts at another place, but runs in the same direction.
            for (found, expected) in corners(&mesh).iter().zip(corners(&expected)) {
                let [a, b, c] = expected;
                assert!([[a, b, c], [b, c, a], [c, a, b]].contains(found));
            }
        }
    }
    // A shell inside another one is a hole, whatever side both face.
    let mut body = hollow_cube();
    body.triangles[108..].iter_mut().for_each(|t| t.swap(0, 1));
    let mesh = repaired(MeshReader::default(), &body).unwrap();
    assert_near(mesh.volume(), 1.0 - 0.4f64.powi(3), 1e-12);
}

#[test]
fn small_cracks_are_joined_and_wide_ones_are_not() {
    let body = l_shape(2);
    let diagonal = 3.0;
    // Each triangle has corners of its own, moved by up to this share of the diagonal.
    let scattered = |share: f64| {
        let mut found = Body::default();
        for triangle in &body.triangles {
            let first = found.vertices.len() as u32;
            for &vertex in triangle {
                let k = found.vertices.len() as f64;
                let moved = DVec3::new((7.0 * k).sin(), (5.0 * k).cos(), (3.0 * k).sin());
                let at = body.vertices[vertex as usize] + share * diagonal * moved;
                found.vertices.push(at);
            }
            found.triangles.push([first, first + 1, first + 2]);
        }
        found
    };
    let mesh = repaired(MeshReader::default(), &scattered(2e-6)).unwrap();
    let whole = Mesh::new(body.vertices.clone(), body.triangles.clone()).unwrap();
    assert_eq!(mesh.vertices().len(), whole.vertices().len());
    assert_eq!(mesh.triangles().len(), whole.triangles().len());
    assert_near(mesh.volume(), 3.0, 1e-4);
    let welded = mesh.repairs().welded_vertices as usize;
    assert_eq!(welded, 3 * whole.triangles().len() - whole.vertices().len());
    let message = repaired(MeshReader::default(), &scattered(1e-3)).unwrap_err();
    assert!(
        message.starts_with("the mesh is open: one of "),
        "{message}"
    );
}

#[test]
fn duplicates_and_triangles_without_area_are_dropped() {
    let mut body = cubes(&[[0, 0, 0]], 2);
    let [a, b, c] = body.triangles[5];
    let middle = body.vertices.len() as u32;
    let ends = [a, b].map(|vertex| body.vertices[vertex as usize]);
    body.vertices.push(0.5 * (ends[0] + ends[1]));
    body.triangles
        .extend([[a, b, c], [c, b, a], [a, middle, b], [a, b, b]]);
    let mesh = repaired(MeshReader::default(), &body).unwrap();
    assert_eq!(mesh.volume(), 1.0);
    assert_eq!(mesh.repairs(), repairs(|it| it.dropped_triangles = 4));
    assert_eq!(mesh.triangles().len(), 48);
}

#[test]
fn triangles_are_divided_at_vertices_on_their_edges() {
    let mut body = cubes(&[[0, 0, 0]], 1);
    assert_eq!(remove(&mut body, |at| at.z == 1.0), 2);
    // The lid has four edges along each side.
    let fine = cubes(&[[0, 0, 0]], 4);
    let is_on_lid = |corners: &&[u32; 3]| {
        (corners.iter()).all(|&vertex| fine.vertices[vertex as usize].z == 1.0)
    };
    let first = body.vertices.len() as u32;
    let lid = fine.triangles.iter().filter(is_on_lid);
    body.triangles
        .extend(lid.map(|corners| corners.map(|vertex| first + vertex)));
    body.vertices.extend(&fine.vertices);
    let mesh = repaired(MeshReader::default(), &body).unwrap();
    assert_near(mesh.volume(), 1.0, 1e-12);
    assert_eq!(mesh.repairs(), repairs(|it| it.divided_triangles = 4));
    // Each of the four triangles beside the lid becomes four.
    assert_eq!(mesh.triangles().len(), 10 + 32 + 12);
}

#[test]
fn openings_are_named_and_caps_close_them() {
    let mut body = hopper(1, SEGMENTS);
    assert_eq!(remove(&mut body, |at| at.z == 4.0), SEGMENTS as usize);
    let message = repaired(MeshReader::default(), &body).unwrap_err();
    let expected = "the mesh is open: an opening of 12 edges, 9.317 long, around (0, 0, 4) lies in a plane; \
        'cap' closes it, as in mesh:part.stl,cap";
    assert_eq!(message, expected);
    let mesh = repaired(MeshReader::default().cap(), &body).unwrap();
    assert_near(mesh.volume(), hopper_volume(), 1e-12);
    let found = mesh.repairs();
    assert_near(found.capped_area, polygon(1.5), 1e-12);
    assert_eq!((found.capped_openings, found.flipped_triangles), (1, 0));
    // The outlet is open, too, and every second triangle is turned.
    remove(&mut body, |at| at.z == 0.0);
    turn(&mut body, 2);
    let message = repaired(MeshReader::default(), &body).unwrap_err();
    assert!(
        message.contains("one of 2 openings of 12 edges, 9.317 long"),
        "{message}"
    );
    let reader = MeshReader::default().cap().scale(10.0);
    let mesh = repaired(reader, &body).unwrap();
    assert_near(mesh.volume(), 1e3 * hopper_volume(), 1e-9);
    let area = polygon(15.0) + polygon(6.0);
    assert_near(mesh.repairs().capped_area, area, 1e-9);
    assert_near(mesh.scaled(0.1).repairs().capped_area, 0.01 * area, 1e-9);
    let words = mesh.repairs().to_string();
    assert!(
        words.ends_with("triangles turned, 2 openings closed by an area of 783"),
        "{words}"
    );

    let mut cone = rotated(&[[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]], SEGMENTS);
    remove(&mut cone, |at| at.z == 0.0);
    let mesh = repaired(MeshReader::default().cap(), &cone).unwrap();
    assert_near(mesh.volume(), polygon(1.0) * 2.0 / 3.0, 1e-12);
}

#[test]
fn concave_openings_with_corners_on_straight_edges_are_closed() {
    for n in [1, 2, 3] {
        let mut body = l_shape(n);
        assert_eq!(remove(&mut body, |at| at.y == 0.0), 6 * (n * n) as usize);
        let mesh = repaired(MeshReader::default().cap(), &body).unwrap();
        assert_near(mesh.volume(), 3.0, 1e-12);
        let found = mesh.repairs();
        assert_near(found.capped_area, 3.0, 1e-12);
        assert_eq!(found.capped_openings, 1);
    }
}

#[test]
fn openings_that_no_cap_closes_are_refused() {
    let refused = |body: &Body| repaired(MeshReader::default().cap(), body).unwrap_err();
    let mut bent = cubes(&[[0, 0, 0]], 1);
    remove(&mut bent, |at| at.x == 1.0);
    remove(&mut bent, |at| at.z == 1.0);
    let message = refused(&bent);
    let expected = "the mesh is open: an opening of 6 edges, 6 long, around (0.6667, 0.5, 0.6667) lies in no plane; \
        'cap' closes simple loops of edges in one plane";
    assert_eq!(message, expected);

    // Two openings that share a vertex.
    let mut touching = cubes(&[[0, 0, 0]], 2);
    for low in [0.0, 0.5] {
        let range = low..=low + 0.5;
        let is_there = |at: DVec3| at.z == 1.0 && range.contains(&at.x) && range.contains(&at.y);
        assert_eq!(remove(&mut touching, is_there), 2);
    }
    let message = refused(&touching);
    assert!(
        message.contains("touches itself or another opening"),
        "{message}"
    );

    // The caps of a tube with thick walls cover each other.
    let mut tube = ring(1, SEGMENTS);
    remove(&mut tube, |at| at.z == 0.0);
    let message = refused(&tube);
    assert!(
        message.starts_with("the cap of the opening around (0, 0, 0) crosses or touches"),
        "{message}"
    );

    let mut crossing = l_shape(2);
    let vertices = &mut crossing.vertices;
    let vertex = vertices
        .iter()
        .position(|&v| v == DVec3::new(0.5, 0.5, 0.0));
    vertices[vertex.unwrap()].z = 2.5;
    let message = refused(&crossing);
    assert!(
        message.starts_with("the mesh intersects itself: triangles "),
        "{message}"
    );
}

/// A cube in the cavity of a vessel with thick walls.
fn vessel() -> Body {
    let mut body = Body::default();
    for (low, high, faces_inside) in [(0.0, 1.0, false), (0.1, 0.9, true), (0.25, 0.5, false)] {
        let cube = cubes(&[[0, 0, 0]], 1);
        let first = body.vertices.len() as u32;
        let place = |&at: &DVec3| low + (high - low) * at;
        body.vertices.extend(cube.vertices.iter().map(place));
        body.triangles
            .extend(cube.triangles.iter().map(|&[a, b, c]| {
                let [b, c] = if faces_inside { [c, b] } else { [b, c] };
                [a, b, c].map(|vertex| first + vertex)
            }));
    }
    body
}

#[test]
fn a_point_chooses_the_region_around_it() {
    let (outer, cavity, core) = (1.0, 0.8f64.powi(3), 0.25f64.powi(3));
    let mut body = vessel();
    for turned in [false, true] {
        for (at, volume, lengths, left_out) in [
            (0.05, outer - cavity, 1.0, 12),
            (0.7, cavity - core, 0.8, 12),
            (0.3, core, 0.25, 24),
        ] {
            let reader = MeshReader::default().inside(DVec3::splat(at));
            let mesh = repaired(reader, &body).unwrap();
            assert_near(mesh.volume(), volume, 1e-12);
            assert_near(mesh.lengths().x, lengths, 1e-12);
            assert_eq!(mesh.repairs().left_out_triangles, left_out);
            assert_eq!(mesh.repairs().flipped_triangles > 0, turned);
        }
        let whole = repaired(MeshReader::default(), &body).unwrap();
        assert_near(whole.volume(), outer - cavity + core, 1e-12);
        turn(&mut body, 5);
    }
    // The point has the unit of the result.
    let reader = MeshReader::default().scale(10.0).inside(DVec3::splat(7.0));
    let mesh = repaired(reader, &body).unwrap();
    assert_near(mesh.volume(), 1e3 * (cavity - core), 1e-9);
    assert_near(mesh.origin().x, 1.0, 1e-12);
    let reader = MeshReader::default().inside(DVec3::splat(2.0));
    let message = repaired(reader, &body).unwrap_err();
    assert!(
        message.starts_with("the point (2.0, 2.0, 2.0) is outside of all shells"),
        "{message}"
    );
}

#[test]
fn a_wall_names_its_cavity() {
    let notes = |reader| Container::mesh(repaired(reader, &vessel()).unwrap()).notes();
    let wall = notes(MeshReader::default().scale(10.0));
    assert_eq!(wall.len(), 1);
    assert!(
        wall[0].ends_with("the wall has the volume 503.6, the cavity 512"),
        "{wall:?}"
    );
    let cavity = notes(MeshReader::default().inside(DVec3::splat(0.7)));
    assert!(
        cavity.iter().all(|note| !note.contains("cavity")),
        "{cavity:?}"
    );
}

#[test]
fn texts_name_repairs_and_files_of_three_formats() {
    let folder = tempfile::tempdir().unwrap();
    let mut open = hopper(1, SEGMENTS);
    remove(&mut open, |at| at.z == 4.0);
    let (stl, ply) = (folder.path().join("a, b.stl"), folder.path().join("v.ply"));
    std::fs::write(&stl, open.stl()).unwrap();
    let body = vessel();
    let mut text = format!(
        "ply\nformat ascii 1.0\nelement vertex {}\nproperty double x\nproperty double y\nproperty double z\n\
         element face {}\nproperty list uchar int vertex_indices\nend_header\n",
        body.vertices.len(),
        body.triangles.len()
    );
    text.extend(
        body.vertices
            .iter()
            .map(|v| format!("{} {} {}\n", v.x, v.y, v.z)),
    );
    text.extend(
        body.triangles
            .iter()
            .map(|[a, b, c]| format!("3 {a} {b} {c}\n")),
    );
    std::fs::write(&ply, text).unwrap();
    let volume = |text: String| -> Result<f64, String> {
        let spec = text
            .parse::<ContainerSpec>()
            .map_err(|error| error.to_string())?;
        Ok(spec.container(None).unwrap().volume())
    };
    let (stl, ply) = (stl.display(), ply.display());
    assert_near(
        volume(format!("mesh:{stl},cap")).unwrap(),
        hopper_volume(),
        1e-4,
    );
    let scaled = volume(format!("mesh:{stl}, cap ,scale=2,fit")).unwrap();
    assert_near(scaled, 8.0 * hopper_volume(), 1e-3);
    let cavity = 0.8f64.powi(3) - 0.25f64.powi(3);
    for text in [
        "inside=0.7,0.7,0.7",
        "cap,inside=0.7,0.7,0.7",
        "inside= 0.7, 0.7, 0.7 ,cap",
    ] {
        assert_near(volume(format!("mesh:{ply},{text}")).unwrap(), cavity, 1e-12);
    }
    for (text, words) in [
        (format!("mesh:{stl}"), "'cap' closes it"),
        (format!("mesh:{stl},cap,cap"), "extension of a mesh file"),
        (
            format!("mesh:{ply},inside=1,2"),
            "inside is '1,2'; it must be three finite numbers",
        ),
        (format!("mesh:{ply},inside=1,a,2,cap"), "inside is '1,a,2'"),
        (format!("mesh:{ply},inside=1,2,inf"), "inside is '1,2,inf'"),
        (format!("mesh:{ply},inside=9,9,9"), "outside of all shells"),
    ] {
        let message = volume(text).unwrap_err();
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn the_account_of_repairs_is_in_the_json_form() {
    let mut body = hopper(1, SEGMENTS);
    remove(&mut body, |at| at.z == 4.0);
    turn(&mut body, 3);
    let mesh = repaired(MeshReader::default().cap(), &body).unwrap();
    let container = Container::mesh(mesh.scaled(3.0));
    let text = serde_json::to_string(&container).unwrap();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_near(
        value["repairs"]["capped_area"].as_f64().unwrap(),
        polygon(4.5),
        1e-9,
    );
    let read: Container = serde_json::from_str(&text).unwrap();
    assert_eq!(read, container);
    let notes = read.notes();
    assert_eq!(notes, container.notes());
    assert_eq!(notes.len(), 1);
    let start = "the mesh of the container was repaired: ";
    assert!(notes[0].starts_with(start), "{notes:?}");
}

#[test]
fn faults_name_triangles_by_their_numbers_in_the_file() {
    // A triangle without area comes first, and is dropped.
    let mut body = l_shape(2);
    let vertices = &mut body.vertices;
    let vertex = vertices
        .iter()
        .position(|&v| v == DVec3::new(0.5, 0.5, 0.0));
    vertices[vertex.unwrap()].z = 2.5;
    let strict = Mesh::new(body.vertices.clone(), body.triangles.clone());
    let numbers = |message: String| -> Vec<usize> {
        let words = message.split(|c: char| !c.is_ascii_digit());
        words.filter_map(|word| word.parse().ok()).collect()
    };
    let expected = numbers(strict.unwrap_err().to_string());
    body.triangles.insert(0, [0, 0, 1]);
    let found = numbers(repaired(MeshReader::default(), &body).unwrap_err());
    assert_eq!(found, expected.iter().map(|k| k + 1).collect::<Vec<_>>());
}

/// A cup with thick walls and a foot ring, and a ring wall that stands in its cavity, from z = 0.5 to 1.5.
const CUP: [[f64; 2]; 13] = [
    [0.0, 0.25],
    [1.0, 0.25],
    [1.0, 0.0],
    [2.0, 0.0],
    [2.0, 3.0],
    [1.5, 3.0],
    [1.5, 0.5],
    [1.2, 0.5],
    [1.2, 1.5],
    [1.0, 1.5],
    [1.0, 0.5],
    [0.5, 0.5],
    [0.0, 0.5],
];

#[test]
fn rims_of_thick_walls_are_closed_around_a_point() {
    let with = |at: DVec3| MeshReader::default().cap().inside(at);
    // A tube: its body has two flat rings, and both openings of the cavity are closed.
    let tube = ring(2, SEGMENTS);
    let mesh = repaired(with(DVec3::new(0.0, 0.0, 1.0)), &tube).unwrap();
    assert_near(mesh.volume(), 2.0 * polygon(1.0), 1e-12);
    let found = mesh.repairs();
    assert_eq!(found.capped_openings, 2);
    assert_near(found.capped_area, 2.0 * polygon(1.0), 1e-12);

    // The same without the rings: two surfaces, one around the other.
    let mut open = ring(1, SEGMENTS);
    for height in [0.0, 2.0] {
        assert_eq!(
            remove(&mut open, |at| at.z == height),
            2 * SEGMENTS as usize
        );
    }
    let mesh = repaired(with(DVec3::new(0.0, 0.0, 1.0)), &open).unwrap();
    assert_near(mesh.volume(), 2.0 * polygon(1.0), 1e-12);

    // Only the upper rim is an opening of the cavity: neither the ring wall in it nor the foot is.
    let cup = rotated(&CUP, SEGMENTS);
    let wall = polygon(1.2) - polygon(1.0);
    let mut parts = cup.clone();
    turn(&mut parts, 3);
    for body in [cup, parts] {
        let mesh = repaired(with(DVec3::new(0.1, 0.2, 2.0)), &body).unwrap();
        assert_near(mesh.volume(), 2.5 * polygon(1.5) - wall, 1e-12);
        assert_eq!(mesh.repairs().capped_openings, 1);
        assert_near(mesh.repairs().capped_area, polygon(1.5), 1e-12);
        // The material of the wall needs no cap.
        let mesh = repaired(with(DVec3::new(1.75, 0.0, 2.0)), &body).unwrap();
        assert_eq!(mesh.repairs().capped_openings, 0);
        let message = repaired(with(DVec3::new(0.0, 0.0, 3.5)), &body).unwrap_err();
        assert!(message.contains("outside of all shells"), "{message}");
        // Without caps, the cavity is open.
        let reader = MeshReader::default().inside(DVec3::new(0.0, 0.0, 2.0));
        assert!(repaired(reader, &body).unwrap_err().contains("'cap'"));
    }
}
