//! Whole packings of more and more spheres: what `benches/growth.py` measured, kept in a file, as the largest take hours.

use std::fmt::Write;

use serde::Deserialize;

use super::{Outcome, grouped};

const RUNS: &str = include_str!("growth.json");

/// A run; more fields of what was printed may stand in the file.
#[derive(Deserialize)]
struct Run {
    /// As on the command line.
    sizes: String,
    wall_seconds: f64,
    /// The largest resident set.
    peak_bytes: f64,
    result: Printed,
}

#[derive(Deserialize)]
struct Printed {
    spheres: usize,
    packing_fraction: f64,
    predicted_packing_fraction: f64,
    max_overlap: f64,
    seconds: f64,
    sweeps: u64,
    sizes: Sizes,
}

#[derive(Deserialize)]
struct Sizes {
    d_min: f64,
    d_max: f64,
    mass_curve_error: f64,
}

pub fn section(page: &mut String) -> Outcome {
    let runs: Vec<Run> = serde_json::from_str(RUNS)?;
    write!(
        page,
        "\n## Whole packings of more and more spheres\n
Made once, by `python3 benches/growth.py`, as the largest takes hours; what the program printed is kept in `examples/speed/growth.json`.
Every command was `jostle pack SIZES -n SPHERES --effort 0.3 --threads 2 -o packing.csv`. Seconds are those of placement, sweeps, last step and
certificate; time on the wall and memory, the largest resident set, are those of the whole program, sampling and the file included.\n
| sizes | spheres | sample | mass curve off by | φ | predicted φ | overlap | sweeps | seconds | µs for each sphere | ns for each sphere and sweep | on the wall | memory | bytes for each sphere |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"
    )?;
    for Run {
        sizes,
        wall_seconds,
        peak_bytes,
        result,
    } in &runs
    {
        let spheres = result.spheres as f64;
        writeln!(
            page,
            "| `{sizes}` | {} | {} to {} | {:.1} % | {:.4} | {:.4} | {} | {} | {:.1} | {:.0} | {:.0} | {wall_seconds:.1} | {:.2} GiB | {:.0} |",
            grouped(result.spheres),
            result.sizes.d_min,
            result.sizes.d_max,
            100.0 * result.sizes.mass_curve_error,
            result.packing_fraction,
            result.predicted_packing_fraction,
            result.max_overlap,
            result.sweeps,
            result.seconds,
            1e6 * result.seconds / spheres,
            1e9 * result.seconds / spheres / result.sweeps as f64,
            peak_bytes / f64::from(1 << 30),
            peak_bytes / spheres,
        )?;
    }
    Ok(())
}
