//! Counts messages, bytes and memory of MPI ranks, predicts runs on many nodes, and writes its section of
//! `docs/reports/performance.md`: `cargo run --release -p reports --features mpi -- ranks-cost`.
//!
//! Takes about twenty minutes on two busy cores, on which all ranks run at the same time. `-- page` writes the section with the results of
//! the last runs, which are in `target/ranks_cost`.

mod cost;
mod counted;
mod law;
mod model;
mod text;

use crate::{markdown, numbers, outcome, performance, resident};

use cost::{Cost, Run};
use model::Node;
use outcome::Outcome;

/// Numbers of ranks.
const RANKS: [usize; 4] = [1, 2, 4, 8];

/// Spheres of the runs that show the memory of the program and of the MPI library.
const FEW: usize = 1000;

/// Spheres of each rank in runs with a number of spheres in proportion to the ranks.
const PER_RANK: usize = 100_000;

/// A size distribution, and the numbers of spheres with which all numbers of ranks run.
struct Sizes {
    name: &'static str,
    text: &'static str,
    spheres: &'static [usize],
    node: Node,
}

const SIZES: [Sizes; 2] = [
    Sizes {
        name: "equal spheres",
        text: "mono:d=1",
        spheres: &[100_000, 300_000, 1_000_000],
        node: Node {
            per_sphere: 13.1e-6,
            speed_up: 39.3,
        },
    },
    Sizes {
        name: "Fuller, ratio 16",
        text: "fuller-16",
        spheres: &[100_000, 300_000, 1_000_000],
        node: Node {
            per_sphere: 17.5e-6,
            speed_up: 31.5,
        },
    },
];

impl Sizes {
    /// Returns the runs with all numbers of ranks, and those with a number of spheres in proportion to the ranks.
    fn runs(&self) -> Vec<Run> {
        let run = |spheres, ranks| Run {
            sizes: self.text,
            spheres,
            ranks,
        };
        let strong = [FEW]
            .iter()
            .chain(self.spheres)
            .flat_map(|&spheres| RANKS.map(|ranks| run(spheres, ranks)));
        let weak = RANKS.map(|ranks| run(PER_RANK * ranks, ranks));
        let mut runs: Vec<Run> = strong.collect();
        for run in weak {
            if !runs.contains(&run) {
                runs.push(run);
            }
        }
        runs
    }
}

pub fn write(arguments: &[String]) -> Outcome {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let is_measured = match arguments[..] {
        [] => true,
        ["page"] => false,
        [sizes, spheres] => return cost::pack_as_rank(sizes, spheres.parse()?),
        _ => return Err("expected no argument, or page".into()),
    };
    let mut results: Vec<(&Sizes, Vec<Cost>)> = Vec::new();
    for sizes in &SIZES {
        let runs = sizes.runs();
        if is_measured {
            runs.iter().try_for_each(|run| run.measure())?;
        }
        let costs: Outcome<Vec<Cost>> = runs.into_iter().map(Run::cost).collect();
        results.push((sizes, costs?));
    }
    performance::write(text::section(&results))
}
