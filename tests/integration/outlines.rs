//! Outlines: closed polygons with holes, as containers and as bodies, against sums over all edges.

use std::f64::consts::PI;

use glam::{DVec2, DVec3};
use jostle::{
    Container, Dimension, Effort, PackOptions, Spheres, Target, certify,
    container::{Body, ContainerSpec, Outline, Solid},
    pack,
};

type Ring = Vec<DVec2>;

/// Returns a star of 2 × `points` corners, with long and short radii in turn.
fn star(center: [f64; 2], points: usize, radii: [f64; 2]) -> Ring {
    (0..2 * points)
        .map(|k| {
            let (sin, cos) = (PI * k as f64 / points as f64 + 0.1).sin_cos();
            DVec2::from(center) + radii[k % 2] * DVec2::new(cos, sin)
        })
        .collect()
}

fn square(low: f64, side: f64) -> Ring {
    let corners = [[0.0, 0.0], [side, 0.0], [side, side], [0.0, side]];
    corners.map(|corner| DVec2::from(corner) + low).to_vec()
}

/// A star with two holes and an island in one of them. Directions are mixed.
fn rings() -> Vec<Ring> {
    let mut hole = star([8.0, 10.0], 5, [3.0, 1.5]);
    hole.reverse();
    let island = square(7.6, 0.5);
    let island = island.iter().map(|&p| p + DVec2::new(0.2, 2.1)).collect();
    vec![
        star([10.0, 10.0], 7, [10.0, 7.0]),
        hole,
        square(12.5, 2.0),
        island,
    ]
}

/// Returns the distance of a point inside rings from them, negative outside.
fn depth(rings: &[Ring], point: DVec2) -> f64 {
    let (mut nearest, mut crossings) = (f64::INFINITY, 0);
    for ring in rings {
        for (k, &a) in ring.iter().enumerate() {
            let b = ring[(k + 1) % ring.len()];
            let share = ((point - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
            nearest = nearest.min(point.distance(a + share * (b - a)));
            if (a.y <= point.y) != (b.y <= point.y) {
                let x = a.x + (b.x - a.x) * (point.y - a.y) / (b.y - a.y);
                crossings += i32::from(x > point.x);
            }
        }
    }
    if crossings % 2 == 1 {
        nearest
    } else {
        -nearest
    }
}

fn area(rings: &[Ring]) -> f64 {
    let shoelace = |ring: &Ring| -> f64 {
        let pairs = ring.iter().zip(ring.iter().cycle().skip(1));
        0.5 * pairs.map(|(a, b)| a.x * b.y - b.x * a.y).sum::<f64>().abs()
    };
    // The signs of a star, two holes and an island.
    let signs = [1.0, -1.0, -1.0, 1.0];
    rings
        .iter()
        .zip(signs)
        .map(|(ring, sign)| sign * shoelace(ring))
        .sum()
}

/// Returns rings moved to the origin.
fn at_origin(rings: &[Ring]) -> Vec<Ring> {
    let low = rings
        .iter()
        .flatten()
        .fold(DVec2::INFINITY, |low, &p| low.min(p));
    let moved = |ring: &Ring| ring.iter().map(|&p| p - low).collect();
    rings.iter().map(moved).collect()
}

fn points(count: usize, high: f64) -> impl Iterator<Item = DVec2> {
    let fraction = move |k: usize, step: f64| (k as f64 * step).fract() * high;
    (0..count).map(move |k| DVec2::new(fraction(k, 0.754_877_666), fraction(k, 0.569_840_296)))
}

#[test]
fn distances_and_areas_are_those_of_all_edges() {
    let rings = at_origin(&rings());
    let container = Container::outline(Outline::new(rings.clone()).unwrap());
    assert_eq!(container.dimension(), Dimension::Two);
    assert!((container.volume() - area(&rings)).abs() < 1e-9);
    for point in points(3000, 19.0).chain(rings.concat()) {
        let (found, expected) = (
            container.wall_gap(point.extend(0.0), 0.0),
            depth(&rings, point),
        );
        assert!(
            (found.abs() - expected.abs()).abs() < 1e-9,
            "{point}: {found} {expected}"
        );
        assert!(
            found * expected >= 0.0 || expected.abs() < 1e-9,
            "{point}: {found} {expected}"
        );
        let spheres = Spheres::new(vec![point.extend(0.0)], vec![0.25]);
        let gap = certify(&spheres, &container).min_gap;
        assert!(
            (gap - expected + 0.25).abs() < 1e-9,
            "{point}: {gap} {expected}"
        );
    }
    let largest = points(40_000, 20.0)
        .map(|point| depth(&rings, point))
        .fold(0.0, f64::max);
    let found = container.largest_radius();
    assert!(
        found >= largest && found < 1.01 * largest,
        "{found} {largest}"
    );
    let half = container.scaled(0.5);
    assert!((half.volume() - 0.25 * container.volume()).abs() < 1e-9);
    assert!(
        (half.wall_gap(DVec3::new(2.0, 5.0, 0.0), 0.0) * 2.0
            - container.wall_gap(DVec3::new(4.0, 10.0, 0.0), 0.0))
        .abs()
            < 1e-12
    );
}

#[test]
fn bodies_are_outside_of_outlines() {
    let outline = Outline::new(rings()).unwrap();
    let corner = outline.origin().extend(0.0) + DVec3::new(5.0, 4.0, 0.0);
    let rings: Vec<Ring> = rings()
        .iter()
        .map(|ring| ring.iter().map(|&p| p + DVec2::new(5.0, 4.0)).collect())
        .collect();
    let body = Body::new(Solid::Outline(outline), corner);
    for boundary in ["ww", "pp"] {
        let spec: ContainerSpec = "rectangle:lx=28,ly=26".parse().unwrap();
        let square = spec.container(Some(boundary.parse().unwrap())).unwrap();
        let container = square.without([body.clone()]).unwrap();
        assert!((container.volume() - 28.0 * 26.0 + area(&rings)).abs() < 1e-4);
        for point in points(1500, 26.0) {
            let images = [-28.0, 0.0, 28.0]
                .into_iter()
                .flat_map(|x| [-26.0, 0.0, 26.0].map(|y| -depth(&rings, point + DVec2::new(x, y))));
            let expected = if boundary == "pp" {
                images.fold(f64::INFINITY, f64::min)
            } else {
                let wall = point.min(DVec2::new(28.0, 26.0) - point).min_element();
                wall.min(-depth(&rings, point))
            };
            let found = container.wall_gap(point.extend(0.0), 0.0);
            assert!(
                (found - expected).abs() < 1e-9,
                "{boundary} {point}: {found} {expected}"
            );
        }
    }
    // A body that the container crosses.
    let spec: ContainerSpec = "rectangle:lx=10,ly=10".parse().unwrap();
    let square = spec.container(Some("ww".parse().unwrap())).unwrap();
    let at = Body::new(
        Solid::Outline(Outline::new(vec![star([0.0, 0.0], 4, [3.0, 1.0])]).unwrap()),
        DVec3::new(-3.0, -3.0, 0.0),
    );
    let cut = square.without([at]).unwrap();
    let counted = points(400_000, 10.0)
        .filter(|p| cut.wall_gap(p.extend(0.0), 0.0) < 0.0)
        .count();
    let missing = 100.0 - cut.volume();
    assert!(
        (missing - counted as f64 / 4000.0).abs() < 0.02,
        "{missing}"
    );
}

#[test]
fn disks_stay_in_an_outline() {
    let container = Container::outline(Outline::new(rings()).unwrap());
    let radii: Vec<f64> = (0..300).map(|k| [0.5, 0.7][k % 2]).collect();
    let options = PackOptions::default().effort(Effort::QUICK);
    let run = pack(&radii, &options.clone().container(container.clone())).unwrap();
    let packing = run.packing;
    let factor = packing.container().lengths().x / container.lengths().x;
    let scaled: Vec<Ring> = at_origin(&rings())
        .iter()
        .map(|ring| ring.iter().map(|&p| p * factor).collect())
        .collect();
    let mut least = f64::INFINITY;
    let disks: Vec<(DVec3, f64)> = packing.spheres().iter().collect();
    for (k, &(center, radius)) in disks.iter().enumerate() {
        least = least.min(depth(&scaled, center.truncate()) - radius);
        for &(other, other_radius) in &disks[..k] {
            least = least.min(center.distance(other) - radius - other_radius);
        }
    }
    assert!((-1e-11..0.01).contains(&least), "{least}");
    assert!((packing.certificate().min_gap - least).abs() < 1e-9);
    let solid: f64 = radii.iter().map(|r| PI * r * r).sum();
    let fraction = solid / area(&scaled);
    assert!(
        (packing.packing_fraction() - fraction).abs() < 1e-9 && fraction > 0.68,
        "{fraction}"
    );
    // In exactly this outline.
    let count = (0.5 * container.volume() / (PI * 0.16)) as usize;
    let exact = options.container(container).target(Target::Exact);
    let run = pack(vec![0.4; count], &exact).unwrap();
    assert_eq!(run.left_out.len(), 0);
    assert_eq!(run.packing.certificate().max_overlap, 0.0);
}

/// The same request gives the same bits: see `golden.rs`.
#[test]
fn packings_in_outlines_keep_their_bits() {
    let options = PackOptions::default()
        .effort(Effort::QUICK)
        .container(Container::outline(Outline::new(rings()).unwrap()));
    let packing = pack(vec![0.5; 200], &options).unwrap().packing;
    let centers = packing.spheres().centers().iter();
    let numbers = centers.flat_map(|center| [center.x, center.y]);
    let bytes = numbers.flat_map(|number| number.to_bits().to_le_bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    assert_eq!(format!("{hash:#018x}"), "0xde3c157ee24943b3");
}

#[test]
fn rings_that_are_no_outline_are_refused() {
    let refused = |rings: Vec<Ring>| Outline::new(rings).unwrap_err().to_string();
    assert!(refused(vec![]).contains("no ring"));
    let line = vec![DVec2::ZERO, DVec2::X, DVec2::X];
    assert!(refused(vec![line]).contains("has 2 different points"));
    let bow = [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]].map(DVec2::from);
    assert!(refused(vec![bow.to_vec()]).contains("cross or touch"));
    let spike = [[0.0, 0.0], [2.0, 0.0], [1.0, 0.0], [1.0, 1.0]].map(DVec2::from);
    assert!(refused(vec![spike.to_vec()]).contains("cross or touch"));
    let touching = vec![square(0.0, 4.0), square(0.0, 2.0)];
    assert!(refused(touching).contains("cross or touch"));
    let infinite = vec![DVec2::ZERO, DVec2::X, DVec2::new(0.0, f64::INFINITY)];
    assert!(refused(vec![infinite]).contains("must be finite"));
}

#[cfg(feature = "files")]
mod files {
    use std::{fs, path::Path};

    use jostle::Boundaries;
    use tempfile::TempDir;

    use super::*;

    fn written(directory: &TempDir, name: &str, text: &str) -> String {
        let path = directory.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    #[test]
    fn outlines_are_read_from_polygons_and_paths() {
        let directory = TempDir::new().unwrap();
        let polygon = r#"{"type": "Polygon", "coordinates": [[[1, 1], [5, 1], [5, 4], [1, 4], [1, 1]], [[2, 2], [3, 2], [3, 3]]]}"#;
        let json = written(&directory, "a, b.json", polygon);
        let outline = Outline::read(Path::new(&json)).unwrap();
        assert_eq!((outline.area(), outline.origin()), (11.5, DVec2::ONE));
        // A circle by arcs, with a square hole; y points down.
        let svg = written(
            &directory,
            "disk.svg",
            r#"<svg xmlns="http://www.w3.org/2000/svg"><g><path d="M0,10a10,10 0 1 0 20,0a10,10 0 1 0 -20,0z M 8 2 h 4 v 4 h -4 z"/>
               <polygon points="9,12 11,12 11,14 9,14"/></g></svg>"#,
        );
        let outline = Outline::read(Path::new(&svg)).unwrap();
        let expected = 100.0 * PI - 20.0;
        assert!(
            (outline.area() / expected - 1.0).abs() < 1e-3,
            "{}",
            outline.area()
        );
        let container = Container::outline(outline);
        // The upper hole is at the top.
        assert!(container.wall_gap(DVec3::new(10.0, 16.0, 0.0), 0.0) < 0.0);
        assert!(container.wall_gap(DVec3::new(10.0, 3.0, 0.0), 0.0) > 0.0);
        let spec: ContainerSpec = format!("outline:{json},scale=2").parse().unwrap();
        assert!(spec.is_exact());
        assert_eq!(spec.container(None).unwrap().volume(), 46.0);
        let fit: ContainerSpec = format!("outline:{json},fit").parse().unwrap();
        assert!(!fit.is_exact());
        let body: Body = format!("outline:{json}@3,0").parse().unwrap();
        assert_eq!(body.position, DVec3::new(4.0, 1.0, 0.0));
        assert_eq!(body.to_string(), "outline:FILE@3,0");
        for (name, text, words) in [
            ("c.dwg", "", "names no outline"),
            ("d.json", "[1, 2]", "a polygon such as"),
            ("e.svg", "<svg/>", "neither paths nor polygons"),
            (
                "f.svg",
                r#"<svg><path transform="scale(2)" d="M0 0h1v1z"/></svg>"#,
                "has a transform",
            ),
            (
                "g.svg",
                r#"<svg><path d="M0 0 zz q"/></svg>"#,
                "not understood",
            ),
        ] {
            let path = written(&directory, name, text);
            let message = Outline::read(Path::new(&path)).unwrap_err().to_string();
            assert!(message.contains(words), "{name}: {message}");
        }
        let missing: Result<ContainerSpec, _> = "outline:none.svg".parse();
        assert!(missing.unwrap_err().to_string().contains("none.svg"));
    }

    /// Returns a DXF file of entities, whose codes and values have blanks between them.
    fn dxf(entities: &str) -> String {
        let words = format!(
            "0 SECTION 2 HEADER 9 $ACADVER 1 AC1009 0 ENDSEC 0 SECTION 2 ENTITIES {entities} 0 ENDSEC 0 EOF"
        );
        words.split_whitespace().collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn outlines_are_read_from_dxf() {
        let directory = TempDir::new().unwrap();
        let corners = "70 1 10 0 20 0 10 4 20 0 42 BULGE 10 4 20 2 10 0 20 2 42 BULGE";
        let old = "66 1 70 1 0 VERTEX 10 0 20 0 0 VERTEX 10 4 20 0 42 BULGE 0 VERTEX 10 4 20 2 0 VERTEX 10 0 20 2 42 BULGE 0 SEQEND";
        let [slot, waist, old] = [(corners, "1"), (corners, "-1"), (old, "1")]
            .map(|(entity, bulge)| entity.replace("BULGE", bulge));
        // Area and lowest corner by hand.
        let cases = [
            (format!("0 LWPOLYLINE 8 part {slot}"), 8.0 + PI, [-1.0, 0.0]),
            (format!("0 LWPOLYLINE {waist}"), 8.0 - PI, [0.0, 0.0]),
            (format!("0 POLYLINE {old}"), 8.0 + PI, [-1.0, 0.0]),
            // Lines in any order and direction, with a half circle.
            (
                "0 LINE 10 0 20 1 11 -2 21 1 0 ARC 10 0 20 0 40 1 50 270 51 90 0 LINE 10 0 20 -1 11 -2 21 -1 \
                 0 LINE 10 -2 20 1 11 -2 21 -1 0 TEXT 10 0 20 0 1 words 0 LINE 67 1 10 0 20 0 11 9 21 9"
                    .to_owned(),
                4.0 + 0.5 * PI,
                [-2.0, -1.0],
            ),
            // Three quarters of a turn, closed by two radii.
            (
                "0 ARC 10 0 20 0 40 2 50 0 51 270 0 LWPOLYLINE 70 0 10 2 20 0 10 0 20 0 10 0 20 -2".to_owned(),
                3.0 * PI,
                [-2.0, -2.0],
            ),
            ("0 CIRCLE 10 5 20 5 40 5 0 CIRCLE 10 5 20 6 40 2".to_owned(), 21.0 * PI, [0.0, 0.0]),
            // Seen from the other side.
            ("0 CIRCLE 10 3 20 0 40 1 230 -1".to_owned(), PI, [-4.0, -1.0]),
            (format!("0 LWPOLYLINE {slot} 230 -1"), 8.0 + PI, [-5.0, 0.0]),
        ];
        for (entities, area, origin) in cases {
            let path = written(&directory, "a.dxf", &dxf(&entities));
            let outline = Outline::read(Path::new(&path)).unwrap();
            let error = outline.area() / area - 1.0;
            assert!(error.abs() < 1e-3, "{entities}: {error}");
            assert!(
                (outline.origin() - DVec2::from(origin)).length() < 1e-3,
                "{entities}"
            );
        }
        let path = written(&directory, "c.dxf", &dxf("0 CIRCLE 10 0 20 0 40 1"));
        let spec: ContainerSpec = format!("outline:{path},scale=2").parse().unwrap();
        assert!((spec.container(None).unwrap().lengths().x - 4.0).abs() < 1e-3);
    }

    #[test]
    fn dxf_files_without_outlines_are_refused() {
        let directory = TempDir::new().unwrap();
        for (text, words) in [
            (dxf(""), "has no line"),
            (
                dxf("0 SPLINE 10 0 20 0"),
                "has the entity SPLINE; outlines are read from LINE, ARC",
            ),
            (
                dxf("0 LINE 10 0 20 0 11 4 21 0 0 LINE 10 4 20 0 11 4 21 3"),
                "where no other line begins",
            ),
            (
                dxf("0 CIRCLE 10 0 20 0 40 -1"),
                "the radius of CIRCLE is -1",
            ),
            (
                dxf("0 CIRCLE 10 0 40 1"),
                "no finite coordinates in the groups 10 and 20",
            ),
            (
                dxf("0 CIRCLE 10 0 20 0 40 1 210 1"),
                "does not lie in the plane",
            ),
            (dxf("0 ARC 10 zero 20 0 40 1"), "group 10 of ARC is 'zero'"),
            (dxf("0 POLYLINE 70 64"), "has the entity POLYLINE"),
            (dxf("x LINE"), "is 'x'; a group code"),
            ("AutoCAD Binary DXF\r\n".to_owned(), "DXF as text"),
        ] {
            let path = written(&directory, "b.dxf", &text);
            let message = Outline::read(Path::new(&path)).unwrap_err().to_string();
            assert!(message.contains(words), "{words}: {message}");
        }
    }

    #[test]
    fn packings_in_outlines_survive_files() {
        let outline = Outline::new(rings()).unwrap().scaled(0.5);
        let hole = Body::new(
            Solid::Outline(Outline::new(vec![square(0.0, 1.0)]).unwrap()),
            DVec3::new(2.0, 5.0, 0.0),
        );
        let container = Container::outline(outline).without([hole]).unwrap();
        let text = serde_json::to_string(&container).unwrap();
        let read: Container = serde_json::from_str(&text).unwrap();
        assert_eq!(read, container);
        assert_eq!(read.volume(), container.volume());
        let boundary: Result<Container, _> =
            serde_json::from_str(&text.replace(r#""boundary":"w""#, r#""boundary":"pp""#));
        assert!(boundary.is_err());
        assert_eq!(container.boundary(), Boundaries::WALLS);
    }
}
