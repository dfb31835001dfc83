//! Runs too large to be made again with every page: what `jostle pack --json` printed for them, kept in a file.

use std::fmt::Write;

use serde::Deserialize;

use super::{Outcome, grouped};

const RUNS: &str = include_str!("large_runs.json");

/// Spheres in a sample of the whole curve of the 2011 paper, d from 1 to 684.75, about.
const WHOLE_CURVE: f64 = 5.8e7;

/// A run; more fields of what was printed may stand in the file.
#[derive(Deserialize)]
struct Run {
    /// The command, without `--json`.
    command: String,
    /// The largest resident set, as `/usr/bin/time -v` reports it.
    peak_gib: f64,
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
    threads: usize,
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
    if runs.is_empty() {
        return Ok(());
    }
    write!(
        page,
        "\n## Large runs\n
Each was made once; what the program printed is kept in `examples/speed/large_runs.json`. Seconds are those of placement,
sweeps, last step and certificate. Memory is the largest resident set of the whole program, files included.\n
| command | spheres | sizes | mass curve off by | φ | predicted φ | overlap | sweeps | threads | seconds | memory |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n"
    )?;
    for Run {
        command,
        peak_gib,
        result,
    } in &runs
    {
        let ratio = result.sizes.d_max / result.sizes.d_min;
        writeln!(
            page,
            "| `{command}` | {} | 1 to {ratio:.2} | {:.1} % | {:.4} | {:.4} | {} | {} | {} | {:.0} | {peak_gib:.1} GiB |",
            grouped(result.spheres),
            100.0 * result.sizes.mass_curve_error,
            result.packing_fraction,
            result.predicted_packing_fraction,
            result.max_overlap,
            result.sweeps,
            result.threads,
            result.seconds,
        )?;
    }
    if let Some(Run {
        peak_gib, result, ..
    }) = runs.iter().max_by_key(|run| run.result.spheres)
    {
        let spheres = result.spheres as f64;
        let times = WHOLE_CURVE / spheres;
        writeln!(
            page,
            "
The whole curve of Raschdorf & Kolonko (2011), with one sphere in the class of the largest, takes some {} spheres. At the {:.0} bytes and
the {:.0} microseconds for each sphere of the largest run above, that is {:.1} GiB and {:.1} hours.",
            grouped(WHOLE_CURVE as usize),
            peak_gib * f64::from(1 << 30) / spheres,
            1e6 * result.seconds / spheres,
            times * peak_gib,
            times * result.seconds / 3600.0,
        )?;
    }
    Ok(())
}
