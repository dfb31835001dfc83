//! Homogeneity and radial distribution function.

use std::f64::consts::PI;

use glam::DVec3;
use jostle::analysis::HOMOGENEITY_CELLS;

use super::{Case, cases, random};

#[test]
fn homogeneity_agrees_with_its_definition() {
    for case in &cases() {
        for cells in HOMOGENEITY_CELLS {
            let logs: Vec<f64> = case
                .spheres
                .radii()
                .iter()
                .map(|radius| radius.ln())
                .collect();
            let count = logs.len() as f64;
            let mean = logs.iter().sum::<f64>() / count;
            let variance = logs.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count;
            let mut squares = Vec::new();
            for cell in 0..cells.pow(3) {
                let cell = [cell % cells, cell / cells % cells, cell / cells / cells];
                let is_inside = |center: DVec3| {
                    (0..3).all(|axis| {
                        let edge = case.container.lengths()[axis] / cells as f64;
                        (center[axis] / edge).floor() == cell[axis] as f64
                    })
                };
                let inside = case.spheres.centers().iter().zip(&logs);
                let inside: Vec<f64> = inside
                    .filter(|(center, _)| is_inside(**center))
                    .map(|(_, &x)| x)
                    .collect();
                let n = inside.len() as f64;
                if n >= 2.0 {
                    let deviation = inside.iter().sum::<f64>() / n - mean;
                    squares.push(deviation.powi(2) * n * (count - 1.0) / variance / (count - n));
                }
            }
            let found = case.homogeneity(cells);
            if squares.is_empty() || variance < 1e-20 {
                assert_eq!(found, None);
            } else {
                let expected = (squares.iter().sum::<f64>() / squares.len() as f64).sqrt();
                assert!(
                    (found.unwrap() - expected).abs() < 1e-9,
                    "{found:?} {expected}"
                );
            }
        }
    }
}

#[test]
fn homogeneity_tells_sorted_from_random() {
    let case = random(8000, 10.0, DVec3::new(3.0, 2.0, 4.0), "ppp", 6);
    for cells in HOMOGENEITY_CELLS {
        // 8 cells are the fewest: their mean square has a standard deviation of 0.5.
        let found = case.homogeneity(cells).unwrap();
        let tolerance = 4.0 * (0.5 / cells.pow(3) as f64).sqrt();
        assert!((found - 1.0).abs() < tolerance, "{cells}: {found}");
    }
    let (mut centers, mut radii) = case.spheres.into_parts();
    centers.sort_by(|a, b| a.x.total_cmp(&b.x));
    radii.sort_by(f64::total_cmp);
    let sorted = Case::new(centers, radii, case.container.lengths(), "ppp");
    for cells in HOMOGENEITY_CELLS {
        let found = sorted.homogeneity(cells).unwrap();
        assert!(found > 3.0, "{cells}: {found}");
    }
}

/// The number of ordered pairs by size class of either end and by bin.
fn brute_histogram(case: &Case, classes: &[usize], r_max: f64, bins: usize) -> Vec<Vec<Vec<f64>>> {
    let mut pairs = vec![vec![vec![0.0; bins]; 4]; 4];
    for i in 0..classes.len() {
        for j in (0..classes.len()).filter(|&j| j != i) {
            let distance = case.brute_vector(i, j).length();
            if distance < r_max {
                let bin = (distance / r_max * bins as f64) as usize;
                pairs[classes[i]][classes[j]][bin] += 1.0;
            }
        }
    }
    pairs
}

#[test]
fn radial_distribution_agrees_with_brute_force() {
    let (limits, bins) = ([0.3, 1.2, 2.0], 17);
    for case in cases().iter().filter(|case| case.letters() == ['p'; 3]) {
        let r_max = 0.5 * case.container.lengths().min_element();
        let g = case.g(r_max, bins, &limits);
        let radii = case.spheres.radii().iter();
        let classes: Vec<usize> = radii
            .map(|r| limits.iter().filter(|limit| **limit <= 2.0 * r).count())
            .collect();
        let members = [0, 1, 2, 3].map(|k| classes.iter().filter(|&&class| class == k).count());
        assert_eq!(g.class_counts(), members);
        let pairs = brute_histogram(case, &classes, r_max, bins);
        let shell = |bin: usize| {
            let [low, high] = [bin, bin + 1].map(|bin| r_max * bin as f64 / bins as f64);
            4.0 / 3.0 * PI * (high.powi(3) - low.powi(3)) / case.container.volume()
        };
        let assert_equals = |found: f64, counted: f64, possible: usize, bin: usize| {
            let expected = counted / (possible as f64 * shell(bin));
            assert!(
                (found - expected).abs() < 1e-9 * (1.0 + expected),
                "{found} {expected}"
            );
        };
        for a in 0..4 {
            for b in 0..4 {
                let possible = members[a] * members[b] - if a == b { members[a] } else { 0 };
                assert_eq!(g.partial(a, b).is_some(), possible > 0);
                for (bin, &found) in g.partial(a, b).unwrap_or_default().iter().enumerate() {
                    assert_equals(found, pairs[a][b][bin], possible, bin);
                }
            }
        }
        let count = classes.len();
        for (bin, &found) in g.total().iter().enumerate() {
            let counted: f64 = pairs.iter().flatten().map(|bins| bins[bin]).sum();
            assert_equals(found, counted, count * (count - 1), bin);
        }
        assert_eq!(g.partial(0, 4), None);
    }
}

#[test]
fn random_points_have_a_flat_radial_distribution() {
    let case = random(4000, 10.0, DVec3::new(3.0, 2.0, 4.0), "ppp", 7);
    let g = case.g(1.0, 10, &[0.6]);
    let counts = g.class_counts();
    for (a, b) in [(0, 0), (0, 1), (1, 1)] {
        for (bin, found) in g.partial(a, b).unwrap().iter().enumerate() {
            let shell = 4.0 / 3.0 * PI * (g.edges()[bin + 1].powi(3) - g.edges()[bin].powi(3));
            let pairs = counts[a] as f64 * counts[b] as f64 * if a == b { 0.5 } else { 1.0 };
            let expected = pairs * shell / 24.0;
            assert!(
                (found - 1.0).abs() < 5.0 / expected.sqrt(),
                "{a} {b} {bin}: {found}"
            );
        }
    }
}
