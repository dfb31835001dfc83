//! Compares packings with published results, and writes `docs/reports/validation.md` with its pictures:
//! `cargo run --release -p reports -- validation`.
//!
//! Takes about 40 minutes on two threads. `-- equal narrow` measures two sections anew.

mod binary;
mod binary_experiments;
mod comparison;
mod disk_mixtures;
mod disk_power_laws;
mod disks;
mod equal;
mod finite_size;
mod jammed_disks;
mod lognormal;
mod narrow;
mod packings;
mod plane_indexes;
mod plot;
mod text;
mod wide;

use crate::{chart, markdown, mean, numbers, outcome, page};

pub use narrow::{desmond_weeks, moments, titled};
use outcome::Outcome;

/// A section, with the name that chooses it and its title.
type Section = (&'static str, &'static str, fn() -> Outcome<String>);

const SECTIONS: [Section; 13] = [
    ("equal", "Equal spheres", equal::section),
    ("number", "Number of spheres", finite_size::section),
    ("narrow", "Narrow distributions", narrow::section),
    ("lognormal", "Lognormal distributions", lognormal::section),
    ("two-sizes", "Two sizes", binary::section),
    ("wide", "Wide distributions", wide::section),
    ("walls", "Layers at walls", || Ok(text::WALLS.to_owned())),
    ("disks", "Disks", disks::section),
    (
        "disk-indexes",
        "Indexes in the plane",
        plane_indexes::section,
    ),
    ("jammed-disks", "Jammed disks", jammed_disks::section),
    (
        "disk-mixtures",
        "Jammed disks of two sizes",
        disk_mixtures::section,
    ),
    (
        "disk-power-laws",
        "Power laws of disks",
        disk_power_laws::section,
    ),
    ("disk-starts", "Starts of disks", jammed_disks::starts),
];

/// Writes the sections with the names `chosen`, or all, and keeps the others.
pub fn write(chosen: &[String]) -> Outcome {
    if let Some(unknown) = chosen
        .iter()
        .find(|name| !SECTIONS.iter().any(|(known, ..)| known == name))
    {
        let names = SECTIONS.map(|(name, ..)| name).join(", ");
        return Err(format!("unknown section '{unknown}'; expected some of {names}").into());
    }
    let titles = SECTIONS.map(|(_, title, _)| title);
    for (name, _, section) in SECTIONS {
        if chosen.is_empty() || chosen.iter().any(|chosen| chosen == name) {
            page::update("validation", text::HEAD, &titles, &[section()?])?;
        }
    }
    Ok(())
}
