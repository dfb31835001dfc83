//! Logs of the fuzzers.

use std::{fs, path::Path};

use super::{outcome::Outcome, page};

/// The log of one parser.
#[derive(Default)]
pub struct Row {
    pub parser: String,
    pub seconds: f64,
    /// Processor time in seconds; 0 if the log does not state it.
    pub processor: f64,
    pub executions: u64,
    /// Largest number of covered edges.
    pub covered: u64,
    /// Number of inputs that the fuzzer keeps.
    pub inputs: u64,
    /// Inputs that made the parser panic, that took too long, and that took too much memory.
    pub panics: usize,
    pub hangs: usize,
    pub memory: usize,
}

/// Reads the logs in a directory. Returns the number of failures.
pub fn run(directory: &Path) -> Outcome<usize> {
    let targets = Path::new(crate::ROOT).join("tests/fuzz/src/bin");
    let mut names = Vec::new();
    for entry in fs::read_dir(targets)? {
        let path = entry?.path();
        names.extend(
            path.file_stem()
                .and_then(|stem| stem.to_str())
                .map(str::to_owned),
        );
    }
    names.sort();
    let mut rows = Vec::new();
    for name in &names {
        let path = directory.join(format!("{name}.log"));
        if path.exists() {
            let log = fs::read(&path)?;
            rows.push(parse(name, &String::from_utf8_lossy(&log)));
        }
    }
    page::show(page::Part::Fuzz, &page::of_fuzz(&rows, &names)?)?;
    let findings = rows.iter().map(|row| row.panics + row.hangs + row.memory);
    Ok(findings.sum())
}

/// Adds up the parts of a log. A part ends with its numbers, or with the next part if the fuzzer found an input that fails.
fn parse(parser: &str, log: &str) -> Row {
    let mut row = Row {
        parser: parser.to_owned(),
        ..Row::default()
    };
    let mut part = Part::default();
    for line in log.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if line.starts_with("INFO: Seed:") {
            row.add(&std::mem::take(&mut part));
        } else if let ["Done", runs, "runs", "in", seconds, ..] = words[..] {
            part.executions = runs.parse().unwrap_or(part.executions);
            part.seconds = seconds.parse().unwrap_or(part.seconds);
        } else if let ["Processor", "time:", seconds, "s"] = words[..] {
            row.processor += seconds.parse().unwrap_or(0.0);
        } else if let Some((_, path)) = line.split_once("Test unit written to ") {
            let name = path.rsplit('/').next().unwrap_or(path);
            row.panics += usize::from(name.starts_with("crash-"));
            row.hangs += usize::from(name.starts_with("timeout-"));
            row.memory += usize::from(name.starts_with("oom-") || name.starts_with("leak-"));
        } else if let Some(number) = line.strip_prefix('#') {
            let number = number
                .split_whitespace()
                .next()
                .and_then(|number| number.parse().ok());
            part.executions = number.unwrap_or(part.executions);
            let after = |label: &str| {
                let at = words.iter().position(|word| *word == label)?;
                words.get(at + 1)?.split('/').next()?.parse::<u64>().ok()
            };
            row.covered = row.covered.max(after("cov:").unwrap_or(0));
            row.inputs = after("corp:").unwrap_or(row.inputs);
            if let Some(rate) = after("exec/s:").filter(|&rate| rate > 0) {
                part.seconds = part.executions as f64 / rate as f64;
            }
        }
    }
    row.add(&part);
    row
}

/// A part of a log.
#[derive(Default)]
struct Part {
    executions: u64,
    seconds: f64,
}

impl Row {
    fn add(&mut self, part: &Part) {
        self.executions += part.executions;
        self.seconds += part.seconds;
    }
}
