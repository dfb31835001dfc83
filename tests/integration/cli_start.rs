//! `--start`, `--dry-run`, and lengths, fractions and times as people write them.

use std::{fs, path::Path};

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{
    directory::names_in,
    outcomes::{assert_code, assert_refused, packed},
    program::{jostle, text},
};

/// Packs with little effort, and returns the JSON object that the program prints.
#[track_caller]
fn packed_quickly(directory: &Path, arguments: &str) -> Value {
    packed(directory, &format!("--effort quick {arguments}"))
}

/// Rows of numbers of a table without its header.
fn rows(directory: &Path, name: &str) -> Vec<Vec<f64>> {
    let text = fs::read_to_string(directory.join(name)).unwrap();
    let row = |line: &str| {
        line.split(',')
            .map(|field| field.parse().unwrap())
            .collect()
    };
    text.lines().skip(1).map(row).collect()
}

fn read(directory: &Path, name: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(directory.join(name)).unwrap()).unwrap()
}

#[test]
fn a_packing_starts_at_the_positions_of_a_file() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    packed_quickly(
        directory,
        "mono:d=2 -n 150 --fraction 0.3 --boundary www -o loose.json -o loose.csv",
    );
    let before = rows(directory, "loose.csv");
    let side = read(directory, "loose.json")["container"]["lengths"][0]
        .as_f64()
        .unwrap();
    for (start, file) in [
        ("loose.json".to_owned(), "a"),
        (
            format!("loose.csv --start-container box:lx={side},ly={side},lz={side} --boundary www"),
            "b",
        ),
        (format!("loose.csv --box {side} --boundary www"), "c"),
    ] {
        let summary = packed_quickly(
            directory,
            &format!("--start {start} -o {file}.json -o {file}.csv"),
        );
        assert_eq!(summary["status"], "fraction-reached", "{start}");
        assert_eq!(summary["spheres"], 150);
        let moved = rows(directory, &format!("{file}.csv"));
        for (old, new) in before.iter().zip(&moved) {
            let far = (1..4).any(|k| (old[k] - new[k]).abs() > 1e-6 * side);
            assert!(!far && old[4] == new[4], "{start}: {old:?} {new:?}");
        }
        let provenance = &read(directory, &format!("{file}.json"))["provenance"];
        let name = start.split(' ').next().unwrap();
        assert_eq!(provenance["start"], name);
        assert_eq!(provenance["sampling"], Value::Null);
    }
    let dense = packed_quickly(
        directory,
        "--start loose.json --porosity 55% --scale-sizes 1.5 -o d.json",
    );
    assert!((dense["packing_fraction"].as_f64().unwrap() - 0.45).abs() < 1e-6);
    assert_eq!(dense["sizes"]["d_max"], 3.0);
    let densest = packed_quickly(directory, "--start loose.json --densest -o e.json");
    assert_eq!(densest["status"], "converged");
    assert_code(&jostle(directory, "check e.json"), 0);
}

#[test]
fn a_run_from_a_start_continues_from_its_checkpoint() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    packed_quickly(directory, "mono:d=1 -n 150 --fraction 0.4 -o loose.json");
    let request = "--start loose.json --fraction 0.6 --seed 4";
    packed_quickly(directory, &format!("{request} -o whole.csv"));
    let limited = format!(
        "pack --effort quick {request} --time-limit 1e-6 --checkpoint run.checkpoint -o part.csv -q"
    );
    jostle(directory, &limited);
    assert_refused(
        directory,
        "resume run.checkpoint --start other.json",
        &["--start other.json contradicts"],
    );
    let resumed = jostle(
        directory,
        "resume run.checkpoint --time-limit 1h --start loose.json -o rest.csv -q",
    );
    assert_code(&resumed, 0);
    let [whole, rest] =
        ["whole.csv", "rest.csv"].map(|name| fs::read(directory.join(name)).unwrap());
    assert_eq!(whole, rest);
}

#[test]
fn lengths_have_units_if_the_sizes_have_one() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    // The preset is in mm.
    let request = "din-a16 -n 40 --fraction 0.05";
    packed_quickly(directory, &format!("{request} --min-gap 0.1 -o plain.csv"));
    packed_quickly(directory, &format!("{request} --min-gap 100um -o unit.csv"));
    let [plain, unit] =
        ["plain.csv", "unit.csv"].map(|name| fs::read(directory.join(name)).unwrap());
    assert_eq!(plain, unit);
    for lengths in ["150mm", "15cm", "0.15m", "150", "150mm,15cm,0.15m"] {
        let summary = packed_quickly(
            directory,
            &format!("din-a16 -n 40 --box {lengths} -o box.csv"),
        );
        assert_eq!(
            summary["container"]["lengths"],
            serde_json::json!([150.0, 150.0, 150.0]),
            "{lengths}"
        );
    }
    let summary = packed_quickly(
        directory,
        "din-a16 -n 40 --container cylinder:d=15cm,h=0.2m,axis=y -o drum.json",
    );
    assert_eq!(
        summary["container"]["lengths"],
        serde_json::json!([150.0, 200.0, 150.0])
    );
    assert_code(&jostle(directory, "check drum.json"), 0);
    for (arguments, words) in [
        (
            "pack mono:d=1 -n 9 --box 15cm",
            ["'15cm' has a unit", "the sizes have none"],
        ),
        (
            "pack mono:d=1 -n 9 --min-gap 1mm",
            ["'1mm' has a unit", "the unit of the diameters"],
        ),
        ("pack din-a16 -n 9 --box 15ell", ["15ell", "--box"]),
        ("pack din-a16 -n 9 --box -1cm", ["--box", "positive"]),
    ] {
        assert_refused(directory, arguments, &words);
    }
}

#[test]
fn one_length_may_follow_from_the_number() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    let bed = packed_quickly(
        directory,
        "mono:d=1 -n 200 --box 5,auto,6 --fraction 50% -o bed.json",
    );
    let lengths = bed["container"]["lengths"].as_array().unwrap();
    assert_eq!(
        (lengths[0].as_f64(), lengths[2].as_f64()),
        (Some(5.0), Some(6.0))
    );
    let height = 200.0 * std::f64::consts::PI / 6.0 / 0.5 / 30.0;
    assert!((lengths[1].as_f64().unwrap() - height).abs() < 1e-9);
    let tube = packed_quickly(
        directory,
        "mono:d=1 -n 100 --container cylinder:d=5,h=auto --fraction 0.5 -o tube.json",
    );
    assert_eq!(tube["container"]["d"], 5.0);
    assert_refused(directory, "pack --box 30,30,auto", &["auto", "--number"]);
    assert_refused(directory, "pack -n 9 --box auto", &["--box", "20,20,40"]);
}

#[test]
fn a_length_too_short_for_the_largest_sphere_names_its_causes() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    // At packing fraction 0.5, ten spheres of diameter 1 take a volume of 10.47, and ten disks an area of 15.71.
    for (request, words) in [
        ("--box 7,auto,3", ["ly", "0.4987", "1,", "21 spheres"]),
        (
            "--box 3,7,auto --boundary ppw",
            ["lz", "0.4987", "1,", "21 spheres"],
        ),
        (
            "--box 3,7,auto --boundary ppw --wall-gap 0.3",
            ["lz", "0.4987", "1.6,", "33 spheres"],
        ),
        (
            "--container cylinder:d=8,h=auto",
            ["h", "0.2083", "1,", "about 4"],
        ),
        (
            "--container cylinder:d=8,axis=x --boundary p --min-gap 0.2",
            ["h", "0.2083", "1.2,", "58 spheres"],
        ),
        (
            "--container rectangle:lx=auto,ly=40",
            ["lx", "0.3927", "1,", "26 spheres"],
        ),
    ] {
        let message = ["largest sphere", "gaps included", "--number", "--cut-above"];
        let words = [&words[..], &message].concat();
        let arguments = format!("pack mono:d=1 -n 10 --fraction 0.5 {request}");
        assert_refused(directory, &arguments, &words);
    }
    let layer = "mono:d=1 -n 30 --box 7,9,auto --boundary pww -o layer.json";
    assert_refused(
        directory,
        &format!("pack {layer} --fraction 0.5"),
        &["0.4987", "61 spheres"],
    );
    packed_quickly(directory, &layer.replace("auto", "1.5"));
}

#[test]
fn a_dry_run_tells_the_numbers_and_packs_nothing() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    let output = jostle(
        directory,
        "pack mono:d=1 --box 20 --fraction 0.7 --effort quick --dry-run --json",
    );
    assert_code(&output, 0);
    let numbers: Value = serde_json::from_slice(&output.stdout).unwrap();
    let spheres = 0.7 * 8000.0 / (std::f64::consts::PI / 6.0);
    assert!((numbers["spheres"].as_f64().unwrap() - spheres).abs() <= 1.0);
    assert_eq!(numbers["requested_packing_fraction"], 0.7);
    let expected = numbers["expected_packing_fraction"].as_f64().unwrap();
    assert!((0.6..0.65).contains(&expected), "{expected}");
    assert!(
        numbers["memory"].as_f64().unwrap() > 1e6 && numbers["seconds"].as_f64().unwrap() > 0.0
    );
    assert!(
        numbers["warning"]
            .as_str()
            .unwrap()
            .contains("may be out of reach")
    );
    let output = jostle(directory, "pack mono:d=1 -n 100 --effort quick --dry-run");
    assert_code(&output, 0);
    let shown = text(&output.stdout);
    for words in [
        "spheres           100",
        "memory",
        "expected          0.6",
        "the densest packing",
        "time",
    ] {
        assert!(shown.contains(words), "{shown}");
    }
    // The refusal of a request has the same estimate of its memory.
    let dry = jostle(directory, "pack concrete -n 1e12 --dry-run");
    let dry = text(&dry.stdout);
    let memory = dry.lines().find(|line| line.starts_with("memory")).unwrap();
    let refusal = jostle(directory, "pack concrete -n 1e12");
    assert_code(&refusal, 2);
    let refusal = text(&refusal.stderr);
    let amount = memory.split_once("about ").unwrap().1.split(',').next();
    let expected = format!("need about {} of memory", amount.unwrap());
    assert!(refusal.contains(&expected), "{refusal}{memory}");
    assert_eq!(names_in(directory), Vec::<String>::new());
}

/// A dry run draws the diameters, and refuses what the run refuses, with the same sentence.
#[test]
fn a_dry_run_refuses_spheres_that_do_not_fit() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    for request in [
        "concrete -n 500 --box 70,90,auto",
        "mono:d=5 -n 10 --box 4,9,9",
        "mono:d=1 -n 10 --container cylinder:d=0.5,h=3",
    ] {
        let [run, dry] = ["", " --dry-run"].map(|option| {
            let output = jostle(directory, &format!("pack {request}{option}"));
            assert_code(&output, 2);
            text(&output.stderr).to_owned()
        });
        assert_eq!(run, dry);
    }
    let output = jostle(directory, "pack mono:d=1 -n 50 --jam --dry-run");
    let shown = text(&output.stdout);
    assert!(shown.contains("without the jamming"), "{shown}");
    assert_eq!(names_in(directory), Vec::<String>::new());
}

#[test]
fn a_request_that_is_expected_to_fail_warns_at_once() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    let warning = "warning: the request needs packing fraction 0.7000";
    for (arguments, warns) in [
        ("--fraction 0.7", true),
        ("--fraction 0.55", false),
        ("--fraction 0.7 -q", false),
    ] {
        let output = jostle(
            directory,
            &format!("pack mono:d=1 -n 60 --effort quick {arguments} -o a.json"),
        );
        let error = text(&output.stderr);
        assert_eq!(error.starts_with(warning), warns, "{arguments}: {error}");
    }
}

#[test]
fn fixed_spheres_are_moved_and_cropped() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    let table = "x,y,z,radius\n1,1,1,0.5\n4,2,2,0.5\n7.8,2,2,0.5\n";
    fs::write(directory.join("part.csv"), table).unwrap();
    let request = "mono:d=0.8 -n 20 --box 8 --boundary www --fixed part.csv";
    assert_refused(directory, &format!("pack {request}"), &["crosses a wall"]);
    let summary = packed_quickly(
        directory,
        &format!("{request} --fixed-at 0.5,0,3 --fixed-crop -o a.csv"),
    );
    assert_eq!(summary["fixed"], 2);
    let found: Vec<Vec<f64>> = rows(directory, "a.csv")[20..].to_vec();
    assert_eq!(found[0][1..5], [1.5, 1.0, 4.0, 0.5]);
    assert_eq!(found[1][1..5], [4.5, 2.0, 5.0, 0.5]);
    assert_refused(
        directory,
        &format!("pack {request} --fixed-at 1,2"),
        &["--fixed-at has 2 numbers; 3 are expected"],
    );
}

#[test]
fn bad_starts_are_refused() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    packed_quickly(
        directory,
        "mono:d=1 -n 20 --fraction 0.2 -o loose.json -o loose.csv",
    );
    for (arguments, words) in [
        ("--start loose.csv", ["container", "--box"]),
        ("--start missing.json", ["missing.json", "missing.json"]),
        (
            "mono:d=1 --start loose.json",
            ["--start", "cannot be used with"],
        ),
        (
            "--start loose.json -n 5",
            ["the number of spheres is 5", "20 diameters"],
        ),
        (
            "--start loose.json --box 9 --fraction 0.2",
            ["given together", "--fraction"],
        ),
        (
            "--start loose.json --scale-sizes 0",
            ["--scale-sizes", "above 0"],
        ),
        (
            "--start loose.csv --start-container sphere",
            ["no size", "--start-container"],
        ),
        (
            "--start loose.csv --container cylinder:d=9,h=auto",
            ["cylinder:d=9,h=auto has no size", "--start-container"],
        ),
        (
            "--start loose.csv --box 4 --boundary www --start-origin 10,10,10",
            ["outside of the container", "sphere"],
        ),
        ("--densest", ["--start", "required"]),
        (
            "--start loose.json --fraction 0.2 --porosity 0.8",
            ["--porosity", "cannot be used with"],
        ),
    ] {
        assert_refused(directory, &format!("pack {arguments} -o out.json"), &words);
    }
}

/// A list of centers, as of a pebble bed: some pebbles overlap, and one crosses the floor.
#[test]
fn a_bed_starts_from_centers_and_one_diameter() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    let centers = "0,0,-4.6\n1.02,0.05,-4.45\n-0.97,0.1,-4.48\n0.1,1.01,-4.5\n0.02,-0.9,-4.42\n";
    fs::write(directory.join("centers.csv"), centers).unwrap();
    let request =
        "--start centers.csv --diameter 1 --container cylinder:d=6,h=10 --start-origin=-3,-3,-5";
    let summary = packed_quickly(directory, &format!("{request} -o bed.json -o bed.csv"));
    assert_eq!(summary["max_overlap"], 0.0);
    assert_eq!(summary["container"]["h"], 10.0);
    let found = rows(directory, "bed.csv");
    for (line, row) in centers.lines().zip(&found) {
        let given: Vec<f64> = line
            .split(',')
            .map(|field| field.parse().unwrap())
            .collect();
        let moved: f64 = (0..3)
            .map(|k| (row[k + 1] - [3.0, 3.0, 5.0][k] - given[k]).powi(2))
            .sum();
        assert!(moved.sqrt() < 0.3 && row[4] == 0.5, "{line}: {row:?}");
    }
    assert_code(&jostle(directory, "check bed.json"), 0);
    // The axis of the file is not that of the container. Words behind the names of a comment are no columns.
    let table = format!("# x y z in mm\n{}", centers.replace(',', " "));
    fs::write(directory.join("bed.dat"), table).unwrap();
    let options = "--diameter 1 --container cylinder:d=6,h=10";
    let output = jostle(directory, &format!("check bed.dat {options}"));
    assert_code(&output, 1);
    assert!(text(&output.stdout).contains("its center lies outside of the container; --origin"));
    assert_eq!(text(&output.stderr), "");
    let output = jostle(
        directory,
        &format!("check bed.dat {options} --origin=-3,-3,-5"),
    );
    assert!(!text(&output.stdout).contains("--origin"));
    let part =
        "--fixed centers.csv --fixed-diameter 0.5 --fixed-at 3,3,5 --container cylinder:d=6,h=10";
    let summary = packed_quickly(directory, &format!("mono:d=1 -n 5 {part} -o around.json"));
    assert_eq!(summary["fixed"], 5);
}
