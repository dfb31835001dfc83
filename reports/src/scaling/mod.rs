//! Predicts the speed-up on many threads from runs on one thread, and writes its section of `docs/reports/performance.md` with its
//! picture: `cargo run --release -p reports --features trace -- scaling`.
//!
//! Takes about a quarter of an hour on two idle cores, and 5 GiB. `-- 1 3` repeats the first and the third run only, and takes the others
//! from `target/scaling`. A run without a result there is missing in the section.

mod plot;
mod record;
mod replay;
mod text;

use crate::{chart, markdown, numbers, outcome, performance};

use std::{fs, path::PathBuf};

use outcome::Outcome;
use record::{Record, Run};

const PICTURE: &str = "images/scaling.svg";

/// Where the results of runs are kept.
const RESULTS: &str = "target/scaling";

const RUNS: [Run; 4] = [
    Run {
        name: "equal spheres",
        sizes: "mono:d=1",
        spheres: 1_000_000,
        pairs: 3,
    },
    Run {
        name: "Fuller, ratio 16",
        sizes: "fuller-16",
        spheres: 1_000_000,
        pairs: 3,
    },
    Run {
        name: "equal spheres",
        sizes: "mono:d=1",
        spheres: 10_000_000,
        pairs: 0,
    },
    Run {
        name: "Fuller, ratio 16",
        sizes: "fuller-16",
        spheres: 10_000_000,
        pairs: 0,
    },
];

pub fn write(arguments: &[String]) -> Outcome {
    let mut chosen: Vec<usize> = arguments
        .iter()
        .map(|argument| argument.parse())
        .collect::<Result<_, _>>()?;
    if chosen.is_empty() {
        chosen = (1..=RUNS.len()).collect();
    }
    fs::create_dir_all(RESULTS)?;
    let file = |number: usize| PathBuf::from(RESULTS).join(format!("{number}.json"));
    for number in chosen {
        let run = &RUNS[number.checked_sub(1).ok_or("runs are numbered from 1")?];
        fs::write(file(number), serde_json::to_string(&run.record()?)?)?;
    }
    let mut results: Vec<(&Run, Record)> = Vec::new();
    for (number, run) in (1..).zip(&RUNS) {
        if file(number).exists() {
            results.push((run, serde_json::from_slice(&fs::read(file(number))?)?));
        }
    }
    plot::draw(&format!("docs/{PICTURE}"), &results)?;
    performance::write(text::section(PICTURE, &results))
}
