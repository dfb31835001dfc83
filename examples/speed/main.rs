//! Measures packing fraction against time and writes `docs/speed.md` with its picture: `cargo run --release --example speed`.
//!
//! One thread; a few minutes on a machine that does nothing else.

mod growth;
mod plot;
mod scaling;

use std::{fmt::Write, fs};

use jostle::{
    Effort, PackOptions, Sampling, SizeSpec, StopReason, pack, predicted_packing_fraction,
};

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

const PAGE: &str = "docs/speed.md";
const PICTURE: &str = "images/speed.svg";

const MIXTURES: [(&str, &str); 4] = [
    ("equal spheres", "mono:d=1"),
    (
        "f(r) ∝ r⁻³, size ratio 10",
        "power-law:exponent=-3,d_min=1,d_max=10",
    ),
    ("Fuller, size ratio 50", "fuller:d_min=1,d_max=50"),
    ("DIN 1045-2 line A16, size ratio 128", "din-a16"),
];
/// Numbers of spheres, and the efforts that each is packed with.
const SERIES: [(usize, &[f64]); 2] = [
    (10_000, &[0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0]),
    (100_000, &[0.0, 0.5, 1.0]),
];

/// One mixture, packed with rising effort.
struct Curve {
    spheres: usize,
    size_ratio: f64,
    /// What Farr & Groot predict for this very sample.
    predicted: f64,
    points: Vec<Point>,
}

struct Point {
    effort: f64,
    packing_fraction: f64,
    sweeps: u64,
    seconds: f64,
}

impl Point {
    /// Microseconds for each sphere.
    fn cost(&self, spheres: usize) -> f64 {
        1e6 * self.seconds / spheres as f64
    }
}

fn main() -> Outcome {
    let mut page = format!(
        "# Packing fraction against time

Written by `cargo run --release --example speed`.

![Packing fraction against time]({PICTURE})

Periodic cube, seed 0, one thread; every point is a run of its own, with an `--effort` between 0 and 2. Time is that of the
whole packing, from placement to the certificate, divided by the number of spheres: where the curves of {} and {}
spheres lie upon each other, cost grows linearly. φ is the packing fraction, and no packing has any overlap. The dashed
lines are the predictions of Farr & Groot, J. Chem. Phys. 131, 244104 (2009), for the very sample of the line's colour; they are good
to about 0.01 for size ratios up to 10. Times belong to the machine that wrote this page, φ and sweeps are the same on every machine.

The 10 000 spheres of line A16 fill a cube hardly wider than the largest of them, and what it leaves free in the corners is a matter of chance:
they pack looser than 100 000 do, and more effort does not always make them denser.
",
        grouped(SERIES[0].0),
        grouped(SERIES[1].0),
    );
    let mut panels = Vec::new();
    for (title, sizes) in MIXTURES {
        let curves = SERIES
            .into_iter()
            .map(|(spheres, efforts)| curve(sizes, spheres, efforts))
            .collect::<Outcome<Vec<_>>>()?;
        write!(page, "\n## {title}\n")?;
        for curve in &curves {
            table(&mut page, curve)?;
        }
        panels.push((title, curves));
    }
    scaling::section(&mut page)?;
    growth::section(&mut page)?;
    plot::draw(&format!("docs/{PICTURE}"), &panels)?;
    fs::write(PAGE, page)?;
    println!("{PAGE} is written");
    Ok(())
}

fn curve(sizes: &str, spheres: usize, efforts: &[f64]) -> Outcome<Curve> {
    let law = SizeSpec::load(sizes)?.distribution;
    let sample = law.sample(spheres, Sampling::Stratified, 0);
    let radii: Vec<f64> = sample.diameters.iter().map(|d| 0.5 * d).collect();
    let points = efforts
        .iter()
        .map(|&effort| point(&radii, effort))
        .collect::<Outcome<_>>()?;
    Ok(Curve {
        spheres,
        size_ratio: sample.report.d_max / sample.report.d_min,
        predicted: predicted_packing_fraction(&radii),
        points,
    })
}

fn point(radii: &[f64], effort: f64) -> Outcome<Point> {
    let options = PackOptions {
        effort: Effort::try_from(effort)?,
        threads: 1,
        ..PackOptions::default()
    };
    let run = pack(radii, &options, &mut ())?;
    let provenance = run.packing.provenance.as_ref();
    let ended = provenance.is_some_and(|p| p.stop == StopReason::Converged);
    if !ended || run.packing.certificate.max_overlap > 0.0 {
        return Err(format!("effort {effort} gave no finished packing").into());
    }
    Ok(Point {
        effort,
        packing_fraction: run.packing.packing_fraction(),
        sweeps: provenance.map_or(0, |p| p.sweeps),
        seconds: run.elapsed.as_secs_f64(),
    })
}

fn table(page: &mut String, curve: &Curve) -> Outcome {
    writeln!(
        page,
        "\n{} spheres, size ratio {:.1}, predicted φ {:.4}:\n
| effort | φ | sweeps | seconds | µs for each sphere |\n|---|---|---|---|---|",
        grouped(curve.spheres),
        curve.size_ratio,
        curve.predicted
    )?;
    for point in &curve.points {
        writeln!(
            page,
            "| {} | {:.4} | {} | {:.2} | {:.0} |",
            point.effort,
            point.packing_fraction,
            point.sweeps,
            point.seconds,
            point.cost(curve.spheres)
        )?;
    }
    Ok(())
}

/// A number with spaces between its thousands.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}
