//! Reports, figures and still pictures, against the geometry of the spheres.

use base64::{Engine, engine::general_purpose::STANDARD};
use glam::DVec3;
#[cfg(feature = "mesh")]
use jostle::container::{Mesh, Solid};
use jostle::{
    Boundaries, Boundary, Container, Packing, Spheres,
    analysis::{Analysis, AnalysisOptions},
    container::{Axis, Body, ContainerError},
    report::{Coloring, Figure, ReportError, Still, figure_json, plot, report, viewer},
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

fn packing(centers: Vec<DVec3>, radii: Vec<f64>, length: f64, boundary: &str) -> Packing {
    let container = Container::cuboid(DVec3::splat(length), boundary.parse().unwrap()).unwrap();
    let spheres = Spheres::new(centers, radii);
    Packing::new(spheres, container)
}

/// Random spheres, which may overlap.
fn random(count: usize, boundary: &str) -> Packing {
    let mut rng = Pcg64::seed_from_u64(3);
    let mut uniform = || rng.random::<f64>();
    let centers = (0..count)
        .map(|_| 10.0 * DVec3::new(uniform(), uniform(), uniform()))
        .collect();
    let radii = (0..count).map(|_| 0.1 * 4_f64.powf(uniform())).collect();
    packing(centers, radii, 10.0, boundary)
}

fn analysis(packing: &Packing) -> Analysis {
    Analysis::new(packing, &AnalysisOptions::default().points(2_000)).unwrap()
}

/// Returns the color of a pixel.
fn pixel(pixels: &[u8], side: usize, column: usize, row: usize) -> [u8; 3] {
    let at = 3 * (row * side + column);
    pixels[at..at + 3].try_into().unwrap()
}

/// Whether a color is gray, as the floor and the background are.
fn is_gray([r, g, b]: [u8; 3]) -> bool {
    r.abs_diff(g) <= 3 && g.abs_diff(b) <= 3
}

#[test]
fn a_sphere_covers_its_disc() {
    let one = packing(vec![DVec3::splat(5.0)], vec![2.0], 10.0, "www");
    let side = 120;
    let still = Still::default().side(side).outline(false);
    let pixels = still.draw(&one).unwrap();
    assert_eq!(pixels.len(), 3 * side * side);
    // The picture is 1.09 diagonals wide.
    let radius = 2.0 / (10.0 * 3_f64.sqrt() * 1.09) * side as f64;
    for row in 0..side {
        for column in 0..side {
            let [x, y] = [column, row].map(|at| at as f64 + 0.5 - 0.5 * side as f64);
            let distance = x.hypot(y);
            let gray = is_gray(pixel(&pixels, side, column, row));
            if distance < radius - 1.0 {
                assert!(!gray, "{column} {row}");
            } else if distance > radius + 1.0 {
                assert!(gray, "{column} {row}");
            }
        }
    }
    // The sky is above: the top of the sphere is brighter than its bottom.
    let middle = side / 2;
    let brightness = |row: usize| {
        pixel(&pixels, side, middle, row)
            .map(u32::from)
            .iter()
            .sum::<u32>()
    };
    let reach = (0.8 * radius) as usize;
    assert!(brightness(middle - reach) > brightness(middle + reach) + 30);
}

/// A plane through the center removes half of a sphere, and the flat face has one brightness.
#[test]
fn a_cut_removes_the_side_of_the_viewer() {
    let two = packing(
        vec![DVec3::new(5.0, 5.0, 3.0), DVec3::new(5.0, 5.0, 8.0)],
        vec![2.0, 1.0],
        10.0,
        "www",
    );
    let side = 120;
    let above = Still::default()
        .view(DVec3::Z)
        .side(side)
        .outline(false)
        .coloring(Coloring::Type);
    let whole = above.draw(&two).unwrap();
    let cut = above.cut(2, 0.3).draw(&two).unwrap();
    let middle = pixel(&whole, side, side / 2, side / 2);
    let face = pixel(&cut, side, side / 2, side / 2);
    assert_ne!(middle, face, "the upper sphere is still there");
    let radius = 2.0 / (10.0 * 3_f64.sqrt() * 1.09) * side as f64;
    let beside = side / 2 + (0.8 * radius) as usize;
    let edge = pixel(&cut, side, beside, side / 2);
    let difference = (0..3)
        .map(|channel| face[channel].abs_diff(edge[channel]))
        .max();
    assert!(difference.unwrap() <= 9, "{face:?} {edge:?}");
    // From the other side, the same plane removes the lower half, and the small sphere stays.
    let below = Still::default()
        .view(-DVec3::Z)
        .side(side)
        .outline(false)
        .coloring(Coloring::Type)
        .cut(2, 0.5);
    let upper = pixel(&below.draw(&two).unwrap(), side, side / 2, side / 2);
    assert_ne!(upper, face);
}

/// Returns a container with another axis.
fn along(
    axis: Axis,
    container: Result<Container, ContainerError>,
) -> Result<Container, ContainerError> {
    let walls = Boundaries::WALLS;
    Container::with_axis(container?.solid().clone(), axis, walls)
}

/// One sphere in each of the round containers.
fn round_packings() -> Vec<Packing> {
    let containers = [
        Container::cylinder(4.0, 6.0, Boundary::Wall),
        Container::sphere(4.0),
        Container::cone(4.0, 2.0, 6.0),
        Container::cone(0.0, 4.0, 6.0),
        along(Axis::X, Container::cylinder(4.0, 6.0, Boundary::Wall)),
        along(Axis::Y, Container::cone(4.0, 2.0, 6.0)),
    ];
    let packing = |container: Container| {
        let center = 0.5 * container.lengths();
        let spheres = Spheres::new(vec![center], vec![0.5]);
        Packing::new(spheres, container)
    };
    containers
        .into_iter()
        .map(|container| packing(container.unwrap()))
        .collect()
}

/// Seen from the side, the sides of a cylinder and the edges of its ends are lines, except where a sphere hides them.
#[test]
fn stills_show_the_edges_of_the_container() {
    let packing = &round_packings()[0];
    let side = 200;
    let still = Still::default().view(DVec3::X).side(side);
    let [with, without] = [true, false].map(|outline| {
        let pixels = still.outline(outline).draw(packing).unwrap();
        move |x: f64, y: f64| {
            let [column, row] = [x, y].map(|at| at as usize);
            pixel(&pixels, side, column, row)
        }
    });
    // The picture is 1.09 diagonals of the bounding box wide.
    let scale = side as f64 / (1.09 * (16.0_f64 + 16.0 + 36.0).sqrt());
    let middle = 0.5 * side as f64;
    for (across, up) in [(2.0, 0.3), (-2.0, -1.4), (0.7, 3.0), (-1.2, -3.0)] {
        let [x, y] = [middle + scale * across, middle - scale * up];
        let [line, paper] = [with(x, y), without(x, y)].map(|[level, ..]| level);
        assert!(line + 60 < paper, "{across} {up}: {line} {paper}");
    }
    // A side line runs through the middle, where the sphere is behind it; from above, the sphere hides no edge.
    assert_ne!(with(middle, middle), without(middle, middle));
    let hidden = Still::default().view(DVec3::X).side(side).cut(0, 0.5);
    let pixels = hidden.draw(packing).unwrap();
    let face = pixel(&pixels, side, side / 2, side / 2);
    assert!(
        !is_gray(face),
        "the line behind the sphere is visible: {face:?}"
    );
}

/// A packing without spheres, in a cube of side 10 with bodies.
fn around(boundary: &str, bodies: &[&str]) -> Packing {
    let cube = Container::cuboid(DVec3::splat(10.0), boundary.parse().unwrap()).unwrap();
    let bodies = bodies.iter().map(|text| text.parse::<Body>().unwrap());
    let container = cube.without(bodies).unwrap();
    let spheres = Spheres::new(vec![], vec![]);
    Packing::new(spheres, container)
}

/// Whether a point lies in one of the bodies of [`stills_show_bodies`], or in one of their images.
fn is_in_bodies(p: DVec3) -> bool {
    let is_in_bars = (p.y - 5.0).hypot(p.z - 5.0) < 1.5 || (p.x - 4.0).hypot(p.z - 5.5) < 1.0;
    let from_ball = p.min(DVec3::splat(10.0) - p);
    let from_box = (p - DVec3::new(7.0, 7.0, 2.0)).abs();
    is_in_bars || from_ball.length() < 2.0 || from_box.cmplt(DVec3::new(1.0, 0.5, 1.5)).all()
}

/// Returns the corners of the part of a box of side 10 that a cut leaves, which removes the side of the viewer.
fn left_by(cut: Option<(usize, f64)>, view: DVec3) -> (DVec3, DVec3) {
    let (mut low, mut high) = (DVec3::ZERO, DVec3::splat(10.0));
    if let Some((axis, share)) = cut {
        if view[axis] > 0.0 {
            high[axis] = 10.0 * share;
        } else {
            low[axis] = 10.0 * share;
        }
    }
    (low, high)
}

/// The pixels of bodies are those whose lines of sight meet one, with and without a cutting plane. Crossing bars, and the periodic
/// images of a ball at a corner, are cut like one body.
#[test]
fn stills_show_bodies() {
    let packing = around(
        "ppp",
        &[
            "cylinder:d=3@5,5,5,axis=x",
            "cylinder:d=2@4,0,5.5,axis=y",
            "sphere:d=4@0,0,0",
            "box:lx=2,ly=1,lz=3@7,7,2",
        ],
    );
    let side = 160;
    // From the side, there is no floor.
    let mut numbers = [0, 0];
    for (view, cut) in [
        (DVec3::new(1.0, 0.4, 0.0), None),
        (DVec3::new(1.0, 0.4, 0.0), Some((0, 0.4))),
        (DVec3::new(-0.3, -1.0, 0.0), Some((1, 0.52))),
        (DVec3::new(0.2, 0.3, -1.0), Some((2, 0.55))),
    ] {
        let mut still = Still::default().view(view).side(side).outline(false);
        still.cut = cut;
        let pixels = still.draw(&packing).unwrap();
        let towards = view.normalize();
        let right = DVec3::Z.cross(towards).normalize();
        let up = towards.cross(right);
        // The picture is 1.09 diagonals of the part that is left wide, and shows its middle.
        let (low, high) = left_by(cut, view);
        let pixel_length = (high - low).length() * 1.09 / side as f64;
        let middle = 0.5 * (low + high);
        let is_kept = |p: DVec3| {
            p.cmpge(DVec3::ZERO).all()
                && p.cmple(DVec3::splat(10.0)).all()
                && cut.is_none_or(|(axis, share)| {
                    (p[axis] - 10.0 * share) * view[axis].signum() < 0.0
                })
        };
        let meets = |x: f64, y: f64| {
            let at = middle + pixel_length * (x * right + y * up);
            (-450..450)
                .map(|step| at + 0.02 * f64::from(step) * towards)
                .any(|p| is_kept(p) && is_in_bodies(p))
        };
        for row in 0..side {
            for column in 0..side {
                let x = column as f64 + 0.5 - 0.5 * side as f64;
                let y = 0.5 * side as f64 - row as f64 - 0.5;
                let around = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)];
                let found = around.map(|(dx, dy)| meets(x + dx, y + dy));
                if found.iter().any(|&other| other != found[0]) {
                    continue;
                }
                let color = pixel(&pixels, side, column, row);
                assert!(is_gray(color));
                numbers[usize::from(found[0])] += 1;
                // Paper has 250.
                assert_eq!(
                    color[0] < 225,
                    found[0],
                    "{view} {cut:?}: {column} {row} {color:?}"
                );
            }
        }
    }
    assert!(numbers[0] > 20_000 && numbers[1] > 10_000, "{numbers:?}");
}

/// The cut of a hollow body is flat and equally bright, and the hole in it is darker.
#[cfg(feature = "mesh")]
#[test]
fn stills_show_the_section_of_a_hollow_mesh() {
    let corner = |number: u32, half: f64| {
        DVec3::from_array([0, 1, 2].map(|axis| half * (f64::from(2 * (number >> axis & 1)) - 1.0)))
    };
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for (shell, half) in [3.0, 1.5].into_iter().enumerate() {
        vertices.extend((0..8).map(|number| corner(number, half)));
        for [a, b, c, d] in [
            [0, 4, 6, 2],
            [1, 3, 7, 5],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 2, 3, 1],
            [4, 5, 7, 6],
        ] {
            let first = 8 * shell as u32;
            for [a, b, c] in [[a, b, c], [a, c, d]] {
                // The shell of the hole faces the hole.
                let corners = if shell == 0 { [a, b, c] } else { [a, c, b] };
                triangles.push(corners.map(|number| first + number));
            }
        }
    }
    let mesh = Mesh::new(vertices, triangles).unwrap();
    let cube = Container::cuboid(DVec3::splat(10.0), "www".parse().unwrap()).unwrap();
    let body = Body::new(Solid::Mesh(mesh), DVec3::splat(2.0));
    let container = cube.without([body]).unwrap();
    let spheres = Spheres::new(vec![], vec![]);
    let packing = Packing::new(spheres, container);
    let side = 160;
    let still = Still::default().side(side).view(DVec3::Z).outline(false);
    let pixels = still.cut(2, 0.5).draw(&packing).unwrap();
    let scale = side as f64 / (10.0 * 3_f64.sqrt() * 1.09);
    let at = |x: f64, y: f64| {
        let [column, row] = [x, -y].map(|at| (0.5 * side as f64 + scale * at) as usize);
        pixel(&pixels, side, column, row)[0]
    };
    let section = at(2.25, 0.0);
    for (x, y) in [
        (-2.25, 0.0),
        (0.0, 2.25),
        (0.0, -2.25),
        (2.7, 2.7),
        (-1.8, 1.8),
    ] {
        assert!(
            at(x, y).abs_diff(section) <= 9,
            "{x} {y}: {} {section}",
            at(x, y)
        );
    }
    assert!(at(0.0, 0.0) + 20 < section, "{} {section}", at(0.0, 0.0));
    // The body shades the paper near it.
    assert!(at(4.5, 0.0) > section + 20, "{} {section}", at(4.5, 0.0));
}

/// Returns the triangles of bodies in a page, and the normals at their corners.
fn triangles(packing: &Packing) -> Vec<([DVec3; 3], [DVec3; 3])> {
    let page = report(packing, &analysis(packing), None).unwrap();
    let text = page.split("id=\"bodies\">").nth(1).unwrap();
    let bytes = STANDARD.decode(text.split('<').next().unwrap()).unwrap();
    let (corners, normals) = bytes.split_at(36 * (bytes.len() / 45));
    let numbers: Vec<f64> = (corners.chunks_exact(4))
        .map(|four| f64::from(f32::from_le_bytes(four.try_into().unwrap())))
        .collect();
    let shares: Vec<f64> = normals
        .iter()
        .map(|&byte| f64::from(byte as i8) / 127.0)
        .collect();
    let vectors = |numbers: &[f64]| [0, 3, 6].map(|at| DVec3::from_slice(&numbers[at..]));
    assert_eq!(numbers.len(), shares.len());
    (numbers.chunks_exact(9).zip(shares.chunks_exact(9)))
        .map(|(corners, normals)| (vectors(corners), vectors(normals)))
        .collect()
}

/// Returns the volume that triangles enclose, by the divergence theorem.
fn enclosed(triangles: &[([DVec3; 3], [DVec3; 3])]) -> f64 {
    let share = |([a, b, c], _): &([DVec3; 3], [DVec3; 3])| a.cross(*b).dot(*c) / 6.0;
    triangles.iter().map(share).sum()
}

/// The corners of all triangles lie on the bodies, normals point away from them, and the triangles enclose their volume.
#[test]
fn pages_contain_the_surfaces_of_bodies() {
    for body in [
        "cylinder:d=3,h=6@5,4,5,axis=x",
        "sphere:d=4@3,4,5",
        "box:lx=2,ly=1,lz=3@7,7,2",
    ] {
        let packing = around("www", &[body]);
        let triangles = triangles(&packing);
        assert_eq!(meta(&packing)["triangles"], triangles.len());
        for (corners, normals) in &triangles {
            for (&corner, &normal) in corners.iter().zip(normals) {
                let gap = |along: f64| packing.container().wall_gap(corner + along * normal, 0.0);
                assert!(gap(0.0).abs() < 1e-5, "{body}: {corner}");
                assert!(
                    gap(0.01) > 0.009 && gap(-0.01) < 1e-5,
                    "{body}: {corner} {normal}"
                );
            }
        }
        let taken = 1000.0 - packing.container().volume();
        let share = enclosed(&triangles) / taken;
        assert!(share > 0.99 && share < 1.0 + 1e-6, "{body}: {share}");
    }
    // A ball at a corner consists of eight parts, and a bar without ends ends at the faces.
    for (body, volume) in [("sphere:d=4@0,10,0", 33.51), ("cylinder:d=2@5,5,0", 31.42)] {
        let triangles = triangles(&around("ppp", &[body]));
        let corners = triangles.iter().flat_map(|(corners, _)| corners);
        let limits = DVec3::splat(-1e-5)..DVec3::splat(10.0 + 1e-5);
        for corner in corners {
            assert!(corner.cmpge(limits.start).all() && corner.cmple(limits.end).all());
        }
        let share = enclosed(&triangles) / volume;
        assert!((0.99..1.001).contains(&share), "{body}: {share}");
    }
    let page = around("ppp", &["sphere:d=4@0,10,0", "cylinder:d=2@5,5,0"]);
    let page = report(&page, &analysis(&page), None).unwrap();
    assert!(page.contains("2 bodies, which are gray, keep spheres out."));
}

/// Returns the numbers of a page that its scripts read.
fn meta(packing: &Packing) -> serde_json::Value {
    let page = report(packing, &analysis(packing), None).unwrap();
    let text = page.split("id=\"meta\">").nth(1).unwrap();
    serde_json::from_str(text.split("</script>").next().unwrap()).unwrap()
}

/// The ends of all lines lie on the walls, and the lines reach both ends of the bounding box along each axis.
fn assert_outlines(packing: &Packing) {
    let meta = meta(packing);
    let numbers: Vec<f64> = serde_json::from_value(meta["outline"].clone()).unwrap();
    let points: Vec<DVec3> = numbers.chunks_exact(3).map(DVec3::from_slice).collect();
    let container = &packing.container();
    let shape = container.solid();
    assert!(
        points.len() > 50 && points.len().is_multiple_of(2),
        "{shape}"
    );
    for &point in &points {
        let gap = container.wall_gap(point, 0.0);
        assert!(gap.abs() < 1e-5, "{shape}: {point} {gap}");
    }
    for axis in 0..3 {
        let length = container.lengths()[axis];
        for end in [0.0, length] {
            let is_there = points.iter().any(|point| (point[axis] - end).abs() < 1e-5);
            assert!(is_there, "{shape}: {axis} {end}");
        }
    }
}

#[test]
fn pages_outline_round_containers() {
    for packing in round_packings() {
        assert_outlines(&packing);
        let meta = meta(&packing);
        let rows: Vec<[f64; 2]> = serde_json::from_value(meta["profile"].clone()).unwrap();
        let (container, lengths) = (&packing.container(), packing.container().lengths());
        let axis = meta["round"].as_u64().unwrap() as usize;
        assert_eq!((rows[0][0], rows[rows.len() - 1][0]), (0.0, lengths[axis]));
        for [along, radius] in rows {
            let mut point = 0.5 * lengths;
            point[axis] = along;
            point[(axis + 1) % 3] += radius;
            assert!(container.wall_gap(point, 0.0).abs() < 1e-5, "{point}");
        }
    }
}

/// A body of revolution about z with the given rows radius and z, from the lowest point of the axis to the highest.
#[cfg(feature = "mesh")]
fn rotated(rows: &[[f64; 2]], segments: u32) -> Mesh {
    let top = rows.len() as u32 - 1;
    let number = |row: u32, k: u32| match row {
        0 => 0,
        row if row == top => 1,
        row => 2 + (row - 1) * segments + k % segments,
    };
    let mut vertices = vec![rows[0], rows[top as usize]]
        .into_iter()
        .map(|[_, z]| z * DVec3::Z)
        .collect::<Vec<_>>();
    let mut triangles = Vec::new();
    for (row, &[radius, z]) in rows.iter().enumerate().skip(1) {
        for k in 0..segments {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(k) / f64::from(segments)).sin_cos();
            let row = row as u32;
            if row < top {
                vertices.push(DVec3::new(radius * cos, radius * sin, z));
            }
            let [low, right] = [k, k + 1].map(|k| number(row - 1, k));
            let [high, above] = [k, k + 1].map(|k| number(row, k));
            let corners = [[low, right, above], [low, above, high]];
            triangles.extend(
                corners
                    .into_iter()
                    .filter(|[a, b, c]| a != b && b != c && c != a),
            );
        }
    }
    Mesh::new(vertices, triangles).unwrap()
}

/// A mesh with sharp edges has these edges, and a smooth one has sections.
#[cfg(feature = "mesh")]
#[test]
fn pages_outline_meshes() {
    let turn = |k: u32| (std::f64::consts::PI * f64::from(k) / 20.0).sin_cos();
    let ball: Vec<[f64; 2]> = (0..=20).map(|k| [turn(k).0, -turn(k).1]).collect();
    let drum = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 3.0], [0.0, 3.0]];
    for rows in [ball, drum] {
        let container = Container::mesh(rotated(&rows, 40));
        let spheres = Spheres::new(vec![0.5 * container.lengths()], vec![0.1]);
        assert_outlines(&Packing::new(spheres, container));
    }
}

#[test]
fn spheres_of_extreme_size_or_position_are_drawn_or_refused_at_once() {
    let still = Still::default().side(100);
    let draw = |count: usize, radius: f64, at: f64| {
        let center = |i: usize| at * DVec3::new(1.0, 0.5, 0.25) + 0.01 * i as f64;
        let centers = (0..count).map(center).collect();
        still.draw(&packing(centers, vec![radius; count], 10.0, "www"))
    };
    for (radius, at) in [(0.5, 1e10), (0.5, 1e300), (1e-300, 5.0), (0.1, -1e150)] {
        assert_eq!(draw(30, radius, at).unwrap().len(), 3 * 100 * 100);
    }
    for radius in [1e2, 1e5, 1e150, 1e300] {
        // Each one would cover all pixels of all directions of the sky.
        let error = draw(20_000, radius, 5.0).unwrap_err().to_string();
        assert_eq!(
            error,
            "the spheres cover the picture 20000 times; at most 84 layers are drawn, because 20000 spheres without overlap have fewer: \
             the spheres overlap too much, or the container is too small"
        );
        assert!(draw(5, radius, 5.0).is_ok());
    }
    for length in [1e-320, 1e200] {
        let error = still.draw(&packing(Vec::new(), Vec::new(), length, "ppp"));
        assert!(matches!(error, Err(ReportError::Container { .. })));
    }
}

#[test]
fn a_picture_takes_the_estimated_memory() {
    // 24 bytes for each of four points, and three for the pixel.
    let estimate = |side: usize| Still::default().side(side).estimated_memory();
    assert_eq!(estimate(4000) - estimate(2000), 99.0 * 12e6);
    assert!(estimate(4000) < 1.8e9);
}

#[test]
fn settings_out_of_range_are_rejected() {
    let one = packing(vec![DVec3::splat(5.0)], vec![2.0], 10.0, "www");
    let still = Still::default().side(8);
    for bad in [DVec3::ZERO, DVec3::splat(f64::NAN)] {
        assert!(matches!(
            still.view(bad).draw(&one),
            Err(ReportError::View { .. })
        ));
    }
    for (axis, position) in [(3, 0.5), (0, 1.5), (0, f64::NAN)] {
        assert!(matches!(
            still.cut(axis, position).draw(&one),
            Err(ReportError::Cut { .. })
        ));
    }
    for side in [0, 10_000] {
        assert!(matches!(
            still.side(side).draw(&one),
            Err(ReportError::Side { .. })
        ));
    }
    let none = packing(vec![], vec![], 10.0, "ppp");
    assert!(is_gray(pixel(&still.draw(&none).unwrap(), 8, 4, 4)));
}

#[test]
fn png_files_hold_the_pixels() {
    let packing = random(50, "www");
    let still = Still::default().side(40).coloring(Coloring::Contacts);
    let file = still.png(&packing).unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(&file))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (40, 40));
    assert_eq!(pixels, still.draw(&packing).unwrap());
    let svg = still.svg(&packing).unwrap();
    assert!(svg.contains(&STANDARD.encode(&file)) && svg.contains(">contacts</text>"));
}

/// Figs. 5 and 7 of Raschdorf & Kolonko 2011: a sphere across the middle of the container is in the root of the strict octree, and is
/// dark; in the loose octree it is as deep as another sphere of its size.
#[test]
fn colors_show_the_levels_of_both_octrees() {
    let centers = vec![DVec3::splat(4.0), DVec3::splat(1.5)];
    let two = packing(centers, vec![0.5; 2], 8.0, "www");
    let side = 100;
    let still = Still::default().view(DVec3::Z).side(side).outline(false);
    let count = |coloring, is_of: fn([u8; 3]) -> bool| {
        let pixels = still.coloring(coloring).draw(&two).unwrap();
        let colors = pixels.chunks(3).map(|color| [color[0], color[1], color[2]]);
        let colors = colors.filter(|&color| !is_gray(color));
        colors.filter(|&color| is_of(color)).count()
    };
    // The ends of viridis: purple and yellow.
    let is_dark = |[_, g, b]: [u8; 3]| b > g;
    let is_light = |[_, g, b]: [u8; 3]| g > b;
    assert_eq!(count(Coloring::Level, is_dark), 0);
    let both = count(Coloring::Level, is_light);
    let [dark, light] = [
        count(Coloring::StrictLevel, is_dark),
        count(Coloring::StrictLevel, is_light),
    ];
    assert!(dark > 20 && light > 20, "{dark} {light}");
    assert!(
        both.abs_diff(dark + light) < both / 4,
        "{both} {dark} {light}"
    );
    let middle = still.coloring(Coloring::StrictLevel).draw(&two).unwrap();
    assert!(is_dark(pixel(&middle, side, side / 2, side / 2)));
    // Both octrees have the legend of the loose one, and 2^3 nodes of side 1 along an axis: the deepest level is 3.
    for coloring in [Coloring::Level, Coloring::StrictLevel] {
        let svg = still.coloring(coloring).svg(&two).unwrap();
        assert!(svg.contains(">level 0<") && svg.contains(">level 3<"));
        assert!(!svg.contains(">level 4<"));
        assert!(svg.contains("fill=\"#440154\"/><text") && svg.contains("fill=\"#fde725\"/><text"));
    }
}

#[test]
fn pictures_do_not_depend_on_the_number_of_threads() {
    let packing = random(200, "ppp");
    let [one, three] = [1, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| Still::default().side(60).draw(&packing).unwrap())
    });
    assert_eq!(one, three);
}

/// Checks that every element of an XML text is closed, in order.
fn assert_well_formed(xml: &str) {
    let mut open = Vec::new();
    for tag in xml.split('<').skip(1) {
        let (tag, text) = tag.split_once('>').expect("a tag without end");
        assert!(!text.contains('&') || text.contains(';'), "{text}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{tag}");
        } else if !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().unwrap());
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn figures_are_well_formed_and_have_their_titles() {
    let packing = random(3_000, "pww");
    let analysis = analysis(&packing);
    let available = Figure::available(&packing, &analysis);
    assert!(available.len() >= 9, "{available:?}");
    for figure in &available {
        let svg = plot(&packing, &analysis, &[*figure]).unwrap();
        assert_well_formed(&svg);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{figure}");
    }
    let svg = plot(&packing, &analysis, &[Figure::Sizes, Figure::Pores]).unwrap();
    assert!(svg.contains("Grading curve") && svg.contains("height=\"640\""));
    // A small periodic packing has no walls and few spheres.
    let small = random(5, "ppp");
    let error = plot(&small, &self::analysis(&small), &[Figure::Wall]).unwrap_err();
    assert!(error.to_string().contains("must have walls"));
    let empty = self::packing(vec![], vec![], 10.0, "ppp");
    let figures = Figure::available(&empty, &self::analysis(&empty));
    plot(&empty, &self::analysis(&empty), &figures).unwrap();
}

/// The polyline of a figure passes through the points of the analysis.
#[test]
fn curves_pass_through_their_points() {
    let packing = random(3_000, "ppp");
    let analysis = analysis(&packing);
    let svg = plot(&packing, &analysis, &[Figure::Pores]).unwrap();
    let path = svg
        .split("<path d=\"M")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let points: Vec<[f64; 2]> = path
        .split('L')
        .map(|point| {
            let (x, y) = point.split_once(' ').unwrap();
            [x, y].map(|number| number.parse().unwrap())
        })
        .collect();
    let pores = analysis.pores.unwrap();
    assert_eq!(points.len(), pores.diameter.len());
    let (first, last) = (points[0], points[points.len() - 1]);
    for (point, (d, share)) in points
        .iter()
        .zip(pores.diameter.iter().zip(&pores.cumulative))
    {
        let x = first[0] + (last[0] - first[0]) * d / pores.diameter.last().unwrap();
        let y = first[1] + (last[1] - first[1]) * share;
        assert!((point[0] - x).abs() < 0.11 && (point[1] - y).abs() < 0.11);
    }
}

#[test]
fn pages_contain_the_spheres_and_need_no_network() {
    let packing = random(20_000, "pww");
    let page = report(&packing, &analysis(&packing), None).unwrap();
    // 100 000 spheres take less than 5 MB, and a million less than 40 MB.
    let bytes_per_sphere = page.len() as f64 / 20_000.0;
    assert!(bytes_per_sphere < 38.0, "{bytes_per_sphere}");
    // Links to sources load nothing until a reader follows them.
    let rest = page.replace("http://www.w3.org/2000/svg", "");
    let rest = rest.replace("<a href=\"https://doi.org/", "");
    for word in ["http:", "https:", "src=", "@import", "fetch("] {
        assert!(!rest.contains(word), "{word}");
    }
    let text = page
        .split("id=\"spheres\">")
        .nth(1)
        .unwrap()
        .split('<')
        .next()
        .unwrap();
    let bytes = STANDARD.decode(text).unwrap();
    assert_eq!(bytes.len(), 200_000);
    let number = |at: usize| f64::from(u16::from_le_bytes([bytes[at], bytes[at + 1]])) / 65535.0;
    let largest = packing
        .spheres()
        .radii()
        .iter()
        .copied()
        .fold(0.0, f64::max);
    let mut found: Vec<[f64; 4]> = (0..20_000)
        .map(|i| {
            let [x, y, z, r] = [0, 2, 4, 6].map(|offset| number(8 * i + offset));
            [10.0 * x, 10.0 * y, 10.0 * z, largest * r]
        })
        .collect();
    let mut written: Vec<[f64; 4]> = packing
        .spheres()
        .iter()
        .map(|(center, radius)| [center.x, center.y, center.z, radius])
        .collect();
    // In the order of the radius no two of these random spheres are exchanged by more than the quantization.
    for spheres in [&mut found, &mut written] {
        spheres.sort_by(|a, b| a[0].total_cmp(&b[0]));
    }
    let near = |a: &[f64; 4], b: &[f64; 4]| (0..4).all(|k| (a[k] - b[k]).abs() < 2e-4);
    let matched = found
        .iter()
        .enumerate()
        .filter(|(i, sphere)| {
            let around = i.saturating_sub(5)..(i + 6).min(written.len());
            written[around].iter().any(|other| near(sphere, other))
        })
        .count();
    assert_eq!(matched, 20_000);
}

/// The view alone has the scripts and the spheres of the report, and neither numbers nor figures.
#[test]
fn the_viewer_is_the_view_of_the_report() {
    let packing = random(300, "pww");
    let (alone, page) = (
        viewer(&packing).unwrap(),
        report(&packing, &analysis(&packing), None).unwrap(),
    );
    let part = |page: &str, start: &str| {
        let (_, rest) = page.split_once(start).unwrap();
        rest.split("</script>").next().unwrap().to_owned()
    };
    for start in ["id=\"meta\">", "id=\"spheres\">", "<script>\n"] {
        assert_eq!(part(&alone, start), part(&page, start));
    }
    assert!(alone.contains("id=\"canvas\"") && alone.contains("id=\"slice2\""));
    let figures = |page: &str| page.matches("role=\"img\" aria-label").count();
    assert!(figures(&page) > 5 + figures(&alone) && !alone.contains("<figure>"));
    assert!(alone.contains("<svg id=\"over\""));
    assert_eq!(page.matches("<h1>").count(), 1);
}

#[test]
fn figures_have_a_json_form() {
    let packing = random(3_000, "ppp");
    let analysis = analysis(&packing);
    let json = figure_json(&packing, &analysis, Figure::Pores).unwrap();
    let figure: serde_json::Value = serde_json::from_str(&json).unwrap();
    let pores = analysis.pores.as_ref().unwrap();
    let points = pores.diameter.iter().zip(&pores.cumulative);
    let points: Vec<[f64; 3]> = points.map(|(&x, &y)| [x, y, 0.0]).collect();
    assert_eq!(figure["series"][0]["points"], serde_json::json!(points));
    assert_eq!(figure["series"][0]["mark"], "line");
    assert_eq!(figure["x"]["includes"], 0.0);
    let bars = figure_json(&packing, &analysis, Figure::Contacts).unwrap();
    let bars: serde_json::Value = serde_json::from_str(&bars).unwrap();
    assert_eq!(
        bars["groups"].as_array().unwrap().len(),
        analysis.sizes.classes.len()
    );
    let error = figure_json(&packing, &analysis, Figure::Wall).unwrap_err();
    assert!(matches!(
        error,
        ReportError::NoFigure {
            figure: Figure::Wall
        }
    ));
}

#[test]
fn names_from_files_do_not_become_markup() {
    let mut packing = random(10, "ppp");
    packing.unit = "</script><b>".to_owned();
    let page = report(&packing, &analysis(&packing), None).unwrap();
    assert!(!page.contains("</script><b>"));
    assert_eq!(page.matches("<b>").count(), 8);
}
