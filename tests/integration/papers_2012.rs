//! Figures and statements of Ogarko & Luding 2012. Work is counted, never timed.
//!
//! `tests/integration/tuning.rs` has the predicted numbers of levels, `tests/integration/tuning_measured.rs` the gain over one level.

use jostle::{
    Boundaries, Container, Spheres,
    distribution::Bidisperse,
    glam::DVec3,
    laboratory::broad_phase::{BroadPhase, HGridSearch, OperationCounts, PairTest, SortedHGrid},
    laboratory::compare::{random_spheres, search, whole_cells},
    total_volume,
    tuning::{CostModel, Dimension, RadiusLaw, constant_per_cell, recipe},
};

use crate::common::spheres::{power_law, radii};

/// Overhead factor K of the paper.
const OVERHEAD: f64 = 0.3;

/// Fig. 1: particle B has the level-2 cell (1, 1), and the cells to be searched on level 1 are the columns 1 to 5. By Eq. 4 the
/// rows are 2 to 6, because (14.4 − 5.5)/3 = 2.97. The figure draws the rows 3 to 6, which needs a center above 14.5.
#[test]
fn cells_of_figure_1() {
    let container = Container::cuboid(DVec3::splat(24.001), Boundaries::PERIODIC).unwrap();
    // A has the cell (4, 2). Along the third axis B searches the cells 2 to 5.
    let spheres = Spheres::new(
        vec![DVec3::new(10.3, 14.4, 12.0), DVec3::new(13.0, 7.5, 12.0)],
        vec![4.0, 1.5],
    );
    let grid = SortedHGrid::new(vec![3.0, 8.0], HGridSearch::TopDown).unwrap();
    let counts = grid
        .in_container(container)
        .detect(&spheres, &mut |_, _| panic!("A and B do not touch"));
    // Each of the two opens 14 cells on its own level.
    assert_eq!(counts.cell_accesses, 2 * 14 + 5 * 5 * 4);
    assert_eq!(counts.pair_tests, 1, "A lies in row 2");
}

/// Section 4.1 and Fig. 3 (b): the two species have the same volume, ±2 %.
#[test]
fn species_of_bidisperse_systems_have_equal_volume() {
    let radii = radii(Bidisperse::new(2.0, 20.0, 0.5).unwrap(), 125_001);
    let (small, large): (Vec<f64>, Vec<f64>) = radii.iter().partition(|&&radius| radius < 5.0);
    assert!(small.len() > 1000 * large.len() - 2000 && !large.is_empty());
    let ratio = total_volume(&small) / total_volume(&large);
    assert!((ratio - 1.0).abs() < 0.02, "{ratio}");
}

/// Section 4.1: every interval of radii has the same number (uniform size) or the same volume (uniform volume) of particles.
#[test]
fn uniform_distributions_are_uniform() {
    let number = |radii: &[f64]| radii.len() as f64;
    for (exponent, measure) in [
        (0.0, &number as &dyn Fn(&[f64]) -> f64),
        (-3.0, &total_volume),
    ] {
        let radii = power_law(exponent, 50.0, 125_001);
        let total = measure(&radii);
        for fifth in 0..5 {
            let [low, high] = [fifth, fifth + 1].map(|i| 1.0 + 49.0 * f64::from(i) / 5.0);
            let within: Vec<f64> = (radii.iter().copied())
                .filter(|radius| (low..high).contains(radius))
                .collect();
            let share = measure(&within) / total;
            assert!(
                (share - 0.2).abs() < 0.01,
                "exponent {exponent}, from {low} to {high}: {share}"
            );
        }
    }
}

/// Returns the pairs that touch and the number of pairs whose bounding boxes overlap.
fn brute_force(spheres: &Spheres, container: Option<&Container>) -> (Vec<(u32, u32)>, u64) {
    let (centers, radii) = (spheres.centers(), spheres.radii());
    let (mut pairs, mut boxes) = (Vec::new(), 0);
    for i in 0..spheres.len() {
        for j in i + 1..spheres.len() {
            let between = match container {
                Some(container) => container.displacement(centers[i], centers[j]),
                None => centers[j] - centers[i],
            };
            let reach = radii[i] + radii[j];
            boxes += u64::from(between.abs().max_element() < reach);
            if between.length_squared() < reach * reach {
                pairs.push((i as u32, j as u32));
            }
        }
    }
    (pairs, boxes)
}

fn detected(grid: &mut SortedHGrid, spheres: &Spheres) -> (Vec<(u32, u32)>, OperationCounts) {
    let mut pairs = Vec::new();
    let counts = grid.detect(spheres, &mut |i, j| pairs.push((i.min(j), i.max(j))));
    pairs.sort_unstable();
    (pairs, counts)
}

/// Section 2.2: the boxes are tested first, and the distance only if they overlap.
#[test]
fn box_test_finds_the_same_pairs() {
    let radii = power_law(-3.0, 10.0, 1500);
    let (spheres, container) = random_spheres(&radii, 0.6, 1).unwrap();
    for container in [None, Some(container)] {
        let (pairs, boxes) = brute_force(&spheres, container.as_ref());
        assert!(pairs.len() > 1000 && boxes > pairs.len() as u64);
        for search in [HGridSearch::TopDown, HGridSearch::BottomUp] {
            let grid = |pair_test| {
                let grid = SortedHGrid::new(vec![4.0, 9.0, 20.0], search).unwrap();
                let grid = grid.with_pair_test(pair_test);
                match &container {
                    Some(container) => grid.in_container(container.clone()),
                    None => grid,
                }
            };
            let (without, plain) = detected(&mut grid(PairTest::Distance), &spheres);
            let (with, boxed) = detected(&mut grid(PairTest::BoxesFirst), &spheres);
            assert_eq!(without, pairs);
            assert_eq!(with, pairs);
            assert_eq!((plain.box_overlaps, boxed.box_overlaps), (0, boxes));
            assert_eq!(plain.pair_tests, boxed.pair_tests);
            assert_eq!(plain.cell_accesses, boxed.cell_accesses);
        }
    }
}

/// The boxes of equal spheres at random positions overlap 6/π times as often as the spheres, by the ratio of the volumes.
#[test]
fn boxes_at_random_positions_overlap_more_often_than_spheres() {
    let (spheres, container) = random_spheres(&[1.0; 20_000], 0.4, 1).unwrap();
    let side = container.lengths().x;
    let cell = side / (side / 2.000_01).floor();
    let grid = SortedHGrid::new(vec![2.0], HGridSearch::TopDown).unwrap();
    let mut grid = grid
        .with_pair_test(PairTest::BoxesFirst)
        .in_container(container);
    let (pairs, counts) = detected(&mut grid, &spheres);
    let ratio = counts.box_overlaps as f64 / pairs.len() as f64;
    let expected = 6.0 / std::f64::consts::PI;
    assert!((ratio / expected - 1.0).abs() < 0.03, "{ratio}");
    // Most tested pairs do not need the distance: the cube around a sphere has 8/27 of the volume of 27 cells of its diameter.
    let share = counts.box_overlaps as f64 / counts.pair_tests as f64;
    let expected = 8.0 / 27.0 * (2.0 / cell).powi(3);
    assert!((share / expected - 1.0).abs() < 0.03, "{share}");
}

/// Returns the counted work T per sphere at random positions, with the cell sizes that `choose` takes from the model.
fn counted_work(
    radii: &[f64],
    packing_fraction: f64,
    choose: impl Fn(&CostModel) -> Vec<f64>,
) -> f64 {
    let (spheres, container) = random_spheres(radii, packing_fraction, 1).unwrap();
    let law = RadiusLaw::from_radii(radii).unwrap();
    let model = CostModel::new(&law, Dimension::Three, packing_fraction, OVERHEAD).unwrap();
    let smallest = law.smallest_radius();
    let sizes = whole_cells(container.lengths().x / smallest, &choose(&model));
    let mut sizes: Vec<f64> = sizes.iter().map(|size| size * smallest).collect();
    // Rounding must not leave the largest sphere without a level.
    *sizes.last_mut().unwrap() *= 1.0 + 1e-12;
    let grid = SortedHGrid::new(sizes, HGridSearch::TopDown).unwrap();
    let counts = search(&mut grid.in_container(container), &spheres);
    (counts.pair_tests + OVERHEAD * counts.cell_accesses) / spheres.len() as f64
}

fn work_of_recipe(radii: &[f64]) -> f64 {
    counted_work(radii, 0.62, |model| recipe(model, 50).unwrap())
}

/// Fig. 4: at each packing fraction, the number of levels that Eq. 7 predicts does nearly the least work.
#[test]
fn predicted_number_of_levels_does_nearly_the_least_work() {
    let radii = power_law(-3.0, 50.0, 20_000);
    let mut predicted = Vec::new();
    for packing_fraction in [0.1, 0.4, 0.62] {
        let work = |levels: usize| {
            counted_work(&radii, packing_fraction, |model| {
                constant_per_cell(model, levels, 1.0).unwrap()
            })
        };
        let law = RadiusLaw::from_radii(&radii).unwrap();
        let model = CostModel::new(&law, Dimension::Three, packing_fraction, OVERHEAD).unwrap();
        let levels = recipe(&model, 50).unwrap().len();
        predicted.push(levels);
        let least = (2..=12).map(work).fold(f64::MAX, f64::min);
        let share = work(levels) / least;
        assert!(share < 1.12, "{packing_fraction}: {levels} levels, {share}");
        assert!(work(2) / least > 3.0);
    }
    assert!(predicted.is_sorted(), "{predicted:?}");
    assert_eq!(predicted[2], 7);
}

/// Fig. 5: the work is at most about 1.5 times that of equal spheres, and falls with the size ratio.
#[test]
fn work_relative_to_equal_spheres_falls_with_the_size_ratio() {
    let equal = work_of_recipe(&[1.0; 20_000]);
    let relative: Vec<f64> = [10.0, 20.0, 50.0, 100.0]
        .map(|ratio| work_of_recipe(&power_law(-3.0, ratio, 20_000)) / equal)
        .to_vec();
    assert!(relative.iter().all(|&work| work < 1.5), "{relative:?}");
    assert!(relative.is_sorted_by(|a, b| a > b), "{relative:?}");
    assert!(relative[0] > 1.0 && relative[3] < 0.85, "{relative:?}");
}

/// Fig. 5 and Section 5: the work is linear in the number of particles, within 10 % for each size ratio.
#[test]
fn work_per_sphere_does_not_depend_on_the_number_of_spheres() {
    for ratio in [2.0, 10.0, 20.0] {
        let work =
            [8_000, 30_000, 100_000].map(|count| work_of_recipe(&power_law(-3.0, ratio, count)));
        for value in work {
            assert!((value / work[2] - 1.0).abs() < 0.1, "{ratio}: {work:?}");
        }
    }
}

/// Section 2.3: with two levels of the two diameters, wide bidisperse systems need far less work than with one level.
#[test]
fn two_levels_suit_bidisperse_systems() {
    let radii = radii(Bidisperse::new(2.0, 20.0, 0.5).unwrap(), 20_020);
    let one = counted_work(&radii, 0.4, |_| vec![20.0]);
    let two = counted_work(&radii, 0.4, |_| vec![2.0, 20.0]);
    assert!(one / two > 100.0, "{one} and {two}");
}
