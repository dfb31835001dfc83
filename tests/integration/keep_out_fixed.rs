//! Bodies and fixed spheres together in a container, checked by brute force that shares no code with the library.

use std::f64::consts::PI;

use jostle::{
    Container, Effort, IndexKind, PackOptions, Packer, Packing, Spheres, Target,
    container::{Body, BoundarySpec, ContainerSpec},
    glam::DVec3,
    io::{read_checkpoint, write_checkpoint},
    pack,
    rearrange::{FixedError, FixedSpheres, PackError, PackRun},
};

use crate::common::body_distance::distance;

fn container(shape: &str, boundary: &str, bodies: &[&str]) -> Container {
    let spec: ContainerSpec = shape.parse().unwrap();
    let boundary: BoundarySpec = boundary.parse().unwrap();
    let bodies = bodies.iter().map(|text| text.parse::<Body>().unwrap());
    (spec.container(Some(boundary)).unwrap())
        .without(bodies)
        .unwrap()
}

/// A periodic cube with two bars that cross in its middle, and the volume around the bars.
fn crossing_bars() -> (Container, f64) {
    let bars = ["cylinder:d=3@6,6,6,axis=x", "cylinder:d=3@6,6,6,axis=y"];
    // The crossing is that of Steinmetz.
    let volume = 1728.0 - 2.0 * 12.0 * PI * 2.25 + 16.0 / 3.0 * 1.5f64.powi(3);
    (container("box:lx=12,ly=12,lz=12", "ppp", &bars), volume)
}

fn quick(container: &Container) -> PackOptions {
    PackOptions::default()
        .effort(Effort::QUICK)
        .container(container.clone())
        .target(Target::Exact)
}

/// Coarse spheres around the bodies in a container.
fn skeleton(container: &Container, count: usize, radius: f64) -> Spheres {
    let packing = pack(vec![radius; count], &quick(container).seed(3))
        .unwrap()
        .packing;
    assert_eq!(*packing.container(), *container);
    packing.spheres().clone()
}

fn volume_of_spheres(radii: &[f64]) -> f64 {
    radii.iter().map(|r| 4.0 / 3.0 * PI * r * r * r).sum()
}

/// As many radii as fill a volume around fixed spheres to a packing fraction, between 1 and 1.5 times the smallest.
fn fine(smallest: f64, fraction: f64, volume: f64, fixed: &Spheres) -> Vec<f64> {
    let missing = fraction * volume - volume_of_spheres(fixed.radii());
    let radius = |k: usize| smallest * (1.0 + 0.125 * (k % 5) as f64);
    let five: Vec<f64> = (0..5).map(radius).collect();
    let count = 5.0 * missing / volume_of_spheres(&five);
    (0..count as usize).map(radius).collect()
}

fn displacement(container: &Container, a: DVec3, b: DVec3) -> DVec3 {
    let mut d = a - b;
    for axis in (0..3).filter(|&axis| container.is_periodic(axis)) {
        let period = container.lengths()[axis];
        d[axis] -= period * (d[axis] / period).round();
    }
    d
}

/// The fixed spheres are the last ones, with the same bits. No other sphere overlaps a sphere, a wall or a body.
#[track_caller]
fn assert_sound(packing: &Packing, container: &Container, fixed: &Spheres) {
    assert_eq!(*packing.container(), *container);
    assert_eq!(packing.fixed(), fixed.len());
    let bits = |spheres: &Spheres, from: usize| -> Vec<[u64; 4]> {
        let rows = spheres.iter().skip(from);
        rows.map(|(p, r)| [p.x, p.y, p.z, r].map(f64::to_bits))
            .collect()
    };
    let spheres = &packing.spheres();
    let free = spheres.len() - fixed.len();
    assert_eq!(bits(spheres, free), bits(fixed, 0));
    let rounding = 1e-14 * container.lengths().max_element();
    for (i, (a, r)) in spheres.iter().enumerate().take(free) {
        assert!(distance(container, a) - r >= -rounding, "body and {i}");
        assert!(
            container.outer().wall_gap(a, r) >= -rounding,
            "wall and {i}"
        );
        for (j, (b, s)) in spheres.iter().enumerate().skip(i + 1) {
            let gap = displacement(container, a, b).length() - r - s;
            assert!(gap >= 0.0, "{i} and {j}: {gap:e}");
        }
    }
}

/// The share of the space inside walls and outside of bodies that spheres take, by points that fill the bounding box evenly: the
/// Kronecker sequence of the plastic number.
fn share_by_points(packing: &Packing) -> f64 {
    let container = &packing.container();
    let step = DVec3::new(
        0.819_172_513_396_164_4,
        0.671_043_606_703_789_2,
        0.549_700_477_901_97,
    );
    let (mut free, mut taken) = (0, 0);
    for k in 0..20_000 {
        let p = (f64::from(k) * step + 0.5).fract() * container.lengths();
        if container.outer().wall_gap(p, 0.0) <= 0.0 || distance(container, p) <= 0.0 {
            continue;
        }
        free += 1;
        let holds = |(c, r): (DVec3, f64)| displacement(container, p, c).length_squared() < r * r;
        taken += i32::from(packing.spheres().iter().any(holds));
    }
    f64::from(taken) / f64::from(free)
}

#[test]
fn fine_spheres_surround_a_skeleton_and_two_crossing_bars() {
    let (container, volume) = crossing_bars();
    assert!((container.volume() / volume - 1.0).abs() < 1e-8);
    let fixed = skeleton(&container, 40, 1.2);
    let crosses = |(c, r): (DVec3, f64)| c.min_element() < r || c.max_element() > 12.0 - r;
    assert!(fixed.iter().any(crosses));
    let radii = fine(0.3, 0.56, volume, &fixed);
    assert!(radii.len() > 2000, "{} spheres", radii.len());
    let options = quick(&container).fixed(FixedSpheres::new(fixed.clone()));
    let run = pack(&radii, &options.clone().threads(1)).unwrap();
    assert_eq!(run.left_out, [0usize; 0]);
    let packing = run.packing;
    assert_sound(&packing, &container, &fixed);
    assert_eq!(packing.certificate().max_overlap, 0.0);
    let sum = volume_of_spheres(&radii) + volume_of_spheres(fixed.radii());
    let fraction = packing.packing_fraction();
    assert!((fraction - sum / volume).abs() < 1e-8, "{fraction}");
    let by_points = share_by_points(&packing);
    assert!(
        (fraction - by_points).abs() < 0.01,
        "{fraction} {by_points}"
    );
    // Spheres touch the bars, nearly.
    let free = packing.spheres().iter().take(radii.len());
    let nearest = free
        .map(|(p, r)| distance(&container, p) - r)
        .fold(f64::INFINITY, f64::min);
    assert!(nearest < 0.01, "{nearest}");
    for (threads, index) in [(2, IndexKind::default()), (3, IndexKind::Grid)] {
        let other = pack(&radii, &options.clone().threads(threads).index(index)).unwrap();
        assert_eq!(
            other.packing.spheres(),
            packing.spheres(),
            "{threads} {index}"
        );
    }
}

/// Containers with bodies that cross walls and periodic faces.
const CONTAINERS: [(&str, &str, &[&str]); 5] = [
    (
        "box:lx=12,ly=12,lz=12",
        "pwp",
        &["cylinder:d=3@0,1,0,axis=x", "box:lx=4,ly=4,lz=4@12,6,12"],
    ),
    (
        "box:lx=12,ly=11,lz=10",
        "www",
        &["sphere:d=7@0,0,0", "cylinder:d=2,h=40@6,6,6,axis=y"],
    ),
    (
        "cylinder:d=12,h=12",
        "p",
        &["cylinder:d=3@6,6,0", "sphere:d=4@6,1,0.5"],
    ),
    (
        "sphere:d=14",
        "w",
        &[
            "cylinder:d=2,h=20@7,7,7,axis=x",
            "cylinder:d=2,h=20@7,7,7,axis=y",
        ],
    ),
    (
        "cone:d_bottom=16,d_top=8,h=12",
        "w",
        &["box:lx=3,ly=3,lz=3@8,8,6", "sphere:d=4@2,8,3"],
    ),
];

#[test]
fn bodies_and_fixed_spheres_share_containers_of_every_shape() {
    for (shape, boundary, bodies) in CONTAINERS {
        let container = container(shape, boundary, bodies);
        let fixed = skeleton(&container, 12, 1.1);
        let radii = fine(0.35, 0.45, container.volume(), &fixed);
        let options = quick(&container).fixed(FixedSpheres::new(fixed.clone()));
        let run = pack(&radii, &options).unwrap();
        assert_eq!(run.left_out, [0usize; 0], "{shape} {boundary}");
        assert_sound(&run.packing, &container, &fixed);
        assert_eq!(
            run.packing.certificate().max_overlap,
            0.0,
            "{shape} {boundary}"
        );
        let (fraction, by_points) = (
            run.packing.packing_fraction(),
            share_by_points(&run.packing),
        );
        assert!(
            (fraction - by_points).abs() < 0.01,
            "{shape}: {fraction} {by_points}"
        );
    }
}

#[test]
fn fixed_spheres_in_bodies_are_rejected_or_certified() {
    let (container, volume) = crossing_bars();
    let centers = vec![
        DVec3::splat(1.0),
        DVec3::new(3.0, 8.25, 6.0),
        DVec3::splat(6.0),
    ];
    let fixed = Spheres::new(centers, vec![0.5, 1.0, 0.5]);
    let crossing = Spheres::new(fixed.centers()[..2].to_vec(), fixed.radii()[..2].to_vec());
    let radii = fine(0.35, 0.45, volume, &fixed);
    let options = quick(&container).fixed(FixedSpheres::new(crossing));
    let error = pack(&radii, &options).unwrap_err();
    assert!(
        matches!(error, PackError::Fixed(FixedError::Body { sphere: 1, .. })),
        "{error}"
    );
    assert_eq!(
        error.to_string(),
        "fixed sphere 1 overlaps the body cylinder:d=3@6,6,6,axis=x by 2.5e-1; fixed spheres must not overlap bodies"
    );
    let allowed = FixedSpheres::new(fixed.clone()).may_overlap(true);
    let run = pack(&radii, &quick(&container).fixed(allowed)).unwrap();
    assert_eq!(run.left_out, [0usize; 0]);
    assert_sound(&run.packing, &container, &fixed);
    // The last sphere lies in the middle of both bars.
    assert!((run.packing.certificate().max_overlap - 2.0).abs() < 1e-12);
}

#[test]
fn resumed_runs_around_bodies_end_with_the_bits_of_undisturbed_ones() {
    let (shape, boundary, bodies) = CONTAINERS[0];
    let container = container(shape, boundary, bodies);
    let fixed = skeleton(&container, 12, 1.1);
    let radii = fine(0.35, 0.5, container.volume(), &fixed);
    let options = quick(&container).fixed(FixedSpheres::new(fixed));
    let expected = finished(Packer::new(&radii, &options).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.checkpoint");
    for stop in [0, 3, 40] {
        let mut packer = Packer::new(&radii, &options).unwrap();
        while packer.progress().map_or(0, |progress| progress.sweeps) < stop {
            assert!(
                packer.sweep().is_some(),
                "the run ends before {stop} sweeps"
            );
        }
        write_checkpoint(&packer.checkpoint(), &path).unwrap();
        let checkpoint = read_checkpoint(&path).unwrap();
        assert_eq!(checkpoint.options().container, container);
        let found = finished(Packer::resume(checkpoint).unwrap());
        assert_eq!(
            found.packing, expected.packing,
            "stopped after {stop} sweeps"
        );
    }
}

fn finished(mut packer: Packer) -> PackRun {
    while packer.sweep().is_some() {}
    packer.finish()
}
