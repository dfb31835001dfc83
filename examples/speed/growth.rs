//! Whole packings of more and more spheres: what `benches/growth.py` measured, kept in a file, as the largest take long.

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
    /// The largest resident set, unless it is too small to be told.
    peak_bytes: Option<f64>,
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
Made once, by `python3 benches/growth.py`, as the largest takes minutes; what the program printed is kept in `examples/speed/growth.json`.
Every command was `jostle pack SIZES -n SPHERES --effort 0.3 --threads 2 -o packing.csv`. Seconds are those of placement, sweeps, last
step and certificate, those on the wall of the whole program; memory is its largest resident set.\n
| sizes | spheres | size ratio | mass curve off by | φ | predicted φ | overlap | sweeps | seconds | on the wall | \
         µs for each sphere | memory | bytes for each sphere |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|\n"
    )?;
    for run in &runs {
        row(page, run)?;
    }
    page.push_str(
        "
A sphere of a Fuller curve takes less than twice the time of one of equal spheres, at any size ratio: the small ones, nearly all there are,
come in last, when the large ones have made room.

The last row is the whole curve of Raschdorf & Kolonko (2011), with one sphere in the class of the largest; they could realise it from 1 to
52.7, with 10 000 spheres.
",
    );
    Ok(())
}

fn row(page: &mut String, run: &Run) -> Outcome {
    let Run { sizes, result, .. } = run;
    let spheres = result.spheres as f64;
    let (memory, bytes) = run.peak_bytes.map_or_else(
        || ("–".to_owned(), "–".to_owned()),
        |peak| {
            let gib = peak / f64::from(1 << 30);
            (format!("{gib:.2} GiB"), format!("{:.0}", peak / spheres))
        },
    );
    writeln!(
        page,
        "| `{sizes}` | {} | {:.2} | {:.1} % | {:.4} | {:.4} | {} | {} | {:.1} | {:.1} | {:.0} | {memory} | {bytes} |",
        grouped(result.spheres),
        result.sizes.d_max / result.sizes.d_min,
        100.0 * result.sizes.mass_curve_error,
        result.packing_fraction,
        result.predicted_packing_fraction,
        result.max_overlap,
        result.sweeps,
        result.seconds,
        run.wall_seconds,
        1e6 * result.seconds / spheres,
    )?;
    Ok(())
}
