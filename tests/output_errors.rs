//! Files that cannot be written: full, read-only and removed directories, limits of the size of files, and closed pipes.
#![cfg(target_os = "linux")]

mod common;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use common::names_in;
use tempfile::TempDir;

const JOSTLE: &str = env!("CARGO_BIN_EXE_jostle");

/// Runs a shell script in `directory`. `$JOSTLE` is the program, and `$TMPDIR` is the directory `temporary` in it.
fn run(directory: &Path, shell: &[&str], script: &str) -> Output {
    fs::create_dir_all(directory.join("temporary")).unwrap();
    Command::new(shell[0])
        .args(&shell[1..])
        .args(["-c", script])
        .current_dir(directory)
        .env("JOSTLE", JOSTLE)
        .env("TMPDIR", directory.join("temporary"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .output()
        .unwrap()
}

/// Runs a shell script in which file systems can be mounted.
///
/// # Panics
/// If the system refuses new name spaces.
fn run_with_mounts(directory: &Path, script: &str) -> Output {
    run(
        directory,
        &["unshare", "--user", "--map-root-user", "--mount", "sh"],
        script,
    )
}

/// The packing was written to another directory: checks exit code and message, and returns the path of the packing.
#[track_caller]
fn written_elsewhere(output: &Output, words: &[&str]) -> PathBuf {
    let error = str::from_utf8(&output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(4), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    for word in words {
        assert!(error.contains(word), "no '{word}' in: {error}");
    }
    let (_, path) = error
        .trim_end()
        .rsplit_once("; the packing is in ")
        .unwrap();
    path.into()
}

#[track_caller]
fn assert_certified(directory: &Path, packing: &Path) {
    let check = Command::new(JOSTLE)
        .current_dir(directory)
        .arg("check")
        .arg(packing)
        .output();
    assert_eq!(check.unwrap().status.code(), Some(0), "{packing:?}");
}

#[test]
fn a_packing_for_a_full_disk_goes_to_the_next_best_directory() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    let script = "mkdir small && mount -t tmpfs -o size=64k tmpfs small &&
        $JOSTLE pack mono:d=1 -n 2000 -o small/a.json --quiet; code=$?; ls -A small >left; exit $code";
    let output = run_with_mounts(directory, script);
    let saved = written_elsewhere(&output, &["cannot write 'small/a.json'", "No space left"]);
    assert!(saved.starts_with(directory.join("temporary")), "{saved:?}");
    assert_certified(directory, &saved);
    assert_eq!(
        fs::read_to_string(directory.join("left")).unwrap(),
        "",
        "leftovers"
    );
}

#[test]
fn the_directory_of_the_checkpoint_comes_before_the_temporary_one() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    let script = "mkdir small run && mount -t tmpfs -o size=64k tmpfs small &&
        $JOSTLE pack mono:d=1 -n 2000 -o small/a.json -o small/a.csv --checkpoint run/it --quiet";
    let output = run_with_mounts(directory, script);
    let error = str::from_utf8(&output.stderr).unwrap().to_owned();
    assert_eq!(output.status.code(), Some(4), "{error}");
    let saved = names_in(&directory.join("run"));
    assert!(
        saved.len() == 1 && saved[0].starts_with("jostle-"),
        "{saved:?}"
    );
    let saved = directory.join("run").join(&saved[0]);
    assert_eq!(names_in(&saved), ["a.csv", "a.json"]);
    assert_certified(directory, &saved.join("a.json"));
    assert!(
        error.contains("run/jostle-") && error.contains("a.csv"),
        "{error}"
    );
}

#[test]
fn a_full_disk_does_not_end_a_run_with_checkpoints() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    let script = "mkdir small && mount -t tmpfs -o size=64k tmpfs small &&
        $JOSTLE pack mono:d=1 -n 5000 --effort 0 -o a.json --checkpoint small/it --checkpoint-every 0.01s --quiet;
        code=$?; ls -A small >left; exit $code";
    let output = run_with_mounts(directory, script);
    let error = str::from_utf8(&output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{error}");
    assert!(
        error.starts_with("warning: the checkpoint is not up to date: cannot write 'small/it'"),
        "{error}"
    );
    assert_eq!(error.lines().count(), 1, "{error}");
    assert_certified(directory, Path::new("a.json"));
    assert_eq!(
        fs::read_to_string(directory.join("left")).unwrap(),
        "",
        "leftovers"
    );
}

#[test]
fn nothing_remains_if_the_packing_can_be_written_nowhere() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    let script =
        "mount -t tmpfs -o size=64k tmpfs temporary && mkdir temporary/sub && cd temporary &&
        $JOSTLE pack mono:d=1 -n 2000 -o sub/a.json --quiet; code=$?; ls -AR >../left; exit $code";
    let output = run_with_mounts(directory, script);
    let error = str::from_utf8(&output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(
        error.contains("No space left") && error.contains("either"),
        "{error}"
    );
    assert_eq!(error.lines().count(), 1, "{error}");
    assert_eq!(
        fs::read_to_string(directory.join("left")).unwrap(),
        ".:\nsub\n\n./sub:\n"
    );
}

#[test]
fn a_directory_that_becomes_read_only_or_is_removed_loses_no_packing() {
    for (spoil, reason) in [
        ("mount -o remount,ro tmpfs out", "read-only filesystem"),
        ("umount out && rmdir out", "No such file"),
    ] {
        let directory = TempDir::new().unwrap();
        let directory = directory.path();
        let script = format!(
            "mkdir out && mount -t tmpfs tmpfs out || exit 9
            $JOSTLE pack mono:d=1 -n 20000 -o out/a.json --quiet --checkpoint it --checkpoint-every 0.01s & run=$!
            while [ ! -e it ]; do sleep 0.01; done
            {spoil} || exit 9
            wait $run"
        );
        let output = run_with_mounts(directory, &script);
        let saved = written_elsewhere(&output, &["cannot write 'out/a.json'"]);
        let error = str::from_utf8(&output.stderr).unwrap();
        assert!(
            error.contains(reason) || error.contains("there is no directory"),
            "{error}"
        );
        assert_certified(directory, &saved);
    }
}

#[test]
fn a_limit_of_the_size_of_files_is_an_error_like_a_full_disk() {
    let directory = TempDir::new().unwrap();
    let script = "ulimit -f 16; exec $JOSTLE pack mono:d=1 -n 2000 -o a.json --quiet";
    let output = run(directory.path(), &["bash"], script);
    let error = str::from_utf8(&output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(
        error.contains("cannot write 'a.json'") && error.contains("too large"),
        "{error}"
    );
    assert_eq!(error.lines().count(), 1, "{error}");
    assert_eq!(names_in(directory.path()), ["temporary"]);
    assert!(names_in(&directory.path().join("temporary")).is_empty());
}

#[test]
fn closed_pipes_do_not_lose_the_packing() {
    for script in [
        "$JOSTLE pack mono:d=1 -n 500 | true; exit ${PIPESTATUS[0]}",
        "$JOSTLE pack mono:d=1 -n 500 >&-",
        "$JOSTLE pack mono:d=1 -n 500 2>&-",
        "{ $JOSTLE pack mono:d=1 -n 500 2>&1 >/dev/null; echo $? >code; } | true; exit $(cat code)",
    ] {
        let directory = TempDir::new().unwrap();
        let output = run(directory.path(), &["bash"], script);
        let error = str::from_utf8(&output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{script}: {error}");
        assert_certified(directory.path(), Path::new("packing.json"));
    }
}

#[test]
fn devices_and_pipes_are_not_replaced() {
    let directory = TempDir::new().unwrap();
    let script = "mkfifo a.json && $JOSTLE pack -o a.json";
    let output = run(directory.path(), &["sh"], script);
    let error = str::from_utf8(&output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(
        error.contains("a device or a pipe of that name exists"),
        "{error}"
    );
}
