//! Cost of checkpoints.

use std::{
    fs,
    path::Path,
    thread::sleep,
    time::{Duration, Instant, SystemTime},
};

use jostle::{Effort, PackOptions, Packer, SizeSpec, distribution::Sampling};

use super::{
    outcome::Outcome,
    page::{self, Part},
    program,
    results::{Machine, directory},
};

/// The measured request.
const SIZES: &str = "power-law-3";
const EFFORT: &str = "normal";
const INTERVAL: &str = "10s";

/// Number of runs with and without checkpoints.
const ROUNDS: usize = 5;

/// Number of sweeps from one measured pause to the next.
const SWEEPS_BETWEEN: u64 = 10;

/// Time from one look at the checkpoint to the next.
const LOOK: Duration = Duration::from_millis(20);

const CHECKPOINT: &str = "run.checkpoint";

/// Result of the part.
pub struct Cost {
    pub machine: Machine,
    /// Arguments of the runs without checkpoints.
    pub arguments: String,
    pub interval: String,
    pub spheres: usize,
    /// Wall times of the runs in seconds.
    pub without: Vec<f64>,
    pub with: Vec<f64>,
    /// Number of checkpoints of each run.
    pub checkpoints: Vec<usize>,
    /// Size of the largest checkpoint, in bytes.
    pub bytes: u64,
    /// Longest pause of a run for a checkpoint, in seconds.
    pub longest_pause: f64,
    pub pauses: usize,
    /// Median time of a sweep, and time of the longest sweep, in seconds.
    pub sweep: f64,
    pub longest_sweep: f64,
    pub sweeps: usize,
}

/// Measures. Returns the number of failures.
pub fn run(spheres: usize) -> Outcome<usize> {
    let program = program::build()?;
    let arguments = format!("pack {SIZES} -n {spheres} --effort {EFFORT} -o made.json --quiet");
    let (mut without, mut with, mut checkpoints) = (Vec::new(), Vec::new(), Vec::new());
    let mut bytes = 0;
    for round in 0..ROUNDS {
        eprintln!("cost: round {} of {ROUNDS}", round + 1);
        without.push(watched(&program, &arguments)?.seconds);
        let arguments =
            format!("{arguments} --checkpoint {CHECKPOINT} --checkpoint-every {INTERVAL}");
        let run = watched(&program, &arguments)?;
        with.push(run.seconds);
        checkpoints.push(run.checkpoints);
        bytes = bytes.max(run.bytes);
    }
    eprintln!("cost: pauses and sweeps");
    let (pauses, mut sweeps) = pauses(spheres)?;
    let cost = Cost {
        machine: Machine::here(),
        arguments,
        interval: INTERVAL.to_owned(),
        spheres,
        without,
        with,
        checkpoints,
        bytes,
        longest_pause: pauses.iter().copied().fold(0.0, f64::max),
        pauses: pauses.len(),
        sweep: median(&mut sweeps),
        longest_sweep: sweeps.iter().copied().fold(0.0, f64::max),
        sweeps: sweeps.len(),
    };
    page::show(Part::Cost, &page::of_cost(cost))?;
    Ok(0)
}

/// Returns the median of some numbers, and sorts them.
pub fn median(numbers: &mut [f64]) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A run whose checkpoints were counted.
struct Watched {
    seconds: f64,
    checkpoints: usize,
    bytes: u64,
}

/// Runs the program and counts its checkpoints.
fn watched(program: &Path, arguments: &str) -> Outcome<Watched> {
    let folder = tempfile::tempdir_in(directory()?)?;
    let path = folder.path().join(CHECKPOINT);
    let clock = Instant::now();
    let mut child = program::start(program, folder.path(), arguments)?;
    let (mut checkpoints, mut bytes) = (0, 0);
    let mut last: Option<SystemTime> = None;
    while child.try_wait()?.is_none() {
        if let Ok(found) = fs::metadata(&path) {
            let modified = found.modified()?;
            if last != Some(modified) {
                checkpoints += 1;
                bytes = bytes.max(found.len());
            }
            last = Some(modified);
        }
        sleep(LOOK);
    }
    let elapsed = clock.elapsed().as_secs_f64();
    program::finish(child)?;
    Ok(Watched {
        seconds: elapsed,
        checkpoints,
        bytes,
    })
}

/// Returns the times of checkpoints and of sweeps of a quick run, in seconds.
fn pauses(spheres: usize) -> Outcome<(Vec<f64>, Vec<f64>)> {
    let radii = SizeSpec::load(SIZES)?
        .sample_number(spheres, Sampling::Stratified, 0)
        .radii();
    let mut packer = Packer::new(radii, &PackOptions::default().effort(Effort::QUICK))?;
    let (mut pauses, mut sweeps) = (Vec::new(), Vec::new());
    loop {
        let clock = Instant::now();
        let Some(progress) = packer.sweep() else {
            return Ok((pauses, sweeps));
        };
        sweeps.push(clock.elapsed().as_secs_f64());
        if progress.sweeps.is_multiple_of(SWEEPS_BETWEEN) {
            let clock = Instant::now();
            let checkpoint = packer.checkpoint();
            pauses.push(clock.elapsed().as_secs_f64());
            drop(checkpoint);
        }
    }
}
