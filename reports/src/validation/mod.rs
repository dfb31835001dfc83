//! Compares packings with published results, and writes `docs/validation.md` with its pictures:
//! `cargo run --release -p reports -- validation`.
//!
//! Takes about 40 minutes on two threads.

mod binary;
mod binary_experiments;
mod comparison;
mod equal;
mod finite_size;
mod lognormal;
mod narrow;
mod packings;
mod plot;
mod text;
mod wide;

use crate::{chart, markdown, mean, numbers, outcome, page};

use outcome::Outcome;

pub fn write(_: &[String]) -> Outcome {
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
    page::write("validation", page.join("\n"))
}
