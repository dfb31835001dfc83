//! Ranks that are threads of one process get the analysis of one process.

use glam::{DVec2, DVec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::{Analysis, AnalysisOptions};
use crate::{
    Boundaries, Boundary, Container, Spheres, machine::threads::on_ranks, packing::Packing,
    ranks::Communicator,
};

/// Returns spheres at random points, with diameters from 1 to `ratio`.
fn random_packing(container: Container, count: usize, ratio: f64) -> Packing {
    let mut random = Pcg64::seed_from_u64(count as u64);
    let mut uniform = || random.random::<f64>();
    let lengths = container.lengths();
    let (mut centers, mut radii) = (Vec::new(), Vec::new());
    while centers.len() < count {
        let center = lengths * DVec3::new(uniform(), uniform(), uniform());
        let radius = 0.5 * ratio.powf(uniform().powi(4));
        if container.wall_gap(center, radius) >= 0.0 {
            centers.push(center);
            radii.push(radius);
        }
    }
    let spheres = Spheres::new(centers, radii);
    Packing::new(spheres, container)
}

/// Returns the part of a packing between two positions.
fn part(packing: &Packing, start: usize, end: usize) -> Packing {
    let spheres = &packing.spheres;
    let part = Spheres::new(
        spheres.centers()[start..end].to_vec(),
        spheres.radii()[start..end].to_vec(),
    );
    Packing::certified(part, packing.container.clone(), packing.certificate)
}

#[test]
fn ranks_get_the_analysis_of_one_process() {
    let cube = |length, boundary: &str| {
        Container::cuboid(
            DVec3::splat(length),
            boundary.parse::<Boundaries>().unwrap(),
        )
        .unwrap()
    };
    let cylinder = Container::cylinder(30.0, 40.0, Boundary::Periodic).unwrap();
    let rectangle = Container::rectangle(DVec2::new(220.0, 160.0), "pwp".parse().unwrap()).unwrap();
    // With 8192 spheres and fewer, only one rank has spheres.
    for (container, count, ratio, tolerance) in [
        (cube(31.0, "ppp"), 26_000, 1.0, 0.01),
        (cube(40.0, "pwp"), 18_000, 8.0, 1.0),
        (cylinder, 18_000, 2.0, 1e-3),
        (cube(60.0, "ppp"), 18_000, 30.0, 0.01),
        (rectangle, 18_000, 3.0, 0.01),
        (cube(9.0, "www"), 5, 3.0, 0.01),
        (cube(9.0, "ppp"), 0, 1.0, 0.01),
    ] {
        let packing = random_packing(container, count, ratio);
        let options = AnalysisOptions::default()
            .points(10_000)
            .tolerance(tolerance);
        let expected = Analysis::new(&packing, &options).unwrap();
        for ranks in [2, 4] {
            let of_ranks = on_ranks(ranks, |rank| {
                // The parts differ in length; the first one is empty.
                let border = |k: usize| count * k * k.saturating_sub(1) / (ranks * (ranks - 1));
                let part = part(&packing, border(rank.rank()), border(rank.rank() + 1));
                Analysis::new(&part, &options.clone().ranks(rank)).unwrap()
            });
            for found in of_ranks {
                assert_eq!(found, expected, "{ranks} ranks, {count} spheres");
            }
        }
    }
}
