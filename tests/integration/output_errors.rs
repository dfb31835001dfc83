//! Files that cannot be written: full, read-only and removed directories, limits of the size of files, and closed pipes.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use tempfile::TempDir;

use crate::common::directory::names_in;

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
        ("mount -o remount,ro tmpfs out", "Read-only file system"),
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

/// Runs a script, and asserts its exit code and words on stderr.
#[track_caller]
fn assert_ends(directory: &Path, script: &str, code: i32, words: &[&str]) -> Output {
    let output = run(directory, &["bash"], script);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{script}: {error}");
    for word in words {
        assert!(error.contains(word), "{script}: no '{word}' in: {error}");
    }
    output
}

/// Writes files that a command may read, or that exist under the default name of an output.
fn write_inputs(path: &Path) {
    let prepare = "$JOSTLE sizes din-a16 --json >/dev/null
        echo '{\"schema\": 1, \"name\": \"own\", \"unit\": \"mm\", \"source\": \"s\", \"law\": {\"mono\": {\"d\": 1}}}' >own.json
        echo 'x,y,z,radius
1,1,1,0.5' >fixed.csv
        ln -s own.json link.json; mkdir sub
        $JOSTLE pack mono:d=1 -n 20 -o p.json -o p.data -o p.pvtp -q
        printf 'v 0 0 0\\nv 9 0 0\\nv 0 9 0\\nv 0 0 9\\nf 1 3 2\\nf 1 2 4\\nf 1 4 3\\nf 2 3 4\\n' >m.obj
        echo kept >packing.json; cp packing.json report.html; cp packing.json figures.svg; cp packing.json packing.png; cp packing.json p.in";
    assert_ends(path, prepare, 0, &[]);
}

fn contents_of_inputs(path: &Path) -> Vec<Vec<u8>> {
    let files = [
        "own.json",
        "fixed.csv",
        "p.json",
        "p/p_0.vtp",
        "m.obj",
        "packing.json",
        "report.html",
        "figures.svg",
        "packing.png",
        "p.in",
    ];
    files
        .iter()
        .map(|file| fs::read(path.join(file)).unwrap())
        .collect()
}

/// Commands that would replace a file of [`write_inputs`], and words of their messages.
const REPLACEMENTS: &[(&str, &[&str])] = &[
    ("pack own.json -n 20 -o own.json", &["own.json", "input"]),
    (
        "pack own.json -n 20 -o sub/../own.json",
        &["own.json", "input"],
    ),
    ("pack own.json -n 20 -o link.json", &["link.json", "input"]),
    ("pack link.json -n 20 -o own.json", &["own.json", "input"]),
    (
        "pack own.json -n 20 --box 9 --fixed fixed.csv -o fixed.csv",
        &["fixed.csv", "input"],
    ),
    #[cfg(feature = "mesh")]
    (
        "pack mono:d=1 -n 2 --container mesh:m.obj -o m.obj",
        &["m.obj", "input"],
    ),
    #[cfg(feature = "mesh")]
    (
        "pack mono:d=1 -n 2 --box 30 --keep-out mesh:m.obj@5,5,5 -o m.obj",
        &["m.obj", "input"],
    ),
    (
        "pack own.json -n 20 --checkpoint c -o c.json -o ./c.json",
        &["c.json", "same file"],
    ),
    (
        "pack own.json -n 20",
        &["packing.json", "no option names it"],
    ),
    (
        "pack own.json -n 20 -o x.html",
        &["packing.json", "no option names it"],
    ),
    (
        "pack own.json -n 20 -o p.data --script",
        &["p.in", "no option names it"],
    ),
    ("convert p.json p.json", &["p.json", "input"]),
    ("convert p.pvtp p/p_0.vtp", &["p_0.vtp", "input"]),
    (
        "convert p.json p.data --script",
        &["p.in", "no option names it"],
    ),
    ("analyze p.json -o p.json", &["p.json", "input"]),
    ("report p.json", &["report.html", "no option names it"]),
    ("plot p.json", &["figures.svg", "no option names it"]),
    ("render p.json", &["packing.png", "no option names it"]),
    (
        "compare index own.json -n 10 -o own.json",
        &["own.json", "input"],
    ),
];

#[test]
fn no_output_replaces_an_input_or_a_file_without_a_name() {
    let directory = TempDir::new().unwrap();
    let path = directory.path();
    write_inputs(path);
    let before = contents_of_inputs(path);
    for &(arguments, words) in REPLACEMENTS {
        let output = assert_ends(path, &format!("$JOSTLE {arguments}"), 2, words);
        assert_eq!(
            str::from_utf8(&output.stderr).unwrap().lines().count(),
            1,
            "{arguments}"
        );
        assert_eq!(contents_of_inputs(path), before, "{arguments}");
    }
    assert_ends(
        path,
        "$JOSTLE pack own.json -n 20 -q -o packing.json && $JOSTLE report p.json -o report.html",
        0,
        &[],
    );
}

#[test]
fn links_are_followed_and_every_file_is_listed() {
    let directory = TempDir::new().unwrap();
    let script = "mkdir there; ln -s there/a.json a.json; ln -s a.json b.json
        $JOSTLE pack mono:d=1 -n 20 -o b.json -o d.html && $JOSTLE pack mono:d=1 -n 20 -o c.data --script && cat there/a.json >/dev/null
        $JOSTLE convert b.json e.raw --voxel 1 && touch there/.jostle-a.json-left && $JOSTLE pack mono:d=1 -n 9 -q -o a.json";
    let output = assert_ends(directory.path(), script, 0, &[]);
    let printed = str::from_utf8(&output.stdout).unwrap();
    for file in ["b.json", "c.data", "c.in", "d.html", "e.raw", "e.mhd"] {
        assert!(printed.contains(file), "no {file} in {printed}");
    }
    assert!(directory.path().join("a.json").is_symlink());
    assert!(directory.path().join("b.json").is_symlink());
    assert_eq!(names_in(&directory.path().join("there")), ["a.json"]);
}

#[test]
fn streams_replace_files() {
    let directory = TempDir::new().unwrap();
    let path = directory.path();
    let script = "set -o pipefail; $JOSTLE sizes mono:d=1 >/dev/null
        echo '{\"schema\": 1, \"name\": \"own\", \"unit\": \"mm\", \"source\": \"s\", \"law\": {\"mono\": {\"d\": 1}}}' |
        $JOSTLE pack - -n 20 -o - --format csv |
        $JOSTLE convert - - --from csv --format xyz --container box:lx=99,ly=99,lz=99 | cat >b.xyz
        $JOSTLE pack mono:d=1 -n 20 -q -o a.json
        $JOSTLE convert a.json c.csv -q && $JOSTLE convert a.json - --format csv | cmp - c.csv &&
        $JOSTLE check - --from json <a.json && $JOSTLE analyze a.json -o - 2>/dev/null | grep -c '^{' &&
        $JOSTLE report a.json -o - | grep -c '<html' && $JOSTLE plot a.json -o - | grep -c '<svg' && $JOSTLE render a.json -o - | grep -c PNG";
    assert_ends(path, script, 0, &["packing fraction"]);
    assert_eq!(names_in(path), ["a.json", "b.xyz", "c.csv", "temporary"]);
    assert!(
        fs::read_to_string(path.join("b.xyz"))
            .unwrap()
            .starts_with("20\n")
    );
    for (arguments, word) in [
        ("pack mono:d=1 -n 9 -o -", "--format"),
        ("pack mono:d=1 -n 9 -o - --format pvtp", "name a file"),
        ("pack mono:d=1 -n 9 -o - --format csv --json", "--json"),
        ("check -", "--from"),
    ] {
        assert_ends(path, &format!("$JOSTLE {arguments} </dev/null"), 2, &[word]);
    }
}

#[test]
fn control_characters_never_reach_the_terminal() {
    let directory = TempDir::new().unwrap();
    let script = r#"esc=$'\e[31m'; c1=$'\xc2\x9b'
        cat >own.json <<'END'
{"schema": 1, "name": "n\u001b[31m\u009b", "unit": "m\u001b[31m\u009b\u202e", "source": "s\u001b[31m\u009b\n", "law": {"mono": {"d": 1}}}
END
        $JOSTLE sizes own.json; $JOSTLE sizes own.json --json
        $JOSTLE pack own.json -n 20 -o "a$esc$c1.json"; $JOSTLE pack own.json -n 20 --json -o "b$esc$c1.json"
        mv a*.json c.json; $JOSTLE check "b$esc$c1.json"; $JOSTLE analyze c.json; $JOSTLE check "no$esc$c1.json"
        $JOSTLE pack "no$esc$c1.json"; $JOSTLE pack --no"$esc$c1"; $JOSTLE plot c.json; $JOSTLE render c.json -o c.svg"#;
    let output = run(directory.path(), &["bash"], script);
    for stream in [output.stdout, output.stderr] {
        let text = String::from_utf8(stream).unwrap();
        let hidden = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
        assert!(!text.contains(hidden), "{text:?}");
        assert!(!text.is_empty());
    }
    for picture in ["figures.svg", "c.svg"] {
        let svg = fs::read_to_string(directory.path().join(picture)).unwrap();
        assert!(svg.contains("\\u{1b}"), "{picture} has no unit");
        assert!(
            !svg.contains(|c: char| c.is_control() && !"\n\t".contains(c)),
            "{picture}"
        );
    }
}

#[test]
fn killed_and_limited_runs_leave_nothing_that_stays() {
    let directory = TempDir::new().unwrap();
    let path = directory.path();
    assert_ends(path, "$JOSTLE pack mono:d=1 -n 3000 -q -o a.json", 0, &[]);
    for command in [
        "convert a.json b.csv",
        "report a.json -o b.html",
        "analyze a.json -o b.json",
    ] {
        let script = format!("ulimit -f 8; $JOSTLE {command}");
        assert_ends(path, &script, 2, &["cannot write 'b."]);
        assert_eq!(names_in(path), ["a.json", "temporary"], "{command}");
    }
    // The program holds a lock on the file that it writes.
    let script = "touch .jostle-b.csv-left .jostle-b.html-left .jostle-b.json-left .jostle-b.csv-used
        exec 9<.jostle-b.csv-used; flock 9
        $JOSTLE pack mono:d=1 -n 20 -q -o b.json && $JOSTLE convert a.json b.csv -q && $JOSTLE report a.json -o b.html";
    assert_ends(path, script, 0, &[]);
    let names = [
        ".jostle-b.csv-used",
        "a.json",
        "b.csv",
        "b.html",
        "b.json",
        "temporary",
    ];
    assert_eq!(names_in(path), names);
}

#[test]
fn a_packing_that_is_written_is_named_when_another_output_fails() {
    let directory = TempDir::new().unwrap();
    for (arguments, words) in [
        (
            "--json >/dev/full",
            ["cannot write to stdout", "; the packing is in a.json"],
        ),
        (
            ">/dev/full",
            ["cannot write to stdout", "; the packing is in a.json"],
        ),
    ] {
        let script = format!("$JOSTLE pack mono:d=1 -n 20 -o a.json {arguments}");
        assert_ends(directory.path(), &script, 4, &words);
        assert_certified(directory.path(), Path::new("a.json"));
    }
    let output = assert_ends(
        directory.path(),
        "$JOSTLE pack mono:d=1 -n 20 -q -o - --format csv >/dev/full",
        4,
        &["cannot write to stdout"],
    );
    assert_certified(directory.path(), &written_elsewhere(&output, &[]));
    // With four descriptors, of which none is inherited, a file can be written, but no directory of files.
    assert_ends(
        directory.path(),
        "$JOSTLE pack mono:d=1 -n 20 -q -o b.json; ulimit -n 4; $JOSTLE convert b.json c.pvtp -q 3>&-",
        2,
        &["oo many open files"],
    );
}

#[test]
fn scripts_quote_names_or_are_refused() {
    let directory = TempDir::new().unwrap();
    let script = "$JOSTLE pack mono:d=1 -n 20 -q -o 'a b.data' --script && grep -F 'read_data       \"a b.data\"' 'a b.in'";
    assert_ends(directory.path(), script, 0, &[]);
    let before = names_in(directory.path());
    for name in [
        "'$(touch x).data'",
        "\"a'b.data\"",
        "$'a\\nb.data'",
        "'a\"b.data'",
        "'a`b.txt' --format yade",
    ] {
        let script = format!("$JOSTLE pack mono:d=1 -n 20 --script -o {name}");
        assert_ends(directory.path(), &script, 2, &["cannot quote its name"]);
        assert_eq!(names_in(directory.path()), before, "{name}");
    }
}
