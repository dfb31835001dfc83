//! Random close packing as Farr & Groot 2009 predict it, against values printed with their model.

use jostle::{Sampling, SizeSpec, predicted_packing_fraction};

fn prediction(sizes: &str, n: usize) -> f64 {
    let law = SizeSpec::load(sizes).unwrap().distribution;
    predicted_packing_fraction(&law.sample(n, Sampling::Stratified, 0).diameters)
}

fn agrees(sizes: &str, n: usize, expected: f64, tolerance: f64) {
    let found = prediction(sizes, n);
    assert!(
        (found - expected).abs() <= tolerance,
        "{sizes}: {found}, not {expected}"
    );
}

#[test]
fn equal_spheres() {
    agrees("mono:d=3", 10, 0.6435, 5e-5);
}

#[test]
fn bidisperse_maxima() {
    for (ratio, small, expected) in [
        (2, 0.28, 0.682),
        (3, 0.23, 0.730),
        (5, 0.20, 0.787),
        (10, 0.25, 0.827),
    ] {
        let sizes = |small| format!("bidisperse:d_small=1,d_large={ratio},mass_small={small}");
        agrees(&sizes(small), 1_000_000, expected, 6e-4);
        for other in [small - 0.08, small + 0.08] {
            assert!(prediction(&sizes(other), 1_000_000) < prediction(&sizes(small), 1_000_000));
        }
    }
}

#[test]
fn lognormal() {
    for (sigma, expected) in [
        (0.1, 0.647),
        (0.2, 0.657),
        (0.3, 0.671),
        (0.5, 0.707),
        (0.8, 0.765),
        (1.0, 0.801),
    ] {
        // The widest has its mass in one sphere of thousands.
        let tolerance = if sigma < 0.9 { 8e-4 } else { 3e-3 };
        let sizes = format!("lognormal:d50=1,sigma={sigma},by=number");
        agrees(&sizes, 1_000_000, expected, tolerance);
    }
}

#[test]
fn fuller() {
    // Ratio 256 takes a million spheres for one of the largest.
    for (ratio, expected, tolerance) in [
        (4, 0.691, 6e-4),
        (16, 0.778, 6e-4),
        (64, 0.858, 6e-4),
        (256, 0.915, 2e-3),
    ] {
        let sizes = format!("fuller:d_min=1,d_max={ratio}");
        agrees(&sizes, 2_000_000, expected, tolerance);
    }
}

#[test]
fn neither_unit_nor_order_matters_and_no_spheres_fill_nothing() {
    let radii = [1.0, 5.0, 2.0, 1.0, 3.0];
    let found = predicted_packing_fraction(&radii);
    assert!(found > 0.65);
    for unit in [1.0, 1e-200, 1e200] {
        let mut scaled = radii.map(|radius| radius * unit);
        scaled.reverse();
        assert!((predicted_packing_fraction(&scaled) - found).abs() < 1e-12);
    }
    assert_eq!(predicted_packing_fraction(&[]), 0.0);
}
