//! Measures packing fraction against time and writes its section of
//! `docs/reports/performance.md` with its picture: `cargo run --release -p reports -- speed`.
//!
//! Uses one thread. Takes a few minutes on a machine without other load.

mod curve;
mod growth;
mod limit;
mod mixtures;
mod plot;
mod scaling;

use crate::{chart, markdown, numbers, outcome, performance};

use curve::Curve;
use mixtures::MIXTURES;
use numbers::grouped;
use outcome::Outcome;

const PICTURE: &str = "images/speed.svg";

/// Numbers of spheres, and the efforts with which each number is packed.
const SERIES: [(usize, &[f64]); 2] = [
    (10_000, &[0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0]),
    (100_000, &[0.0, 0.5, 1.0]),
];

pub fn write(_: &[String]) -> Outcome {
    let mut page = format!(
        "## Packing fraction against time

Written by `cargo run --release -p reports -- speed`.

![Packing fraction against time](../{PICTURE})

Periodic cube, seed 0, one thread. Each point is a separate run with an `--effort` between 0 and 2. Time is the time of the whole
packing run, from placement to the certificate, divided by the number of spheres. Cost grows linearly where the curves of {} and {}
spheres coincide. φ is the packing fraction; no packing has any overlap. The dashed lines are the predictions of Farr & Groot,
J. Chem. Phys. 131, 244104 (2009), for the sample of the line's color. They are accurate to about 0.01 for size ratios up to 10. Times
belong to the machine that wrote this section; φ and sweeps are the same on every machine. [Many threads](#many-threads) predicts the times of
many threads.

The 10 000 spheres of line A16 fill a cube that is hardly wider than the largest sphere, and the free volume in its corners varies by
chance. More effort does not always make these packings denser, and other seeds give other packing fractions:
[Few large spheres](#few-large-spheres) has means of five seeds.
",
        grouped(SERIES[0].0),
        grouped(SERIES[1].0),
    );
    let mut panels = Vec::new();
    for mixture in MIXTURES {
        let curves = SERIES
            .into_iter()
            .map(|(spheres, efforts)| Curve::measure(mixture, spheres, efforts))
            .collect::<Outcome<Vec<_>>>()?;
        page += &format!("\n### {}\n", mixture.title);
        page.extend(curves.iter().map(Curve::describe));
        panels.push((mixture.title, curves));
    }
    page += &scaling::section()?;
    page += &limit::section()?;
    page += &growth::section()?;
    plot::draw(&format!("docs/{PICTURE}"), &panels)?;
    performance::write(page)
}
