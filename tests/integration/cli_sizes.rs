//! Sizes as people have them, by the program: tables, lists, D-values and cuts, in `pack` and in `sizes`.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{
    outcomes::{assert_code, assert_refused, packed},
    program::{jostle, text},
};

fn json(folder: &TempDir, arguments: &str) -> Value {
    let output = jostle(folder.path(), arguments);
    assert_code(&output, 0);
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn what_sizes_prints_is_an_input() {
    let folder = TempDir::new().unwrap();
    fs::write(
        folder.path().join("pit.csv"),
        "Size [mm];Passing [%]\n0,25;3\n1;12\n16;100\n",
    )
    .unwrap();
    for sizes in [
        "din-a16",
        "pit.csv",
        "sieve:0.25=3,1=12,16=100",
        "dvalues:10=5,50=20,90=60",
        "normal:mean=2,sd=0.3",
        "bidisperse:d_small=1,d_large=4,number_small=0.9",
        "concrete --cut-below 2 --cut-above 9",
        "fuller-2011 -n 200",
    ] {
        let output = jostle(folder.path(), &format!("sizes {sizes} --json"));
        assert_code(&output, 0);
        fs::write(folder.path().join("shown.json"), &output.stdout).unwrap();
        let first: Value = serde_json::from_slice(&output.stdout).unwrap();
        let mut again = json(&folder, "sizes shown.json --json");
        again["sample"] = first["sample"].clone();
        assert_eq!(again, first, "{sizes}");
    }
    let packing = packed(folder.path(), "shown.json -n 50 --effort quick");
    assert_eq!(packing["spheres"], 50);
}

#[test]
fn tables_and_their_assumptions_are_shown() {
    let folder = TempDir::new().unwrap();
    fs::write(
        folder.path().join("pit.csv"),
        "Size [mm];Passing [%]\n0,25;3\n1;12\n16;100\n",
    )
    .unwrap();
    let note = "note: the 3 % of the mass that pass the smallest size 0.25 are left out";
    let shown = jostle(folder.path(), "sizes pit.csv");
    assert_code(&shown, 0);
    assert!(
        text(&shown.stderr).starts_with(note),
        "{}",
        text(&shown.stderr)
    );
    assert!(text(&shown.stdout).contains("0.25 to 16 mm"));
    let packed = jostle(folder.path(), "pack pit.csv -n 40 --effort quick -o a.json");
    assert_code(&packed, 0);
    assert!(
        text(&packed.stderr).contains(note),
        "{}",
        text(&packed.stderr)
    );
    fs::write(
        folder.path().join("bad.csv"),
        "Size [mm];Passing [%]\n0,25;0\n1;ten\n16;100\n",
    )
    .unwrap();
    for command in ["pack", "sizes"] {
        let arguments = format!("{command} bad.csv");
        assert_refused(
            folder.path(),
            &arguments,
            &["bad.csv: line 3, column 2", "'ten'", "0.25"],
        );
    }
    // A table on standard input.
    let output = assert_cmd::Command::new(env!("CARGO_BIN_EXE_jostle"))
        .args(["sizes", "-", "--json"])
        .write_stdin("mm,passing\n1,0\n2,100\n")
        .output()
        .unwrap();
    let shown: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&shown["unit"], &shown["d_max"]),
        (&"mm".into(), &2.0.into())
    );
}

#[test]
fn a_list_is_packed_as_it_is() {
    let folder = TempDir::new().unwrap();
    fs::write(
        folder.path().join("grains.txt"),
        "d [mm]\n2\n1.25\n1.5\n1.75\n",
    )
    .unwrap();
    for sizes in [
        "grains.txt",
        "diameters:grains.txt",
        "grains.txt --box 4",
        "grains.txt -n 4",
    ] {
        let result = packed(folder.path(), &format!("{sizes} --effort quick"));
        assert_eq!(
            (&result["spheres"], &result["warning"]),
            (&4.into(), &Value::Null)
        );
        let file = fs::read_to_string(folder.path().join("packing.json")).unwrap();
        let packing: Value = serde_json::from_str(&file).unwrap();
        assert_eq!(packing["unit"], "mm", "{sizes}");
        let output = jostle(folder.path(), "convert packing.json packing.csv");
        assert_code(&output, 0);
        let rows = fs::read_to_string(folder.path().join("packing.csv")).unwrap();
        let radius = |row: &str| row.split(',').nth(4)?.parse().ok();
        let radii: Vec<f64> = rows.lines().skip(1).filter_map(radius).collect();
        assert_eq!(radii, [1.0, 0.625, 0.75, 0.875], "{sizes}");
        fs::remove_file(folder.path().join("packing.csv")).unwrap();
    }
    assert_eq!(
        packed(folder.path(), "grains.txt -n 30 --effort quick")["spheres"],
        30
    );
}

#[test]
fn cuts_state_the_mass_that_goes() {
    let folder = TempDir::new().unwrap();
    // The mass at or below d is (√d − 1) / 3.
    let output = jostle(folder.path(), "sizes concrete --cut-below 4 --cut-above 9");
    assert_code(&output, 0);
    let note =
        "note: left out: 33.333 % of the mass below 4 mm and 33.333 % of the mass above 9 mm\n";
    assert_eq!(text(&output.stderr), note);
    assert!(text(&output.stdout).contains("4 to 9 mm"));
    let in_units = jostle(
        folder.path(),
        "sizes concrete --cut-below 4000um --cut-above 0.9cm",
    );
    assert_eq!(
        (in_units.stdout, in_units.stderr),
        (output.stdout, output.stderr)
    );
    let output = jostle(
        folder.path(),
        "pack concrete --cut-below 4 -n 60 --effort quick -o a.json",
    );
    assert_code(&output, 0);
    assert!(text(&output.stderr).contains("33.333 % of the mass below 4"));
    let packing: Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("a.json")).unwrap()).unwrap();
    assert_eq!(packing["provenance"]["sizes"], "concrete, cut below 4");
    for (options, words) in [
        ("concrete --cut-below 20", ["no sphere", "16"]),
        (
            "concrete --cut-below 9 --cut-above 4",
            ["--cut-below 9", "--cut-above 4"],
        ),
        ("concrete --cut-below -1", ["--cut-below", "above 0"]),
        (
            "mono:d=1 --cut-below 1mm",
            ["'1mm' has a unit", "the sizes have none"],
        ),
        ("mono:d=8mm", ["d = 8mm is not a number", "no unit"]),
    ] {
        assert_refused(folder.path(), &format!("pack {options}"), &words);
        assert_refused(folder.path(), &format!("sizes {options}"), &words);
    }
    assert_refused(
        folder.path(),
        "sizes --cut-below 1",
        &["--cut-below", "name one"],
    );
}

#[test]
fn the_refusal_of_too_many_spheres_names_a_cut() {
    let folder = TempDir::new().unwrap();
    // About 10¹³ spheres of one micrometer and larger in a box of a meter.
    let request = "fuller:d_min=0.001,d_max=16 --box 1000 --fraction 0.6";
    assert_refused(
        folder.path(),
        &format!("pack {request}"),
        &["GiB", "--cut-below", "of the mass"],
    );
    let output = jostle(folder.path(), &format!("pack {request}"));
    let words: Vec<&str> = text(&output.stderr).split_whitespace().collect();
    let at = words
        .iter()
        .position(|word| *word == "--cut-below")
        .unwrap();
    let cut: f64 = words[at + 1].parse().unwrap();
    assert!((0.01..16.0).contains(&cut), "{cut}");
    // A tenth of the spheres needs another cut, which is smaller.
    assert_refused(
        folder.path(),
        &format!("pack {request} --cut-below {}", 0.5 * cut),
        &["GiB"],
    );
}
