//! Measures two steps of the packing loop of Raschdorf & Kolonko 2011 that jostle replaces, and writes `docs/reports/packing-loop.md`:
//! `cargo run --release -p reports -- packing-loop`.

pub mod refresh;
pub mod toward_nearest;

use crate::{outcome::Outcome, page::Page};

/// The mixtures of the page: a title and a size distribution.
const MIXTURES: [(&str, &str); 3] = [
    ("equal spheres", "mono:d=1"),
    (
        "f(r) ∝ r⁻³, ratio 10",
        "power-law:exponent=-3,d_min=1,d_max=10",
    ),
    (
        "f(r) ∝ r⁻³·⁵, ratio 50",
        "power-law:exponent=-3.5,d_min=1,d_max=50",
    ),
];

const HEAD: &str = "# The packing loop of Raschdorf & Kolonko 2011

Written by `cargo run --release -p reports -- packing-loop`. Packing fractions and counts are the same in every run and on every machine. Times
belong to one machine and one thread: compare them with one another only.

jostle replaces two steps of the published loop: spheres without overlap stay at their positions, and spheres that left their inflated spheres
are refreshed in one batch after each sweep. This page shows what each replacement changes.
[algorithm.md](../method/algorithm.md) describes the packing loop.
";

pub fn write(_: &[String]) -> Outcome {
    let mut page = Page::default();
    page.text(HEAD);
    page.text(&toward_nearest::section()?);
    page.text(&refresh::section()?);
    page.write("packing-loop")
}
