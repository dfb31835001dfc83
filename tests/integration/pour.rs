//! Beds at rest: no overlap, stable spheres, and the same bits.

use std::ops::ControlFlow;

use jostle::{
    PackOptions, Request, Spheres,
    container::{BoundarySpec, ContainerSpec, Direction},
    distribution::{Bidisperse, Fuller, Mono},
    glam::DVec3,
    jam::JamGap,
    packing::{Packing, StopReason, Support},
    pour::{Compaction, Order, PourOptions, PourRequest, Pourer, Source},
    rearrange::{FixedSpheres, Interrupt},
};

/// Returns a request for equal spheres of diameter 1 in a vessel.
fn request(vessel: &str) -> PourRequest {
    let vessel: ContainerSpec = vessel.parse().unwrap();
    PourRequest::new(Mono::new(1.0).unwrap(), vessel)
}

/// Returns the smallest gap of a sphere, were it at `at`, to the other spheres, images and walls, one after the other.
fn gap_at(packing: &Packing, sphere: usize, at: DVec3) -> f64 {
    let (spheres, container) = (packing.spheres(), packing.container());
    let radius = spheres.radii()[sphere];
    let mut least = container.wall_gap(container.wrap(at), radius);
    for (k, (center, other)) in spheres.iter().enumerate() {
        if k != sphere {
            let distance = container.displacement(container.wrap(at), center).length();
            least = least.min(distance - radius - other);
        }
    }
    least
}

/// Asserts that a packing has no overlap, and that no sphere can sink: small steps along many directions that go down overlap
/// with its supports, for each sphere alone.
pub fn assert_at_rest(packing: &Packing) {
    assert_eq!(packing.certificate().max_overlap, 0.0);
    let stability = packing.stability().unwrap();
    assert_eq!(stability.unsupported, 0, "{stability:?}");
    let down = packing.supports().unwrap().gravity().vector();
    let free = packing.spheres().len() - packing.fixed();
    for sphere in (0..free).step_by((free / 40).max(1)) {
        let (center, radius) = (
            packing.spheres().centers()[sphere],
            packing.spheres().radii()[sphere],
        );
        let step = 1e-4 * radius;
        for k in 0..300 {
            // Points of a Fibonacci lattice on the unit sphere.
            let height = 1.0 - (2.0 * f64::from(k) + 1.0) / 300.0;
            let angle = 2.399_963_229_728_653 * f64::from(k);
            let aside = (1.0 - height * height).sqrt();
            let direction = DVec3::new(aside * angle.cos(), aside * angle.sin(), height);
            // Slightly inclined directions are neutral within the step.
            if direction.dot(down) > 0.02 {
                let gap = gap_at(packing, sphere, center + step * direction);
                assert!(
                    gap < 0.0,
                    "sphere {sphere} sinks along {direction}: {gap:e}"
                );
            }
        }
    }
}

/// Returns the packing fraction of a slab of a bed along z.
fn slab(packing: &Packing, low: f64, high: f64) -> f64 {
    let lengths = packing.container().lengths();
    let below = |center: f64, radius: f64, height: f64| {
        let cap = (height - center + radius).clamp(0.0, 2.0 * radius);
        std::f64::consts::PI * cap * cap * (radius - cap / 3.0)
    };
    let volume: f64 = (packing.spheres().iter())
        .map(|(center, radius)| below(center.z, radius, high) - below(center.z, radius, low))
        .sum();
    volume / (lengths.x * lengths.y * (high - low))
}

fn hash(packing: &Packing) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for center in packing.spheres().centers() {
        for x in center.to_array() {
            hash = (hash ^ x.to_bits()).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}

#[test]
fn equal_spheres_have_the_published_fraction_far_from_walls() {
    let periodic: BoundarySpec = "ppw".parse().unwrap();
    let run = request("box:lx=14,ly=14,lz=auto")
        .boundary(periodic)
        .number(5000)
        .pour()
        .unwrap();
    // About 0.58 after Visscher & Bolsterli, Nature 239 (1972) 504.
    let fraction = slab(&run.packing, 4.0, 0.75 * run.height);
    assert!((fraction - 0.58).abs() < 0.01, "{fraction}");
    assert!(run.left_out.is_empty() && run.shortfall.is_none());
    assert_at_rest(&run.packing);
}

#[test]
fn spheres_rest_in_each_vessel() {
    for vessel in [
        "cylinder:d=7,h=auto",
        "cylinder:d=7,h=30",
        "box:lx=6,ly=7,lz=auto",
        "cone:d_bottom=2,d_top=12,h=12",
        "cone:d_bottom=12,d_top=6,h=12",
    ] {
        let run = request(vessel).number(250).pour().unwrap();
        assert_eq!(run.packing.spheres().len(), 250, "{vessel}");
        assert_at_rest(&run.packing);
    }
}

/// A sphere that rolls from one sphere onto another one, almost exactly above their axis, moves along a slope of 10⁻⁸ to 10⁻⁵ first.
#[test]
fn spheres_leave_a_saddle_without_overlap() {
    let centers = [(5.0, 5.0), (7.2, 5.0), (6.1, 6.2), (6.1, 3.8)];
    let centers = centers.map(|(x, y)| DVec3::new(x, y, 3.0)).to_vec();
    let around = FixedSpheres::new(Spheres::new(centers, vec![1.0, 1.0, 0.2, 0.2]));
    let mut aside: f64 = 1e-10;
    while aside < 1e-6 {
        let source = Source::at(DVec3::new(5.1, 5.0 + aside, 8.0), 1e-12);
        let run = request("box:lx=12,ly=10,lz=10")
            .number(1)
            .fixed(Some(around.clone()))
            .options(PourOptions::default().source(source))
            .pour()
            .unwrap();
        assert!(run.left_out.is_empty(), "{aside:e}");
        assert_eq!(run.packing.certificate().max_overlap, 0.0);
        let rest = run.packing.spheres().centers()[0];
        assert!(
            rest.z < 3.9 && (rest.y - 5.0).abs() > 0.05,
            "{aside:e}: {rest}"
        );
        aside *= 1.03;
    }
}

/// In a tube of about two diameters, a sphere rolls between others and the opposite walls.
#[test]
fn spheres_rest_in_narrow_tubes() {
    for diameter in [1.0, 1.2, 1.9, 2.0, 2.0001, 2.05, 2.1, 2.155, 2.2, 2.3] {
        for seed in 1..=3 {
            let options = PourOptions::default().seed(seed);
            let request = request(&format!("cylinder:d={diameter},h=auto")).number(300);
            let run = request.options(options).pour().unwrap();
            assert!(run.left_out.is_empty(), "{diameter}: {:?}", run.left_out);
            if diameter == 2.0 {
                // Two spheres side by side, and walls opposite to them, hardly oppose small displacements.
                assert_eq!(run.packing.certificate().max_overlap, 0.0);
                let stability = run.packing.stability().unwrap();
                assert!(stability.unsupported == 0 && stability.worst_margin > -0.02);
            } else {
                assert_at_rest(&run.packing);
            }
        }
    }
}

/// In a tube too narrow for three spheres that touch one another, each sphere rests on the last one and on the wall opposite to it.
#[test]
fn spheres_in_a_single_file_rise_by_the_exact_step() {
    for diameter in [1.1_f64, 1.5, 1.8] {
        let request = request(&format!("cylinder:d={diameter},h=auto")).number(50);
        let packing = request.pour().unwrap().packing;
        let mut heights: Vec<f64> = packing
            .spheres()
            .iter()
            .map(|(center, _)| center.z)
            .collect();
        heights.sort_by(f64::total_cmp);
        assert!((heights[0] - 0.5).abs() < 1e-6);
        let step = (2.0 * diameter - diameter * diameter).sqrt();
        // The first sphere lies anywhere on the floor.
        for pair in heights[1..].windows(2) {
            assert!(
                (pair[1] - pair[0] - step).abs() < 1e-6,
                "{diameter}: {pair:?}"
            );
        }
    }
}

/// The ends of a lying cylinder carry spheres as its side does: in these beds, a sphere once stopped before an end.
#[test]
fn spheres_rest_at_the_ends_of_lying_cylinders() {
    for (length, seed) in [(1.7, 36), (3.3, 1519), (2.1, 4081)] {
        let source = Source::at(DVec3::new(0.5 * length, 3.0, 5.0), 0.0);
        let vessel: ContainerSpec = format!("cylinder:d=6,h={length},axis=x").parse().unwrap();
        let request = PourRequest::new(Bidisperse::new(0.4, 1.0, 0.5).unwrap(), vessel)
            .number(120)
            .options(PourOptions::default().source(source).seed(seed));
        assert_at_rest(&request.pour().unwrap().packing);
    }
}

/// In a periodic box of less than two diameters, both images of a sphere carry the same sphere.
#[test]
fn spheres_rest_on_images_of_one_sphere() {
    let periodic: BoundarySpec = "ppw".parse().unwrap();
    for (width, depth, taps) in [
        (1.752_328_852_974_082_6, 4.274_495_923_873_709, 1),
        (1.001, 9.0, 0),
        (1.2, 1.9, 0),
        (1.5, 1.5, 2),
    ] {
        let vessel = format!("box:lx={width},ly={depth},lz=auto");
        let request = request(&vessel).boundary(periodic).number(60);
        let options = PourOptions::default().compaction(Compaction::Taps(taps));
        let run = request.options(options).pour().unwrap();
        assert_at_rest(&run.packing);
        let supports = run.packing.supports().unwrap();
        let is_twice = |sphere: usize| {
            let listed: Vec<Support> = supports.of(sphere).collect();
            (1..listed.len()).any(|k| listed[..k].contains(&listed[k]))
        };
        let on_images = (0..60).filter(|&sphere| is_twice(sphere)).count();
        assert!(on_images > 0, "{vessel}");
    }
}

/// The height follows from a fixed sphere above the bed, whose highest point is rounded.
#[test]
fn a_fixed_sphere_above_the_bed_does_not_overlap_the_top() {
    let centers = vec![DVec3::new(2.4, 0.8, 6.428_247_213_238_35)];
    let fixed = FixedSpheres::new(Spheres::new(centers, vec![0.378_753_829_911_170_6]));
    let request = request("box:lx=6,ly=4,lz=auto").number(9);
    let run = request.fixed(Some(fixed)).pour().unwrap();
    assert_at_rest(&run.packing);
}

#[test]
fn gravity_may_have_any_direction() {
    let mut heights = Vec::new();
    for (direction, vessel) in [
        ("-x", "cylinder:d=6,h=auto,axis=x"),
        ("+x", "cylinder:d=6,h=auto,axis=x"),
        ("-y", "box:lx=6,ly=auto,lz=5"),
        ("+y", "box:lx=6,ly=auto,lz=5"),
        ("+z", "box:lx=6,ly=5,lz=auto"),
    ] {
        let gravity: Direction = direction.parse().unwrap();
        let options = PourOptions::default().gravity(gravity);
        let run = request(vessel).number(200).options(options).pour().unwrap();
        assert_at_rest(&run.packing);
        heights.push(run.height);
        let along = run.packing.container().lengths()[gravity.axis().number()];
        assert_eq!(along, run.height, "{direction}");
    }
    assert!(
        heights.iter().all(|height| (5.0..14.0).contains(height)),
        "{heights:?}"
    );
}

#[test]
fn orders_and_sources_differ_and_are_stable() {
    let law = Bidisperse::new(0.5, 1.0, 0.5).unwrap();
    for order in [Order::Random, Order::AsGiven, Order::LargeFirst] {
        let vessel = "box:lx=6,ly=6,lz=auto".parse().unwrap();
        let options = PourOptions::default().order(order);
        let run = PourRequest::new(law.clone(), vessel)
            .number(400)
            .options(options)
            .pour()
            .unwrap();
        assert_at_rest(&run.packing);
        let (mut large, mut all) = ((0.0, 0.0), (0.0, 0.0));
        for (center, radius) in run.packing.spheres().iter() {
            all = (all.0 + center.z, all.1 + 1.0);
            if radius > 0.4 {
                large = (large.0 + center.z, large.1 + 1.0);
            }
        }
        let is_below = large.0 / large.1 < 0.6 * all.0 / all.1;
        assert_eq!(is_below, order == Order::LargeFirst, "{order}");
    }
    let outlet = Source::at(DVec3::new(10.0, 10.0, 12.0), 0.5);
    let options = PourOptions::default().source(outlet);
    let run = request("box:lx=20,ly=20,lz=20")
        .number(600)
        .options(options)
        .pour()
        .unwrap();
    assert_at_rest(&run.packing);
    let far = run
        .packing
        .spheres()
        .centers()
        .iter()
        .filter(|center| center.z > 2.0);
    assert!(far.clone().count() > 20, "a pile has a height");
    assert!(
        far.into_iter()
            .all(|center| (center.truncate() - DVec3::splat(10.0).truncate()).length() < 7.0)
    );
}

#[test]
fn bodies_and_fixed_spheres_carry_spheres() {
    let fixed = FixedSpheres::new(Spheres::new(vec![DVec3::new(3.0, 3.0, 2.0)], vec![1.5]));
    let bodies = [
        "cylinder:d=2,h=8@6,6,4,axis=y",
        "sphere:d=2@2,7,3",
        "box:lx=1,ly=1,lz=2@8,2,1",
    ];
    let bodies = bodies.map(|body| body.parse().unwrap()).to_vec();
    let run = request("box:lx=9,ly=10,lz=14")
        .bodies(bodies)
        .fixed(Some(fixed))
        .number(500)
        .pour()
        .unwrap();
    assert_at_rest(&run.packing);
    assert_eq!(run.packing.fixed(), 1);
    assert_eq!(
        run.packing.spheres().centers()[500],
        DVec3::new(3.0, 3.0, 2.0)
    );
    let supports = run.packing.supports().unwrap();
    let on_fixed = (0..500)
        .flat_map(|k| supports.of(k))
        .filter(|support| *support == Support::Sphere(500));
    assert!(on_fixed.count() > 3);
}

/// A sphere in the gap between a body and its periodic image touches both.
#[test]
fn spheres_rest_between_the_images_of_a_body() {
    for body in [
        "box:lx=1.3,ly=1.3,lz=2@1,1,4",
        "cylinder:d=1.7,h=3@0.9,1.5,3",
        "sphere:d=1.8@1,1,2",
    ] {
        for seed in 1..=4 {
            let request = request("box:lx=2.2,ly=2.3,lz=30")
                .boundary("ppw".parse::<BoundarySpec>().unwrap())
                .bodies(vec![body.parse().unwrap()])
                .number(40)
                .options(PourOptions::default().seed(seed));
            let run = request.pour().unwrap();
            assert!(run.left_out.is_empty(), "{body}: {:?}", run.left_out);
            assert_at_rest(&run.packing);
        }
    }
}

#[test]
fn a_stop_angle_and_sticking_make_looser_beds() {
    let periodic: BoundarySpec = "ppw".parse().unwrap();
    let fraction = |options: PourOptions| {
        let request = request("box:lx=9,ly=9,lz=auto")
            .boundary(periodic)
            .number(1200);
        let run = request.options(options).pour().unwrap();
        assert_eq!(run.packing.certificate().max_overlap, 0.0);
        (
            slab(&run.packing, 3.0, 0.7 * run.height),
            run.packing.stability().unwrap(),
        )
    };
    let (full, _) = fraction(PourOptions::default());
    let (slow, stability) = fraction(PourOptions::default().stop_angle(15.0));
    assert!(slow < full - 0.03 && stability.unsupported == 0 && stability.worst_margin < -5.0);
    let (stuck, stability) = fraction(PourOptions::default().sticking(1.0));
    assert!(stuck < 0.2 && stability.unsupported == 0 && stability.worst_margin < -80.0);
}

#[test]
fn a_height_is_filled() {
    let run = request("cylinder:d=6,h=auto").height(8.0).pour().unwrap();
    assert_eq!(run.packing.container().lengths().z, 8.0);
    assert!(run.height <= 8.0 && run.height > 7.2 && run.shortfall.is_none());
    assert_at_rest(&run.packing);
}

/// Large spheres find no place below the height, so that the bed has another mass curve than the sample.
#[test]
fn the_mass_curve_of_a_filled_height_is_that_of_its_spheres() {
    let vessel = "box:lx=12,ly=12,lz=auto".parse().unwrap();
    let run = PourRequest::new(Fuller::new(1.0, 4.0, 0.5).unwrap(), vessel);
    let run = run.height(6.0).pour().unwrap();
    assert!(!run.left_out.is_empty());
    let radii = run.packing.spheres().radii();
    let mass = |most: f64| -> f64 {
        let present = radii.iter().filter(|&radius| 2.0 * radius <= most);
        present.map(|radius| radius.powi(3)).sum()
    };
    let sizes = run.packing.sizes.as_ref().unwrap();
    let mut error = 0.0_f64;
    for [diameter, requested, achieved] in &sizes.mass_curve {
        let share = mass(1.000_001 * diameter) / mass(4.0);
        assert!((share - achieved).abs() < 1e-9, "{share} {achieved}");
        error = error.max((requested - achieved).abs());
    }
    assert_eq!(sizes.mass_curve_error, error);
    assert!(error > 0.03, "{error}");
    let largest = radii.iter().copied().fold(0.0, f64::max);
    assert_eq!(sizes.d_max, 2.0 * largest);
}

#[test]
fn the_same_seed_gives_the_same_bits_and_checkpoints_continue() {
    let pourer = |seed| {
        let options = PourOptions::default()
            .seed(seed)
            .compaction(Compaction::Taps(2));
        request("cylinder:d=6,h=auto")
            .number(700)
            .options(options)
            .pourer()
            .unwrap()
    };
    let finished = |mut pourer: Pourer| {
        while pourer.step().is_some() {}
        pourer.finish().packing
    };
    let expected = finished(pourer(5));
    assert_eq!(finished(pourer(5)), expected);
    assert_ne!(hash(&finished(pourer(6))), hash(&expected));
    for steps in [1, 2, 3, 4] {
        let mut first = pourer(5);
        for _ in 0..steps {
            first.step();
        }
        let text = serde_json::to_string(&first.checkpoint()).unwrap();
        let continued = Pourer::resume(serde_json::from_str(&text).unwrap()).unwrap();
        assert_eq!(finished(continued), expected, "{steps}");
    }
    let interrupt = Interrupt::default();
    interrupt.request();
    let options = PourOptions::default().interrupt(interrupt);
    let run = request("cylinder:d=6,h=auto")
        .number(700)
        .options(options)
        .pour()
        .unwrap();
    assert!(!run.left_out.is_empty());
    assert_eq!(
        run.packing.provenance.unwrap().stop,
        StopReason::Interrupted
    );
}

/// A run that is cut short does not judge what it has not tried.
#[test]
fn a_run_that_is_cut_short_tells_how_far_it_came() {
    let options = PourOptions::default().compaction(Compaction::Fraction(0.62));
    let mut pourer = request("cylinder:d=8,h=auto")
        .number(300)
        .options(options)
        .pourer()
        .unwrap();
    let after = |pourer: &Pourer| {
        let copy = Pourer::resume(pourer.checkpoint()).unwrap();
        copy.finish().shortfall.unwrap()
    };
    pourer.step();
    assert_eq!(after(&pourer), "256 of 300 spheres are poured");
    pourer.step();
    let sentence = after(&pourer);
    assert!(
        sentence.contains("so far, and not 0.62") && !sentence.contains("taps"),
        "{sentence}"
    );
}

#[test]
fn taps_make_a_bed_denser() {
    let periodic: BoundarySpec = "ppw".parse().unwrap();
    let fraction = |compaction| {
        let options = PourOptions::default().compaction(compaction);
        let request = request("box:lx=8,ly=8,lz=auto")
            .boundary(periodic)
            .number(1000);
        let run = request.options(options).pour().unwrap();
        assert_at_rest(&run.packing);
        slab(&run.packing, 3.0, 0.7 * run.height)
    };
    let (poured, tapped) = (fraction(Compaction::None), fraction(Compaction::Taps(4)));
    assert!(tapped > poured + 0.01, "{poured} {tapped}");
}

/// Returns the packing fraction between the floor and the mean surface of a bed along z: twice the height of its center of mass.
fn below_surface(packing: &Packing) -> f64 {
    let spheres = packing.spheres();
    let heights: f64 = spheres.centers().iter().map(|center| center.z).sum();
    let surface = 2.0 * heights / spheres.len() as f64;
    packing.packing_fraction() * packing.container().lengths().z / surface
}

#[test]
fn a_stop_angle_keeps_what_the_packing_loop_compacts() {
    let pourer = |stop_angle: f64, compaction| {
        let options = PourOptions::default()
            .stop_angle(stop_angle)
            .compaction(compaction);
        request("box:lx=6,ly=6,lz=auto")
            .boundary("ppw".parse::<BoundarySpec>().unwrap())
            .number(400)
            .options(options)
            .pourer()
            .unwrap()
    };
    let loose = pourer(30.0, Compaction::None).run(&mut |_: &_| ControlFlow::Continue(()));
    assert!(below_surface(&loose.packing) < 0.5);
    let mut dense = pourer(30.0, Compaction::Fraction(0.56));
    for _ in 0..3 {
        dense.step();
    }
    let text = serde_json::to_string(&dense.checkpoint()).unwrap();
    let continued = Pourer::resume(serde_json::from_str(&text).unwrap()).unwrap();
    let [run, again] =
        [dense, continued].map(|pourer| pourer.run(&mut |_: &_| ControlFlow::Continue(())));
    assert_eq!(run.packing, again.packing);
    assert!(below_surface(&run.packing) >= 0.56, "{:?}", run.shortfall);
    assert_eq!(run.packing.certificate().max_overlap, 0.0);
    assert_eq!(run.packing.stability().unwrap().unsupported, 0);
    let deposition = run.packing.provenance.unwrap().deposition.unwrap();
    assert!(deposition.rearrangements > 0 && deposition.taps == 0);
}

#[test]
fn a_higher_requested_fraction_gives_no_looser_bed() {
    for (container, boundary, reachable) in [
        ("box:lx=6,ly=6,lz=auto", "ppw", 0.61),
        ("cylinder:d=8,h=auto", "w", 0.565),
    ] {
        let mut densest: f64 = 0.0;
        for requested in [0.52, 0.56, 0.6, 0.64, 0.7] {
            let options = PourOptions::default()
                .stop_angle(40.0)
                .compaction(Compaction::Fraction(requested));
            let request = request(container)
                .boundary(boundary.parse::<BoundarySpec>().unwrap())
                .number(400);
            let run = request.options(options).pour().unwrap();
            let fraction = below_surface(&run.packing);
            let least = requested.min(reachable).max(densest - 0.015);
            assert!(
                fraction >= least,
                "{container}: {fraction} < {least} towards {requested}"
            );
            densest = densest.max(fraction);
            assert_eq!(run.packing.stability().unwrap().unsupported, 0);
            let deposition = run.packing.provenance.unwrap().deposition.unwrap();
            assert!(deposition.rearrangements <= 30, "{deposition:?}");
        }
    }
}

#[test]
fn a_bed_can_be_jammed() {
    let run = request("cylinder:d=5,h=auto").number(100).pour().unwrap();
    let poured = run.packing.packing_fraction();
    let request = Request::starting_from(run.packing, "bed")
        .densest()
        .options(PackOptions::default().jam(JamGap::AUTO));
    let packing = request.pack().unwrap().packing;
    assert!(packing.packing_fraction() > poured + 0.02);
    assert!(packing.forces().is_some() && packing.supports().is_none());
}

#[test]
fn supports_survive_serialization() {
    let packing = request("cylinder:d=5,h=auto")
        .number(100)
        .pour()
        .unwrap()
        .packing;
    let text = serde_json::to_string(&packing).unwrap();
    assert_eq!(serde_json::from_str::<Packing>(&text).unwrap(), packing);
}

#[test]
fn a_lattice_of_fixed_spheres_leaves_no_balanced_sphere() {
    // A point source drops each sphere exactly on the top of another one.
    let fixed = (0..4).map(|k| DVec3::new(1.5 + f64::from(k % 2), 1.5 + f64::from(k / 2), 0.5));
    let fixed = FixedSpheres::new(Spheres::new(fixed.collect(), vec![0.5; 4])).may_overlap(true);
    let options = PourOptions::default().source(Source::at(DVec3::new(1.5, 1.5, 8.0), 0.0));
    let request = request("box:lx=4,ly=4,lz=9")
        .fixed(Some(fixed))
        .number(30)
        .options(options);
    let run = request.pour().unwrap();
    assert!(run.left_out.is_empty());
    assert_at_rest(&run.packing);
}

#[test]
fn a_grazed_contact_does_not_end_in_an_overlap() {
    // Rolling on the second and third sphere, the moving one passes the fourth where that lies exactly beside it.
    let centers = [
        [32.044995661853996, 25.57460687338935, 1.1794423168394246],
        [31.339387647375812, 23.73861779609915, 0.500000000506],
        [32.315866131916735, 23.95423266398323, 0.5000000005059999],
        [32.63144038042983, 24.844006819849582, 0.829719346695625],
    ];
    let fixed = Spheres::new(centers.map(DVec3::from).to_vec(), vec![0.5; 4]);
    let fixed = FixedSpheres::new(fixed).may_overlap(true);
    let start = DVec3::new(31.903178081910188, 24.91268825806291, 3.600127848887995);
    let options = PourOptions::default().source(Source::at(start, 0.0));
    let request = request("box:lx=300,ly=300,lz=9").fixed(Some(fixed));
    let run = request.number(1).options(options).pour().unwrap();
    assert!(run.left_out.is_empty());
    assert_at_rest(&run.packing);
}

#[test]
fn golden_bed() {
    let run = request("cylinder:d=5,h=auto").number(200).pour().unwrap();
    assert_eq!(
        hash(&run.packing),
        0x8c5c_ac28_0b19_799c,
        "{:#x}",
        hash(&run.packing)
    );
}
