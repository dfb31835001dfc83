//! Compares the estimate of memory with the measured peak of the program, and writes its section of
//! `docs/reports/performance.md`: `cargo run --release -p reports -- memory`.
//!
//! Takes about half an hour on two threads. Other programs may run meanwhile, if 1 GB of memory stays free. Linux only.

mod peak;
mod text;

use crate::{markdown, numbers, outcome, performance, program, resident};

use std::path::Path;

use jostle::{PackOptions, SizeSpec};
use outcome::Outcome;
use peak::Peak;

/// Runs of each request of at most [`MANY`] spheres. One run with more spheres takes as long as many of them.
const RUNS: usize = 3;

/// Above this number of spheres, a request runs once, with effort 0.
const MANY: usize = 100_000;

const SPHERES: [usize; 5] = [10_000, 30_000, 50_000, MANY, 1_000_000];

const THREADS: [usize; 5] = [1, 2, 4, 8, 16];

/// Spheres of the runs that show the memory of the program itself.
const FEW: usize = 10;

/// Options that may change the memory, each in a run of [`MANY`] spheres.
const VARIANTS: [(&str, &str); 8] = [
    ("loose octree", ""),
    ("strict octree", "--index strict-octree"),
    ("grid", "--index grid"),
    ("hierarchical grid", "--index hgrid"),
    ("k-d tree", "--index kd-tree"),
    ("walls", "--boundary www"),
    ("exchanges", "--exchange auto"),
    ("packing fraction 0.5", "--fraction 0.5"),
];

pub fn write(_: &[String]) -> Outcome {
    let program = program::build()?;
    let mut presets = Vec::new();
    for (name, _) in SizeSpec::presets() {
        let mut peaks = Vec::new();
        for spheres in SPHERES {
            peaks.push(measure(&program, name, spheres, 2, "")?);
        }
        presets.push((name, peaks));
    }
    let mut threads = Vec::new();
    for count in THREADS {
        let of = |spheres| measure(&program, "equal", spheres, count, "--effort 0");
        threads.push((count, [of(FEW)?, of(MANY)?]));
    }
    let mut variants = Vec::new();
    for (name, options) in VARIANTS {
        let options = format!("--effort 0 {options}");
        variants.push((name, measure(&program, "concrete", MANY, 2, &options)?));
    }
    performance::write(text::section(&presets, &threads, &variants))
}

/// Packs spheres of a preset, once or [`RUNS`] times.
fn measure(
    program: &Path,
    preset: &str,
    spheres: usize,
    threads: usize,
    options: &str,
) -> Outcome<Peak> {
    let (runs, effort) = if spheres > MANY {
        (1, "--effort 0")
    } else {
        (RUNS, "")
    };
    let arguments =
        format!("pack {preset} -n {spheres} --threads {threads} --quiet {effort} {options}");
    let mut measured: f64 = 0.0;
    for _ in 0..runs {
        measured = measured.max(peak::of(program, &arguments)?);
    }
    let sizes = SizeSpec::load(preset)?.distribution;
    let estimate = PackOptions::default()
        .threads(threads)
        .estimated_memory(spheres as f64, &sizes);
    let peak = Peak {
        measured,
        // From a million spheres on, the program returns freed memory to the system.
        estimated: estimate.needed + if spheres > MANY { 0.0 } else { estimate.spare },
    };
    println!("jostle {arguments}: {}", peak.describe());
    Ok(peak)
}
