//! Time per sphere, by the number of spheres and by the size ratio.

use std::time::Instant;

use jostle::{Boundary, Container, pour::PourOptions};

use super::{outcome::Outcome, pour::poured};
use crate::sample::radii;

/// Diameter of the cylinder in diameters of equal spheres.
pub const RATIO: f64 = 40.0;

/// Numbers of equal spheres.
const NUMBERS: [usize; 3] = [10_000, 100_000, 1_000_000];

/// Laws of mixtures: a name, the law, and the size ratio.
const LAWS: [(&str, &str, f64); 4] = [
    ("diameters 1 to 5", "uniform-volume:d_min=1,d_max=5", 5.0),
    ("diameters 1 to 20", "uniform-volume:d_min=1,d_max=20", 20.0),
    ("diameters 1 to 50", "uniform-volume:d_min=1,d_max=50", 50.0),
    ("Fuller curve, 1 to 50", "fuller:d_min=1,d_max=50", 50.0),
];

/// Number of spheres of a mixture.
pub const MIXTURE: usize = 100_000;

/// A timed deposition.
pub struct Row {
    pub what: String,
    pub spheres: usize,
    pub seconds: f64,
}

/// Times all depositions.
pub fn measure() -> Outcome<Vec<Row>> {
    let mut rows = Vec::new();
    for number in NUMBERS {
        rows.push(timed("equal spheres", vec![0.5; number], RATIO)?);
    }
    for (name, law, ratio) in LAWS {
        let radii = radii(law, MIXTURE)?;
        // As wide as the cylinder of as many equal spheres of the same volume.
        let volume: f64 = radii.iter().map(|radius| (2.0 * radius).powi(3)).sum();
        let width = RATIO * (volume / MIXTURE as f64).cbrt();
        let width = width.max(4.0 * ratio);
        rows.push(timed(name, radii, width)?);
    }
    Ok(rows)
}

fn timed(what: &str, radii: Vec<f64>, diameter: f64) -> Outcome<Row> {
    let spheres = radii.len();
    let volume: f64 = radii.iter().map(|radius| (2.0 * radius).powi(3)).sum();
    // The bed takes two thirds of the height.
    let height = 2.0 * volume / diameter.powi(2) + 10.0;
    let container = Container::cylinder(diameter, height, Boundary::Wall)?;
    let start = Instant::now();
    poured(radii, &container, PourOptions::default())?;
    let seconds = start.elapsed().as_secs_f64();
    eprintln!("{what}: {spheres} spheres in {seconds:.2} s");
    Ok(Row {
        what: what.to_owned(),
        spheres,
        seconds,
    })
}
