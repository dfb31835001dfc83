//! Table 1 and Fig. 9 of Raschdorf & Kolonko 2011, on finished packings of 10 000 spheres.

use std::sync::LazyLock;

use glam::DVec3;
use jostle::{
    Boundaries, Effort, IndexKind, PackOptions, Packing, Sampling, SizeSpec, Spheres,
    laboratory::compare::{
        AcrossFaces, IndexMeasurement, adjoining_cell_candidates, measure_index,
        published_octree_candidates,
    },
    pack,
};

const SPHERES: usize = 10_000;

fn packing(diameters: &[f64], boundary: Boundaries, seed: u64) -> Packing {
    let radii: Vec<f64> = diameters.iter().map(|d| 0.5 * d).collect();
    let options = PackOptions {
        boundary,
        seed,
        effort: Effort::QUICK,
        ..PackOptions::default()
    };
    pack(&radii, &options, &mut ()).unwrap().packing
}

/// Eq. 6 by number, one sphere in the middle of each ten-thousandth part.
fn fuller() -> Vec<f64> {
    let spec = SizeSpec::load("fuller:d_min=1,d_max=684.75").unwrap();
    let middle = |i| (i as f64 + 0.5) / SPHERES as f64;
    (0..SPHERES)
        .map(|i| spec.distribution.number_quantile(middle(i)))
        .collect()
}

static MONO: LazyLock<Packing> = LazyLock::new(|| packing(&[1.0; SPHERES], Boundaries::WALLS, 1));
static MONO_PERIODIC: LazyLock<Packing> =
    LazyLock::new(|| packing(&[1.0; SPHERES], Boundaries::PERIODIC, 1));
static FULLER: LazyLock<Packing> = LazyLock::new(|| packing(&fuller(), Boundaries::WALLS, 1));
static FULLER_PERIODIC: LazyLock<[Packing; 6]> =
    LazyLock::new(|| [1, 2, 3, 4, 5, 6].map(|seed| packing(&fuller(), Boundaries::PERIODIC, seed)));

/// A tenth of the mean diameter.
fn verlet_distance(packing: &Packing) -> f64 {
    let radii = packing.spheres.radii();
    0.2 * radii.iter().sum::<f64>() / radii.len() as f64
}

fn measured(packing: &Packing, index: IndexKind) -> IndexMeasurement {
    let distance = verlet_distance(packing);
    measure_index(index, &packing.spheres, &packing.container, distance)
}

#[track_caller]
fn assert_near(found: f64, paper: f64) {
    assert!((found / paper - 1.0).abs() < 0.1, "{found} is not {paper}");
}

/// Candidates in the octrees by the letter of the paper, loose and strict, when the corner of the container is moved
/// to another place of the same periodic packing.
fn published(packing: &Packing, corner: DVec3, across: AcrossFaces) -> [f64; 2] {
    let container = &packing.container;
    let moved = |&center: &DVec3| container.wrap(center + corner * container.lengths());
    let centers = packing.spheres.centers().iter().map(moved).collect();
    let spheres = Spheres::new(centers, packing.spheres.radii().to_vec());
    let distance = verlet_distance(packing);
    [2.0, 1.0].map(|k| published_octree_candidates(k, &spheres, container, distance, across))
}

#[test]
fn table_1_equal_spheres_between_walls() {
    let [loose, strict] = published(&MONO, DVec3::ZERO, AcrossFaces::Around);
    assert_near(loose, 51.7);
    assert_near(strict, 2027.6);
}

/// All rows at once, in a periodic cube.
#[test]
fn table_1_in_a_periodic_cube() {
    let periodic = &*MONO_PERIODIC;
    let [loose, strict] = published(periodic, DVec3::ZERO, AcrossFaces::Images);
    assert_near(loose, 51.7);
    assert_near(strict, 2027.6);
    assert_near(
        adjoining_cell_candidates(&periodic.spheres, &periodic.container),
        32.9,
    );
    // This crate's grid leaves out cells that are too far from the probe.
    let pruned = measured(periodic, IndexKind::Grid).candidates;
    assert!(pruned > 25.0 && pruned < 32.0, "{pruned}");

    // Where the planes of the tree cut the few largest spheres moves the strict octree's count by a tenth: the mean over
    // the places of the corner, in several packings.
    let mut mean = [0.0; 2];
    let mut strict_counts = Vec::new();
    for packing in &*FULLER_PERIODIC {
        for place in 0..8 {
            let corner = DVec3::from_array([0, 1, 2].map(|axis| f64::from(place >> axis & 1)));
            let found = published(packing, 0.25 + 0.5 * corner, AcrossFaces::Images);
            mean = [0, 1].map(|tree| mean[tree] + found[tree] / 48.0);
            strict_counts.push(found[1]);
        }
    }
    assert_near(mean[0], 31.2);
    assert_near(mean[1], 1188.1);
    let most = strict_counts.iter().copied().fold(0.0, f64::max);
    let fewest = strict_counts.iter().copied().fold(f64::MAX, f64::min);
    assert!(most / fewest > 1.1, "{fewest} to {most}");

    let grid = measured(&FULLER_PERIODIC[0], IndexKind::Grid).candidates;
    assert_eq!(grid, 9999.0);
}

/// What the paper leaves open, how a query finds what lies across a face, makes the rest of the difference: its loose
/// octree lies between two ways.
#[test]
fn table_1_lies_between_two_ways_across_a_face() {
    for (packing, paper) in [(&*MONO_PERIODIC, 51.7), (&FULLER_PERIODIC[0], 31.2)] {
        let [images, around] = [AcrossFaces::Images, AcrossFaces::Around]
            .map(|across| published(packing, DVec3::ZERO, across)[0]);
        assert!(
            images < paper && paper < around,
            "{images}, {paper}, {around}"
        );
    }
}

/// Why the Fuller row cannot be met between walls: they keep the largest sphere in the middle and the rest loose.
#[test]
fn fuller_spheres_are_dense_in_a_periodic_cube_only() {
    let largest = fuller().into_iter().fold(0.0, f64::max);
    assert!((largest / 52.7 - 1.0).abs() < 0.01, "{largest}");
    let [walls, periodic] = [&*FULLER, &FULLER_PERIODIC[0]];
    assert!(walls.packing_fraction() < 0.62);
    assert!(periodic.packing_fraction() > 0.78);
    // Fig. 9: 64 is where the smallest spheres change their level, and the paper's container is just there.
    let side = |packing: &Packing| packing.container.lengths().x;
    assert!((side(periodic) / 64.0 - 1.0).abs() < 0.02);
    assert!(side(walls) > 68.0);
    let loose = published(walls, DVec3::ZERO, AcrossFaces::Around)[0];
    assert!(loose < 0.7 * 31.2, "{loose}");
}

#[test]
fn one_large_sphere_leaves_the_grid_one_cell() {
    let spec = SizeSpec::load("fuller-2011").unwrap();
    let sample = spec.distribution.sample(2_000, Sampling::Random, 1);
    let packing = packing(&sample.diameters, Boundaries::WALLS, 1);
    let largest = packing.spheres.radii().iter().copied().fold(0.0, f64::max);
    assert!(packing.container.lengths().x < 4.0 * largest);
    assert_eq!(measured(&packing, IndexKind::Grid).candidates, 1999.0);
    assert_eq!(
        adjoining_cell_candidates(&packing.spheres, &packing.container),
        1999.0
    );
}

#[test]
fn fig_9_levels() {
    let levels = |packing, index| measured(packing, index).levels;
    // Equal spheres sit on the two deepest levels of the loose octree, "no spheres on levels 0–3".
    let mono = levels(&MONO, IndexKind::LooseOctree);
    assert_eq!(mono.len(), 6);
    assert_eq!(mono[..4], [0; 4]);
    assert_eq!(mono[4] + mono[5], 10_000);
    // In the strict octree they are spread over all of them.
    let strict = levels(&MONO, IndexKind::StrictOctree);
    assert_eq!(strict.len(), 5);
    assert!(strict.iter().all(|&n| n > 100 && n < 4_000), "{strict:?}");
    // Polydisperse: the last few levels of the loose octree against all of the strict one.
    let mean = |levels: &[usize]| {
        let sum: usize = levels.iter().enumerate().map(|(level, n)| level * n).sum();
        sum as f64 / 10_000.0
    };
    let loose = levels(&FULLER_PERIODIC[0], IndexKind::LooseOctree);
    let strict = levels(&FULLER_PERIODIC[0], IndexKind::StrictOctree);
    assert!(
        loose.iter().rev().take(3).sum::<usize>() > 9_000,
        "{loose:?}"
    );
    assert!(strict[0] > 500, "{strict:?}");
    assert!(mean(&loose) > mean(&strict) + 1.5);
}

/// Dense first levels and a bounded depth save memory and time and do not change what is counted. The loose octree also leaves
/// out nodes whose outer boundary meets the probe, but whose spheres are all too small to.
#[test]
fn candidates_are_at_most_those_of_the_textbook_trees() {
    for packing in [&*MONO, &*FULLER] {
        let [loose, strict] = published(packing, DVec3::ZERO, AcrossFaces::Around);
        let ours = measured(packing, IndexKind::StrictOctree).candidates;
        assert!((ours / strict - 1.0).abs() < 1e-3, "{ours}, {strict}");
        let found = measured(packing, IndexKind::LooseOctree);
        assert!(found.candidates <= loose, "{found:?}, {loose}");
        assert!(found.candidates > found.neighbours, "{found:?}");
    }
    let [loose, _] = published(&MONO, DVec3::ZERO, AcrossFaces::Around);
    let ours = measured(&MONO, IndexKind::LooseOctree).candidates;
    assert!(ours < 0.95 * loose, "{ours}, {loose}");
}
