//! Cells of the radical tessellation: volumes that add up, random points, lattices and curved walls.

use std::f64::consts::PI;

use glam::DVec3;
use jostle::{
    Boundary, Container, Spheres,
    analysis::{AnalysisError, cell_volumes},
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::{Case, cases, fcc, lattice, random};

fn volumes(case: &Case) -> Vec<f64> {
    cell_volumes(&case.spheres, &case.container).unwrap()
}

#[test]
fn cells_fill_a_box() {
    for (number, case) in cases().iter().enumerate() {
        let total: f64 = volumes(case).iter().sum();
        let share = total / case.container.volume();
        assert!((share - 1.0).abs() < 1e-9, "case {number}: {share}");
    }
}

#[test]
fn spheres_without_overlap_lie_in_their_cells() {
    for case in &cases()[4..] {
        for (volume, radius) in volumes(case).iter().zip(case.spheres.radii()) {
            let density = 4.0 / 3.0 * PI * radius.powi(3) / volume;
            assert!(density > 0.0 && density < 1.0);
        }
    }
}

#[test]
fn cells_have_the_shares_of_random_points() {
    const POINTS: usize = 20_000;
    let mut rng = Pcg64::seed_from_u64(6);
    for (boundary, ratio) in [("pwp", 3.0), ("www", 9.0), ("ppp", 1.0)] {
        let case = random(12, ratio, DVec3::new(1.0, 2.0, 1.5), boundary, 5);
        let lengths = case.container.lengths();
        let mut hits = [0_u32; 12];
        for _ in 0..POINTS {
            let [x, y, z] = [0; 3].map(|_| rng.random::<f64>());
            let point = lengths * DVec3::new(x, y, z);
            let power = |id: usize| {
                let distance = |axis: usize| {
                    let straight = (point - case.spheres.centers()[id])[axis].abs();
                    match case.letters()[axis] {
                        'p' => straight.min(lengths[axis] - straight),
                        _ => straight,
                    }
                };
                let squared: f64 = (0..3).map(|axis| distance(axis).powi(2)).sum();
                squared - case.spheres.radii()[id].powi(2)
            };
            let nearest = (0..12).min_by(|&a, &b| power(a).total_cmp(&power(b)));
            hits[nearest.unwrap()] += 1;
        }
        for (volume, hits) in volumes(&case).iter().zip(hits) {
            let share = volume / case.container.volume();
            let error = (share * (1.0 - share) / POINTS as f64).sqrt();
            let found = f64::from(hits) / POINTS as f64;
            assert!((found - share).abs() <= 5.0 * error, "{found} and {share}");
        }
    }
}

#[test]
fn cells_of_lattices_are_equal() {
    let cubic = lattice(DVec3::ONE, &[[0.0; 3]], 3);
    assert!(volumes(&cubic).iter().all(|v| (v - 1.0).abs() < 1e-12));
    // The smallest box, in which each sphere has several images of one neighbor.
    for cells in [1, 2] {
        let dodecahedron = 0.5 * 2_f64.sqrt();
        let volumes = volumes(&fcc(cells));
        assert!(volumes.iter().all(|v| (v - dodecahedron).abs() < 1e-12));
    }
}

#[test]
fn cells_follow_curved_walls() {
    let containers = [
        Container::cylinder(2.0, 3.0, Boundary::Wall).unwrap(),
        Container::cylinder(2.0, 3.0, Boundary::Periodic).unwrap(),
        Container::sphere(2.0).unwrap(),
        Container::cone(2.0, 0.0, 2.0).unwrap(),
    ];
    for container in containers {
        let mut rng = Pcg64::seed_from_u64(7);
        let mut centers = Vec::new();
        while centers.len() < 60 {
            let [x, y, z] = [0; 3].map(|_| rng.random::<f64>());
            let point = container.lengths() * DVec3::new(x, y, z);
            if container.wall_gap(point, 0.0) > 0.0 {
                centers.push(point);
            }
        }
        let radii = (0..60).map(|k| 0.05 + 0.002 * f64::from(k)).collect();
        let volumes = cell_volumes(&Spheres::new(centers, radii), &container).unwrap();
        let share = volumes.iter().sum::<f64>() / container.volume();
        assert!(share > 1.0 - 1e-9 && share < 1.001, "{share}");
    }
}

#[test]
fn a_hidden_sphere_has_no_cell() {
    let container = Container::cuboid(DVec3::splat(4.0), "pww".parse().unwrap()).unwrap();
    let centers = [1.0, 1.05, 1.0, 3.0].map(|x| DVec3::new(x, 2.0, 2.0));
    let spheres = Spheres::new(centers.to_vec(), vec![0.8, 0.1, 0.8, 0.8]);
    let volumes = cell_volumes(&spheres, &container).unwrap();
    // The second sphere is inside the first one, with which the third one coincides.
    assert_eq!(volumes[1..3], [0.0, 0.0]);
    assert!((volumes[0] - 32.0).abs() < 1e-9 && (volumes[3] - 32.0).abs() < 1e-9);
    assert!(
        cell_volumes(&Spheres::default(), &container)
            .unwrap()
            .is_empty()
    );
}

#[test]
fn containers_with_bodies_are_rejected() {
    let container = Container::cuboid(DVec3::splat(4.0), "ppp".parse().unwrap()).unwrap();
    let around = container.without(["sphere:d=1@2,2,2".parse().unwrap()]);
    let error = cell_volumes(&Spheres::default(), &around.unwrap()).unwrap_err();
    assert_eq!(error, AnalysisError::NotConvex);
}
