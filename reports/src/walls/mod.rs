//! Compares packings in cylinders with published beds, and opposite layers in containers of all shapes. Writes `docs/reports/walls.md` with its
//! picture: `cargo run --release -p reports -- walls`.
//!
//! Takes about eight minutes on two threads.

#[allow(dead_code)]
mod core_density;
pub mod correlation;
mod fraction;
mod opposite;
mod plot;
pub mod profile;
mod text;

use crate::{bodies, chart, markdown, mean, outcome, page};

use outcome::Outcome;

const PICTURE: &str = "images/walls.svg";

pub fn write(_: &[String]) -> Outcome {
    let profiles = profile::measure()?;
    let tubes = fraction::measure()?;
    let core = core_density::measure()?;
    let opposite = opposite::measure()?;
    plot::draw(&format!("docs/{PICTURE}"), &profiles, &tubes)?;
    let text = text::page(PICTURE, &profiles, &tubes, &core, &opposite);
    page::write("walls", text)
}
