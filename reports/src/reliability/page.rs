//! The page `docs/reports/reliability.md`.

use clap::ValueEnum;

use super::{
    cost::{Cost, median},
    fuzz::Row,
    kills::Kills,
    markdown::table,
    numbers::grouped,
    outcome::Outcome,
    soak::{Count, Failure, Soak},
};
use crate::page;

const REPORT: &str = "reliability";

const HEAD: &str = "\
# Reliability

Written by `cargo run --release -p reports -- reliability --minutes 60 --kills 100 --fuzz-logs DIR`, where DIR holds the logs of the
fuzzers. Each part can be repeated alone: `--parts soak`, `kills`, `cost` or `fuzz`. The page shows the latest result of each part.
";

/// A part of the page.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Part {
    Soak,
    Kills,
    Cost,
    Fuzz,
}

/// The titles of the parts.
const TITLES: [&str; 4] = [
    "Random requests",
    "Killed runs",
    "Cost of checkpoints",
    "Fuzzing",
];

/// Kinds of properties, in the order of the table.
const KINDS: [&str; 13] = [
    "law",
    "sampling",
    "spheres",
    "target",
    "walled axes",
    "minimum gap",
    "exchanges",
    "index",
    "threads",
    "end",
    "certified by",
    "second run",
    "file",
];

/// Writes the page with a new text of one part.
pub fn show(part: Part, text: &str) -> Outcome {
    let section = format!("## {}\n{text}", TITLES[part as usize]);
    page::update(REPORT, HEAD, &TITLES, &[section])
}

fn number(count: u64) -> String {
    grouped(count as usize)
}

fn duration(seconds: f64) -> String {
    if seconds < 120.0 {
        format!("{seconds:.0} s")
    } else {
        format!("{:.0} minutes", seconds / 60.0)
    }
}

/// Returns the part on random requests.
pub fn of_soak(soak: &Soak) -> String {
    let Count {
        requests,
        rejected,
        packed,
        ..
    } = soak.all;
    let mut text = format!(
        "
{} requests in {}, seed {}, on {}. {} requests were packed, with {} spheres in all. {} were rejected with an error of one line.
**{} failed.** The longest request took {:.1} s.

Each request draws a law and its parameters, the number of spheres (1 to 20 000; the logarithm is uniformly distributed), boundaries,
target, minimum gap, effort, rate of exchanges, index, number of threads and limits. Targets are within reach, near the limit and
beyond it. Containers are cubes, cuboids, plates and needles, some of which hardly hold the largest sphere.

Code that shares nothing with the library checks each packing: all pairs and periodic images up to 3000 spheres, and an R*-tree of the
crate `rstar` above. The checks are:

- No two spheres overlap, no sphere crosses a wall, and the requested gap is kept. The check computes gaps in f64; its rounding error
  is below 16 units in the last place of the sum of the container's lengths. {} packings had a smallest gap below 0 within this error.
- The radii have the bits and the order of the request.
- The container has the requested shape. It has the requested size where the run claims to have reached it.
- The certificate and the packing fraction agree with the check.
- A file in a random format reads back to the same numbers.

A second run makes the same packing: continued from checkpoint files at random sweeps with another number of threads, or with another
index. A panic or a run of more than 15 minutes counts as a failure.
",
        number(requests),
        duration(soak.seconds),
        soak.seed,
        soak.machine.describe(),
        number(packed),
        number(soak.spheres),
        number(rejected),
        soak.all.failed,
        soak.longest,
        soak.within_rounding,
    );
    text += &properties(soak);
    text += &failures(&soak.failures, soak.seed);
    text += "\nReasons for which requests were rejected, each with one example:\n\n";
    for message in soak.rejections.values() {
        text += &format!("- {message}\n");
    }
    text += &format!(
        "\n`cargo run --release -p reports -- reliability --seed {} --request K` repeats request K.\n",
        soak.seed
    );
    text
}

/// Returns the table of the requests by property.
fn properties(soak: &Soak) -> String {
    let mut rows = Vec::new();
    for kind in KINDS {
        let mut counts: Vec<_> = soak.counts.get(kind).into_iter().flatten().collect();
        // Ranges by their first number.
        counts.sort_by_key(|(property, _)| {
            let first = property.split(' ').next().unwrap_or_default();
            first.parse::<u64>().unwrap_or(0)
        });
        for (property, count) in counts {
            let Count {
                requests,
                rejected,
                packed,
                failed,
            } = *count;
            let counts = [requests, rejected, packed, failed].map(number);
            rows.push([vec![kind.to_owned(), property.clone()], counts.to_vec()].concat());
        }
    }
    let header = [
        "property", "value", "requests", "rejected", "packed", "failed",
    ];
    table(&header, rows)
}

fn failures(failures: &[Failure], seed: u64) -> String {
    let mut text = String::new();
    if !failures.is_empty() {
        text += "\nFailures:\n\n";
    }
    for Failure {
        number, problem, ..
    } in failures
    {
        let problem: String = problem.chars().take(300).collect();
        text += &format!(
            "- Request {number} of seed {seed}: {}\n",
            problem.replace('\n', " ")
        );
    }
    text
}

/// Returns the part on killed runs.
pub fn of_kills(kills: &Kills) -> String {
    let total: usize = kills.rows.iter().map(|row| row.kills).sum();
    let during: usize = kills.rows.iter().map(|row| row.during_checkpoint).sum();
    let different: usize = kills.rows.iter().map(|row| row.different).sum();
    let header = [
        "spheres",
        "checkpoint every",
        "undisturbed run",
        "runs",
        "kills",
        "while a checkpoint was written",
        "while the packing was written",
        "before the first checkpoint",
        "continued",
        "different packings",
        "runs with leftovers",
    ];
    let rows = kills.rows.iter().map(|row| {
        let mut cells = vec![
            grouped(row.spheres),
            row.interval.clone(),
            format!("{:.1} s", row.seconds),
        ];
        cells.extend(
            [
                row.runs,
                row.kills,
                row.during_checkpoint,
                row.during_packing,
                row.before_first,
                row.resumed,
                row.different,
                row.leftovers,
            ]
            .map(|count| count.to_string()),
        );
        cells
    });
    let mut text = format!(
        "
SIGKILL ended runs of `jostle pack --checkpoint` and `jostle resume` {total} times in {}, on {}, seed {}. {during} kills came while a
checkpoint was being written: its unfinished file was there after the kill. The others came at random instants. Each run was killed up
to six times and continued each time, with 1 to 3 threads. A run that was killed before its first checkpoint began again. In the end the
packing file is compared byte by byte with that of an undisturbed run: **{different} differ.**
{}
Requests:

",
        duration(kills.seconds),
        kills.machine.describe(),
        kills.seed,
        table(&header, rows),
    );
    text += &requests_and_problems(kills);
    text
}

/// Returns the lists of the requests and of the failures.
fn requests_and_problems(kills: &Kills) -> String {
    let mut text = String::new();
    for row in &kills.rows {
        for request in &row.requests {
            text += &format!("- `jostle pack {request} -n {}`\n", row.spheres);
        }
    }
    if !kills.problems.is_empty() {
        text += "\nFailures:\n\n";
    }
    for problem in &kills.problems {
        text += &format!("- {problem}\n");
    }
    text
}

/// Returns the part on the cost of checkpoints.
pub fn of_cost(mut cost: Cost) -> String {
    let list = |seconds: &[f64]| {
        let times: Vec<String> = seconds.iter().map(|time| format!("{time:.1}")).collect();
        times.join(", ")
    };
    let (without, with) = (list(&cost.without), list(&cost.with));
    let medians = [median(&mut cost.without), median(&mut cost.with)];
    let checkpoints: Vec<String> = cost.checkpoints.iter().map(usize::to_string).collect();
    let rows = [
        ("without checkpoints", without, medians[0], "–".to_owned()),
        ("with checkpoints", with, medians[1], checkpoints.join(", ")),
    ];
    let rows = rows.map(|(name, times, median, checkpoints)| {
        vec![name.to_owned(), times, format!("{median:.1}"), checkpoints]
    });
    let header = ["run", "seconds", "median", "checkpoints"];
    format!(
        "
`jostle {}`, without checkpoints and with `--checkpoint-every {}`, in turn, on {}. Times are wall times of the whole program.
{}
The medians differ by {:+.1} %. A checkpoint takes {:.1} bytes per sphere on the disk.

A run pauses while it copies its state, and writes the copy while it goes on. In a quick run of {} spheres, the longest of {} pauses
took {:.0} ms. The median of {} sweeps took {:.0} ms, and the longest sweep {:.0} ms.
",
        cost.arguments,
        cost.interval,
        cost.machine.describe(),
        table(&header, rows),
        100.0 * (medians[1] / medians[0] - 1.0),
        cost.bytes as f64 / cost.spheres as f64,
        grouped(cost.spheres),
        cost.pauses,
        1e3 * cost.longest_pause,
        cost.sweeps,
        1e3 * cost.sweep,
        1e3 * cost.longest_sweep,
    )
}

/// Returns the part on fuzzing: new rows, the present rows of other parsers, and the names of `parsers` without a row.
pub fn of_fuzz(rows: &[Row], parsers: &[String]) -> Outcome<String> {
    let header = [
        "parser",
        "hours",
        "processor hours",
        "executions",
        "covered edges",
        "kept inputs",
        "panics",
        "hangs",
        "out of memory",
    ];
    let present = page::present(REPORT)?;
    let present: Vec<Vec<String>> = present.lines().filter_map(cells).collect();
    let (mut shown, mut missing) = (Vec::new(), Vec::new());
    for parser in parsers {
        let name = format!("`{parser}`");
        if let Some(row) = rows.iter().find(|row| row.parser == *parser) {
            shown.push(row.cells());
        } else if let Some(row) = present.iter().find(|cells| cells[0] == name) {
            shown.push(row.clone());
        } else {
            missing.push(name);
        }
    }
    let mut text = format!(
        "
libFuzzer changes inputs of each parser so that they reach new code. The checks are in `tests/fuzz/src/parsers.rs`. They compare
certificates with all pairs, and read back each accepted packing in every format. An input that takes more than a minute counts as a
hang, because the fuzzers shared the processor. An input that takes more than 1 GiB counts as out of memory. CONTRIBUTING.md has the
command.
{}",
        table(&header, shown)
    );
    if !missing.is_empty() {
        text += &format!("\nThere is no log of {}.\n", missing.join(", "));
    }
    Ok(text)
}

/// Returns the cells of a line of a table; `None` for another line.
fn cells(line: &str) -> Option<Vec<String>> {
    let cells = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ");
    Some(cells.map(str::to_owned).collect())
}

impl Row {
    fn cells(&self) -> Vec<String> {
        vec![
            format!("`{}`", self.parser),
            format!("{:.2}", self.seconds / 3600.0),
            format!("{:.2}", self.processor / 3600.0),
            number(self.executions),
            number(self.covered),
            number(self.inputs),
            self.panics.to_string(),
            self.hangs.to_string(),
            self.memory.to_string(),
        ]
    }
}
