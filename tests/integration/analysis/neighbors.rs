//! Pairs within a cutoff, against all pairs.

use glam::DVec3;
use jostle::{
    Container, Spheres,
    analysis::{AnalysisError, Neighbors},
};

use super::{Case, cases};

fn neighbors(case: &Case, cutoff: f64) -> Result<Neighbors, AnalysisError> {
    Neighbors::new(&case.spheres, &case.container, cutoff)
}

/// Returns the largest accepted cutoff that is tried.
fn limit(case: &Case) -> f64 {
    let lengths = case.container.lengths().to_array();
    let periods = lengths
        .iter()
        .zip(case.letters())
        .filter(|(_, letter)| *letter == 'p')
        .map(|(length, _)| 0.5 * length);
    periods.fold(5.0, f64::min)
}

#[test]
fn neighbors_agree_with_brute_force() {
    for (number, case) in cases().iter().enumerate() {
        for share in [0.05, 0.3, 1.0] {
            let cutoff = share * limit(case);
            let found = neighbors(case, cutoff).unwrap();
            let count = case.spheres.len();
            let mut expected = Vec::new();
            for i in 0..count {
                for j in i + 1..count {
                    let distance = case.brute_vector(i, j).length();
                    if distance <= cutoff {
                        expected.push(([i as u32, j as u32], distance));
                    }
                }
            }
            let pairs: Vec<[u32; 2]> = expected.iter().map(|pair| pair.0).collect();
            assert_eq!(found.pairs(), pairs, "case {number}, cutoff {cutoff}");
            assert_eq!(found.distances().len(), pairs.len());
            for (distance, (_, expected)) in found.distances().iter().zip(&expected) {
                assert!((distance - expected).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn unsuitable_cutoffs_are_rejected() {
    let case = &cases()[0];
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 1.001] {
        let message = neighbors(case, bad).unwrap_err().to_string();
        assert!(message.contains("at most 1, half of"), "{message}");
    }
    // Without periodic axes, every length is accepted.
    let walls = Container::cuboid(DVec3::ONE, "www".parse().unwrap()).unwrap();
    let spheres = Spheres::new(vec![DVec3::splat(0.25), DVec3::splat(0.75)], vec![0.1; 2]);
    let all = Neighbors::new(&spheres, &walls, 1e9).unwrap();
    assert_eq!(all.pairs(), [[0, 1]]);
    let message = Neighbors::new(&spheres, &walls, f64::INFINITY).unwrap_err();
    assert!(message.to_string().ends_with("above 0 and finite"));
    let none = Neighbors::new(&Spheres::default(), &walls, 0.5).unwrap();
    assert!(none.pairs().is_empty() && none.distances().is_empty());
}
