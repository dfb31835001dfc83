//! Measures the time of mixtures of two sizes and the limit that few large spheres set, and writes its section of
//! `docs/reports/performance.md`: //! `cargo run --release -p reports -- mixtures`.
//!
//! Takes a few minutes on a machine without other load.

mod few_large;
mod two_sizes;

use crate::{markdown, numbers, outcome, performance};

use jostle::{SizeSpec, distribution::Sampling};
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

/// Returns the radii of a stratified sample of a size distribution.
fn radii(sizes: &str, spheres: usize) -> Outcome<Vec<f64>> {
    let law = SizeSpec::load(sizes)?.distribution;
    Ok(law.sample_number(spheres, Sampling::Stratified, 0).radii())
}
