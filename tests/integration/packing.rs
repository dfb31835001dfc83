//! The promises of `pack`, checked on the returned numbers by a brute force that shares no code with the library.

use std::{
    f64::consts::PI,
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    time::Duration,
};

use glam::DVec3;
use jostle::{
    Boundaries, Container, Effort, IndexKind, PackOptions, Packer, Packing, Target,
    distribution::{Sampling, SizeDistribution},
    index::{Entry, EntryError, GlobalIndex, IndexBuilder},
    pack,
    packing::StopReason,
    rearrange::{Observer, PackError, PackRun, Progress, pack_observed},
};

/// Returns a periodic cuboid.
fn periodic(lengths: DVec3) -> Container {
    Container::cuboid(lengths, Boundaries::PERIODIC).unwrap()
}

/// Returns the packing fraction of the layer of one diameter at the low wall of each axis, minus that at the high wall, for equal spheres of
/// diameter 1.
fn lopsidedness(packing: &Packing) -> [f64; 3] {
    let lengths = packing.container().lengths().to_array();
    std::array::from_fn(|axis| {
        // A layer of one diameter contains a part of each sphere whose center is less than 1.5 from its wall.
        let part = |distance: f64| {
            let height = (1.5 - distance).clamp(0.0, 1.0);
            PI * height * height * (1.5 - height) / 3.0
        };
        let centers = packing
            .spheres()
            .centers()
            .iter()
            .map(|c| c.to_array()[axis]);
        let difference: f64 = centers.map(|z| part(z) - part(lengths[axis] - z)).sum();
        difference * lengths[axis] / packing.container().volume()
    })
}

/// The differences of opposite walls vanish in the mean over many small loose packings. Their standard error is near 0.002; where spheres
/// were visited along the space-filling curve, the mean difference was 0.046.
#[test]
fn opposite_walls_are_packed_alike() {
    const PACKINGS: u64 = 100;
    let mut differences = Vec::new();
    for seed in 0..PACKINGS {
        let options = quick()
            .container(Boundaries::WALLS)
            .target(Target::Fraction(0.45))
            .seed(seed);
        let packing = pack(&[0.5; 600], &options).unwrap().packing;
        differences.extend(lopsidedness(&packing));
    }
    let n = differences.len() as f64;
    let mean = differences.iter().sum::<f64>() / n;
    let squares: f64 = differences.iter().map(|d| (d - mean) * (d - mean)).sum();
    let error = (squares / (n * (n - 1.0))).sqrt();
    assert!(error < 0.004, "the standard error is {error}");
    assert!(mean.abs() < 3.0 * error, "{mean} ± {error}");
}

/// The smallest gaps of a packing by brute force: all pairs, all neighboring periodic images, all walls.
struct Gaps {
    /// Smallest gap between two spheres, or between a sphere and its own image.
    spheres: f64,
    /// Smallest gap between a sphere and a wall.
    walls: f64,
}

fn gaps(packing: &Packing) -> Gaps {
    let mut gaps = Gaps {
        spheres: f64::INFINITY,
        walls: f64::INFINITY,
    };
    let lengths = packing.container().lengths().to_array();
    let periodic: Vec<bool> = packing
        .container()
        .boundary()
        .to_string()
        .chars()
        .map(|letter| letter == 'p')
        .collect();
    let spheres: Vec<([f64; 3], f64)> = packing
        .spheres()
        .iter()
        .map(|(center, radius)| (center.to_array(), radius))
        .collect();
    for (i, &(a, r)) in spheres.iter().enumerate() {
        for axis in 0..3 {
            assert!(
                (0.0..=lengths[axis]).contains(&a[axis]),
                "sphere {i} at {a:?} is outside"
            );
            if periodic[axis] {
                gaps.spheres = gaps.spheres.min(lengths[axis] - 2.0 * r);
            } else {
                gaps.walls = gaps.walls.min(a[axis] - r).min(lengths[axis] - a[axis] - r);
            }
        }
        for &(b, s) in &spheres[..i] {
            let squared: f64 = (0..3)
                .map(|axis| {
                    let straight = (a[axis] - b[axis]).abs();
                    let nearest = if periodic[axis] {
                        straight.min(lengths[axis] - straight)
                    } else {
                        straight
                    };
                    nearest * nearest
                })
                .sum();
            gaps.spheres = gaps.spheres.min(squared.sqrt() - (r + s));
        }
    }
    gaps
}

/// Asserts that no spheres overlap, the radii are as given, and the certificate agrees with brute force.
fn assert_sound(packing: &Packing, radii: &[f64]) {
    assert_eq!(packing.spheres().radii(), radii);
    let found = gaps(packing);
    let smallest = found.spheres.min(found.walls);
    assert!(smallest >= 0.0, "overlap of {}", -smallest);
    assert_eq!(packing.certificate().max_overlap, 0.0);
    let certified = packing.certificate().min_gap;
    let scale = packing.container().lengths().max_element();
    assert!(
        (certified - smallest).abs() <= 1e-14 * scale || certified == smallest,
        "certified {certified}, found {smallest}"
    );
}

fn packed(radii: &[f64], options: &PackOptions) -> Packing {
    let PackRun { packing, .. } = pack(radii, options).unwrap();
    assert_sound(&packing, radii);
    packing
}

fn stop(packing: &Packing) -> StopReason {
    packing.provenance.as_ref().unwrap().stop
}

fn radii(law: &str, n: usize) -> Vec<f64> {
    let law: SizeDistribution = serde_json::from_str(law).unwrap();
    let sample = law.sample_number(n, Sampling::Stratified, 0);
    sample.diameters.iter().map(|d| 0.5 * d).collect()
}

/// f(r) ∝ r⁻³ with size ratio 10.
fn mixture(n: usize) -> Vec<f64> {
    radii(
        r#"{"power-law": {"exponent": -3, "d_min": 1, "d_max": 10}}"#,
        n,
    )
}

/// f(r) ∝ r⁻³·⁵ with size ratio 50: all but the largest spheres are inserted later.
fn wide_mixture(n: usize) -> Vec<f64> {
    radii(
        r#"{"power-law": {"exponent": -3.5, "d_min": 1, "d_max": 50}}"#,
        n,
    )
}

fn quick() -> PackOptions {
    PackOptions::default().effort(Effort::QUICK)
}

#[test]
fn equal_spheres_pack_densely() {
    let packing = packed(&[0.5; 2000], &PackOptions::default());
    assert_eq!(stop(&packing), StopReason::Converged);
    let fraction = packing.packing_fraction();
    assert!((0.63..0.66).contains(&fraction), "{fraction}");
    // The spheres touch: the remaining gap comes from rounding.
    assert!(packing.certificate().min_gap < 1e-9);
}

#[test]
fn a_mixture_packs_more_densely_than_equal_spheres() {
    let fraction = packed(&mixture(2000), &quick()).packing_fraction();
    assert!((0.70..0.78).contains(&fraction), "{fraction}");
}

#[test]
fn more_effort_packs_more_densely() {
    let fractions: Vec<f64> = [0.0, 0.75, 1.5]
        .into_iter()
        .map(|effort| {
            let options = PackOptions::default().effort(Effort::try_from(effort).unwrap());
            packed(&[0.5; 1000], &options).packing_fraction()
        })
        .collect();
    assert!(fractions.is_sorted_by(|a, b| a < b), "{fractions:?}");
}

#[test]
fn walls_hold_every_sphere() {
    for (boundary, least) in [("www", 0.56), ("ppw", 0.59), ("wpp", 0.59)] {
        let options = quick().container(boundary.parse::<Boundaries>().unwrap());
        let packing = packed(&[0.5; 1000], &options);
        assert_eq!(packing.container().boundary().to_string(), boundary);
        let fraction = packing.packing_fraction();
        assert!(fraction > least, "{boundary}: {fraction}");
        // Some sphere touches a wall.
        assert!(gaps(&packing).walls < 0.01);
    }
}

#[test]
fn a_requested_container_is_kept_exactly() {
    let radii = mixture(1500);
    let volume = jostle::total_volume(&radii);
    for boundary in ["ppp", "www", "pwp"] {
        // A flat box, 1 : 1.7 : 0.6, filled to 0.6.
        let unit = (volume / 0.6 / (1.7 * 0.6)).cbrt();
        let lengths = DVec3::new(unit, 1.7 * unit, 0.6 * unit);
        let options = quick()
            .container(Container::cuboid(lengths, boundary.parse().unwrap()).unwrap())
            .target(Target::Exact);
        let packing = packed(&radii, &options);
        assert_eq!(packing.container().lengths(), lengths);
        assert_eq!(stop(&packing), StopReason::FractionReached);
    }
}

#[test]
fn a_requested_fraction_is_met_exactly() {
    for fraction in [0.05, 0.5, 0.62] {
        let options = PackOptions::default().target(Target::Fraction(fraction));
        for radii in [vec![0.5; 1000], wide_mixture(1000)] {
            let packing = packed(&radii, &options);
            assert_eq!(stop(&packing), StopReason::FractionReached);
            let error = packing.packing_fraction() - fraction;
            assert!(error.abs() < 1e-12, "{fraction} missed by {error}");
            assert_eq!(packing.container().boundary().to_string(), "ppp");
        }
    }
}

#[test]
fn a_fraction_out_of_reach_gives_the_best_packing() {
    let options = quick().target(Target::Fraction(0.75));
    let packing = packed(&[0.5; 500], &options);
    assert_eq!(stop(&packing), StopReason::Stalled);
    assert_eq!(
        packing
            .provenance
            .as_ref()
            .unwrap()
            .fraction
            .map(|f| (f - 0.75).abs() < 1e-12),
        Some(true)
    );
    let fraction = packing.packing_fraction();
    assert!((0.60..0.75).contains(&fraction), "{fraction}");
}

#[test]
fn a_minimum_gap_is_kept() {
    for boundary in ["ppp", "www"] {
        let options = quick()
            .container(boundary.parse::<Boundaries>().unwrap())
            .min_gap(0.1);
        let packing = packed(&mixture(800), &options);
        let found = gaps(&packing);
        assert!(found.spheres >= 0.1, "{}", found.spheres);
        assert!(found.walls >= 0.05, "{}", found.walls);
        // The spheres are no further apart than requested.
        assert!((found.spheres.min(found.walls + 0.05) - 0.1).abs() < 1e-8);
    }
}

#[test]
fn a_minimum_gap_and_a_fraction_go_together() {
    let options = quick().target(Target::Fraction(0.5)).min_gap(0.05);
    let packing = packed(&[0.5; 800], &options);
    assert_eq!(stop(&packing), StopReason::FractionReached);
    assert!(gaps(&packing).spheres >= 0.05);
    assert!((packing.packing_fraction() - 0.5).abs() < 1e-12);
}

/// Between walls, the densest packings of a few equal spheres in a cube are known: the largest smallest distance of n
/// points in a unit cube is m, and spheres of diameter 1 need a cube of side 1 + 1/m (Schaer 1966).
#[test]
fn few_spheres_between_walls_are_no_denser_than_they_can_be() {
    let options = PackOptions::default().container("www".parse::<Boundaries>().unwrap());
    for (n, m) in [
        (2, 3f64.sqrt()),
        (3, 2f64.sqrt()),
        (4, 2f64.sqrt()),
        (5, 1.25f64.sqrt()),
        (6, 1.125f64.sqrt()),
        (8, 1.0),
    ] {
        let packing = packed(&vec![0.5; n], &options);
        let (side, least) = (packing.container().lengths().x, 1.0 + 1.0 / m);
        assert!(side >= least, "{n} spheres in {side}, less than {least}");
        // More than two spheres may jam at a lower packing fraction.
        let slack = if n == 2 { 1e-3 } else { 0.2 };
        assert!(side < (1.0 + slack) * least, "{n} spheres in {side}");
    }
}

/// Returns the bits of every center and length.
fn bits(packing: &Packing) -> Vec<[u64; 3]> {
    let points = packing.spheres().centers().iter().copied();
    points
        .chain([packing.container().lengths()])
        .map(|point| point.to_array().map(f64::to_bits))
        .collect()
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let options = |threads| {
        quick()
            .threads(threads)
            .container("ppw".parse::<Boundaries>().unwrap())
    };
    // Enough spheres for several colored blocks.
    for radii in [mixture(6000), wide_mixture(6000)] {
        let one = bits(&packed(&radii, &options(1)));
        for threads in [2, 3, 8] {
            let run = pack(&radii, &options(threads)).unwrap();
            assert_eq!(run.threads, threads);
            assert!(bits(&run.packing) == one, "{threads} threads differ");
        }
    }
}

#[test]
fn every_index_gives_the_same_bits() {
    for (radii, boundary) in [
        (mixture(1000), "ppp"),
        (mixture(1000), "wwp"),
        (wide_mixture(1000), "pwp"),
    ] {
        let with = |index| {
            let options = quick()
                .index(index)
                .container(boundary.parse::<Boundaries>().unwrap());
            let packing = packed(&radii, &options);
            assert_eq!(
                packing.provenance.as_ref().unwrap().index,
                index.to_string()
            );
            bits(&packing)
        };
        let default = with(IndexKind::default());
        for &index in IndexKind::ALL {
            assert!(with(index) == default, "{boundary}: {index} differs");
        }
    }
}

#[test]
fn another_seed_gives_other_bits() {
    let with = |seed| bits(&packed(&[0.5; 200], &quick().seed(seed)));
    assert!(with(1) == with(1));
    assert!(with(1) != with(2));
}

#[test]
fn few_spheres_pack() {
    // One sphere between walls, and one in a periodic cube: the cube is as large as the sphere.
    for boundary in ["www", "ppp"] {
        let options = PackOptions::default().container(boundary.parse::<Boundaries>().unwrap());
        let packing = packed(&[0.5], &options);
        let side = packing.container().lengths().x;
        assert!((side - 1.0).abs() < 1e-6, "{boundary}: {side}");
        packed(&[0.5, 0.01], &options);
        packed(&[0.5, 1e-7, 3.0], &options);
    }
}

#[test]
fn one_huge_sphere_among_many_small_ones() {
    let mut radii = vec![0.5; 1500];
    radii.insert(700, 10.0);
    for boundary in ["ppp", "www"] {
        let options = quick().container(boundary.parse::<Boundaries>().unwrap());
        let fraction = packed(&radii, &options).packing_fraction();
        assert!(fraction > 0.55, "{boundary}: {fraction}");
    }
}

#[test]
fn a_size_ratio_of_a_hundred_packs_densely() {
    let radii = radii(r#"{"uniform-volume": {"d_min": 1, "d_max": 100}}"#, 6000);
    let fraction = packed(&radii, &PackOptions::default()).packing_fraction();
    assert!(fraction > 0.76, "{fraction}");
}

#[test]
fn small_spheres_of_a_wide_mixture_are_inserted_while_the_container_grows() {
    let radii = wide_mixture(2000);
    let mut watch = Watch::new(u64::MAX);
    let packing = pack_observed(&radii, &PackOptions::default(), &mut watch)
        .unwrap()
        .packing;
    assert_sound(&packing, &radii);
    let spheres: Vec<usize> = watch.seen.iter().map(|p| p.spheres).collect();
    let groups: Vec<&[usize]> = spheres.chunk_by(|a, b| a == b).collect();
    assert!(groups.len() > 3 && groups[0][0] < 100, "{spheres:?}");
    // The intervals are equal.
    let mut times = groups[..groups.len() - 1].iter().map(|group| group.len());
    assert!(times.all(|time| time.abs_diff(groups[0].len()) <= 1));
    assert!(spheres.is_sorted());
    let all_in = spheres.partition_point(|&n| n < 2000);
    assert!(watch.seen[all_in].packing_fraction > packing.packing_fraction());
    assert!(packing.packing_fraction() > 0.8);
}

#[test]
fn a_run_that_ends_early_contains_all_spheres() {
    let radii = wide_mixture(1000);
    for max_sweeps in [1, 7, 45, 60] {
        let options = quick().max_sweeps(max_sweeps);
        let packing = packed(&radii, &options);
        assert_eq!(stop(&packing), StopReason::SweepLimit);
        assert!(packing.provenance.unwrap().sweeps <= max_sweeps);
    }
}

#[test]
fn the_unit_of_length_does_not_matter() {
    let radii = mixture(300);
    let fraction = |unit: f64| {
        let radii: Vec<f64> = radii.iter().map(|r| r * unit).collect();
        packed(&radii, &quick()).packing_fraction()
    };
    for unit in [1e-50, 1e-9, 1e6, 1e50] {
        assert!((fraction(unit) - fraction(1.0)).abs() < 0.02, "{unit}");
    }
    assert_eq!(fraction(2f64.powi(40)), fraction(1.0));
}

/// Records the progress, and ends the run after some sweeps.
struct Watch {
    sweeps: u64,
    seen: Vec<Progress>,
    finishing: usize,
}

impl Watch {
    fn new(sweeps: u64) -> Self {
        Self {
            sweeps,
            seen: Vec::new(),
            finishing: 0,
        }
    }
}

impl Observer for Watch {
    fn sweep(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.seen.push(*progress);
        if progress.sweeps >= self.sweeps {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn finishing(&mut self) {
        self.finishing += 1;
    }
}

#[test]
fn an_observer_receives_every_sweep_and_may_end_the_run() {
    let radii = mixture(500);
    for (sweeps, reason) in [
        (5, StopReason::Interrupted),
        (u64::MAX, StopReason::Converged),
    ] {
        let mut watch = Watch::new(sweeps);
        let packing = pack_observed(&radii, &quick(), &mut watch).unwrap().packing;
        assert_sound(&packing, &radii);
        let provenance = packing.provenance.unwrap();
        assert_eq!(provenance.stop, reason);
        assert_eq!(watch.finishing, 1);
        let seen = watch.seen.len() as u64;
        assert!(watch.seen.iter().map(|p| p.sweeps).eq(1..=seen));
        // After an early end, up to forty sweeps compact the packing.
        let settling = if reason == StopReason::Interrupted {
            40
        } else {
            0
        };
        assert!((seen..=seen + settling).contains(&provenance.sweeps));
        assert!(watch.seen.is_sorted_by_key(|p| p.elapsed));
        let (first, last) = (watch.seen[0], watch.seen.last().unwrap());
        assert!(last.packing_fraction < first.packing_fraction);
        assert!(last.mean_overlap < first.mean_overlap);
        assert!(last.max_overlap <= first.max_overlap);
    }
}

#[test]
fn limits_end_the_loop_with_a_valid_packing() {
    let radii = mixture(500);
    let options = quick().max_sweeps(7);
    let packing = packed(&radii, &options);
    assert_eq!(stop(&packing), StopReason::SweepLimit);
    assert_eq!(packing.provenance.as_ref().unwrap().sweeps, 7);

    let options = quick().time_limit(Duration::ZERO);
    let packing = packed(&radii, &options);
    assert_eq!(stop(&packing), StopReason::TimeLimit);

    // A run that ends before the requested size gets a larger container of the same shape.
    let options = quick()
        .container(periodic(DVec3::new(1.0, 2.0, 1.0) * 20.0))
        .target(Target::Exact)
        .max_sweeps(1);
    let dense = vec![0.9; 3000];
    let packing = packed(&dense, &options);
    assert_eq!(stop(&packing), StopReason::SweepLimit);
    let lengths = packing.container().lengths();
    assert!(lengths.x > 20.0);
    assert!((lengths.y / lengths.x - 2.0).abs() < 1e-12);
}

/// The directions of near contacts are isotropic: the visiting order has no effect on them.
///
/// For M independent directions the mean of n_x² is 1/3 with variance 4/45M, that of n_x n_y is 0 with variance
/// 1/15M. Five standard errors are a probability of one in a million, and an anisotropy of 4 % is detected.
#[test]
fn contact_directions_are_isotropic() {
    let mut fabric = [[0.0; 3]; 3];
    let mut contacts = 0.0;
    for seed in 0..3 {
        let packing = packed(&[0.5; 2000], &quick().seed(seed));
        let container = packing.container();
        let centers = packing.spheres().centers();
        for (i, &a) in centers.iter().enumerate() {
            for &b in &centers[..i] {
                let d = container.displacement(a, b);
                if d.length_squared() < 1.02 * 1.02 {
                    let n = d.normalize().to_array();
                    contacts += 1.0;
                    for (row, x) in fabric.iter_mut().zip(n) {
                        for (cell, y) in row.iter_mut().zip(n) {
                            *cell += x * y;
                        }
                    }
                }
            }
        }
    }
    assert!(contacts > 15_000.0, "{contacts} contacts");
    for (i, row) in fabric.iter().enumerate() {
        for (j, sum) in row.iter().enumerate() {
            let (mean, variance) = if i == j {
                (1.0 / 3.0, 4.0 / 45.0)
            } else {
                (0.0, 1.0 / 15.0)
            };
            let off = sum / contacts - mean;
            let error = f64::sqrt(variance / contacts);
            assert!(off.abs() < 5.0 * error, "fabric {i}{j} is off by {off}");
        }
    }
}

#[test]
fn impossible_requests_are_rejected() {
    let rejected = |radii: &[f64], options: PackOptions| pack(radii, &options).unwrap_err();
    let with = |target| PackOptions::default().target(target);
    assert_eq!(rejected(&[], PackOptions::default()), PackError::NoSpheres);
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, f64::MIN_POSITIVE / 2.0] {
        let error = rejected(&[1.0, bad], PackOptions::default());
        assert!(matches!(error, PackError::Radius { sphere: 1, .. }));
        assert!(error.to_string().contains("sphere 1"), "{error}");
    }
    for bad in [0.0, -0.1, 1.0, 1.5, f64::NAN] {
        let error = rejected(&[1.0], with(Target::Fraction(bad)));
        assert!(matches!(error, PackError::Fraction(_)), "{bad}: {error}");
    }
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        let options = PackOptions::default().min_gap(bad);
        assert!(matches!(rejected(&[1.0], options), PackError::MinGap(_)));
    }
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        let options = PackOptions::default().wall_gap(bad);
        assert!(matches!(rejected(&[1.0], options), PackError::WallGap(_)));
    }
    let within = |lengths| with(Target::Exact).container(periodic(lengths));
    let error = rejected(&[1.0, 3.0], within(DVec3::new(20.0, 20.0, 5.0)));
    assert_eq!(
        error,
        PackError::TooLarge {
            diameter: 6.0,
            largest: 5.0
        }
    );
    let error = rejected(&[1.0; 50], within(DVec3::splat(4.0)));
    assert!(matches!(error, PackError::TooMuchVolume { .. }), "{error}");
    // The gap takes volume too.
    let options = with(Target::Fraction(0.5)).min_gap(1.0);
    let error = rejected(&[0.5; 100], options);
    assert!(matches!(error, PackError::TooMuchVolume { .. }), "{error}");
}

#[test]
fn a_fraction_of_too_few_spheres_is_rejected_with_a_number_that_fits() {
    let flat = periodic(DVec3::new(1.0, 1.0, 0.2));
    // Walls along x need a longer box than the period along z.
    let boundaries = "wpp".parse().unwrap();
    let walled = Container::cuboid(DVec3::new(1.0, 6.0, 0.7), boundaries).unwrap();
    let with = |fraction| PackOptions::default().target(Target::Fraction(fraction));
    for (count, options) in [
        // One sphere cannot fill more of a cube than π/6.
        (1, with(0.6)),
        (20, with(0.5).container(flat)),
        (1, with(0.1).container(walled).wall_gap(1.0)),
    ] {
        let number = |count| match pack(vec![1.0; count], &options) {
            Err(PackError::TooFew { number, .. }) => Some(number as usize),
            Err(error) => panic!("{error}"),
            Ok(_) => None,
        };
        let enough = number(count).expect("too few spheres");
        assert_eq!(number(enough), None, "{count}");
        assert!(number(enough - 1).is_some(), "{count}");
    }
}

#[test]
fn volumes_beyond_the_range_of_numbers_are_rejected() {
    for radius in [1e-104, 1e103] {
        let error = pack(&[radius], &PackOptions::default()).unwrap_err();
        assert!(matches!(error, PackError::Volume(_)), "{radius}: {error}");
    }
    let options = PackOptions::default()
        .container(periodic(DVec3::splat(1e110)))
        .target(Target::Exact);
    let error = pack(&[1.0], &options).unwrap_err();
    assert!(matches!(error, PackError::ContainerVolume(_)), "{error}");
}

#[test]
fn a_packer_gives_the_bits_of_pack_sweep_by_sweep() {
    let radii = wide_mixture(1000);
    let expected = pack(&radii, &quick()).unwrap().packing;
    let mut packer = Packer::new(&radii, &quick()).unwrap();
    assert!(packer.progress().is_none() && packer.stop_reason().is_none());
    let mut sweeps = 0;
    while let Some(progress) = packer.sweep() {
        sweeps += 1;
        assert_eq!(progress.sweeps, sweeps);
        assert_eq!(packer.progress().unwrap().sweeps, sweeps);
    }
    assert_eq!(packer.stop_reason(), Some(StopReason::Converged));
    assert!(packer.sweep().is_none());
    let packing = packer.finish().packing;
    assert!(bits(&packing) == bits(&expected));
    assert_eq!(packing.provenance, expected.provenance);
}

#[test]
fn a_packer_may_finish_after_any_sweep() {
    let radii = mixture(300);
    for sweeps in [0, 1, 20] {
        let mut packer = Packer::new(&radii, &quick()).unwrap();
        for _ in 0..sweeps {
            packer.sweep();
        }
        let packing = packer.finish().packing;
        assert_sound(&packing, &radii);
        assert_eq!(stop(&packing), StopReason::Interrupted);
    }
}

/// The provenance holds the sweep limit that reproduces a run which ended early for another reason.
#[test]
fn an_interrupted_run_can_be_reproduced() {
    let radii = wide_mixture(800);
    let mut interrupt = |progress: &Progress| match progress.sweeps {
        50.. => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let interrupted = pack_observed(&radii, &quick(), &mut interrupt).unwrap();
    let provenance = interrupted.packing.provenance.as_ref().unwrap();
    let options = quick().max_sweeps(provenance.max_sweeps.unwrap());
    assert!(bits(&interrupted.packing) == bits(&packed(&radii, &options)));
}

#[test]
fn a_run_inside_a_pool_uses_that_pool() {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(3)
        .build()
        .unwrap();
    let radii = mixture(300);
    let run = pool.install(|| pack(&radii, &quick().threads(1)).unwrap());
    assert_eq!(run.threads, 3);
    assert!(bits(&run.packing) == bits(&packed(&radii, &quick())));
}

#[test]
fn options_and_packings_survive_serialization() {
    let options = quick()
        .container(periodic(DVec3::new(9.0, 8.0, 7.0)))
        .target(Target::Exact)
        .wall_gap(0.5)
        .time_limit(Duration::from_millis(1500));
    let text = serde_json::to_string(&options).unwrap();
    assert_eq!(serde_json::from_str::<PackOptions>(&text).unwrap(), options);
    for radii in [vec![0.5], mixture(50)] {
        let packing = packed(&radii, &quick());
        let text = serde_json::to_string(&packing).unwrap();
        assert_eq!(serde_json::from_str::<Packing>(&text).unwrap(), packing);
    }
    let uneven = r#"{"centers": [], "radii": [1.0]}"#;
    assert!(serde_json::from_str::<jostle::Spheres>(uneven).is_err());
}

/// A few large spheres determine the container. In a container far below that size, the small spheres would hold the large ones
/// apart for hundreds of sweeps.
#[test]
fn few_large_spheres_among_many_small_ones_take_no_longer() {
    let work = |radii: &[f64]| {
        let mut packer = Packer::new(radii, &PackOptions::default().effort(Effort::QUICK)).unwrap();
        let mut relocations = 0;
        while let Some(progress) = packer.sweep() {
            relocations = progress.work.relocations;
        }
        let packing = packer.finish().packing;
        (
            relocations as f64 / radii.len() as f64,
            packing.packing_fraction(),
        )
    };
    let (equal, _) = work(&[0.5; 8000]);
    let (mixed, fraction) = work(&[vec![10.0; 6], vec![0.5; 8000]].concat());
    assert!(
        mixed < 2.0 * equal,
        "{mixed} and {equal} relocations a sphere"
    );
    assert!(fraction > 0.5, "{fraction}");
}

#[test]
fn a_sweep_that_panicked_ends_the_packer() {
    static FAILS: AtomicBool = AtomicBool::new(false);

    struct Failing(Box<dyn GlobalIndex>);

    impl GlobalIndex for Failing {
        fn insert(&mut self, entry: Entry) -> Result<(), EntryError> {
            self.0.insert(entry)
        }

        fn remove(&mut self, entry: Entry) -> Result<(), EntryError> {
            assert!(!FAILS.load(Relaxed), "the index fails");
            self.0.remove(entry)
        }

        fn contains(&self, id: u32) -> bool {
            self.0.contains(id)
        }

        fn len(&self) -> usize {
            self.0.len()
        }

        fn bytes(&self) -> usize {
            self.0.bytes()
        }

        fn visit_candidates(&self, at: DVec3, radius: f64, visit: &mut dyn FnMut(&[u32])) -> usize {
            assert!(!FAILS.load(Relaxed), "the index fails");
            self.0.visit_candidates(at, radius, visit)
        }
    }

    struct Builder;

    impl IndexBuilder for Builder {
        fn name(&self) -> String {
            "failing".to_owned()
        }

        fn build(&self, container: &Container, entries: &[Entry]) -> Box<dyn GlobalIndex> {
            Box::new(Failing(IndexKind::default().build(container, entries)))
        }
    }

    let mut packer = Packer::builder()
        .index(Builder)
        .place(&[0.5; 200], &quick())
        .unwrap();
    packer.sweep().unwrap();
    FAILS.store(true, Relaxed);
    let panics = |call: &mut dyn FnMut()| catch_unwind(AssertUnwindSafe(call)).is_err();
    assert!(panics(&mut || while packer.sweep().is_some() {}));
    FAILS.store(false, Relaxed);
    assert!(panics(&mut || {
        packer.sweep();
    }));
    assert!(panics(&mut || drop(packer.checkpoint())));
    assert!(catch_unwind(AssertUnwindSafe(|| packer.finish())).is_err());
}

#[test]
fn requests_have_the_seed_of_the_command_line() {
    assert_eq!(PackOptions::default().seed, 1);
    let options: PackOptions = serde_json::from_str("{}").unwrap();
    assert_eq!(options, PackOptions::default());
}
