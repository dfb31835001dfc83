//! Predicted packing fractions of size classes: the compressible packing model, and the rods.

use jostle::{
    SizeSpec,
    distribution::{CompressiblePacking, PackingModel, PackingPredictions, VolumeClasses},
};

/// Returns the classes of a preset or an inline law.
fn classes(sizes: &str) -> VolumeClasses {
    VolumeClasses::of(&SizeSpec::load(sizes).unwrap().distribution)
}

fn two_sizes(ratio: f64, small: f64) -> VolumeClasses {
    classes(&format!(
        "bidisperse:d_small=1,d_large={ratio},mass_small={small}"
    ))
}

/// Evaluates the formulas of de Larrard (1999) for classes with residual packing densities of their own, and solves for Φ itself.
fn evaluated(index: f64, classes: &[(f64, f64, f64)]) -> f64 {
    let limit = |&(d, _, beta): &(f64, f64, f64)| {
        let terms = classes.iter().map(|&(other, y, residual)| {
            if other > d {
                let b = 1.0 - (1.0 - d / other).powf(1.5);
                (1.0 - beta + b * beta * (1.0 - 1.0 / residual)) * y
            } else if other < d {
                let a = (1.0 - (1.0 - other / d).powf(1.02)).sqrt();
                (1.0 - a * beta / residual) * y
            } else {
                0.0
            }
        });
        beta / (1.0 - terms.sum::<f64>())
    };
    let limits: Vec<f64> = classes.iter().map(limit).collect();
    let index_at = |fraction: f64| {
        let terms = classes.iter().zip(&limits);
        let terms = terms.map(|(&(_, y, beta), gamma)| y / beta / (1.0 / fraction - 1.0 / gamma));
        terms.sum::<f64>()
    };
    let (mut low, mut high) = (0.0, limits.iter().copied().fold(f64::INFINITY, f64::min));
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if index_at(middle) < index {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[test]
fn equal_spheres_have_the_packing_fraction_of_the_calibration() {
    for (index, fraction) in [(9.0, 0.6435), (4.75, 0.6), (4.1, 0.55), (1e6, 0.64)] {
        let model = CompressiblePacking::new(index, fraction).unwrap();
        for sizes in ["mono:d=1", "mono:d=0.001"] {
            let found = model.packing_fraction(&classes(sizes));
            assert!((found - fraction).abs() < 1e-12, "{index}: {found}");
        }
        assert!((model.residual() - fraction * (1.0 + 1.0 / index)).abs() < 1e-15);
        assert!((model.virtual_density(&classes("equal")) - model.residual()).abs() < 1e-15);
    }
    let model = CompressiblePacking::default();
    assert_eq!(model, CompressiblePacking::new(9.0, 0.6435).unwrap());
    assert!((model.residual() - 0.715).abs() < 1e-12);
}

#[test]
fn packing_fractions_solve_the_published_equations() {
    for (index, fraction) in [(9.0, 0.6435), (4.75, 0.58)] {
        let model = CompressiblePacking::new(index, fraction).unwrap();
        for sizes in [
            "bidisperse:d_small=1,d_large=2,mass_small=0.3",
            "bidisperse:d_small=1,d_large=10,mass_small=0.25",
            "bidisperse:d_small=3,d_large=100,mass_small=0.7",
            "fuller-2011",
            "din-a16",
        ] {
            let classes = classes(sizes);
            let found = model.packing_fraction(&classes);
            let with_residual = classes.classes().iter();
            let with_residual: Vec<_> = with_residual
                .map(|&(d, y)| (d, y, model.residual()))
                .collect();
            let expected = evaluated(index, &with_residual);
            assert!(
                (found - expected).abs() < 1e-9,
                "{sizes}: {found}, {expected}"
            );
            assert!(found > fraction && found < model.virtual_density(&classes));
        }
    }
}

#[test]
fn an_infinite_size_ratio_gives_the_limit_of_furnas() {
    let model = CompressiblePacking::new(1e9, 0.64).unwrap();
    for small in [0.1, 0.2, 0.265, 0.3, 0.5, 0.8] {
        let classes = two_sizes(1e16, small);
        let (large_jam, small_jam) = (0.64 / (1.0 - small), 1.0 / (1.0 - small + small / 0.64));
        for found in [
            model.virtual_density(&classes),
            model.packing_fraction(&classes),
        ] {
            assert!(
                (found - large_jam.min(small_jam)).abs() < 1e-6,
                "{small}: {found}"
            );
        }
    }
}

#[test]
fn divided_classes_unite() {
    let model = CompressiblePacking::default();
    let whole = two_sizes(5.0, 0.3);
    let parts = [(whole.clone(), 0.4), (whole.clone(), 0.6)];
    let divided = VolumeClasses::blend(&parts);
    assert_eq!(divided.classes().len(), 4);
    for model in [PackingModel::Rods, PackingModel::Compressible] {
        let difference = model.packing_fraction(&whole) - model.packing_fraction(&divided);
        assert!(difference.abs() < 1e-6, "{model}: {difference}");
    }
    let difference = model.virtual_density(&whole) - model.virtual_density(&divided);
    assert!(difference.abs() < 1e-12);
}

#[test]
fn rods_of_classes_give_the_published_values() {
    // Farr & Groot 2009: maxima of two sizes, and Fuller curves.
    for (ratio, small, expected) in [
        (2.0, 0.28, 0.682),
        (3.0, 0.23, 0.730),
        (5.0, 0.20, 0.787),
        (10.0, 0.25, 0.827),
    ] {
        let found = PackingModel::Rods.packing_fraction(&two_sizes(ratio, small));
        assert!((found - expected).abs() < 6e-4, "{ratio}: {found}");
    }
    for (ratio, expected) in [(4, 0.691), (16, 0.778), (64, 0.858), (256, 0.915)] {
        let sizes = format!("fuller:d_min=1,d_max={ratio}");
        let found = PackingModel::Rods.packing_fraction(&classes(&sizes));
        assert!((found - expected).abs() < 6e-4, "{ratio}: {found}");
    }
}

#[test]
fn a_blend_has_the_classes_of_its_components() {
    let blend = classes("blend:(mono:d=1)=0.25,(mono:d=4)=0.75");
    for (found, expected) in blend.classes().iter().zip([(4.0, 0.75), (1.0, 0.25)]) {
        assert!(found.0 == expected.0 && (found.1 - expected.1).abs() < 1e-12);
    }
    // Three tenths of the mass, at twice the density, have less of the volume.
    let dense = classes("blend:(mono:d=1)@2=0.3,(mono:d=4)@1=0.7");
    let small = 0.15 / (0.15 + 0.7);
    assert!((dense.classes()[1].1 - small).abs() < 1e-12);
    let predicted = PackingPredictions::of(&dense);
    let expected = PackingPredictions::of(&two_sizes(4.0, small));
    assert!((predicted.rods - expected.rods).abs() < 1e-9);
    assert!((predicted.compressible - expected.compressible).abs() < 1e-9);
}

#[test]
fn impossible_processes_are_refused() {
    for (index, fraction, words) in [
        (0.0, 0.6, "compaction index K is 0"),
        (f64::NAN, 0.6, "compaction index K is NaN"),
        (f64::INFINITY, 0.6, "compaction index K is inf"),
        (9.0, 0.9, "below K / (K + 1) = 0.9"),
        (9.0, 0.0, "equal spheres is 0"),
        (9.0, f64::NAN, "equal spheres is NaN"),
    ] {
        let error = CompressiblePacking::new(index, fraction).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
    assert_eq!(
        CompressiblePacking::default().packing_fraction(&VolumeClasses::default()),
        0.0
    );
}
