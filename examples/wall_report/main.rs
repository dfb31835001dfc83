//! Compares packings in cylinders with published beds, and opposite layers in containers of all shapes. Writes `docs/walls.md` with its
//! picture: `cargo run --release --example wall_report`.
//!
//! Takes about eight minutes on two threads.

mod bed;
#[allow(dead_code)]
#[path = "../common/bodies.rs"]
mod bodies;
#[path = "../common/chart.rs"]
mod chart;
mod core_density;
mod correlation;
mod fraction;
#[path = "../common/markdown.rs"]
mod markdown;
#[path = "../common/mean.rs"]
mod mean;
mod opposite;
#[path = "../common/outcome.rs"]
mod outcome;
mod plot;
mod profile;
mod text;

use std::fs;

use outcome::Outcome;

const PAGE: &str = "docs/walls.md";
const PICTURE: &str = "images/walls.svg";

fn main() -> Outcome {
    let profiles = profile::measure()?;
    let tubes = fraction::measure()?;
    let core = core_density::measure()?;
    let opposite = opposite::measure()?;
    plot::draw(&format!("docs/{PICTURE}"), &profiles, &tubes)?;
    fs::write(
        PAGE,
        text::page(PICTURE, &profiles, &tubes, &core, &opposite),
    )?;
    println!("{PAGE} is written");
    Ok(())
}
