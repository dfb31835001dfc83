//! Compares poured beds with published ones, and with LAMMPS. Writes `docs/reports/beds.md` with its picture:
//! `cargo run --release -p reports -- beds`.

mod compaction;
mod layers;
mod pile;
mod plot;
pub mod pour;
mod radial;
mod segregation;
mod settling;
mod speed;
mod structure;
mod text;
mod tubes;

use crate::{chart, markdown, mean, numbers, outcome, page};

use outcome::Outcome;

const PICTURE: &str = "images/beds.svg";

/// The measured numbers of the page.
struct Measured {
    structures: Vec<structure::Structure>,
    compacted: Vec<compaction::Compacted>,
    tubes: Vec<tubes::Tube>,
    profiles: Vec<crate::walls::profile::Profile>,
    piles: Vec<pile::Pile>,
    segregation: segregation::Segregation,
    speed: Vec<speed::Row>,
    settling: Option<settling::Settling>,
}

pub fn write(_: &[String]) -> Outcome {
    let measured = Measured {
        // First, so that nothing else needs to run beside them.
        speed: speed::measure()?,
        settling: settling::measure()?,
        structures: structure::measure()?,
        compacted: compaction::measure()?,
        tubes: tubes::measure()?,
        profiles: radial::measure()?,
        piles: pile::measure()?,
        segregation: segregation::measure()?,
    };
    plot::draw(&format!("docs/{PICTURE}"), &measured)?;
    page::write("beds", text::page(PICTURE, &measured))
}
