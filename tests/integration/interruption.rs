//! Runs of the program that are killed, signalled or limited in time, and continued.

use std::{
    fs,
    io::Read,
    os::unix::process::ExitStatusExt,
    path::Path,
    process::{Child, Command, Output, Stdio},
    sync::LazyLock,
    thread::sleep,
    time::Duration,
};

use tempfile::TempDir;

use crate::common::{directory::names_in, signals::receive_signals};

/// A run of some seconds without a stop.
const LONG: &str = "pack mono:d=1 -n 60000 --effort 0.3 -o made.json --quiet";

/// The bytes of the packing that [`LONG`] writes without a stop.
static UNDISTURBED: LazyLock<Vec<u8>> = LazyLock::new(|| undisturbed(LONG));

/// A run of about a second.
const SHORT: &str = "pack concrete -n 8000 -o made.json --quiet";

fn jostle(directory: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jostle"));
    command
        .current_dir(directory)
        .args(arguments.split_whitespace())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    receive_signals(&mut command);
    command
}

fn outcome(directory: &Path, arguments: &str) -> Output {
    jostle(directory, arguments).output().unwrap()
}

fn error_text(output: &Output) -> &str {
    str::from_utf8(&output.stderr).unwrap()
}

#[track_caller]
fn assert_code(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{}", error_text(output));
}

fn send(signal: &str, to: &Child) {
    let killed = Command::new("kill")
        .args(["-s", signal, &to.id().to_string()])
        .status();
    assert!(killed.unwrap().success());
}

/// Waits until a file is there.
fn wait_for(path: &Path, child: &mut Child) {
    while !path.exists() {
        assert_eq!(
            child.try_wait().unwrap(),
            None,
            "the run ended before {path:?} was there"
        );
        sleep(Duration::from_millis(1));
    }
}

/// Returns the bytes of the packing that a run without a stop writes.
fn undisturbed(arguments: &str) -> Vec<u8> {
    let directory = TempDir::new().unwrap();
    assert_code(&outcome(directory.path(), arguments), 0);
    fs::read(directory.path().join("made.json")).unwrap()
}

#[test]
fn killed_runs_continue_and_end_with_the_bits_of_undisturbed_ones() {
    let expected = undisturbed(SHORT);
    let directory = TempDir::new().unwrap();
    let (made, checkpoint) = (
        directory.path().join("made.json"),
        directory.path().join("run.checkpoint"),
    );
    let mut arguments = format!("{SHORT} --checkpoint run.checkpoint --checkpoint-every 0.001s");
    let mut kills = 0;
    for wait in [5, 80, 25, 50, 0, 120, 35, 10] {
        let mut child = jostle(directory.path(), &arguments).spawn().unwrap();
        wait_for(&checkpoint, &mut child);
        sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        if child.wait().unwrap().signal() != Some(9) {
            break;
        }
        kills += 1;
        "resume run.checkpoint --checkpoint-every 0.001s --quiet".clone_into(&mut arguments);
    }
    assert!(kills >= 3, "{kills} kills");
    if checkpoint.exists() {
        assert_code(
            &outcome(directory.path(), "resume run.checkpoint --quiet"),
            0,
        );
    }
    assert!(fs::read(made).unwrap() == expected, "the packing differs");
    assert_eq!(names_in(directory.path()), ["made.json"], "leftovers");
}

/// The continued run writes the files and pages of the first one, with the same options; options that are given anew replace theirs.
#[test]
fn a_continued_run_keeps_the_options_of_files() {
    const RUN: &str = "pack concrete -n 8000 --json";
    const FILES: &str = "-o made.data -o made.txt -o made.html --format lammps-data --scale 0.001 --density 2650 --types 3";
    let expected = TempDir::new().unwrap();
    assert_code(&outcome(expected.path(), &format!("{RUN} {FILES}")), 0);
    let read = |directory: &TempDir, name: &str| fs::read(directory.path().join(name)).unwrap();
    for (anew, is_scaled) in [("", true), ("--scale 1", false)] {
        let (directory, other) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        let arguments = format!("{RUN} {FILES} --checkpoint run.cp --checkpoint-every 0.001s");
        let mut child = jostle(directory.path(), &arguments).spawn().unwrap();
        let checkpoint = directory.path().join("run.cp");
        wait_for(&checkpoint, &mut child);
        child.kill().unwrap();
        child.wait().unwrap();
        // From another directory.
        let arguments = format!("resume {} {anew}", checkpoint.display());
        let output = outcome(other.path(), &arguments);
        assert_code(&output, 0);
        assert!(output.stdout.starts_with(b"{"), "no JSON object");
        assert!(names_in(other.path()).is_empty());
        let names = ["made.data", "made.html", "made.txt"];
        assert_eq!(names_in(directory.path()), names);
        for name in ["made.data", "made.txt"] {
            let is_same = read(&directory, name) == read(&expected, name);
            assert_eq!(is_same, is_scaled, "{name} {anew}");
        }
    }
}

#[test]
fn a_run_that_begins_again_removes_the_unfinished_first_checkpoint() {
    let directory = TempDir::new().unwrap();
    let unfinished = directory.path().join(".jostle-run.checkpoint-Xyz123");
    fs::write(unfinished, "jostle-checkpoint 1").unwrap();
    let arguments = format!("{SHORT} --checkpoint run.checkpoint");
    assert_code(&outcome(directory.path(), &arguments), 0);
    assert_eq!(names_in(directory.path()), ["made.json"], "leftovers");
}

#[test]
fn a_signal_writes_packing_and_checkpoint() {
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let directory = TempDir::new().unwrap();
        let arguments = format!("{LONG} --checkpoint run.checkpoint --checkpoint-every 0.2s");
        let mut child = jostle(directory.path(), &arguments).spawn().unwrap();
        wait_for(&directory.path().join("run.checkpoint"), &mut child);
        send(signal, &child);
        let output = child.wait_with_output().unwrap();
        assert_code(&output, code);
        let error = error_text(&output);
        assert!(
            error.starts_with("interrupted: ") && error.lines().count() == 1,
            "{error}"
        );
        assert!(
            error.contains("'jostle resume run.checkpoint' continues the run"),
            "{error}"
        );
        assert_eq!(names_in(directory.path()), ["made.json", "run.checkpoint"]);
        assert_code(&outcome(directory.path(), "check made.json"), 0);

        assert_code(
            &outcome(directory.path(), "resume run.checkpoint --quiet"),
            0,
        );
        assert_eq!(names_in(directory.path()), ["made.json"]);
        let found = fs::read(directory.path().join("made.json")).unwrap();
        assert!(found == *UNDISTURBED, "{signal}: the packing differs");
    }
}

#[test]
fn a_second_signal_ends_the_program_at_once() {
    let directory = TempDir::new().unwrap();
    let arguments = "pack mono:d=1 -n 400000 --checkpoint run.checkpoint --checkpoint-every 0.01s";
    let mut child = jostle(directory.path(), arguments).spawn().unwrap();
    wait_for(&directory.path().join("run.checkpoint"), &mut child);
    // The next checkpoint is being written.
    let is_temporary = |name: &String| name.starts_with(".jostle-run.checkpoint-");
    while !names_in(directory.path()).iter().any(is_temporary) {
        sleep(Duration::from_micros(100));
    }
    send("TERM", &child);
    // Two signals in quick succession can arrive as one.
    while child.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(5));
        send("TERM", &child);
    }
    assert_code(&child.wait_with_output().unwrap(), 143);
    assert_eq!(names_in(directory.path()), ["run.checkpoint"]);
}

#[test]
fn sigusr1_prints_the_progress_and_writes_a_checkpoint() {
    let directory = TempDir::new().unwrap();
    let arguments = format!("{LONG} --checkpoint run.checkpoint --checkpoint-every 1h");
    let mut child = jostle(directory.path(), &arguments).spawn().unwrap();
    sleep(Duration::from_millis(300));
    assert_eq!(
        names_in(directory.path()),
        [".jostle.lock-run.checkpoint"],
        "a checkpoint before the request"
    );
    send("USR1", &child);
    wait_for(&directory.path().join("run.checkpoint"), &mut child);
    child.kill().unwrap();
    let mut error = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut error)
        .unwrap();
    child.wait().unwrap();
    assert_eq!(error.lines().count(), 1, "{error}");
    for word in [
        "sweep ",
        "60000 spheres",
        "φ 0.",
        "mean overlap",
        "sweeps left",
    ] {
        assert!(error.contains(word), "no '{word}' in: {error}");
    }
}

#[test]
fn a_signal_that_the_parent_process_ignores_remains_ignored() {
    let directory = TempDir::new().unwrap();
    let script = format!("trap '' HUP; exec {} {SHORT}", env!("CARGO_BIN_EXE_jostle"));
    let mut command = Command::new("sh");
    command.current_dir(directory.path()).args(["-c", &script]);
    let mut child = command.spawn().unwrap();
    sleep(Duration::from_millis(100));
    send("HUP", &child);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_time_limit_keeps_the_checkpoint() {
    let directory = TempDir::new().unwrap();
    let arguments = format!("{LONG} --checkpoint run.checkpoint --time-limit 0.3s");
    assert_code(&outcome(directory.path(), &arguments), 0);
    assert_eq!(names_in(directory.path()), ["made.json", "run.checkpoint"]);
    assert_code(&outcome(directory.path(), "check made.json"), 0);
    let first = fs::read(directory.path().join("made.json")).unwrap();
    assert!(first != *UNDISTURBED, "the time limit had no effect");

    // The limit of the earlier run applies again, unless there is another one.
    assert_code(
        &outcome(directory.path(), "resume run.checkpoint --quiet"),
        0,
    );
    assert_eq!(names_in(directory.path()), ["made.json", "run.checkpoint"]);
    let arguments = "resume run.checkpoint --time-limit 1h --threads 1 -o other.json --quiet";
    assert_code(&outcome(directory.path(), arguments), 0);
    assert_eq!(names_in(directory.path()), ["made.json", "other.json"]);
    let found = fs::read(directory.path().join("other.json")).unwrap();
    assert!(found == *UNDISTURBED, "the packing differs");
}

#[test]
fn the_longest_interval_is_accepted() {
    let directory = TempDir::new().unwrap();
    let arguments =
        "pack mono:d=1 -n 100 --checkpoint run.checkpoint --checkpoint-every 2e14d --quiet";
    assert_code(&outcome(directory.path(), arguments), 0);
    assert_eq!(names_in(directory.path()), ["packing.json"]);
}

#[track_caller]
fn assert_refused(directory: &Path, arguments: &str, words: &[&str]) {
    let before = names_in(directory);
    let output = outcome(directory, arguments);
    assert_code(&output, 2);
    let error = error_text(&output);
    assert_eq!(error.lines().count(), 1, "{arguments}: {error}");
    for word in words {
        assert!(error.contains(word), "{arguments}: no '{word}' in: {error}");
    }
    assert_eq!(names_in(directory), before, "{arguments}");
}

/// Options that contradict the checkpoint of the next test, and the settings of its run.
const CONTRADICTIONS: [(&str, &str); 14] = [
    ("--seed 4", "--seed 3"),
    ("--number 4001", "--number 4000"),
    ("--fraction 0.7", "--fraction 0.6"),
    ("--box 7,7,7", "--box unset"),
    ("--container sphere", "--container box"),
    ("--boundary www", "--boundary ppw"),
    ("--min-gap 0.1", "--min-gap 0"),
    ("--wall-gap 0.1", "--wall-gap unset"),
    ("--effort 2", "--effort unset"),
    ("--exchange 0.5", "--exchange 0"),
    ("--toward-nearest 0.5", "--toward-nearest 0"),
    ("--index grid", "--index loose-octree"),
    ("--sampling random", "--sampling stratified"),
    ("--max-sweeps 5", "--max-sweeps unset"),
];

#[test]
fn wrong_uses_of_checkpoints_are_refused() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    let start = "pack din-a16 -n 4000 --seed 3 --fraction 0.6 --boundary ppw --checkpoint run.checkpoint \
                 --time-limit 0.02s -o a.csv --quiet";
    outcome(directory, start);
    assert!(directory.join("run.checkpoint").exists());

    assert_refused(
        directory,
        start,
        &["'run.checkpoint' exists", "jostle resume run.checkpoint"],
    );
    assert_refused(
        directory,
        "pack --checkpoint-every 5s",
        &["--checkpoint FILE"],
    );
    assert_refused(
        directory,
        "pack --checkpoint no/such",
        &["no directory 'no'"],
    );
    assert_refused(
        directory,
        "pack --checkpoint x --checkpoint-every 5w",
        &["5w", "90s"],
    );
    assert_refused(directory, "resume missing", &["cannot read 'missing'"]);
    assert_refused(
        directory,
        "resume a.csv",
        &["'a.csv' is no checkpoint of jostle"],
    );
    assert_refused(
        directory,
        "resume run.checkpoint -o packing",
        &["'packing'", ".json"],
    );
    for (given, found) in CONTRADICTIONS {
        let sentence = format!("{given} contradicts the checkpoint, whose run has {found}");
        assert_refused(
            directory,
            &format!("resume run.checkpoint {given}"),
            &[&sentence],
        );
    }
    let agreeing =
        "resume run.checkpoint --seed 3 --fraction 0.6 -n 4000 --boundary ppw --time-limit 1h -q";
    assert_code(&outcome(directory, agreeing), 0);
}

#[test]
fn two_runs_do_not_share_a_checkpoint() {
    let directory = TempDir::new().unwrap();
    let path = directory.path();
    let command = format!("{LONG} --checkpoint run.checkpoint --checkpoint-every 0.1s");
    let mut first = jostle(path, &command).spawn().unwrap();
    wait_for(&path.join(".jostle.lock-run.checkpoint"), &mut first);
    // The first checkpoint may not be there yet.
    let second = outcome(path, "pack mono:d=1 -n 100 --checkpoint run.checkpoint");
    wait_for(&path.join("run.checkpoint"), &mut first);
    let resumed = outcome(path, "resume run.checkpoint");
    send("TERM", &first);
    assert_eq!(first.wait().unwrap().code(), Some(143));
    assert_code(&second, 2);
    assert_code(&resumed, 2);
    for output in [second, resumed] {
        let message = error_text(&output);
        assert!(
            message.contains("another run keeps its checkpoint in 'run.checkpoint'")
                || message.contains("the file 'run.checkpoint' exists"),
            "{message}"
        );
    }
    assert_eq!(names_in(path), ["made.json", "run.checkpoint"]);
}

#[test]
fn a_checkpoint_without_sizes_is_refused_before_the_run() {
    let directory = TempDir::new().unwrap();
    let path = directory.path();
    let packer = jostle::Packer::new(&[0.5; 100], &jostle::PackOptions::default()).unwrap();
    jostle::io::write_checkpoint(&packer.checkpoint(), path.join("run.checkpoint")).unwrap();
    let output = outcome(path, "resume run.checkpoint -o made.json");
    assert_code(&output, 2);
    assert!(error_text(&output).contains("without a size distribution"));
    assert_eq!(names_in(path), ["run.checkpoint"]);
}
