//! Beds on the command line: `jostle pour`, `--supports`, and its checkpoints.

use std::{collections::BTreeMap, fs, path::Path};

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{
    directory::names_in,
    outcomes::{assert_code, assert_refused},
    program::{jostle, text},
};

/// Pours, and returns the JSON object that the program prints.
#[track_caller]
fn poured(directory: &Path, arguments: &str) -> Value {
    let output = jostle(directory, &format!("pour --json {arguments}"));
    assert_code(&output, 0);
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Reads the numbers of a table of comma-separated values, without its header.
fn rows(directory: &Path, name: &str) -> Vec<Vec<f64>> {
    let table = fs::read_to_string(directory.join(name)).unwrap();
    let row = |line: &str| line.split(',').map(|cell| cell.parse().unwrap()).collect();
    table.lines().skip(1).map(row).collect()
}

/// Computes heights, overlaps and supports of the written file in its own way.
#[test]
fn every_sphere_of_a_written_bed_rests_on_its_supports() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    let files = "-o bed.json -o bed.csv";
    let summary = poured(
        directory,
        &format!("uniform-size:d_min=0.6,d_max=1.4 --container cylinder:d=8 --height 8 {files}"),
    );
    assert_eq!(summary["stability"]["unsupported"], 0);
    assert_eq!(summary["max_overlap"], 0.0);
    let output = jostle(directory, "analyze bed.json --json --supports supports.csv");
    assert_code(&output, 0);
    let analysis: Value = serde_json::from_slice(&output.stdout).unwrap();

    let spheres: Vec<([f64; 3], f64)> = rows(directory, "bed.csv")
        .into_iter()
        .map(|row| ([row[1], row[2], row[3]], row[4]))
        .collect();
    let tops = spheres.iter().map(|(center, radius)| center[2] + radius);
    let height = tops.fold(0.0, f64::max);
    assert!((analysis["bed"]["height"].as_f64().unwrap() - height).abs() < 1e-12);
    assert!((7.0..=8.0).contains(&height), "{height}");

    let mut normals: BTreeMap<usize, Vec<[f64; 3]>> = BTreeMap::new();
    for row in rows(directory, "supports.csv") {
        let (id, normal) = (row[0] as usize, [row[2], row[3], row[4]]);
        let (center, radius) = spheres[id];
        let gap = if row[1] < 0.0 {
            // The floor, or the tube around its axis at 4, 4.
            let across = f64::hypot(center[0] - 4.0, center[1] - 4.0);
            center[2].min(4.0 - across) - radius
        } else {
            let (other, other_radius) = spheres[row[1] as usize];
            let apart: f64 = (0..3).map(|k| (center[k] - other[k]).powi(2)).sum();
            apart.sqrt() - radius - other_radius
        };
        assert!(gap.abs() < 1e-6, "sphere {id} has a support {gap} away");
        normals.entry(id).or_default().push(normal);
    }
    assert_eq!(normals.len(), spheres.len(), "a sphere has no support");
    for (id, normals) in normals {
        let slope = steepest_descent(&normals);
        assert!(slope < 1e-6, "sphere {id} can roll down a slope of {slope}");
    }
}

/// Returns the steepest way down, less than 0, among many directions that leave no support: the sine of its slope.
fn steepest_descent(normals: &[[f64; 3]]) -> f64 {
    let dot = |a: [f64; 3], b: [f64; 3]| (0..3).map(|k| a[k] * b[k]).sum::<f64>();
    let mut steepest: f64 = 0.0;
    for step in 0..20_000_u32 {
        // Points of a spiral on the lower half of the unit sphere.
        let z = -(f64::from(step) + 0.5) / 20_000.0;
        let (sin, cos) = (2.399_963 * f64::from(step)).sin_cos();
        let across = (1.0 - z * z).sqrt();
        let direction = [across * cos, across * sin, z];
        if normals.iter().all(|&normal| dot(direction, normal) >= 1e-9) {
            steepest = steepest.max(-z);
        }
    }
    steepest
}

#[test]
fn requests_that_cannot_be_poured_are_refused_with_one_sentence() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    for (arguments, words) in [
        ("mono:d=1 -n 10", &["--container or --box"][..]),
        (
            "mono:d=1 --container cylinder:d=5",
            &["-n, --height, --mass and --volume"],
        ),
        ("mono:d=1 -n 10 --container circle:d=5", &["holds disks"]),
        (
            "mono:d=1 -n 10 --container sphere:d=5",
            &["closed at its top", "sphere"],
        ),
        (
            "mono:d=1 -n 10 --container cone:d_bottom=5,d_top=0.5,h=5",
            &["closed at its top"],
        ),
        ("mono:d=9 -n 10 --container cylinder:d=5", &["diameter 9"]),
        (
            "mono:d=1 -n 10 --container cylinder:d=5,h=9 --keep-out sphere:d=2@2.5,2.5,6 --source 2.5,2.5,6",
            &["the source at 2.5, 2.5, 6", "body"],
        ),
        (
            "mono:d=1 --container cylinder:d=5,h=9 --height 12",
            &["12", "9"],
        ),
        (
            "mono:d=1 --container cylinder:d=5 --height 0.5",
            &["height", "0.5", "diameter 1"],
        ),
        (
            "mono:d=1 -n 10 --box 5,5,auto --boundary ppp",
            &["periodic"],
        ),
        ("mono:d=1 -n 10 --box 5,5,auto --order layers", &["blend"]),
        ("mono:d=1 --mass 10 --box 5,5,auto", &["--density"]),
        (
            "mono:d=1 -n 10 --box 5,5,auto --gravity down",
            &["unknown direction", "-z"],
        ),
        ("mono:d=1 -n 10 --box 5,5,auto --source 1,2", &["x,y,z"]),
        ("mono:d=1 -n 10 --box 5,5,auto --stop-angle 91", &["91"]),
        (
            "mono:d=1 -n 10 --box 5,5,auto --stop-angle -1",
            &["'-1'", "angle from 0 to 90 degrees"],
        ),
        (
            "mono:d=6 -n 10 --container cylinder:d=5 --dry-run",
            &["diameter 6", "5"],
        ),
        ("mono:d=1 -n 10 --height 3 --box 5,5,auto", &["--height"]),
    ] {
        assert_refused(directory, &format!("pour {arguments}"), words);
    }
}

/// `--density` multiplies the densities of a blend in the files, and so in a mass.
#[test]
fn a_mass_has_the_unit_of_the_densities_that_are_written() {
    let directory = TempDir::new().unwrap();
    let bed = "blend:(mono:d=1)@2000=0.5,(mono:d=2)@3000=0.5 --box 10,10,auto -o bed.json";
    let spheres = |mass: &str| {
        let run = poured(directory.path(), &format!("{bed} --mass {mass}"));
        run["spheres"].as_f64().unwrap()
    };
    // Half of the mass has the density 2000, and each of its spheres the volume π/6.
    let small = 0.5e6 / (2000.0 * std::f64::consts::FRAC_PI_6);
    let large = 0.5e6 / (3000.0 * 8.0 * std::f64::consts::FRAC_PI_6);
    let given = spheres("1e6");
    assert!((given - small - large).abs() < 2.0, "{given}");
    assert_eq!(spheres("1 --density 1e-6"), given);
}

#[test]
fn a_list_that_does_not_reach_its_height_is_written_with_a_sentence() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    fs::write(
        directory.join("list.csv"),
        "diameter\n".to_owned() + &"1\n".repeat(20),
    )
    .unwrap();
    let output = jostle(
        directory,
        "pour list.csv --container cylinder:d=5,h=20 --height 15",
    );
    assert_code(&output, 3);
    assert!(
        text(&output.stderr).contains("15"),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(names_in(directory), ["list.csv", "packing.json"]);
}

#[test]
fn packings_of_the_loop_have_no_supports() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    assert_code(
        &jostle(directory, "pack mono:d=1 -n 50 --effort quick -q"),
        0,
    );
    let words = ["--supports", "jostle pour"];
    assert_refused(directory, "analyze packing.json --supports s.csv", &words);
}

/// The command in the page makes the same bits again, and the page has a section for the bed.
#[test]
fn a_page_shows_the_bed_and_its_command() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    let request =
        "mono:d=1 -n 200 --container cylinder:d=6 --source 3,3,30 --source-diameter 2 --seed 3";
    poured(directory, &format!("{request} -o bed.json -o bed.html"));
    let page = fs::read_to_string(directory.join("bed.html")).unwrap();
    assert!(page.contains("<h2>Bed</h2>"));
    let command = page.split("<pre>").nth(1).unwrap();
    let command = command.split("</pre>").next().unwrap();
    let again = command.strip_prefix("jostle ").unwrap().replace('\'', "");
    assert_code(&jostle(directory, &format!("{again} -o again.json -q")), 0);
    let read = |name: &str| fs::read(directory.join(name)).unwrap();
    assert!(read("bed.json") == read("again.json"), "{command}");
}

/// An interrupted deposition and a killed one continue, and end with the bits of an undisturbed one.
#[cfg(unix)]
#[test]
fn killed_depositions_continue_with_the_same_bits() {
    use std::{
        process::{Command, Stdio},
        thread::sleep,
        time::Duration,
    };

    const RUN: &str = "pour uniform-size:d_min=0.5,d_max=1 -n 20000 --container cylinder:d=20 --taps 1 --quiet -o made.json";
    let expected = TempDir::new().unwrap();
    assert_code(&jostle(expected.path(), RUN), 0);
    let directory = TempDir::new().unwrap();
    let checkpoint = directory.path().join("run.checkpoint");
    let mut arguments = format!("{RUN} --checkpoint run.checkpoint --checkpoint-every 0.001s");
    let mut kills = 0;
    for wait in [5, 80, 25, 50, 0] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_jostle"))
            .current_dir(directory.path())
            .args(arguments.split(' '))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while !checkpoint.exists() && child.try_wait().unwrap().is_none() {
            sleep(Duration::from_millis(1));
        }
        sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        if child.wait().unwrap().success() {
            break;
        }
        kills += 1;
        "resume run.checkpoint --checkpoint-every 0.001s --quiet".clone_into(&mut arguments);
    }
    assert!(kills >= 2, "{kills} kills");
    if checkpoint.exists() {
        let words = ["--seed", "'jostle pack'"];
        assert_refused(directory.path(), "resume run.checkpoint --seed 5", &words);
        assert_code(
            &jostle(directory.path(), "resume run.checkpoint --quiet"),
            0,
        );
    }
    let read = |directory: &TempDir| fs::read(directory.path().join("made.json")).unwrap();
    assert!(read(&directory) == read(&expected), "the bed differs");
    assert_eq!(names_in(directory.path()), ["made.json"], "leftovers");
}

#[test]
fn a_dry_run_shows_numbers_and_writes_nothing() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    let run = poured(
        directory,
        "mono:d=1 -n 3000 --container cylinder:d=12 --dry-run",
    );
    assert_eq!(run["spheres"], 3000.0);
    assert!(run["memory"].as_f64().unwrap() > 1e7 && run["seconds"].as_f64().unwrap() > 0.0);
    assert_eq!(run["container"], Value::Null);
    // Half of the volume of the vessel up to the height, in spheres of volume π/6.
    let run = poured(
        directory,
        "mono:d=1 --box 10,10,50 --height 20 --fraction 0.6 --dry-run",
    );
    let full = 10.0 * 10.0 * 20.0 / std::f64::consts::FRAC_PI_6;
    let share = run["spheres"].as_f64().unwrap() / full;
    assert!((0.7..0.9).contains(&share), "{share}");
    assert_eq!(run["requested_packing_fraction"], 0.6);
    let output = jostle(
        directory,
        "pour mono:d=1 -n 3000 --container cylinder:d=12 --dry-run",
    );
    let text = text(&output.stdout);
    assert!(
        text.contains("memory") && text.contains("time") && !text.contains("expected"),
        "{text}"
    );
    assert!(names_in(directory).is_empty());
}
