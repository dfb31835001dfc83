//! The agreement of a sample with its distribution, and the size of a sample that agrees.

use bytemuck::{Pod, Zeroable};
use serde::{Deserialize, Serialize};

use super::{
    basis::Basis,
    blend_curve::BlendCurve,
    class_curve::{ClassCurve, SizeClass},
    constants::{
        CLASS_TOLERANCE, MASS_CURVE_TOLERANCE, MOST_SPHERES, REPORTED_POINTS, SUFFICIENT_GROWTH,
        SUFFICIENT_PRECISION, SUFFICIENT_ROUNDING,
    },
    sampling::{SampleSize, Sampling},
    size_distribution::SizeDistribution,
    stratified,
};
use crate::{
    dimension::Dimension,
    machine::divided::{Divided, Run},
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
    /// Rows `[diameter, requested share, achieved share]` sorted by diameter. A share is the mass at or below the diameter.
    ///
    /// A distribution in classes has one row for each class. A continuous distribution has 33 rows with diameters in
    /// geometric progression.
    pub mass_curve: Vec<[f64; 3]>,
    /// Largest difference between requested and achieved share at any diameter, on both sides of every step.
    pub mass_curve_error: f64,
    /// One sentence about a mass curve that is missed by more than 5 %, or about classes without a sphere; `None` for a sample
    /// that has the requested sizes.
    ///
    /// For a continuous distribution, only the largest class counts: its coarsest tenth by mass.
    pub warning: Option<String>,
    /// A stratified sample without such a warning, of this size or larger; `None` if this sample has no warning, or if no sample of
    /// up to 4.29e9 spheres is sufficient.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sufficient: Option<SufficientSample>,
}

impl SizeReport {
    /// Compares diameters, in any order, with a distribution.
    ///
    /// A diameter belongs to a class if it differs from the class by at most one part in a million. Cost: one sort. The
    /// [sufficient sample](Self::sufficient) is a stratified one.
    pub fn of(distribution: &SizeDistribution, diameters: &[f64]) -> Self {
        let size = SampleSize::Number(diameters.len() as f64);
        Self::of_divided(
            distribution,
            &Divided::alone(diameters),
            size,
            Sampling::Stratified,
        )
    }

    /// Describes given diameters, in any order, which no distribution requested: the requested and the achieved mass curve are equal.
    ///
    /// The mass curve has a row for each of 33 diameters in geometric progression. Cost: one sort.
    pub fn of_given(dimension: Dimension, diameters: &[f64]) -> Self {
        let divided = Divided::alone(diameters);
        let achieved = Achieved::new(dimension, &divided);
        let (d_min, d_max) = (achieved.smallest, achieved.largest);
        let last = REPORTED_POINTS - 1;
        let point = |k: usize| match k {
            k if k == last => d_max,
            k => d_min * libm::pow(d_max / d_min, k as f64 / last as f64),
        };
        let points: Vec<f64> = (0..REPORTED_POINTS).map(point).collect();
        let totals = achieved.up_to(&points);
        let row = |(&diameter, &total): (&f64, &Total)| (diameter, achieved.share_of(total));
        Self::exact(d_min, d_max, points.iter().zip(&totals).map(row))
    }

    /// Returns the report of the spheres of a sample that remain when some are left out, with the radii of these spheres. Requested and achieved
    /// shares are compared at the rows of the mass curve. Cost: one sort, or nothing if no sphere is left out.
    pub(crate) fn without(self, left_out: usize, dimension: Dimension, radii: &Divided) -> Self {
        if left_out == 0 {
            return self;
        }
        let diameters = &radii.map(|radius| 2.0 * radius);
        let achieved = Achieved::new(dimension, diameters);
        let points = self.mass_curve.iter();
        let points: Vec<f64> = points.map(|row| (1.0 + CLASS_TOLERANCE) * row[0]).collect();
        let totals = achieved.up_to(&points);
        let row = |(&[diameter, requested, _], &total): (&[f64; 3], &Total)| {
            [diameter, requested, achieved.share_of(total)]
        };
        let mass_curve: Vec<[f64; 3]> = self.mass_curve.iter().zip(&totals).map(row).collect();
        let differences = mass_curve.iter().map(|row| (row[1] - row[2]).abs());
        let mass_curve_error = differences.fold(0.0, f64::max);
        Self {
            d_min: achieved.smallest,
            d_max: achieved.largest,
            warning: missed(mass_curve_error).map(|problem| sentence(diameters.len(), &problem)),
            mass_curve,
            mass_curve_error,
            sufficient: None,
        }
    }

    /// Returns the report of a list of diameters that is its own sample.
    pub(super) fn of_whole_list(list: &SizeDistribution) -> Self {
        let row = |class: &SizeClass| (class.diameter, list.mass_cdf(class.diameter));
        let classes = list.classes().unwrap_or_default();
        Self::exact(list.d_min(), list.d_max(), classes.iter().map(row))
    }

    /// Returns the report of a sample that is what was requested, from diameters and the shares of the mass up to them.
    fn exact(d_min: f64, d_max: f64, curve: impl Iterator<Item = (f64, f64)>) -> Self {
        Self {
            d_min,
            d_max,
            mass_curve: curve
                .map(|(diameter, share)| [diameter, share, share])
                .collect(),
            mass_curve_error: 0.0,
            warning: None,
            sufficient: None,
        }
    }

    /// Like [`Self::of`], for a sample of a requested size that may be divided among ranks.
    pub(super) fn of_divided(
        distribution: &SizeDistribution,
        diameters: &Divided,
        size: SampleSize,
        sampling: Sampling,
    ) -> Self {
        let mut report = Self::without_remedy(distribution, diameters);
        let spheres = match sampling {
            Sampling::Stratified => "spheres",
            Sampling::Random => "spheres of a stratified sample",
        };
        if let Some(warning) = &mut report.warning {
            let found = sufficient(distribution.curve(), size);
            *warning += &found.map_or_else(
                || "; no sample of up to 4.29e9 spheres meets it".to_owned(),
                |found| format!("; {} {spheres} meet it within 5 %", found.spheres),
            );
            report.sufficient = found;
        }
        report
    }

    fn without_remedy(distribution: &SizeDistribution, diameters: &Divided) -> Self {
        let achieved = Achieved::new(distribution.curve().dimension(), diameters);
        let (mass_curve, mass_curve_error) = match distribution.curve().classes() {
            Some(law) => compare_classes(law, &achieved),
            None => compare_continuous(distribution, &achieved),
        };
        Self {
            d_min: achieved.smallest,
            d_max: achieved.largest,
            mass_curve,
            mass_curve_error,
            warning: warning(distribution, &achieved, mass_curve_error),
            sufficient: None,
        }
    }
}

/// A sample with its mass curve.
struct Achieved<'a> {
    /// All diameters.
    diameters: &'a Divided<'a>,
    smallest: f64,
    largest: f64,
    /// The steps of the mass curve in the part of this rank, sorted by diameter.
    steps: Vec<Step>,
    /// The spheres below this part.
    below: Total,
    /// All spheres.
    all: Total,
}

/// Equal spheres in a sample.
struct Step {
    diameter: f64,
    /// The spheres up to this diameter.
    total: Total,
}

/// The smallest spheres of a sample.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
struct Total {
    spheres: u64,
    /// The sum of d³, in units of the largest d³; of disks, that of d².
    cubes: f64,
}

impl<'a> Achieved<'a> {
    fn new(dimension: Dimension, diameters: &'a Divided<'a>) -> Self {
        let (smallest, largest) = (diameters.smallest(), diameters.largest());
        // Diameters relative to the largest one keep the cubes from overflowing.
        let factor = 1.0 / largest;
        let runs = diameters.sorted();
        let (mut below, mut steps) = (Total::default(), Vec::with_capacity(runs.len()));
        let add = |before: Total| {
            below = before;
            let mut total = before;
            for Run { value, count } in runs {
                let relative = value * factor;
                for _ in 0..count {
                    total.cubes += dimension.power(relative);
                }
                total.spheres += count;
                steps.push(Step {
                    diameter: value,
                    total,
                });
            }
            total
        };
        let all = diameters.ranks().in_turn(Total::default(), add);
        Self {
            diameters,
            smallest,
            largest,
            steps,
            below,
            all,
        }
    }

    /// Returns the mass share of the smallest spheres.
    fn share_of(&self, total: Total) -> f64 {
        if total.spheres == 0 {
            0.0
        } else {
            total.cubes / self.all.cubes
        }
    }

    /// Returns the spheres up to each of some diameters.
    fn up_to(&self, diameters: &[f64]) -> Vec<Total> {
        let up_to = |&diameter: &f64| {
            let steps = self.steps.partition_point(|step| step.diameter <= diameter);
            steps
                .checked_sub(1)
                .map_or_else(Total::default, |last| self.steps[last].total)
        };
        let own: Vec<Total> = diameters.iter().map(up_to).collect();
        let all = self.diameters.ranks().gather(&own[..]);
        // The last rank with a diameter in its part counts all spheres below it.
        let of_diameter = |k: usize| {
            let of_ranks = all.iter().copied().skip(k).step_by(own.len());
            of_ranks
                .max_by_key(|total| total.spheres)
                .unwrap_or_default()
        };
        (0..own.len()).map(of_diameter).collect()
    }

    /// Returns the largest difference between a mass curve and this one, beside the steps. `mass_cdf` returns the shares below a step and up
    /// to it.
    fn error_beside_steps(&self, mass_cdf: impl Fn(f64) -> [f64; 2]) -> f64 {
        let mut before = self.below;
        let mut error = 0.0_f64;
        for step in &self.steps {
            let requested = mass_cdf(step.diameter);
            for (requested, total) in requested.into_iter().zip([before, step.total]) {
                error = error.max((requested - self.share_of(total)).abs());
            }
            before = step.total;
        }
        self.diameters.ranks().largest(error)
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

/// Returns the spheres up to both ends of the interval of each class.
fn up_to_class_intervals(law: &ClassCurve, achieved: &Achieved) -> Vec<Total> {
    let intervals = (0..law.classes().len()).map(|i| class_interval(law, i));
    let ends: Vec<f64> = intervals.flat_map(|(low, high)| [low, high]).collect();
    achieved.up_to(&ends)
}

fn compare_classes(law: &ClassCurve, achieved: &Achieved) -> (Vec<[f64; 3]>, f64) {
    let mut curve = Vec::with_capacity(law.classes().len());
    let mut error = 0.0_f64;
    let mut requested_below = 0.0;
    let up_to = up_to_class_intervals(law, achieved);
    for (class, up_to) in law.classes().iter().zip(up_to.chunks_exact(2)) {
        let requested = law.cdf(Basis::Mass, class.diameter);
        let share = achieved.share_of(up_to[1]);
        let share_below = achieved.share_of(up_to[0]);
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
    let diameters: Vec<f64> = (0..REPORTED_POINTS)
        .map(|i| match i {
            0 => d_min,
            i if i + 1 == REPORTED_POINTS => d_max,
            i => d_min * libm::exp(log_ratio * i as f64 / (REPORTED_POINTS - 1) as f64),
        })
        .collect();
    let up_to = achieved.up_to(&diameters);
    let row = |(&diameter, &up_to): (&f64, &Total)| {
        let requested = distribution.mass_cdf(diameter);
        [diameter, requested, achieved.share_of(up_to)]
    };
    let curve = diameters.iter().zip(&up_to).map(row).collect();
    // The achieved curve is flat between its steps and the requested curve rises. The difference is largest beside a step
    // or above the last step.
    let beside_steps = achieved.error_beside_steps(|diameter| {
        if distribution.components().is_empty() {
            return [distribution.mass_cdf(diameter); 2];
        }
        // The curve of a blend rises by steps where components have classes.
        let sides = [1.0 - CLASS_TOLERANCE, 1.0 + CLASS_TOLERANCE];
        sides.map(|side| distribution.mass_cdf(side * diameter))
    });
    let at_the_end = if achieved.all.spheres == 0 { 1.0 } else { 0.0 };
    (curve, beside_steps.max(at_the_end))
}

/// Returns the beginning of the warning about a sample.
fn warning(distribution: &SizeDistribution, achieved: &Achieved, error: f64) -> Option<String> {
    let problems = missed(error).into_iter();
    let problems: Vec<String> = problems.chain(missing(distribution, achieved)).collect();
    let spheres = achieved.all.spheres as usize;
    (!problems.is_empty()).then(|| sentence(spheres, &problems.join(" and ")))
}

/// Returns words about a mass curve that is missed by too much.
fn missed(error: f64) -> Option<String> {
    (error > MASS_CURVE_TOLERANCE).then(|| {
        let percent = short(100.0 * error);
        format!("misses the requested mass curve by {percent} %")
    })
}

/// Returns the sentence about a problem of some spheres.
fn sentence(spheres: usize, problem: &str) -> String {
    let plural = if spheres == 1 { "" } else { "s" };
    format!("the sample of {spheres} sphere{plural} {problem}")
}

/// Returns words about classes without a sphere.
fn missing(distribution: &SizeDistribution, achieved: &Achieved) -> Option<String> {
    match distribution.curve().classes() {
        Some(law) => {
            let up_to = up_to_class_intervals(law, achieved);
            let missing: Vec<_> = (law.classes().iter().zip(up_to.chunks_exact(2)))
                .filter(|(_, up_to)| up_to[0].spheres == up_to[1].spheres)
                .map(|(class, _)| class)
                .collect();
            let largest = missing.last()?;
            Some(format!(
                "holds no sphere in {} of the {} size classes, which have {} % of the requested mass; the largest of them is {}",
                missing.len(),
                law.classes().len(),
                short(100.0 * missing.iter().map(|class| class.mass_share).sum::<f64>()),
                short(largest.diameter),
            ))
        }
        None => {
            let (_, from) = distribution.largest_class();
            let below = achieved.up_to(&[from.next_down()]);
            (below[0].spheres == achieved.all.spheres).then(|| {
                format!(
                    "holds none above {}, where a tenth of the requested mass lies",
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

/// A sample that meets the mass curve of its distribution within 5 % and has a sphere in every class.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SufficientSample {
    /// The number of spheres.
    pub spheres: u64,
    /// The volume of the spheres, in cubes of the unit of the diameters.
    pub volume: f64,
}

/// Returns the smallest sufficient stratified sample that the search finds, of this size or larger; `None` if no sample of up to
/// 4.29e9 spheres is sufficient.
///
/// The cost does not depend on the number of spheres.
pub(super) fn sufficient(curve: &BlendCurve, size: SampleSize) -> Option<SufficientSample> {
    let meets = |size: SampleSize| {
        stratified::mass_error(curve, size).is_some_and(|error| error <= MASS_CURVE_TOLERANCE)
    };
    let does = |factor: f64| {
        let mut sizes = SUFFICIENT_ROUNDING.iter();
        sizes.all(|rounding| meets(size.times(factor * rounding, curve)))
    };
    let dimension = curve.dimension();
    let mean_cube = curve.mean_power();
    let (mut low, mut high) = (1.0, 1.0);
    while !does(high) {
        low = high;
        high *= SUFFICIENT_GROWTH;
        if size.times(high, curve).spheres(dimension, mean_cube) > MOST_SPHERES {
            return None;
        }
    }
    while high / low > SUFFICIENT_PRECISION {
        let middle = (low * high).sqrt();
        if does(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    let size = size.times(high, curve);
    Some(SufficientSample {
        spheres: size.spheres(dimension, mean_cube).ceil() as u64,
        volume: dimension.of_diameters(size.cubes(dimension, mean_cube)),
    })
}
