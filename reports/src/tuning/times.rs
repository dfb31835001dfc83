//! Sections of the report on measured times.

use crate::page::Page;
use jostle::{
    laboratory::compare::{measure_overhead, search},
    tuning::{Search, SearchTiming, constant_per_cell, fit_overhead, optimal, recipe, recipe_work},
};

use super::{
    figures::{Outcome, Result, three_digits},
    scene::{MOST, OVERHEAD, REPEATS, Scene, Scenes},
};

/// Largest number of levels in the table over the number of levels.
const MOST_LEVELS: usize = 12;

pub fn over_levels(page: &mut Page, scenes: &mut Scenes) -> Outcome {
    page.line("\n## Time against the number of levels (2012, Fig. 4)\n
Packings of N = 125 001 spheres with ν = 0.62 and ω = 50. Every level has the same number of spheres per cell, as in
Appendix A. The slowdown is the time over the time of the fastest number of levels. L (m + K) and T are given over their least
values, for the K that fits the times best. The papers use K = 0.2 to 0.3; a larger K makes fewer levels best. Levels with less
than an eighth of a sphere per cell are stored as hash tables, whose accesses take longer than other accesses.\n");
    for (name, exponent, paper) in [
        (
            "uniform volume",
            -3.0,
            "L = 8 as best, 220 times faster than one level",
        ),
        (
            "uniform size",
            0.0,
            "L = 2 as best, 1.3 times faster than one level",
        ),
    ] {
        let scene = scenes.packed(exponent, 50.0, 125_001, 0.62)?;
        print_levels(page, name, &scene, paper)?;
    }
    Ok(())
}

/// Prints the table of times for one distribution.
fn print_levels(page: &mut Page, name: &str, scene: &Scene, paper: &str) -> Outcome {
    let choices = (1..=MOST_LEVELS)
        .map(|levels| {
            let sizes = constant_per_cell(&scene.model(OVERHEAD)?, levels, 1.0)?;
            Ok(scene.whole(&sizes))
        })
        .collect::<Result<Vec<_>>>()?;
    let timings = scene.timed(&choices)?;
    let fitted = fit_overhead(&timings).ok_or("the times do not separate tests from accesses")?;
    let model = scene.model(fitted.factor())?;
    let tuned = scene.whole(&optimal(&model, Search::TopDown));
    let ends = scene.timed(&[choices[0].clone(), tuned.clone()])?;

    page.line(format!(
        "{name}: {:.1} ns per test and {:.1} ns per access, so that K = {:.2}. With this K, the recipe of 2012 gives L = {}. The paper
reports {paper}.\n
| L | ns per sphere | slowdown | L (m + K) | T | tests | model | accesses | model |\n|---|---|---|---|---|---|---|---|---|",
        1e9 * fitted.test_seconds,
        1e9 * fitted.access_seconds,
        fitted.factor(),
        recipe(&model, 50)?.len()
    ));
    let recipes = choices
        .iter()
        .map(|sizes| recipe_work(&model, sizes))
        .collect::<std::result::Result<Vec<f64>, _>>()?;
    let works = choices
        .iter()
        .map(|sizes| model.work(sizes, Search::TopDown))
        .collect::<std::result::Result<Vec<f64>, _>>()?;
    let relative = [
        relative_to_least(&seconds(&timings)),
        relative_to_least(&recipes),
        relative_to_least(&works),
    ];
    for (i, (sizes, timing)) in choices.iter().zip(&timings).enumerate() {
        let [tests, accesses, _] = scene.per_sphere(timing);
        let [tests_model, accesses_model, _] = scene.predicted(sizes)?;
        page.line(format!(
            "| {} | {} | {:.2} | {:.2} | {:.2} | {} | {} | {} | {} |",
            i + 1,
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

fn seconds(timings: &[SearchTiming]) -> Vec<f64> {
    timings.iter().map(|timing| timing.seconds).collect()
}

fn relative_to_least(values: &[f64]) -> Vec<f64> {
    let least = values.iter().copied().fold(f64::MAX, f64::min);
    values.iter().map(|value| value / least).collect()
}

pub fn over_numbers_and_size_ratios(page: &mut Page, scenes: &mut Scenes) -> Outcome {
    let overhead = measure_overhead()
        .ok_or("the times do not separate tests from accesses")?
        .factor();
    page.line(format!(
        "## Time against the number of spheres and the size ratio (2012, Fig. 5)\n
Packings of uniform volume with ν = 0.62, and the optimal sizes for the measured K = {overhead:.2}. Times are in nanoseconds per
sphere. The number in brackets is the ratio to the time of the same number of equal spheres in the same run. The paper reports
times within ±50 % of the times of equal spheres, which fall with ω. Here, ω = 1 has a single level without searches between
levels.\n
| N | ω = 1 | 2 | 5 | 10 | 20 | 50 | 100 |\n|---|---|---|---|---|---|---|---|"
    ));
    let mut changes = Vec::new();
    for count in [10_000, 100_000, MOST] {
        let ratios = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];
        let shown = |ratio: &f64| count < MOST || [1.0, 10.0, 100.0].contains(ratio);
        let mut grids = Vec::new();
        for size_ratio in ratios.into_iter().filter(shown) {
            let scene = scenes.packed(-3.0, size_ratio, count, 0.62)?;
            let sizes = scene.whole(&optimal(&scene.model(overhead)?, Search::TopDown));
            grids.push((scene.grid(&sizes)?, scene, f64::MAX));
        }
        for _ in 0..REPEATS {
            for (grid, scene, fastest) in &mut grids {
                *fastest = fastest.min(search(grid, &scene.spheres).seconds);
            }
        }
        let equal = grids[0].2;
        page.text(&format!("| {count} |"));
        let (mut at_ten, mut last) = (f64::NAN, f64::NAN);
        let mut times = grids.iter().map(|(_, _, seconds)| seconds);
        for ratio in ratios {
            page.text(" ");
            if let Some(seconds) = shown(&ratio).then(|| times.next()).flatten() {
                let nanoseconds = 1e9 * seconds / count as f64;
                if ratio == 10.0 {
                    at_ten = *seconds;
                }
                last = *seconds;
                page.text(&format!("{nanoseconds:.0} ({:.2}) ", seconds / equal));
            }
            page.text("|");
        }
        page.line("");
        changes.push(format!(
            "{:+.0} % for {count}",
            100.0 * (last / at_ten - 1.0)
        ));
    }
    page.line(format!(
        "\nFrom ω = 10 to ω = 100, the time changes by {} spheres.",
        changes.join(", ")
    ));
    Ok(())
}
