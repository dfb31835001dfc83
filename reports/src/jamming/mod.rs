//! Compares jammed packings with published results, and writes `docs/reports/jamming.md`: `cargo run --release -p reports -- jamming`.
//!
//! `-- equal time` measures two sections anew.

mod breathing;
mod equal;
mod gaps;
mod mixtures;
mod packings;
mod text;
mod time;

use crate::{markdown, mean, numbers, outcome, page};

use outcome::Outcome;
pub use packings::backbone;

/// A section, with the name that chooses it and its title.
type Section = (&'static str, &'static str, fn() -> Outcome<String>);

const SECTIONS: [Section; 6] = [
    ("equal", "Equal spheres", equal::by_effort),
    ("number", "Number of spheres", equal::by_number),
    ("gaps", "Contacts and gaps", gaps::section),
    ("mixtures", "Mixtures", mixtures::section),
    (
        "breathing",
        "Exchanges and breathing radii",
        breathing::section,
    ),
    ("time", "Time", time::section),
];

/// Writes the sections with the names `chosen`, or all, and keeps the others.
pub fn write(chosen: &[String]) -> Outcome {
    let is_known = |chosen: &String| SECTIONS.iter().any(|(name, ..)| name == chosen);
    if let Some(unknown) = chosen.iter().find(|name| !is_known(name)) {
        let names = SECTIONS.map(|(name, ..)| name).join(", ");
        return Err(format!("unknown section '{unknown}'; expected some of {names}").into());
    }
    let titles = SECTIONS.map(|(_, title, _)| title);
    for (name, title, section) in SECTIONS {
        if chosen.is_empty() || chosen.iter().any(|chosen| chosen == name) {
            let section = format!("## {title}\n\n{}", section()?);
            page::update("jamming", text::HEAD, &titles, &[section])?;
        }
    }
    Ok(())
}
