//! How near a sample comes to the distribution it was asked for.

use serde::{Deserialize, Serialize};

use super::{Basis, SizeDistribution, class_curve::ClassCurve, curve::Curve};

/// Points of the reported mass curve of a continuous distribution.
const CURVE_POINTS: usize = 33;
/// Diameters this much apart, relatively, count as one class: some file formats hold single precision.
const SAME_CLASS: f64 = 1e-6;
/// The part of the mass, at the coarse end, that stands for the largest class of a continuous distribution.
const TOP_SHARE: f64 = 0.1;

/// The asked and the achieved mass curve of a sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SizeReport {
    /// Smallest diameter of the sample; 0 when it is empty.
    pub d_min: f64,
    /// Largest diameter of the sample; 0 when it is empty.
    pub d_max: f64,
    /// `[diameter, asked share of mass not above it, achieved share]`, by rising diameter: at the classes of a
    /// distribution in classes, else at 33 diameters in geometric progression.
    pub mass_curve: Vec<[f64; 3]>,
    /// The largest difference between asked and achieved share, at any diameter, on both sides of every step.
    pub mass_curve_error: f64,
    /// What the sample could not do, in one sentence; `None` when it holds every class. A continuous distribution's
    /// largest class is its coarsest tenth by mass.
    pub warning: Option<String>,
}

impl SizeReport {
    /// Compares diameters, in any order, with the distribution they should follow.
    ///
    /// A diameter within one part in a million of a class counts as that class. Cost: one sort.
    pub fn of(distribution: &SizeDistribution, diameters: &[f64]) -> Self {
        let achieved = Achieved::new(diameters);
        let (mass_curve, mass_curve_error) = match distribution.curve() {
            Curve::Classes(law) => compare_classes(law, &achieved),
            Curve::Segments(_) => compare_continuous(distribution, &achieved),
        };
        Self {
            d_min: achieved.diameters.first().copied().unwrap_or(0.0),
            d_max: achieved.diameters.last().copied().unwrap_or(0.0),
            mass_curve,
            mass_curve_error,
            warning: warning(distribution, &achieved),
        }
    }
}

impl SizeDistribution {
    /// The share of all spheres that are in the largest class, and the smallest diameter of that class.
    ///
    /// For a continuous distribution the largest class is its coarsest tenth by mass.
    pub fn largest_class(&self) -> (f64, f64) {
        match self.curve() {
            Curve::Classes(law) => {
                let class = law.classes()[law.classes().len() - 1];
                (class.number_share, class.diameter)
            }
            Curve::Segments(law) => {
                let diameter = law.quantile(Basis::Mass, 1.0 - TOP_SHARE);
                (1.0 - law.cdf(Basis::Number, diameter), diameter)
            }
        }
    }

    /// How many spheres it takes, on average, for `k` of them to be in the [largest class](Self::largest_class).
    ///
    /// Saturates for distributions so wide that no computer holds that many.
    pub fn spheres_for_largest(&self, k: u64) -> u64 {
        (k as f64 / self.largest_class().0).ceil() as u64
    }
}

/// The sample by rising diameter, with its mass curve.
struct Achieved {
    diameters: Vec<f64>,
    cubes_up_to: Vec<f64>,
}

impl Achieved {
    fn new(diameters: &[f64]) -> Self {
        let mut diameters = diameters.to_vec();
        diameters.sort_unstable_by(f64::total_cmp);
        // Relative to the largest, so that no cube overflows.
        let scale = diameters.last().map_or(1.0, |largest| 1.0 / largest);
        let mut total = 0.0;
        let cubes_up_to = diameters
            .iter()
            .map(|diameter| {
                let scaled = diameter * scale;
                total += scaled * scaled * scaled;
                total
            })
            .collect();
        Self {
            diameters,
            cubes_up_to,
        }
    }

    /// Mass share of the first `count` spheres.
    fn share_of(&self, count: usize) -> f64 {
        let total = self.cubes_up_to.last();
        let cubes = count.checked_sub(1).map(|last| self.cubes_up_to[last]);
        cubes.zip(total).map_or(0.0, |(cubes, total)| cubes / total)
    }

    fn count_up_to(&self, diameter: f64) -> usize {
        self.diameters.partition_point(|d| *d <= diameter)
    }
}

/// The ends of the interval of diameters that count as class `i`.
fn reach(law: &ClassCurve, i: usize) -> (f64, f64) {
    let classes = law.classes();
    let d = classes[i].diameter;
    let below = i.checked_sub(1).map_or(0.0, |i| classes[i].diameter);
    let above = classes
        .get(i + 1)
        .map_or(f64::INFINITY, |class| class.diameter);
    (
        (d - SAME_CLASS * d).max(0.5 * (below + d)),
        (d + SAME_CLASS * d).min(0.5 * (d + above)),
    )
}

fn compare_classes(law: &ClassCurve, achieved: &Achieved) -> (Vec<[f64; 3]>, f64) {
    let mut curve = Vec::with_capacity(law.classes().len());
    let mut error = 0.0_f64;
    let mut asked_below = 0.0;
    for (i, class) in law.classes().iter().enumerate() {
        let (low, high) = reach(law, i);
        let asked = law.cdf(Basis::Mass, class.diameter);
        let share = achieved.share_of(achieved.count_up_to(high));
        let share_below = achieved.share_of(achieved.count_up_to(low));
        error = error
            .max((asked - share).abs())
            .max((asked_below - share_below).abs());
        curve.push([class.diameter, asked, share]);
        asked_below = asked;
    }
    (curve, error)
}

fn compare_continuous(
    distribution: &SizeDistribution,
    achieved: &Achieved,
) -> (Vec<[f64; 3]>, f64) {
    let (d_min, d_max) = (distribution.d_min(), distribution.d_max());
    let log_ratio = libm::log(d_max / d_min);
    let curve: Vec<[f64; 3]> = (0..CURVE_POINTS)
        .map(|i| {
            let diameter = match i {
                0 => d_min,
                i if i + 1 == CURVE_POINTS => d_max,
                i => d_min * libm::exp(log_ratio * i as f64 / (CURVE_POINTS - 1) as f64),
            };
            let asked = distribution.mass_cdf(diameter);
            [
                diameter,
                asked,
                achieved.share_of(achieved.count_up_to(diameter)),
            ]
        })
        .collect();
    // The achieved curve is flat between its steps and the asked one rises, so they differ most beside a step, or
    // above the last.
    let beside_steps = achieved
        .diameters
        .chunk_by(|a, b| a == b)
        .scan(0, |count, step| {
            let before = achieved.share_of(*count);
            *count += step.len();
            let asked = distribution.mass_cdf(step[0]);
            let after = achieved.share_of(*count);
            Some((asked - before).abs().max((asked - after).abs()))
        });
    let at_the_end = if achieved.diameters.is_empty() {
        1.0
    } else {
        0.0
    };
    (curve, beside_steps.fold(at_the_end, f64::max))
}

fn warning(distribution: &SizeDistribution, achieved: &Achieved) -> Option<String> {
    let n = achieved.diameters.len();
    let needed = distribution.spheres_for_largest(1);
    match distribution.curve() {
        Curve::Classes(law) => {
            let missing: Vec<_> = (law.classes().iter().enumerate())
                .filter(|(i, _)| {
                    let (low, high) = reach(law, *i);
                    achieved.count_up_to(low) == achieved.count_up_to(high)
                })
                .map(|(_, class)| class)
                .collect();
            let largest = missing.last()?;
            Some(format!(
                "the sample of {n} spheres holds none of {} of the {} size classes, which have {} % of the asked mass and of which {} is the largest; about {needed} spheres hold one of the largest class",
                missing.len(),
                law.classes().len(),
                short(100.0 * missing.iter().map(|class| class.mass_share).sum::<f64>()),
                short(largest.diameter),
            ))
        }
        Curve::Segments(_) => {
            let (_, from) = distribution.largest_class();
            (achieved.count_up_to(from) == n).then(|| {
                format!(
                    "the sample of {n} spheres holds none above {}, where a tenth of the asked mass is; about {needed} spheres hold one of those",
                    short(from)
                )
            })
        }
    }
}

/// A positive number with four significant digits, for a sentence.
fn short(value: f64) -> String {
    let decimals = (3.0 - value.log10().floor()).clamp(0.0, 15.0) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}
