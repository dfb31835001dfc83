//! Predicts the speed-up on many threads from runs on one thread, and prints tables:
//! `cargo run --release --features trace --example scaling`.
//!
//! Takes about 20 minutes on two threads; `-- --quick` makes shorter runs.

#[path = "../common/markdown.rs"]
mod markdown;
#[path = "../common/numbers.rs"]
mod numbers;
#[path = "../common/outcome.rs"]
mod outcome;
mod replay;

use std::{env, time::Instant};

use jostle::{
    Effort, PackOptions, Packer, Sampling, SizeSpec,
    trace::{self, Trace},
};

use markdown::table;
use numbers::grouped;
use outcome::Outcome;
use replay::Replay;

const THREADS: [usize; 8] = [1, 2, 4, 8, 16, 32, 64, 128];

/// A run to be recorded.
struct Run {
    sizes: &'static str,
    spheres: usize,
    effort: f64,
}

fn main() -> Outcome {
    let is_quick = env::args().any(|argument| argument == "--quick");
    let runs: &[(&str, usize, f64)] = if is_quick {
        &[("mono:d=1", 1_000_000, 0.0), ("fuller-16", 1_000_000, 0.0)]
    } else {
        &[
            ("mono:d=1", 1_000_000, 1.0),
            ("fuller-16", 1_000_000, 1.0),
            ("mono:d=1", 10_000_000, 0.0),
            ("fuller-16", 10_000_000, 0.0),
        ]
    };
    for &(sizes, spheres, effort) in runs {
        let run = Run {
            sizes,
            spheres,
            effort,
        };
        println!("{}", section(&run)?);
    }
    Ok(())
}

/// Records one run and returns its section.
fn section(run: &Run) -> Outcome<String> {
    let Run {
        sizes,
        spheres,
        effort,
    } = *run;
    let radii = SizeSpec::load(sizes)?
        .sample_number(spheres, Sampling::Stratified, 0)
        .radii();
    trace::start();
    let alone = seconds(&radii, effort, 1)?;
    let trace = trace::stop();
    let together = seconds(&radii, effort, 2)?;
    let mut text = format!(
        "## {sizes}, {} spheres, effort {effort}\n\n\
         One thread took {alone:.1} s, two threads {together:.1} s: measured speed-up {:.2}, predicted {:.2}.\n",
        grouped(spheres),
        alone / together,
        alone / (Replay::new(&trace, 2).total() + unrecorded(&trace, alone)),
    );
    text += &speed_ups(&trace, alone);
    text += &shared_regions(&trace);
    text += &serial_parts(&trace, alone);
    Ok(text)
}

/// Returns the time of a run.
fn seconds(radii: &[f64], effort: f64, threads: usize) -> Outcome<f64> {
    let options = PackOptions::default()
        .effort(Effort::try_from(effort)?)
        .threads(threads);
    let clock = Instant::now();
    let mut packer = Packer::new(radii, &options)?;
    while packer.sweep().is_some() {}
    packer.finish();
    Ok(clock.elapsed().as_secs_f64())
}

/// Returns the time of a run on one thread that the trace does not contain, in seconds; it is taken as serial.
fn unrecorded(trace: &Trace, alone: f64) -> f64 {
    (alone - Replay::new(trace, 1).total()).max(0.0)
}

fn speed_ups(trace: &Trace, alone: f64) -> String {
    let unrecorded = unrecorded(trace, alone);
    let row = |&threads: &usize| {
        let total = Replay::new(trace, threads).total() + unrecorded;
        vec![
            threads.to_string(),
            format!("{total:.2}"),
            format!("{:.2}", alone / total),
        ]
    };
    table(&["threads", "s", "speed-up"], THREADS.iter().map(row))
}

fn shared_regions(trace: &Trace) -> String {
    let [alone, sixteen, many] = [1, 16, 64].map(|threads| Replay::new(trace, threads).shared);
    let rows = (0..alone.len()).map(|k| {
        let (name, share) = alone[k];
        let on = |(_, other): (&str, replay::Share)| {
            format!("{:.1}", share.alone / other.together.max(1e-9))
        };
        vec![
            name.to_owned(),
            grouped(share.calls),
            grouped(share.tasks),
            format!("{:.2}", share.alone),
            on(sixteen[k]),
            on(many[k]),
        ]
    });
    let header = [
        "shared region",
        "calls",
        "tasks",
        "s on one thread",
        "speed-up on 16",
        "on 64",
    ];
    table(&header, rows)
}

fn serial_parts(trace: &Trace, alone: f64) -> String {
    let row = |name: &str, seconds: f64| {
        vec![
            name.to_owned(),
            format!("{seconds:.2}"),
            format!("{:.2} %", 100.0 * seconds / alone),
        ]
    };
    let parts = trace.parts.iter();
    let rows = parts.map(|part| row(part.name, part.serial.as_secs_f64()));
    let rest = row("the rest", unrecorded(trace, alone));
    table(
        &["serial part", "s", "of the run on one thread"],
        rows.chain([rest]),
    )
}
