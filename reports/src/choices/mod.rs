//! Halves and doubles every constant that was chosen by measurement, and writes `docs/reports/choices.md`.
//!
//! `cargo run --release -p reports -- choices`
//!
//! The constants are compiled into the engine. This program therefore builds a copy of the sources in
//! `target/choices/`, in which every choice is multiplied by a factor from an environment variable of its name. The copy is
//! built once, and packs each mixture with each factor. Run it on an idle machine: it takes about ten minutes.

mod choice;
mod copy;
mod page;

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    process::Command,
};

use choice::Choice;

type AnyResult<T> = Result<T, Box<dyn std::error::Error>>;

/// Sources of constants, in the order of the page. The constants of the indexes change no packing.
const FILES: [&str; 2] = ["src/rearrange/constants.rs", "src/verlet/constants.rs"];

/// Each packing is repeated, and the shortest time counts.
const ROUNDS: usize = 4;

const FACTORS: [f64; 2] = [0.5, 2.0];

/// The result of one packing.
#[derive(Clone, Copy, Debug)]
struct Measurement {
    packing_fraction: f64,
    seconds: f64,
}

/// By constant and factor, one measurement for each mixture; none if a packing failed. The name of the baseline is empty.
type Measurements = HashMap<(String, u64), Option<Vec<Measurement>>>;

pub fn write(_: &[String]) -> AnyResult<()> {
    let root = Path::new(crate::ROOT);
    let mut choices = Vec::new();
    for file in FILES {
        let text = std::fs::read_to_string(root.join(file))?;
        choices.extend(choice::parse(file, &text));
    }
    let program = build(root, &choices)?;
    let mut requests = vec![(String::new(), 1.0)];
    for choice in &choices {
        requests.extend(FACTORS.map(|factor| (choice.name.clone(), factor)));
    }
    let mut rounds: HashMap<(String, u64), Vec<Option<Vec<Measurement>>>> = HashMap::new();
    for round in 0..ROUNDS {
        for (k, (name, factor)) in requests.iter().enumerate() {
            eprintln!(
                "round {round}, {k} of {}: {name} × {factor}",
                requests.len()
            );
            let measured = measure(&program, name, *factor)?;
            let key = (name.clone(), factor.to_bits());
            rounds.entry(key).or_default().push(measured);
        }
    }
    let measurements: Measurements = rounds
        .into_iter()
        .map(|(key, rounds)| (key, shortest(rounds)))
        .collect();
    let page = page::page(&choices, &measurements);
    crate::page::write("choices", page)
}

/// Builds the copy, and returns its program.
fn build(root: &Path, choices: &[Choice]) -> AnyResult<PathBuf> {
    let folder = root.join("target/choices");
    copy::write(root, &folder, choices)?;
    let status = Command::new(env!("CARGO"))
        .args(["build", "--release", "--manifest-path"])
        .arg(folder.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(folder.join("target"))
        .status()?;
    if !status.success() {
        return Err("the copy of the sources does not build".into());
    }
    Ok(folder.join("target/release/measure"))
}

/// Packs all mixtures with one changed constant. Returns `None` if the program fails.
fn measure(program: &Path, name: &str, factor: f64) -> AnyResult<Option<Vec<Measurement>>> {
    let mut command = Command::new(program);
    if !name.is_empty() {
        command.env(name, factor.to_string());
    }
    let output = command.output()?;
    if !output.status.success() {
        return Ok(None);
    }
    let line = |line: &str| -> AnyResult<Measurement> {
        let (fraction, seconds) = line.split_once(' ').ok_or("two numbers are expected")?;
        Ok(Measurement {
            packing_fraction: fraction.parse()?,
            seconds: seconds.parse()?,
        })
    };
    let text = String::from_utf8(output.stdout)?;
    text.lines().map(line).collect::<AnyResult<_>>().map(Some)
}

/// Returns the shortest time of each mixture. The packing fraction is the same in every round.
fn shortest(rounds: Vec<Option<Vec<Measurement>>>) -> Option<Vec<Measurement>> {
    let rounds: Vec<Vec<Measurement>> = rounds.into_iter().collect::<Option<_>>()?;
    let shortest = |mixture: usize| {
        let seconds = rounds.iter().map(|round| round[mixture].seconds);
        Measurement {
            seconds: seconds.fold(f64::INFINITY, f64::min),
            ..rounds[0][mixture]
        }
    };
    Some((0..rounds[0].len()).map(shortest).collect())
}
