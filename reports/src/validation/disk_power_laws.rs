//! Disks with power laws of sizes: how the exponent of the structure factor follows the ratio of sizes.

use std::f64::consts::TAU;

use jostle::{Packing, pack};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use rayon::prelude::*;

use super::{
    jammed_disks::{options, radii},
    markdown,
    mean::{Mean, line},
    outcome::Outcome,
    text,
};

/// Exponent D of the number of disks above a radius, f(r) ∝ r^(−D − 1).
const EXPONENT: f64 = 1.5;

/// Ratios of the largest to the smallest radius.
const RATIOS: [f64; 3] = [100.0, 300.0, 1000.0];

const DISKS: usize = 50_000;
const SEEDS: u64 = 3;

/// Number of wave vectors, of random directions and of lengths whose logarithm is uniform.
const WAVES: usize = 1500;

/// Wavelengths are at most this share of the largest diameter, and at least this number of smallest diameters: the curves are straight between.
const LONGEST: f64 = 0.5;
const SHORTEST: f64 = 5.0;

/// Returns the section.
pub fn section() -> Outcome<String> {
    let mut lines = Vec::new();
    for ratio in RATIOS {
        let law = format!(
            "power-law:exponent={},d_min=1,d_max={ratio}",
            -EXPONENT - 1.0
        );
        let radii = radii(&law, DISKS)?;
        let (mut fractions, mut exponents) = (Vec::new(), Vec::new());
        for seed in 1..=SEEDS {
            let packing = pack(&radii[..], &options(0.0)?.seed(seed))?.packing;
            fractions.push(packing.packing_fraction());
            exponents.push(exponent(&packing, ratio));
        }
        let exponent = Mean::of(&exponents);
        lines.push(vec![
            format!("{ratio}"),
            Mean::of(&fractions).describe(),
            format!("{EXPONENT:.2}"),
            format!("{:.2} ± {:.2}", exponent.value, exponent.error),
        ]);
        eprintln!("disks of a power law, ratio {ratio}");
    }
    let header = [
        "size ratio",
        "packing fraction",
        "exponent of the sizes",
        "exponent of S(k)",
    ];
    Ok(text::DISK_POWER_LAWS.to_owned() + &markdown::table(&header, lines))
}

/// Returns the exponent α of S(k) ∝ k^(−α) for disks whose smallest diameter is 1: the slope of ln S over ln k, where S is a mean over ten
/// wave vectors of similar length, since S of one wave vector has an exponential distribution.
fn exponent(packing: &Packing, largest: f64) -> f64 {
    let mut random = Pcg64::seed_from_u64(0);
    let lengths = packing.container().lengths();
    let steps = [TAU / lengths.x, TAU / lengths.y];
    let [shortest, longest] = [TAU / (LONGEST * largest), TAU / SHORTEST];
    let mut waves = Vec::from_iter((0..WAVES).map(|_| {
        let k = shortest * (longest / shortest).powf(random.random::<f64>());
        let (sine, cosine) = (TAU * random.random::<f64>()).sin_cos();
        let [x, y] = [k * cosine / steps[0], k * sine / steps[1]].map(f64::round);
        [x * steps[0], y * steps[1]]
    }));
    let length = |wave: &[f64; 2]| wave[0].hypot(wave[1]);
    waves.sort_by(|a, b| length(a).total_cmp(&length(b)));
    let centers = packing.spheres().centers();
    let structure = |&[x, y]: &[f64; 2]| {
        let phases = centers.iter().map(|center| x * center.x + y * center.y);
        let (sines, cosines) = phases.fold((0.0, 0.0), |(sines, cosines), phase| {
            let (sine, cosine) = phase.sin_cos();
            (sines + sine, cosines + cosine)
        });
        (sines * sines + cosines * cosines) / centers.len() as f64
    };
    let values: Vec<f64> = waves.par_iter().map(structure).collect();
    let groups = waves.chunks(10).zip(values.chunks(10));
    let points = Vec::from_iter(groups.map(|(waves, values)| {
        let count = waves.len() as f64;
        [
            waves.iter().map(|wave| length(wave).ln()).sum::<f64>() / count,
            (values.iter().sum::<f64>() / count).ln(),
        ]
    }));
    let [_, slope] = line(&points);
    -slope
}
