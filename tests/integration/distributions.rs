//! The size distributions against independent computations: closed forms, quadrature, statistics.

use std::{
    collections::BTreeSet,
    fmt::{Debug, Display},
    fs,
    path::Path,
    str::FromStr,
};

use jostle::{
    SizeSpec, UnknownName,
    distribution::{
        Andreasen, Basis, Bidisperse, DEFAULT_PRESET, FirstClass, Fuller, Interpolation, Lognormal,
        Mono, PowerLaw, RosinRammler, Sample, Sampling, SieveCurve, SizeClasses, SizeDistribution,
        SizeReport, SizeSource, UniformSize, UniformVolume,
    },
};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, LogNormal, Pareto, Uniform, Weibull};
use rand_pcg::Pcg64;
use serde::{Serialize, de::DeserializeOwned};
use strum::VariantArray;

/// A number density per ln d, as a function of ln d. Its factor is arbitrary.
type LogDensity = fn(f64) -> f64;

/// Inline laws of every continuous kind, with their number densities.
const CONTINUOUS: [(&str, LogDensity); 12] = [
    ("power-law:exponent=-1,d_min=1,d_max=10", |_| 1.0),
    ("power-law:exponent=-4,d_min=1,d_max=10", |x| {
        (-3.0 * x).exp()
    }),
    ("power-law:exponent=2.5,d_min=0.1,d_max=3", |x| {
        (3.5 * x).exp()
    }),
    ("uniform-size:d_min=2,d_max=5", |x| x.exp()),
    ("uniform-volume:d_min=1,d_max=50", |x| (-2.0 * x).exp()),
    ("fuller:d_min=1,d_max=16", |x| (-2.5 * x).exp()),
    ("andreasen:q=0.37,d_min=0.5,d_max=20", |x| (-2.63 * x).exp()),
    ("rosin-rammler:d_prime=18,n=0.9,d_min=1,d_max=90", |x| {
        let t = (x.exp() / 18.0).powf(0.9);
        t * (-t).exp() * (-3.0 * x).exp()
    }),
    ("lognormal:d50=1,sigma=0.4,d_min=0.3,d_max=6", |x| {
        (-0.5 * (x / 0.4).powi(2)).exp()
    }),
    ("normal:mean=2,sd=0.4", |x| {
        (x - 0.5 * ((x.exp() - 2.0) / 0.4).powi(2)).exp()
    }),
    ("normal:mean=2,sd=1,by=mass,d_min=0.2,d_max=6", |x| {
        (-2.0 * x - 0.5 * (x.exp() - 2.0).powi(2)).exp()
    }),
    ("normal:mean=2,sd=8,d_min=0.01,d_max=30", |x| {
        (x - 0.5 * ((x.exp() - 2.0) / 8.0).powi(2)).exp()
    }),
];

/// Inline laws of every kind in classes.
const IN_CLASSES: [&str; 5] = [
    "mono:d=1.5",
    "bidisperse:d_small=1,d_large=4,mass_small=0.25",
    "fuller:d_min=1,d_max=16,classes=12",
    "fuller:d_min=1,d_max=16,n=0.45,classes=30,first_class=all-below",
    "bidisperse:d_small=1,d_large=4,number_small=0.9",
];

fn law(text: &str) -> SizeDistribution {
    SizeSpec::load(text)
        .unwrap_or_else(|error| panic!("{error}"))
        .distribution
}

fn sieves() -> SizeDistribution {
    let passing = vec![
        [0.5, 0.0],
        [1.0, 20.0],
        [2.0, 20.0],
        [4.0, 55.0],
        [8.0, 100.0],
    ];
    SizeDistribution::Sieve(SieveCurve::new(passing, Interpolation::Linear).unwrap())
}

/// Returns `∫ density(x) e^(power x) dx` between two diameters by Simpson's rule in x = ln d.
fn integral(density: LogDensity, power: f64, low: f64, high: f64) -> f64 {
    let steps = 4000;
    let width = (high / low).ln() / f64::from(steps);
    let sum: f64 = (0..=steps)
        .map(|i| {
            let x = low.ln() + width * f64::from(i);
            let weight = if i == 0 || i == steps {
                1.0
            } else {
                f64::from(2 + 2 * (i % 2))
            };
            weight * density(x) * (power * x).exp()
        })
        .sum();
    sum * width / 3.0
}

#[test]
fn continuous_laws_agree_with_quadrature() {
    for (text, density) in CONTINUOUS {
        let law = law(text);
        let (d_min, d_max) = (law.d_min(), law.d_max());
        for i in 1..8 {
            let d = d_min * (d_max / d_min).powf(f64::from(i) / 8.0);
            for (power, cdf) in [(0.0, law.number_cdf(d)), (3.0, law.mass_cdf(d))] {
                let expected =
                    integral(density, power, d_min, d) / integral(density, power, d_min, d_max);
                assert!(
                    (cdf - expected).abs() < 1e-9,
                    "{text} at {d}: {cdf} {expected}"
                );
            }
        }
        for k in 1..=6 {
            let expected = integral(density, f64::from(k), d_min, d_max)
                / integral(density, 0.0, d_min, d_max);
            let ratio = law.raw_moment(k) / expected;
            assert!((ratio - 1.0).abs() < 1e-9, "{text} moment {k}: {ratio}");
        }
    }
}

#[test]
fn mass_curves_follow_their_formulas() {
    let curve = |d: f64, low: f64, high: f64, n: f64| {
        (d.powf(n) - low.powf(n)) / (high.powf(n) - low.powf(n))
    };
    let residue = |d: f64| (-(d / 18f64).powf(0.9)).exp();
    let (fuller, andreasen) = (law(CONTINUOUS[5].0), law(CONTINUOUS[6].0));
    let rosin_rammler = law(CONTINUOUS[7].0);
    for d in [1.5, 3.0, 7.7, 12.0] {
        assert!((fuller.mass_cdf(d) - curve(d, 1.0, 16.0, 0.5)).abs() < 1e-14);
        assert!((andreasen.mass_cdf(d) - curve(d, 0.5, 20.0, 0.37)).abs() < 1e-14);
        let expected = (residue(1.0) - residue(d)) / (residue(1.0) - residue(90.0));
        assert!((rosin_rammler.mass_cdf(d) - expected).abs() < 1e-11, "{d}");
    }
    let classes = law(IN_CLASSES[2]);
    for class in classes.classes().unwrap() {
        // The curve at the class, less the curve one class step below the first class.
        let below = (1.0 / 16f64.powf(1.0 / 11.0) / 16.0).sqrt();
        let expected = ((class.diameter / 16.0).sqrt() - below) / (1.0 - below);
        assert!((classes.mass_cdf(class.diameter) - expected).abs() < 1e-13);
    }
    let literal = law(IN_CLASSES[3]);
    for class in literal.classes().unwrap() {
        let expected = (class.diameter / 16.0).powf(0.45);
        assert!((literal.mass_cdf(class.diameter) - expected).abs() < 1e-13);
    }
}

#[test]
fn one_law_by_several_names() {
    let fuller = SizeDistribution::Fuller(Fuller::new(1.0, 30.0, 0.5).unwrap());
    let andreasen = SizeDistribution::Andreasen(Andreasen::new(0.5, 1.0, 30.0).unwrap());
    let power = SizeDistribution::PowerLaw(PowerLaw::new(-3.5, 1.0, 30.0).unwrap());
    for u in [0.1, 0.5, 0.99] {
        assert_eq!(fuller.number_quantile(u), andreasen.number_quantile(u));
        assert_eq!(fuller.number_quantile(u), power.number_quantile(u));
    }
    let fine = Fuller::in_classes(1.0, 30.0, 0.5, 5000, FirstClass::Increment).unwrap();
    let fine = SizeDistribution::Fuller(fine);
    for d in [2.0, 5.0, 20.0] {
        assert!((fine.mass_cdf(d) - fuller.mass_cdf(d)).abs() < 1e-3);
        assert!((fine.number_cdf(d) - fuller.number_cdf(d)).abs() < 3e-3);
    }
}

#[test]
fn lognormal_medians_differ_by_three_sigma_squared() {
    let sigma = 0.4_f64;
    let by_number = Lognormal::new(1.0, sigma, Basis::Number)
        .unwrap()
        .truncated(1e-3, 1e3)
        .unwrap();
    let mass_median = (3.0 * sigma * sigma).exp();
    let by_mass = Lognormal::new(mass_median, sigma, Basis::Mass)
        .unwrap()
        .truncated(1e-3, 1e3)
        .unwrap();
    for law in [
        SizeDistribution::Lognormal(by_number),
        SizeDistribution::Lognormal(by_mass),
    ] {
        assert!((law.number_quantile(0.5) - 1.0).abs() < 1e-6);
        assert!((law.mass_quantile(0.5) / mass_median - 1.0).abs() < 1e-6);
        for k in 1..=3 {
            let exact = (0.5 * f64::from(k * k) * sigma * sigma).exp();
            assert!((law.raw_moment(k) / exact - 1.0).abs() < 1e-9, "moment {k}");
        }
    }

    let quantiles = law("lognormal:d10=0.5,d50=1,d90=2,by=mass,d_min=0.001,d_max=100");
    for (u, d) in [(0.1, 0.5), (0.5, 1.0), (0.9, 2.0)] {
        assert!(
            (quantiles.mass_quantile(u) - d).abs() < 1e-6,
            "D{u}: {}",
            quantiles.mass_quantile(u)
        );
    }

    // A law without bounds loses 0.1 % of the number below and 0.1 % of the mass above.
    let cut = law("lognormal:d50=1,sigma=0.4");
    let whole = law("lognormal:d50=1,sigma=0.4,d_min=0.001,d_max=1000");
    assert!((whole.number_cdf(cut.d_min()) - 1e-3).abs() < 1e-9);
    assert!((whole.mass_cdf(cut.d_max()) - 0.999).abs() < 1e-9);
}

/// Returns the limit of the Kolmogorov–Smirnov distance of `n` draws at a level of 1 %.
fn kolmogorov_limit(n: usize) -> f64 {
    1.63 / (n as f64).sqrt()
}

/// Returns `n` draws, rising.
fn sorted_draws(law: impl Distribution<f64>, n: usize, seed: u64) -> Vec<f64> {
    let generator = Pcg64::seed_from_u64(seed);
    let mut draws: Vec<f64> = law.sample_iter(generator).take(n).collect();
    draws.sort_by(f64::total_cmp);
    draws
}

#[test]
fn draws_follow_the_number_curve() {
    let n = 20_000;
    let texts = CONTINUOUS.iter().map(|(text, _)| *text).chain(IN_CLASSES);
    for (seed, text) in texts.enumerate() {
        let law = law(text);
        let draws = sorted_draws(&law, n, seed as u64);
        // Draws of one class make one step of the curve.
        let mut below = 0;
        for step in draws.chunk_by(|a, b| a == b) {
            let after = below + step.len();
            let curve_after = law.number_cdf(step[0]);
            let curve_before = match law.classes() {
                Some(_) => law.number_cdf(step[0].next_down()),
                None => curve_after,
            };
            let distance = (curve_before - below as f64 / n as f64)
                .abs()
                .max((curve_after - after as f64 / n as f64).abs());
            assert!(
                distance < kolmogorov_limit(n),
                "{text}: {distance} at {}",
                step[0]
            );
            below = after;
        }
    }
}

#[test]
fn draws_agree_with_the_samplers_of_rand_distr() {
    let n = 20_000;
    let check = |law: SizeDistribution, other: Vec<f64>| {
        let draws = sorted_draws(&law, n, 1);
        assert_eq!(other.len(), n);
        // Two samples of n: the limit is that of n/2 draws against a curve.
        let distance = draws
            .iter()
            .enumerate()
            .map(|(i, d)| (i as f64 - other.partition_point(|o| o < d) as f64).abs() / n as f64)
            .fold(0.0, f64::max);
        assert!(distance < kolmogorov_limit(n / 2), "{law:?}: {distance}");
    };
    let sorted = |draws: &mut dyn Iterator<Item = f64>| {
        let mut draws: Vec<f64> = draws.take(n).collect();
        draws.sort_by(f64::total_cmp);
        draws
    };
    let generator = || Pcg64::seed_from_u64(2);

    let uniform = Uniform::new(2.0, 5.0).unwrap();
    check(
        UniformSize::new(2.0, 5.0).unwrap().into(),
        sorted(&mut uniform.sample_iter(generator())),
    );
    // The number density of the Fuller curve is ∝ d^−3.5.
    let pareto = Pareto::new(1.0, 2.5).unwrap();
    check(
        Fuller::new(1.0, 16.0, 0.5).unwrap().into(),
        sorted(&mut pareto.sample_iter(generator()).filter(|d| *d < 16.0)),
    );
    let lognormal = LogNormal::new(0.0, 0.4).unwrap();
    check(
        law("lognormal:d50=1,sigma=0.4,d_min=0.3,d_max=6"),
        sorted(
            &mut lognormal
                .sample_iter(generator())
                .filter(|d| (0.3..6.0).contains(d)),
        ),
    );
    // The Weibull law gives the mass. A weight of 1/d³ makes it a number.
    let weibull = Weibull::new(18.0, 0.9).unwrap();
    let mut acceptance = Pcg64::seed_from_u64(3);
    check(
        RosinRammler::new(18.0, 0.9, 1.0, 90.0).unwrap().into(),
        sorted(
            &mut weibull.sample_iter(generator()).filter(|d: &f64| {
                (1.0..90.0).contains(d) && acceptance.random::<f64>() < d.powi(-3)
            }),
        ),
    );
}

#[test]
fn every_law_draws_and_converts() {
    fn check<L: Distribution<f64> + Into<SizeDistribution> + Clone>(name: &str, law: L) {
        let generator = || Pcg64::seed_from_u64(7);
        let draws: Vec<f64> = law.clone().sample_iter(generator()).take(20).collect();
        let distribution: SizeDistribution = law.into();
        let sample = distribution.sample_number(20, Sampling::Random, 7);
        assert_eq!(sample.diameters, draws, "{name}");
        let again: Vec<f64> = (&distribution).sample_iter(generator()).take(20).collect();
        assert_eq!(again, draws, "{name}");
        assert!(sample.diameters.iter().all(|d| (1.0..=8.0).contains(d)));
        let json = serde_json::to_value(&distribution).unwrap();
        assert!(json.get(name).is_some(), "{name}: {json}");
    }
    check("mono", Mono::new(1.5).unwrap());
    check("bidisperse", Bidisperse::new(1.0, 2.0, 0.2).unwrap());
    check("power-law", PowerLaw::new(-2.0, 1.0, 8.0).unwrap());
    check("uniform-size", UniformSize::new(1.0, 8.0).unwrap());
    check("uniform-volume", UniformVolume::new(1.0, 8.0).unwrap());
    check("fuller", Fuller::new(1.0, 8.0, 0.5).unwrap());
    check("andreasen", Andreasen::new(0.3, 1.0, 8.0).unwrap());
    check(
        "rosin-rammler",
        RosinRammler::new(4.0, 1.0, 1.0, 8.0).unwrap(),
    );
    let lognormal = Lognormal::new(3.0, 0.5, Basis::Number).unwrap();
    check("lognormal", lognormal.truncated(1.0, 8.0).unwrap());
    let passing = vec![[1.0, 0.0], [3.0, 40.0], [8.0, 100.0]];
    check(
        "sieve",
        SieveCurve::new(passing, Interpolation::Log).unwrap(),
    );
    let shares = vec![[1.0, 0.5], [3.0, 0.5]];
    check("classes", SizeClasses::new(Basis::Mass, shares).unwrap());
}

#[test]
fn radii_are_half_the_diameters() {
    for sampling in [Sampling::Stratified, Sampling::Random] {
        let sample = law("concrete").sample_number(500, sampling, 3);
        let radii = sample.radii();
        assert_eq!(radii.len(), 500);
        let doubled: Vec<f64> = radii.iter().map(|radius| radius + radius).collect();
        assert_eq!(doubled, sample.diameters);
    }
}

#[test]
fn a_sample_knows_its_origin() {
    let spec = SizeSpec::load("concrete").unwrap();
    for sampling in [Sampling::Stratified, Sampling::Random] {
        let by_number = spec.sample_number(300, sampling, 11);
        let by_volume = spec.sample_volume(4e3, sampling, 11).unwrap();
        for sample in [&by_number, &by_volume] {
            let report = SizeReport::of(&spec.distribution, &sample.diameters);
            assert_eq!(sample.report().mass_curve, report.mass_curve);
            assert_eq!(sample.report().mass_curve_error, report.mass_curve_error);
            let own = sample.report().clone();
            let mut expected = SizeSource::new("concrete", "mm", sampling, 11, own);
            expected.volume = sample.source.volume;
            assert_eq!(sample.source, expected);
            let json = serde_json::to_string(&sample.source).unwrap();
            let back: SizeSource = serde_json::from_str(&json).unwrap();
            assert_eq!(back, expected);
        }
        let bare = spec.distribution.sample_number(300, sampling, 11);
        assert_eq!(bare.diameters, by_number.diameters);
        assert_eq!((&*bare.source.name, &*bare.source.unit), ("", ""));
    }
    let own = SizeSpec::new("gravel", "cm", "own measurement", Mono::new(2.0).unwrap());
    let sample = own.sample_number(1, Sampling::Stratified, 0);
    assert_eq!(
        (&*sample.source.name, &*sample.source.unit),
        ("gravel", "cm")
    );
}

#[test]
fn impossible_volumes_are_refused() {
    let concrete = law("concrete");
    let wide = law("bidisperse:d_small=1e-60,d_large=1e60,mass_small=0.5");
    for sampling in [Sampling::Stratified, Sampling::Random] {
        for volume in [f64::NAN, f64::INFINITY, -1.0] {
            let error = concrete.sample_volume(volume, sampling, 0).unwrap_err();
            assert!(
                error.to_string().contains("is not a finite number"),
                "{error}"
            );
        }
        for (law, volume) in [(&concrete, 1e300), (&wide, 1e150)] {
            let error = law.sample_volume(volume, sampling, 0).unwrap_err();
            assert!(
                error.to_string().contains("a sample has at most"),
                "{error}"
            );
        }
    }
    // Less than half a large sphere: the small spheres alone would make up the volume.
    let few = law("bidisperse:d_small=1,d_large=1e6,mass_small=1e-12");
    let error = (few.sample_volume(1e17, Sampling::Stratified, 0)).unwrap_err();
    assert!(
        error.to_string().contains("a sample has at most"),
        "{error}"
    );
    // One draw in 10⁵⁷ gives a sphere of the size that has most of the mass.
    let rare = law("rosin-rammler:d_prime=18,n=0.9,d_min=1e-19,d_max=90000");
    let volume = 20.0 * rare.mean_volume();
    let error = rare
        .sample_volume(volume, Sampling::Random, 0)
        .unwrap_err()
        .to_string();
    for words in ["1000000 random draws", "about 20 spheres", "stratified"] {
        assert!(error.contains(words), "{error}");
    }
    let sample = rare.sample_volume(volume, Sampling::Stratified, 0);
    assert_eq!(sample.unwrap().diameters.len(), 20);
}

#[test]
fn random_samples_follow_the_law() {
    let n = 20_000;
    let limit = kolmogorov_limit(n);
    let laws = CONTINUOUS
        .iter()
        .map(|(text, density)| (law(text), *density, text));
    for (law, density, text) in laws {
        let mut sample = law.sample_number(n, Sampling::Random, 1).diameters;
        sample.sort_by(f64::total_cmp);
        let (d_min, d_max) = (law.d_min(), law.d_max());
        let whole = integral(density, 0.0, d_min, d_max);
        // The independent curve at every hundredth sphere. Between two of them it rises by far less than the limit.
        for i in (0..n).step_by(100) {
            let expected = integral(density, 0.0, d_min, sample[i]) / whole;
            let distance = (expected - (i as f64 + 0.5) / n as f64).abs();
            assert!(distance < limit, "{text}: {distance} at {}", sample[i]);
        }
    }

    let sieves = sieves();
    let sample = sieves.sample_number(n, Sampling::Random, 1).diameters;
    // Linear between sieves: number per mass is (1/a² − 1/b²) / (2 (b − a)) on (a, b).
    let weight =
        |mass: f64, a: f64, b: f64| mass * (1.0 / (a * a) - 1.0 / (b * b)) / (2.0 * (b - a));
    let bins = [(0.20, 0.5, 1.0), (0.35, 2.0, 4.0), (0.45, 4.0, 8.0)];
    let whole: f64 = bins.iter().map(|(mass, a, b)| weight(*mass, *a, *b)).sum();
    let mut chi_square = 0.0;
    for (mass, a, b) in bins {
        let expected = n as f64 * weight(mass, a, b) / whole;
        let seen = sample.iter().filter(|&d| (a..=b).contains(d)).count() as f64;
        chi_square += (seen - expected).powi(2) / expected;
    }
    assert!(
        chi_square < 9.21,
        "two degrees of freedom, 1 %: {chi_square}"
    );
}

#[test]
fn random_classes_have_their_expected_frequency() {
    let n = 50_000;
    // Number shares from the mass shares of the definition, weighted by 1/d³.
    let large = 0.75 / 64.0;
    let sample = law(IN_CLASSES[1])
        .sample_number(n, Sampling::Random, 3)
        .diameters;
    let seen = sample.iter().filter(|d| **d == 4.0).count() as f64;
    let share = large / (0.25 + large);
    let spread = (n as f64 * share * (1.0 - share)).sqrt();
    assert!((seen - n as f64 * share).abs() < 2.6 * spread, "{seen}");

    let step = 16f64.powf(1.0 / 11.0);
    let diameters: Vec<f64> = (0..12).map(|i| step.powi(i)).collect();
    let weights: Vec<f64> = diameters
        .iter()
        .map(|d| (d.sqrt() - (d / step).sqrt()) / d.powi(3))
        .collect();
    let sample = law(IN_CLASSES[2])
        .sample_number(n, Sampling::Random, 3)
        .diameters;
    let mut chi_square = 0.0;
    for (d, weight) in diameters.iter().zip(&weights) {
        let expected = n as f64 * weight / weights.iter().sum::<f64>();
        let seen = sample
            .iter()
            .filter(|s| (*s / d - 1.0).abs() < 1e-9)
            .count() as f64;
        chi_square += (seen - expected).powi(2) / expected;
    }
    assert!(
        chi_square < 24.7,
        "eleven degrees of freedom, 1 %: {chi_square}"
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn the_first_random_values_of_a_seed_never_change() {
    let cases: [(&str, [f64; 3]); 11] = [
        ("mono:d=1.5", [1.5, 1.5, 1.5]),
        (
            "bidisperse:d_small=1,d_large=4,mass_small=0.02",
            [1.0, 1.0, 4.0],
        ),
        (
            "power-law:exponent=-1,d_min=1,d_max=10",
            [1.8715229718270066, 3.373036160022983, 3.846312715346541],
        ),
        (
            "power-law:exponent=-3,d_min=1,d_max=10",
            [1.1699893987417866, 1.4475142227168838, 1.5415553148829],
        ),
        (
            "uniform-size:d_min=2,d_max=5",
            [2.816585486565824, 3.5840629909683783, 3.7551337718668076],
        ),
        (
            "uniform-volume:d_min=1,d_max=50",
            [1.1720875385708214, 1.455263075452283, 1.551946897873176],
        ),
        (
            "fuller:d_min=1,d_max=16",
            [1.1353521574026866, 1.349712414151229, 1.4208898386839268],
        ),
        (
            "fuller:d_min=1,d_max=16,classes=12",
            [1.0, 1.2866648980094317, 1.2866648980094317],
        ),
        (
            "andreasen:q=0.37,d_min=0.5,d_max=20",
            [0.564198632615173, 0.6651850433260139, 0.6985578324272903],
        ),
        (
            "rosin-rammler:d_prime=18,n=0.9,d_min=1,d_max=90",
            [1.1541561464855088, 1.4010498621716874, 1.483600269211098],
        ),
        (
            "lognormal:d50=1,sigma=0.4",
            [0.785369050252616, 1.0290006764676711, 1.0901843781208862],
        ),
    ];
    for (text, expected) in cases {
        let sample = law(text).sample_number(3, Sampling::Random, 2024).diameters;
        assert_eq!(sample, expected, "{text}");
    }
    let shares = vec![[1.0, 0.3], [2.0, 0.25], [3.0, 0.45]];
    let classes = SizeDistribution::Classes(SizeClasses::new(Basis::Number, shares).unwrap());
    for (law, expected) in [
        (
            sieves(),
            [0.5627668312437359, 0.650165158278854, 0.6758668086623432],
        ),
        (classes, [1.0, 2.0, 3.0]),
    ] {
        assert_eq!(
            law.sample_number(3, Sampling::Random, 2024).diameters,
            expected
        );
    }
}

#[test]
fn stratified_samples_are_nearer_than_random_ones_and_improve_with_their_number() {
    let random_error = |law: &SizeDistribution, n| {
        let errors = (0..5).map(|seed| {
            law.sample_number(n, Sampling::Random, seed)
                .report()
                .mass_curve_error
        });
        errors.sum::<f64>() / 5.0
    };
    let laws = CONTINUOUS.iter().map(|(text, _)| (*text, law(text)));
    let laws = laws.chain(IN_CLASSES[1..].iter().map(|text| (*text, law(text))));
    for (text, law) in laws.chain([("sieves", sieves())]) {
        let error = |n| {
            let sample = law.sample_number(n, Sampling::Stratified, 0);
            assert_eq!(sample.diameters.len(), n, "{text}");
            assert!(sample.diameters.is_sorted(), "{text}");
            assert!(
                sample.diameters[0] >= law.d_min() && sample.diameters[n - 1] <= law.d_max(),
                "{text}"
            );
            sample.report().mass_curve_error
        };
        let (few, many) = (error(300), error(20_000));
        assert!(
            many < (0.5 * few).max(1e-12),
            "{text}: {few} with 300, {many} with 20 000"
        );
        let random = random_error(&law, 20_000);
        assert!(
            many < 0.5 * random,
            "{text}: {many} stratified, {random} random"
        );
    }
}

#[test]
fn strata_of_mean_volume_beat_the_middle_of_the_strata() {
    for text in ["concrete", "cement", "din-b16", "lognormal:d50=1,sigma=0.8"] {
        let law = law(text);
        let n = 2000;
        let middle: Vec<f64> = (0..n)
            .map(|i| law.number_quantile((i as f64 + 0.5) / n as f64))
            .collect();
        let middle = SizeReport::of(&law, &middle).mass_curve_error;
        let sample = law.sample_number(n, Sampling::Stratified, 0);
        assert!(sample.report().mass_curve_error < middle, "{text}");
        let mean: f64 = sample.diameters.iter().map(|d| d.powi(3)).sum::<f64>() / n as f64;
        assert!(
            (mean / law.raw_moment(3) - 1.0).abs() < 1e-9,
            "{text}: {mean}"
        );
    }
}

#[test]
fn classes_are_no_worse_than_largest_remainder_by_number() {
    for text in [
        "fuller-2011",
        "fuller:d_min=1,d_max=16,classes=20",
        IN_CLASSES[1],
    ] {
        let law = law(text);
        for n in [100, 1000, 10_000] {
            let classes = law.classes().unwrap();
            let exact: Vec<f64> = classes
                .iter()
                .map(|class| class.number_share * n as f64)
                .collect();
            let mut counts: Vec<usize> = exact.iter().map(|count| *count as usize).collect();
            let mut order: Vec<usize> = (0..counts.len()).collect();
            order.sort_by(|a, b| exact[*b].fract().total_cmp(&exact[*a].fract()));
            let left = n - counts.iter().sum::<usize>();
            order.iter().take(left).for_each(|i| counts[*i] += 1);
            let spheres: Vec<f64> = (classes.iter().zip(counts))
                .flat_map(|(class, count)| vec![class.diameter; count])
                .collect();
            let remainder = SizeReport::of(&law, &spheres).mass_curve_error;
            let sample = law.sample_number(n, Sampling::Stratified, 0);
            assert_eq!(sample.diameters.len(), n);
            assert!(
                sample.report().mass_curve_error <= remainder + 1e-12,
                "{text} {n}"
            );
        }
    }
}

#[test]
fn every_number_is_met() {
    let shares = vec![[1.0, 0.02], [2.0, 0.03], [2.1, 0.95]];
    let classes = SizeClasses::new(Basis::Number, shares).unwrap();
    let laws = IN_CLASSES.map(law).into_iter();
    for law in laws.chain([SizeDistribution::Classes(classes), law("cement"), sieves()]) {
        for n in (0..20).chain([29, 30, 31, 59]) {
            for sampling in [Sampling::Stratified, Sampling::Random] {
                assert_eq!(
                    law.sample_number(n, sampling, 0).diameters.len(),
                    n,
                    "{law:?}"
                );
            }
        }
    }
}

#[test]
fn a_volume_is_met_to_within_half_a_sphere() {
    let sphere = |d: f64| std::f64::consts::PI / 6.0 * d.powi(3);
    let laws = CONTINUOUS
        .iter()
        .map(|(text, _)| law(text))
        .chain(IN_CLASSES.map(law));
    for law in laws {
        for count in [40.0, 777.3] {
            let volume = count * law.mean_volume();
            let total = |sampling| -> f64 {
                let sample = law.sample_volume(volume, sampling, 5).unwrap();
                sample.diameters.iter().copied().map(sphere).sum()
            };
            let off = (total(Sampling::Stratified) - volume).abs();
            assert!(off <= 0.5001 * sphere(law.d_min()), "{law:?}: {off}");
            let off = (total(Sampling::Random) - volume).abs();
            assert!(off <= 0.5001 * sphere(law.d_max()));
        }
        for sampling in [Sampling::Stratified, Sampling::Random] {
            assert_eq!(
                law.sample_volume(0.0, sampling, 1).unwrap().diameters.len(),
                1
            );
        }
    }
}

#[test]
fn the_widest_and_the_narrowest_laws_hold() {
    for text in [
        "rosin-rammler:d_prime=1,n=0.05,d_min=1e-60,d_max=1e60",
        "rosin-rammler:d_prime=1,n=50,d_min=1e-60,d_max=1e60",
        "lognormal:d50=1,sigma=3",
        "lognormal:d50=1,sigma=0.000001",
        "lognormal:d50=1,sigma=0.01,d_min=1e-60,d_max=1e60",
        "bidisperse:d_small=1e-60,d_large=1e60,mass_small=0.5",
        "fuller:d_min=1e-60,d_max=1e60,classes=1000",
        "uniform-size:d_min=1,d_max=1.0000000000000002",
        "power-law:exponent=100,d_min=1e-60,d_max=1e60",
    ] {
        let law = law(text);
        for sampling in [Sampling::Stratified, Sampling::Random] {
            let sample = law.sample_number(50, sampling, 1);
            assert!(
                sample
                    .diameters
                    .iter()
                    .all(|d| (law.d_min()..=law.d_max()).contains(d)),
                "{text}"
            );
            assert!(
                (0.0..=1.0).contains(&sample.report().mass_curve_error),
                "{text}"
            );
        }
        assert!(
            law.mean_volume() > 0.0 && law.mean_volume().is_finite(),
            "{text}"
        );
        assert!(law.spheres_for_largest(1) >= 1, "{text}");
    }
}

#[test]
fn the_report_measures_the_largest_difference() {
    // One sphere of diameter 1 and one of 4, for a mixture of 1/4 and 3/4: the small sphere has 1/65 of the mass.
    let law = law(IN_CLASSES[1]);
    let report = SizeReport::of(&law, &[4.0, 1.0]);
    assert_eq!(
        (report.d_min, report.d_max, report.warning.is_some()),
        (1.0, 4.0, true)
    );
    assert_eq!(
        report
            .mass_curve
            .iter()
            .map(|row| row[0])
            .collect::<Vec<_>>(),
        [1.0, 4.0]
    );
    assert!((report.mass_curve_error - (0.25 - 1.0 / 65.0)).abs() < 1e-15);
    // A diameter in single precision belongs to its class. A diameter between the classes belongs to none.
    let single = SizeReport::of(&law, &[f64::from(4.0_f32 * (1.0 + f32::EPSILON)), 1.0]);
    assert!((single.mass_curve_error - report.mass_curve_error).abs() < 1e-6);
    assert!(SizeReport::of(&law, &[2.0, 2.0]).mass_curve_error > 0.74);
    // All mass is at the median of a continuous law, so the curves differ by a half on both sides of it.
    let uniform = self::law("uniform-volume:d_min=1,d_max=3");
    let report = SizeReport::of(&uniform, &[2.0; 7]);
    assert!((report.mass_curve_error - 0.5).abs() < 1e-12);
    assert_eq!(report.mass_curve.len(), 33);
    assert_eq!(report.mass_curve[32], [3.0, 1.0, 1.0]);
}

#[test]
fn a_sample_too_small_for_the_largest_class_says_so() {
    for (text, n, words) in [
        (
            "fuller-2011",
            10_000,
            ["10000 spheres", "the largest of them is 684.8"],
        ),
        ("fuller-16", 100, ["100 spheres", "none above 13.32"]),
        (
            "bidisperse:d_small=1,d_large=100,mass_small=0.25",
            1000,
            ["1000 spheres", "the largest of them is 100"],
        ),
    ] {
        let warning = law(text)
            .sample_number(n, Sampling::Stratified, 0)
            .source
            .report
            .warning
            .unwrap_or_default();
        assert!(
            words.iter().all(|word| warning.contains(word)),
            "{text}: {warning}"
        );
    }
    let default = law(DEFAULT_PRESET);
    assert_eq!(
        default
            .sample_number(5000, Sampling::Stratified, 0)
            .report()
            .warning,
        None
    );
    assert!(default.spheres_for_largest(3) < 10_000);
    assert_eq!(law("mono:d=1").spheres_for_largest(5), 5);
    let empty = law("fuller-16")
        .sample_number(0, Sampling::Stratified, 0)
        .source
        .report;
    assert_eq!(
        (empty.mass_curve_error, empty.warning.is_some()),
        (1.0, true)
    );
}

/// Returns a sieve curve with gaps from 0.5 to 4 and from 8 to 9.
fn gap_graded(interpolation: Interpolation) -> SizeDistribution {
    let passing = [
        [0.1, 0.0],
        [0.5, 35.0],
        [4.0, 35.0],
        [8.0, 80.0],
        [9.0, 80.0],
        [12.0, 100.0],
    ];
    SieveCurve::new(passing.into(), interpolation)
        .unwrap()
        .into()
}

#[test]
fn no_sphere_lies_in_a_gap_of_a_sieve_curve() {
    let is_within = |d: f64| {
        [(0.1, 0.5), (4.0, 8.0), (9.0, 12.0)]
            .iter()
            .any(|(low, high)| (*low..=*high).contains(&d))
    };
    for law in [Interpolation::Linear, Interpolation::Log].map(gap_graded) {
        for sampling in [Sampling::Stratified, Sampling::Random] {
            for n in (1..60).chain([1000, 20_000]) {
                let sample = law.sample_number(n, sampling, 3);
                assert_eq!(sample.diameters.len(), n);
                assert!(sample.diameters.iter().all(|d| is_within(*d)), "{n}");
                let volume = n as f64 * law.mean_volume();
                let sample = law.sample_volume(volume, sampling, 3).unwrap();
                assert!(sample.diameters.iter().all(|d| is_within(*d)), "{volume}");
            }
        }
    }
}

/// Returns the largest difference between the mass curve of a law and that of diameters, by its definition.
fn mass_error(law: &SizeDistribution, diameters: &[f64]) -> f64 {
    let mut sorted = diameters.to_vec();
    sorted.sort_by(f64::total_cmp);
    let total: f64 = sorted.iter().map(|d| d.powi(3)).sum();
    let (mut below, mut error) = (0.0, 0.0_f64);
    for equal in sorted.chunk_by(|a, b| a == b) {
        let up_to = below + equal.len() as f64 * equal[0].powi(3) / total;
        error = error
            .max((law.mass_cdf(equal[0]) - up_to).abs())
            .max((law.mass_cdf(equal[0] * (1.0 - 1e-9)) - below).abs());
        below = up_to;
    }
    error
}

#[test]
fn a_sample_that_misses_the_mass_curve_names_a_sample_that_meets_it() {
    let laws = [
        law("bidisperse:d_small=1,d_large=30,mass_small=0.01"),
        law("bidisperse:d_small=1,d_large=10,mass_small=0.05"),
        law("fuller:d_min=1,d_max=100,classes=70,first_class=increment"),
        law("concrete"),
        law("lognormal:d50=1,sigma=0.8,by=number"),
        gap_graded(Interpolation::Log),
    ];
    for law in laws {
        for (sampling, n) in [
            (Sampling::Stratified, 3),
            (Sampling::Stratified, 40),
            (Sampling::Random, 20),
        ] {
            let volume = n as f64 * law.mean_volume();
            let by_volume = law.sample_volume(volume, sampling, 1).unwrap();
            for sample in [law.sample_number(n, sampling, 1), by_volume.clone()] {
                let report = sample.report();
                let error = mass_error(&law, &sample.diameters);
                assert!(
                    (report.mass_curve_error - error).abs() < 1e-5,
                    "{law:?} {n}"
                );
                let warning = report.warning.as_deref().unwrap_or_default();
                assert_eq!(
                    warning.contains("misses the requested mass curve"),
                    error > 0.05
                );
                assert_eq!(
                    report.sufficient.is_some(),
                    !warning.is_empty(),
                    "{warning}"
                );
            }
            let check = |sample: &Sample| {
                assert_eq!(sample.report().warning, None, "{law:?} {n} {sampling}");
                let error = mass_error(&law, &sample.diameters);
                assert!(error <= 0.05, "{law:?} {n} {sampling}: {error}");
            };
            if let Some(found) = law.sample_number(n, sampling, 1).report().sufficient {
                let found = usize::try_from(found.spheres).unwrap();
                assert!(found >= n);
                check(&law.sample_number(found, Sampling::Stratified, 1));
            }
            if let Some(found) = by_volume.report().sufficient {
                for rounding in [1.0, 1.002, 1.004] {
                    let volume = rounding * found.volume;
                    check(&law.sample_volume(volume, Sampling::Stratified, 1).unwrap());
                }
            }
        }
    }
}

#[test]
fn no_number_of_spheres_is_named_if_none_meets_the_curve() {
    let report = law("fuller:d_min=1e-60,d_max=1e60").sample_number(100, Sampling::Stratified, 0);
    let warning = report.source.report.warning.unwrap();
    assert!(
        warning.ends_with("no sample of up to 4.29e9 spheres meets it"),
        "{warning}"
    );
    assert_eq!(report.source.report.sufficient, None);
}

#[test]
fn shares_and_passings_of_rounded_tables_are_accepted() {
    let classes = |shares: &[[f64; 2]]| {
        SizeDistribution::from(SizeClasses::new(Basis::Mass, shares.to_vec()).unwrap())
    };
    let exact = classes(&[[1.0, 0.4], [2.0, 0.6]]);
    let with_empty = classes(&[[0.5, 0.0], [1.0, 0.4], [1.5, 0.0], [2.0, 0.6], [9.0, 0.0]]);
    assert_eq!(with_empty.classes(), exact.classes());
    assert_eq!(
        (with_empty.d_min(), with_empty.d_max(), with_empty.note()),
        (1.0, 2.0, None)
    );
    let rounded = classes(&[[1.0, 0.4], [2.0, 0.5995]]);
    assert!((rounded.mass_cdf(1.0) - 0.4 / 0.9995).abs() < 1e-12);
    assert!(rounded.note().unwrap().contains("0.9995"));
    assert_eq!(classes(&[[1.0, 0.4], [2.0, 0.599_999]]).note(), None);

    let sieve = |passing: Vec<[f64; 2]>| {
        SizeDistribution::from(SieveCurve::new(passing, Interpolation::Log).unwrap())
    };
    let plain = vec![[1.0, 0.0], [2.0, 35.0], [4.0, 35.0], [8.0, 100.0]];
    let falling: Vec<[f64; 2]> = plain.iter().rev().copied().collect();
    assert_eq!(sieve(falling), sieve(plain.clone()));
    let summed = vec![
        [1.0, 1e-14],
        [2.0, 35.000_000_000_000_01],
        [4.0, 35.0],
        [8.0, 99.999_999_999_999_99],
    ];
    let summed = sieve(summed);
    assert_eq!(summed.note(), None);
    for d in [1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 8.0] {
        assert!(
            (summed.mass_cdf(d) - sieve(plain.clone()).mass_cdf(d)).abs() < 1e-12,
            "{d}"
        );
    }
    let diameters = summed.sample_number(500, Sampling::Stratified, 0).diameters;
    assert!(diameters.iter().all(|d| *d <= 2.0 || *d >= 4.0));
    let short = sieve(vec![[1.0, 0.0], [2.0, 35.0], [8.0, 99.95]]);
    assert!((short.mass_cdf(2.0) - 35.0 / 99.95).abs() < 1e-12);
    assert!(short.note().unwrap().contains("99.95 %"));
}

#[test]
fn every_file_is_a_preset_and_loads() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("distributions");
    let files: BTreeSet<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            entry
                .unwrap()
                .path()
                .file_stem()
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned()
        })
        .collect();
    let names: BTreeSet<String> = SizeSpec::presets()
        .map(|(name, _)| name.to_owned())
        .collect();
    assert_eq!(files, names);
    assert!(names.contains(DEFAULT_PRESET));
    for name in &names {
        let spec = SizeSpec::load(name).unwrap();
        assert_eq!(&spec.name, name);
        assert!(!spec.source.is_empty());
        let sample = spec
            .distribution
            .sample_number(1000, Sampling::Stratified, 0);
        assert_eq!(sample.diameters.len(), 1000);
        // The written form reads back to an equal value.
        let json = serde_json::to_string(&spec).unwrap();
        assert_eq!(SizeSpec::from_json("copy", &json).unwrap(), spec);
    }
}

#[test]
fn grading_lines_pass_through_their_sieves() {
    let din = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 31.5];
    let astm = [0.15, 0.3, 0.6, 1.18, 2.36, 4.75];
    let rows: [(&str, &[f64], &[f64]); 7] = [
        ("din-a16", &din, &[3.0, 8.0, 12.0, 21.0, 36.0, 60.0, 100.0]),
        ("din-b16", &din, &[8.0, 20.0, 32.0, 42.0, 56.0, 76.0, 100.0]),
        (
            "din-c16",
            &din,
            &[18.0, 34.0, 49.0, 62.0, 74.0, 88.0, 100.0],
        ),
        (
            "din-a32",
            &din,
            &[2.0, 5.0, 8.0, 14.0, 23.0, 38.0, 62.0, 100.0],
        ),
        (
            "din-b32",
            &din,
            &[8.0, 18.0, 28.0, 37.0, 47.0, 62.0, 80.0, 100.0],
        ),
        (
            "din-c32",
            &din,
            &[15.0, 29.0, 42.0, 53.0, 65.0, 77.0, 89.0, 100.0],
        ),
        ("astm-c33-fine", &astm, &[5.0, 17.5, 42.5, 67.5, 90.0, 97.5]),
    ];
    for (name, sieves, passing) in rows {
        let law = law(name);
        for (sieve, percent) in sieves.iter().zip(passing) {
            let share = law.mass_cdf(*sieve);
            assert!(
                (100.0 * share - percent).abs() < 1e-10,
                "{name} at {sieve}: {share}"
            );
        }
    }
}

#[test]
fn inline_and_json_agree() {
    for (inline, json) in [
        ("mono:d=2", r#"{"mono": {"d": 2}}"#),
        (
            "fuller: d_min = 0.1, d_max=16, classes=7",
            r#"{"fuller": {"d_max": 16, "d_min": 0.1, "classes": 7, "n": 0.5}}"#,
        ),
        (
            "power-law:exponent=-3,d_min=1,d_max=1e1",
            r#"{"power-law": {"exponent": -3, "d_min": 1, "d_max": 10}}"#,
        ),
        (
            "lognormal:d50=1,sigma=0.4,by=mass",
            r#"{"lognormal": {"d50": 1.0, "sigma": 0.4, "by": "mass"}}"#,
        ),
    ] {
        let text = format!(
            r#"{{"schema": 1, "name": "x", "unit": "mm", "source": "test", "law": {json}}}"#
        );
        let spec = SizeSpec::from_json("test.json", &text).unwrap();
        assert_eq!(spec.unit, "mm");
        assert_eq!(spec.distribution, law(inline), "{inline}");
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn hostile_texts_get_one_sentence_with_field_and_value() {
    for (text, words) in [
        ("mono:d=nan", ["d = nan", "finite"]),
        ("mono:d=inf", ["d = inf", "finite"]),
        ("mono:d=-inf", ["d = -inf", "finite"]),
        ("mono:d=0", ["d = 0.0", "1e-60 to 1e60"]),
        ("mono:d=-1", ["d = -1.0", "diameter"]),
        ("mono:d=1e200", ["d = 1e200", "1e60"]),
        ("mono:d=1e-70", ["d = 1e-70", "1e-60"]),
        ("mono:d=5e-324", ["d = 5e-324", "1e-60"]),
        ("mono:d=1e999", ["d = 1e999", "finite"]),
        ("mono:d=one", ["mono.d", "one"]),
        ("mono:d=", ["'d='", "key=value"]),
        ("mono:=1", ["'=1'", "key=value"]),
        ("mono:", ["''", "key=value"]),
        ("mono:d", ["'d'", "key=value"]),
        ("mono:d=1,", ["''", "key=value"]),
        ("mono:d=1,d=2", ["d is given twice", "mono:d=1,d=2"]),
        ("mono:d=1,e=2", ["mono.e", "unknown field `e`"]),
        ("mono:e=2", ["unknown field `e`", "expected `d`"]),
        ("ball:d=1", ["unknown law 'ball'", "mono"]),
        (
            "bidisperse:d_small=1,d_large=4",
            ["bidisperse", "missing field `mass_small`"],
        ),
        (
            "bidisperse:d_small=4,d_large=4,mass_small=0.5",
            ["d_small = 4.0", "d_large = 4.0"],
        ),
        (
            "bidisperse:d_small=1,d_large=4,mass_small=25",
            ["mass_small = 25.0", "below 1"],
        ),
        (
            "bidisperse:d_small=1,d_large=4,mass_small=1e-310",
            ["mass_small = 1e-310", "normal"],
        ),
        (
            "bidisperse:d_small=1,d_large=4,number_small=2",
            ["number_small = 2.0", "below 1"],
        ),
        (
            "bidisperse:d_small=1,d_large=4,number_small=0.5,mass_small=0.5",
            ["mass_small and number_small", "one of them"],
        ),
        ("normal:mean=1,sd=0.5", ["mean = 1.0", "d_min"]),
        ("normal:mean=1,sd=20,d_min=0.1", ["sd = 20.0", "10 times"]),
        (
            "normal:mean=1,sd=0.1,d_min=5,d_max=6",
            ["mean = 1.0", "wider bounds"],
        ),
        ("fuller:d_min=2,d_max=1", ["d_min = 2.0", "d_max = 1.0"]),
        ("fuller:d_min=1,d_max=2,n=0", ["n = 0.0", "above 0"]),
        ("fuller:d_min=1,d_max=2,n=5e-324", ["n = 5e-324", "normal"]),
        // All class weights round to 0, and all diameters to one of the two ends.
        (
            "fuller:d_min=1,d_max=1.0000000000000002,n=3e-308,classes=9999",
            ["classes = 9999", "fewer classes"],
        ),
        (
            "fuller:d_min=1,d_max=2,classes=1",
            ["classes = 1", "from 2"],
        ),
        (
            "fuller:d_min=1,d_max=2,classes=-5",
            ["fuller.classes", "-5"],
        ),
        (
            "fuller:d_min=1,d_max=2,classes=99999999999",
            ["classes = 99999999999", "10000"],
        ),
        (
            "fuller:d_min=1,d_max=2,first_class=increment",
            ["first_class", "classes"],
        ),
        (
            "power-law:exponent=1000,d_min=1,d_max=2",
            ["exponent = 1000.0", "100"],
        ),
        (
            "power-law:exponent=-1e-320,d_min=1,d_max=2",
            ["exponent = -1e-320", "normal"],
        ),
        ("andreasen:q=-0.1,d_min=1,d_max=2", ["q = -0.1", "above 0"]),
        (
            "andreasen:q=2e-308,d_min=1,d_max=2",
            ["q = 2e-308", "normal"],
        ),
        (
            "rosin-rammler:d_prime=1,n=0,d_min=1,d_max=2",
            ["n = 0.0", "0.05"],
        ),
        (
            "rosin-rammler:d_prime=1,n=5,d_min=100,d_max=200",
            ["d_min = 100.0", "d_prime = 1.0"],
        ),
        ("lognormal:d50=1", ["sigma", "d10"]),
        ("lognormal:d50=1,sigma=0.4,d90=3", ["sigma", "d10 and d90"]),
        ("lognormal:d50=1,sigma=9", ["sigma = 9.0", "3"]),
        ("lognormal:d50=1,d10=0.5,d90=4", ["d90 = 4.0", "sieve"]),
        ("lognormal:d50=1,d10=2,d90=4", ["d10 = 2.0", "d50 = 1.0"]),
        (
            "lognormal:d50=1,sigma=0.1,d_min=100,d_max=200",
            ["d_min = 100.0", "d50 = 1.0"],
        ),
        (
            "lognormal:d50=1,sigma=0.1,by=count",
            ["lognormal.by", "count"],
        ),
        (
            "uniform-size:d_min=1,d_max=1",
            ["d_min = 1.0", "d_max = 1.0"],
        ),
        (
            "uniform-volume:d_min=0,d_max=1",
            ["d_min = 0.0", "diameter"],
        ),
        ("no-such-file.json", ["no-such-file.json", "No such file"]),
        ("concret", ["'concret'", "did you mean concrete?"]),
        ("xyz", ["'xyz'", "fuller-2011"]),
        ("mono", ["'mono'", "missing field `d`"]),
        ("lognormal", ["'lognormal'", "missing field `d50`"]),
        ("", ["''", "concrete"]),
    ] {
        let message = SizeSpec::load(text).expect_err(text).to_string();
        assert!(
            words.iter().all(|word| message.contains(word)),
            "{text}: {message}"
        );
        assert!(!message.contains('\n'), "{text}: {message}");
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn hostile_files_get_one_sentence_with_file_field_and_value() {
    let file = |law: &str| {
        format!(r#"{{"schema": 1, "name": "x", "unit": "mm", "source": "s", "law": {law}}}"#)
    };
    let sieve = |passing: &str| file(&format!(r#"{{"sieve": {{"passing": {passing}}}}}"#));
    let classes = |shares: &str| {
        file(&format!(
            r#"{{"classes": {{"by": "mass", "shares": {shares}}}}}"#
        ))
    };
    for (json, words) in [
        (String::new(), ["EOF", "line 1"]),
        ("[1]".into(), ["invalid length 1", "schema, name"]),
        (file("5"), ["law", "expected value"]),
        (
            file(r#"{"mono": 5}"#),
            ["law.mono", "parameters of the law"],
        ),
        (file(r#"{"mono": {"d": 1}}"#) + "x", ["trailing", "line 1"]),
        (
            file(r#"{"mono": {"d": 1}}"#).replace(": 1,", ": 2,"),
            ["schema: schema 2", "schema 1"],
        ),
        (
            file(r#"{"mono": {"d": 1}}"#).replace("unit", "units"),
            ["units", "unknown field"],
        ),
        (
            file(r#"{"mono": {"d": 1}}"#).replace(r#""unit": "mm", "#, ""),
            ["unit", "missing field"],
        ),
        (
            file(r#"{"mono": {"d": "1"}}"#),
            ["law.mono.d", "string \"1\""],
        ),
        (file(r#"{"mono": {"d": null}}"#), ["law.mono.d", "null"]),
        (
            file(r#"{"mono": {"d": 1, "d": 1}}"#),
            ["law.mono", "duplicate field `d`"],
        ),
        (
            file(r#"{"mono": {"d": 1e400}}"#),
            ["law.mono.d", "out of range"],
        ),
        (file(r#"{"mono": {"d": -3}}"#), ["law.mono", "d = -3.0"]),
        (
            file(r#"{"mono": {"d": 1}, "fuller": {}}"#),
            ["law", "line 1"],
        ),
        (sieve("[]"), ["law.sieve", "0 sieves"]),
        (sieve("[[1, 0]]"), ["1 sieves", "at least 2"]),
        (sieve("[[1, 0], [1, 100]]"), ["sieve 2", "size 1.0"]),
        (sieve("[[0, 0], [1, 100]]"), ["sieve 1", "size = 0.0"]),
        (
            sieve("[[1, 0], [2, 60], [3, 50], [4, 100]]"),
            ["sieve 3", "50.0 %"],
        ),
        (sieve("[[1, 0], [2, 101]]"), ["sieve 2", "101.0"]),
        (sieve("[[1, -1], [2, 100]]"), ["sieve 1", "-1.0"]),
        (
            sieve("[[1, 0], [2, 1e-310], [3, 100]]"),
            ["sieve 2", "normal"],
        ),
        (sieve("[[1, 8], [2, 100]]"), ["sieve 1", "8.0 %"]),
        (sieve("[[1, 0], [2, 1]]"), ["last sieve", "1.0 %"]),
        (sieve("[[1, 0], [2]]"), ["law.sieve.passing[1]", "length 1"]),
        (classes("[]"), ["law.classes", "empty"]),
        (classes("[[1, 40], [2, 60]]"), ["class 1", "40.0"]),
        (
            classes("[[1, 0.4], [2, 0.5]]"),
            ["shares sum to 0.9", "within 0.001"],
        ),
        (
            classes("[[1, 0], [2, 0]]"),
            ["shares sum to 0.0", "must be 1"],
        ),
        (
            "{\"format\": \"jostle-packing\", \"version\": \"1.0\"}".into(),
            ["is a packing", "size distribution"],
        ),
        (
            "{\"law\": {\"mono\": {\"d\": 1}}}".into(),
            [
                "missing field `schema`",
                "schema, name, unit, source and law",
            ],
        ),
        (classes("[[1, 1e-310], [2, 1]]"), ["class 1", "normal"]),
        (classes("[[2, 0.5], [1, 0.5]]"), ["class 2", "diameter 1.0"]),
        (classes("[[1e70, 1]]"), ["class 1", "1e70"]),
    ] {
        let message = SizeSpec::from_json("my.json", &json)
            .expect_err(&json)
            .to_string();
        assert!(message.starts_with("my.json: "), "{message}");
        assert!(
            words.iter().all(|word| message.contains(word)),
            "{json}: {message}"
        );
        assert!(!message.contains('\n'), "{message}");
    }
}

#[test]
fn a_file_on_disk_loads() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.json");
    let (_, json) = SizeSpec::presets().next().unwrap();
    fs::write(&path, json).unwrap();
    let spec = SizeSpec::load(path.to_str().unwrap()).unwrap();
    assert_eq!(spec, SizeSpec::from_json("x", json).unwrap());
}

/// Every choice has one name, in text and in JSON.
#[track_caller]
fn assert_names<T>(names: &[&str])
where
    T: VariantArray + Copy + Debug + PartialEq + Display + FromStr<Err = UnknownName>,
    T: Serialize + DeserializeOwned,
{
    let found: Vec<String> = T::VARIANTS.iter().map(ToString::to_string).collect();
    assert_eq!(found, names);
    for (&choice, name) in T::VARIANTS.iter().zip(names) {
        assert_eq!(name.parse(), Ok(choice));
        let json = serde_json::to_value(choice).unwrap();
        assert_eq!(json, *name);
        assert_eq!(serde_json::from_value::<T>(json).unwrap(), choice);
    }
    let error = "luck".parse::<T>().unwrap_err().to_string();
    assert!(
        error.contains("'luck'") && names.iter().all(|name| error.contains(name)),
        "{error}"
    );
}

#[test]
fn choices_have_names() {
    assert_names::<Sampling>(&["stratified", "random"]);
    assert_names::<Basis>(&["number", "mass"]);
    assert_names::<FirstClass>(&["increment", "all-below"]);
    assert_names::<Interpolation>(&["linear", "log"]);
    let error = "luck".parse::<Sampling>().unwrap_err().to_string();
    assert!(
        error.contains("'luck'") && error.contains("stratified"),
        "{error}"
    );
}

fn any_law() -> impl Strategy<Value = SizeDistribution> {
    let range = || (1e-3..1e3, 1.01..200.0_f64);
    prop_oneof![
        (range(), -8.0..4.0_f64).prop_map(|((d, ratio), exponent)| {
            SizeDistribution::PowerLaw(PowerLaw::new(exponent, d, d * ratio).unwrap())
        }),
        (range(), 0.2..3.0_f64).prop_map(|((d, ratio), n)| {
            let middle = d * ratio.sqrt();
            law(&format!(
                "rosin-rammler:d_prime={middle},n={n},d_min={d},d_max={}",
                d * ratio
            ))
        }),
        (1e-3..1e3, 0.01..1.2_f64).prop_map(|(d50, sigma)| {
            SizeDistribution::Lognormal(Lognormal::new(d50, sigma, Basis::Mass).unwrap())
        }),
        (
            range(),
            proptest::collection::vec(0.0..1.0_f64, 1..8),
            any::<bool>()
        )
            .prop_map(|((d, ratio), steps, log)| {
                let total: f64 = steps.iter().sum::<f64>() + 1.0;
                let mut passing = vec![[d, 0.0]];
                for (i, step) in steps.iter().enumerate() {
                    let part = (i + 1) as f64 / (steps.len() + 1) as f64;
                    passing.push([d * ratio.powf(part), passing[i][1] + 100.0 * step / total]);
                }
                passing.push([d * ratio, 100.0]);
                let interpolation = if log {
                    Interpolation::Log
                } else {
                    Interpolation::Linear
                };
                SizeDistribution::Sieve(SieveCurve::new(passing, interpolation).unwrap())
            }),
        (range(), 2..60_usize, 0.1..2.0_f64).prop_map(|((d, ratio), classes, n)| {
            let law = Fuller::in_classes(d, d * ratio, n, classes, FirstClass::Increment);
            SizeDistribution::Fuller(law.unwrap())
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]

    #[test]
    fn curves_rise_and_quantiles_invert_them(law in any_law(), mut shares in proptest::collection::vec(0.0..=1.0_f64, 1..20)) {
        shares.sort_by(f64::total_cmp);
        let discrete = law.classes().is_some();
        let mut before = [0.0; 2];
        for u in shares {
            let diameters = [law.number_quantile(u), law.mass_quantile(u)];
            let back = [law.number_cdf(diameters[0]), law.mass_cdf(diameters[1])];
            for i in 0..2 {
                prop_assert!((law.d_min()..=law.d_max()).contains(&diameters[i]));
                prop_assert!(diameters[i] >= before[i]);
                if discrete {
                    // The smallest class at which the curve reaches u.
                    let just_below = diameters[i] * (1.0 - 1e-12);
                    let below = [law.number_cdf(just_below), law.mass_cdf(just_below)][i];
                    prop_assert!(back[i] >= u && below <= u);
                } else {
                    prop_assert!((back[i] - u).abs() < 1e-9, "{} {}", u, back[i]);
                }
            }
            before = diameters;
        }
        prop_assert_eq!((law.number_cdf(law.d_max()), law.mass_cdf(law.d_max())), (1.0, 1.0));
        prop_assert_eq!(law.number_cdf(law.d_min() * 0.999), 0.0);
    }

    #[test]
    fn moments_are_those_of_a_sample_of_that_volume(law in any_law()) {
        let n = 4000;
        let volume = n as f64 * law.mean_volume();
        let sample = law.sample_volume(volume, Sampling::Stratified, 0).unwrap().diameters;
        let moment = |k: i32| sample.iter().map(|d| d.powi(k)).sum::<f64>() / n as f64;
        let largest = law.d_max();
        // In classes, half a large sphere more means many small spheres less, so only the volume agrees closely.
        let first = if law.classes().is_some() { 3 } else { 1 };
        for k in first..=3 {
            // The sample may have two of the largest spheres too many or too few.
            let slack = 5e-2 * law.raw_moment(k as u32) + 2.0 * largest.powi(k) / n as f64;
            prop_assert!((moment(k) - law.raw_moment(k as u32)).abs() < slack, "moment {}", k);
        }
    }

    #[test]
    fn no_inline_text_panics(text in "[a-z-]{0,14}:?[a-z0-9_=,.:e-]{0,40}") {
        let _ = SizeSpec::load(&text);
    }
}

#[test]
fn a_cut_law_is_the_law_between_its_limits() {
    let laws = CONTINUOUS.iter().map(|(text, _)| *text).chain(IN_CLASSES);
    for (text, law) in laws
        .map(|text| (text, law(text)))
        .chain([("sieves", sieves())])
    {
        let (low, high) = (law.mass_quantile(0.2), law.mass_quantile(0.9));
        if low == high {
            continue;
        }
        let cut = law.cut(Some(low), Some(high)).unwrap();
        let [below, above] = law.mass_below_and_above(Some(low), Some(high));
        let kept = 1.0 - below - above;
        let number_below = law.number_cdf(low.next_down());
        let number_kept = law.number_cdf(high) - number_below;
        for share in [0.3, 0.5, 0.7, 0.85] {
            let d = law.mass_quantile(share);
            let mass = (law.mass_cdf(d) - below) / kept;
            let number = (law.number_cdf(d) - number_below) / number_kept;
            assert!((cut.mass_cdf(d) - mass).abs() < 1e-9, "{text} at {d}");
            assert!((cut.number_cdf(d) - number).abs() < 1e-9, "{text} at {d}");
        }
        assert!(cut.d_min() >= low && cut.d_max() <= high, "{text}");
        let json = serde_json::to_string(&cut).unwrap();
        assert_eq!(
            serde_json::from_str::<SizeDistribution>(&json).unwrap(),
            cut
        );
        // A second cut is a cut of the whole.
        let twice = law
            .cut(Some(low), None)
            .unwrap()
            .cut(None, Some(high))
            .unwrap();
        let middle = law.mass_quantile(0.5);
        assert!((twice.mass_cdf(middle) - cut.mass_cdf(middle)).abs() < 1e-12);
    }
    let law = law("fuller:d_min=1,d_max=16");
    assert_eq!(law.cut(Some(0.5), None).unwrap(), law);
    for (below, above) in [
        (Some(17.0), None),
        (None, Some(0.5)),
        (Some(-1.0), None),
        (Some(4.0), Some(3.0)),
    ] {
        assert!(law.cut(below, above).is_err(), "{below:?} {above:?}");
    }
}

#[test]
fn two_sizes_by_number_are_those_by_mass() {
    // Nine of ten spheres are small: 9 of 9 + 64 parts of the mass.
    let by_number = SizeDistribution::from(Bidisperse::by_number(1.0, 4.0, 0.9).unwrap());
    let by_mass = SizeDistribution::from(Bidisperse::new(1.0, 4.0, 9.0 / 73.0).unwrap());
    for (a, b) in by_number
        .classes()
        .unwrap()
        .iter()
        .zip(by_mass.classes().unwrap())
    {
        assert!((a.number_share - b.number_share).abs() < 1e-14);
        assert!((a.mass_share - b.mass_share).abs() < 1e-14);
    }
}
