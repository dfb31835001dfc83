//! Fixed spheres on the command line: `--fixed` and `--fixed-may-overlap`.

use std::{fs, path::Path};

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{
    outcomes::{assert_code, assert_refused, packed},
    program::{jostle, text},
};

/// Packs with little effort, and returns the JSON object that the program prints.
#[track_caller]
fn packed_quickly(directory: &Path, arguments: &str) -> Value {
    packed(directory, &format!("--effort quick {arguments}"))
}

/// A table of fixed spheres in a box of side 8, some of them across periodic faces.
const SKELETON: &str = "x,y,z,radius\n\
    0.1,4.3333333333333333,7.9,1.5\n\
    3.7,2.2,3.3,1.25\n\
    6.1,6.1,3.123456789012345,1.0000000000000002\n";

#[test]
fn fixed_spheres_come_from_stdin() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    fs::write(directory.join("skeleton.csv"), SKELETON).unwrap();
    let request = "mono:d=0.6 -n 100 --box 8 --effort quick";
    packed(
        directory,
        &format!("{request} --fixed skeleton.csv -o file.csv"),
    );
    let piped = assert_cmd::Command::new(env!("CARGO_BIN_EXE_jostle"))
        .current_dir(directory)
        .args(format!("pack {request} --fixed - --fixed-from csv -o piped.csv").split(' '))
        .write_stdin(SKELETON)
        .assert();
    piped.success();
    let [file, piped] =
        ["file.csv", "piped.csv"].map(|name| fs::read(directory.join(name)).unwrap());
    assert_eq!(piped, file);
}

#[test]
fn fixed_spheres_keep_their_digits() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    fs::write(directory.join("skeleton.csv"), SKELETON).unwrap();
    let request = "mono:d=0.6 -n 900 --box 8 --fixed skeleton.csv";
    let summary = packed_quickly(directory, &format!("{request} -o a.json -o a.csv"));
    assert_eq!(
        (&summary["spheres"], &summary["fixed"]),
        (&903.into(), &3.into())
    );
    assert_eq!(
        (&summary["left_out"], &summary["max_overlap"]),
        (&0.into(), &0.0.into())
    );
    let csv = fs::read_to_string(directory.join("a.csv")).unwrap();
    let rows: Vec<&str> = csv.lines().collect();
    for (row, line) in rows[901..].iter().zip(SKELETON.lines().skip(1)) {
        let numbers = |text: &str, skipped: usize| -> Vec<u64> {
            let fields = text.split(',').skip(skipped).take(4);
            fields
                .map(|field| field.parse::<f64>().unwrap().to_bits())
                .collect()
        };
        assert_eq!(numbers(row, 1), numbers(line, 0));
        assert!(row.ends_with(",2"), "{row}");
    }

    // The packing that was written is a skeleton itself.
    let again = packed_quickly(
        directory,
        "mono:d=0.2 -n 500 --box 8 --fixed a.json -o b.json",
    );
    assert_eq!(again["fixed"], 903);

    // The fraction counts the fixed spheres.
    let half = packed_quickly(
        directory,
        "mono:d=0.6 --fraction 0.5 --box 8 --fixed skeleton.csv",
    );
    let free = half["spheres"].as_f64().unwrap() - 3.0;
    let fixed: f64 = [1.5f64, 1.25, 1.0000000000000002]
        .iter()
        .map(|r| r.powi(3))
        .sum();
    let volume = 4.0 / 3.0 * std::f64::consts::PI * (fixed + free * 0.027);
    let fraction = half["packing_fraction"].as_f64().unwrap();
    assert!(
        (fraction - volume / 512.0).abs() < 1e-12 && (fraction - 0.5).abs() < 2e-4,
        "{fraction}"
    );

    let output = jostle(
        directory,
        &format!("pack --effort quick {request} -o b.json"),
    );
    let summary = text(&output.stdout);
    assert!(summary.contains("903, of which 3 fixed"), "{summary}");
    assert_code(&jostle(directory, "check a.json"), 0);
}

#[test]
fn spheres_without_room_are_left_out_and_the_exit_code_is_3() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    fs::write(directory.join("skeleton.csv"), SKELETON).unwrap();
    let request = "mono:d=1 -n 640 --box 8 --fixed skeleton.csv -o a.json";
    let output = jostle(directory, &format!("pack --json --effort quick {request}"));
    assert_code(&output, 3);
    let (error, summary) = (text(&output.stderr), text(&output.stdout));
    let summary: Value = serde_json::from_str(summary).unwrap();
    let left_out = summary["left_out"].as_u64().unwrap();
    assert!(left_out > 10);
    assert_eq!(summary["spheres"].as_u64().unwrap(), 643 - left_out);
    assert_eq!(
        summary["container"]["lengths"],
        serde_json::json!([8.0, 8.0, 8.0])
    );
    let words = format!("{left_out} spheres found no room in the requested box");
    assert!(error.contains(&words), "{error}");
    assert_code(&jostle(directory, "check a.json"), 0);
}

#[test]
fn overlaps_of_fixed_spheres_are_refused_or_certified() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    fs::write(
        directory.join("skeleton.csv"),
        format!("{SKELETON}7,6,3,0.5\n"),
    )
    .unwrap();
    let request = "mono:d=0.6 -n 300 --box 8 --fixed skeleton.csv";
    assert_refused(
        directory,
        &format!("pack {request}"),
        &[
            "'skeleton.csv'",
            "fixed spheres 2 and 3 overlap",
            "--fixed-may-overlap",
        ],
    );
    let summary = packed_quickly(
        directory,
        &format!("{request} --fixed-may-overlap -o a.json"),
    );
    assert_eq!(summary["status"], "fraction-reached");
    let overlap = summary["max_overlap"].as_f64().unwrap();
    assert!((0.5..0.7).contains(&overlap), "{overlap}");
    assert_code(&jostle(directory, "check a.json"), 1);

    for (arguments, words) in [
        (
            request.replace("--box 8", "--box 8 --boundary www"),
            ["fixed sphere", "crosses a wall"],
        ),
        (request.replace("--box 8", ""), ["--fixed", "--box"]),
        (
            request.replace("skeleton", "none"),
            ["none.csv", "No such file"],
        ),
        (
            request.replace("-n 300", "--fraction 0.01"),
            ["fraction 0.0", "must be larger"],
        ),
        (
            "mono:d=1 -n 9 --box 8 --fixed-may-overlap".to_owned(),
            ["--fixed", "required"],
        ),
    ] {
        assert_refused(directory, &format!("pack {arguments}"), &words);
    }
}

#[test]
fn fixed_spheres_and_bodies_share_a_box() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    fs::write(directory.join("skeleton.csv"), SKELETON).unwrap();
    let request = |bar: &str| {
        format!("mono:d=0.5 --fraction 0.5 --box 8 --fixed skeleton.csv --keep-out {bar}")
    };
    let apart = request("cylinder:d=1.5@1,7,2,axis=y");
    let summary = packed_quickly(directory, &format!("{apart} -o a.json -o a.csv"));
    let fixed: f64 = [1.5f64, 1.25, 1.0000000000000002]
        .iter()
        .map(|r| r.powi(3))
        .sum();
    let free = summary["spheres"].as_f64().unwrap() - 3.0;
    let spheres = 4.0 / 3.0 * std::f64::consts::PI * (fixed + free * 0.25f64.powi(3));
    let volume = 512.0 - 8.0 * std::f64::consts::PI * 0.75 * 0.75;
    let fraction = summary["packing_fraction"].as_f64().unwrap();
    assert!((fraction - spheres / volume).abs() < 1e-12, "{fraction}");
    assert!((fraction - 0.5).abs() < 2e-4, "{fraction}");
    assert_code(&jostle(directory, "check a.json"), 0);
    let check = "check a.csv --box 8 --keep-out cylinder:d=1.5@1,7,2,axis=y";
    assert_code(&jostle(directory, check), 0);

    let through = request("cylinder:d=1@6,0,2,axis=y");
    assert_refused(
        directory,
        &format!("pack {through}"),
        &[
            "'skeleton.csv'",
            "fixed sphere 2 overlaps the body cylinder:d=1@6,0,2,axis=y by",
            "--fixed-may-overlap",
        ],
    );
    let summary = packed_quickly(directory, &format!("{through} --fixed-may-overlap"));
    // The axis of the bar is (0.1, 1.123456789012345) from the middle of the sphere.
    let overlap = 1.5 - 0.1f64.hypot(1.123_456_789_012_345);
    let found = summary["max_overlap"].as_f64().unwrap();
    assert!((found - overlap).abs() < 1e-12, "{found} {overlap}");
}

#[test]
fn a_resumed_run_holds_the_fixed_spheres() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    fs::write(directory.join("skeleton.csv"), SKELETON).unwrap();
    let request = "mono:d=0.6 -n 1500 --box 8 --fixed skeleton.csv";
    packed_quickly(directory, &format!("{request} -o whole.json"));
    // A limit that cuts the search for free positions leaves no checkpoint, and a run that is faster than the limit leaves none either.
    let stops_in_time = |limit: &f64| {
        let stopped = format!("{request} --checkpoint run.checkpoint --time-limit {limit}");
        jostle(
            directory,
            &format!("pack --effort quick {stopped} -o parts.json"),
        );
        directory.join("run.checkpoint").exists()
    };
    let mut limits = (0..40).map(|k| 0.005 * 1.2_f64.powi(k));
    assert!(limits.any(|limit| stops_in_time(&limit)));
    fs::write(directory.join("other.csv"), SKELETON.replace("1.25", "1.2")).unwrap();
    let output = jostle(directory, "resume run.checkpoint --fixed other.csv");
    assert_code(&output, 2);
    assert!(
        text(&output.stderr).contains("--fixed contradicts"),
        "{}",
        text(&output.stderr)
    );
    let output = jostle(
        directory,
        "resume run.checkpoint --fixed skeleton.csv --time-limit 10m",
    );
    assert_code(&output, 0);
    let read = |name: &str| fs::read(directory.join(name)).unwrap();
    assert!(read("whole.json") == read("parts.json"));
}

#[test]
fn files_of_fixed_spheres_are_read_with_the_options_of_other_files() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    // Ids, coordinates from the center, and spheres that touch but for their rounding.
    let table = "1 -0.1 0 0 0.1\n2 0 0 0 0.1\n3 0.2 0 0 0.3000001\n";
    fs::write(directory.join("skeleton.txt"), table).unwrap();
    let request = "mono:d=0.2 -n 20 --box 2 --fixed skeleton.txt --fixed-columns id,x,y,z,d --fixed-origin center";
    assert_refused(
        directory,
        &format!("pack {request}"),
        &[
            "'skeleton.txt'",
            "overlap by",
            "--fixed-tolerance",
            "--fixed-may-overlap",
        ],
    );
    assert_refused(
        directory,
        &format!("pack {request} --fixed-tolerance 1e-9"),
        &["overlap by", "--fixed-tolerance"],
    );
    let summary = packed_quickly(
        directory,
        &format!("{request} --fixed-tolerance 1e-6 --fixed-from yade -o a.json"),
    );
    assert_eq!(summary["fixed"], 3);
    let overlap = summary["max_overlap"].as_f64().unwrap();
    assert!((1e-8..1e-7).contains(&overlap), "{overlap}");
    let file: Value = serde_json::from_slice(&fs::read(directory.join("a.json")).unwrap()).unwrap();
    assert_eq!(
        file["spheres"][21],
        serde_json::json!([1.0, 1.0, 1.0, 0.05])
    );
    assert_refused(
        directory,
        &format!("pack {request} --fixed-frame 3"),
        &["is one frame", "has no frame 3"],
    );
    assert_refused(
        directory,
        "pack mono:d=0.2 -n 20 --box 2 --fixed skeleton.txt",
        &["--fixed-columns id,type,x,y,z,r"],
    );
}
