//! Times against the number of levels (2012, Fig. 4).

use crate::page::Page;
use jostle::{
    laboratory::compare::measure_overhead,
    tuning::{
        Overhead, Search, SearchTiming, constant_per_cell, fit_overhead, optimal, recipe,
        recipe_work,
    },
};

use super::{
    figures::{Outcome, Result, three_digits},
    scene::{OVERHEAD, Scene, Scenes},
};

/// Numbers of levels of the table. Every further level costs another row and hardly changes the time.
const LEVELS: [usize; 19] = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 25, 30, 40, 50,
];

/// Largest number of levels from which K is fitted. Beyond it most cells are stored in hash tables, whose accesses take longer.
const FITTED_LEVELS: usize = 12;

/// Overhead factor K of the 2012 paper.
pub const PAPER_OVERHEAD: f64 = 0.3;

/// Packing fractions of the paper.
pub const PACKING_FRACTIONS: [f64; 3] = [0.1, 0.4, 0.62];

/// Number of spheres of the paper.
pub const SPHERES: usize = 125_001;

/// Exponent of the uniform volume and of the uniform size distribution.
pub const EXPONENTS: [(&str, f64); 2] = [("uniform volume", -3.0), ("uniform size", 0.0)];

/// Times of searches among the same spheres with several numbers of levels.
pub struct LevelTimes {
    /// The requested number of levels.
    pub levels: Vec<usize>,
    /// The cell sizes; there may be fewer of them than requested levels.
    pub choices: Vec<Vec<f64>>,
    pub timings: Vec<SearchTiming>,
}

impl LevelTimes {
    /// Measures searches with the same number of spheres per cell on all levels.
    pub fn measure(scene: &Scene, levels: &[usize]) -> Result<Self> {
        let choices = levels
            .iter()
            .map(|&levels| {
                let sizes = constant_per_cell(&scene.model(OVERHEAD)?, levels, 1.0)?;
                Ok(scene.whole(&sizes))
            })
            .collect::<Result<Vec<_>>>()?;
        Ok(Self {
            levels: levels.to_vec(),
            timings: scene.timed(&choices)?,
            choices,
        })
    }

    /// Returns the times of a test and of an access that explain the times best, and a remark. Where the times do not separate them, the
    /// times are those of other searches.
    fn overhead(&self) -> Result<(Overhead, &'static str)> {
        let fitted: Vec<SearchTiming> = (self.levels.iter().zip(&self.timings))
            .filter(|(levels, _)| **levels <= FITTED_LEVELS)
            .map(|(_, &timing)| timing)
            .collect();
        if let Some(overhead) = fit_overhead(&fitted) {
            return Ok((overhead, ""));
        }
        let remark =
            " (of other searches: the times of this packing do not separate tests from accesses)";
        Ok((overhead_of_machine()?, remark))
    }

    /// Returns the fastest requested number of levels, and how much faster it is than the first.
    pub fn fastest(&self) -> (usize, f64) {
        let times = self.levels.iter().zip(&self.timings);
        times.fold((0, 0.0), |best, (&levels, timing)| {
            let gain = self.timings[0].seconds / timing.seconds;
            if gain > best.1 { (levels, gain) } else { best }
        })
    }
}

/// Returns the times of a test and of an access on this machine, from searches at random positions.
pub fn overhead_of_machine() -> Result<Overhead> {
    Ok(measure_overhead().ok_or("the times do not separate tests from accesses")?)
}

pub fn over_levels(page: &mut Page, scenes: &mut Scenes) -> Outcome {
    page.line("\n## Time against the number of levels (2012, Fig. 4)\n
Packings of N = 125 001 spheres with ω = 50. Every level has the same number of spheres per cell, as in Appendix A. Where whole cells
leave fewer levels than requested, their number is in brackets. The slowdown is the time over the time of the fastest number of levels.
L (m + K) and T are given over their least values, for the K that fits the times up to 12 levels best. The papers use K = 0.2 to 0.3; a
larger K makes fewer levels best. Levels with less than an eighth of a sphere per cell are stored as hash tables, whose accesses take
longer than other accesses. The paper shows ν = 0.62, and says that the prediction also matches for ν = 0.1 and 0.4: uniform volume has
L = 8 as best, 220 times faster than one level; uniform size L = 2, 1.3 times faster than one level. Its times are those of whole
simulations.\n");
    for (name, exponent) in EXPONENTS {
        for packing_fraction in PACKING_FRACTIONS {
            let scene = scenes.packed(exponent, 50.0, SPHERES, packing_fraction)?;
            print_levels(page, &format!("{name}, ν = {packing_fraction}"), &scene)?;
        }
    }
    Ok(())
}

/// Prints the table of times for one packing.
fn print_levels(page: &mut Page, name: &str, scene: &Scene) -> Outcome {
    let times = LevelTimes::measure(scene, &LEVELS)?;
    let (fitted, remark) = times.overhead()?;
    let model = scene.model(fitted.factor())?;
    let tuned = scene.whole(&optimal(&model, Search::TopDown));
    let ends = scene.timed(&[times.choices[0].clone(), tuned.clone()])?;
    let (fastest, gain) = times.fastest();
    page.line(format!(
        "{name}: the fastest is L = {fastest}, {gain:.1} times faster than one level. A test takes {:.1} ns and an access {:.1} ns{remark}, so that
K = {:.2}. With this K, the recipe of 2012 gives L = {}; with the paper's K = {PAPER_OVERHEAD}, it gives L = {}.\n
| L | ns per sphere | slowdown | L (m + K) | T | tests | model | accesses | model |\n|---|---|---|---|---|---|---|---|---|",
        1e9 * fitted.test_seconds,
        1e9 * fitted.access_seconds,
        fitted.factor(),
        recipe(&model, 50)?.len(),
        recipe(&scene.model(PAPER_OVERHEAD)?, 50)?.len()
    ));
    let recipes = times
        .choices
        .iter()
        .map(|sizes| recipe_work(&model, sizes))
        .collect::<std::result::Result<Vec<f64>, _>>()?;
    let works = times
        .choices
        .iter()
        .map(|sizes| model.work(sizes, Search::TopDown))
        .collect::<std::result::Result<Vec<f64>, _>>()?;
    let seconds: Vec<f64> = times.timings.iter().map(|timing| timing.seconds).collect();
    let relative = [&seconds, &recipes, &works].map(|values| relative_to_least(values));
    for (i, (sizes, timing)) in times.choices.iter().zip(&times.timings).enumerate() {
        let [tests, accesses, _] = scene.per_sphere(timing);
        let [tests_model, accesses_model, _] = scene.predicted(sizes)?;
        let requested = times.levels[i];
        let levels = if sizes.len() == requested {
            requested.to_string()
        } else {
            format!("{requested} ({})", sizes.len())
        };
        page.line(format!(
            "| {levels} | {} | {:.2} | {:.2} | {:.2} | {} | {} | {} | {} |",
            three_digits(1e9 * timing.seconds / scene.spheres.len() as f64),
            relative[0][i],
            relative[1][i],
            relative[2][i],
            three_digits(tests),
            three_digits(tests_model),
            three_digits(accesses),
            three_digits(accesses_model)
        ));
    }
    page.line(format!(
        "\nWith the optimal sizes for the measured K, L = {}: {} ns per sphere, {:.1} times faster than one level in the same run.\n",
        tuned.len(),
        three_digits(1e9 * ends[1].seconds / scene.spheres.len() as f64),
        ends[0].seconds / ends[1].seconds
    ));
    Ok(())
}

fn relative_to_least(values: &[f64]) -> Vec<f64> {
    let least = values.iter().copied().fold(f64::MAX, f64::min);
    values.iter().map(|value| value / least).collect()
}
