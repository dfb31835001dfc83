//! Contacts, rattlers and the fabric tensor.

use std::f64::consts::PI;

use glam::DVec3;
use jostle::{
    Container, Packing, Spheres,
    analysis::{
        Analysis, AnalysisError, AnalysisOptions, BondOrder, Contacts, mean_backbone, rattlers,
        suitable_contacts,
    },
};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Tolerance of spheres that touch almost exactly.
const TOUCHING: f64 = 1e-4;

use super::{Case, cases, fcc};

#[test]
fn contacts_agree_with_brute_force() {
    for (number, case) in cases().iter().enumerate() {
        for tolerance in [0.0, TOUCHING, 0.05, 1.0] {
            let contacts = case.contacts(tolerance);
            let pairs = case.brute_pairs(tolerance);
            assert_eq!(
                contacts.pairs(),
                pairs,
                "case {number}, tolerance {tolerance}"
            );
            assert_eq!(contacts.wall_contacts(), case.brute_walls(tolerance));
            let mean = 2.0 * pairs.len() as f64 / case.spheres.len() as f64;
            assert_eq!(contacts.mean(), mean);
            for id in 0..case.spheres.len() as u32 {
                let with: Vec<u32> = pairs
                    .iter()
                    .filter(|pair| pair.contains(&id))
                    .map(|pair| pair[0] + pair[1] - id)
                    .collect();
                assert_eq!(contacts.of(id), with);
                assert_eq!(contacts.numbers()[id as usize], with.len() as u32);
            }
            assert!(contacts.of(case.spheres.len() as u32).is_empty());
        }
    }
}

#[test]
fn size_correlation_agrees_with_pearson() {
    for case in &cases() {
        let radii = case.spheres.radii();
        let tolerance = 0.1;
        let ends: Vec<(f64, f64)> = case
            .brute_pairs(tolerance)
            .iter()
            .flat_map(|&[i, j]| [(i, j), (j, i)])
            .map(|(i, j)| (radii[i as usize].ln(), radii[j as usize].ln()))
            .collect();
        let found = case.contacts(tolerance).size_correlation(radii);
        if radii.iter().all(|radius| *radius == radii[0]) {
            assert_eq!(found, None);
            continue;
        }
        let count = ends.len() as f64;
        let mean_x = ends.iter().map(|end| end.0).sum::<f64>() / count;
        let mean_y = ends.iter().map(|end| end.1).sum::<f64>() / count;
        let sum = |f: &dyn Fn(f64, f64) -> f64| -> f64 {
            ends.iter().map(|&(x, y)| f(x - mean_x, y - mean_y)).sum()
        };
        let expected = sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt();
        assert!(
            (found.unwrap() - expected).abs() < 1e-12,
            "{found:?} {expected}"
        );
    }
}

/// A lattice has the smallest tolerance, and one whose spheres keep a gap has a tolerance above it.
#[test]
fn tolerances_suit_the_gaps() {
    let case = fcc(4);
    let found = |shrink: f64| {
        let radii = case.spheres.radii().iter().map(|radius| radius * shrink);
        let spheres = Spheres::new(case.spheres.centers().to_vec(), radii.collect());
        let contacts = suitable_contacts(&spheres, &case.container).unwrap();
        (contacts.tolerance(), contacts.mean())
    };
    assert_eq!(found(1.0), (1e-4, 12.0));
    assert_eq!(found(1.0 - 3e-3), (5e-3, 12.0));
    // No tolerance is large enough.
    assert_eq!(found(0.9), (2e-2, 0.0));
}

/// On a fixed network of contacts, radii assigned at random show no correlation, and equal neighbors a perfect one.
#[test]
fn size_correlation_is_zero_for_random_radii() {
    let contacts = fcc(10).contacts(TOUCHING);
    let mut rng = Pcg64::seed_from_u64(5);
    let radii: Vec<f64> = (0..4000).map(|_| 1.0 + rng.random::<f64>()).collect();
    // 24 000 contacts: a standard deviation of 0.006.
    let correlation = contacts.size_correlation(&radii).unwrap();
    assert!(correlation.abs() < 0.03, "{correlation}");
    assert_eq!(contacts.size_correlation(&radii[1..]), None);
    assert_eq!(contacts.size_correlation(&[-1.0; 4000]), None);

    let centers = [0.0, 1.0, 10.0, 14.0]
        .map(|x| DVec3::new(x, 5.0, 5.0))
        .to_vec();
    let pairs = Case::new(centers, vec![0.5, 0.5, 2.0, 2.0], DVec3::splat(20.0), "ppp");
    let correlation = pairs.contacts(0.01).size_correlation(pairs.spheres.radii());
    assert!((correlation.unwrap() - 1.0).abs() < 1e-12);
}

#[test]
fn rattlers_agree_with_repeated_removal() {
    let mut found_some = false;
    for case in &cases() {
        for tolerance in [1e-3, 0.03] {
            let (pairs, walls) = (case.brute_pairs(tolerance), case.brute_walls(tolerance));
            let mut is_rattler = vec![false; case.spheres.len()];
            loop {
                let before = is_rattler.clone();
                for id in 0..walls.len() {
                    let held_by = |pair: &&[u32; 2]| {
                        pair.contains(&(id as u32))
                            && pair
                                .iter()
                                .all(|&end| end as usize == id || !before[end as usize])
                    };
                    let number = pairs.iter().filter(held_by).count() + walls[id] as usize;
                    is_rattler[id] |= number < 4;
                }
                if is_rattler == before {
                    break;
                }
            }
            let contacts = case.contacts(tolerance);
            assert_eq!(rattlers(&contacts), is_rattler);
            let held = is_rattler.iter().filter(|&&rattler| !rattler).count();
            found_some |= held > 0 && held < is_rattler.len();
            let inner = |pair: &&[u32; 2]| !pair.iter().any(|&id| is_rattler[id as usize]);
            let expected = 2.0 * pairs.iter().filter(inner).count() as f64 / held.max(1) as f64;
            assert_eq!(mean_backbone(&contacts), expected);
        }
    }
    assert!(found_some, "no case has both rattlers and other spheres");
}

#[test]
fn fabric_agrees_with_brute_force() {
    for case in &cases() {
        let fabric = case.fabric(0.1);
        let pairs = case.brute_pairs(0.1);
        assert_eq!(fabric.contacts, pairs.len());
        let mut deviators = 0.0;
        for row in 0..3 {
            for column in 0..3 {
                let component = |&[i, j]: &[u32; 2]| {
                    let n = case.brute_vector(i as usize, j as usize).normalize();
                    n[row] * n[column]
                };
                let mean = pairs.iter().map(component).sum::<f64>() / pairs.len() as f64;
                assert!((fabric.tensor[row][column] - mean).abs() < 1e-12);
                let deviator = if row == column {
                    mean - 1.0 / 3.0
                } else {
                    mean
                };
                deviators += deviator * deviator;
            }
        }
        assert!((fabric.anisotropy - (1.5 * deviators).sqrt()).abs() < 1e-12);
    }
}

#[test]
fn parallel_contacts_have_anisotropy_one() {
    let centers = (0..10)
        .map(|x| DVec3::new(f64::from(x), 5.0, 5.0))
        .collect();
    let chain = Case::new(centers, vec![0.5; 10], DVec3::splat(10.0), "ppp");
    let fabric = chain.fabric(TOUCHING);
    assert_eq!(fabric.tensor, [[1.0, 0.0, 0.0], [0.0; 3], [0.0; 3]]);
    assert!((fabric.anisotropy - 1.0).abs() < 1e-15);
    assert_eq!(mean_backbone(&chain.contacts(TOUCHING)), 0.0);
}

#[test]
fn touching_fcc_has_twelve_contacts_in_no_preferred_direction() {
    let case = fcc(5);
    let contacts = case.contacts(TOUCHING);
    assert!(contacts.numbers().iter().all(|&number| number == 12));
    assert_eq!((contacts.mean(), mean_backbone(&contacts)), (12.0, 12.0));
    assert!(rattlers(&contacts).iter().all(|&rattler| !rattler));
    assert!(case.fabric(TOUCHING).anisotropy < 1e-12);
    assert_eq!(case.homogeneity(2), None);
    // The first shell holds 12 spheres at distance 1, the second 6 at the square root of 2.
    let g = case.g(1.5, 30, &[]);
    let volume = case.container.volume();
    let spheres_at = |bin: usize| {
        let shell = 4.0 / 3.0 * PI * (g.edges()[bin + 1].powi(3) - g.edges()[bin].powi(3));
        g.total()[bin] * shell * 499.0 / volume
    };
    let around_one = spheres_at(19) + spheres_at(20);
    assert!((around_one - 12.0).abs() < 1e-9, "{around_one}");
    assert!((spheres_at(28) - 6.0).abs() < 1e-9);
    assert_eq!((g.bins(), g.distances()[0]), (30, 0.025));
}

#[test]
fn many_spheres_at_one_place_are_refused_at_once() {
    let container = Container::cuboid(DVec3::ONE, "ppp".parse().unwrap()).unwrap();
    let of = |count: usize, spread: f64| {
        let mut rng = Pcg64::seed_from_u64(1);
        let mut near = || 0.5 + spread * (rng.random::<f64>() - 0.5);
        let centers = (0..count).map(|_| DVec3::new(near(), near(), near()));
        Spheres::new(centers.collect(), vec![0.01; count])
    };
    let few = Contacts::new(&of(500, 0.0), &container, TOUCHING).unwrap();
    assert_eq!(few.mean(), 499.0);
    // A table of the contacts would take 40 GB, and all pairs many minutes.
    for spread in [0.0, 1e-3, 1e-2] {
        let many = of(100_000, spread);
        for tolerance in [TOUCHING, 1.0] {
            let error = Contacts::new(&many, &container, tolerance).unwrap_err();
            assert!(matches!(error, AnalysisError::Crowded { .. }), "{error}");
        }
        let error = BondOrder::new(&many, &container).unwrap_err().to_string();
        assert_eq!(
            error,
            "a sphere has more than 1404 neighbors of about its size or larger; spheres that overlap so much cannot be analyzed"
        );
        let packing = Packing::new(many, container.clone());
        let error = Analysis::new(&packing, &AnalysisOptions::default()).unwrap_err();
        assert!(matches!(error, AnalysisError::Crowded { .. }), "{error}");
        let error = suitable_contacts(packing.spheres(), &container).unwrap_err();
        assert!(matches!(error, AnalysisError::Crowded { .. }), "{error}");
    }
}

#[test]
fn a_packing_fraction_that_is_no_number_is_refused() {
    let container = Container::cuboid(DVec3::splat(1e200), "ppp".parse().unwrap()).unwrap();
    let spheres = Spheres::new(vec![DVec3::ONE], vec![1e150]);
    let packing = Packing::new(spheres, container);
    let error = Analysis::new(&packing, &AnalysisOptions::default()).unwrap_err();
    assert!(matches!(error, AnalysisError::Volume { .. }), "{error}");
}
