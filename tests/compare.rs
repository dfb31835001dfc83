//! The comparisons repeat but for times, and the command refuses what it cannot compare.

use std::fs;

use assert_cmd::Command;
use jostle::{
    Effort, SizeSpec, Spheres,
    laboratory::broad_phase::BroadPhaseKind,
    laboratory::compare::{
        Experiment, IndexComparison, IndexRow, Measurement, cell_sizes, compare_indexes,
        growth_rows, measure, measure_scene, scene,
    },
};
use predicates::{
    prelude::PredicateBooleanExt,
    str::{contains, starts_with},
};
use serde_json::Value;

fn jostle(arguments: &str) -> Command {
    let mut command = Command::cargo_bin("jostle").unwrap();
    command.args(arguments.split_whitespace());
    command
}

fn index_rows() -> Vec<IndexRow> {
    let comparison = IndexComparison {
        spheres: 400,
        runs: 2,
        effort: Effort::QUICK,
        ..IndexComparison::default()
    };
    let sizes = SizeSpec::load("fuller:d_min=1,d_max=4").unwrap();
    compare_indexes(&sizes, &comparison, &mut |_| ()).unwrap()
}

#[test]
fn index_rows_repeat_but_for_times() {
    let without_times = |rows: Vec<IndexRow>| {
        rows.into_iter()
            .map(|row| IndexRow {
                insert_ns: 0.0,
                insert_ns_spread: 0.0,
                relocate_ns: 0.0,
                relocate_ns_spread: 0.0,
                query_ns: 0.0,
                query_ns_spread: 0.0,
                pack_seconds: 0.0,
                pack_seconds_spread: 0.0,
                ..row
            })
            .collect::<Vec<_>>()
    };
    let once = without_times(index_rows());
    assert!(once.iter().all(|row| row.candidates_spread > 0.0));
    assert_eq!(once, without_times(index_rows()));
}

fn measured(
    experiment: Experiment,
    counts: &[usize],
    kinds: &[BroadPhaseKind],
) -> Vec<Measurement> {
    let mut rows = Vec::new();
    for case in experiment.cases(counts, 1) {
        let sizes = cell_sizes(&scene(&case).unwrap()).unwrap();
        rows.extend(
            kinds
                .iter()
                .map(|&kind| measure(&case, kind, &sizes).unwrap()),
        );
    }
    rows
}

#[test]
fn broad_phase_rows_repeat_but_for_times() {
    let once = || {
        let mut rows = measured(Experiment::V, &[300], &BroadPhaseKind::ALL);
        for row in &mut rows {
            assert!(row.seconds >= row.first_seconds && row.first_seconds > 0.0);
            (row.seconds, row.first_seconds) = (0.0, 0.0);
        }
        rows
    };
    assert_eq!(once(), once());
}

#[test]
fn a_scene_may_be_given() {
    let case = Experiment::I.cases(&[500], 1)[0];
    let pairs = |spheres: &Spheres| {
        measure_scene(&case, spheres, BroadPhaseKind::Nbs, &[])
            .unwrap()
            .pairs
    };
    let block = scene(&case).unwrap();
    let rows = measured(Experiment::I, &[500], &[BroadPhaseKind::Nbs]);
    assert_eq!(pairs(&block), rows[0].pairs);
    let sparse = block.centers().iter().map(|&center| 100.0 * center);
    assert_eq!(
        pairs(&Spheres::new(sparse.collect(), block.radii().to_vec())),
        0
    );
}

/// What the paper leaves open: cells of one size break down, hierarchies do not.
#[test]
fn many_sizes_cost_only_methods_with_one_cell_size() {
    use BroadPhaseKind::{Bbts, HgridBottomUp, HgridTopDown, LinkedCell, LooseOctree, Mr, Nbs};
    let kinds = [
        LinkedCell,
        Nbs,
        Mr,
        Bbts,
        HgridTopDown,
        HgridBottomUp,
        LooseOctree,
    ];
    let rows = measured(Experiment::V, &[500, 2_000, 8_000], &kinds);
    for row in growth_rows(&rows)
        .iter()
        .filter(|row| row.size_ratio == 50.0)
    {
        let exponent = row.work_exponent;
        if row.algorithm.has_one_cell_size() {
            assert!(exponent > 1.5, "{}: {exponent}", row.algorithm);
        } else {
            assert!(exponent < 1.2, "{}: {exponent}", row.algorithm);
        }
    }
}

#[test]
fn index_command_prints_and_writes_rows() {
    let directory = tempfile::tempdir().unwrap();
    let (json, csv) = (
        directory.path().join("i.json"),
        directory.path().join("i.csv"),
    );
    let files = format!("-o {} -o {}", json.display(), csv.display());
    let output = jostle(&format!(
        "compare index mono:d=2 -n 50 --runs 2 --effort quick --boundary ppw --verlet-distance 0.5 --index grid,kd-tree --json {files}"
    ))
    .assert()
    .success()
    .stderr("")
    .get_output()
    .stdout
    .clone();
    let rows: Value = serde_json::from_slice(&output).unwrap();
    assert_eq!(
        rows,
        serde_json::from_str::<Value>(&fs::read_to_string(json).unwrap()).unwrap()
    );
    assert_eq!(rows.as_array().unwrap().len(), 2);
    assert_eq!(rows[1]["index"], "kd-tree");
    assert_eq!(rows[0]["sizes"], "mono:d=2");
    assert_eq!(rows[0]["boundary"], "ppw");
    assert_eq!(rows[0]["spheres"], 50);
    assert_eq!(rows[0]["levels"][0], 50.0);
    assert_eq!(rows[0]["verlet_distance_mean"], 0.5);
    for field in [
        "candidates_mean",
        "neighbours_mean",
        "nodes_opened_mean",
        "bytes_per_sphere",
        "insert_ns",
        "relocate_ns",
        "query_ns",
    ] {
        assert!(rows[0][field].as_f64().unwrap() > 0.0, "{field}");
    }
    let mut reader = csv::Reader::from_path(csv).unwrap();
    let header = reader.headers().unwrap().clone();
    assert_eq!(header.len(), rows[0].as_object().unwrap().len());
    let record = reader.records().next().unwrap().unwrap();
    for (name, word) in header
        .iter()
        .zip(&record)
        .filter(|(name, _)| *name != "levels")
    {
        match &rows[0][name] {
            Value::Number(number) => {
                assert_eq!(word.parse::<f64>().ok(), number.as_f64(), "{name}")
            }
            value => assert_eq!(value, word, "{name}"),
        }
    }
}

#[test]
fn broad_phase_command_prints_rows_and_fits() {
    let output = jostle("compare broad-phase --experiment I -n 60,200 --algorithm nbs,mr --json")
        .assert()
        .success()
        .get_output()
        .stdout
        .clone();
    let results: Value = serde_json::from_slice(&output).unwrap();
    assert_eq!(results["rows"].as_array().unwrap().len(), 4);
    assert_eq!(results["rows"][3]["algorithm"], "mr");
    assert_eq!(results["fits"][0]["spheres"], serde_json::json!([60, 200]));

    jostle("compare broad-phase --experiment iv -n 30 --algorithm bbts")
        .assert()
        .success()
        .stdout(contains("one cell").and(contains("bbts")));
}

#[test]
fn bad_input_is_refused_in_one_sentence() {
    let directory = tempfile::tempdir().unwrap();
    let inside = |name: &str| directory.path().join(name).display().to_string();
    for (arguments, words) in [
        ("index nonsense", "not a preset"),
        ("index -n 0", "at least 1"),
        ("index -n -5", "at least 1"),
        ("index -n 1e17", "GiB"),
        ("index --runs 0", "at least 1"),
        ("index --verlet-distance -1", "at least 0"),
        ("index --verlet-distance NaN", "at least 0"),
        ("index --boundary xyz", "three letters"),
        ("index --index loose,grid", "no index"),
        ("index --effort 7", "7"),
        ("broad-phase --experiment VI", "no experiment"),
        ("broad-phase -n 100,x", "whole number"),
        ("broad-phase -n 1e17", "GiB"),
        ("broad-phase --algorithm sap", "no broad phase algorithm"),
        (&format!("index -o {}", inside("a.xyz")), ".json or .csv"),
        (&format!("broad-phase -o {}", inside("none/a.csv")), "none"),
    ] {
        jostle(&format!("compare {arguments}"))
            .assert()
            .code(2)
            .stdout("")
            .stderr(starts_with("error: ").and(contains(words)).and(one_line()));
    }
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
}

fn one_line() -> impl predicates::Predicate<str> {
    predicates::function::function(|text: &str| text.trim_end().lines().count() == 1)
}
