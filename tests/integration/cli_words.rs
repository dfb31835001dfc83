//! The words around the work: short and long help, completions, manual pages, colors, suggestions and comparisons of efforts.

use std::fs;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{
    directory::names_in,
    outcomes::{assert_code, assert_refused},
    program::{jostle, text},
};

/// Each subcommand that has help of its own.
const SUBCOMMANDS: [&str; 11] = [
    "pack", "pour", "resume", "sizes", "blend", "check", "analyze", "convert", "report", "plot",
    "render",
];

#[test]
fn the_short_help_is_shorter_and_has_an_example() {
    let directory = TempDir::new().unwrap();
    for subcommand in SUBCOMMANDS {
        let [short, long] = ["-h", "--help"].map(|option| {
            let output = jostle(directory.path(), &format!("{subcommand} {option}"));
            assert_code(&output, 0);
            text(&output.stdout).to_owned()
        });
        assert!(short.contains("\nExample:\n"), "{subcommand}: {short}");
        assert!(
            long.contains(&format!("  jostle {subcommand}")),
            "{subcommand}: {long}"
        );
        let [short, long] = [short, long].map(|text| text.lines().count());
        assert!(
            3 * short < 2 * long,
            "{subcommand}: {short} of {long} lines"
        );
    }
    let short = jostle(directory.path(), "pack -h");
    let short = text(&short.stdout);
    for group in ["Sizes", "Container", "Density", "Run", "Output"] {
        assert!(short.contains(&format!("\n{group}:\n")), "{short}");
    }
    assert!(short.lines().count() <= 100, "{short}");
}

#[test]
fn shells_and_readers_of_manuals_learn_all_subcommands() {
    let directory = TempDir::new().unwrap();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = jostle(directory.path(), &format!("completions {shell}"));
        assert_code(&output, 0);
        let script = text(&output.stdout);
        for word in ["render", "keep-out", "compare-efforts"] {
            assert!(script.contains(word), "{shell} lacks {word}");
        }
    }
    let output = jostle(directory.path(), "man pages");
    assert_code(&output, 0);
    let pages = names_in(&directory.path().join("pages"));
    for subcommand in SUBCOMMANDS {
        assert!(
            pages.contains(&format!("jostle-{subcommand}.1")),
            "{pages:?}"
        );
    }
    let page = fs::read_to_string(directory.path().join("pages/jostle-pack.1")).unwrap();
    assert!(page.starts_with(".ie") && page.contains("keep\\-out"));
}

#[test]
fn colors_follow_the_choice() {
    let directory = TempDir::new().unwrap();
    let stderr = |arguments: &str, variable: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_jostle"))
            .current_dir(directory.path())
            .env("NO_COLOR", variable)
            .args(arguments.split(' '))
            .output()
            .unwrap();
        text(&output.stderr).to_owned()
    };
    // No terminal: no color by default.
    assert!(stderr("check missing.json", "").starts_with("error:"));
    for variable in ["", "1"] {
        let colored = stderr("check missing.json --color always", variable);
        assert!(colored.starts_with("\x1b[1;31merror:\x1b[0m "), "{colored}");
        assert!(stderr("--color=never check missing.json", variable).starts_with("error:"));
    }
    assert!(stderr("check --color sometimes x.json", "").contains("sometimes"));
}

#[test]
fn near_misses_of_names_have_suggestions() {
    let directory = TempDir::new().unwrap();
    for (arguments, suggestion) in [
        ("pack lognorml:d50=1,sigma=0.2", "did you mean lognormal?"),
        ("pack concret", "did you mean concrete?"),
        (
            "pack mono:d=1 --index lose-octree",
            "did you mean loose-octree?",
        ),
        (
            "convert a.json b.x --format lamps-data",
            "did you mean lammps-data?",
        ),
        ("render a.json --color-by contact", "--color"),
    ] {
        assert_refused(directory.path(), arguments, &[suggestion]);
    }
}

#[test]
fn every_json_object_names_the_program() {
    let directory = TempDir::new().unwrap();
    let program = format!("jostle {}", env!("CARGO_PKG_VERSION"));
    let packed = "pack mono:d=1 -n 40 --effort quick -o a.json --json";
    for arguments in [
        packed,
        "check a.json --json",
        "analyze a.json --json",
        "sizes concrete --json",
        "tune concrete --json",
        "pack mono:d=1 --dry-run --json",
        "blend --densest mono:d=1 mono:d=5 --json",
    ] {
        let output = jostle(directory.path(), arguments);
        assert_code(&output, 0);
        let object: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(object["program"], program, "{arguments}");
    }
    let presets = jostle(directory.path(), "sizes --json");
    let presets: Vec<Value> = serde_json::from_slice(&presets.stdout).unwrap();
    assert!(presets.iter().all(|preset| preset["program"] == program));
    assert_code(&jostle(directory.path(), "analyze a.json -q -o b.json"), 0);
    let saved: Value =
        serde_json::from_slice(&fs::read(directory.path().join("b.json")).unwrap()).unwrap();
    assert_eq!(saved["file"], "a.json");
    assert_eq!(saved["unit"], "");
    assert_eq!(saved["program"], program);
}

#[test]
fn a_quiet_command_prints_nothing() {
    let directory = TempDir::new().unwrap();
    for arguments in [
        "pack mono:d=1 -n 40 --effort quick -o a.json -q",
        "check a.json -q",
        "analyze a.json -q",
        "convert a.json a.csv -q",
        "plot a.json -q -o a.svg",
        "render a.json -q --side 32 -o a.png",
    ] {
        let output = jostle(directory.path(), arguments);
        assert_code(&output, 0);
        assert!(
            output.stdout.is_empty() && output.stderr.is_empty(),
            "{arguments}"
        );
    }
}

#[test]
fn efforts_are_compared_over_seeds() {
    let directory = TempDir::new().unwrap();
    let request = "pack mono:d=1 -n 200 --threads 1";
    let output = jostle(
        directory.path(),
        &format!("{request} --compare-efforts 3 --json"),
    );
    assert_code(&output, 0);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    for (number, effort) in ["quick", "normal", "thorough"].into_iter().enumerate() {
        let fractions: Vec<f64> = (1..=3)
            .map(|seed| {
                let arguments = format!(
                    "{request} --effort {effort} --seed {seed} --json -o {effort}{seed}.json"
                );
                let run = jostle(directory.path(), &arguments);
                let run: Value = serde_json::from_slice(&run.stdout).unwrap();
                run["packing_fraction"].as_f64().unwrap()
            })
            .collect();
        let mean = fractions.iter().sum::<f64>() / 3.0;
        let squares: f64 = fractions.iter().map(|value| (value - mean).powi(2)).sum();
        let row = &found["efforts"][number]["packing_fraction"];
        assert!((row["mean"].as_f64().unwrap() - mean).abs() < 1e-12);
        assert!((row["error"].as_f64().unwrap() - (squares / 6.0).sqrt()).abs() < 1e-12);
    }
    let table = jostle(directory.path(), &format!("{request} --compare-efforts 2"));
    let table = text(&table.stdout);
    assert_eq!(table.lines().count(), 5, "{table}");
    assert!(table.contains(" ± "), "{table}");
}
