//! The agreement of a sample with its distribution.

use serde::{Deserialize, Serialize};

use super::{
    basis::Basis,
    class_curve::ClassCurve,
    constants::{CLASS_TOLERANCE, REPORTED_POINTS},
    curve::Curve,
    size_distribution::SizeDistribution,
};

/// The requested and the achieved mass curve of a sample.
///
/// Reading ignores unknown fields, so that files of newer versions can be read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SizeReport {
    /// Smallest diameter of the sample; 0 if the sample is empty.
    pub d_min: f64,
    /// Largest diameter of the sample; 0 if the sample is empty.
    pub d_max: f64,
    /// Rows `[diameter, requested share, achieved share]` by rising diameter. A share is the mass at or below the diameter.
    ///
    /// A distribution in classes has one row for each class. A continuous distribution has 33 rows with diameters in
    /// geometric progression.
    pub mass_curve: Vec<[f64; 3]>,
    /// Largest difference between requested and achieved share at any diameter, on both sides of every step.
    pub mass_curve_error: f64,
    /// One sentence about classes without a sphere; `None` if every class has one.
    ///
    /// For a continuous distribution, only the largest class counts: its coarsest tenth by mass.
    pub warning: Option<String>,
}

impl SizeReport {
    /// Compares diameters, in any order, with a distribution.
    ///
    /// A diameter belongs to a class if it differs from the class by at most one part in a million. Cost: one sort.
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

/// A sample by rising diameter, with its mass curve.
struct Achieved {
    diameters: Vec<f64>,
    /// Running totals of d³, in units of the largest d³.
    cubes_up_to: Vec<f64>,
}

impl Achieved {
    fn new(diameters: &[f64]) -> Self {
        let mut diameters = diameters.to_vec();
        diameters.sort_unstable_by(f64::total_cmp);
        // Diameters relative to the largest one keep the cubes from overflowing.
        let factor = diameters.last().map_or(1.0, |largest| 1.0 / largest);
        let mut total = 0.0;
        let cubes_up_to = diameters
            .iter()
            .map(|diameter| {
                let relative = diameter * factor;
                total += relative * relative * relative;
                total
            })
            .collect();
        Self {
            diameters,
            cubes_up_to,
        }
    }

    /// Returns the mass share of the `count` smallest spheres.
    fn share_of(&self, count: usize) -> f64 {
        let total = self.cubes_up_to.last();
        let cubes = count.checked_sub(1).map(|last| self.cubes_up_to[last]);
        cubes.zip(total).map_or(0.0, |(cubes, total)| cubes / total)
    }

    fn count_up_to(&self, diameter: f64) -> usize {
        self.diameters.partition_point(|d| *d <= diameter)
    }
}

/// Returns the ends of the interval of diameters that belong to class `i`.
fn class_interval(law: &ClassCurve, i: usize) -> (f64, f64) {
    let classes = law.classes();
    let d = classes[i].diameter;
    let below = i.checked_sub(1).map_or(0.0, |i| classes[i].diameter);
    let above = classes
        .get(i + 1)
        .map_or(f64::INFINITY, |class| class.diameter);
    (
        (d - CLASS_TOLERANCE * d).max(0.5 * (below + d)),
        (d + CLASS_TOLERANCE * d).min(0.5 * (d + above)),
    )
}

fn compare_classes(law: &ClassCurve, achieved: &Achieved) -> (Vec<[f64; 3]>, f64) {
    let mut curve = Vec::with_capacity(law.classes().len());
    let mut error = 0.0_f64;
    let mut requested_below = 0.0;
    for (i, class) in law.classes().iter().enumerate() {
        let (low, high) = class_interval(law, i);
        let requested = law.cdf(Basis::Mass, class.diameter);
        let share = achieved.share_of(achieved.count_up_to(high));
        let share_below = achieved.share_of(achieved.count_up_to(low));
        error = error
            .max((requested - share).abs())
            .max((requested_below - share_below).abs());
        curve.push([class.diameter, requested, share]);
        requested_below = requested;
    }
    (curve, error)
}

fn compare_continuous(
    distribution: &SizeDistribution,
    achieved: &Achieved,
) -> (Vec<[f64; 3]>, f64) {
    let (d_min, d_max) = (distribution.d_min(), distribution.d_max());
    let log_ratio = libm::log(d_max / d_min);
    let curve: Vec<[f64; 3]> = (0..REPORTED_POINTS)
        .map(|i| {
            let diameter = match i {
                0 => d_min,
                i if i + 1 == REPORTED_POINTS => d_max,
                i => d_min * libm::exp(log_ratio * i as f64 / (REPORTED_POINTS - 1) as f64),
            };
            let requested = distribution.mass_cdf(diameter);
            let share = achieved.share_of(achieved.count_up_to(diameter));
            [diameter, requested, share]
        })
        .collect();
    // The achieved curve is flat between its steps and the requested curve rises. The difference is largest beside a step
    // or above the last step.
    let beside_steps = achieved
        .diameters
        .chunk_by(|a, b| a == b)
        .scan(0, |count, step| {
            let before = achieved.share_of(*count);
            *count += step.len();
            let requested = distribution.mass_cdf(step[0]);
            let after = achieved.share_of(*count);
            Some((requested - before).abs().max((requested - after).abs()))
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
                    let (low, high) = class_interval(law, *i);
                    achieved.count_up_to(low) == achieved.count_up_to(high)
                })
                .map(|(_, class)| class)
                .collect();
            let largest = missing.last()?;
            Some(format!(
                "the sample of {n} spheres holds none of {} of the {} size classes; these have {} % of the requested mass, and {} is the largest of them; about {needed} spheres include one of the largest class",
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
                    "the sample of {n} spheres holds none above {}, where a tenth of the requested mass lies; about {needed} spheres include one",
                    short(from)
                )
            })
        }
    }
}

/// Returns a positive number with four significant digits, for a sentence.
fn short(value: f64) -> String {
    let decimals = (3.0 - libm::log10(value).floor()).clamp(0.0, 15.0) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}
