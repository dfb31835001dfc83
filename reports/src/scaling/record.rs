//! A recorded run, and its replay on many threads.

use std::{thread, time::Instant};

use jostle::{
    Effort, PackOptions, Packer, SizeSpec,
    distribution::Sampling,
    trace::{self, Trace},
};
use serde::{Deserialize, Serialize};

use super::{outcome::Outcome, replay::Replay};

/// Numbers of threads of the replays.
pub const THREADS: [usize; 8] = [1, 2, 4, 8, 16, 32, 64, 128];

/// A run to be recorded, at effort 0.
pub struct Run {
    pub name: &'static str,
    pub sizes: &'static str,
    pub spheres: usize,
    /// Number of runs on one thread, on two, and of two runs at the same time, in turn, whose medians are compared.
    pub pairs: usize,
}

/// Times of a run, in seconds.
#[derive(Serialize, Deserialize)]
pub struct Record {
    /// Of the recorded run.
    pub alone: f64,
    /// Absent if they were not measured.
    pub measured: Option<Measured>,
    /// One for each number of [`THREADS`].
    pub replays: Vec<Replay>,
    /// Time of each serial part.
    pub serial: Vec<(String, f64)>,
}

/// Medians of measured times, in seconds.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct Measured {
    pub on_one: f64,
    pub on_two: f64,
    /// Of two separate runs at the same time, each on one thread.
    pub beside: f64,
}

impl Measured {
    /// Returns the speed-up on two threads.
    pub fn speed_up(&self) -> f64 {
        self.on_one / self.on_two
    }

    /// Returns how much more two separate runs do in the same time than one.
    pub fn throughput(&self) -> f64 {
        2.0 * self.on_one / self.beside
    }
}

impl Run {
    /// Records the run on one thread, and measures it on one and two threads.
    pub fn record(&self) -> Outcome<Record> {
        let radii = SizeSpec::load(self.sizes)?
            .sample_number(self.spheres, Sampling::Stratified, 0)
            .radii();
        trace::start();
        let alone = seconds(&radii, 1)?;
        let trace = trace::stop();
        let mut record = Record::new(&trace, alone);
        drop(trace);
        let mut times = [const { Vec::new() }; 3];
        for _ in 0..self.pairs {
            times[0].push(seconds(&radii, 1)?);
            times[1].push(seconds(&radii, 2)?);
            times[2].push(seconds_beside(&radii)?);
        }
        record.measured = (self.pairs > 0).then(|| {
            let [on_one, on_two, beside] = times.map(median);
            Measured {
                on_one,
                on_two,
                beside,
            }
        });
        Ok(record)
    }
}

impl Record {
    fn new(trace: &Trace, alone: f64) -> Self {
        let replays = THREADS.map(|threads| Replay::new(trace, threads)).into();
        let part = |part: &trace::Part| (part.name.to_owned(), part.serial.as_secs_f64());
        let mut record = Self {
            alone,
            measured: None,
            replays,
            serial: trace.parts.iter().map(part).collect(),
        };
        // Time that the trace does not contain is taken as serial.
        let rest = (alone - record.on(1).total()).max(0.0);
        record.serial.push(("the rest".to_owned(), rest));
        for replay in &mut record.replays {
            replay.serial += rest;
        }
        record
    }

    /// Returns the replay on some number of threads, one of [`THREADS`].
    pub fn on(&self, threads: usize) -> &Replay {
        self.replays
            .iter()
            .find(|replay| replay.threads == threads)
            .expect("the run was replayed on this number of threads")
    }

    /// Returns the predicted speed-up on some number of threads, one of [`THREADS`].
    pub fn speed_up(&self, threads: usize) -> f64 {
        self.alone / self.on(threads).total()
    }
}

/// Returns the time of a run.
fn seconds(radii: &[f64], threads: usize) -> Outcome<f64> {
    let options = PackOptions::default()
        .effort(Effort::QUICK)
        .threads(threads);
    let clock = Instant::now();
    let mut packer = Packer::new(radii, &options)?;
    while packer.sweep().is_some() {}
    packer.finish();
    Ok(clock.elapsed().as_secs_f64())
}

/// Returns the mean time of two separate runs at the same time, each on one thread.
fn seconds_beside(radii: &[f64]) -> Outcome<f64> {
    let run = || seconds(radii, 1).map_err(|error| error.to_string());
    thread::scope(|scope| {
        let other = scope.spawn(run);
        let here = run()?;
        let there = other.join().map_err(|_| "a run failed")??;
        Ok(0.5 * (here + there))
    })
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
