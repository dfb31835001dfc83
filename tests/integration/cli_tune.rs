//! Output and error messages of `jostle tune`.

use assert_cmd::Command;
use serde_json::Value;

const UNIFORM_VOLUME: &str = "uniform-volume:d_min=1,d_max=100";

fn tune(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("jostle").unwrap();
    command.arg("tune").args(arguments);
    command
}

fn stdout(arguments: &[&str]) -> String {
    let output = tune(arguments).assert().success().get_output().clone();
    assert!(output.stderr.is_empty());
    String::from_utf8(output.stdout).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(&[arguments, &["--json"]].concat())).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[track_caller]
fn assert_close(value: &Value, expected: f64, tolerance: f64) {
    let value = number(value);
    assert!(
        (value / expected - 1.0).abs() <= tolerance,
        "{value} instead of {expected}"
    );
}

#[test]
fn json_holds_the_published_figures() {
    for (method, work, levels) in [
        ("linear", 12.40, 43),
        ("exponential", 12.13, 4),
        ("constant", 11.60, 12),
        ("optimal", 11.575, 9),
    ] {
        let plan = json(&[UNIFORM_VOLUME, "--fraction", "0.7", "--method", method]);
        assert_close(&plan["work"], work, 0.0005);
        assert_eq!(plan["levels"], levels, "{method}");
        assert_eq!(plan["method"], method);
        assert_eq!(plan["search"], "top-down");
        assert_close(&plan["work_single_level"], 9.11e4, 0.001);
        assert_close(&plan["speedup"], 9.1146e4 / work, 0.001);
        let [sizes, filling] = ["cell_sizes", "particles_per_cell"].map(|key| &plan[key]);
        for list in [sizes, filling] {
            assert_eq!(list.as_array().unwrap().len(), levels);
        }
        assert_close(sizes.as_array().unwrap().last().unwrap(), 200.0, 1e-9);
        let parts = number(&plan["collision_work"]) + 0.2 * number(&plan["access_work"]);
        assert_close(&plan["work"], parts, 1e-12);
    }
    let plane = "uniform-volume:d_min=1,d_max=20";
    let plan = json(&[plane, "--dimension", "2", "--fraction", "0.4"]);
    assert_close(&plan["speedup"], 34.9, 0.002);
}

#[test]
fn every_option_has_an_effect() {
    let plan = json(&[UNIFORM_VOLUME]);
    for (arguments, key) in [
        (&["--fraction", "0.1"][..], "work"),
        (&["--k", "1"], "access_work"),
        (&["--dimension", "2"], "work"),
        (&["--method", "recipe"], "overhead"),
        (&["--levels", "3"], "levels"),
        (&["--search", "bottom-up"], "work"),
    ] {
        let other = json(&[&[UNIFORM_VOLUME], arguments].concat());
        assert_ne!(other[key], plan[key], "{arguments:?}");
    }
    let ratio = |q| json(&[UNIFORM_VOLUME, "--method", "constant", "--q", q]);
    assert_ne!(ratio("2")["work"], ratio("1")["work"]);
    assert_eq!(ratio("2")["ratio"], 2.0);
    assert!(plan["ratio"].is_null());
    let measured = json(&["mono:d=1", "--k", "measure"]);
    assert!(number(&measured["overhead"]) > 0.0, "{measured}");
}

#[test]
fn curve_has_a_row_for_each_number_of_levels() {
    let sweep = ["--fraction", "0.7", "--method", "constant", "--sweep"];
    let curve = json(&[&[UNIFORM_VOLUME], &sweep[..], &["--levels", "19"]].concat());
    let curve = curve.as_array().unwrap();
    assert_eq!(curve.len(), 19);
    for (levels, work) in [(8, 12.76), (12, 11.60), (19, 12.77)] {
        assert_eq!(curve[levels - 1]["levels"], levels);
        assert_close(&curve[levels - 1]["work"], work, 0.0005);
    }
    let text = stdout(&[&[UNIFORM_VOLUME], &sweep[..]].concat());
    assert!(text.contains("Least work at L = 12: T = 11.6 "), "{text}");
    let rows = |text: &str| text.lines().filter(|line| line.starts_with("    ")).count();
    assert_eq!(rows(&text), 21, "{text}");
    // Two sizes give at most two levels.
    let two = "bidisperse:d_small=1,d_large=5,mass_small=0.5";
    let curve = json(&[two, "--sweep"]);
    assert_eq!(curve.as_array().unwrap().len(), 2);
}

#[test]
fn text_holds_levels_and_gain() {
    let text = stdout(&["concrete"]);
    for part in [
        "cell size mm",
        "spheres/cell",
        "T^cd",
        "T^ca",
        "times as much",
        "Several levels pay",
    ] {
        assert!(text.contains(part), "no '{part}' in {text}");
    }
    let text = stdout(&["concrete", "--method", "constant", "--q", "1.5"]);
    assert!(
        text.contains("constant cell sizes with q = 1.5, top-down search"),
        "{text}"
    );
    for equal in ["mono:d=3", "uniform-size:d_min=1,d_max=1.1"] {
        let text = stdout(&[equal]);
        assert!(text.contains("One level is enough"), "{text}");
    }
}

#[test]
fn text_fits_80_columns() {
    for arguments in [
        &["concrete"][..],
        &[
            "uniform-volume:d_min=1,d_max=1e6",
            "--fraction",
            "0.001234567",
            "--search",
            "every-level",
        ],
        &[
            "power-law:exponent=-4,d_min=0.001,d_max=1e9",
            "--method",
            "exponential",
            "--levels",
            "9",
            "--k",
            "0.123456",
        ],
        &["concrete", "--sweep"],
        &[
            "uniform-volume:d_min=1,d_max=1e9",
            "--sweep",
            "--levels",
            "3",
        ],
        &["bidisperse:d_small=1,d_large=1e5,mass_small=0.5"],
    ] {
        for line in stdout(arguments).lines() {
            assert!(line.chars().count() <= 80, "{arguments:?}: {line}");
        }
    }
}

#[test]
fn rare_large_spheres_count() {
    // One sphere in 10⁹ is large.
    let sizes = "bidisperse:d_small=1,d_large=1000,mass_small=0.5";
    let plan = json(&[sizes, "--fraction", "0.62"]);
    assert_eq!(plan["levels"], 2);
    assert_close(&plan["size_ratio"], 1000.0, 1e-12);
    assert!(number(&plan["work_single_level"]) > 1e8, "{plan}");
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn errors_are_one_clear_sentence() {
    let long = "1".repeat(400);
    for (arguments, expected) in [
        (&["no-such-law"][..], "'no-such-law' is not a preset"),
        (&["uniform-volume:d_min=1"], "d_max"),
        (
            &["power-law:exponent=-3,d_min=1e-9,d_max=1e9"],
            "size ratio 1e18",
        ),
        (
            &["fuller:d_min=1e-30,d_max=1e30"],
            "it must be a number from 1 to 1e15",
        ),
        (
            &["power-law:exponent=100,d_min=1,d_max=1e15"],
            "exponent 100",
        ),
        (&["/nowhere/sizes.json"], "/nowhere/sizes.json"),
        (&["mono:d=1", "--fraction", "1.5"], "--fraction"),
        (&["mono:d=1", "--fraction", "NaN"], "--fraction"),
        (&["mono:d=1", "--fraction", "-0.1"], "--fraction"),
        (&["mono:d=1", "--k", "-1"], "K = -1.0; it must be"),
        (&["mono:d=1", "--k", "1e308"], "from 0 to 1e15"),
        (&["mono:d=1", "--k", "inf"], "K = inf; it must be"),
        (
            &["mono:d=1", "--k", "fast"],
            "a number or 'measure' is expected",
        ),
        (&["mono:d=1", "--dimension", "4"], "2 or 3 is expected"),
        (&["mono:d=1", "--dimension", "-3"], "2 or 3 is expected"),
        (
            &["mono:d=1", "--method", "best"],
            "unknown method 'best'; expected one of linear, exponential, constant, optimal, recipe",
        ),
        (
            &["mono:d=1", "--search", "up"],
            "unknown search 'up'; expected one of top-down, bottom-up, every-level",
        ),
        (
            &["mono:d=1", "--q", "2"],
            "ratio q = 2.0 for optimal cell sizes; only constant cell sizes have a ratio q",
        ),
        (&["mono:d=1", "--method", "constant", "--q", "0"], "--q"),
        (&["mono:d=1", "--levels", "0"], "--levels"),
        (
            &["mono:d=1", "--levels", "1001"],
            "1001 levels; the number of levels must be from 1 to 1000",
        ),
        (&["mono:d=1", "--levels", &long], "--levels"),
        (&["mono:d=1", "--sweep", "sizes"], "sizes"),
        (&[], "<SIZES>"),
    ] {
        let output = tune(arguments).assert().code(2).get_output().clone();
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(output.stdout.is_empty());
        assert!(text.contains(expected), "{arguments:?}: {text}");
        assert!(
            text.starts_with("error: ") && text.lines().count() == 1,
            "{text}"
        );
        assert!(!text.contains("panicked"), "{text}");
    }
}
