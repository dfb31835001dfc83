//! Reports, figures and still pictures, against the geometry of the spheres.

use base64::{Engine, engine::general_purpose::STANDARD};
use glam::DVec3;
#[cfg(feature = "mesh")]
use jostle::Mesh;
use jostle::{
    Boundary, Container, Packing, Spheres,
    analysis::{Analysis, AnalysisOptions},
    certify,
    report::{Colouring, Figure, ReportError, Still, plot, report},
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

fn packing(centers: Vec<DVec3>, radii: Vec<f64>, length: f64, boundary: &str) -> Packing {
    let container = Container::cuboid(DVec3::splat(length), boundary.parse().unwrap()).unwrap();
    let spheres = Spheres::new(centers, radii);
    let certificate = certify(&spheres, &container);
    Packing::new(spheres, container, certificate)
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

/// Returns the colour of a pixel.
fn pixel(pixels: &[u8], side: usize, column: usize, row: usize) -> [u8; 3] {
    let at = 3 * (row * side + column);
    pixels[at..at + 3].try_into().unwrap()
}

/// Whether a colour is grey, as the floor and the background are.
fn is_grey([r, g, b]: [u8; 3]) -> bool {
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
            let grey = is_grey(pixel(&pixels, side, column, row));
            if distance < radius - 1.0 {
                assert!(!grey, "{column} {row}");
            } else if distance > radius + 1.0 {
                assert!(grey, "{column} {row}");
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

/// A plane through the centre removes half of a sphere, and the flat face has one brightness.
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
        .colouring(Colouring::Type);
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
        .colouring(Colouring::Type)
        .cut(2, 0.5);
    let upper = pixel(&below.draw(&two).unwrap(), side, side / 2, side / 2);
    assert_ne!(upper, face);
}

/// One sphere in each of the round containers.
fn round_packings() -> Vec<Packing> {
    let containers = [
        Container::cylinder(4.0, 6.0, Boundary::Wall),
        Container::sphere(4.0),
        Container::cone(4.0, 2.0, 6.0),
        Container::cone(0.0, 4.0, 6.0),
    ];
    let packing = |container: Container| {
        let center = 0.5 * container.lengths();
        let spheres = Spheres::new(vec![center], vec![0.5]);
        let certificate = certify(&spheres, &container);
        Packing::new(spheres, container, certificate)
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
        !is_grey(face),
        "the line behind the sphere is visible: {face:?}"
    );
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
    let container = &packing.container;
    let shape = container.shape();
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
        let rows: Vec<[f64; 2]> =
            serde_json::from_value(meta(&packing)["profile"].clone()).unwrap();
        let (container, length) = (&packing.container, packing.container.lengths());
        assert_eq!((rows[0][0], rows[rows.len() - 1][0]), (0.0, length.z));
        for [z, radius] in rows {
            let point = DVec3::new(0.5 * length.x + radius, 0.5 * length.y, z);
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
        let certificate = certify(&spheres, &container);
        assert_outlines(&Packing::new(spheres, container, certificate));
    }
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
    assert!(is_grey(pixel(&still.draw(&none).unwrap(), 8, 4, 4)));
}

#[test]
fn png_files_hold_the_pixels() {
    let packing = random(50, "www");
    let still = Still::default().side(40).colouring(Colouring::Contacts);
    let file = still.png(&packing).unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(&file))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (40, 40));
    assert_eq!(pixels, still.draw(&packing).unwrap());
    let svg = still.svg(&packing).unwrap();
    assert!(svg.contains(&STANDARD.encode(&file)) && svg.contains("few contacts"));
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
    assert!(svg.contains("Mass curve") && svg.contains("height=\"640\""));
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
    let rest = page.replace("http://www.w3.org/2000/svg", "");
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
    let largest = packing.spheres.radii().iter().copied().fold(0.0, f64::max);
    let mut found: Vec<[f64; 4]> = (0..20_000)
        .map(|i| {
            let [x, y, z, r] = [0, 2, 4, 6].map(|offset| number(8 * i + offset));
            [10.0 * x, 10.0 * y, 10.0 * z, largest * r]
        })
        .collect();
    let mut written: Vec<[f64; 4]> = packing
        .spheres
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

#[test]
fn names_from_files_do_not_become_markup() {
    let mut packing = random(10, "ppp");
    packing.unit = "</script><b>".to_owned();
    let page = report(&packing, &analysis(&packing), None).unwrap();
    assert!(!page.contains("</script><b>"));
    assert_eq!(page.matches("<b>").count(), 8);
}
