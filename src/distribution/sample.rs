//! Diameters drawn from a distribution.

use std::f64::consts::PI;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, VariantNames};

use super::{
    Basis, SizeDistribution, SizeReport, class_curve::ClassCurve, curve::Curve,
    power_segments::PowerSegments,
};
use crate::names::UnknownName;

/// How far the number curve of a stratified sample in classes may be off, besides one sphere, for a better mass curve.
const NUMBER_ERROR: f64 = 0.01;

/// How the diameters of a sample are chosen.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    Display,
    EnumString,
    VariantNames,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", parse_err_ty = UnknownName, parse_err_fn = unknown_sampling)]
#[non_exhaustive]
pub enum Sampling {
    /// As near to the asked mass curve as the number of spheres allows; the same for every seed.
    ///
    /// Continuous laws give one sphere to each n-th part of the number, with the mean volume of that part: the
    /// sample has n times the law's mean volume, and its mass curve meets the asked one n − 1 times. Laws in classes
    /// round the mass to whole spheres from the largest class down and carry what is left over to the next smaller;
    /// their number curve may be off by one sphere and 1 % where that brings the mass curve nearer.
    #[default]
    Stratified,
    /// Independent draws from the distribution by number: rare large spheres come by luck.
    Random,
}

fn unknown_sampling(name: &str) -> UnknownName {
    UnknownName::new("sampling", name, Sampling::VARIANTS)
}

/// Diameters, and how near they come to what was asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The diameters: rising when stratified, in the order they were drawn when random.
    pub diameters: Vec<f64>,
    /// The asked and the achieved mass curve.
    pub report: SizeReport,
}

impl SizeDistribution {
    /// `n` spheres.
    ///
    /// The seed matters to random sampling only; the same seed gives the same bits on every machine. Time and
    /// memory grow as n, apart from the sorting of random samples for the report.
    pub fn sample(&self, n: usize, sampling: Sampling, seed: u64) -> Sample {
        let diameters = match (sampling, self.curve()) {
            (Sampling::Random, _) => self.draws(seed).take(n).collect(),
            (Sampling::Stratified, Curve::Segments(law)) => law.strata(n),
            (Sampling::Stratified, Curve::Classes(law)) => classes_by_count(law, n),
        };
        self.with_report(diameters)
    }

    /// As many spheres as have the given total volume, at least one.
    ///
    /// A stratified sample meets the volume to within half the smallest sphere, unless that is impossible in the
    /// range of diameters (a volume of less than one sphere, or so few that all would have to be the largest). A
    /// random one is drawn until it does, to within half its last sphere.
    ///
    /// The volume must be finite; about `volume / mean_volume()` spheres come out, which is for the caller to bound.
    pub fn sample_for_volume(&self, volume: f64, sampling: Sampling, seed: u64) -> Sample {
        let cubes = volume * 6.0 / PI;
        let diameters = match (sampling, self.curve()) {
            (Sampling::Random, _) => self.draws_for_cubes(cubes, seed),
            (Sampling::Stratified, Curve::Segments(law)) => strata_for_cubes(law, cubes),
            (Sampling::Stratified, Curve::Classes(law)) => classes_by_cubes(law, cubes),
        };
        self.with_report(diameters)
    }

    fn with_report(&self, diameters: Vec<f64>) -> Sample {
        Sample {
            report: SizeReport::of(self, &diameters),
            diameters,
        }
    }

    fn draws(&self, seed: u64) -> impl Iterator<Item = f64> + '_ {
        let mut generator = Pcg64::seed_from_u64(seed);
        let curve = self.curve();
        std::iter::repeat_with(move || curve.quantile(Basis::Number, generator.random()))
    }

    fn draws_for_cubes(&self, cubes: f64, seed: u64) -> Vec<f64> {
        let mut diameters = Vec::new();
        let mut total = 0.0;
        for diameter in self.draws(seed) {
            let cube = cube(diameter);
            // The last sphere stays out when the total is nearer without it.
            if !diameters.is_empty() && total + 0.5 * cube > cubes {
                break;
            }
            diameters.push(diameter);
            total += cube;
        }
        diameters
    }
}

fn cube(diameter: f64) -> f64 {
    diameter * diameter * diameter
}

/// Strata whose volumes are all scaled alike, by at most one part in 2n, so that their sum is the one asked.
fn strata_for_cubes(law: &PowerSegments, cubes: f64) -> Vec<f64> {
    let n = (cubes / law.raw_moment(3.0)).round().max(1.0) as usize;
    let mut diameters = law.strata(n);
    // What spheres at the ends of the range cannot take is left to the others in the next round.
    for _ in 0..8 {
        let total: f64 = diameters.iter().copied().map(cube).sum();
        if (total - cubes).abs() <= 0.5 * cube(diameters[0]) {
            break;
        }
        let factor = libm::cbrt(cubes / total);
        for diameter in &mut diameters {
            *diameter = (*diameter * factor).clamp(law.d_min(), law.d_max());
        }
    }
    diameters
}

/// Classes with the total Σd³ asked; the number of spheres follows.
fn classes_by_cubes(law: &ClassCurve, cubes: f64) -> Vec<f64> {
    let (mut counts, left) = carry_down(law, cubes, f64::INFINITY);
    counts[0] = (left / cube(law.classes()[0].diameter)).round().max(0.0);
    if counts.iter().all(|count| *count == 0.0) {
        counts[0] = 1.0;
    }
    expand(law, &counts)
}

/// Classes with `n` spheres: of the allotments for several total volumes about the expected one, that whose mass
/// curve comes nearest to the asked one, as long as the number curve stays near as well.
///
/// Where the largest class has few spheres, the mass curve alone would often be met best by one large sphere with
/// nothing but the smallest class beside it.
fn classes_by_count(law: &ClassCurve, n: usize) -> Vec<f64> {
    if n == 0 {
        return Vec::new();
    }
    let n = n as f64;
    let expected = n * law.raw_moment(3.0);
    let largest = cube(law.classes()[law.classes().len() - 1].diameter);
    let step = expected.min(largest) / 32.0;
    let mut best = (f64::INFINITY, Vec::new());
    for i in std::iter::once(0).chain((1..=64).flat_map(|i| [i, -i])) {
        let cubes = (expected + step * f64::from(i)).max(0.0);
        let (mut counts, _) = carry_down(law, cubes, n);
        counts[0] = n - counts.iter().sum::<f64>();
        let number_error = curve_error(law, &counts, Basis::Number) - NUMBER_ERROR - 1.0 / n;
        let error = curve_error(law, &counts, Basis::Mass) + number_error.max(0.0);
        if error < best.0 {
            best = (error, counts);
        }
    }
    expand(law, &best.1)
}

/// Counts of all classes but the smallest, and what is left of `cubes`, the Σd³ asked, for the smallest.
///
/// From the largest class down, each count brings the cubes in all classes so far as near to what is asked there as
/// whole spheres can, within `cubes` and `n` spheres in all.
fn carry_down(law: &ClassCurve, cubes: f64, n: f64) -> (Vec<f64>, f64) {
    let mut counts = vec![0.0; law.classes().len()];
    let (mut asked, mut given, mut spheres) = (0.0, 0.0, 0.0);
    for (class, slot) in law.classes().iter().zip(&mut counts).skip(1).rev() {
        let cube = cube(class.diameter);
        asked += class.mass_share * cubes;
        let nearest = ((asked - given) / cube).round();
        let room = ((cubes - given) / cube).floor().min(n - spheres);
        *slot = nearest.min(room).max(0.0);
        given += *slot * cube;
        spheres += *slot;
    }
    (counts, cubes - given)
}

/// The largest difference between the asked curve and that of the counts.
fn curve_error(law: &ClassCurve, counts: &[f64], basis: Basis) -> f64 {
    let weight = |diameter: f64| match basis {
        Basis::Number => 1.0,
        Basis::Mass => cube(diameter),
    };
    let classes = || law.classes().iter().zip(counts);
    let total: f64 = classes()
        .map(|(class, count)| count * weight(class.diameter))
        .sum();
    let (mut achieved, mut error) = (0.0, 0.0_f64);
    for (class, count) in classes() {
        achieved += count * weight(class.diameter) / total;
        error = error.max((law.cdf(basis, class.diameter) - achieved).abs());
    }
    error
}

fn expand(law: &ClassCurve, counts: &[f64]) -> Vec<f64> {
    law.classes()
        .iter()
        .zip(counts)
        .flat_map(|(class, count)| std::iter::repeat_n(class.diameter, *count as usize))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_down_the_classes_keeps_within_volume_and_count() {
        let law = ClassCurve::new(Basis::Mass, &[(1.0, 0.2), (2.0, 0.3), (3.0, 0.5)]);
        // Of 108 half is due to cubes of 27, and 30 % to cubes of 8.
        assert_eq!(
            carry_down(&law, 108.0, f64::INFINITY),
            (vec![0.0, 4.0, 2.0], 22.0)
        );
        assert_eq!(carry_down(&law, 108.0, 3.0).0, [0.0, 1.0, 2.0]);
        // One cube of 27 is nearer to half of 30 than none; it leaves room for nothing else.
        assert_eq!(
            carry_down(&law, 30.0, f64::INFINITY),
            (vec![0.0, 0.0, 1.0], 3.0)
        );
        // Nor is there room for it in 26.
        assert_eq!(carry_down(&law, 26.0, f64::INFINITY).0, [0.0, 3.0, 0.0]);
    }
}
