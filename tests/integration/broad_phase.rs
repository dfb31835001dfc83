//! One contract for every broad phase algorithm: the pairs of a brute-force search, each once, snapshot after snapshot.

use glam::DVec3;
use jostle::{
    Boundaries, Container, Spheres,
    laboratory::broad_phase::{BroadPhase, BroadPhaseKind, HGridSearch, SortedHGrid},
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use strum::VariantArray;

use crate::common::spheres::{detected, touching_pairs};

/// Returns three levels, with the largest spheres of all snapshots on the last.
fn cell_sizes(snapshots: &[Spheres]) -> [f64; 3] {
    let radii = snapshots.iter().flat_map(Spheres::radii).copied();
    let largest = radii.fold(0.0, f64::max);
    [0.2, 0.6, 2.0].map(|share| share * largest)
}

fn assert_contract(scene: &str, snapshots: &[Spheres]) {
    let expected: Vec<_> = snapshots.iter().map(|s| touching_pairs(s, None)).collect();
    let found: usize = expected.iter().map(Vec::len).sum();
    assert!(found > 0, "{scene} has no touching pair and tests nothing");
    let sizes = cell_sizes(snapshots);
    for &kind in BroadPhaseKind::VARIANTS {
        // With the first level alone, the HGrid must add a level for all larger spheres.
        for sizes in [&sizes[..], &sizes[..1]] {
            let mut algorithm = kind.build(sizes).unwrap();
            for (number, (snapshot, expected)) in snapshots.iter().zip(&expected).enumerate() {
                let pairs = detected(&mut *algorithm, snapshot);
                assert!(
                    pairs == *expected,
                    "{kind}, {scene}, snapshot {number}: {} pairs instead of {}",
                    pairs.len(),
                    expected.len(),
                );
            }
            assert!(algorithm.bytes() > 0);
        }
    }
}

fn point(rng: &mut Pcg64) -> DVec3 {
    DVec3::new(rng.random(), rng.random(), rng.random())
}

/// Returns snapshots between which every center moves by up to `step` along each axis, in either direction.
fn snapshots(first: Spheres, step: f64, count: usize) -> Vec<Spheres> {
    let mut rng = Pcg64::seed_from_u64(7);
    let mut snapshots = vec![first];
    for _ in 1..count {
        let last = &snapshots[snapshots.len() - 1];
        let moved = last
            .centers()
            .iter()
            .map(|&center| center + step * (2.0 * point(&mut rng) - 1.0));
        snapshots.push(Spheres::new(moved.collect(), last.radii().to_vec()));
    }
    snapshots
}

fn random(count: usize, side: f64, radius: impl Fn(f64) -> f64) -> Spheres {
    let mut rng = Pcg64::seed_from_u64(3);
    let centers = (0..count).map(|_| side * point(&mut rng)).collect();
    let radii = (0..count).map(|_| radius(rng.random())).collect();
    Spheres::new(centers, radii)
}

fn block(side: usize, spacing: f64) -> Spheres {
    let at = |i: usize| spacing * i as f64;
    let centers = (0..side.pow(3))
        .map(|i| DVec3::new(at(i / side / side), at(i / side % side), at(i % side)))
        .collect();
    Spheres::new(centers, vec![0.5; side.pow(3)])
}

#[test]
fn random_scenes() {
    let scene = random(400, 8.0, |_| 0.5);
    assert_contract("random, small steps", &snapshots(scene.clone(), 0.05, 6));
    assert_contract("random, steps of a cell", &snapshots(scene.clone(), 1.0, 6));
    assert_contract("random, far steps", &snapshots(scene, 4.0, 4));
}

#[test]
fn blocks() {
    assert_contract(
        "block of spheres that just touch",
        &snapshots(block(7, 1.0), 0.3, 5),
    );
    assert_contract(
        "block of overlapping spheres",
        &snapshots(block(7, 0.9), 0.0, 2),
    );
    assert_contract("sparse lattice", &{
        let mut snapshots = snapshots(block(6, 200.0), 1.0, 3);
        snapshots.push(block(6, 0.99));
        snapshots
    });
}

#[test]
fn one_cell() {
    assert_contract("one cell", &snapshots(random(120, 1.0, |_| 0.5), 0.1, 5));
}

#[test]
fn wide_sizes() {
    let scene = random(400, 30.0, |u| 0.05 * 200f64.powf(u.powi(3)));
    assert_contract("sizes 1:200", &snapshots(scene, 0.4, 4));
    let scene = random(300, 30.0, |u| 0.01 * 1000f64.powf(u));
    assert_contract("sizes 1:1000", &snapshots(scene, 0.01, 3));
}

#[test]
fn coincident_centers() {
    let scene = Spheres::new(vec![DVec3::new(1.0, -2.0, 3.0); 60], vec![0.3; 60]);
    assert_contract("all centers equal", &[scene.clone(), scene]);
    let mut rng = Pcg64::seed_from_u64(5);
    let centers = (0..90)
        .map(|_| (3.0 * point(&mut rng)).floor())
        .collect::<Vec<_>>();
    let radii = (0..90).map(|i| 0.1 * f64::from(i % 9)).collect();
    let scene = Spheres::new(centers, radii);
    assert_contract("many equal centers", &[scene.clone(), scene]);
}

#[test]
fn spheres_outside_the_expected_range() {
    let first = random(200, 6.0, |_| 0.5);
    let change = |center: &dyn Fn(DVec3) -> DVec3, radius: f64| {
        Spheres::new(
            first.centers().iter().map(|&c| center(c)).collect(),
            vec![radius; first.len()],
        )
    };
    let outlier = |far: f64| {
        let mut centers = first.centers().to_vec();
        // Two touching spheres, far away from all other spheres.
        centers[0] = DVec3::new(far, -far, 0.5 * far);
        centers[1] = centers[0] + 0.25;
        Spheres::new(centers, first.radii().to_vec())
    };
    let fewer = Spheres::new(first.centers()[..150].to_vec(), vec![0.5; 150]);
    let snapshots = [
        first.clone(),
        change(&|c| c - 1000.0, 0.5),
        change(&|c| -2.0 * c, 0.9),
        change(&|c| c + 1e6, 0.5),
        outlier(1e5),
        outlier(1e9),
        outlier(1e13),
        change(&|c| c, 4.0),
        change(&|c| c, 0.2),
        fewer,
        Spheres::default(),
        first.clone(),
    ];
    assert_contract("range changes between snapshots", &snapshots);
}

#[test]
fn touching_is_below_the_sum_of_the_radii() {
    let pair = |distance: f64| {
        Spheres::new(
            vec![DVec3::ZERO, DVec3::new(distance, 0.0, 0.0)],
            vec![1.0, 0.5],
        )
    };
    for &kind in BroadPhaseKind::VARIANTS {
        let mut algorithm = kind.build(&[1.0, 2.0]).unwrap();
        assert!(detected(&mut *algorithm, &pair(1.5)).is_empty(), "{kind}");
        assert_eq!(
            detected(&mut *algorithm, &pair(1.5f64.next_down())),
            [(0, 1)],
            "{kind}"
        );
    }
}

#[test]
fn snapshots_of_up_to_two_spheres() {
    for &kind in BroadPhaseKind::VARIANTS {
        let mut algorithm = kind.build(&[1.0]).unwrap();
        for count in [0, 1, 2, 0] {
            let points = Spheres::new(vec![DVec3::ONE; count], vec![0.0; count]);
            assert!(detected(&mut *algorithm, &points).is_empty(), "{kind}");
            let spheres = Spheres::new(vec![DVec3::ONE; count], vec![1.0; count]);
            assert_eq!(
                detected(&mut *algorithm, &spheres).len(),
                count / 2,
                "{kind}"
            );
        }
    }
}

#[test]
fn hgrid_in_containers() {
    let scene = random(300, 1.0, |u| 0.004 * 100f64.powf(u * u));
    for (boundary, lengths) in [
        ("ppp", DVec3::splat(1.0)),
        ("pwp", DVec3::splat(1.0)),
        ("www", DVec3::splat(1.0)),
        ("ppp", DVec3::new(1.0, 1.5, 1.1)),
    ] {
        let container = Container::cuboid(lengths, boundary.parse().unwrap()).unwrap();
        let inside = |spheres: &Spheres| {
            let wrapped = spheres
                .centers()
                .iter()
                .map(|&c| container.wrap(c).clamp(DVec3::ZERO, lengths));
            Spheres::new(wrapped.collect(), spheres.radii().to_vec())
        };
        // One, two, and many cells along an axis.
        for sizes in [
            &[0.8][..],
            &[0.49, 0.8],
            &[0.3, 0.8],
            &[0.02, 0.06, 0.25, 0.7],
        ] {
            for search in [HGridSearch::TopDown, HGridSearch::BottomUp] {
                let mut hgrid = SortedHGrid::new(sizes.to_vec(), search)
                    .unwrap()
                    .in_container(container.clone());
                for snapshot in snapshots(scene.clone(), 0.1, 3).iter().map(inside) {
                    let expected = touching_pairs(&snapshot, Some(&container));
                    assert!(expected.len() > 300);
                    assert!(
                        detected(&mut hgrid, &snapshot) == expected,
                        "{boundary} {sizes:?} {search:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_level_with_few_spheres_tests_each_once() {
    // The table of the level is shorter than a row of its cells, and the large sphere searches across the periodic face.
    let container = Container::cuboid(DVec3::splat(100.0), Boundaries::PERIODIC).unwrap();
    let snapshot = Spheres::new(
        vec![DVec3::new(0.5, 50.5, 50.5), DVec3::new(10.8, 50.5, 50.5)],
        vec![10.0, 0.5],
    );
    for search in [HGridSearch::TopDown, HGridSearch::BottomUp] {
        let grid = SortedHGrid::new(vec![1.0, 20.0], search).unwrap();
        let mut pairs = 0;
        let counts = grid
            .in_container(container.clone())
            .detect(&snapshot, &mut |_, _| pairs += 1);
        assert_eq!((pairs, counts.pair_tests), (1, 1), "{search:?}");
    }
}

#[test]
fn hgrid_with_spheres_wider_than_the_container() {
    let container = Container::cuboid(DVec3::new(10.0, 1.0, 1.0), Boundaries::PERIODIC).unwrap();
    let mut rng = Pcg64::seed_from_u64(13);
    let centers = (0..400).map(|_| point(&mut rng) * container.lengths());
    let centers: Vec<DVec3> = centers.collect();
    for large in [0.6, 1.9, 2.4] {
        let radii = (0..400).map(|i| if i % 20 == 0 { large } else { 0.01 });
        let snapshot = Spheres::new(centers.clone(), radii.collect());
        let expected = touching_pairs(&snapshot, Some(&container));
        for search in [HGridSearch::TopDown, HGridSearch::BottomUp] {
            for sizes in [&[0.02][..], &[0.3], &[0.3, 5.0]] {
                let hgrid = SortedHGrid::new(sizes.to_vec(), search).unwrap();
                let pairs = detected(&mut hgrid.in_container(container.clone()), &snapshot);
                assert!(pairs == expected, "radius {large}, {sizes:?} {search:?}");
            }
        }
    }
}

/// Returns the mean numbers of pair tests and cell accesses for spheres at random points in a periodic box, by the
/// equations of Krijgsman, Ogarko & Luding 2014 with sums over the sample instead of integrals.
fn model(spheres: &Spheres, volume: f64, sizes: &[f64], search: HGridSearch) -> [f64; 2] {
    let level = |radius: f64| sizes.iter().position(|&s| 2.0 * radius <= s).unwrap();
    let mut per_level = vec![0.0; sizes.len()];
    for &radius in spheres.radii() {
        per_level[level(radius)] += 1.0;
    }
    let per_cell = |j: usize| per_level[j] * sizes[j].powi(3) / volume;
    let (mut tests, mut accesses) = (0.0, 0.0);
    for &radius in spheres.radii() {
        let own = level(radius);
        tests += 13.5 * per_cell(own);
        accesses += 14.0;
        for j in (0..sizes.len()).filter(|&j| match search {
            HGridSearch::TopDown => j < own,
            HGridSearch::BottomUp => j > own,
        }) {
            let cells = (2.0 * radius / sizes[j] + 2.0).powi(3);
            tests += cells * per_cell(j);
            accesses += cells;
        }
    }
    [tests, accesses]
}

#[test]
fn hgrid_counts_agree_with_the_cost_model() {
    // Uniform volume (α = −3), ω = 10, packing fraction 0.1.
    let count = 20_000;
    let radius = |i: usize| (1.0 - 0.99 * (i as f64 + 0.5) / count as f64).powf(-0.5);
    let radii: Vec<f64> = (0..count).map(radius).collect();
    // Whole cells fill periodic axes. A side just above a whole number of cells of the last level hardly widens the cells.
    let side = 20.0001 * ((10.0 * jostle::total_volume(&radii)).cbrt() / 20.0).ceil();
    let volume = side.powi(3);
    let container = Container::cuboid(DVec3::splat(side), Boundaries::PERIODIC).unwrap();
    let mut rng = Pcg64::seed_from_u64(11);
    let centers = radii.iter().map(|_| side * point(&mut rng)).collect();
    let spheres = Spheres::new(centers, radii);
    for sizes in [&[3.0, 6.5, 20.0][..], &[20.0]] {
        for search in [HGridSearch::TopDown, HGridSearch::BottomUp] {
            let mut hgrid = SortedHGrid::new(sizes.to_vec(), search)
                .unwrap()
                .in_container(container.clone());
            let counts = hgrid.detect(&spheres, &mut |_, _| {});
            let [tests, accesses] = model(&spheres, volume, sizes, search);
            for (name, counted, expected) in [
                ("pair tests", counts.pair_tests, tests),
                ("cell accesses", counts.cell_accesses, accesses),
            ] {
                let off = counted as f64 / expected - 1.0;
                assert!(
                    off.abs() < 0.02,
                    "{name} {off:+.3} off the model, {sizes:?} {search:?}"
                );
            }
        }
    }
}
