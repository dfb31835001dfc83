//! Cylinders and cones along x or y. The oracle is the same container along z, with the coordinates exchanged by the test.

use jostle::{
    Container, Effort, PackOptions, Packing, Spheres, Target, certify,
    container::{Axis, Body, BoundarySpec, ContainerSpec},
    glam::DVec3,
    pack,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// A container along an axis, and the same one along z.
fn pair(text: &str, axis: Axis, boundary: &str) -> [Container; 2] {
    let boundary: BoundarySpec = boundary.parse().unwrap();
    [format!("{text},axis={axis}"), text.to_owned()].map(|text| {
        let spec: ContainerSpec = text.parse().unwrap();
        assert_eq!(spec.to_string(), text);
        spec.container(Some(boundary)).unwrap()
    })
}

/// Exchanges the coordinates along an axis and z.
fn exchanged(point: DVec3, axis: Axis) -> DVec3 {
    match axis {
        Axis::X => DVec3::new(point.z, point.y, point.x),
        Axis::Y => DVec3::new(point.x, point.z, point.y),
        Axis::Z => point,
    }
}

fn turned(spheres: &Spheres, axis: Axis) -> Spheres {
    let centers = spheres
        .centers()
        .iter()
        .map(|&center| exchanged(center, axis));
    Spheres::new(centers.collect(), spheres.radii().to_vec())
}

const CASES: [(&str, &str); 3] = [
    ("cylinder:d=6,h=8", "p"),
    ("cylinder:d=6,h=8", "w"),
    ("cone:d_bottom=7,d_top=3,h=8", "w"),
];

#[test]
fn distances_and_volumes_are_those_of_the_turned_container() {
    let mut rng = Pcg64::seed_from_u64(1);
    for (text, boundary) in CASES {
        for axis in [Axis::X, Axis::Y] {
            let [lying, upright] = pair(text, axis, boundary);
            assert_eq!(lying.axis(), axis);
            assert_eq!(lying.lengths(), exchanged(upright.lengths(), axis));
            assert_eq!(lying.volume(), upright.volume());
            assert_eq!(lying.largest_radius(), upright.largest_radius());
            assert_eq!(lying.boundary_spec(), upright.boundary_spec());
            assert_eq!(lying.is_periodic(axis.number()), boundary == "p");
            for _ in 0..200 {
                let share = DVec3::from_array(std::array::from_fn(|_| rng.random_range(-0.2..1.2)));
                let point = share * upright.lengths();
                let gap = lying.wall_gap(exchanged(point, axis), 0.3);
                assert!(
                    (gap - upright.wall_gap(point, 0.3)).abs() < 1e-12,
                    "{text} {axis} {point}"
                );
            }
            // A body across the wall.
            let body = |position: DVec3| -> Body {
                let DVec3 { x, y, z } = position;
                format!("sphere:d=3@{x},{y},{z}").parse().unwrap()
            };
            let at = DVec3::new(1.0, 3.0, 4.0);
            let volumes = [(&lying, exchanged(at, axis)), (&upright, at)]
                .map(|(container, at)| container.without([body(at)]).unwrap().volume());
            assert!((volumes[0] - volumes[1]).abs() < 1e-5, "{volumes:?}");
        }
    }
}

#[test]
fn packings_lie_inside_and_their_certificates_are_those_of_turned_spheres() {
    for (text, boundary) in CASES {
        for axis in [Axis::X, Axis::Y] {
            let [lying, upright] = pair(text, axis, boundary);
            let options = PackOptions::default()
                .container(lying.clone())
                .target(Target::Exact)
                .effort(Effort::QUICK);
            let found: Packing = pack(&[0.5; 120], &options).unwrap().packing;
            assert_eq!(found.container(), &lying, "{text} {axis} {boundary}");
            assert_eq!(found.certificate().max_overlap, 0.0);
            let certificate = certify(&turned(found.spheres(), axis), &upright);
            assert_eq!(certificate.max_overlap, 0.0);
            assert!((certificate.min_gap - found.certificate().min_gap).abs() < 1e-12);
            // The spheres fill the container along its axis.
            let along = found
                .spheres()
                .centers()
                .iter()
                .map(|center| center[axis.number()]);
            let (low, high) = along.fold((f64::MAX, f64::MIN), |(low, high), x| {
                (low.min(x), high.max(x))
            });
            assert!(low < 1.5 && high > 6.5, "{low} {high}");
            // A sphere beyond the curved wall is found.
            let corner = Spheres::new(vec![exchanged(DVec3::new(0.6, 0.6, 4.0), axis)], vec![0.5]);
            assert!(certify(&corner, &lying).max_overlap > 0.3);
        }
    }
}

#[test]
fn json_and_text_keep_the_axis() {
    let [lying, upright] = pair("cone:d_bottom=3,d_top=1,h=4", Axis::Y, "w");
    let text = serde_json::to_string(&lying).unwrap();
    assert!(text.contains(r#""axis":"y""#), "{text}");
    assert_eq!(serde_json::from_str::<Container>(&text).unwrap(), lying);
    let text = serde_json::to_string(&upright).unwrap();
    assert!(!text.contains("axis"), "{text}");
    let smallest: ContainerSpec = "cylinder:aspect=2,axis=x".parse().unwrap();
    assert_eq!(smallest.to_string(), "cylinder:aspect=2,axis=x");
    assert_eq!(
        smallest.container(None).unwrap().lengths(),
        DVec3::new(2.0, 1.0, 1.0)
    );
    for (bad, words) in [
        ("sphere:d=3,axis=x", "no parameter 'axis'"),
        ("cylinder:d=3,h=4,axis=w", "axis is 'w'"),
        ("box:lx=1,ly=1,lz=1,axis=x", "no parameter 'axis'"),
    ] {
        let error = bad.parse::<ContainerSpec>().unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn a_free_length_follows_from_a_volume() {
    for (text, volume, expected) in [
        ("box:lx=3,ly=4,lz=auto", 60.0, "box:lx=3,ly=4,lz=5"),
        ("box:lx=auto,ly=4,lz=5", 60.0, "box:lx=3,ly=4,lz=5"),
        (
            "cylinder:d=2,h=auto,axis=x",
            4.0 * std::f64::consts::PI,
            "cylinder:d=2,h=4,axis=x",
        ),
    ] {
        let spec: ContainerSpec = text.parse().unwrap();
        assert_eq!(spec.to_string(), text);
        assert!(spec.has_free_length() && !spec.is_exact());
        assert_eq!(spec.with_volume(volume).to_string(), expected);
    }
    for bad in [
        "box:lx=auto,ly=auto,lz=1",
        "cylinder:d=auto,h=1",
        "sphere:d=auto",
        "cone:d_bottom=2,d_top=1,h=auto",
    ] {
        assert!(bad.parse::<ContainerSpec>().is_err(), "{bad} was accepted");
    }
}
