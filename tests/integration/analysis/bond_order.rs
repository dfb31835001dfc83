//! Bond order and crystal-like spheres.

use glam::DVec3;

use super::{cases, fcc, lattice, packed};

fn p4(x: f64) -> f64 {
    (35.0 * x.powi(4) - 30.0 * x * x + 3.0) / 8.0
}

fn p6(x: f64) -> f64 {
    (231.0 * x.powi(6) - 315.0 * x.powi(4) + 105.0 * x * x - 5.0) / 16.0
}

/// The mean of a Legendre polynomial of the cosine over all pairs of directions.
fn legendre_product(a: &[DVec3], b: &[DVec3], p: fn(f64) -> f64) -> f64 {
    let cosines = a.iter().flat_map(|a| b.iter().map(|b| a.dot(*b)));
    cosines.map(p).sum::<f64>() / (a.len() * b.len()).max(1) as f64
}

/// The addition theorem gives the products of q_lm as sums of Legendre polynomials over pairs of neighbors, without
/// spherical harmonics.
#[test]
fn bond_order_agrees_with_the_addition_theorem() {
    for case in &cases()[3..] {
        let mut directions = vec![Vec::new(); case.spheres.len()];
        let mut neighbors = vec![Vec::new(); case.spheres.len()];
        for [i, j] in case.brute_pairs(0.4) {
            let (i, j) = (i as usize, j as usize);
            let n = case.brute_vector(i, j).normalize();
            directions[i].push(n);
            directions[j].push(-n);
            neighbors[i].push(j);
            neighbors[j].push(i);
        }
        let product = |i: usize, j: usize, p: fn(f64) -> f64| {
            legendre_product(&directions[i], &directions[j], p)
        };
        let order = case.bond_order();
        for (i, neighbors) in neighbors.iter().enumerate() {
            assert_eq!(order.neighbors[i] as usize, neighbors.len());
            let (q4, q6) = (product(i, i, p4), product(i, i, p6));
            assert!(
                (order.q4[i] - q4.max(0.0).sqrt()).abs() < 1e-7,
                "{} {q4}",
                order.q4[i]
            );
            assert!(
                (order.q6[i] - q6.max(0.0).sqrt()).abs() < 1e-7,
                "{} {q6}",
                order.q6[i]
            );
            let is_crystalline =
                |&&j: &&usize| product(i, j, p6) > 0.7 * (q6 * product(j, j, p6)).sqrt();
            let bonds = neighbors.iter().filter(is_crystalline).count();
            let expected = bonds >= 7 && 2 * bonds > neighbors.len();
            assert_eq!(order.is_crystal_like[i], expected, "sphere {i}");
        }
    }
}

#[test]
fn lattices_have_their_published_bond_order() {
    let hcp_cell = DVec3::new(1.0, 3_f64.sqrt(), (8.0_f64 / 3.0).sqrt());
    let third = 1.0 / 3.0;
    let hcp = [
        [0.0; 3],
        [0.5, 0.5, 0.0],
        [0.5, 0.5 * third, 0.5],
        [0.0, 2.0 * third, 0.5],
    ];
    let bcc = [[0.0; 3], [0.5; 3]];
    for (case, neighbors, q4, q6) in [
        (fcc(4), 12, 0.190_94, 0.574_52),
        (lattice(hcp_cell, &hcp, 4), 12, 0.097_22, 0.484_76),
        (
            lattice(DVec3::splat(2.0 / 3_f64.sqrt()), &bcc, 4),
            14,
            0.036_37,
            0.510_69,
        ),
        (lattice(DVec3::ONE, &[[0.0; 3]], 5), 6, 0.763_76, 0.353_55),
    ] {
        let order = case.bond_order();
        assert!(order.neighbors.iter().all(|&number| number == neighbors));
        assert!(
            order.q4.iter().all(|q| (q - q4).abs() < 1e-5),
            "{:?}",
            order.q4[0]
        );
        assert!(
            order.q6.iter().all(|q| (q - q6).abs() < 1e-5),
            "{:?}",
            order.q6[0]
        );
        let share = if neighbors >= 7 { 1.0 } else { 0.0 };
        assert_eq!(order.crystal_share(), share);
    }
}

#[test]
fn random_packings_are_not_crystalline() {
    let share = packed(&[0.5; 1000], "ppp").bond_order().crystal_share();
    assert!(share < 0.1, "{share}");
}
