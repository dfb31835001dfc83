//! The page `docs/reports/performance.md`, to which five reports write one section each.

use crate::{outcome::Outcome, page};

const HEAD: &str = "# Performance

Time, packing fraction and memory against effort, number of spheres, sizes, threads and processes. Each section names the command that writes
it. The sections may come from different machines: compare times within a section only.

| section | content |
|---|---|
| [Packing fraction against time](#packing-fraction-against-time) | four size distributions at each effort, the time of a relocation and of a refresh, packings of up to 58 million spheres |
| [Many threads](#many-threads) | predicted speed-up on up to 128 threads, and its limits |
| [Wide mixtures](#wide-mixtures) | time of two sizes, and the packing fraction that few large spheres allow |
| [Many processes](#many-processes) | messages and memory of MPI ranks, and predicted runs of a billion spheres |
| [Memory](#memory) | estimated and measured peak memory |
";

/// The titles of the sections, in the order of the page.
const TITLES: [&str; 5] = [
    "Packing fraction against time",
    "Many threads",
    "Wide mixtures",
    "Many processes",
    "Memory",
];

/// Writes the page with a new section, which begins with its title, and keeps the other sections.
pub fn write(section: String) -> Outcome {
    page::update("performance", HEAD, &TITLES, &[section])
}
