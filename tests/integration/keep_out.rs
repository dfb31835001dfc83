//! Bodies that keep spheres out of a part of a container, checked by brute force that shares no code with the library.

use std::f64::consts::PI;

use jostle::{
    Container, Effort, IndexKind, PackOptions, Packing, Spheres, Target, certify,
    container::{Axis, Ball, Body, BodyError, Cone, Cuboid, Cylinder, Solid},
    glam::DVec3,
    pack,
    packing::{ClosestPair, StopReason},
    rearrange::PackError,
    total_volume,
};
use proptest::prelude::*;

use crate::common::body_distance::distance;
use crate::common::spheres::container;

/// A container without the bodies that texts describe.
fn without(shape: &str, boundary: &str, bodies: &[&str]) -> Container {
    let bodies = bodies.iter().map(|text| text.parse::<Body>().unwrap());
    container(shape, boundary).without(bodies).unwrap()
}

fn quick(container: Container) -> PackOptions {
    PackOptions::default()
        .effort(Effort::QUICK)
        .container(container)
        .target(Target::Exact)
}

/// Asserts that no sphere overlaps another sphere, an image, a wall or a body, and that the certificate says so.
#[track_caller]
fn assert_sound(packing: &Packing, radii: &[f64], min_gap: f64, wall_gap: f64) {
    let (spheres, container) = (packing.spheres(), packing.container());
    assert_eq!(spheres.radii(), radii);
    let lengths = container.lengths();
    let rounding = 1e-14 * lengths.max_element();
    for (i, (a, r)) in spheres.iter().enumerate() {
        let from_bodies = distance(container, a) - r;
        assert!(from_bodies >= wall_gap - rounding, "{i}: {from_bodies:e}");
        let from_walls = container.outer().wall_gap(a, r);
        assert!(from_walls >= wall_gap - rounding, "{i}: {from_walls:e}");
        let stated = container.wall_gap(a, r);
        let found = from_bodies.min(from_walls);
        assert!((found - stated).abs() < rounding, "{found} {stated}");
        for (b, s) in spheres.iter().take(i) {
            let mut d = a - b;
            for axis in (0..3).filter(|&axis| container.is_periodic(axis)) {
                d[axis] -= lengths[axis] * (d[axis] / lengths[axis]).round();
            }
            let gap = d.length() - r - s;
            assert!(gap >= min_gap - rounding, "{gap:e}");
        }
    }
    assert_eq!(packing.certificate(), certify(spheres, container));
    assert_eq!(packing.certificate().max_overlap, 0.0);
}

/// The share of a bounding box inside walls and outside of bodies, by the middles of `count`³ cells.
fn free_share(container: &Container, count: u32) -> f64 {
    let middle = |k: u32| (f64::from(k) + 0.5) / f64::from(count);
    let mut free = 0;
    for x in 0..count {
        for y in 0..count {
            for z in 0..count {
                let p = DVec3::new(middle(x), middle(y), middle(z)) * container.lengths();
                let is_free =
                    container.outer().wall_gap(p, 0.0) > 0.0 && distance(container, p) > 0.0;
                free += u32::from(is_free);
            }
        }
    }
    f64::from(free) / f64::from(count).powi(3)
}

/// The volume that two crossing cylinders of radius 1 share (Steinmetz).
const CROSSING: f64 = 16.0 / 3.0;

/// The volume of two balls of radius 1 whose middles are 1 apart: both balls less their common lens.
const TWO_BALLS: f64 = 8.0 / 3.0 * PI - 5.0 / 12.0 * PI;

const BOX: &str = "box:lx=10,ly=10,lz=10";
const SLAB: &str = "box:lx=9,ly=10,lz=11";

/// Containers, bodies separated by spaces, and the volume that they take.
const VOLUMES: [(&str, &str, &str, f64); 27] = [
    // Apart and inside.
    (BOX, "www", "sphere:d=2@5,5,5", 4.0 / 3.0 * PI),
    (BOX, "ppp", "sphere:d=2@0,10,25", 4.0 / 3.0 * PI),
    (SLAB, "ppp", "cylinder:d=2@5,5,5,axis=x", 9.0 * PI),
    (SLAB, "ppp", "cylinder:d=2@5,5,5,axis=y", 10.0 * PI),
    (SLAB, "ppp", "cylinder:d=2@0,0,0", 11.0 * PI),
    ("cylinder:d=6,h=5", "p", "cylinder:d=2@3,3,0", 5.0 * PI),
    ("sphere:d=6", "w", "box:lx=1,ly=1,lz=2@3,3,3", 2.0),
    (BOX, "www", "cone:d_bottom=4,d_top=2,h=3@5,5,5", 7.0 * PI),
    (
        BOX,
        "ppp",
        "cone:d_bottom=0,d_top=2,h=6@0,5,9,axis=y",
        2.0 * PI,
    ),
    // Through walls; a cap of height 1/2 has the volume π h² (3 r − h) / 3.
    (BOX, "www", "sphere:d=2@5,5,0", 2.0 / 3.0 * PI),
    (BOX, "www", "sphere:d=2@10.5,5,5", 0.25 * 2.5 / 3.0 * PI),
    (BOX, "www", "sphere:d=2@0,0,0", PI / 6.0),
    (BOX, "www", "cylinder:d=2,h=30@5,5,5,axis=y", 10.0 * PI),
    (BOX, "www", "cylinder:d=2,h=30@5,0,5,axis=x", 5.0 * PI),
    (BOX, "www", "box:lx=4,ly=4,lz=4@10,10,10", 8.0),
    // Half of a frustum along each axis.
    (
        BOX,
        "www",
        "cone:d_bottom=4,d_top=2,h=3@5,5,0,axis=x",
        3.5 * PI,
    ),
    (
        BOX,
        "www",
        "cone:d_bottom=4,d_top=2,h=3@5,5,10,axis=y",
        3.5 * PI,
    ),
    // Through each other.
    (BOX, "www", "sphere:d=2@5,5,5 sphere:d=2@6,5,5", TWO_BALLS),
    (BOX, "www", "sphere:d=2@5,5,5 sphere:d=2@5,5,6", TWO_BALLS),
    (
        BOX,
        "www",
        "sphere:d=4@5,5,5 box:lx=1,ly=1,lz=1@5,5,5",
        32.0 / 3.0 * PI,
    ),
    (
        BOX,
        "ppp",
        "box:lx=3,ly=3,lz=3@1,1,1 box:lx=3,ly=3,lz=3@9,9,9",
        53.0,
    ),
    (
        BOX,
        "ppp",
        "cylinder:d=2@5,5,5,axis=x cylinder:d=2@5,5,5,axis=y",
        20.0 * PI - CROSSING,
    ),
    (
        BOX,
        "ppp",
        "cylinder:d=2@0,0,0,axis=y cylinder:d=2@0,0,0,axis=z",
        20.0 * PI - CROSSING,
    ),
    // Through curved walls.
    (
        "cylinder:d=2,h=9",
        "w",
        "cylinder:d=2,h=9@1,1,4,axis=x",
        CROSSING,
    ),
    ("sphere:d=6", "w", "box:lx=9,ly=9,lz=9@3,3,7.5", 18.0 * PI),
    (
        "cone:d_bottom=6,d_top=0,h=3",
        "w",
        "box:lx=9,ly=9,lz=4@3,3,4",
        PI / 3.0,
    ),
    (
        "cone:d_bottom=0,d_top=6,h=3",
        "w",
        "box:lx=9,ly=9,lz=2@3,3,0",
        PI / 3.0,
    ),
];

#[test]
fn volumes_agree_with_closed_forms() {
    for (shape, boundary, bodies, taken) in VOLUMES {
        let texts: Vec<&str> = bodies.split(' ').collect();
        let container = without(shape, boundary, &texts);
        let expected = container.outer().volume() - taken;
        let error = (container.volume() - expected) / expected;
        assert!(error.abs() < 1e-8, "{shape} {bodies}: {error:e}");
    }
}

prop_compose! {
    fn body()(
        kind in 0..4,
        at in prop::array::uniform3(-0.1..1.1f64),
        sizes in prop::array::uniform3(0.5..6.0f64),
        axis in prop::sample::select(vec![Axis::X, Axis::Y, Axis::Z]),
    ) -> Body {
        let center = 12.0 * DVec3::from_array(at);
        let [diameter, top, height] = sizes;
        let solid = match kind {
            0 => Solid::Cylinder(Cylinder { diameter, height: 2.0 * height }),
            1 => Solid::Sphere(Ball { diameter }),
            2 => {
                let top = if top < 1.5 { 0.0 } else { top };
                Solid::Cone(Cone { bottom: diameter, top, height: 2.0 * height })
            }
            _ => Solid::Box(Cuboid { lengths: DVec3::from_array(sizes) }),
        };
        Body::new(solid, center).along(axis)
    }
}

const SHAPES: [(&str, &str); 7] = [
    ("box:lx=12,ly=12,lz=12", "ppp"),
    ("box:lx=12,ly=13,lz=14", "www"),
    ("box:lx=13,ly=12,lz=12", "pwp"),
    ("cylinder:d=13,h=12", "w"),
    ("cylinder:d=13,h=12", "p"),
    ("sphere:d=14", "w"),
    ("cone:d_bottom=16,d_top=8,h=12", "w"),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn packings_around_any_bodies_have_no_overlap(
        (shape, boundary) in prop::sample::select(SHAPES.to_vec()),
        bodies in prop::collection::vec(body(), 1..4),
        count in 1usize..150,
        octaves in 0.0..3.0f64,
        exact in prop::bool::ANY,
        fraction in 0.02..0.5f64,
        min_gap in prop_oneof![Just(0.0), 0.0..0.2f64],
        wall_gap in prop_oneof![Just(None), (0.0..0.3f64).prop_map(Some)],
        seed in 0u64..1000,
    ) {
        let outer = container(shape, boundary);
        let hollow = match outer.without(bodies) {
            Ok(hollow) => hollow,
            Err(BodyError::Outside { .. } | BodyError::TooLong { .. }) => return Ok(()),
            Err(error) => panic!("{error}"),
        };
        let free = free_share(&hollow, 40) * hollow.lengths().element_product();
        prop_assert!((hollow.volume() / free - 1.0).abs() < 0.05, "{} {free}", hollow.volume());
        let unscaled: Vec<f64> = (0..count)
            .map(|k| (octaves * k as f64 / count as f64).exp2())
            .collect();
        let factor = (fraction * hollow.volume() / total_volume(&unscaled)).cbrt().min(0.7);
        let radii: Vec<f64> = unscaled.iter().map(|radius| radius * factor).collect();
        let mut options = quick(hollow.clone()).min_gap(min_gap).seed(seed);
        if !exact {
            options = options.target(Target::Densest);
        }
        options.wall_gap = wall_gap;
        match pack(&radii, &options) {
            Ok(run) => {
                let packing = run.packing;
                assert_sound(&packing, &radii, min_gap, wall_gap.unwrap_or(0.5 * min_gap));
                let factor = packing.container().lengths().x / hollow.lengths().x;
                let volume = packing.container().volume() / factor.powi(3);
                prop_assert!((volume / hollow.volume() - 1.0).abs() < 1e-6);
            }
            // Few large spheres do not fit.
            Err(error) => prop_assert!(
                matches!(error, PackError::TooLarge { .. } | PackError::TooMuchVolume { .. }),
                "{error}"
            ),
        }
    }

    #[test]
    fn gaps_are_those_of_the_closest_points(
        (shape, boundary) in prop::sample::select(SHAPES.to_vec()),
        body in body(),
        points in prop::collection::vec(prop::array::uniform3(0.0..1.0f64), 60),
    ) {
        let outer = container(shape, boundary);
        let Ok(hollow) = outer.without([body]) else {
            return Ok(());
        };
        for fractions in points {
            let p = DVec3::from_array(fractions) * hollow.lengths();
            let (body, walls) = (distance(&hollow, p), outer.wall_gap(p, 0.0));
            let expected = body.min(walls);
            prop_assert!((hollow.wall_gap(p, 0.0) - expected).abs() < 1e-12);
            // Spheres so small that no image is closer.
            let found = certify(&Spheres::new(vec![p], vec![1e-6]), &hollow);
            if walls < 0.0 {
                // Beyond an edge, the certificate tells the distance from one of the two walls.
                prop_assert!(found.min_gap < 0.0 && found.min_gap - (expected - 1e-6) > -1e-12);
                continue;
            }
            prop_assert!((found.min_gap - (expected - 1e-6)).abs() < 1e-12, "{found:?} {expected}");
            if body < walls - 1e-9 {
                prop_assert_eq!(found.closest, Some(ClosestPair::Body(0, 0)));
            }
        }
    }
}

/// No random position is free in a narrow gap, so that all large spheres start at its deepest point. They come apart all the same.
#[test]
fn spheres_that_start_at_one_point_come_apart() {
    for (shape, boundary, body) in [
        ("box:lx=10,ly=10,lz=10", "www", "box:lx=10,ly=10,lz=8@5,5,4"),
        ("box:lx=10,ly=10,lz=10", "ppp", "box:lx=10,ly=10,lz=8@5,5,4"),
        ("cylinder:d=10,h=10", "w", "cylinder:d=10,h=8@5,5,4"),
    ] {
        let gap = without(shape, boundary, &[body]);
        for (count, radius) in [(2, 0.999), (3, 0.9999), (7, 0.99)] {
            let radii = vec![radius; count];
            for target in [Target::Exact, Target::Densest] {
                let options = quick(gap.clone()).target(target);
                let packing = pack(&radii, &options).unwrap().packing;
                assert_sound(&packing, &radii, 0.0, 0.0);
                let growth = packing.container().lengths().x / 10.0;
                assert!(
                    growth < 1.05,
                    "{shape} {boundary} {count} {radius}: {growth}"
                );
            }
        }
    }
}

/// A periodic cube with two bars that cross in its middle.
fn crossing_bars() -> Container {
    let bars = ["cylinder:d=3@6,6,6,axis=x", "cylinder:d=3@6,6,6,axis=y"];
    without("box:lx=12,ly=12,lz=12", "ppp", &bars)
}

#[test]
fn two_crossing_bars_are_packed_around() {
    let container = crossing_bars();
    let volume = 1728.0 - 2.0 * 12.0 * PI * 2.25 + 16.0 / 3.0 * 1.5f64.powi(3);
    assert!((container.volume() / volume - 1.0).abs() < 1e-8);
    let radius = 0.5;
    let count = (0.56 * volume / total_volume(&[radius])) as usize;
    let radii = vec![radius; count];
    let run = |threads: usize, index: IndexKind| {
        let mut options = quick(container.clone()).index(index);
        options.threads = threads;
        pack(&radii, &options).unwrap().packing
    };
    let packing = run(1, IndexKind::default());
    assert_sound(&packing, &radii, 0.0, 0.0);
    assert_eq!(*packing.container(), container);
    let stop = packing.provenance.as_ref().unwrap().stop;
    assert_eq!(stop, StopReason::FractionReached);
    let sum: f64 = packing
        .spheres()
        .iter()
        .map(|(_, r)| 4.0 / 3.0 * PI * r * r * r)
        .sum();
    assert!((packing.packing_fraction() - sum / volume).abs() < 1e-8);
    // Spheres touch the bars.
    let nearest = |packing: &Packing| {
        let gaps = packing
            .spheres()
            .iter()
            .map(|(p, r)| distance(&container, p) - r);
        gaps.fold(f64::INFINITY, f64::min)
    };
    assert!(nearest(&packing) < 0.1 * radius);
    for threads in [2, 3] {
        let other = run(threads, IndexKind::default());
        assert_eq!(other.spheres(), packing.spheres(), "{threads} threads");
    }
    for &index in IndexKind::ALL {
        assert_eq!(run(2, index).spheres(), packing.spheres(), "{index}");
    }
}

#[test]
fn bodies_grow_with_a_container_of_free_size() {
    let radii: Vec<f64> = (0..500).map(|k| 0.4 + 0.1 * f64::from(k % 4)).collect();
    let unit = crossing_bars();
    for target in [Target::Densest, Target::Fraction(0.4)] {
        let packing = pack(&radii, &quick(unit.clone()).target(target))
            .unwrap()
            .packing;
        assert_sound(&packing, &radii, 0.0, 0.0);
        let factor = packing.container().lengths().x / 12.0;
        let Solid::Cylinder(bar) = &packing.container().bodies()[1].solid else {
            panic!("{:?}", packing.container());
        };
        assert!((bar.diameter / factor - 3.0).abs() < 1e-9);
        assert!(packing.packing_fraction() > 0.39);
    }
}

#[test]
fn a_single_sphere_finds_the_space_that_bodies_leave() {
    // The largest sphere in a cube of side 10 with a plate of thickness 4 at one wall has the diameter 6.
    let container = without(
        "box:lx=10,ly=10,lz=10",
        "www",
        &["box:lx=30,ly=30,lz=8@5,5,0"],
    );
    assert!((container.largest_radius() - 3.0).abs() < 1e-9);
    for radius in [1.0, 2.9, 2.999_999] {
        let packing = pack(vec![radius], &quick(container.clone()))
            .unwrap()
            .packing;
        assert_eq!(*packing.container(), container, "{radius}");
        assert_sound(&packing, &[radius], 0.0, 0.0);
    }
    let error = pack(&[3.001], &quick(container)).unwrap_err();
    assert!(matches!(error, PackError::TooLarge { .. }), "{error}");
    assert!(error.to_string().contains("diameter up to 6"), "{error}");
    // Between a bar and its image, and in the corner beside it.
    let container = without("box:lx=8,ly=8,lz=8", "ppp", &["cylinder:d=4@0,0,0"]);
    let largest = container.largest_radius();
    assert!((largest - (32f64.sqrt() - 2.0)).abs() < 1e-6, "{largest}");
}

#[test]
fn sizes_may_differ_eightfold_around_a_skeleton_of_bodies() {
    let bodies: Vec<String> = (0..27)
        .map(|k| {
            format!(
                "sphere:d=4@{},{},{}",
                6 * (k % 3) + 1,
                6 * (k / 3 % 3) + 2,
                6 * (k / 9) + 3
            )
        })
        .collect();
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    let container = without("box:lx=18,ly=18,lz=18", "pwp", &bodies);
    let shapes: Vec<f64> = (0..4000)
        .map(|k| (1.0 - f64::from(k) / 3999.0 * (1.0 - 8f64.powi(-4))).powf(-0.25))
        .collect();
    let factor = (0.5 * container.volume() / total_volume(&shapes)).cbrt();
    let radii: Vec<f64> = shapes.iter().map(|radius| radius * factor).collect();
    let packing = pack(&radii, &quick(container.clone())).unwrap().packing;
    assert_eq!(*packing.container(), container);
    assert_sound(&packing, &radii, 0.0, 0.0);
}

#[test]
fn the_certificate_names_the_body() {
    let container = without(
        "box:lx=10,ly=10,lz=10",
        "pww",
        &[
            "sphere:d=2@5,5,5",
            "cylinder:d=2@0,3,3,axis=x",
            "box:lx=2,ly=2,lz=2@0,8,8",
        ],
    );
    for (point, body, gap) in [
        (DVec3::new(7.0, 5.0, 5.0), 0, 0.5),
        (DVec3::new(5.25, 5.0, 5.0), 0, -1.25),
        (DVec3::new(9.0, 3.0, 1.75), 1, -0.25),
        // Beyond the periodic face.
        (DVec3::new(8.25, 8.0, 8.0), 2, 0.25),
        (DVec3::new(-1.75, 8.0, 8.0), 2, 0.25),
    ] {
        let found = certify(&Spheres::new(vec![point], vec![0.5]), &container);
        assert_eq!(found.closest, Some(ClosestPair::Body(0, body)), "{point}");
        assert!((found.min_gap - gap).abs() < 1e-12, "{found:?}");
        assert_eq!(found.max_overlap > 0.0, gap < 0.0);
    }
    let json = serde_json::to_string(&ClosestPair::Body(3, 1)).unwrap();
    assert_eq!(json, r#"{"body":[3,1]}"#);
}

#[test]
fn bodies_survive_text_and_json() {
    let texts = [
        "cylinder:d=2,h=3@5,5,5,axis=z",
        "cylinder:d=2@5,5,5,axis=x",
        "sphere:d=2.5@1,-0.5,9",
        "box:lx=1,ly=2,lz=3@5,5,1e1",
    ];
    let container = without("box:lx=10,ly=10,lz=10", "ppw", &texts);
    for (body, text) in container.bodies().iter().zip(texts) {
        assert_eq!(body.to_string().parse::<Body>().unwrap(), *body);
        assert_eq!(body.to_string(), text.replace("1e1", "10"));
    }
    assert_eq!(
        "cylinder:d=2,h=3@5,5,5".parse::<Body>().unwrap(),
        container.bodies()[0]
    );
    let json = serde_json::to_string(&container).unwrap();
    let expected = r#""keep_out":[{"shape":"cylinder","d":2.0,"h":3.0,"center":[5.0,5.0,5.0],"axis":"z"},{"shape":"cylinder","d":2.0,"center":[5.0,5.0,5.0],"axis":"x"},{"shape":"sphere","d":2.5,"center":[1.0,-0.5,9.0]},{"shape":"box","lengths":[1.0,2.0,3.0],"center":[5.0,5.0,10.0]}]}"#;
    assert!(json.ends_with(expected), "{json}");
    let read: Container = serde_json::from_str(&json).unwrap();
    assert_eq!(read, container);
    assert_eq!(read.volume(), container.volume());
    for (body, problem) in [
        (r#"{"shape":"torus","d":1}"#, "torus"),
        (
            r#"{"shape":"sphere","d":-1,"center":[1,1,1]}"#,
            "d of the body",
        ),
        (r#"{"shape":"sphere","d":1}"#, "center"),
        (
            r#"{"shape":"cylinder","d":1,"center":[1,1,1],"axis":"z"}"#,
            "no h",
        ),
    ] {
        let json =
            format!(r#"{{"shape":"box","lengths":[4,4,4],"boundary":"www","keep_out":[{body}]}}"#);
        let error = serde_json::from_str::<Container>(&json)
            .unwrap_err()
            .to_string();
        assert!(error.contains(problem), "{json}: {error}");
    }
}

/// Texts that describe no body, and words of the message.
const BAD_TEXTS: [(&str, &str); 19] = [
    ("", "no position"),
    ("sphere:d=1", "no position"),
    ("@1,2,3", "unknown shape ''"),
    ("spere:d=1@1,2,3", "did you mean sphere?"),
    ("sphere@1,2,3", "needs d"),
    ("sphere:d=1,h=2@1,2,3", "no parameter 'h'"),
    ("sphere:d=0@1,2,3", "d of the body sphere:d=0@1,2,3 is 0"),
    ("sphere:d=-1@1,2,3", "is -1"),
    ("sphere:d=nan@1,2,3", "d is 'nan'"),
    ("sphere:d=1@1,2", "the position is '1,2'"),
    ("sphere:d=1@1,2,inf", "three finite numbers"),
    ("sphere:d=1@1,2,3,4", "three finite numbers"),
    ("sphere:d=1@1,2,3,axis=x", "no axis"),
    ("cylinder:h=1@1,2,3", "needs d"),
    ("cylinder:d=1,h=0@1,2,3", "h of the body"),
    ("cylinder:d=1,h=1@1,2,3,axis=w", "axis is 'w'"),
    ("cylinder:d=1,h=1@1,2,3,along=x", "unknown field 'along'"),
    ("box:lx=1,ly=1@1,2,3", "needs lz"),
    ("box:lx=1,ly=1,lz=1\n\u{1b}[31m@1,2,3", "\\n"),
];

/// Bodies that cannot be in a container, and words of the message.
const BAD_BODIES: [(&str, &str, &str, &str); 8] = [
    (
        "box:lx=9,ly=9,lz=9",
        "www",
        "sphere:d=2@11,5,5",
        "outside of the container",
    ),
    // In a corner of the bounding box.
    (
        "sphere:d=10",
        "w",
        "sphere:d=2@1,1,1",
        "outside of the container",
    ),
    (
        "box:lx=9,ly=9,lz=9",
        "wpp",
        "cylinder:d=2@5,5,5,axis=x",
        "walls along x",
    ),
    (
        "box:lx=9,ly=9,lz=9",
        "ppp",
        "cylinder:d=2,h=10@5,5,5,axis=y",
        "10 long along y",
    ),
    (
        "box:lx=9,ly=9,lz=9",
        "ppp",
        "sphere:d=10@5,5,5",
        "10 long along x",
    ),
    (
        "box:lx=9,ly=9,lz=9",
        "www",
        "sphere:d=40@5,5,5",
        "fill the container",
    ),
    (
        "box:lx=9,ly=9,lz=9",
        "ppp",
        "box:lx=9,ly=9,lz=9@5,5,5",
        "fill the container",
    ),
    (
        "box:lx=9,ly=9,lz=9",
        "www",
        "box:lx=5,ly=9,lz=9@2.5,4.5,4.5 box:lx=5,ly=9,lz=9@6.5,4.5,4.5",
        "fill the container",
    ),
];

#[test]
fn hostile_bodies_give_one_sentence() {
    for (text, words) in BAD_TEXTS {
        let error = text.parse::<Body>().unwrap_err().to_string();
        assert!(error.contains(words), "{text}: {error}");
        assert!(!error.contains(char::is_control), "{error:?}");
    }
    for (shape, boundary, bodies, words) in BAD_BODIES {
        let parsed = bodies.split(' ').map(|text| text.parse::<Body>().unwrap());
        let error = container(shape, boundary).without(parsed).unwrap_err();
        let error = error.to_string();
        assert!(error.contains(words), "{shape} {bodies}: {error}");
        assert!(!error.contains(char::is_control), "{error:?}");
    }
}

/// A position that far away has no digits left in the container, and no finite numbers in one that grows.
#[test]
fn a_body_far_from_a_periodic_container_is_outside() {
    let cube = container("box:lx=10,ly=10,lz=10", "ppp");
    for (text, is_outside) in [
        ("sphere:d=2@1e308,3,3", true),
        ("sphere:d=2@-100000000,3,3", true),
        ("cylinder:d=2@1e308,3,3,axis=x", true),
        ("sphere:d=2@-7,3,13", false),
    ] {
        let body: Body = text.parse().unwrap();
        assert_eq!(body.to_string(), text);
        let error = cube.without([body]).err();
        let found = matches!(error, Some(BodyError::Outside { .. }));
        assert_eq!(found, is_outside, "{text}");
    }
}
