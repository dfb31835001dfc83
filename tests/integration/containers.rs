//! Packings in cylinders, spheres and cones, checked by brute force that shares no code with the library.

use std::f64::consts::{PI, TAU};

use jostle::{
    Container, Effort, PackOptions, Packing, Spheres, Target, certify,
    container::{Ball, Cone, ContainerSpec, Cylinder, Solid},
    glam::DVec3,
    pack,
    packing::{ClosestPair, StopReason},
    rearrange::PackError,
    total_volume,
};
use proptest::prelude::*;

use crate::common::spheres::container;

fn quick(container: Container) -> PackOptions {
    PackOptions::default()
        .effort(Effort::QUICK)
        .container(container)
}

/// The half-spaces whose intersection is a convex container: a point on each plane, and its normal that points inside.
///
/// Curved walls have `TANGENTS` tangent planes. A point near a wall of radius R is then at most R (1 − cos (π / TANGENTS)) too far
/// from it.
fn half_spaces(solid: &Solid, periodic: bool) -> Vec<(DVec3, DVec3)> {
    const TANGENTS: usize = 4000;
    let directions = (0..TANGENTS).map(|k| (TAU * k as f64 / TANGENTS as f64).sin_cos());
    let sides = |bottom: f64, top: f64, height: f64| -> Vec<(DVec3, DVec3)> {
        let middle = 0.5 * bottom.max(top);
        directions
            .map(|(y, x)| {
                let low = DVec3::new(middle + 0.5 * bottom * x, middle + 0.5 * bottom * y, 0.0);
                let high = DVec3::new(middle + 0.5 * top * x, middle + 0.5 * top * y, height);
                let around = DVec3::new(-y, x, 0.0);
                (low, around.cross(high - low).normalize() * -1.0)
            })
            .collect()
    };
    let ends = |height: f64| {
        let high = DVec3::new(0.0, 0.0, height);
        [(DVec3::ZERO, DVec3::Z), (high, DVec3::NEG_Z)]
    };
    match *solid {
        Solid::Cylinder(Cylinder { diameter, height }) => {
            let mut all = sides(diameter, diameter, height);
            if !periodic {
                all.extend(ends(height));
            }
            all
        }
        Solid::Cone(Cone {
            bottom,
            top,
            height,
        }) => {
            let mut all = sides(bottom, top, height);
            all.extend(ends(height));
            all
        }
        _ => Vec::new(),
    }
}

/// The distance of a point from the nearest wall, negative outside.
fn wall_distance(container: &Container, point: DVec3) -> f64 {
    if let &Solid::Sphere(Ball { diameter }) = container.solid() {
        let [x, y, z] = (point - DVec3::splat(0.5 * diameter)).to_array();
        return 0.5 * diameter - (x * x + y * y + z * z).sqrt();
    }
    let planes = half_spaces(container.solid(), container.is_periodic(2));
    let distances = planes.iter().map(|(on, inside)| (point - on).dot(*inside));
    distances.fold(f64::INFINITY, f64::min)
}

/// The volume of a shape by slices along z.
fn volume(solid: &Solid) -> f64 {
    let slices = 20_000;
    let (height, radius): (f64, Box<dyn Fn(f64) -> f64>) = match *solid {
        Solid::Cylinder(Cylinder { diameter, height }) => {
            (height, Box::new(move |_| 0.5 * diameter))
        }
        Solid::Sphere(Ball { diameter }) => (
            diameter,
            Box::new(move |z| (z * (diameter - z)).max(0.0).sqrt()),
        ),
        Solid::Cone(Cone {
            bottom,
            top,
            height,
        }) => (
            height,
            Box::new(move |z| 0.5 * (bottom + (top - bottom) * z / height)),
        ),
        _ => panic!("no volume of {solid}"),
    };
    let thickness = height / f64::from(slices);
    (0..slices)
        .map(|k| {
            let r = radius((f64::from(k) + 0.5) * thickness);
            PI * r * r * thickness
        })
        .sum()
}

/// Asserts that no sphere overlaps another sphere, an image or a wall, and that the certificate says so.
#[track_caller]
fn assert_sound(packing: &Packing, radii: &[f64], min_gap: f64, wall_gap: f64) {
    let (spheres, container) = (packing.spheres(), packing.container());
    assert_eq!(spheres.radii(), radii);
    let size = container.lengths().max_element();
    // Tangent planes lie outside of a curved wall by this share of its radius.
    let rounding = 1e-14 * size;
    let tangents = 1e-6 * size;
    let period = if container.is_periodic(2) {
        container.lengths().z
    } else {
        f64::INFINITY
    };
    for (i, (a, r)) in spheres.iter().enumerate() {
        let walls = wall_distance(container, a) - r;
        assert!(walls >= wall_gap - rounding, "sphere {i}: {walls:e}");
        let stated = container.wall_gap(a, r);
        assert!((walls - stated).abs() < tangents, "{walls} {stated}");
        assert!(period >= 2.0 * r + min_gap - rounding);
        for (b, s) in spheres.iter().take(i) {
            let mut d = a - b;
            if period.is_finite() {
                d.z -= period * (d.z / period).round();
            }
            let gap = d.length() - r - s;
            assert!(gap >= min_gap - rounding, "{gap:e}");
        }
    }
    assert_eq!(packing.certificate(), certify(spheres, container));
    assert_eq!(packing.certificate().max_overlap, 0.0);
    let fraction = total_volume(radii) / volume(container.solid());
    assert!((packing.packing_fraction() / fraction - 1.0).abs() < 1e-6);
}

fn stop(packing: &Packing) -> StopReason {
    packing.provenance.as_ref().unwrap().stop
}

prop_compose! {
    fn shape()(
        kind in 0..3,
        aspect in 0.3..4.0f64,
        taper in prop_oneof![Just(0.0), 0.0..1.0f64, 1.0..3.0f64],
        periodic in prop::bool::ANY,
    ) -> (String, &'static str) {
        match kind {
            0 => (format!("cylinder:aspect={aspect}"), if periodic { "p" } else { "w" }),
            1 => ("sphere".to_owned(), "w"),
            _ => (format!("cone:taper={taper},aspect={aspect}"), "w"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn packings_of_any_shape_have_no_overlap(
        (shape, boundary) in shape(),
        count in 1usize..250,
        octaves in 0.0..3.0f64,
        target in prop_oneof![Just(None), (0.02..0.5f64).prop_map(Some)],
        min_gap in prop_oneof![Just(0.0), 0.0..0.3f64],
        wall_gap in prop_oneof![Just(None), (0.0..0.5f64).prop_map(Some)],
        seed in 0u64..1000,
    ) {
        let radii: Vec<f64> = (0..count)
            .map(|k| 0.5 * (octaves * k as f64 / count as f64).exp2())
            .collect();
        let mut options = quick(container(&shape, boundary)).min_gap(min_gap).seed(seed);
        options.wall_gap = wall_gap;
        if let Some(fraction) = target {
            options = options.target(Target::Fraction(fraction));
        }
        match pack(&radii, &options) {
            Ok(run) => {
                let packing = run.packing;
                assert_sound(&packing, &radii, min_gap, wall_gap.unwrap_or(0.5 * min_gap));
                let shape = &options.container;
                let factor = packing.container().lengths().x / shape.lengths().x;
                prop_assert!((packing.container().volume() / shape.volume() / factor.powi(3) - 1.0).abs() < 1e-9);
            }
            // Few large spheres do not fit at this packing fraction.
            Err(error) => prop_assert!(target.is_some() && matches!(
                error,
                PackError::TooFew { .. } | PackError::TooMuchVolume { .. }
            ), "{error}"),
        }
    }
}

const SHAPES: [(&str, &str); 6] = [
    ("cylinder:aspect=1", "w"),
    ("cylinder:aspect=0.2", "p"),
    ("cylinder:aspect=9", "w"),
    ("sphere", "w"),
    ("cone:taper=0,aspect=1", "w"),
    ("cone:taper=3,aspect=0.7", "w"),
];

#[test]
fn dense_packings_in_wide_containers_approach_random_close_packing() {
    for (shape, boundary) in SHAPES {
        let packing = pack(&[0.5; 2000], &quick(container(shape, boundary))).unwrap();
        let packing = packing.packing;
        assert_sound(&packing, &[0.5; 2000], 0.0, 0.0);
        assert_eq!(stop(&packing), StopReason::Converged);
        let found = packing.packing_fraction();
        assert!((0.52..0.63).contains(&found), "{shape}: {found}");
    }
}

#[test]
fn exactly_the_requested_container_is_filled() {
    for (shape, boundary) in SHAPES {
        let radii: Vec<f64> = (0..600).map(|k| 0.3 + f64::from(k % 7) * 0.1).collect();
        let similar = container(shape, boundary);
        let factor = (total_volume(&radii) / 0.5 / similar.volume()).cbrt();
        let requested = similar.scaled(factor);
        let options = quick(requested.clone()).target(Target::Exact);
        let packing = pack(&radii, &options).unwrap().packing;
        assert_eq!(*packing.container(), requested);
        assert_eq!(stop(&packing), StopReason::FractionReached);
        assert_sound(&packing, &radii, 0.0, 0.0);
    }
}

#[test]
fn a_single_sphere_may_fill_the_container_as_far_as_walls_allow() {
    for (shape, boundary) in SHAPES {
        let similar = container(shape, boundary);
        let packing = pack(&[0.5], &quick(similar.clone())).unwrap().packing;
        assert_sound(&packing, &[0.5], 0.0, 0.0);
        let largest = packing.container().largest_radius();
        assert!((largest - 0.5).abs() < 1e-6, "{shape}: {largest}");

        let tight = similar.scaled(0.5 / similar.largest_radius());
        for excess in [1e-3, 1e-6, 1e-9, 1e-12] {
            // The middle of the largest sphere in a cone is a fixed-point number to 10⁻⁹ of the height only.
            if shape.starts_with("cone") && excess < 1e-8 {
                continue;
            }
            let requested = tight.scaled(1.0 + excess);
            let options = quick(requested.clone()).target(Target::Exact);
            let packing = pack(&[0.5], &options).unwrap().packing;
            assert_eq!(*packing.container(), requested, "{shape} {excess}");
            assert_sound(&packing, &[0.5], 0.0, 0.0);
        }
        let small = tight.scaled(1.0 - 1e-6);
        let error = pack(&[0.5], &quick(small).target(Target::Exact)).unwrap_err();
        assert!(matches!(error, PackError::TooLarge { .. }), "{error}");
    }
}

#[test]
fn diameters_may_differ_a_hundredfold() {
    for (shape, boundary) in SHAPES {
        let radii: Vec<f64> = (0..3000)
            .map(|k| {
                let u = f64::from(k) / 2999.0;
                (1.0 - u * (1.0 - 1e-5)).powf(-0.4)
            })
            .collect();
        assert!((radii[2999] / radii[0] - 100.0).abs() < 1e-6);
        let packing = pack(&radii, &quick(container(shape, boundary)))
            .unwrap()
            .packing;
        assert_sound(&packing, &radii, 0.0, 0.0);
        let half = 0.5 * packing.packing_fraction();
        let loose = quick(container(shape, boundary)).target(Target::Fraction(half));
        let packing = pack(&radii, &loose).unwrap().packing;
        assert_sound(&packing, &radii, 0.0, 0.0);
        assert!((packing.packing_fraction() - half).abs() < 1e-9);
    }
}

#[test]
fn dilute_spheres_are_spread_evenly() {
    // The mean squared distance from the axis of points in a disc of radius R is R²/2; of points in a ball, from the middle, 3R²/5.
    let count = 4000;
    for (shape, share) in [("cylinder:aspect=1", 0.5), ("sphere", 0.6)] {
        let options = quick(container(shape, "w")).target(Target::Fraction(0.01));
        let packing = pack(vec![0.5; count], &options).unwrap().packing;
        let middle = 0.5 * packing.container().lengths();
        let limit = middle.x - 0.5;
        let squares = packing.spheres().centers().iter().map(|center| {
            let mut d = center - middle;
            if shape != "sphere" {
                d.z = 0.0;
            }
            d.length_squared() / (limit * limit)
        });
        let mean = squares.sum::<f64>() / count as f64;
        // Six standard errors of the mean, which are below 0.3 / √n.
        assert!((mean - share).abs() < 0.03, "{shape}: {mean}");
    }
}

#[test]
fn the_certificate_names_curved_walls() {
    for (shape, point, gap) in [
        ("cylinder:d=10,h=20", DVec3::new(5.0, 9.0, 10.0), 0.5),
        ("cylinder:d=10,h=20", DVec3::new(5.0, 9.75, 10.0), -0.25),
        ("sphere:d=10", DVec3::new(5.0, 5.0, 9.0), 0.5),
        // The side is inclined by atan(3/4).
        (
            "cone:d_bottom=30,d_top=0,h=20",
            DVec3::new(15.0, 22.5, 5.0),
            2.5,
        ),
    ] {
        let spheres = Spheres::new(vec![point], vec![0.5]);
        let found = certify(&spheres, &container(shape, "w"));
        assert_eq!(found.closest, Some(ClosestPair::Side(0)), "{shape}");
        assert!((found.min_gap - gap).abs() < 1e-12, "{shape}: {found:?}");
        assert_eq!(found.max_overlap > 0.0, gap < 0.0);
    }
    let low = Spheres::new(vec![DVec3::new(5.0, 5.0, 0.75)], vec![0.5]);
    let found = certify(&low, &container("cylinder:d=10,h=20", "w"));
    assert_eq!(found.closest, Some(ClosestPair::Wall(0, 2)));
    let found = certify(&low, &container("cylinder:d=10,h=20", "p"));
    assert_eq!(found.closest, Some(ClosestPair::Side(0)));
}

#[test]
fn containers_survive_json() {
    for (shape, boundary, json) in [
        (
            "cylinder:d=2,h=3",
            "p",
            r#"{"shape":"cylinder","d":2.0,"h":3.0,"boundary":"p","volume":9.42477796076938,"lengths":[2.0,2.0,3.0]}"#,
        ),
        (
            "sphere:d=3",
            "w",
            r#"{"shape":"sphere","d":3.0,"boundary":"w","volume":14.137166941154069,"lengths":[3.0,3.0,3.0]}"#,
        ),
        (
            "cone:d_bottom=0,d_top=2,h=3",
            "w",
            r#"{"shape":"cone","d_bottom":0.0,"d_top":2.0,"h":3.0,"boundary":"w","volume":3.141592653589793,"lengths":[2.0,2.0,3.0]}"#,
        ),
    ] {
        let container = container(shape, boundary);
        assert_eq!(serde_json::to_string(&container).unwrap(), json);
        assert_eq!(serde_json::from_str::<Container>(json).unwrap(), container);
        assert_eq!(container.solid().to_string(), shape);
    }
    for (json, problem) in [
        (r#"{"shape":"torus","d":1}"#, "unknown shape"),
        (r#"{"shape":"cylinder","d":1}"#, "`h`"),
        (r#"{"shape":"sphere","d":-1}"#, "d of the sphere is -1"),
        (r#"{"shape":"sphere","d":1,"boundary":"p"}"#, "boundary p;"),
        (r#"{"shape":"box","lengths":[1,1,1]}"#, "`boundary`"),
        (
            r#"{"shape":"box","lengths":[1,1,1],"boundary":"p"}"#,
            "one letter for each axis",
        ),
    ] {
        let error = serde_json::from_str::<Container>(json)
            .unwrap_err()
            .to_string();
        assert!(error.contains(problem), "{json}: {error}");
    }
}

#[test]
fn hostile_descriptions_give_one_sentence() {
    for (text, words) in [
        ("", "unknown shape ''"),
        ("cylindr:d=1,h=2", "did you mean cylinder?"),
        ("Sphere:d=1", "did you mean sphere?"),
        ("cylinder", "needs d and h"),
        ("cylinder:h=1", "needs d and h"),
        ("cylinder:d=1,h=2,aspect=3", "needs d and h"),
        ("cylinder:d=1,height=2", "no parameter 'height'"),
        ("cylinder:d=0,h=2", "d of the cylinder is 0"),
        ("cylinder:d=1,h=-2", "h of the cylinder is -2"),
        ("cylinder:d=nan,h=2", "d is 'nan'"),
        ("cylinder:d=1e999,h=2", "d is '1e999'"),
        ("cylinder:d=,h=2", "'d=' is not a key and a value"),
        ("cylinder:d=1,d=2,h=2", "d is given twice"),
        ("cylinder:aspect=0", "h of the cylinder is 0"),
        ("sphere:", "'' is not a key and a value"),
        ("sphere:d=1\n\u{1b}[31m", "\\n"),
        (
            "cone:d_bottom=0,d_top=0,h=1",
            "d_bottom and d_top of the cone are 0",
        ),
        (
            "cone:d_bottom=1,d_top=-1,h=1",
            "d_top of the cone is -1; it must be a non-negative, finite number",
        ),
        (
            "cone:d_bottom=1,d_top=0,h=0",
            "h of the cone is 0; it must be a positive, finite number",
        ),
        ("cone:taper=1", "needs d_bottom, d_top and h"),
        ("box:lx=1,ly=2", "needs lx, ly and lz"),
        ("box:lx=1,ly=2,lz=0", "length z is 0"),
    ] {
        let error = text.parse::<ContainerSpec>().unwrap_err().to_string();
        assert!(error.contains(words), "{text}: {error}");
        assert!(!error.contains(char::is_control), "{error:?}");
    }
    for (shape, boundary) in [
        ("sphere:d=1", "p"),
        ("cylinder:d=1,h=1", "ppw"),
        ("box", "w"),
    ] {
        let spec: ContainerSpec = shape.parse().unwrap();
        assert_eq!(spec.to_string(), shape);
        assert!(spec.container(Some(boundary.parse().unwrap())).is_err());
    }
}
