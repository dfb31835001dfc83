//! Measures exchange moves and writes `docs/exchange.md` with its picture: `cargo run --release --example exchange_report`.
//!
//! Takes about ten minutes on a machine without other load.

#[path = "../common/chart.rs"]
mod chart;
mod curve;
#[path = "../common/markdown.rs"]
mod markdown;
mod mixtures;
#[path = "../common/outcome.rs"]
mod outcome;
mod plot;
mod statistics;
mod structure;
mod text;

use std::fs;

use curve::Curves;
use mixtures::MIXTURES;
use outcome::Outcome;
use structure::Comparison;

const PAGE: &str = "docs/exchange.md";
const PICTURE: &str = "images/exchange.svg";

/// The mixtures whose structure is compared: uniform sizes from 1 to 3, and f(r) ∝ r⁻³ of ratio 10.
const COMPARED: [usize; 2] = [1, 3];

fn main() -> Outcome {
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
    fs::write(PAGE, page)?;
    println!("{PAGE} is written");
    Ok(())
}
