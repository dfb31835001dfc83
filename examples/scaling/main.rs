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

/// A run to be recorded: sizes, number of spheres and effort.
type Run = (&'static str, usize, f64);

const RUNS: [Run; 4] = [
    ("mono:d=1", 1_000_000, 1.0),
    ("fuller-16", 1_000_000, 1.0),
    ("mono:d=1", 10_000_000, 0.0),
    ("fuller-16", 10_000_000, 0.0),
];
const QUICK_RUNS: [Run; 2] = [("mono:d=1", 1_000_000, 0.0), ("fuller-16", 1_000_000, 0.0)];

fn main() -> Outcome {
    let is_quick = env::args().any(|argument| argument == "--quick");
    let runs: &[Run] = if is_quick { &QUICK_RUNS } else { &RUNS };
    for &run in runs {
        println!("{}", section(run)?);
    }
    Ok(())
}

/// Records one run and returns its section.
fn section((sizes, spheres, effort): Run) -> Outcome<String> {
    let radii = SizeSpec::load(sizes)?
        .sample_number(spheres, Sampling::Stratified, 0)
        .radii();
    trace::start();
    let alone = seconds(&radii, effort, 1)?;
    let trace = trace::stop();
    let together = seconds(&radii, effort, 2)?;
    let replays = THREADS.map(|threads| Replay::new(&trace, threads));
    // Time that the trace does not contain is taken as serial.
    let rest = (alone - on(&replays, 1).total()).max(0.0);
    let mut text = format!(
        "## {sizes}, {} spheres, effort {effort}\n\n\
         One thread took {alone:.1} s, two threads {together:.1} s: measured speed-up {:.2}, predicted {:.2}.\n",
        grouped(spheres),
        alone / together,
        alone / (on(&replays, 2).total() + rest),
    );
    text += &speed_ups(&replays, alone, rest);
    text += &shared_regions(&replays);
    text += &serial_parts(&trace, alone, rest);
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

/// Returns the replay on some number of threads, one of [`THREADS`].
fn on(replays: &[Replay], threads: usize) -> &Replay {
    replays
        .iter()
        .find(|replay| replay.threads == threads)
        .expect("the run was replayed on this number of threads")
}

fn speed_ups(replays: &[Replay], alone: f64, rest: f64) -> String {
    let row = |replay: &Replay| {
        let total = replay.total() + rest;
        vec![
            replay.threads.to_string(),
            format!("{total:.2}"),
            format!("{:.2}", alone / total),
        ]
    };
    table(&["threads", "s", "speed-up"], replays.iter().map(row))
}

fn shared_regions(replays: &[Replay]) -> String {
    let [alone, sixteen, many] = [1, 16, 64].map(|threads| &on(replays, threads).shared);
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

fn serial_parts(trace: &Trace, alone: f64, rest: f64) -> String {
    let row = |name: &str, seconds: f64| {
        vec![
            name.to_owned(),
            format!("{seconds:.2}"),
            format!("{:.2} %", 100.0 * seconds / alone),
        ]
    };
    let parts = trace.parts.iter();
    let rows = parts.map(|part| row(part.name, part.serial.as_secs_f64()));
    table(
        &["serial part", "s", "of the run on one thread"],
        rows.chain([row("the rest", rest)]),
    )
}
