//! Disks: jammed packings, and the start of many disks.

use jostle::{
    Container, Dimension, Effort, PackOptions, Packing, SizeSpec,
    analysis::{Analysis, AnalysisOptions},
    container::ContainerSpec,
    distribution::Sampling,
    glam::DVec3,
    jam::JamGap,
    pack,
    rearrange::{PackError, Start},
};
use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_pcg::Pcg64;
use rayon::prelude::*;

use super::{
    markdown,
    mean::Mean,
    narrow::{moments, titled},
    outcome::Outcome,
    text,
};
use crate::jamming::backbone;

pub const TWO_SIZES: &str = "bidisperse:d_small=1,d_large=1.4,number_small=0.5";

/// Jammed packings: title, sizes, effort and published packing fraction.
const JAMMED: [(&str, &str, f64, &str); 7] = [
    (
        "two sizes, 1 : 1.4, half of the number",
        TWO_SIZES,
        0.0,
        "0.84",
    ),
    (
        "two sizes, 1 : 1.4, half of the number",
        TWO_SIZES,
        1.0,
        "0.84 to 0.853",
    ),
    (
        "uniform, 1 to 2.06",
        "uniform-size:d_min=1,d_max=2.06",
        0.0,
        "0.840",
    ),
    (
        "uniform, 1 to 5.5",
        "uniform-size:d_min=1,d_max=5.5",
        0.0,
        "0.840",
    ),
    (
        "power law, exponent −2.5, 1 to 10",
        "power-law:exponent=-2.5,d_min=1,d_max=10",
        0.0,
        "",
    ),
    ("equal", "mono:d=1", 0.0, ""),
    ("equal", "mono:d=1", 1.0, ""),
];
const DISKS: usize = 1000;
const SEEDS: u64 = 8;

/// Squares of numbers of disks, and efforts, of the table of starts.
const SIDES: [usize; 4] = [50, 100, 200, 400];
const EFFORTS: [f64; 3] = [0.5, 1.0, 2.0];

/// Largest number of disks at the last effort.
const MOST: usize = 40_000;

/// Jammed packings of the same disks in periodic squares.
pub struct JammedDisks {
    pub packings: Vec<Packing>,
}

impl JammedDisks {
    /// Packs and jams the disks once for each seed, and keeps the packings that are jammed.
    pub fn pack(radii: &[f64], effort: f64, seeds: u64) -> Outcome<Self> {
        let options = options(effort)?.jam(JamGap::AUTO);
        let packed = |seed| Ok(pack(radii, &options.clone().seed(seed))?.packing);
        let packings = (1..=seeds).into_par_iter().map(packed);
        let mut packings: Vec<Packing> = packings.collect::<Result<_, PackError>>()?;
        packings.retain(|packing| packing.forces().is_some());
        Ok(Self { packings })
    }

    pub fn fraction(&self) -> Mean {
        let fractions = self.packings.iter().map(Packing::packing_fraction);
        Mean::of(&Vec::from_iter(fractions))
    }

    /// Returns the mean modulus of ψ₆.
    pub fn order(&self) -> Outcome<Mean> {
        let order = |packing| -> Outcome<f64> {
            let analysis = Analysis::new(packing, &AnalysisOptions::default().points(1000))?;
            let hexatic = analysis.hexatic.as_ref();
            Ok(hexatic.map_or(f64::NAN, |order| order.psi6_mean))
        };
        let orders: Vec<f64> = self.packings.iter().map(order).collect::<Outcome<_>>()?;
        Ok(Mean::of(&orders))
    }
}

/// Returns the section about jammed packings.
pub fn section() -> Outcome<String> {
    let mut lines = Vec::new();
    for (title, sizes, effort, published) in JAMMED {
        let radii = radii(sizes, DISKS)?;
        let moments = moments(&radii);
        let jammed = JammedDisks::pack(&radii, effort, SEEDS)?;
        let [contacts, rattlers] = backbone(&jammed.packings)?;
        lines.push(vec![
            titled(title, moments),
            effort.to_string(),
            jammed.packings.len().to_string(),
            published.to_owned(),
            jammed.fraction().describe(),
            contacts.describe(),
            rattlers.describe(),
            jammed.order()?.describe(),
        ]);
        eprintln!("jammed disks, {title}");
    }
    let header = [
        "sizes",
        "effort",
        "jammed packings",
        "published",
        "packing fraction",
        "contacts without rattlers",
        "share of rattlers",
        "mean modulus of ψ₆",
    ];
    Ok(text::JAMMED_DISKS.to_owned() + &markdown::table(&header, lines))
}

/// Returns the section about starts: at random, and with one disk in each cell of a lattice.
pub fn starts() -> Outcome<String> {
    let mut lines = Vec::new();
    for side in SIDES {
        let count = side * side;
        let radii = radii(TWO_SIZES, count)?;
        let mut line = vec![count.to_string()];
        for effort in EFFORTS {
            let random = options(effort)?;
            let in_cells = random.clone().start(Start::new("cells", cells(side)));
            for options in [random, in_cells] {
                line.push(if count > MOST && effort == EFFORTS[2] {
                    String::new()
                } else {
                    format!(
                        "{:.4}",
                        pack(&radii[..], &options)?.packing.packing_fraction()
                    )
                });
            }
        }
        lines.push(line);
        eprintln!("{count} disks");
    }
    let mut header = vec!["disks".to_owned()];
    for effort in EFFORTS {
        header.extend(
            ["random", "one in each cell"].map(|start| format!("effort {effort}, {start}")),
        );
    }
    let header = Vec::from_iter(header.iter().map(String::as_str));
    Ok(text::STARTS_OF_DISKS.to_owned() + &markdown::table(&header, lines))
}

/// Returns a random point in each cell of a square lattice in the unit square, in random order.
fn cells(side: usize) -> Vec<DVec3> {
    let mut random = Pcg64::seed_from_u64(0);
    let mut points = Vec::from_iter((0..side * side).map(|cell| {
        let [x, y] = [cell % side, cell / side]
            .map(|low| (low as f64 + random.random::<f64>()) / side as f64);
        DVec3::new(x, y, 0.0)
    }));
    points.shuffle(&mut random);
    points
}

/// Returns the radii of a stratified sample of disks.
pub fn radii(sizes: &str, count: usize) -> Outcome<Vec<f64>> {
    let spec = SizeSpec::load(sizes)?.in_dimension(Dimension::Two)?;
    Ok(spec.sample_number(count, Sampling::Stratified, 0).radii())
}

/// Returns options for a periodic square.
pub fn options(effort: f64) -> Outcome<PackOptions> {
    let square: ContainerSpec = "rectangle".parse()?;
    let square: Container = square.container(None)?;
    Ok(PackOptions::default()
        .container(square)
        .effort(Effort::try_from(effort)?))
}
