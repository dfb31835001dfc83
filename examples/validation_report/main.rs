//! Compares packings with published results, and writes `docs/validation.md` with its pictures:
//! `cargo run --release --example validation_report`.
//!
//! Takes about 40 minutes on two threads.

mod binary;
mod binary_experiments;
#[path = "../common/chart.rs"]
mod chart;
mod comparison;
mod equal;
mod finite_size;
mod lognormal;
#[path = "../common/markdown.rs"]
mod markdown;
#[path = "../common/mean.rs"]
mod mean;
mod narrow;
#[path = "../common/numbers.rs"]
mod numbers;
#[path = "../common/outcome.rs"]
mod outcome;
mod packings;
mod plot;
mod text;
mod wide;

use std::fs;

use outcome::Outcome;

const PAGE: &str = "docs/validation.md";

fn main() -> Outcome {
    let page = [
        text::HEAD.to_owned(),
        equal::section()?,
        finite_size::section()?,
        narrow::section()?,
        lognormal::section()?,
        binary::section("docs", "images/binaries.svg")?,
        wide::section()?,
        text::WALLS.to_owned(),
    ];
    fs::write(PAGE, page.join("\n"))?;
    println!("{PAGE} is written");
    Ok(())
}
