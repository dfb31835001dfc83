//! Disks in the plane: packing fractions, order, and linear time.

use jostle::{
    Packing,
    analysis::{Analysis, AnalysisOptions},
    pack,
    rearrange::PackError,
};
use rayon::prelude::*;

use super::{
    jammed_disks::{TWO_SIZES, options, radii},
    markdown,
    mean::Mean,
    narrow::{moments, titled},
    outcome::Outcome,
    text,
};

const DISKS: usize = 10_000;
const SEEDS: u64 = 5;

/// Efforts of the first tables.
const EFFORTS: [f64; 3] = [0.0, 1.0, 2.0];

/// Distributions with a skewness near 0.
const SYMMETRIC: [(&str, &str); 5] = [
    ("two sizes, 1 : 1.4, half of the number", TWO_SIZES),
    ("uniform, 1 to 1.42", "uniform-size:d_min=1,d_max=1.42"),
    ("uniform, 1 to 2.06", "uniform-size:d_min=1,d_max=2.06"),
    ("uniform, 1 to 3.17", "uniform-size:d_min=1,d_max=3.17"),
    ("uniform, 1 to 5.5", "uniform-size:d_min=1,d_max=5.5"),
];

/// Numbers of the last table.
const NUMBERS: [usize; 3] = [10_000, 100_000, 1_000_000];

/// Returns the section.
pub fn section() -> Outcome<String> {
    let mut page = text::DISKS.to_owned();
    page += &by_effort(TWO_SIZES)?;
    page += text::EQUAL_DISKS;
    page += &by_effort("mono:d=1")?;
    page += text::SYMMETRIC_DISKS;
    page += &symmetric()?;
    page += text::MANY_DISKS;
    page += &numbers()?;
    Ok(page)
}

/// Packs a sample once for each seed, all at the same time.
fn packings(sizes: &str, effort: f64) -> Outcome<Vec<Packing>> {
    let (radii, options) = (radii(sizes, DISKS)?, options(effort)?);
    let packed = |seed| Ok(pack(&radii[..], &options.clone().seed(seed))?.packing);
    let seeds = (0..SEEDS).into_par_iter();
    Ok(seeds.map(packed).collect::<Result<_, PackError>>()?)
}

fn by_effort(sizes: &str) -> Outcome<String> {
    let mut lines = Vec::new();
    for effort in EFFORTS {
        let packings = packings(sizes, effort)?;
        let analyze = |packing| Analysis::new(packing, &AnalysisOptions::default().points(1000));
        let analyses: Vec<Analysis> = packings.iter().map(analyze).collect::<Result<_, _>>()?;
        let mean = |value: &dyn Fn(&Analysis) -> f64| {
            Mean::of(&analyses.iter().map(value).collect::<Vec<_>>()).describe()
        };
        let hexatic = |part: fn(&jostle::analysis::HexaticSummary) -> f64| {
            mean(&|analysis| analysis.hexatic.as_ref().map_or(f64::NAN, part))
        };
        lines.push(vec![
            effort.to_string(),
            mean(&|analysis| analysis.packing_fraction),
            hexatic(|order| order.psi6_mean),
            hexatic(|order| order.psi6_global),
        ]);
        eprintln!("disks of {sizes}, effort {effort}");
    }
    let header = [
        "effort",
        "packing fraction",
        "mean modulus of ψ₆",
        "modulus of the mean of ψ₆",
    ];
    Ok(markdown::table(&header, lines))
}

fn symmetric() -> Outcome<String> {
    let mut lines = Vec::new();
    for (title, sizes) in SYMMETRIC {
        let moments = moments(&radii(sizes, DISKS)?);
        let packings = packings(sizes, 1.0)?;
        let fractions: Vec<f64> = packings.iter().map(Packing::packing_fraction).collect();
        let found = Mean::of(&fractions);
        lines.push(vec![
            titled(title, moments),
            "0.840".to_owned(),
            found.describe(),
            format!("{:+.4}", found.value - 0.84),
        ]);
        eprintln!("disks, {title}");
    }
    let header = ["sizes", "Meer & Weeks", "measured", "difference"];
    Ok(markdown::table(&header, lines))
}

fn numbers() -> Outcome<String> {
    let mut lines = Vec::new();
    for number in NUMBERS {
        let (radii, options) = (radii(TWO_SIZES, number)?, options(1.0)?);
        let run = pack(radii, &options)?;
        let seconds = run.elapsed.as_secs_f64();
        let account = run.packing.provenance.as_ref();
        let relocations = account.map_or(f64::NAN, |run| run.relocations as f64);
        lines.push(vec![
            number.to_string(),
            format!("{:.4}", run.packing.packing_fraction()),
            format!("{:.0}", relocations / number as f64),
            format!("{seconds:.1}"),
            format!("{:.1}", 1e6 * seconds / number as f64),
        ]);
        eprintln!("{number} disks");
    }
    let header = [
        "disks",
        "packing fraction",
        "relocations of a disk",
        "time [s]",
        "time of a disk [µs]",
    ];
    Ok(markdown::table(&header, lines))
}
