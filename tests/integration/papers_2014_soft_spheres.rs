//! Krijgsman, Ogarko & Luding 2014 in the plane: the hierarchical grid for disks, its counts, and the soft spheres of Section
//! 5.4.2.

use std::f64::consts::PI;

use glam::DVec3;
use jostle::{
    Boundary, Container, Spheres,
    laboratory::{
        broad_phase::{BroadPhase, BroadPhaseKind, HGridSearch, OperationCounts, SortedHGrid},
        compare::whole_cells,
        soft_spheres::{
            SoftSphereError, SoftSphereOptions, SoftSphereRun, SoftSpheres, best_cell_sizes,
            random_start,
        },
    },
    tuning::{CostModel, Dimension, RadiusLaw, Search},
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use strum::VariantArray;

use crate::common::spheres::{detected, touching_pairs};

const SEARCHES: [(HGridSearch, Search); 2] = [
    (HGridSearch::TopDown, Search::TopDown),
    (HGridSearch::BottomUp, Search::BottomUp),
];

/// Returns radii from 1 to at most ω with f(r) ∝ r⁻³, small ones and large ones mixed.
fn uniform_volume(count: usize, size_ratio: f64) -> Vec<f64> {
    let radius = |i: usize| {
        // 7 shares no divisor with the numbers of disks of this file, which are 2^a 3^b 5^c.
        let share = ((7 * i % count) as f64 + 0.5) / count as f64;
        (1.0 - share * (1.0 - size_ratio.powi(-2))).powf(-0.5)
    };
    (0..count).map(radius).collect()
}

fn area(radii: &[f64]) -> f64 {
    PI * radii.iter().map(|r| r * r).sum::<f64>()
}

fn largest(radii: &[f64]) -> f64 {
    radii.iter().copied().fold(0.0, f64::max)
}

/// Returns disks with random centers at height `z` in a square.
fn random_disks(radii: &[f64], side: f64, z: f64) -> Spheres {
    let mut rng = Pcg64::seed_from_u64(17);
    let centers = (radii.iter())
        .map(|_| DVec3::new(side * rng.random::<f64>(), side * rng.random::<f64>(), z))
        .collect();
    Spheres::new(centers, radii.to_vec())
}

/// Returns choices of levels: one, a few, and those of least work.
fn choices_of_levels(radii: &[f64], search: Search) -> Vec<Vec<f64>> {
    let last = 2.0 * largest(radii);
    let up_to = |sizes: &[f64]| -> Vec<f64> {
        let finer = sizes.iter().copied().filter(|&size| size < last);
        finer.chain([last]).collect()
    };
    vec![
        up_to(&[]),
        up_to(&[2.5]),
        up_to(&[3.0, 6.5, 15.0, 40.0]),
        best_cell_sizes(radii, 0.4, Dimension::Two, 0.2, search).unwrap(),
    ]
}

#[test]
fn disks_in_containers_are_found_as_by_brute_force() {
    for size_ratio in [1.0, 2.0, 8.0, 20.0, 100.0] {
        let mut radii = uniform_volume(300, size_ratio);
        radii[5] = size_ratio;
        let (side, thickness) = (area(&radii).sqrt(), 2.0 * size_ratio);
        for boundary in ["ppw", "www", "pww", "wpw"] {
            let lengths = DVec3::new(side, 1.2 * side, thickness);
            let container = Container::cuboid(lengths, boundary.parse().unwrap()).unwrap();
            for z in [0.0, 0.5 * thickness] {
                let disks = random_disks(&radii, side, z);
                let expected = touching_pairs(&disks, Some(&container));
                assert!(expected.len() > 100, "{} pairs", expected.len());
                for (direction, search) in SEARCHES {
                    for sizes in choices_of_levels(&radii, search) {
                        let grid = SortedHGrid::new(sizes.clone(), direction).unwrap();
                        let pairs = detected(&mut grid.in_container(container.clone()), &disks);
                        assert!(
                            pairs == expected,
                            "ω = {size_ratio}, {boundary}, z = {z}, {sizes:?}, {direction}: \
                             {} pairs instead of {}",
                            pairs.len(),
                            expected.len()
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn every_algorithm_finds_disks_in_open_space() {
    for size_ratio in [1.0, 5.0, 50.0] {
        let radii = uniform_volume(300, size_ratio);
        let disks = random_disks(&radii, area(&radii).sqrt(), -3.0);
        let moved = disks
            .centers()
            .iter()
            .map(|c| DVec3::new(c.y, 1.1 * c.x, c.z));
        let snapshots = [disks.clone(), Spheres::new(moved.collect(), radii.clone())];
        for sizes in choices_of_levels(&radii, Search::TopDown) {
            for &kind in BroadPhaseKind::VARIANTS {
                let mut algorithm = kind.build(&sizes).unwrap();
                for snapshot in &snapshots {
                    let expected = touching_pairs(snapshot, None);
                    assert!(expected.len() > 100);
                    let pairs = detected(&mut *algorithm, snapshot);
                    assert!(pairs == expected, "ω = {size_ratio}, {kind}, {sizes:?}");
                }
            }
        }
    }
}

/// Returns the counts for independent positions in a periodic square, per disk, and those of the two-dimensional model.
fn counted_and_predicted(
    radii: &[f64],
    packing_fraction: f64,
    sizes: &[f64],
    (direction, search): (HGridSearch, Search),
) -> [[f64; 2]; 2] {
    let side = (area(radii) / packing_fraction).sqrt();
    let container = Container::cuboid(DVec3::new(side, side, 1.0), "ppw".parse().unwrap()).unwrap();
    let sizes = whole_cells(side, sizes);
    let count = radii.len() as f64;
    let counts = SortedHGrid::new(sizes.clone(), direction)
        .unwrap()
        .in_container(container)
        .detect(&random_disks(radii, side, 0.5), &mut |_, _| {});
    let law = RadiusLaw::from_radii(radii).unwrap();
    let model = CostModel::new(&law, Dimension::Two, packing_fraction, 0.2).unwrap();
    let in_radii: Vec<f64> = sizes.iter().map(|s| s / law.smallest_radius()).collect();
    let levels = model.levels(&in_radii, search).unwrap();
    [
        [
            counts.pair_tests as f64 / count,
            counts.cell_accesses as f64 / count,
        ],
        [
            levels.iter().map(|level| level.collision_work).sum(),
            levels.iter().map(|level| level.access_work).sum(),
        ],
    ]
}

#[test]
fn counts_in_the_plane_agree_with_the_two_dimensional_model() {
    for (size_ratio, packing_fraction) in [(10.0, 0.1), (20.0, 0.4)] {
        let radii = uniform_volume(20_000, size_ratio);
        let last = 2.0 * size_ratio;
        for search in SEARCHES {
            let best =
                best_cell_sizes(&radii, packing_fraction, Dimension::Two, 0.2, search.1).unwrap();
            assert!(best.len() > 1, "{best:?}");
            for sizes in [vec![last], vec![3.0, 6.5, last], best] {
                let [counted, predicted] =
                    counted_and_predicted(&radii, packing_fraction, &sizes, search);
                for (name, counted, predicted) in [
                    ("tests", counted[0], predicted[0]),
                    ("cells", counted[1], predicted[1]),
                ] {
                    assert!(
                        (counted / predicted - 1.0).abs() < 0.02,
                        "{name}: {counted}, model {predicted}; {sizes:?}, {search:?}"
                    );
                }
            }
        }
    }
}

/// A disk opens its own cell and n_c = 4 neighbors; a sphere opens 13 neighbors.
#[test]
fn a_disk_opens_five_cells_on_its_level() {
    let radii = vec![1.0; 1000];
    for search in SEARCHES {
        let [counted, predicted] = counted_and_predicted(&radii, 0.3, &[2.0], search);
        assert_eq!((counted[1], predicted[1]), (5.0, 5.0));
    }
}

/// Fig. 1: disks of radius 4 and 3/2 in cells of 8 and 3.
///
/// The caption names the cells (1, 3) to (5, 6) for disk B. By Eq. 4 the search box of B begins at y = 14.4 − 5.5 = 8.9, in row
/// 2: the printed position is rounded, or the row is missing.
#[test]
fn the_cells_of_figure_1() {
    // Whole cells: 8 small ones and 3 large ones along each axis, wider by a 24 000th than in the figure.
    let lengths = DVec3::new(24.001, 24.001, 8.0);
    let container = Container::cuboid(lengths, "ppw".parse().unwrap()).unwrap();
    let [b, c] = [DVec3::new(10.3, 14.4, 4.0), DVec3::new(13.6, 13.9, 4.0)];
    let disks = Spheres::new(vec![b, c], vec![4.0, 1.5]);
    for ((direction, _), cells) in SEARCHES.into_iter().zip([5 * 5, 2 * 2]) {
        let grid = SortedHGrid::new(vec![3.0, 8.0], direction).unwrap();
        let counts = grid
            .in_container(container.clone())
            .detect(&disks, &mut |_, _| {});
        assert_eq!(counts.cell_accesses, 2 * 5 + cells, "{direction}");
        assert_eq!(counts.pair_tests, 1, "{direction}");
    }
}

/// A broad phase that compares each `every`-th answer of another one with brute force.
struct Checked {
    inner: SortedHGrid,
    container: Container,
    every: usize,
    detections: usize,
    compared_pairs: usize,
}

impl BroadPhase for Checked {
    fn detect_in_phases(
        &mut self,
        snapshot: &Spheres,
        sorted: &mut dyn FnMut(),
        report: &mut dyn FnMut(u32, u32),
    ) -> OperationCounts {
        let mut pairs = Vec::new();
        let counts = self.inner.detect_in_phases(snapshot, sorted, &mut |i, j| {
            pairs.push((i.min(j), i.max(j)));
            report(i, j);
        });
        if self.detections.is_multiple_of(self.every) {
            pairs.sort_unstable();
            let expected = touching_pairs(snapshot, Some(&self.container));
            assert!(pairs == expected, "detection {}", self.detections);
            self.compared_pairs += expected.len();
        }
        self.detections += 1;
        counts
    }

    fn bytes(&self) -> usize {
        self.inner.bytes()
    }
}

/// Returns a simulation, and a hierarchical grid for it.
fn simulation(
    radii: &[f64],
    packing_fraction: f64,
    boundary: Boundary,
    options: &SoftSphereOptions,
    sizes: &[f64],
) -> (SoftSpheres, SortedHGrid) {
    let (spheres, container) =
        random_start(radii, packing_fraction, options.dimension, boundary, 2).unwrap();
    let grid = SortedHGrid::new(sizes.to_vec(), HGridSearch::TopDown).unwrap();
    let grid = grid.in_container(container.clone());
    (SoftSpheres::new(spheres, container, options).unwrap(), grid)
}

#[test]
fn contacts_of_a_simulation_are_those_of_brute_force() {
    let radii = uniform_volume(160, 12.0);
    let options = SoftSphereOptions {
        restitution: 0.9,
        thermal_overlap: 0.1,
        ..SoftSphereOptions::default()
    };
    for packing_fraction in [0.4, 0.75] {
        for boundary in [Boundary::Periodic, Boundary::Wall] {
            let (disks, container) =
                random_start(&radii, packing_fraction, Dimension::Two, boundary, 4).unwrap();
            for (direction, search) in SEARCHES {
                for sizes in choices_of_levels(&radii, search) {
                    let grid = SortedHGrid::new(sizes, direction).unwrap();
                    let mut checked = Checked {
                        inner: grid.in_container(container.clone()),
                        container: container.clone(),
                        every: 20,
                        detections: 0,
                        compared_pairs: 0,
                    };
                    let run = SoftSpheres::new(disks.clone(), container.clone(), &options)
                        .unwrap()
                        .run(200, &mut checked);
                    assert_eq!(checked.detections, run.detections());
                    assert!(checked.compared_pairs > 0 && run.contacts > 0);
                }
            }
        }
    }
}

/// Runs the contact of two disks, and of a disk and a wall, and returns the restitution coefficients and the duration of the first
/// contact over that of the damped spring.
fn one_contact(restitution: f64) -> [f64; 3] {
    let container =
        Container::cuboid(DVec3::new(100.0, 50.0, 4.0), "www".parse().unwrap()).unwrap();
    let options = SoftSphereOptions {
        restitution,
        ..SoftSphereOptions::default()
    };
    let centers = [(40.0, 20.0), (43.001, 20.0), (1.001, 40.0)];
    let centers = centers.map(|(x, y)| DVec3::new(x, y, 2.0)).to_vec();
    let velocities = [0.01, -0.01, -0.01].map(|x| DVec3::new(x, 0.0, 0.0));
    let spheres = Spheres::new(centers, vec![1.0, 2.0, 1.0]);
    let mut simulation = SoftSpheres::new(spheres, container, &options)
        .unwrap()
        .with_velocities(velocities.to_vec());
    let mut grid = SortedHGrid::new(vec![4.0], HGridSearch::TopDown).unwrap();
    let run = simulation.run(200, &mut grid);
    let [a, b, c] = [0, 1, 2].map(|id| simulation.velocities()[id].x);
    // Masses π and 4π. The decay rate over the frequency of the damped oscillation is −ln(e)/π.
    let reduced_mass = 0.8 * PI;
    let decay = restitution.ln() / PI;
    let duration = PI * (reduced_mass * (1.0 + decay * decay)).sqrt();
    [
        (b - a) / 0.02,
        c / 0.01,
        run.contacts as f64 * simulation.time_step() / duration,
    ]
}

#[test]
fn a_contact_has_the_restitution_and_duration_of_the_spring() {
    for (restitution, tolerance) in [(1.0, 5e-4), (0.8, 0.01), (0.5, 0.03)] {
        let [pair, wall, duration] = one_contact(restitution);
        for (name, found) in [("pair", pair), ("wall", wall)] {
            assert!(
                (found / restitution - 1.0).abs() < tolerance,
                "{name}: {found}, e = {restitution}"
            );
        }
        assert!((duration - 1.0).abs() < 0.03, "{duration}");
    }
}

/// Runs spheres in a periodic box, and returns the simulation and the run.
fn periodic_run(
    options: &SoftSphereOptions,
    packing_fraction: f64,
) -> (SoftSpheres, SoftSphereRun) {
    let radii = uniform_volume(200, 5.0);
    let (mut simulation, mut grid) = simulation(
        &radii,
        packing_fraction,
        Boundary::Periodic,
        options,
        &[3.0, 2.0 * largest(&radii)],
    );
    let run = simulation.run(3000, &mut grid);
    assert!(run.contacts > 10_000, "{run:?}");
    (simulation, run)
}

#[test]
fn without_dashpot_the_energy_is_conserved() {
    for (dimension, packing_fraction) in [(Dimension::Two, 0.75), (Dimension::Three, 0.5)] {
        let elastic = SoftSphereOptions {
            dimension,
            thermal_overlap: 0.05,
            ..SoftSphereOptions::default()
        };
        let (simulation, run) = periodic_run(&elastic, packing_fraction);
        let kept = run.last.total() / run.first.total();
        assert!((kept - 1.0).abs() < 2e-3, "{dimension:?}: {kept}");
        assert!(run.last.elastic > 0.0);
        // The disks remain in their plane.
        let z = simulation.spheres().centers()[0].z;
        let has_plane = (simulation.spheres().centers().iter()).all(|center| center.z == z);
        assert_eq!(has_plane, dimension == Dimension::Two);

        let damped = SoftSphereOptions {
            restitution: 0.8,
            ..elastic
        };
        let (_, run) = periodic_run(&damped, packing_fraction);
        let kept = run.last.total() / run.first.total();
        assert!(
            kept > 0.0 && kept < 0.9,
            "{dimension:?} with dashpot: {kept}"
        );
    }
}

/// Returns the momentum over the sum of the momenta without their directions.
fn relative_momentum(simulation: &SoftSpheres) -> f64 {
    let pairs = simulation.spheres().radii().iter();
    let sum: f64 = pairs
        .zip(simulation.velocities())
        .map(|(radius, velocity)| PI * radius * radius * velocity.length())
        .sum();
    simulation.momentum().length() / sum
}

#[test]
fn contacts_conserve_the_momentum_and_walls_do_not() {
    let options = SoftSphereOptions {
        restitution: 0.7,
        thermal_overlap: 0.05,
        ..SoftSphereOptions::default()
    };
    let (periodic, _) = periodic_run(&options, 0.75);
    let kept = relative_momentum(&periodic);
    assert!(kept < 1e-11, "{kept}");
    let radii = uniform_volume(200, 5.0);
    let last = 2.0 * largest(&radii);
    let (mut walled, mut grid) = simulation(&radii, 0.75, Boundary::Wall, &options, &[last]);
    walled.run(3000, &mut grid);
    let changed = relative_momentum(&walled);
    assert!(changed > 1e-4, "{changed}");
}

#[test]
fn the_same_input_gives_the_same_bits_and_levels_do_not_change_the_motion() {
    let radii = uniform_volume(200, 10.0);
    let options = SoftSphereOptions {
        restitution: 0.9,
        thermal_overlap: 0.1,
        ..SoftSphereOptions::default()
    };
    let motion = |seed: u64, sizes: &[f64]| {
        let options = SoftSphereOptions { seed, ..options };
        let (mut simulation, mut grid) = simulation(&radii, 0.6, Boundary::Wall, &options, sizes);
        let run = simulation.run(100, &mut grid);
        assert!(run.contacts > 100);
        simulation
    };
    let [down, up] = [Search::TopDown, Search::BottomUp]
        .map(|search| best_cell_sizes(&radii, 0.6, Dimension::Two, 0.2, search).unwrap())
        .map(|sizes| motion(3, &sizes));
    let last = [2.0 * largest(&radii)];
    let [first, second] = [3, 3].map(|seed| motion(seed, &last));
    assert_eq!(first.spheres(), second.spheres());
    assert_eq!(first.velocities(), second.velocities());
    assert_ne!(first.velocities(), motion(4, &last).velocities());
    for other in [down, up] {
        for (a, b) in first.velocities().iter().zip(other.velocities()) {
            assert!((*a - *b).length() < 1e-9, "{a} and {b}");
        }
    }
}

#[test]
fn a_start_has_no_overlap_and_the_packing_fraction() {
    let radii = uniform_volume(240, 10.0);
    for (dimension, packing_fraction) in [
        (Dimension::Two, 0.4),
        (Dimension::Two, 0.8),
        (Dimension::Three, 0.5),
    ] {
        for boundary in [Boundary::Periodic, Boundary::Wall] {
            let (spheres, container) =
                random_start(&radii, packing_fraction, dimension, boundary, 5).unwrap();
            assert!(touching_pairs(&spheres, Some(&container)).is_empty());
            let lengths = container.lengths();
            let filled = match dimension {
                Dimension::Two => area(&radii) / (lengths.x * lengths.y),
                Dimension::Three => spheres.volume() / container.volume(),
            };
            assert!((filled / packing_fraction - 1.0).abs() < 1e-12, "{filled}");
            for (center, radius) in spheres.iter() {
                assert!(container.wall_gap(center, radius) > -1e-12 * lengths.x);
            }
        }
    }
    for crowded in [1.2, 1e3] {
        let start = random_start(&[1.0; 5], crowded, Dimension::Two, Boundary::Periodic, 1);
        assert_eq!(start.unwrap_err(), SoftSphereError::Crowded(crowded));
    }
}

#[test]
fn invalid_simulations_are_refused() {
    let cube = Container::cuboid(DVec3::splat(10.0), "ppp".parse().unwrap()).unwrap();
    let one = |radius: f64| Spheres::new(vec![DVec3::ONE], vec![radius]);
    let good = SoftSphereOptions::default();
    let error = |spheres: Spheres, container: &Container, options: &SoftSphereOptions| {
        SoftSpheres::new(spheres, container.clone(), options).unwrap_err()
    };
    for restitution in [0.0, 1.1, f64::NAN] {
        let options = SoftSphereOptions {
            restitution,
            ..good
        };
        let message = error(one(1.0), &cube, &options).to_string();
        assert!(message.contains("above 0 and at most 1"), "{message}");
    }
    for thermal_overlap in [-0.1, 0.3, f64::NAN] {
        let options = SoftSphereOptions {
            thermal_overlap,
            ..good
        };
        let message = error(one(1.0), &cube, &options).to_string();
        assert!(message.contains("from 0 to 0.2"), "{message}");
    }
    for steps_per_contact in [1.0, f64::INFINITY, f64::NAN] {
        let options = SoftSphereOptions {
            steps_per_contact,
            ..good
        };
        let message = error(one(1.0), &cube, &options).to_string();
        assert!(message.contains("from 3.14 to 1e9"), "{message}");
    }
    assert_eq!(
        error(Spheres::default(), &cube, &good),
        SoftSphereError::NoSpheres
    );
    assert_eq!(error(one(0.0), &cube, &good), SoftSphereError::Radius(0.0));
    let ball = Container::sphere(10.0).unwrap();
    assert_eq!(error(one(1.0), &ball, &good), SoftSphereError::Shape);
    assert!(random_start(&[], 0.4, Dimension::Two, Boundary::Wall, 1).is_err());
}

/// Section 5.4.2: the best levels do 35 times less work than one level. Fewer disks than in the paper have more of them at a wall,
/// where one level tests fewer pairs.
#[test]
fn levels_of_section_5_4_2_save_the_work_that_the_paper_predicts() {
    let radii = uniform_volume(2000, 20.0);
    let one = vec![2.0 * largest(&radii)];
    let best = best_cell_sizes(&radii, 0.4, Dimension::Two, 0.2, Search::TopDown).unwrap();
    let [one, best] = [one, best].map(|sizes| {
        let options = SoftSphereOptions::default();
        let (mut simulation, mut grid) = simulation(&radii, 0.4, Boundary::Wall, &options, &sizes);
        let counts = simulation.run(20, &mut grid).counts;
        counts.pair_tests as f64 + 0.2 * counts.cell_accesses as f64
    });
    let saved = one / best;
    assert!((saved / 35.0 - 1.0).abs() < 0.35, "{saved}");
}
