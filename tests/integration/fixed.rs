//! Packings around fixed spheres, checked by brute force that shares no code with the library.

use std::{
    f64::consts::PI,
    ops::ControlFlow,
    time::{Duration, Instant},
};

use jostle::{
    Boundaries, Boundary, Container, Effort, IndexKind, PackOptions, Packer, Packing, Spheres,
    Target,
    container::Solid,
    glam::DVec3,
    io::{
        ExportOptions, Format, ReadOptions, export_packing, read_checkpoint, read_packing_from,
        write_checkpoint, write_packing,
    },
    jam::JamGap,
    pack,
    packing::StopReason,
    rearrange::{
        Checkpoint, FixedError, FixedSpheres, Interrupt, Observer, PackError, PackRun, Progress,
        pack_observed,
    },
};

fn cube(side: f64, boundary: &str) -> Container {
    Container::cuboid(DVec3::splat(side), boundary.parse().unwrap()).unwrap()
}

fn around(container: &Container, fixed: &Spheres) -> PackOptions {
    PackOptions::default()
        .effort(Effort::QUICK)
        .container(container.clone())
        .target(Target::Exact)
        .fixed(FixedSpheres::new(fixed.clone()))
}

/// Packs a coarse skeleton, without spheres around it.
fn skeleton(container: &Container, count: usize, radius: f64) -> Spheres {
    let options = PackOptions::default()
        .effort(Effort::QUICK)
        .container(container.clone())
        .target(Target::Exact)
        .seed(5);
    let packing = pack(vec![radius; count], &options).unwrap().packing;
    assert_eq!(*packing.container(), *container);
    packing.spheres().clone()
}

/// Returns the smallest gap between two spheres of which at least one is not fixed, and the smallest gap between such a sphere and
/// a wall: all pairs, one after the other.
fn gaps(packing: &Packing) -> (f64, f64) {
    let (centers, radii) = (packing.spheres().centers(), packing.spheres().radii());
    let container = &packing.container();
    let lengths = container.lengths();
    let (mut pairs, mut walls) = (f64::INFINITY, f64::INFINITY);
    for i in 0..radii.len() - packing.fixed() {
        for j in (0..radii.len()).filter(|&j| j != i) {
            let mut d = centers[i] - centers[j];
            for axis in 0..3 {
                if container.boundary().0[axis] == Boundary::Periodic {
                    d[axis] -= lengths[axis] * (d[axis] / lengths[axis]).round();
                }
            }
            let distance = (d.x * d.x + d.y * d.y + d.z * d.z).sqrt();
            pairs = pairs.min(distance - (radii[i] + radii[j]));
        }
        if let Solid::Cylinder(cylinder) = container.solid() {
            let diameter = cylinder.diameter;
            let [x, y] = [centers[i].x, centers[i].y].map(|x| x - diameter / 2.0);
            walls = walls.min(diameter / 2.0 - x.hypot(y) - radii[i]);
        }
        for axis in 0..3 {
            if container.boundary().0[axis] == Boundary::Wall {
                let x = centers[i][axis];
                walls = walls.min(x.min(lengths[axis] - x) - radii[i]);
            }
        }
    }
    (pairs, walls)
}

/// The fixed spheres are the last ones, with the same bits, and nothing overlaps.
#[track_caller]
fn assert_sound(packing: &Packing, container: &Container, fixed: &Spheres) {
    assert_eq!(packing.container(), container);
    assert_eq!(packing.fixed(), fixed.len());
    let bits = |spheres: &Spheres, from: usize| -> Vec<[u64; 4]> {
        let spheres = spheres.iter().skip(from);
        spheres
            .map(|(center, radius)| [center.x, center.y, center.z, radius].map(f64::to_bits))
            .collect()
    };
    let free = packing.spheres().len() - fixed.len();
    assert_eq!(bits(packing.spheres(), free), bits(fixed, 0));
    let (pairs, walls) = gaps(packing);
    assert!(pairs >= 0.0 && walls >= 0.0, "{pairs}, {walls}");
}

#[test]
fn fine_spheres_surround_a_coarse_skeleton() {
    let cylinder = Container::cylinder(10.0, 15.0, Boundary::Periodic).unwrap();
    for container in [
        cube(10.7, "ppp"),
        cube(10.9, "www"),
        cube(10.8, "pwp"),
        cylinder,
    ] {
        let fixed = skeleton(&container, 30, 1.5);
        if container.is_periodic(2) {
            let crosses = |(center, radius): (DVec3, f64)| {
                center.z < radius || center.z > container.lengths().z - radius
            };
            assert!(fixed.iter().any(crosses));
        }
        let radius = 0.3;
        let run = pack(vec![radius; 2000], &around(&container, &fixed)).unwrap();
        assert_eq!(run.left_out, [0usize; 0]);
        let packing = run.packing;
        assert_sound(&packing, &container, &fixed);
        assert_eq!(packing.certificate().max_overlap, 0.0);
        assert_eq!(packing.spheres().len(), 2030);
        let provenance = packing.provenance.as_ref().unwrap();
        assert_eq!(provenance.stop, StopReason::FractionReached);
        assert_eq!(
            (provenance.left_out, provenance.fixed_may_overlap),
            (0, Some(false))
        );

        let volume = match container.solid() {
            Solid::Cylinder(cylinder) => {
                PI / 4.0 * cylinder.diameter * cylinder.diameter * cylinder.height
            }
            _ => container.lengths().x * container.lengths().y * container.lengths().z,
        };
        let spheres = PI / 6.0 * (30.0 * 3f64.powi(3) + 2000.0 * (2.0 * radius).powi(3));
        assert!((packing.packing_fraction() / (spheres / volume) - 1.0).abs() < 1e-12);
        assert!((provenance.fraction.unwrap() / (spheres / volume) - 1.0).abs() < 1e-12);
    }
}

/// A mixture around a skeleton, in which insertions occur, and which is dense enough for many overlaps on the way.
fn dense_request() -> (Vec<f64>, PackOptions, Container, Spheres) {
    let container = cube(9.0, "pwp");
    let fixed = skeleton(&container, 12, 1.5);
    let radii = (0..800).map(|k| {
        if k < 90 {
            0.7
        } else {
            0.04 + 0.0004 * f64::from(k)
        }
    });
    let options = around(&container, &fixed).min_gap(0.01);
    (radii.collect(), options, container, fixed)
}

fn undisturbed(radii: &[f64], options: &PackOptions) -> (PackRun, u64) {
    let mut packer = Packer::new(radii, options).unwrap();
    while packer.sweep().is_some() {}
    let sweeps = packer.progress().unwrap().sweeps;
    (packer.finish(), sweeps)
}

#[test]
fn threads_and_indexes_change_no_bit() {
    let (radii, options, container, fixed) = dense_request();
    let expected = pack(&radii, &options).unwrap();
    assert_sound(&expected.packing, &container, &fixed);
    let (pairs, walls) = gaps(&expected.packing);
    assert!(pairs >= 0.01 && walls >= 0.005, "{pairs}, {walls}");
    for threads in [1, 2, 3] {
        let run = pack(&radii, &options.clone().threads(threads)).unwrap();
        assert_eq!(run.packing, expected.packing, "{threads} threads");
    }
    for &index in IndexKind::ALL {
        let run = pack(&radii, &options.clone().index(index)).unwrap();
        assert_eq!(run.packing.spheres(), expected.packing.spheres(), "{index}");
    }
}

/// Packs, and continues from a checkpoint in a file after each of the given numbers of sweeps.
fn disturbed(radii: &[f64], options: &PackOptions, stops: &[u64]) -> PackRun {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.checkpoint");
    let mut packer = Packer::new(radii, options).unwrap();
    for &stop in stops {
        while packer.progress().map_or(0, |progress| progress.sweeps) < stop
            && packer.sweep().is_some()
        {}
        write_checkpoint(&packer.checkpoint(), &path).unwrap();
        let checkpoint = read_checkpoint(&path).unwrap();
        assert_eq!(checkpoint.options().fixed, options.fixed);
        packer = Packer::resume(checkpoint.threads(1 + stop as usize % 3)).unwrap();
    }
    while packer.sweep().is_some() {}
    packer.finish()
}

#[test]
fn resumed_runs_end_with_the_bits_of_undisturbed_ones() {
    let (radii, options, ..) = dense_request();
    let crowded = [radii.clone(), vec![0.5; 500]].concat();
    for (radii, leaves_out) in [(radii, false), (crowded, true)] {
        let (expected, sweeps) = undisturbed(&radii, &options);
        assert_eq!(!expected.left_out.is_empty(), leaves_out);
        for share in [0, 2, 3] {
            let stops = [share * sweeps / 4, share * sweeps / 4 + 7];
            let found = disturbed(&radii, &options, &stops);
            assert_eq!(
                found.packing, expected.packing,
                "stopped after {stops:?} of {sweeps} sweeps"
            );
            assert_eq!(found.left_out, expected.left_out);
        }
    }
}

#[test]
fn spheres_beyond_the_room_are_left_out() {
    let container = cube(9.0, "ppp");
    let fixed = skeleton(&container, 18, 1.5);
    let radii: Vec<f64> = (0..3000).map(|k| 0.28 + 0.04 * f64::from(k % 2)).collect();
    // The jamming would need another container.
    let options = around(&container, &fixed).jam(JamGap::AUTO);
    let run = pack(&radii, &options).unwrap();
    let packing = run.packing;
    assert_sound(&packing, &container, &fixed);
    assert_eq!(packing.certificate().max_overlap, 0.0);
    assert!(run.left_out.len() > 100, "{} spheres", run.left_out.len());
    // The room is used, and not only by few spheres.
    assert!(
        packing.packing_fraction() > 0.62,
        "{}",
        packing.packing_fraction()
    );
    let provenance = packing.provenance.as_ref().unwrap();
    assert_eq!(provenance.left_out, run.left_out.len() as u64);
    assert_eq!(provenance.stop, StopReason::Stalled);
    assert!(provenance.fraction.unwrap() > packing.packing_fraction());
    // The other spheres keep their order.
    assert!(run.left_out.is_sorted());
    let kept = (0..radii.len()).filter(|k| run.left_out.binary_search(k).is_err());
    let kept: Vec<f64> = kept.map(|k| radii[k]).collect();
    assert_eq!(packing.spheres().radii()[..kept.len()], kept);
    assert_eq!(packing.spheres().len(), kept.len() + 18);
}

#[test]
fn a_run_that_ends_early_leaves_spheres_out() {
    let (radii, options, container, fixed) = dense_request();
    let run = pack(&radii, &options.max_sweeps(45)).unwrap();
    assert_sound(&run.packing, &container, &fixed);
    let provenance = run.packing.provenance.as_ref().unwrap();
    assert_eq!(provenance.stop, StopReason::SweepLimit);
    assert_eq!(
        run.packing.spheres().len(),
        radii.len() - run.left_out.len() + fixed.len()
    );
}

/// Returns a run that asks for 40 spheres among a full lattice of 8 000 fixed ones. Each of the 40 spheres searches in vain for a free
/// position.
fn among_a_full_lattice(options: impl Fn(PackOptions) -> PackOptions) -> PackRun {
    let centers = (0..8000).map(|k| {
        DVec3::new(
            f64::from(k % 20),
            f64::from(k / 20 % 20),
            f64::from(k / 400),
        ) + 0.5
    });
    let lattice = Spheres::new(centers.collect(), vec![0.5; 8000]);
    let container = cube(20.0, "ppp");
    let run = pack(vec![0.5; 40], &options(around(&container, &lattice))).unwrap();
    assert_sound(&run.packing, &container, &lattice);
    assert_eq!(run.left_out.len(), 40);
    run
}

#[test]
fn a_time_limit_ends_the_search_for_free_positions() {
    let start = Instant::now();
    let limit = Duration::from_millis(200);
    let run = among_a_full_lattice(|options| options.time_limit(limit));
    assert_eq!(run.packing.provenance.unwrap().stop, StopReason::TimeLimit);
    // Without the limit, the search takes more than a minute.
    assert!(start.elapsed() < Duration::from_secs(15));
}

#[test]
fn an_interrupt_ends_the_search_for_free_positions_without_a_checkpoint() {
    let interrupt = Interrupt::default();
    interrupt.request();
    let start = Instant::now();
    let run = among_a_full_lattice(|options| options.interrupt(interrupt.clone()));
    assert_eq!(
        run.packing.provenance.unwrap().stop,
        StopReason::Interrupted
    );
    assert!(start.elapsed() < Duration::from_secs(15));

    /// Counts checkpoints.
    struct Saved(u32);

    impl Observer for Saved {
        fn sweep(&mut self, _: &Progress) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }

        fn wants_checkpoint(&mut self, _: Option<StopReason>) -> bool {
            true
        }

        fn save(&mut self, _: Checkpoint) {
            self.0 += 1;
        }
    }

    // A run that continued from there would have other bits than a run without the interrupt.
    let (radii, options, ..) = dense_request();
    let mut saved = Saved(0);
    pack_observed(&radii, &options.clone().max_sweeps(3), &mut saved).unwrap();
    assert!(saved.0 > 0);
    let mut saved = Saved(0);
    pack_observed(&radii, &options.interrupt(interrupt), &mut saved).unwrap();
    assert_eq!(saved.0, 0);
}

#[test]
fn a_single_sphere_finds_the_only_hole() {
    for boundary in ["ppp", "www"] {
        let container = cube(4.0, boundary);
        let sites = (0..64).map(|k| [k % 4, k / 4 % 4, k / 16]);
        let sites = sites.map(|site| DVec3::from_array(site.map(|x| f64::from(x) + 0.5)));
        let hole = DVec3::new(2.5, 1.5, 0.5);
        let centers: Vec<DVec3> = sites.filter(|&site| site != hole).collect();
        let fixed = Spheres::new(centers, vec![0.5; 63]);
        for radius in [0.05, 0.3, 0.4999] {
            let run = pack(&[radius], &around(&container, &fixed)).unwrap();
            assert_sound(&run.packing, &container, &fixed);
            assert_eq!(run.packing.spheres().len(), 64, "radius {radius}");
        }
        let run = pack(&[0.5001], &around(&container, &fixed));
        if let Ok(run) = run {
            assert_eq!(run.left_out, [0]);
            assert_eq!(*run.packing.spheres(), fixed);
            let stop = run.packing.provenance.unwrap().stop;
            assert_eq!(stop, StopReason::Stalled);
        }
    }
}

#[test]
fn spheres_a_hundred_times_smaller_surround_a_large_one() {
    let container = cube(12.0, "ppw");
    let fixed = Spheres::new(vec![DVec3::new(0.5, 11.0, 6.0)], vec![5.0]);
    let radii: Vec<f64> = (0..4000)
        .map(|k| {
            if k < 60 {
                0.8
            } else {
                0.05 + 0.00005 * f64::from(k)
            }
        })
        .collect();
    let run = pack(&radii, &around(&container, &fixed)).unwrap();
    assert_eq!(run.left_out, [0usize; 0]);
    assert_sound(&run.packing, &container, &fixed);
}

#[test]
fn fixed_spheres_that_overlap_are_refused_by_number() {
    let container = cube(10.0, "pww");
    let with = |all: &[([f64; 3], f64)]| {
        let centers = all.iter().map(|&(center, _)| center.into()).collect();
        let fixed = Spheres::new(centers, all.iter().map(|&(_, radius)| radius).collect());
        match pack(&[0.5; 10], &around(&container, &fixed)) {
            Err(PackError::Fixed(error)) => error,
            other => panic!("{:?}", other.map(|run| run.packing)),
        }
    };
    let far = ([5.0, 8.0, 8.0], 1.0);
    let pair = with(&[far, ([0.5, 3.0, 3.0], 1.0), ([9.5, 3.0, 3.0], 0.5)]);
    assert_eq!(
        pair,
        FixedError::Overlap {
            sphere: 1,
            other: 2,
            overlap: 0.5
        }
    );
    let wall = with(&[far, ([5.0, 0.75, 5.0], 1.0)]);
    assert_eq!(
        wall,
        FixedError::Wall {
            sphere: 1,
            overlap: 0.25
        }
    );
    let outside = with(&[far, ([10.0, 5.0, 5.0], 1.0)]);
    assert!(
        matches!(outside, FixedError::Outside { sphere: 1, .. }),
        "{outside}"
    );
    for (center, radius) in [
        ([5.0; 3], 0.0),
        ([5.0; 3], f64::INFINITY),
        ([f64::NAN; 3], 1.0),
    ] {
        let bad = with(&[far, (center, radius)]);
        assert_eq!(bad, FixedError::Numbers { sphere: 1 });
    }
    let options = around(&container, &Spheres::default()).target(Target::Densest);
    let densest = pack(&[0.5; 10], &options).unwrap_err();
    assert_eq!(densest, PackError::FixedWithoutContainer);
}

#[test]
fn overlaps_of_fixed_spheres_can_be_allowed() {
    let container = cube(10.0, "pww");
    let fixed = Spheres::new(
        vec![
            DVec3::new(0.5, 3.0, 3.0),
            DVec3::new(9.5, 3.0, 3.0),
            DVec3::new(5.0, 0.25, 5.0),
            DVec3::new(5.0, 5.0, 5.0),
            DVec3::new(5.0, 5.0, 5.0),
        ],
        vec![1.0, 0.5, 0.5, 1.5, 1.5],
    );
    let options = around(&container, &Spheres::default());
    let options = options.fixed(FixedSpheres::new(fixed.clone()).may_overlap(true));
    let run = pack(vec![0.4; 1300], &options).unwrap();
    assert_sound(&run.packing, &container, &fixed);
    assert_eq!(run.left_out, [0usize; 0]);
    // The two equal ones.
    assert_eq!(run.packing.certificate().max_overlap, 3.0);
    let provenance = run.packing.provenance.as_ref().unwrap();
    assert_eq!(provenance.stop, StopReason::FractionReached);
    assert_eq!(provenance.fixed_may_overlap, Some(true));
}

#[test]
fn gaps_hold_between_free_and_fixed_spheres_only() {
    let container = cube(10.0, "www");
    // The two fixed spheres touch, and each touches a wall.
    let centers = vec![DVec3::new(2.0, 5.0, 5.0), DVec3::new(6.0, 5.0, 5.0)];
    let fixed = Spheres::new(centers, vec![2.0; 2]);
    for (min_gap, wall_gap) in [(0.1, 0.05), (0.1, 0.6), (0.0, 0.5), (0.2, 0.0)] {
        let options = around(&container, &fixed)
            .min_gap(min_gap)
            .wall_gap(wall_gap);
        let run = pack(vec![0.3; 1200], &options).unwrap();
        assert_eq!(run.left_out, [0usize; 0]);
        assert_sound(&run.packing, &container, &fixed);
        let (pairs, walls) = gaps(&run.packing);
        assert!(pairs >= min_gap && walls >= wall_gap, "{pairs}, {walls}");
        // The gap to fixed spheres is not that to walls.
        assert!(pairs < min_gap + 0.05, "{pairs}");
    }
}

/// Returns a small packing: 40 spheres, of which the last two are fixed.
fn small() -> Packing {
    let container = cube(6.0, "ppp");
    let centers = vec![DVec3::new(0.1, 1.0 / 3.0, 5.7), DVec3::splat(3.0)];
    let fixed = Spheres::new(centers, vec![0.7, 1.0 / 3.0 + 1.0]);
    pack(vec![0.5; 38], &around(&container, &fixed))
        .unwrap()
        .packing
}

#[test]
fn json_files_hold_the_number_of_fixed_spheres() {
    let packing = small();
    let mut file = Vec::new();
    write_packing(&packing, Format::Json, &mut file).unwrap();
    let text = String::from_utf8(file.clone()).unwrap();
    assert!(text.contains("\n\"fixed\":2,\n"), "{text}");
    let read = read_packing_from(file.as_slice(), Format::Json, ReadOptions::default()).unwrap();
    assert_eq!(read.packing, packing);
    assert!(read.packing.is_fixed(38) && !read.packing.is_fixed(37));
    let broken = text.replace("\"fixed\":2", "\"fixed\":41");
    let error =
        read_packing_from(broken.as_bytes(), Format::Json, ReadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("at most 40"), "{error}");
}

#[test]
fn fixed_spheres_have_a_type_of_their_own_in_files() {
    let packing = small();
    let export = |format: Format, options: ExportOptions| {
        let mut file = Vec::new();
        let warnings = export_packing(&packing, format, &options, &mut file).unwrap();
        (
            String::from_utf8_lossy(&file).into_owned(),
            warnings.join("\n"),
        )
    };
    let (csv, _) = export(Format::Csv, ExportOptions::default());
    let types: Vec<&str> = csv
        .lines()
        .map(|row| row.rsplit(',').next().unwrap())
        .collect();
    assert_eq!(types[0], "type");
    assert_eq!(types[1..39], ["1"; 38]);
    assert_eq!(types[39..], ["2"; 2]);
    let (data, _) = export(Format::LammpsData, ExportOptions::default());
    assert!(data.contains("2 atom types"), "{data}");
    let (xyz, _) = export(Format::Xyz, ExportOptions::default());
    assert_eq!(xyz.lines().filter(|row| row.starts_with("T2 ")).count(), 2);
    // Copies of fixed spheres are fixed.
    let (data, warnings) = export(
        Format::LammpsData,
        ExportOptions::default().repeat([2, 1, 1]),
    );
    let rows = data
        .lines()
        .skip_while(|row| !row.starts_with("Atoms"))
        .skip(2);
    let fixed = rows.filter(|row| row.split(' ').nth(1) == Some("2"));
    assert_eq!(fixed.count(), 4);
    assert!(!warnings.contains("fixed"), "{warnings}");
    let (_, warnings) = export(Format::Yade, ExportOptions::default());
    assert!(warnings.contains("which spheres are fixed"), "{warnings}");
    let (_, warnings) = export(Format::Json, ExportOptions::default());
    assert_eq!(warnings, "");
    let boundaries: Boundaries = "ppp".parse().unwrap();
    assert_eq!(packing.container().boundary(), boundaries);
}
