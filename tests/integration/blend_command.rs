//! `jostle blend`: shares that fit a target, the densest shares, and maps.

use std::{fs, path::Path};

use jostle::{
    SizeSpec,
    distribution::{SizeDistribution, compared_sizes},
};
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{
    outcomes::{assert_code, assert_refused},
    program::{jostle, text},
};

/// Writes three sieve curves: a sand, a gravel and a coarse gravel.
fn folder() -> TempDir {
    let directory = TempDir::new().unwrap();
    for (name, passing) in [
        ("sand", "[[0.125, 0], [0.5, 40], [2, 90], [4, 100]]"),
        ("gravel", "[[2, 0], [4, 30], [8, 100]]"),
        ("coarse", "[[4, 0], [8, 20], [16, 100]]"),
    ] {
        let law = format!("{{\"sieve\": {{\"interpolation\": \"log\", \"passing\": {passing}}}}}");
        write(directory.path(), name, "mm", &law);
    }
    directory
}

fn write(directory: &Path, name: &str, unit: &str, law: &str) {
    let file = format!(
        "{{\"schema\": 1, \"name\": \"{name}\", \"unit\": \"{unit}\", \"source\": \"test\", \"law\": {law}}}"
    );
    fs::write(directory.join(format!("{name}.json")), file).unwrap();
}

#[track_caller]
fn object(directory: &Path, arguments: &str) -> Value {
    let output = jostle(directory, &format!("blend --json {arguments}"));
    assert_code(&output, 0);
    serde_json::from_slice(&output.stdout).unwrap()
}

fn shares(choice: &Value) -> Vec<f64> {
    let components = choice["components"].as_array().unwrap().iter();
    let share = |component: &Value| component["share"].as_f64().unwrap();
    components.map(share).collect()
}

#[test]
fn the_shares_of_a_known_blend_are_found() {
    let directory = folder();
    let known = "blend:sand.json=0.35,gravel.json=0.2,coarse.json=0.45";
    let choice = object(
        directory.path(),
        &format!("--target {known} --sieves 0.25,0.5,1,2,4,8,16 sand.json gravel.json coarse.json"),
    );
    for (found, expected) in shares(&choice).iter().zip([0.35, 0.2, 0.45]) {
        assert!((found - expected).abs() < 1e-4, "{choice}");
    }
    assert!(choice["largest_difference"].as_f64().unwrap() < 1e-4);
    assert_eq!(choice["blend"], known);
    assert_eq!(choice["unit"], "mm");
    // The text is a size distribution of the other commands.
    let output = jostle(
        directory.path(),
        &format!("sizes {}", choice["blend"].as_str().unwrap()),
    );
    assert_code(&output, 0);
}

#[test]
fn no_shares_of_a_grid_fit_better() {
    let directory = folder();
    let path = |name: &str| {
        let file = directory.path().join(format!("{name}.json"));
        SizeSpec::load(file.to_str().unwrap()).unwrap().distribution
    };
    let parts = ["sand", "gravel", "coarse"].map(path);
    let target = SizeSpec::load("din-a16").unwrap().distribution;
    let sizes = compared_sizes(&target);
    assert!(
        matches!(&target, SizeDistribution::Sieve(curve) if curve.passing().len() == sizes.len())
    );
    let misfit = |shares: [f64; 3]| -> f64 {
        let at = |&d: &f64| {
            let blend: f64 = parts
                .iter()
                .zip(shares)
                .map(|(p, s)| s * p.mass_cdf(d))
                .sum();
            (blend - target.mass_cdf(d)).powi(2)
        };
        sizes.iter().map(at).sum()
    };
    let choice = object(
        directory.path(),
        "--target din-a16 sand.json gravel.json coarse.json",
    );
    let found: [f64; 3] = shares(&choice).try_into().unwrap();
    assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    let least = misfit(found);
    for first in 0..=50 {
        for second in 0..=50 - first {
            let [a, b] = [first, second].map(|k| f64::from(k) / 50.0);
            assert!(misfit([a, b, 1.0 - a - b]) > least - 1e-9, "{a}, {b}");
        }
    }
    let curve = choice["curve"].as_array().unwrap();
    assert_eq!(curve.len(), sizes.len());
    let differences = curve.iter().map(|row| {
        let share = |column: usize| row[column].as_f64().unwrap();
        (share(1) - share(2)).abs()
    });
    let largest = choice["largest_difference"].as_f64().unwrap();
    assert!((differences.fold(0.0, f64::max) - largest).abs() < 1e-15);
}

#[test]
fn a_component_that_does_not_help_is_left_out() {
    let directory = folder();
    let output = jostle(
        directory.path(),
        "blend --target gravel.json sand.json gravel.json (mono:d=16)",
    );
    assert_code(&output, 0);
    let printed = text(&output.stdout);
    assert!(printed.contains("blend:gravel.json=1\n"), "{printed}");
    assert!(printed.contains("largest difference 0.00 %"), "{printed}");
    assert!(printed.contains("by the rods of Farr & Groot"), "{printed}");
}

#[test]
fn tables_of_sieves_are_components() {
    let directory = folder();
    let table = "Size [mm];Passing [%]\n8;100\n4;30\n2;0\n";
    fs::write(directory.path().join("table.csv"), table).unwrap();
    let target = "--target blend:sand.json=0.4,gravel.json=0.6 sand.json";
    let [usual, from_table] = ["gravel.json", "table.csv"]
        .map(|file| shares(&object(directory.path(), &format!("{target} {file}"))));
    for ((a, b), expected) in usual.iter().zip(from_table).zip([0.4, 0.6]) {
        assert!(
            (a - b).abs() < 1e-6 && (a - expected).abs() < 1e-4,
            "{a}, {b}"
        );
    }
}

#[test]
fn units_of_components_and_target_may_differ() {
    let directory = folder();
    let law = "{\"sieve\": {\"interpolation\": \"log\", \"passing\": [[4000, 0], [8000, 20], [16000, 100]]}}";
    write(directory.path(), "fine-unit", "µm", law);
    let files = "sand.json gravel.json";
    let usual = object(
        directory.path(),
        &format!("--target coarse.json {files} coarse.json"),
    );
    let other = object(
        directory.path(),
        &format!("--target fine-unit.json {files} fine-unit.json"),
    );
    assert_eq!(other["unit"], "mm");
    assert_eq!(other["curve"].as_array().unwrap().len(), 3);
    for (a, b) in shares(&usual).iter().zip(shares(&other)) {
        assert!((a - b).abs() < 1e-6);
    }
    assert!((shares(&other)[2] - 1.0).abs() < 1e-6);
}

#[test]
fn the_densest_shares_are_those_of_the_published_maximum() {
    // Farr & Groot 2009: at a ratio of 5, the maximum is 0.787 at a fifth of small spheres.
    let directory = TempDir::new().unwrap();
    let choice = object(directory.path(), "--densest mono:d=1 mono:d=5");
    assert!((shares(&choice)[0] - 0.2).abs() < 0.01, "{choice}");
    assert!((choice["predicted"]["rods"].as_f64().unwrap() - 0.787).abs() < 1.5e-3);
    // The other model has its maximum elsewhere. Densities change the shares of the mass.
    let other = object(directory.path(), "--densest=compressible mono:d=1 mono:d=5");
    let largest = other["predicted"]["compressible"].as_f64().unwrap();
    let mass = shares(&other)[0];
    for step in -2..=2 {
        let small = (mass + 0.05 * f64::from(step)).clamp(0.01, 0.99);
        let at = format!(
            "--target blend:(mono:d=1)={small},(mono:d=5)={} mono:d=1 mono:d=5",
            1.0 - small
        );
        let beside = object(directory.path(), &at);
        assert!(
            beside["predicted"]["compressible"].as_f64().unwrap() < largest + 1e-6,
            "{small}"
        );
    }
    let dense = object(directory.path(), "--densest (mono:d=1)@3 (mono:d=5)@1");
    let volume = shares(&choice)[0];
    let expected = 3.0 * volume / (3.0 * volume + 1.0 - volume);
    assert!((shares(&dense)[0] - expected).abs() < 3e-3, "{dense}");
    let by_volume = object(
        directory.path(),
        "--densest --by volume (mono:d=1)@3 (mono:d=5)@1",
    );
    assert!((shares(&by_volume)[0] - volume).abs() < 3e-3);
    assert!(by_volume["blend"].as_str().unwrap().ends_with(",by=volume"));
}

#[test]
fn a_map_has_every_composition_and_a_picture() {
    let directory = TempDir::new().unwrap();
    let output = jostle(
        directory.path(),
        "blend --map 2 -n 150 -o map.svg --json mono:d=1 mono:d=1.5 mono:d=2",
    );
    assert_code(&output, 0);
    let map: Value = serde_json::from_slice(&output.stdout).unwrap();
    let points = map["points"].as_array().unwrap();
    assert_eq!(points.len(), 6);
    for point in points {
        let measured = point["measured"].as_f64().unwrap();
        let rods = point["predicted"]["rods"].as_f64().unwrap();
        assert!((measured - rods).abs() < 0.08, "{point}");
    }
    let svg = fs::read_to_string(directory.path().join("map.svg")).unwrap();
    assert!(is_complete(&svg));
    for word in [
        "measured",
        "rods of Farr &amp; Groot",
        "compressible packing model",
        "mono:d=2",
    ] {
        assert!(svg.contains(word), "{word}");
    }
    assert_eq!(svg.matches("<circle").count(), 3 * 6);
    let table = jostle(directory.path(), "blend --map 4 mono:d=1 mono:d=2");
    assert_code(&table, 0);
    let rows: Vec<&str> = text(&table.stdout).lines().collect();
    assert_eq!(
        rows[0],
        "mono:d=1,mono:d=2,rods of Farr & Groot,compressible packing model"
    );
    assert_eq!(rows.len(), 6);
    assert!(rows[1].starts_with("0,1,0.6435,0.6435"), "{}", rows[1]);
}

/// Returns whether a text has as many ends of groups as beginnings, and one end of the document.
fn is_complete(svg: &str) -> bool {
    svg.matches("<g ").count() == svg.matches("</g>").count() && svg.ends_with("</svg>\n")
}

#[test]
fn requests_without_an_answer_are_refused() {
    let directory = folder();
    for (arguments, words) in [
        ("blend --target din-a16 sand.json", vec!["2"]),
        (
            "blend sand.json gravel.json",
            vec!["--target", "--densest", "--map"],
        ),
        (
            "blend --target din-a16 --sieves 0 sand.json gravel.json",
            vec!["--sieves", "above 0"],
        ),
        (
            "blend --target nothing sand.json gravel.json",
            vec!["nothing", "preset"],
        ),
        (
            "blend --densest=best sand.json gravel.json",
            vec!["best", "rods"],
        ),
        (
            "blend --densest sand.json missing.json",
            vec!["missing.json"],
        ),
        (
            "blend --target din-a16 sand.json sand.json",
            vec!["label", "sand"],
        ),
        (
            "blend --target din-a16 --sieves 64 sand.json gravel.json",
            vec!["agree", "0.125", "8"],
        ),
        (
            "blend --map 2 sand.json gravel.json coarse.json equal",
            vec!["components is 4", "2 to 3"],
        ),
        ("blend --map 0 sand.json gravel.json", vec!["0 steps"]),
        (
            "blend --map 2 -o sand.json sand.json gravel.json",
            vec!["sand.json"],
        ),
        (
            "blend --target cement sand.json@2 gravel.json",
            vec!["density"],
        ),
    ] {
        let words: Vec<&str> = words;
        assert_refused(directory.path(), arguments, &words);
    }
}
