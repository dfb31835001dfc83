//! Predicted packing fractions against the values that Farr & Groot 2009 print.

use jostle::{
    SizeSpec,
    distribution::{Sampling, predicted_packing_fraction},
};

fn prediction(sizes: &str, n: usize) -> f64 {
    let law = SizeSpec::load(sizes).unwrap().distribution;
    predicted_packing_fraction(&law.sample_number(n, Sampling::Stratified, 0).diameters)
}

fn assert_predicted(sizes: &str, n: usize, expected: f64, tolerance: f64) {
    let found = prediction(sizes, n);
    assert!(
        (found - expected).abs() <= tolerance,
        "{sizes}: the prediction is {found}, expected {expected}"
    );
}

#[test]
fn equal_spheres() {
    assert_predicted("mono:d=3", 10, 0.6435, 5e-5);
}

#[test]
fn maxima_of_bidisperse_spheres() {
    for (ratio, small, expected) in [
        (2, 0.28, 0.682),
        (3, 0.23, 0.730),
        (5, 0.20, 0.787),
        (10, 0.25, 0.827),
    ] {
        let sizes = |small| format!("bidisperse:d_small=1,d_large={ratio},mass_small={small}");
        assert_predicted(&sizes(small), 1_000_000, expected, 6e-4);
        for other in [small - 0.08, small + 0.08] {
            assert!(prediction(&sizes(other), 1_000_000) < prediction(&sizes(small), 1_000_000));
        }
    }
}

#[test]
fn lognormal_spheres() {
    for (sigma, expected) in [
        (0.1, 0.647),
        (0.2, 0.657),
        (0.3, 0.671),
        (0.5, 0.707),
        (0.8, 0.765),
        (1.0, 0.801),
    ] {
        // In the widest distribution one sphere of thousands has most of the mass, which makes a sample less exact.
        let tolerance = if sigma < 0.9 { 8e-4 } else { 3e-3 };
        let sizes = format!("lognormal:d50=1,sigma={sigma},by=number");
        assert_predicted(&sizes, 1_000_000, expected, tolerance);
    }
}

#[test]
fn spheres_of_fuller_curves() {
    // At ratio 256 only one sphere of a million has the largest size.
    for (ratio, expected, tolerance) in [
        (4, 0.691, 6e-4),
        (16, 0.778, 6e-4),
        (64, 0.858, 6e-4),
        (256, 0.915, 2e-3),
    ] {
        let sizes = format!("fuller:d_min=1,d_max={ratio}");
        assert_predicted(&sizes, 2_000_000, expected, tolerance);
    }
}

#[test]
fn prediction_depends_neither_on_unit_nor_on_order() {
    let radii = [1.0, 5.0, 2.0, 1.0, 3.0];
    let found = predicted_packing_fraction(&radii);
    assert!(found > 0.65);
    for unit in [1.0, 1e-200, 1e200] {
        let mut scaled = radii.map(|radius| radius * unit);
        scaled.reverse();
        assert!((predicted_packing_fraction(&scaled) - found).abs() < 1e-12);
    }
}

#[test]
fn prediction_without_spheres_is_0() {
    assert_eq!(predicted_packing_fraction(&[]), 0.0);
}
