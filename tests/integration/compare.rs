//! Comparisons: everything but times repeats, and the command refuses invalid input.

use std::{collections::HashMap, fs};

use assert_cmd::Command;
use jostle::{
    Effort, SizeSpec, Spheres,
    laboratory::broad_phase::BroadPhaseKind,
    laboratory::compare::{
        Experiment, IndexComparison, IndexRow, Measurement, cell_sizes, compare_indexes,
        first_snapshot, growth_rows, measure, measure_from,
    },
};
use predicates::{
    prelude::PredicateBooleanExt,
    str::{contains, starts_with},
};
use serde_json::Value;
use strum::VariantArray;

fn jostle(arguments: &str) -> Command {
    let mut command = Command::cargo_bin("jostle").unwrap();
    command.args(arguments.split_whitespace());
    command
}

/// Returns what the command prints on stdout.
fn stdout(command: &mut Command) -> Vec<u8> {
    command.assert().success().get_output().stdout.clone()
}

fn index_rows() -> Vec<IndexRow> {
    let comparison = IndexComparison::default()
        .spheres(400)
        .runs(2)
        .effort(Effort::QUICK);
    let sizes = SizeSpec::load("fuller:d_min=1,d_max=4").unwrap();
    compare_indexes(&sizes, &comparison, &mut |_| ()).unwrap()
}

#[test]
fn index_rows_repeat_except_for_times() {
    let without_times = || {
        let mut rows = index_rows();
        for row in &mut rows {
            (row.insert_ns, row.insert_ns_spread) = (0.0, 0.0);
            (row.relocate_ns, row.relocate_ns_spread) = (0.0, 0.0);
            (row.query_ns, row.query_ns_spread) = (0.0, 0.0);
            (row.pack_seconds, row.pack_seconds_spread) = (0.0, 0.0);
        }
        rows
    };
    let rows = without_times();
    assert!(rows.iter().all(|row| row.candidates_spread > 0.0));
    assert_eq!(rows, without_times());
}

fn measured(
    experiment: Experiment,
    counts: &[usize],
    kinds: &[BroadPhaseKind],
) -> Vec<Measurement> {
    let mut rows = Vec::new();
    for case in experiment.cases(counts, 1) {
        let sizes = cell_sizes(&first_snapshot(&case).unwrap()).unwrap();
        rows.extend(
            kinds
                .iter()
                .map(|&kind| measure(&case, kind, &sizes).unwrap()),
        );
    }
    rows
}

#[test]
fn broad_phase_rows_repeat_except_for_times() {
    let without_times = || {
        let mut rows = measured(Experiment::V, &[300], BroadPhaseKind::VARIANTS);
        for row in &mut rows {
            assert!(row.seconds >= row.first_seconds && row.first_seconds > 0.0);
            assert!(
                row.sort_seconds
                    .is_none_or(|sort| 0.0 < sort && sort < row.seconds)
            );
            (row.seconds, row.sort_seconds, row.first_seconds) = (0.0, None, 0.0);
        }
        rows
    };
    assert_eq!(without_times(), without_times());
}

#[test]
fn a_measurement_starts_from_the_given_snapshot() {
    let case = Experiment::I.cases(&[500], 1)[0];
    let pairs = |spheres: &Spheres| {
        measure_from(&case, spheres, BroadPhaseKind::Nbs, &[])
            .unwrap()
            .pairs
    };
    let block = first_snapshot(&case).unwrap();
    let rows = measured(Experiment::I, &[500], &[BroadPhaseKind::Nbs]);
    assert_eq!(pairs(&block), rows[0].pairs);
    let sparse = block.centers().iter().map(|&center| 100.0 * center);
    assert_eq!(
        pairs(&Spheres::new(sparse.collect(), block.radii().to_vec())),
        0
    );
}

/// The paper does not study many sizes: the cost per sphere grows with cells of one size, and hardly with hierarchies.
#[test]
fn only_algorithms_with_one_cell_size_are_slow_for_many_sizes() {
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
        let exponent = row.operations_exponent;
        if row.algorithm.has_one_cell_size() {
            assert!(exponent > 1.5, "{}: exponent {exponent}", row.algorithm);
        } else {
            assert!(exponent < 1.2, "{}: exponent {exponent}", row.algorithm);
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
    let second = if cfg!(feature = "kd-tree") {
        "kd-tree"
    } else {
        "hgrid"
    };
    let output = jostle(&format!(
        "compare index mono:d=2 -n 50 --runs 2 --effort quick --boundary ppw --verlet-distance 0.5 --index grid,{second} --json {files}"
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
    assert_eq!(rows[1]["index"], second);
    assert_eq!(rows[0]["sizes"], "mono:d=2");
    assert_eq!(rows[0]["boundary"], "ppw");
    assert_eq!(rows[0]["spheres"], 50);
    assert_eq!(rows[0]["levels"][0], 50.0);
    assert_eq!(rows[0]["verlet_distance_mean"], 0.5);
    for field in [
        "candidates_mean",
        "neighbors_mean",
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
    // The program stands in the JSON alone.
    assert_eq!(header.len() + 1, rows[0].as_object().unwrap().len());
    let record = reader.records().next().unwrap().unwrap();
    for (name, word) in header
        .iter()
        .zip(&record)
        .filter(|(name, _)| *name != "levels")
    {
        match &rows[0][name] {
            Value::Number(number) => {
                assert_eq!(word.parse::<f64>().ok(), number.as_f64(), "{name}");
            }
            value => assert_eq!(value, word, "{name}"),
        }
    }
}

/// Returns the results that an experiment prints as JSON, and the records of its CSV file, by column.
fn experiment(arguments: &str) -> (Value, Vec<HashMap<String, String>>) {
    let directory = tempfile::tempdir().unwrap();
    let csv = directory.path().join("rows.csv");
    let arguments = format!(
        "compare index --experiment {arguments} --json -o {}",
        csv.display()
    );
    let output = stdout(&mut jostle(&arguments));
    let mut reader = csv::Reader::from_path(csv).unwrap();
    let records = reader.deserialize().collect::<Result<_, _>>().unwrap();
    (serde_json::from_slice(&output).unwrap(), records)
}

#[test]
fn table_1_prints_the_paper_beside_each_method() {
    let (rows, records) = experiment("table-1 -n 80 --runs 2 --index grid,loose-octree");
    let rows = rows.as_array().unwrap();
    // Three methods of the paper, two indexes, and four properties of the packings; three size distributions.
    assert_eq!(rows.len(), 27);
    assert_eq!(records.len(), 27);
    let find = |sizes: &str, quantity: &str| {
        let mut rows = rows.iter();
        rows.find(|row| row["sizes"] == sizes && row["quantity"] == quantity)
            .unwrap()
    };
    for (quantity, equal, fuller) in [
        ("grid, 27 cells", 32.9, 9_999.0),
        ("strict octree", 2_027.6, 1_188.1),
        ("loose octree", 51.7, 31.2),
    ] {
        assert_eq!(find("mono:d=1", quantity)["paper"], equal);
        for sizes in ["fuller:d_min=1,d_max=684.75", "fuller-2011"] {
            let row = find(sizes, quantity);
            assert_eq!(row["paper"], fuller);
            let deviation = row["mean"].as_f64().unwrap() / fuller - 1.0;
            assert!((row["deviation"].as_f64().unwrap() - deviation).abs() < 1e-12);
            // The candidates in the loose octree could be near the paper's by chance.
            if quantity != "loose octree" {
                assert_eq!(row["reason"], "the paper packs 10000 spheres");
            }
        }
    }
    for row in rows {
        assert_eq!(row["boundary"], "www");
        assert_eq!((&row["spheres"], &row["runs"]), (&80.into(), &2.into()));
        let values = row["values"].as_array().unwrap();
        let sum: f64 = values.iter().map(|value| value.as_f64().unwrap()).sum();
        assert!(
            (row["mean"].as_f64().unwrap() - sum / 2.0).abs() < 1e-9,
            "{row}"
        );
    }
    assert!(find("mono:d=1", "grid")["paper"].is_null());
    assert!(find("mono:d=1", "grid")["reason"].is_null());
    let record = &records[0];
    assert_eq!(record["quantity"], rows[0]["quantity"].as_str().unwrap());
    assert_eq!(record["paper"], "32.9");
    // The program stands in the JSON alone.
    assert_eq!(record.len() + 1, rows[0].as_object().unwrap().len());
}

#[test]
fn options_override_the_settings_of_an_experiment() {
    let (rows, _) = experiment(
        "table-1 -n 60 --runs 1 --boundary ppp --sampling stratified --verlet-distance 0 --index grid",
    );
    let rows = rows.as_array().unwrap();
    let find = |quantity: &str| {
        let mut rows = rows.iter();
        rows.find(|row| {
            row["sizes"] == "fuller:d_min=1,d_max=684.75" && row["quantity"] == quantity
        })
        .unwrap()
    };
    assert_eq!(find("strict octree, images")["boundary"], "ppp");
    assert!(find("loose octree, around")["mean"].as_f64().unwrap() > 0.0);
    // Spheres of a finished packing that do not touch have no neighbor at distance 0.
    let neighbors = find("neighbors")["mean"].as_f64().unwrap();
    assert!(neighbors < 1.0, "{neighbors}");
    // The quantiles of 60 spheres end at 120^(2/5) = 6.8; the stratified sample keeps the mean volume.
    let largest = find("d_max / d_min")["mean"].as_f64().unwrap();
    assert!(largest > 10.0, "{largest}");
}

#[test]
fn fig_9_prints_levels_statements_and_eq_3() {
    let (results, records) = experiment("fig-9 -n 120 --runs 2");
    let levels = results["levels"].as_array().unwrap();
    assert_eq!(levels.len(), records.len());
    for sizes in ["mono:d=1", "fuller:d_min=1,d_max=684.75", "fuller-2011"] {
        for octree in ["strict", "loose"] {
            let rows = levels
                .iter()
                .filter(|row| row["sizes"] == sizes && row["octree"] == octree);
            let shares = rows.map(|row| row["share"].as_f64().unwrap());
            let total: f64 = shares.sum();
            assert!((total - 1.0).abs() < 1e-12, "{sizes}, {octree}: {total}");
        }
    }
    // 120 equal spheres are in a cube of 4 to 8 diameters: the deepest level is 2, and the root has 1 + 8 + 64 nodes below and with it.
    assert_eq!(levels[0]["octree"], "strict");
    assert_eq!(levels[0]["level"], 0);
    assert_eq!(levels[0]["most_nodes"], 73.0);
    let existing = levels[0]["existing_nodes"].as_f64().unwrap();
    assert!(existing > 9.0 && existing <= 73.0, "{existing}");
    assert_eq!(records[0]["most_nodes"], "73");
    let statements = results["statements"].as_array().unwrap();
    assert_eq!(statements.len(), 9);
    for row in statements {
        assert_eq!(
            row["holds"].as_bool().unwrap(),
            row["reason"].is_null(),
            "{row}"
        );
    }
    let equal = statements
        .iter()
        .find(|row| row["statement"] == "all spheres are on the two deepest levels");
    assert_eq!(equal.unwrap()["share"], 1.0);
}

#[test]
fn broad_phase_command_prints_rows_and_fits() {
    let output = stdout(&mut jostle(
        "compare broad-phase --experiment I -n 60,200 --algorithm nbs,mr --json",
    ));
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
fn steps_of_the_paper_leave_the_spheres_where_they_are() {
    let pairs = |experiment: &str, steps: &str| {
        let arguments = format!(
            "compare broad-phase --experiment {experiment} -n 300 --algorithm mr {steps} --json"
        );
        let results: Value = serde_json::from_slice(&stdout(&mut jostle(&arguments))).unwrap();
        results["rows"][0]["pairs"].as_u64().unwrap()
    };
    let case = Experiment::Iii.cases(&[300], 1)[0];
    let first = first_snapshot(&case).unwrap();
    let mut in_first = 0;
    BroadPhaseKind::Bbts
        .build(&[])
        .unwrap()
        .detect(&first, &mut |_, _| in_first += 1);
    assert!(in_first > 0);
    assert_eq!(pairs("III", "--steps published"), 10 * in_first);
    // The spheres of the block do not overlap before they move.
    assert_eq!(pairs("I", "--steps published"), 0);
    assert!(pairs("I", "--steps random") > 0);
    assert_eq!(pairs("I", "--steps random"), pairs("I", ""));
}

#[test]
fn memory_access_command_prints_both_cases() {
    let directory = tempfile::tempdir().unwrap();
    let csv = directory.path().join("access.csv");
    let output = stdout(&mut jostle(&format!(
        "compare memory-access -n 10,1000 --json -o {}",
        csv.display()
    )));
    let rows: Value = serde_json::from_slice(&output).unwrap();
    let rows = rows.as_array().unwrap();
    let cases: Vec<_> = rows
        .iter()
        .map(|row| {
            (
                row["elements"].as_u64().unwrap(),
                row["case"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(cases, [(10, "A"), (10, "B"), (1000, "A"), (1000, "B")]);
    assert!(rows[2]["in_turn_ns"].as_f64().unwrap() > 0.0);
    assert_eq!(fs::read_to_string(csv).unwrap().lines().count(), 5);
    jostle("compare memory-access -n 100")
        .assert()
        .success()
        .stdout(contains("in turn A"));
}

/// Lines of tables and of help texts fit on a terminal of 80 columns.
#[test]
fn output_fits_in_80_columns() {
    for arguments in [
        "broad-phase --help",
        "index --help",
        "memory-access --help",
        "memory-access -n 100,100000",
        "broad-phase --experiment I,II,V -n 60,200,600,2000 --algorithm hgrid-bottom-up,nbs",
        "index fuller:d_min=1,d_max=9 -n 100 --runs 2 --effort quick",
        "index --experiment table-1 -n 100 --runs 2 --boundary ppp",
        "index --experiment fig-9 -n 100 --runs 2",
    ] {
        let output = stdout(jostle(&format!("compare {arguments}")).env("COLUMNS", "80"));
        for line in String::from_utf8(output).unwrap().lines() {
            assert!(line.chars().count() <= 80, "{arguments}: {line}");
        }
    }
}

#[test]
fn invalid_input_is_refused_in_one_sentence() {
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
        ("index --index loose,grid", "unknown index 'loose'"),
        ("index --effort 7", "7"),
        ("index --experiment table-2", "unknown experiment 'table-2'"),
        ("index mono:d=1 --experiment table-1", "--experiment"),
        (
            "index --experiment fig-9 --index grid",
            "fig-9 uses neither",
        ),
        (
            "index --experiment fig-9 --verlet-distance 1",
            "fig-9 uses neither",
        ),
        ("index --experiment table-1 -n 1e17", "GiB"),
        ("broad-phase --experiment VI", "unknown experiment 'VI'"),
        ("broad-phase -n 100,x", "whole number"),
        ("broad-phase -n 1e17", "GiB"),
        ("broad-phase --steps far", "unknown steps 'far'"),
        ("memory-access -n 0", "at least 1"),
        ("memory-access -n 1e17", "use fewer elements"),
        (
            "broad-phase --algorithm sap",
            "unknown broad phase algorithm 'sap'",
        ),
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
