//! Measures the time of mixtures of two sizes and the limit that few large spheres set, and writes its section of
//! `docs/reports/performance.md`: //! `cargo run --release -p reports -- mixtures`.
//!
//! Takes a few minutes on a machine without other load.

mod few_large;
mod two_sizes;

use crate::{markdown, numbers, outcome, performance};

use outcome::Outcome;

pub fn write(_: &[String]) -> Outcome {
    let section = format!(
        "## Wide mixtures

Written by `cargo run --release -p reports -- mixtures`. All spheres are in periodic cubes.
{}{}",
        two_sizes::section()?,
        few_large::section()?
    );
    performance::write(section)
}
