//! `jostle analyze`, `report`, `plot` and `render`: output, files and refusals.

use std::fs;

use jostle::{Effort, PackOptions, pack, write_files};
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{
    directory::names_in,
    program::{jostle, text},
};

/// Returns a directory with a packing of two sizes as `p.json` and `p.csv`.
fn packed() -> TempDir {
    let directory = TempDir::new().unwrap();
    let radii = [vec![0.5; 200], vec![1.0; 30]].concat();
    let options = PackOptions::default().effort(Effort::QUICK);
    let packing = pack(&radii, &options).unwrap().packing;
    let files = ["p.json", "p.csv"].map(|name| directory.path().join(name));
    write_files(&packing, &files).unwrap();
    directory
}

#[test]
fn help_is_as_documented() {
    let directory = TempDir::new().unwrap();
    for command in ["analyze", "report", "plot", "render"] {
        let output = jostle(directory.path(), &format!("{command} --help"));
        insta::assert_snapshot!(format!("help_{command}"), text(&output.stdout));
    }
}

#[test]
fn the_text_names_the_quantities_and_the_classes() {
    let directory = packed();
    let output = jostle(directory.path(), "analyze p.json --tolerance 0.01");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let text = text(&output.stdout);
    for words in [
        "p.json\n  spheres           230\n",
        "expected          0.6",
        "diameters         1 to 2, mean 1.13",
        "at tolerance 0.01",
        "bond order        mean q4 0.",
        "S(k → 0)          ",
        "homogeneity       ",
        "class d     spheres   % of mass    contacts\n                      1         200",
    ] {
        assert!(text.contains(words), "no '{words}' in:\n{text}");
    }
}

#[test]
fn the_json_object_is_printed_and_written() {
    let directory = packed();
    let output = jostle(
        directory.path(),
        "analyze p.json --json -o a.json --axis x --threads 1",
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let written = fs::read(directory.path().join("a.json")).unwrap();
    assert_eq!(printed, serde_json::from_slice::<Value>(&written).unwrap());
    assert_eq!(printed["profile"]["axis"], "x");
    assert_eq!(printed["contacts"]["tolerance"], 0.02);
    assert_eq!(printed["sizes"]["classes"][1]["number"], 30);
    let g = printed["rdf"]["g"].as_array().unwrap();
    assert_eq!(g.len(), printed["rdf"]["r"].as_array().unwrap().len());
}

#[test]
fn bad_requests_are_refused() {
    let directory = packed();
    let before = names_in(directory.path());
    for (arguments, words) in [
        ("analyze", "<FILE>"),
        ("analyze missing.json", "missing.json"),
        ("analyze p.csv", "--box"),
        ("analyze p.json --box 3", "must agree"),
        ("analyze p.json --tolerance 2", "from 0 to 1"),
        ("analyze p.json --tolerance -1", "from 0 to 1"),
        ("analyze p.json --axis w", "--axis"),
        ("analyze p.json -o missing/a.json", "missing"),
        ("analyze p.json --contacts missing/a.csv", "missing"),
        (
            "analyze p.json --contacts a.vtp",
            ".csv, .tsv, .npz or .parquet",
        ),
        (
            "analyze p.json --spheres a.txt",
            ".csv, .tsv, .npz or .parquet",
        ),
        (
            "analyze p.json --spheres spheres",
            ".csv, .tsv, .npz or .parquet",
        ),
        ("analyze p.json --contacts p.json", "replace the input"),
        (
            "analyze p.json --contacts a.csv --spheres a.csv",
            "same file",
        ),
        (
            "analyze p.csv --box 10 --spheres p.csv",
            "replace the input",
        ),
        ("analyze p.json --curves p.csv", "a directory is expected"),
        ("analyze p.json --curves missing/curves", "missing"),
        ("analyze p.json --by component", "not made from a blend"),
        ("analyze p.json --by size", "class, component"),
    ] {
        let output = jostle(directory.path(), arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {error}");
        assert_eq!(error.lines().count(), 1, "{arguments}: {error}");
        assert!(error.contains(words), "{arguments}: {error}");
        assert_eq!(names_in(directory.path()), before, "{arguments}");
    }
}

#[test]
fn contacts_spheres_and_curves_are_written() {
    let directory = packed();
    let output = jostle(
        directory.path(),
        "analyze p.json --contacts pairs.csv --spheres spheres.npz --curves curves --by class --json",
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let pairs = fs::read_to_string(directory.path().join("pairs.csv")).unwrap();
    let mut lines = pairs.lines();
    assert_eq!(lines.next(), Some("a,b,gap,nx,ny,nz,area"));
    let mean = 2.0 * lines.count() as f64 / 230.0;
    assert!((printed["contacts"]["mean"].as_f64().unwrap() - mean).abs() < 1e-12);
    let spheres = fs::read(directory.path().join("spheres.npz")).unwrap();
    assert!(spheres.starts_with(b"PK"));
    let curves = names_in(&directory.path().join("curves"));
    for name in ["rdf.csv", "groups-z.csv", "gaps.csv", "sizes.csv"] {
        assert!(curves.contains(&name.to_owned()), "{name} in {curves:?}");
    }
    let groups = fs::read_to_string(directory.path().join("curves/groups-z.csv")).unwrap();
    assert!(groups.starts_with("distance,total,1,2\n"), "{groups}");
    assert_eq!(
        printed["profiles"][0]["groups"],
        serde_json::json!(["1", "2"])
    );
    assert_eq!(printed["profiles"][0]["along"], "z");
    // A periodic box has no walls.
    assert_eq!(printed["profiles"].as_array().unwrap().len(), 2);
}

#[test]
fn a_quiet_command_writes_the_same_tables() {
    let directory = packed();
    for (arguments, name) in [("", "a"), ("--quiet", "b")] {
        let output = jostle(
            directory.path(),
            &format!("analyze p.json --contacts {name}.csv --spheres {name}-s.csv {arguments}"),
        );
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_eq!(output.stdout.is_empty(), name == "b");
    }
    let bytes = |name: &str| fs::read(directory.path().join(name)).unwrap();
    assert_eq!(bytes("a.csv"), bytes("b.csv"));
    assert_eq!(bytes("a-s.csv"), bytes("b-s.csv"));
    assert!(bytes("a.csv").len() > 1000);
}

#[test]
fn components_are_groups() {
    let directory = TempDir::new().unwrap();
    let blend = "blend:(mono:d=1)=0.5,(mono:d=2)=0.5";
    let arguments = format!("pack {blend} -n 200 -o b.json --effort quick -q");
    let output = jostle(directory.path(), &arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let arguments = "analyze b.json --by component --json --spheres s.csv";
    let output = jostle(directory.path(), arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let labels: Vec<&Value> = printed["components"]
        .as_array()
        .unwrap()
        .iter()
        .map(|own| &own["label"])
        .collect();
    assert_eq!(printed["profiles"][0]["groups"], serde_json::json!(labels));
    let rows = fs::read_to_string(directory.path().join("s.csv")).unwrap();
    let (head, first) = rows.split_once('\n').unwrap();
    assert!(head.contains(",class,component,"), "{head}");
    assert!(first.contains(",mono:d="), "{first}");
    // The summary fits a terminal of 80 columns.
    let summary = jostle(directory.path(), "analyze b.json");
    let summary = text(&summary.stdout);
    assert!(
        summary.contains("with mono:d=1   with mono:d=2"),
        "{summary}"
    );
    let longest = summary.lines().map(|line| line.chars().count()).max();
    assert!(longest <= Some(80), "{summary}");
}

#[test]
fn the_text_shows_the_profiles_of_groups() {
    let directory = packed();
    let output = jostle(
        directory.path(),
        "analyze p.json --by class --spheres s.csv",
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    let text = text(&output.stdout);
    for words in [
        "                      z         1         2       all\n",
        "                 radius",
        "file              s.csv",
    ] {
        assert!(text.contains(words), "no '{words}' in:\n{text}");
    }
}

#[test]
fn pictures_are_written() {
    let directory = packed();
    for (arguments, file, beginning) in [
        ("report p.json", "report.html", "<!doctype html>"),
        (
            "report p.json -o r.html --tolerance 0.01",
            "r.html",
            "<!doctype html>",
        ),
        ("plot p.json --what rdf,sizes -o f.svg", "f.svg", "<svg"),
        ("plot p.json", "figures.svg", "<svg"),
        (
            "render p.json --side 32 -o p.svg --color type --cut z=0.5",
            "p.svg",
            "<svg",
        ),
    ] {
        let output = jostle(directory.path(), arguments);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_eq!(text(&output.stdout).trim(), file);
        let content = fs::read_to_string(directory.path().join(file)).unwrap();
        assert!(content.starts_with(beginning), "{arguments}");
    }
    let output = jostle(directory.path(), "render p.json --side 32 --view -1,0,0.5");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(
        fs::read(directory.path().join("packing.png"))
            .unwrap()
            .starts_with(b"\x89PNG")
    );
}

#[test]
fn a_run_writes_its_page_beside_its_packing() {
    let directory = TempDir::new().unwrap();
    let output = jostle(
        directory.path(),
        "pack mono:d=1 -n 100 -o r.html --effort quick -q",
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(names_in(directory.path()), ["packing.json", "r.html"]);
    let page = fs::read_to_string(directory.path().join("r.html")).unwrap();
    assert!(
        page.contains("<pre>jostle pack mono:d=1 -n 100 "),
        "no command in the page"
    );
    assert!(page.contains("Packing fraction during the run"));
}

/// The page names the container, its boundary and the gap to walls, so that its command makes the same bits.
#[test]
fn the_command_of_a_page_makes_the_packing_again() {
    let directory = TempDir::new().unwrap();
    let read = |name: &str| fs::read_to_string(directory.path().join(name)).unwrap();
    for (request, words, code) in [
        ("--boundary www --wall-gap 0.1", "--wall-gap 0.1", 0),
        ("--container cylinder:aspect=1.7", "cylinder:aspect=1.7 ", 0),
        (
            "--container cylinder:d=6,h=7 --boundary p",
            "cylinder:d=6,h=7 --boundary p",
            0,
        ),
        (
            "--container sphere --fraction 0.4",
            "sphere --fraction 0.4",
            0,
        ),
        ("--container sphere:d=4", "sphere:d=4 ", 3),
        (
            "--container cone:taper=0.3,aspect=1.1",
            "cone:taper=0.3,aspect=1.1 ",
            0,
        ),
    ] {
        let run = format!("pack mono:d=1 -n 60 --effort quick -q {request} -o p.json -o r.html");
        let output = jostle(directory.path(), &run);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{request}: {error}");
        let page = read("r.html");
        let command = page.split("<pre>jostle ").nth(1).unwrap();
        let command = command.split("</pre>").next().unwrap();
        assert!(command.contains(words), "{command}");
        jostle(directory.path(), &format!("{command} -q -o again.json"));
        assert!(read("p.json") == read("again.json"), "{command}");
    }
}

#[test]
fn bad_pictures_are_refused() {
    let directory = packed();
    let before = names_in(directory.path());
    for (arguments, words) in [
        ("report p.json -o r.pdf", ".html"),
        (
            "plot p.json --what rfd",
            "unknown figure 'rfd'; expected one of sizes, rdf",
        ),
        ("plot p.json --what wall", "must have walls"),
        ("render p.json -o p.gif", ".png or .svg"),
        ("render p.json --view 0,0,0", "--view"),
        ("render p.json --cut z", "z=0.5"),
        ("render p.json --side 0", "from 1 to 8192"),
        (
            "render p.json --color red",
            "expected one of size, contacts, type",
        ),
        ("pack mono:d=1 -n 10 -o missing/r.html", "missing"),
    ] {
        let output = jostle(directory.path(), arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {error}");
        assert_eq!(error.lines().count(), 1, "{arguments}: {error}");
        assert!(error.contains(words), "{arguments}: {error}");
        assert_eq!(names_in(directory.path()), before, "{arguments}");
    }
}
