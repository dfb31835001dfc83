//! Measures exchange moves and writes `docs/reports/exchange.md` with its picture: `cargo run --release -p reports -- exchange`.
//!
//! Takes about ten minutes on a machine without other load.

mod curve;
mod mixtures;
mod plot;
mod statistics;
mod structure;
mod text;

use crate::{chart, markdown, outcome, page};

use curve::Curves;
use mixtures::MIXTURES;
use outcome::Outcome;
use structure::Comparison;

const PICTURE: &str = "images/exchange.svg";

/// The mixtures whose structure is compared: uniform sizes from 1 to 3, and f(r) ∝ r⁻³ of ratio 10.
const COMPARED: [usize; 2] = [1, 3];

pub fn write(_: &[String]) -> Outcome {
    let mut page = text::head(PICTURE);
    let mut panels = Vec::new();
    for mixture in MIXTURES {
        let curves = Curves::measure(mixture)?;
        page += &format!("\n### {}\n{}", mixture.title, curves.table());
        panels.push((mixture.title, curves));
    }
    page += text::RATE;
    page += &curve::by_rate(&MIXTURES)?;
    page += &text::structure();
    for (comparison, title) in [
        (Comparison::EqualFraction, "equal packing fraction"),
        (Comparison::EqualEffort, "equal effort"),
    ] {
        for mixture in COMPARED.map(|k| MIXTURES[k]) {
            page += &format!("\n### At {title}: {}\n", mixture.title);
            page += &structure::table(mixture, comparison)?;
        }
    }
    plot::draw(&format!("docs/{PICTURE}"), &panels)?;
    page::write("exchange", page)
}
