//! Runs that start at given centers, checked by brute force that shares no code with the library.

use jostle::{
    Boundaries, Container, Effort, IndexKind, PackOptions, Packer, Packing, Request, Spheres,
    Target,
    container::{BoundarySpec, ContainerSpec},
    distribution::{Mono, UniformSize},
    glam::DVec3,
    pack,
    packing::StopReason,
    rearrange::{PackError, Start, StartError},
    request::RequestError,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

fn cube(length: f64, boundary: &str) -> Container {
    let boundary: Boundaries = boundary.parse().unwrap();
    Container::cuboid(DVec3::splat(length), boundary).unwrap()
}

/// The shortest difference of two points in a periodic box, or in a box with walls.
fn difference(container: &Container, a: DVec3, b: DVec3) -> DVec3 {
    let mut d = b - a;
    for axis in 0..3 {
        if container.is_periodic(axis) {
            let length = container.lengths()[axis];
            d[axis] -= length * (d[axis] / length).round();
        }
    }
    d
}

/// The largest overlap of all pairs and of all spheres with walls of a box.
fn largest_overlap(packing: &Packing) -> f64 {
    let (container, spheres) = (packing.container(), packing.spheres());
    let (centers, radii) = (spheres.centers(), spheres.radii());
    let mut largest = f64::NEG_INFINITY;
    for i in 0..radii.len() {
        for j in 0..i {
            let distance = difference(container, centers[i], centers[j]).length();
            largest = largest.max(radii[i] + radii[j] - distance);
        }
        for axis in (0..3).filter(|&axis| !container.is_periodic(axis)) {
            let x = centers[i][axis];
            let room = x.min(container.lengths()[axis] - x);
            largest = largest.max(radii[i] - room);
        }
    }
    largest
}

/// The mean distance between centers and the same centers in another packing, in units of a length.
fn mean_displacement(centers: &[DVec3], packing: &Packing, unit: f64) -> f64 {
    let moved = centers.iter().zip(packing.spheres().centers());
    let moved = moved.map(|(a, b)| difference(packing.container(), *a, *b).length());
    moved.sum::<f64>() / (unit * centers.len() as f64)
}

fn loose(n: u64, fraction: f64, boundary: &str) -> Packing {
    let boundary: Boundaries = boundary.parse().unwrap();
    Request::new(Mono::new(1.0).unwrap())
        .number(n)
        .fraction(fraction)
        .boundary(BoundarySpec::Axes(boundary))
        .options(PackOptions::default().effort(Effort::QUICK))
        .pack()
        .unwrap()
        .packing
}

fn quick(request: Request) -> Packing {
    let options = PackOptions::default().effort(Effort::QUICK).seed(5);
    request.options(options).pack().unwrap().packing
}

#[test]
fn spheres_without_overlap_stay() {
    for boundary in ["ppp", "www"] {
        let given = loose(200, 0.3, boundary);
        let found = quick(Request::starting_from(given.clone(), "loose"));
        assert_eq!(found.container(), given.container());
        assert_eq!(found.spheres().radii(), given.spheres().radii());
        // Positions have 31 bits.
        assert!(
            mean_displacement(given.spheres().centers(), &found, 1.0) < 1e-6,
            "{boundary}"
        );
        assert!(largest_overlap(&found) <= 0.0);
        let provenance = found.provenance.unwrap();
        assert_eq!(provenance.start.as_deref(), Some("loose"));
        assert_eq!(
            (provenance.sampling, provenance.stop),
            (None, StopReason::FractionReached)
        );
    }
}

#[test]
fn overlaps_are_removed_by_small_displacements() {
    let given = loose(300, 0.5, "ppw");
    let mut rng = Pcg64::seed_from_u64(3);
    let shift = || DVec3::from_array(std::array::from_fn(|_| rng.random_range(-0.1..0.1)));
    let shifts: Vec<DVec3> = std::iter::repeat_with(shift).take(300).collect();
    let centers: Vec<DVec3> = given
        .spheres()
        .centers()
        .iter()
        .zip(shifts)
        .map(|(c, s)| *c + s)
        .collect();
    let spheres = Spheres::new(centers.clone(), vec![0.5; 300]);
    let noisy = Packing::new(spheres, given.container().clone());
    assert!(noisy.certificate().max_overlap > 0.05);
    let found = quick(Request::starting_from(noisy, "noisy"));
    assert_eq!(found.container(), given.container());
    assert!(largest_overlap(&found) <= 0.0);
    let moved = mean_displacement(&centers, &found, 1.0);
    assert!(moved < 0.2, "{moved}");
}

#[test]
fn a_fraction_and_the_densest_packing_keep_the_shape_of_the_container() {
    let lengths = DVec3::new(6.0, 8.0, 10.0);
    let container = Container::cuboid(lengths, Boundaries::PERIODIC).unwrap();
    let options = PackOptions::default()
        .container(container)
        .target(Target::Exact)
        .effort(Effort::QUICK);
    let given = pack(&[0.5; 400], &options).unwrap().packing;
    let dense = quick(Request::starting_from(given.clone(), "a").fraction(0.58));
    assert!((dense.packing_fraction() - 0.58).abs() < 1e-9);
    let ratio = dense.container().lengths() / lengths;
    assert!((ratio - DVec3::splat(ratio.x)).abs().max_element() < 1e-12);
    // Relative positions hardly change: random ones would be 2 diameters and more away.
    let relative: Vec<DVec3> = given
        .spheres()
        .centers()
        .iter()
        .map(|center| *center * ratio)
        .collect();
    assert!(mean_displacement(&relative, &dense, 1.0) < 0.5);
    let densest = quick(Request::starting_from(given, "a").densest());
    assert!(densest.packing_fraction() > 0.6);
    assert!(largest_overlap(&densest) <= 0.0);
}

#[test]
fn positions_are_stretched_to_another_container() {
    let given = loose(60, 0.1, "www");
    let side = given.container().lengths().x;
    let text = format!("box:lx={},ly={side},lz={}", 1.5 * side, 1.2 * side);
    let spec: ContainerSpec = text.parse().unwrap();
    let factors = DVec3::new(1.5, 1.0, 1.2);
    let stretched: Vec<DVec3> = given
        .spheres()
        .centers()
        .iter()
        .map(|c| *c * factors)
        .collect();
    let found = quick(Request::starting_from(given, "a").container(spec));
    assert_eq!(found.container().boundary(), Boundaries::WALLS);
    assert!(
        (found.container().lengths() / side - factors)
            .abs()
            .max_element()
            < 1e-12
    );
    assert!(mean_displacement(&stretched, &found, 1.0) < 0.05);
    assert!(largest_overlap(&found) <= 0.0);
}

#[test]
fn diameters_grow_by_a_factor() {
    let given = loose(200, 0.4, "ppp");
    let found = quick(Request::starting_from(given.clone(), "a").scale_sizes(1.1));
    assert_eq!(found.container(), given.container());
    assert!(
        found
            .spheres()
            .radii()
            .iter()
            .all(|&radius| radius == 0.5 * (1.0 * 1.1))
    );
    assert!(largest_overlap(&found) <= 0.0);
    let sizes = found.provenance.unwrap().sizes;
    assert_eq!(sizes, "a, times 1.1");
    for factor in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let refused = Request::starting_from(given.clone(), "a")
            .scale_sizes(factor)
            .pack();
        assert!(
            matches!(refused, Err(RequestError::ScaleSizes(_))),
            "{factor}"
        );
    }
}

/// Mixtures start with all spheres in the container, and their bits depend neither on threads, nor on the index, nor on a pause.
#[test]
fn the_bits_depend_on_the_start_and_the_seed_alone() {
    let law = UniformSize::new(0.4, 4.0).unwrap();
    let options = |seed| {
        PackOptions::default()
            .effort(Effort::QUICK)
            .seed(seed)
            .max_sweeps(120)
    };
    let mixture = Request::new(law)
        .number(150)
        .fraction(0.45)
        .options(options(1));
    let given = mixture.pack().unwrap().packing;
    let centers = given.spheres().centers().to_vec();
    let radii = given.spheres().radii().to_vec();
    let request = |seed| {
        options(seed)
            .container(given.container().clone())
            .start(Start::new("given", centers.clone()))
    };
    let run = |options: &PackOptions| pack(&radii, options).unwrap().packing;
    let expected = run(&request(1).threads(1));
    let other = request(1).threads(2).index(IndexKind::Grid);
    assert_eq!(run(&other).spheres(), expected.spheres());
    assert_ne!(run(&request(2)).spheres(), expected.spheres());
    let mut packer = Packer::new(&radii, &request(1)).unwrap();
    for sweep in 0..20 {
        let progress = packer.sweep().unwrap();
        assert_eq!(progress.spheres, 150, "{sweep}");
    }
    let checkpoint = packer.checkpoint();
    let text = serde_json::to_string(checkpoint.options()).unwrap();
    let read: PackOptions = serde_json::from_str(&text).unwrap();
    assert_eq!(&read, checkpoint.options());
    assert!(read.start.unwrap().centers().is_empty());
    let continued = Packer::resume(checkpoint).unwrap();
    let continued = continued.run(&mut |_: &_| std::ops::ControlFlow::Continue(()));
    assert_eq!(continued.packing.spheres(), expected.spheres());
}

/// A sphere that begins beyond a wall, and spheres at one point.
#[test]
fn spheres_beyond_walls_and_at_one_point_are_separated() {
    let centers = vec![
        DVec3::new(-0.3, 2.0, 2.0),
        DVec3::splat(2.0),
        DVec3::splat(2.0),
        DVec3::new(3.9, 4.2, 2.0),
    ];
    let options = PackOptions::default()
        .container(cube(4.0, "www"))
        .target(Target::Exact)
        .start(Start::new("a", centers));
    let found = pack(&[0.5; 4], &options).unwrap().packing;
    assert!(largest_overlap(&found) <= 0.0);
    assert_eq!(found.container().lengths(), DVec3::splat(4.0));
    assert!(found.spheres().centers()[0].distance(DVec3::new(0.5, 2.0, 2.0)) < 0.1);
}

#[test]
fn bad_centers_are_refused() {
    let options = |centers: Vec<DVec3>| {
        PackOptions::default()
            .container(cube(4.0, "pww"))
            .target(Target::Exact)
            .start(Start::new("a", centers))
    };
    let middle = DVec3::splat(2.0);
    let refused = |centers| pack(&[0.5, 0.25], &options(centers)).unwrap_err();
    assert_eq!(
        refused(vec![middle]),
        PackError::Start(StartError::Count {
            centers: 1,
            spheres: 2
        })
    );
    let nan = refused(vec![middle, DVec3::new(1.0, f64::NAN, 1.0)]);
    assert!(
        matches!(nan, PackError::Start(StartError::Center { sphere: 1, .. })),
        "{nan}"
    );
    let outside = refused(vec![DVec3::new(2.0, 4.6, 2.0), middle]);
    assert!(
        outside
            .to_string()
            .contains("sphere 0 starts at [2, 4.6, 2]"),
        "{outside}"
    );
    // Along a periodic axis no center is outside.
    pack(
        &[0.5, 0.25],
        &options(vec![DVec3::new(-7.0, 2.0, 2.0), middle]),
    )
    .unwrap();
}
