//! The memory of the program: the estimate against the measured peak, limits, and failed allocations.

use std::{
    fs,
    path::Path,
    process::{Command, Output, Stdio},
    thread,
    time::Duration,
};

use jostle::{PackOptions, SizeSpec, container::ContainerSpec, pour::PourOptions, report::Still};
use tempfile::TempDir;

use crate::common::{directory::names_in, resident::largest_resident};

const JOSTLE: &str = env!("CARGO_BIN_EXE_jostle");

/// Runs the program and returns its peak resident memory in bytes.
fn peak(directory: &Path, arguments: &str) -> f64 {
    let mut child = Command::new(JOSTLE)
        .current_dir(directory)
        .args(arguments.split_whitespace())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let process = child.id().to_string();
    let mut peak = 0.0f64;
    // The largest resident set that `wait4` reports would include the set of this test before the program started.
    while child.try_wait().unwrap().is_none() {
        peak = peak.max(largest_resident(&process).unwrap_or(0.0));
        thread::sleep(Duration::from_millis(2));
    }
    assert!(child.wait().unwrap().success(), "{arguments}");
    peak
}

#[test]
fn the_estimate_is_within_20_percent_of_the_peak() {
    let directory = TempDir::new().unwrap();
    for (sizes, count, container) in [
        ("equal", 30_000, "box"),
        ("concrete", 50_000, "box"),
        ("din-b16", 50_000, "box"),
        ("fuller-2011", 50_000, "box"),
        ("equal", 50_000, "rectangle"),
        ("concrete", 50_000, "rectangle"),
    ] {
        let arguments = format!(
            "pack {sizes} -n {count} --container {container} --effort 0 --threads 2 -q -o a.json"
        );
        let peak = peak(directory.path(), &arguments);
        let container: ContainerSpec = container.parse().unwrap();
        let law = SizeSpec::load(sizes).unwrap().distribution;
        let law = law.in_dimension(container.solid().dimension()).unwrap();
        let options = PackOptions::default()
            .threads(2)
            .container(container.container(None).unwrap());
        let estimate = options.estimated_memory(f64::from(count), &law).total();
        let ratio = estimate / peak;
        assert!(
            (0.8..=1.2).contains(&ratio),
            "{count} spheres of {sizes}: estimate {estimate:.3e}, peak {peak:.3e}"
        );
    }
}

#[test]
fn the_estimate_of_a_deposition_is_within_20_percent_of_the_peak_and_a_limit_is_kept() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    let sizes = ["mono:d=1", "uniform-volume:d_min=1,d_max=20"];
    for sizes in sizes {
        let request = format!("pour {sizes} -n 100000 --container cylinder:d=60");
        let peak = peak(directory, &format!("{request} -q -o a.json"));
        let estimate = PourOptions::estimated_memory(1e5).total();
        let ratio = estimate / peak;
        assert!((0.8..=1.2).contains(&ratio), "{sizes}: {ratio}");
    }
    let request = "pour mono:d=1 -n 5000000 --container cylinder:d=60 -o b.json";
    let output = limited(directory, "-v", 1_000_000, request);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(
        error.starts_with("error: 5000000 spheres need about 2.1") && error.contains("at most "),
        "{error}"
    );
    assert_eq!(names_in(directory), ["a.json"]);
}

/// Runs the program under `ulimit -v` or `ulimit -d`.
fn limited(directory: &Path, limit: &str, kilobytes: u64, arguments: &str) -> Output {
    Command::new("sh")
        .current_dir(directory)
        .env("RAYON_NUM_THREADS", "2")
        .args([
            "-c",
            &format!("ulimit {limit} {kilobytes}; exec \"$0\" {arguments}"),
            JOSTLE,
        ])
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).unwrap()
}

#[test]
fn a_picture_that_needs_too_much_memory_is_refused() {
    let directory = TempDir::new().unwrap();
    fs::write(directory.path().join("p.csv"), "x,y,z,radius\n1,1,1,0.5\n").unwrap();
    let render = "render p.csv --box 4 --boundary ppp --threads 1 --side";
    let output = limited(directory.path(), "-v", 1_000_000, &format!("{render} 4000"));
    let message = text(&output.stderr);
    assert!(
        message.starts_with(
            "error: a picture of 4000 × 4000 pixels needs about 1.59 GiB of memory, but only "
        ) && message.ends_with("; choose a smaller --side\n"),
        "{message}"
    );
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(names_in(directory.path()), ["p.csv"]);
    // The estimate holds.
    let peak = peak(directory.path(), &format!("{render} 1000"));
    let estimate = Still::default().side(1000).estimated_memory();
    assert!(
        (0.8..=1.2).contains(&(estimate / peak)),
        "{estimate:.3e} {peak:.3e}"
    );
}

#[test]
fn a_request_beyond_ulimit_is_refused_with_the_largest_number_that_fits() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    for (limit, name) in [("-v", "ulimit -v"), ("-d", "ulimit -d")] {
        let output = limited(
            directory,
            limit,
            150_000,
            "pack equal -n 2000000 --threads 2",
        );
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(
            error.starts_with("error: 2000000 spheres need about 0.6"),
            "{error}"
        );
        assert!(error.contains(name), "{error}");
        assert!(names_in(directory).is_empty());
        // The number that the refusal states is accepted.
        let fitting = error
            .split_once("at most ")
            .and_then(|(_, rest)| rest.split(' ').next())
            .unwrap();
        let number: u64 = fitting.parse().unwrap();
        assert!((100_000..1_000_000).contains(&number), "{error}");
        let more = format!("pack equal -n {} --threads 2", number + number / 10);
        assert_eq!(
            limited(directory, limit, 150_000, &more).status.code(),
            Some(2)
        );
        let arguments = format!("pack equal -n {fitting} --threads 2 --max-sweeps 1 --quiet");
        let output = limited(directory, limit, 150_000, &arguments);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        fs::remove_file(directory.join("packing.json")).unwrap();
    }
}

#[test]
fn packings_run_under_ulimit_where_the_estimate_fits() {
    let directory = TempDir::new().unwrap();
    // With a heap of its own for each thread, the program needs more addresses than these.
    for kilobytes in [85_000, 100_000, 150_000] {
        let arguments = "pack equal -n 50000 --effort 0 --threads 2 --quiet -o a.json";
        let output = limited(directory.path(), "-v", kilobytes, arguments);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    }
}

#[test]
fn a_failed_allocation_is_one_sentence() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    let rows = "0.5,0.5,0.5,0.1\n".repeat(2_000_000);
    fs::write(directory.join("large.csv"), format!("x,y,z,radius\n{rows}")).unwrap();
    let names = names_in(directory);
    for kilobytes in [50_000, 60_000, 70_000] {
        let output = limited(directory, "-v", kilobytes, "check large.csv --box 1");
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(error.starts_with("error: the memory ran out"), "{error}");
        assert_eq!(text(&output.stdout), "");
        assert_eq!(names_in(directory), names);
    }
}
