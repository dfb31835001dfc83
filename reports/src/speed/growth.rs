//! Whole packings of up to 58 million spheres, measured by `benches/growth.py` and kept in a file, because they take long.

use serde::Deserialize;

use super::{markdown::table, numbers::grouped, outcome::Outcome};

const RUNS: &str = include_str!("growth.json");

/// One packing run; the file may hold further fields of the program's output.
#[derive(Deserialize)]
struct Run {
    /// Size distribution as on the command line.
    sizes: String,
    wall_seconds: f64,
    /// Largest resident set; `None` if it is too small to be measured.
    peak_bytes: Option<f64>,
    result: Output,
}

/// Output of the program.
#[derive(Deserialize)]
struct Output {
    spheres: usize,
    packing_fraction: f64,
    predicted_packing_fraction: f64,
    max_overlap: f64,
    seconds: f64,
    sweeps: u64,
    sizes: Sizes,
}

/// Sizes of the sample.
#[derive(Deserialize)]
struct Sizes {
    d_min: f64,
    d_max: f64,
    mass_curve_error: f64,
}

/// Returns the section on whole packings.
pub fn section() -> Outcome<String> {
    let runs: Vec<Run> = serde_json::from_str(RUNS)?;
    let header = [
        "sizes",
        "spheres",
        "size ratio",
        "mass curve error",
        "φ",
        "predicted φ",
        "overlap",
        "sweeps",
        "seconds",
        "wall seconds",
        "µs per sphere",
        "memory",
        "bytes per sphere",
    ];
    Ok(format!(
        "
### Whole packings of increasing numbers of spheres

Measured once by `python3 benches/growth.py`, because the largest packing takes minutes. `reports/src/speed/growth.json` keeps the output of
the program. Each command was `jostle pack SIZES -n SPHERES --effort 0.3 --threads 2 -o packing.csv`. The order of visits has changed since
then, so that packings of today have other bits. Seconds are the time of placement,
sweeps, last step and certificate; wall seconds are the time of the whole program. Memory is the largest resident set of the program.
{}
A sphere of a Fuller curve takes less than twice the time of an equal sphere, at any size ratio. The small spheres, which are nearly all of
the spheres, are inserted last, when the large spheres have moved apart.

The last row is the complete curve of Raschdorf & Kolonko 2011, with one sphere in the class of the largest. With 10 000 spheres, they
realised it from 1 to 52.7.
",
        table(&header, runs.iter().map(cells))
    ))
}

fn cells(run: &Run) -> Vec<String> {
    let Run { sizes, result, .. } = run;
    let spheres = result.spheres as f64;
    let (memory, bytes) = run.peak_bytes.map_or_else(
        || ("–".to_owned(), "–".to_owned()),
        |peak| {
            let gib = peak / f64::from(1 << 30);
            (format!("{gib:.2} GiB"), format!("{:.0}", peak / spheres))
        },
    );
    vec![
        format!("`{sizes}`"),
        grouped(result.spheres),
        format!("{:.2}", result.sizes.d_max / result.sizes.d_min),
        format!("{:.1} %", 100.0 * result.sizes.mass_curve_error),
        format!("{:.4}", result.packing_fraction),
        format!("{:.4}", result.predicted_packing_fraction),
        result.max_overlap.to_string(),
        result.sweeps.to_string(),
        format!("{:.1}", result.seconds),
        format!("{:.1}", run.wall_seconds),
        format!("{:.0}", 1e6 * result.seconds / spheres),
        memory,
        bytes,
    ]
}
