//! Measures the time of mixtures of two sizes and the limit that few large spheres set, and writes `docs/mixtures.md`:
//! `cargo run --release --example mixture_report`.
//!
//! Takes a few minutes on a machine without other load.

mod few_large;
#[path = "../common/markdown.rs"]
mod markdown;
#[path = "../common/numbers.rs"]
mod numbers;
#[path = "../common/outcome.rs"]
mod outcome;
mod two_sizes;

use jostle::{Sampling, SizeSpec};
use outcome::Outcome;

const PAGE: &str = "docs/mixtures.md";

fn main() -> Outcome {
    let page = format!(
        "# Wide mixtures

Written by `cargo run --release --example mixture_report`. All spheres are in periodic cubes.
{}{}",
        two_sizes::section()?,
        few_large::section()?
    );
    std::fs::write(PAGE, page)?;
    println!("{PAGE} is written");
    Ok(())
}

/// Returns the radii of a stratified sample of a size distribution.
fn radii(sizes: &str, spheres: usize) -> Outcome<Vec<f64>> {
    let law = SizeSpec::load(sizes)?.distribution;
    Ok(law.sample_number(spheres, Sampling::Stratified, 0).radii())
}
