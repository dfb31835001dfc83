//! The program as users meet it: exit codes, the two output streams, and the files that are left behind.

use std::{fs, process::Command as Process};

use assert_cmd::Command;
use jostle::{IndexKind, io::Format};
use serde_json::Value;
use strum::VariantNames;
use tempfile::TempDir;

use crate::common::{
    directory::names_in,
    outcomes::{assert_code, assert_refused, packed},
    program::{jostle, text, words},
};

#[test]
fn help_is_as_documented() {
    let directory = TempDir::new().unwrap();
    for (name, arguments) in [
        ("help", "--help"),
        ("help_pack", "pack --help"),
        ("help_pour", "pour --help"),
        ("help_resume", "resume --help"),
        ("help_sizes", "sizes --help"),
        ("help_check", "check --help"),
        ("help_convert", "convert --help"),
    ] {
        let output = jostle(directory.path(), arguments);
        assert_code(&output, 0);
        insta::assert_snapshot!(name, text(&output.stdout));
    }
}

#[test]
fn help_fits_the_width_of_the_terminal() {
    for width in [80, 120] {
        for arguments in [
            "--help",
            "pack --help",
            "pour --help",
            "resume --help",
            "sizes --help",
            "check --help",
            "convert --help",
            "tune --help",
            "compare --help",
            "compare index --help",
            "compare broad-phase --help",
        ] {
            let output = Command::new(env!("CARGO_BIN_EXE_jostle"))
                .env("COLUMNS", width.to_string())
                .args(arguments.split_whitespace())
                .output()
                .unwrap();
            assert_code(&output, 0);
            for line in text(&output.stdout).lines() {
                assert!(
                    line.chars().count() <= width,
                    "{width}, {arguments}: {line}"
                );
            }
        }
    }
}

#[test]
fn help_of_convert_lists_every_format() {
    let output = jostle(TempDir::new().unwrap().path(), "convert --help");
    let help = text(&output.stdout);
    let list = help.split("Formats:").nth(1).unwrap();
    let list = list.split("Examples:").next().unwrap();
    let mut listed: Vec<&str> = list
        .split([' ', ',', ';', '\n'])
        .filter(|word| word.parse::<Format>().is_ok())
        .collect();
    let mut all = Format::VARIANTS.to_vec();
    listed.sort_unstable();
    // The name of the feature is that of a format.
    listed.dedup();
    all.sort_unstable();
    assert_eq!(listed, all);
}

#[test]
fn without_arguments_the_concrete_mixture_is_packed() {
    let directory = TempDir::new().unwrap();
    let output = jostle(directory.path(), "pack");
    assert_code(&output, 0);
    assert!(text(&output.stdout).contains("packing.json"));
    // Where stderr is no terminal, only the final line is printed.
    let error = text(&output.stderr);
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.starts_with("packed 10000 spheres in "), "{error}");
    assert_eq!(names_in(directory.path()), ["packing.json"]);
    let file = fs::read(directory.path().join("packing.json")).unwrap();
    let packing: Value = serde_json::from_slice(&file).unwrap();
    assert_eq!(packing["spheres"].as_array().unwrap().len(), 10_000);
    assert_eq!(packing["unit"], "mm");
    assert_eq!(packing["provenance"]["sizes"], "concrete");
    assert_eq!(packing["sizes"]["mass_curve"].as_array().unwrap().len(), 33);
}

#[test]
fn hostile_sizes_are_refused() {
    let directory = TempDir::new().unwrap();
    for (sizes, words) in [
        ("mono:d=NaN", ["d = NaN", "finite"]),
        ("mono:d=-1", ["d = -1", "diameter"]),
        ("mono:d=0", ["d = 0", "diameter"]),
        ("mono:d=inf", ["d = inf", "finite"]),
        ("mono:d=1,e=2", ["unknown field `e`", "`d`"]),
        ("fuller:d_min=3,d_max=1", ["d_min = 3", "d_max = 1"]),
        ("fuller:d_min=1", ["d_max", "missing"]),
        ("nonsense:d=1", ["nonsense", "mono"]),
        ("conrete", ["conrete", "did you mean concrete?"]),
        ("missing.json", ["missing.json", "No such file"]),
    ] {
        assert_refused(directory.path(), &format!("pack {sizes}"), &words);
        assert_refused(directory.path(), &format!("sizes {sizes}"), &words);
    }
}

#[test]
fn hostile_size_files_are_refused() {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("sizes.json");
    let document =
        |law: &str| format!(r#"{{"schema":1,"name":"a","unit":"mm","source":"b","law":{law}}}"#);
    for (content, words) in [
        (
            document(r#"{"classes":{"by":"mass","shares":[]}}"#),
            ["law", "class"],
        ),
        (
            document(r#"{"classes":{"by":"mass","shares":[[1,0.5],[2,0.4]]}}"#),
            ["law", "0.9"],
        ),
        (
            document(r#"{"mono":{"d":1,"color":2}}"#),
            ["law.mono", "color"],
        ),
        (document(r#"{"mono":{"d":"big"}}"#), ["law.mono.d", "big"]),
        (
            document(r#"{"mono":{"d":1}}"#).replace("unit", "units"),
            ["units", "unknown field"],
        ),
        (
            document(r#"{"mono":{"d":1}}"#).replace(":1,", ":7,"),
            ["schema", "7"],
        ),
        ("{".to_owned(), ["sizes.json", "line 1"]),
        (String::new(), ["sizes.json", "line 1"]),
    ] {
        fs::write(&file, content).unwrap();
        assert_refused(directory.path(), "pack sizes.json", &words);
    }
}

#[test]
fn hostile_requests_are_refused() {
    let directory = TempDir::new().unwrap();
    for (arguments, words) in [
        ("-n 0", ["--number", "at least 1"]),
        ("-n -5", ["-5", "--number"]),
        ("-n 2.5", ["2.5", "--number"]),
        ("-n 1000000000000", ["1000000000000 spheres", "GiB"]),
        ("-n 1e12", ["1000000000000 spheres", "GiB"]),
        (
            "mono:d=1e-9 --box 1 --fraction 0.5",
            ["spheres need about", "GiB"],
        ),
        ("--fraction 1.5", ["1.5", "--fraction"]),
        ("--fraction 0", ["'0'", "--fraction"]),
        ("--fraction nan", ["nan", "--fraction"]),
        ("--box 10,10,auto", ["auto", "--number"]),
        ("--box 10 -n 5 --fraction 0.5", ["--box", "--fraction"]),
        ("--box 1,2,3,4 -n 5", ["1,2,3,4", "--box"]),
        ("--box 1,-2,3 -n 5", ["-2", "length y"]),
        ("--box 1e200 -n 5", ["1e200", "volume"]),
        ("mono:d=20 --box 10 -n 1", ["diameter 20", "up to 10"]),
        (
            "mono:d=20 --box 10 --fraction 0.3",
            ["diameter 20", "up to 10"],
        ),
        ("mono:d=1 --box 2 -n 100", ["volume of 52.", "8"]),
        ("mono:d=1 --boundary pwx", ["pwx", "ppw"]),
        ("--min-gap -1", ["-1", "--min-gap"]),
        ("--index tree", ["tree", "loose-octree"]),
        ("--effort 2.5", ["2.5", "thorough"]),
        ("--sampling best", ["best", "stratified"]),
        ("--seed -1", ["-1", "--seed"]),
        ("--threads many", ["many", "--threads"]),
        ("--time-limit 0", ["'0'", "--time-limit"]),
        ("--max-sweeps 0", ["'0'", "--max-sweeps"]),
        ("-o packing.pdf", ["packing.pdf", ".xyz"]),
        ("-o packing", ["'packing'", ".json"]),
        (
            "-o missing/packing.json",
            ["missing/packing.json", "no directory"],
        ),
        ("-o good.json -o bad.pdf", ["bad.pdf", ".json"]),
        ("--color red", ["--color", ""]),
        ("--frction 0.6", ["--frction", "--fraction"]),
    ] {
        assert_refused(directory.path(), &format!("pack {arguments}"), &words);
    }
    assert_refused(directory.path(), "sizes -n 5", &["<SIZES>"]);
    assert_refused(directory.path(), "sizes concrete -n 1e12", &["GiB"]);
    assert_refused(directory.path(), "pak", &["pak", "pack"]);
}

#[cfg(unix)]
#[test]
fn unwritable_places_are_refused() {
    let directory = TempDir::new().unwrap();
    fs::create_dir(directory.path().join("packing.json")).unwrap();
    assert_refused(directory.path(), "pack", &["'packing.json'", "a directory"]);
    assert_refused(
        directory.path(),
        "pack -o /proc/packing.json",
        &["/proc/packing.json"],
    );
}

#[test]
fn a_packing_goes_to_every_format_and_back() {
    let directory = TempDir::new().unwrap();
    let result = packed(
        directory.path(),
        "power-law-3 -n 300 --effort quick --boundary ppw --min-gap 0.01 -o a.json -o a.csv -o a.xyz -o a.vtp -o a.data",
    );
    assert_eq!(
        names_in(directory.path()),
        ["a.csv", "a.data", "a.json", "a.vtp", "a.xyz"]
    );
    let lengths: Vec<f64> = serde_json::from_value(result["container"]["lengths"].clone()).unwrap();
    let lengths: Vec<_> = lengths.iter().map(f64::to_string).collect();
    for arguments in [
        "a.json",
        "a.xyz",
        "a.data --boundary ppw",
        &format!("a.csv --boundary ppw --box {}", lengths.join(",")),
    ] {
        let output = jostle(directory.path(), &format!("check --json {arguments}"));
        assert_code(&output, 0);
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        for field in ["spheres", "max_overlap", "min_gap", "container"] {
            assert_eq!(found[field], result[field], "{field} of {arguments}");
        }
    }
    // The gap to the wall is half of that between spheres.
    assert!(result["min_gap"].as_f64().unwrap() >= 0.005);
    assert_refused(directory.path(), "check a.vtp", &["a.vtp", "--box"]);
    assert_refused(
        directory.path(),
        "check a.csv --boundary ppw",
        &["a.csv", "--box"],
    );
    assert_refused(
        directory.path(),
        "check a.json --box 3",
        &["a.json", "--box"],
    );
    assert_refused(
        directory.path(),
        "check b.json",
        &["b.json", "No such file"],
    );
}

#[test]
fn the_result_is_one_json_object() {
    let directory = TempDir::new().unwrap();
    let result = packed(
        directory.path(),
        "mono:d=2 -n 200 --seed 7 --threads 1 --index grid -o a.csv",
    );
    assert_eq!(result["status"], "converged");
    assert_eq!(result["spheres"], 200);
    assert_eq!(result["max_overlap"], 0.0);
    assert_eq!(result["seed"], 7);
    assert_eq!(result["index"], "grid");
    assert_eq!(result["threads"], 1);
    assert_eq!(result["container"]["boundary"], "ppp");
    assert_eq!(result["sizes"]["d_min"], 2.0);
    assert_eq!(result["sizes"]["d_max"], 2.0);
    assert_eq!(result["sizes"]["mass_curve_error"], 0.0);
    assert_eq!(result["files"], serde_json::json!(["a.csv"]));
    let number = |field: &str| result[field].as_f64().unwrap();
    let volume: f64 = (0..3)
        .map(|i| result["container"]["lengths"][i].as_f64().unwrap())
        .product();
    let expected = 200.0 * 4.0 / 3.0 * std::f64::consts::PI / volume;
    assert!((number("packing_fraction") - expected).abs() < 1e-12);
    assert!(number("min_gap") >= 0.0 && number("seconds") > 0.0);
    assert!(number("relocations") > number("sweeps"));
}

#[test]
fn options_that_do_not_fit_the_files_are_refused_before_the_run() {
    let directory = TempDir::new().unwrap();
    for (arguments, words) in [
        (
            "--origin center",
            "the format json has its origin at the low corner",
        ),
        (
            "-o a.csv -o a.json --origin center",
            "'a.json': the format json",
        ),
        ("-o a.vti", "the option voxel is not given"),
        (
            "-o a.raw --voxel 0.1 --scale 1e-3 -o b.csv --script",
            "no script exists",
        ),
        ("-o a.csv --script", "no script exists for the format csv"),
        (
            "-o a.in --format lammps-data --script",
            "the script would have the name of the file",
        ),
        (
            "-o a.csv --repeat 2,1,1 --boundary www",
            "the container has walls along x",
        ),
        ("-o a.stl --resolution 9", "the resolution is 9"),
        ("-o a.stl --shrink 1.5", "the shrink factor is 1.5"),
        (
            "-o a.csv --types classes",
            "the spheres have 2000 diameters",
        ),
    ] {
        let arguments = format!("pack lognormal:d50=1,sigma=0.4 -n 2000 {arguments}");
        assert_refused(directory.path(), &arguments, &[words]);
    }
    // A choice that depends on the spheres is left to the export.
    let request = "pack lognormal:d50=1,sigma=0.4 -n 2000 --effort quick -q";
    for arguments in [
        "-o a.npy --voxel 500 --scale 1000 --select d>1000 --repeat 3,1,1",
        "-o a.csv --types classes --select id<900",
    ] {
        assert_code(
            &jostle(directory.path(), &format!("{request} {arguments}")),
            0,
        );
    }
}

#[test]
fn exchanges_are_reported() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    let request = "uniform-size:d_min=1,d_max=3 -n 500 --effort quick --exchange";
    let dense = packed(directory, &format!("{request} auto"));
    assert!(dense["exchanges"].as_u64().unwrap() > 50);
    assert!(dense["exchange_rate"].as_f64().unwrap() > 0.0);
    assert_eq!(dense["exchange_start"], Value::Null);
    let plain = packed(directory, &format!("{request} off"));
    assert_eq!(plain["exchanges"], 0);
    let output = jostle(directory, &format!("pack {request} auto -o a.json"));
    let summary = words(&output.stdout);
    for expected in ["exchanges go beyond it", "attempts per sphere and sweep"] {
        assert!(summary.contains(expected), "{summary}");
    }
    assert_refused(
        directory,
        &format!("pack {request} often"),
        &["often", "expected off, auto or a number"],
    );
}

#[test]
fn every_way_to_ask_gives_what_it_says() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    let fraction = |result: &Value| result["packing_fraction"].as_f64().unwrap();

    let densest = packed(directory, "mono:d=1 -n 200");
    assert!(fraction(&densest) > 0.6);

    let asked = packed(directory, "mono:d=1 -n 200 --fraction 0.5");
    assert_eq!(
        (&asked["status"], &asked["spheres"]),
        (&"fraction-reached".into(), &200.into())
    );
    assert!((fraction(&asked) - 0.5).abs() < 1e-9);

    let filled = packed(directory, "mono:d=1 --box 5,6,7 --fraction 0.5");
    assert_eq!(
        filled["container"]["lengths"],
        serde_json::json!([5.0, 6.0, 7.0])
    );
    assert_eq!(filled["spheres"], 201);

    let apart = packed(directory, "mono:d=1 -n 200 --min-gap 0.05");
    assert!(apart["min_gap"].as_f64().unwrap() >= 0.05);
    assert!(fraction(&apart) < fraction(&densest));

    let boxed = packed(directory, "mono:d=1 --box 5,6,7 -n 150 --boundary www");
    assert_eq!(
        boxed["container"],
        serde_json::json!({"shape": "box", "lengths": [5.0, 6.0, 7.0], "boundary": "www", "volume": 210.0})
    );
    assert_eq!(boxed["spheres"], 150);
}

#[test]
fn an_unreached_fraction_or_box_is_code_3_and_written() {
    let directory = TempDir::new().unwrap();
    for (request, words) in [
        ("mono:d=1 -n 500 --fraction 0.72 --effort quick", "0.72"),
        ("mono:d=1 -n 500 --box 7.2 --effort quick", "box"),
        ("mono:d=1 -n 500 --fraction 0.6 --max-sweeps 1", "0.6"),
        ("mono:d=1 -n 500 --fraction 0.6 --time-limit 1e-6", "0.6"),
        ("mono:d=9 --box 10 --fraction 0.5", "whole"),
    ] {
        let file = directory.path().join("a.csv");
        let output = jostle(
            directory.path(),
            &format!("pack {request} -o a.csv --quiet"),
        );
        assert_code(&output, 3);
        assert_eq!(text(&output.stdout), "");
        let error = text(&output.stderr);
        assert!(
            error.contains(words) && error.contains("a.csv"),
            "{request}: {error}"
        );
        assert_eq!(error.lines().count(), 1, "{request}: {error}");
        fs::remove_file(file).unwrap();
    }
}

#[test]
fn a_limit_without_a_fraction_is_no_failure() {
    let directory = TempDir::new().unwrap();
    let result = packed(directory.path(), "mono:d=1 -n 200 --max-sweeps 3");
    assert_eq!(
        (&result["status"], &result["sweeps"]),
        (&"sweep-limit".into(), &3.into())
    );
    let result = packed(directory.path(), "mono:d=1 -n 200 --time-limit 1e-6");
    assert_eq!(result["status"], "time-limit");
    assert_eq!(result["max_overlap"], 0.0);
}

#[test]
fn quiet_is_silent() {
    let directory = TempDir::new().unwrap();
    let output = jostle(directory.path(), "pack -n 50 --effort quick --quiet");
    assert_code(&output, 0);
    assert_eq!((text(&output.stdout), text(&output.stderr)), ("", ""));
    assert_eq!(names_in(directory.path()), ["packing.json"]);
}

#[test]
fn a_sample_without_the_largest_class_warns() {
    let directory = TempDir::new().unwrap();
    let output = jostle(directory.path(), "pack fuller-2011 -n 100 --effort quick");
    assert_code(&output, 0);
    let warning = "warning: the sample of 100 spheres misses the requested mass curve by";
    let mut lines = text(&output.stderr).lines();
    assert!(lines.any(|line| line.starts_with(warning)));
    let result = packed(directory.path(), "fuller-2011 -n 100 --effort quick");
    assert!(
        result["warning"]
            .as_str()
            .unwrap()
            .contains("holds no sphere")
    );
}

#[test]
fn a_sample_that_misses_the_curve_names_a_box_and_is_refused_if_strict() {
    let directory = TempDir::new().unwrap();
    let law = "bidisperse:d_small=1,d_large=10,mass_small=0.05";
    let small = format!("{law} --box 12 --fraction 0.3 --effort 0");
    let output = jostle(directory.path(), &format!("pack {small} -o a.json"));
    assert_code(&output, 0);
    let warning = text(&output.stderr);
    assert!(
        warning.starts_with("warning: the sample of") && warning.contains("--box"),
        "{warning}"
    );
    assert!(words(&output.stdout).contains("would have the requested sizes"));
    let result = packed(directory.path(), &small);
    assert!(
        result["warning"]
            .as_str()
            .unwrap()
            .contains("misses the requested mass curve by")
    );
    let length = result["sizes"]["sufficient_box"][0].as_f64().unwrap();
    assert!(result["sizes"]["sufficient_spheres"].as_u64().unwrap() > 100);
    assert!(warning.contains(&format!("--box {length}")), "{warning}");
    let strict = format!("pack {small} --strict -o b.json");
    assert_refused(
        directory.path(),
        &strict,
        &["misses the requested mass curve", "--strict"],
    );
    let large = format!("{law} --box {length} --fraction 0.3 --effort 0 --strict");
    let result = packed(directory.path(), &large);
    assert!(result["sizes"]["mass_curve_error"].as_f64().unwrap() <= 0.05);
    assert_eq!(result["warning"], Value::Null);
}

#[test]
fn sentences_about_sizes_and_numbers_name_what_is_meant() {
    let directory = TempDir::new().unwrap();
    assert_refused(
        directory.path(),
        "pack mono:d=1 -n 1e20",
        &["at most 18446744073709551615"],
    );
    assert_refused(directory.path(), "pack mono", &["missing field `d`"]);
    let output = jostle(
        directory.path(),
        "pack mono:d=1 --box 1000 -n 1000 --effort 0",
    );
    assert!(
        text(&output.stdout).contains("packing fraction  5.236e-7, in the requested container")
    );
    assert_refused(
        directory.path(),
        "pack packing.json",
        &["packing.json", "is a packing"],
    );
    let output = jostle(directory.path(), "sizes din-a16");
    let sieves = jostle(directory.path(), "sizes din-a16 --json");
    let sieves: Value = serde_json::from_slice(&sieves.stdout).unwrap();
    for sieve in sieves["law"]["sieve"]["passing"].as_array().unwrap() {
        let [size, passing] = [&sieve[0], &sieve[1]].map(|value| value.as_f64().unwrap());
        let has_row = |line: &str| {
            let row: Vec<f64> = line.split_whitespace().flat_map(str::parse).collect();
            row.len() == 3 && row[0] == size && (row[2] - passing).abs() < 1e-3
        };
        assert!(text(&output.stdout).lines().any(has_row), "{size}");
    }
}

#[test]
fn the_same_seed_writes_the_same_bytes() {
    let directory = TempDir::new().unwrap();
    let file = |arguments: &str| {
        packed(
            directory.path(),
            &format!("power-law-2 -n 400 --effort quick {arguments}"),
        );
        fs::read_to_string(directory.path().join("packing.json")).unwrap()
    };
    let first = file("--threads 1");
    assert_eq!(file("--threads 2"), first);
    for index in &IndexKind::VARIANTS[1..] {
        let written = file(&format!("--index {index}"));
        assert!(written != first, "the index is not in the file");
        assert_eq!(written.replace(index, "loose-octree"), first);
    }
    assert!(file("--seed 6") != first, "the seed does not matter");
    assert!(
        file("--sampling random") != first,
        "the sampling does not matter"
    );
}

#[test]
fn check_names_the_worst_pair_by_the_ids_in_the_file() {
    let directory = TempDir::new().unwrap();
    let write =
        |name: &str, content: &str| fs::write(directory.path().join(name), content).unwrap();
    write(
        "a.csv",
        "id,x,y,z,radius\n40,1,1,1,0.5\n7,5,5,5,0.5\n9,5,5,5.75,0.5\n",
    );
    write(
        "noids.csv",
        "x,y,z,radius\n1,1,1,0.5\n5,5,5,0.5\n5,5,5.75,0.5\n",
    );
    write(
        "a.xyz",
        "3\nLattice=\"10 0 0 0 10 0 0 0 10\" Properties=species:S:1:pos:R:3:radius:R:1:id:I:1 pbc=\"T T T\"\n\
         X 1 1 1 0.5 40\nX 5 5 5 0.5 7\nX 5 5 5.75 0.5 9\n",
    );
    write(
        "a.data",
        "# a\n3 atoms\n1 atom types\n0 10 xlo xhi\n0 10 ylo yhi\n0 10 zlo zhi\n\nAtoms # sphere\n\n\
         40 1 1 1 1 1 1\n7 1 1 1 5 5 5\n9 1 1 1 5 5 5.75\n",
    );
    write(
        "repeated.csv",
        "id,x,y,z,radius\n0,1,1,1,0.5\n0,5,5,5,0.5\n0,5,5,5.75,0.5\n",
    );
    for (arguments, pair) in [
        ("a.csv --box 10", [7, 9]),
        // Three spheres have this id.
        ("repeated.csv --box 10", [1, 2]),
        ("noids.csv --box 10", [1, 2]),
        ("a.xyz", [7, 9]),
        ("a.data --boundary ppp", [7, 9]),
    ] {
        let output = jostle(directory.path(), &format!("check {arguments}"));
        assert_code(&output, 1);
        let found = text(&output.stdout);
        let sentence = format!("spheres {} and {}", pair[0], pair[1]);
        assert!(
            found.contains("0.25") && found.contains(&sentence),
            "{found}"
        );

        let output = jostle(directory.path(), &format!("check --json {arguments}"));
        assert_code(&output, 1);
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(found["max_overlap"], 0.25);
        assert_eq!(found["closest"]["spheres"], serde_json::json!(pair));
    }
    let output = jostle(
        directory.path(),
        "check a.csv --box 10,10,5.9 --boundary ppw",
    );
    assert_code(&output, 1);
    assert!(text(&output.stdout).contains("sphere 9 and a wall along z"));
}

#[test]
fn check_tells_of_a_packing_fraction_that_is_no_number() {
    let directory = TempDir::new().unwrap();
    let far = "x,y,z,radius\n1,1,1,1e200\n";
    fs::write(directory.path().join("far.csv"), far).unwrap();
    let output = jostle(directory.path(), "check far.csv --box 1e100 --boundary www");
    assert!(
        text(&output.stdout).contains(
            "whose packing fraction cannot be computed: volumes leave the range of numbers"
        ),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn sizes_lists_presets_and_shows_one() {
    let directory = TempDir::new().unwrap();
    let list = jostle(directory.path(), "sizes");
    assert_code(&list, 0);
    let names: Vec<_> = text(&list.stdout)
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    let objects = jostle(directory.path(), "sizes --json");
    let objects: Vec<Value> = serde_json::from_slice(&objects.stdout).unwrap();
    let json_names: Vec<_> = objects
        .iter()
        .map(|preset| preset["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, json_names);
    assert!(names.contains(&"din-a16") && names.contains(&"concrete"));

    let output = jostle(directory.path(), "sizes power-law-3 -n 1000 --json");
    assert_code(&output, 0);
    let shown: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(shown["size_ratio"], 10.0);
    assert_eq!(shown["table"]["curve"].as_array().unwrap().len(), 17);
    assert_eq!(shown["sample"]["spheres"], 1000);
    assert!(shown["sample"]["mass_curve_error"].as_f64().unwrap() < 0.05);
    // f(d) = 2.0202… d⁻³ on 1 to 10: mean 20/11, median √(1/0.505).
    assert!((shown["moments"][0].as_f64().unwrap() - 20.0 / 11.0).abs() < 1e-9);
    assert!((shown["quantiles"][2]["number"].as_f64().unwrap() - 0.505f64.powf(-0.5)).abs() < 1e-9);

    let output = jostle(
        directory.path(),
        "sizes bidisperse:d_small=1,d_large=4,mass_small=0.25",
    );
    assert_code(&output, 0);
    let rows = text(&output.stdout);
    assert!(
        rows.contains("size ratio 4") && rows.contains("class d"),
        "{rows}"
    );
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_writes_what_it_has() {
    use std::{process::Stdio, thread::sleep, time::Duration};

    let directory = TempDir::new().unwrap();
    let mut command = Process::new(env!("CARGO_BIN_EXE_jostle"));
    command
        .current_dir(directory.path())
        .args("pack mono:d=1 -n 100000 --effort thorough --threads 1 --json".split(' '))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    crate::common::signals::receive_signals(&mut command);
    let program = command.spawn().unwrap();
    sleep(Duration::from_millis(500));
    let kill = Process::new("kill")
        .args(["-INT", &program.id().to_string()])
        .status()
        .unwrap();
    assert!(kill.success());
    let output = program.wait_with_output().unwrap();
    assert_code(&output, 130);
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["status"], "interrupted");
    assert!(text(&output.stderr).contains("packing.json"));
    assert_eq!(names_in(directory.path()), ["packing.json"]);
    assert_code(&jostle(directory.path(), "check packing.json"), 0);
}

#[cfg(unix)]
#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let directory = TempDir::new().unwrap();
    let program = env!("CARGO_BIN_EXE_jostle");
    // The first command is gone before the program prints.
    let script =
        format!("{{ '{program}' pack -n 50 --effort quick --json --quiet; echo $? >&2; }} | true");
    let output = Process::new("sh")
        .current_dir(directory.path())
        .args(["-c", &script])
        .output()
        .unwrap();
    assert_eq!(text(&output.stderr), "0\n");
}

#[test]
fn studies_are_found_in_the_python_package() {
    let directory = tempfile::tempdir().unwrap();
    let output = jostle(directory.path(), "study plan.toml");
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(message.starts_with("error: studies belong to the Python package; install it with"));
    assert!(message.ends_with("run 'python -m jostle study plan.toml'\n"));
}

#[test]
fn a_fraction_out_of_reach_comes_with_advice() {
    let directory = TempDir::new().unwrap();
    for (effort, fraction, advice) in [
        ("--effort 1", 0.645, "at effort 1; without --effort"),
        ("--effort 1", 0.7, "is expected at thorough effort"),
        ("", 0.7, "at thorough effort, the greatest one"),
    ] {
        let arguments = format!("pack mono:d=1 -n 500 --fraction {fraction} -o a.json {effort}");
        let output = jostle(directory.path(), &arguments);
        assert_code(&output, 3);
        let message = text(&output.stderr);
        assert!(message.contains(advice), "{arguments}: {message}");
    }
}

/// A box that `--container` names has the boundary that the file states, as one of `--box` has.
#[test]
fn check_keeps_the_boundary_of_the_file_in_a_box() {
    let directory = TempDir::new().unwrap();
    let crossing = "id,x,y,z,radius\n0,0.2,2,2,0.5\n1,2,2,2,0.5\n";
    fs::write(directory.path().join("w.csv"), crossing).unwrap();
    let output = jostle(
        directory.path(),
        "convert w.csv w.xyz --box 4 --boundary www",
    );
    assert_code(&output, 0);
    for (arguments, code, words) in [
        ("w.xyz", 1, "a wall along x"),
        ("w.xyz --container box:lx=4,ly=4,lz=4", 1, "a wall along x"),
        (
            "w.xyz --container box:lx=4,ly=4,lz=4 --boundary ppp",
            0,
            "no overlap",
        ),
        ("w.csv --container box:lx=4,ly=4,lz=4", 0, "periodic"),
    ] {
        let output = jostle(directory.path(), &format!("check {arguments}"));
        assert_code(&output, code);
        assert!(text(&output.stdout).contains(words), "{arguments}");
    }
}

/// Two inputs cannot be standard input, and stdout cannot take two texts.
#[test]
fn standard_streams_serve_once() {
    let directory = TempDir::new().unwrap();
    let run = |arguments: &str| {
        let output = jostle(directory.path(), arguments);
        assert_code(&output, 2);
        text(&output.stderr).to_owned()
    };
    let output = jostle(directory.path(), "pack mono:d=1 -n 9 -o a.csv");
    assert_code(&output, 0);
    assert!(run("pack mono:d=1 -n 9 -o - -o - --format csv").contains("given twice"));
    assert!(run("pack mono:d=1 -n 9 --checkpoint - -o b.csv").contains("cannot go to stdout"));
    assert!(run("analyze a.csv --box 9 --json -o -").contains("leave --json out"));
    assert!(run("render a.csv --box 9 --side 0 -o a.png").contains("from 1 to 8192"));
}

#[test]
fn check_judges_overlaps_by_a_tolerance() {
    let directory = TempDir::new().unwrap();
    let touching =
        "x,y,z,diameter\n0.1,0.5,0.5,0.1\n0.2,0.5,0.5,0.1\n0.3,0.5,0.5,0.1\n0.4,0.5,0.5,0.1\n";
    fs::write(directory.path().join("touch.csv"), touching).unwrap();
    // A large overlap of large spheres, and a small one of small spheres, which is larger in diameters.
    let mixed = "x,y,z,diameter\n30,50,50,20\n49.999,50,50,20\n80,80,80,0.1\n80.0999,80,80,0.1\n";
    fs::write(directory.path().join("mixed.csv"), mixed).unwrap();
    for (arguments, code, words) in [
        ("touch.csv --box 1", 1, "touch.csv: overlap\n"),
        (
            "touch.csv --box 1 --tolerance 1e-12",
            0,
            "no overlap beyond the tolerance\n",
        ),
        (
            "touch.csv --box 1 --tolerance 1e-17",
            1,
            "touch.csv: overlap\n",
        ),
        (
            "mixed.csv --box 100 --tolerance 0.0005",
            1,
            "mixed.csv: overlap\n",
        ),
        (
            "mixed.csv --box 100 --tolerance 0.0011",
            0,
            "tolerance        0.0011 of the smaller diameter",
        ),
        // The wall too: half of the first sphere is outside.
        (
            "touch.csv --box 1,1,0.5 --boundary www --tolerance 0.4",
            1,
            "and a wall along z",
        ),
        (
            "touch.csv --box 1,1,0.5 --boundary www --tolerance 0.51",
            0,
            "and a wall along z",
        ),
    ] {
        let output = jostle(directory.path(), &format!("check {arguments}"));
        assert_code(&output, code);
        let found = text(&output.stdout);
        assert!(
            found.contains(words) && found.contains("largest overlap  "),
            "{found}"
        );
        let output = jostle(directory.path(), &format!("check --json {arguments}"));
        assert_code(&output, code);
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(found["overlaps"], code == 1, "{arguments}");
        assert!(found["max_overlap"].as_f64().unwrap() > 0.0);
    }
    assert_refused(
        directory.path(),
        "check touch.csv --box 1 --tolerance 2",
        &["0 to 1"],
    );
}

/// Writes files that lack a part of what describes a packing.
fn write_incomplete_files(directory: &std::path::Path) {
    let write = |name: &str, content: &str| fs::write(directory.join(name), content).unwrap();
    write(
        "centered.csv",
        "x,y,z,diameter\n0,0,-50,2\n3,0,-50,2\n-3,0,-99,2\n",
    );
    write(
        "ids.txt",
        "1 1 0.5 0.6 0.7 0.2\n2 1 1.5 1.6 1.4 0.2\n3 1 2.5 0.6 0.8 0.2\n",
    );
    write(
        "frames.xyz",
        "1\nLattice=\"9 0 0 0 9 0 0 0 9\" pbc=\"F F F\" Properties=pos:R:3:radius:R:1\n1 1 1 1\n\
         1\nLattice=\"9 0 0 0 9 0 0 0 9\" pbc=\"F F F\" Properties=pos:R:3:radius:R:1\n0 1 1 1\n",
    );
    write(
        "two.dat",
        "LAMMPS data file\n\n1 atoms\n0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n\nAtoms\n\n1 1 1 7 5 5 5\n",
    );
    write("centers.csv", "1.5,2,2\n4,2,2\n");
    write("other.dat", "hello\n");
}

#[test]
fn options_state_what_a_file_lacks() {
    let directory = TempDir::new().unwrap();
    write_incomplete_files(directory.path());
    let cylinder = "centered.csv --container cylinder:d=10,h=100";
    for (arguments, code, warning) in [
        (cylinder, 1, ""),
        (&format!("{cylinder} --origin -5,-5,-100"), 0, ""),
        (&format!("{cylinder} --origin center"), 1, ""),
        (
            "ids.txt --box 9 --boundary www --columns id,type,x,y,z,r",
            0,
            "",
        ),
        (
            "frames.xyz",
            1,
            "warning: 'frames.xyz': only frame 1 of the frames 0 to 1 is used\n",
        ),
        (
            "frames.xyz --frame 0",
            0,
            "warning: 'frames.xyz': only frame 0 of the frames 0 to 1 is used\n",
        ),
        ("two.dat --from lammps-data --boundary www", 0, ""),
        ("two.dat --boundary www", 0, ""),
        ("centers.csv --box 9 --boundary www --diameter 2.5", 0, ""),
        ("centers.csv --box 9 --boundary www --diameter 2.6", 1, ""),
    ] {
        let output = jostle(directory.path(), &format!("check {arguments}"));
        assert_code(&output, code);
        assert_eq!(text(&output.stderr), warning, "{arguments}");
    }
    let json = jostle(directory.path(), "check frames.xyz --json");
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(
        json["unused"],
        serde_json::json!(["only frame 1 of the frames 0 to 1 is used"])
    );
    for command in ["analyze FILE", "render FILE -o a.png", "convert FILE a.csv"] {
        let arguments = command.replace("FILE", "frames.xyz --frame 0");
        let output = jostle(directory.path(), &arguments);
        assert_code(&output, 0);
        assert!(
            text(&output.stderr).contains("only frame 0 of"),
            "{arguments}"
        );
    }

    // What convert writes with its center as origin reads back, by the same name of another option.
    let write = "convert centered.csv a.csv --container cylinder:d=10,h=100 --from-origin=-5,-5,-100 --origin center";
    assert_code(&jostle(directory.path(), write), 0);
    let read = "check a.csv --container cylinder:d=10,h=100 --origin center";
    assert_code(&jostle(directory.path(), read), 0);
}

#[test]
fn bad_options_of_incomplete_files_are_refused() {
    let directory = TempDir::new().unwrap();
    write_incomplete_files(directory.path());
    for (arguments, words) in [
        (
            "other.dat",
            "the format must be one of mfix, mfix-exa, lethe, pfc",
        ),
        ("other.dat", "choose it with --from"),
        ("two.dat", "with --boundary"),
        (
            "centers.csv --box 9",
            "must be given with --diameter, such as --diameter 6",
        ),
        ("centers.csv --box 9 --diameter 0", "above 0"),
        ("two.dat --boundary www --diameter 1", "states the sizes"),
        (
            "ids.txt --from yade --box 9",
            "with --columns, such as --columns id,type,x,y,z,r",
        ),
        ("frames.xyz --frame 2", "has no frame 2"),
        ("frames.xyz --frame first", "a number from 0, or last"),
        (
            "centered.csv --box 9 --origin low",
            "corner, center, or the coordinates",
        ),
    ] {
        assert_refused(directory.path(), &format!("check {arguments}"), &[words]);
    }
}

/// Returns the arguments of a small random request.
#[cfg(all(unix, feature = "report"))]
fn random_request(rng: &mut impl rand::Rng) -> String {
    use rand::RngExt;
    let mut pick = |texts: &[&str]| texts[rng.random_range(0..texts.len())].to_owned();
    let sizes = pick(&[
        "mono:d=0.7",
        "concrete",
        "lognormal:d50=1,sigma=0.3",
        "power-law-0",
    ]);
    let amount = pick(&[
        "-n 23",
        "-n 31 --fraction 0.41",
        "-n 19 --box 60.3,50,40.1",
        "--box 61 --fraction 0.003",
        "-n 17 --container cylinder:aspect=1.2345678901234567",
        "-n 20 --container sphere --fraction 0.3",
        "-n 12 --container cone:taper=0.3,aspect=1.7",
        "-n 20 --container cylinder:d=41.3,h=52 --boundary p",
        "--container sphere:d=52.1 --fraction 0.004",
        "-n 60 --box 23,24,25.3 --boundary www",
        "-n 40 --box 19,20,21.1 --boundary wpw",
        "-n 15 --box 60 --keep-out sphere:d=20.1@30,31,32 --keep-out cylinder:d=5@20,20,20",
    ]);
    let options = [
        pick(&["", "--effort 0", "--effort 0.3"]),
        pick(&["", "--sampling random"]),
        pick(&["", "--min-gap 0.013"]),
        pick(&["", "--max-sweeps 45", "--exchange 0.07"]),
        pick(&["", "", "--toward-nearest 0.3"]),
        pick(&["", "--index hgrid", "--index grid"]),
    ];
    let seed = rng.random_range(0..1_000_000);
    format!("pack {sizes} {amount} {} --seed {seed}", options.join(" "))
}

/// Random requests are made again by the command of their packing, with the same bits. The shell reads the command.
#[cfg(all(unix, feature = "report"))]
#[test]
fn commands_of_packings_make_the_same_spheres() {
    use rand::SeedableRng;
    let mut rng = rand_pcg::Pcg64::seed_from_u64(7);
    let directory = TempDir::new().unwrap();
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_jostle"));
    let path = format!(
        "{}:{}",
        program.parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    for _ in 0..50 {
        let request = random_request(&mut rng);
        let output = jostle(directory.path(), &format!("{request} -q -o first.json"));
        assert!(
            matches!(output.status.code(), Some(0 | 3)),
            "{request}: {}",
            text(&output.stderr)
        );
        let first = directory.path().join("first.json");
        let packing = jostle::read_packing(&first, None).unwrap().packing;
        let Some(command) = jostle::report::command(&packing) else {
            // Bodies grow with a container that was not reached.
            assert!(request.contains("--keep-out"), "{request}");
            continue;
        };
        let output = Process::new("sh")
            .args(["-c", &format!("{command} -q -o again.json")])
            .env("PATH", &path)
            .current_dir(directory.path())
            .output()
            .unwrap();
        assert!(
            matches!(output.status.code(), Some(0 | 3)),
            "{command}: {}",
            text(&output.stderr)
        );
        let again = jostle::read_packing(directory.path().join("again.json"), None).unwrap();
        assert!(
            again.packing.spheres() == packing.spheres(),
            "{request}\n{command}"
        );
        assert!(
            again.packing.container() == packing.container(),
            "{request}\n{command}"
        );
    }
}

/// Packings of any effort and mixture, and lattices, have contacts at the default tolerance.
#[test]
fn default_tolerances_suit_packings() {
    let directory = TempDir::new().unwrap();
    for request in [
        "mono:d=1 -n 500 --effort 0",
        "mono:d=1 -n 500",
        "mono:d=1 -n 500 --boundary www",
        "concrete -n 1000",
        "lognormal:d50=1,sigma=0.4 -n 500",
    ] {
        assert_code(
            &jostle(
                directory.path(),
                &format!("pack {request} -q -o packing.json"),
            ),
            0,
        );
        let output = jostle(directory.path(), "analyze packing.json --json");
        let analysis: Value = serde_json::from_slice(&output.stdout).unwrap();
        let backbone = analysis["contacts"]["mean_backbone"].as_f64().unwrap();
        assert!(
            (4.0..7.0).contains(&backbone),
            "{request}: {}",
            analysis["contacts"]
        );
        assert!(analysis["contacts"]["note"].is_null(), "{request}");
    }
    // No sphere of a loose packing is held, which is said.
    let loose = "pack mono:d=1 -n 100 --min-gap 0.2 -q -o packing.json";
    assert_code(&jostle(directory.path(), loose), 0);
    let output = jostle(directory.path(), "analyze packing.json");
    assert!(words(&output.stdout).contains("no sphere is held by its contacts"));
    #[cfg(feature = "report")]
    {
        let request = "render packing.json --color contacts";
        assert_refused(directory.path(), request, &["no two spheres touch"]);
    }
}

/// Sentences about requests that were not reached compare numbers that differ in print.
#[test]
fn unreached_requests_are_told_apart() {
    let directory = TempDir::new().unwrap();
    let output = jostle(
        directory.path(),
        "pack mono:d=1 -n 400 --box 6.9 --max-sweeps 42 -q",
    );
    assert_code(&output, 3);
    let message = text(&output.stderr);
    assert!(
        message.contains("stopped early by --max-sweeps"),
        "{message}"
    );
    assert!(!message.contains("best"), "{message}");
    let output = jostle(
        directory.path(),
        "pack mono:d=1 -n 1000 --box 1000 -o sparse.json",
    );
    assert!(text(&output.stdout).contains("5.236e-7, in the requested container"));
}

/// Pages state as many formats as there are, and name each of them.
#[test]
fn pages_count_formats() {
    let mut names: Vec<&str> = Format::VARIANTS.to_vec();
    if !names.contains(&"parquet") {
        names.extend(["parquet", "arrow"]);
    }
    let readme = include_str!("../../README.md");
    assert!(readme.contains(&format!("# {} formats", names.len())));
    let table = include_str!("../../docs/guide/formats.md");
    for name in names {
        assert!(table.contains(&format!("`{name}`")), "{name}");
    }
}

/// `docs/reports/choices.md` has a row for each constant that is one number, with the value of the source.
#[test]
fn the_page_of_choices_has_the_constants_of_the_code() {
    let page = include_str!("../../docs/reports/choices.md");
    let rows = page.lines().filter_map(|line| {
        let (name, rest) = line.strip_prefix("| `")?.split_once("` | `")?;
        Some((name, rest.split_once('`')?.0))
    });
    let rows: std::collections::HashMap<&str, &str> = rows.collect();
    let mut found = 0;
    for source in [
        include_str!("../../src/rearrange/constants.rs"),
        include_str!("../../src/verlet/constants.rs"),
    ] {
        let choices = source.split("// Limits").next().unwrap();
        for definition in choices.split("const ").skip(1) {
            let Some((name, rest)) = definition.split_once(": ") else {
                continue;
            };
            let value = rest.split_once(" = ").unwrap().1.split_once(';').unwrap().0;
            let is_array = value.trim_start().starts_with('[');
            let expected = (!is_array).then_some(value);
            assert_eq!(rows.get(name).copied(), expected, "{name}");
            found += usize::from(!is_array);
        }
    }
    assert_eq!(found, rows.len(), "the page has further constants");
}
