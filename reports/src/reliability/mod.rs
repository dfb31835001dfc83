//! Tests that runs never lose spheres, bits or checkpoints, and writes `docs/reports/reliability.md`:
//! `cargo run --release -p reports -- reliability --minutes 60 --kills 100 --fuzz-logs DIR`.
//!
//! The page has four parts: packings of random requests (`soak`), runs that are killed and continued (`kills`), the cost of
//! checkpoints (`cost`), and the logs of the fuzzers (`fuzz`). `--parts` chooses the parts to run, and the page keeps the latest result of
//! each part, and of each parser. The part `cost` needs an idle machine.
//!
//! Every request follows from `--seed` and its number. `--request K` runs request K alone and prints it.

mod attempt;
mod checks;
mod cost;
mod fuzz;
mod gaps;
mod kills;
mod page;
mod random;
mod request;
mod results;
mod sizes;
mod soak;

use crate::{markdown, numbers, outcome, program};

use std::path::PathBuf;

use clap::Parser;
use outcome::Outcome;
use page::Part;

/// Tests that runs never lose spheres, bits or checkpoints, and writes docs/reports/reliability.md
#[derive(Parser)]
struct Arguments {
    /// Pack random requests for MINUTES
    #[arg(long, default_value_t = 60.0)]
    minutes: f64,

    /// Kill runs KILLS times
    #[arg(long, default_value_t = 100)]
    kills: usize,

    /// Read the logs of the fuzzers, <target>.log, in DIR
    #[arg(long, value_name = "DIR")]
    fuzz_logs: Option<PathBuf>,

    /// Parts to run, separated by commas [default: all; fuzz only with --fuzz-logs]
    #[arg(long, value_enum, value_delimiter = ',')]
    parts: Option<Vec<Part>>,

    /// Seed of the requests and of the instants of the kills
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Run request K of the seed alone, and print it
    #[arg(long, value_name = "K")]
    request: Option<u64>,

    /// Number of spheres of the runs that show the cost of checkpoints
    #[arg(long, default_value_t = 1_000_000)]
    cost_spheres: usize,
}

pub fn write(arguments: &[String]) -> Outcome {
    let name = [String::from("reliability")];
    let arguments = Arguments::try_parse_from(name.iter().chain(arguments))?;
    if let Some(number) = arguments.request {
        return soak::one(arguments.seed, number);
    }
    let parts = arguments.parts.clone().unwrap_or_else(|| {
        let fuzz = arguments.fuzz_logs.as_ref().map(|_| Part::Fuzz);
        [Part::Soak, Part::Kills, Part::Cost]
            .into_iter()
            .chain(fuzz)
            .collect()
    });
    if parts.contains(&Part::Fuzz) && arguments.fuzz_logs.is_none() {
        return Err("--parts fuzz needs --fuzz-logs DIR".into());
    }
    let mut failures = 0;
    for part in parts {
        failures += match (part, &arguments.fuzz_logs) {
            (Part::Soak, _) => soak::run(arguments.seed, arguments.minutes)?,
            (Part::Kills, _) => kills::run(arguments.seed, arguments.kills)?,
            (Part::Cost, _) => cost::run(arguments.cost_spheres)?,
            (Part::Fuzz, logs) => fuzz::run(logs.as_deref().ok_or("no logs")?)?,
        };
    }
    if failures == 0 {
        return Ok(());
    }
    Err(format!("{failures} failures").into())
}
