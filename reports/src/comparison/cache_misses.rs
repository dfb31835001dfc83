//! Cache misses of the paper's algorithms, counted by cachegrind.

use std::{
    io,
    path::Path,
    process::{Command, Stdio},
};

use crate::{markdown::table, page::Page, program};
use jostle::laboratory::{broad_phase::BroadPhaseKind, compare::CYCLES, compare::Experiment};

use super::{numbers::significant, outcome::Outcome};

/// Caches that are simulated: data of 32 KiB, and 1 MiB as the last level, like the paper's processor. With them, 100 000 spheres
/// exceed the caches as 10⁷ spheres exceed those of a present processor.
const CACHES: [&str; 2] = ["--D1=32768,8,64", "--LL=1048576,16,64"];

/// Algorithms that are counted.
const ALGORITHMS: [BroadPhaseKind; 3] =
    [BroadPhaseKind::Nbs, BroadPhaseKind::Mr, BroadPhaseKind::MrS];

/// Counts of one run.
#[derive(Clone, Copy)]
pub struct Misses {
    /// Accesses to data.
    pub accesses: f64,
    /// Accesses that miss the first level.
    pub first_level: f64,
    /// Accesses that miss the last level.
    pub last_level: f64,
}

impl Misses {
    /// Counts the misses of the program in one experiment with one algorithm, per sphere and cycle. `None` if there is no valgrind.
    pub fn count(
        program: &Path,
        experiment: Experiment,
        algorithm: BroadPhaseKind,
        spheres: usize,
    ) -> Outcome<Option<Self>> {
        eprintln!("cachegrind: experiment {experiment}, {spheres} spheres, {algorithm}");
        let arguments = format!(
            "compare broad-phase --experiment {experiment} -n {spheres} --algorithm {algorithm}"
        );
        let output = Command::new("valgrind")
            .args(["--tool=cachegrind", "--cache-sim=yes"])
            .args(CACHES)
            .arg("--cachegrind-out-file=/dev/null")
            .arg(program)
            .args(arguments.split(' '))
            .stdin(Stdio::null())
            .output();
        let output = match output {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            output => output?,
        };
        let text = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            return Err(format!("valgrind ended with {}: {text}", output.status).into());
        }
        let value = |name: &str| {
            let count = counted(&text, name).ok_or(format!("valgrind printed no '{name}'"))?;
            Ok::<f64, String>(count / (spheres * CYCLES) as f64)
        };
        Ok(Some(Self {
            accesses: value("D refs")?,
            first_level: value("D1 misses")?,
            last_level: value("LLd misses")?,
        }))
    }
}

/// Returns a count of the summary of cachegrind, such as `==1== D1  misses:   12,345  (12,000 rd + 345 wr)`.
fn counted(text: &str, name: &str) -> Option<f64> {
    text.lines().find_map(|line| {
        let (before, after) = line.split_once(':')?;
        let words: Vec<&str> = before.split_whitespace().skip(1).collect();
        if words.join(" ") != name {
            return None;
        }
        let count = after.split_whitespace().next()?;
        count.replace(',', "").parse().ok()
    })
}

/// Counts and prints the cache misses of the paper's linear algorithms in experiments I and III.
pub fn report(page: &mut Page, spheres: usize) -> Outcome {
    page.line(format!(
        "\n### Cache misses\n
Counted by `valgrind --tool=cachegrind` with simulated caches of 32 KiB (first level, data) and 1 MiB (last level), {spheres} spheres, per sphere
and cycle. The counts include the making of the snapshots, which is the same for all algorithms. NBS reads the spheres through linked
lists, whose elements are in the order in which the spheres were introduced: on a lattice this is the order of the search, at random
positions every link leads to another part of memory. MR and MR-S keep lists whose elements were sorted by cell in the first cycle. The
simulation has no prefetcher."
    ));
    let program = program::build()?;
    let header = [
        "experiment",
        "algorithm",
        "data accesses",
        "misses of the first level",
        "misses of the last level",
    ];
    let mut rows = Vec::new();
    for experiment in [Experiment::I, Experiment::Iii] {
        for algorithm in ALGORITHMS {
            let Some(misses) = Misses::count(&program, experiment, algorithm, spheres)? else {
                page.line("\nNot counted: valgrind is not installed.");
                return Ok(());
            };
            rows.push(vec![
                experiment.to_string(),
                algorithm.to_string(),
                significant(misses.accesses),
                significant(misses.first_level),
                significant(misses.last_level),
            ]);
        }
    }
    page.text(&table(&header, rows));
    Ok(())
}
