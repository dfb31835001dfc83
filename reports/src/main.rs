//! Measures jostle and writes the pages in `docs/reports/`, from anywhere in the repository: `cargo run --release -p reports -- REPORT`.

mod beds;
mod bodies;
mod cell_order;
mod chart;
mod choices;
mod comparison;
mod exchange;
mod file_speed;
mod gallery;
mod jamming;
mod markdown;
mod mean;
mod memory;
mod mesh_shapes;
mod mesh_speed;
mod mixtures;
mod numbers;
mod outcome;
mod packing_loop;
mod page;
mod papers;
mod performance;
mod program;
#[cfg(feature = "mpi")]
mod ranks_cost;
mod reliability;
mod resident;
mod sample;
#[cfg(feature = "trace")]
mod scaling;
mod speed;
mod tuning;
mod validation;
mod walls;

use std::env;

use outcome::Outcome;

/// The root of the repository. All paths are relative to it.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// A report, with its name and the sentence of the list of reports.
type Report = (&'static str, &'static str, fn(&[String]) -> Outcome);

const REPORTS: &[Report] = &[
    (
        "beds",
        "poured beds beside published ones (20 minutes)",
        beds::write,
    ),
    (
        "choices",
        "halves and doubles every constant (10 minutes)",
        choices::write,
    ),
    (
        "comparison",
        "prints indexes and broad phases compared",
        comparison::write,
    ),
    ("exchange", "exchange moves (10 minutes)", exchange::write),
    (
        "file-speed",
        "prints the time of each format: [NUMBER]",
        file_speed::write,
    ),
    (
        "gallery",
        "draws the containers of README.md",
        gallery::write,
    ),
    (
        "jamming",
        "jammed packings beside published results (15 minutes)",
        jamming::write,
    ),
    ("memory", "estimated and measured memory", memory::write),
    (
        "mesh-shapes",
        "writes a concave mesh: l|ring|hopper FILE [FINENESS]",
        mesh_shapes::write,
    ),
    (
        "mesh-speed",
        "prints packings in meshes against the box: [SPHERES] [ROUNDS]",
        mesh_speed::write,
    ),
    (
        "mixtures",
        "mixtures of two sizes, and few large spheres",
        mixtures::write,
    ),
    (
        "packing-loop",
        "steps of the published packing loop that jostle replaces",
        packing_loop::write,
    ),
    (
        "papers",
        "one row for each figure and claim of the papers",
        papers::write,
    ),
    #[cfg(feature = "mpi")]
    (
        "ranks-cost",
        "messages and memory of MPI processes",
        ranks_cost::write,
    ),
    (
        "reliability",
        "random requests, killed runs, cost of checkpoints: --help",
        reliability::write,
    ),
    #[cfg(feature = "trace")]
    (
        "scaling",
        "predicted speed-up on many threads",
        scaling::write,
    ),
    ("speed", "packing fraction against time", speed::write),
    (
        "tuning",
        "prints the cost model of the hierarchical grid",
        tuning::write,
    ),
    (
        "validation",
        "packings beside published results (40 minutes)",
        validation::write,
    ),
    ("walls", "packings between walls", walls::write),
];

fn main() -> Outcome {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let named = arguments.first().and_then(|name| {
        let mut reports = REPORTS.iter();
        reports.find(|(report, ..)| report == name)
    });
    let Some((.., write)) = named else {
        let lines = REPORTS
            .iter()
            .map(|(name, what, _)| format!("\n  {name:12} {what}"));
        return Err(format!(
            "the first argument must name a report:{}",
            lines.collect::<String>()
        )
        .into());
    };
    env::set_current_dir(ROOT)?;
    write(&arguments[1..])
}
