//! Rows of the statements in Sections 2 to 5.

use jostle::{
    laboratory::broad_phase::HGridSearch,
    tuning::{Method, RadiusLaw, Search, plan},
};

use super::{
    counts::{counts, reported},
    figures::{PAGE, standard_best},
    stated,
};
use crate::{
    numbers::signed,
    outcome::Outcome,
    papers::row::Row,
    tuning::{
        counts::shared_cells,
        filling_ratios::{least, plans as plans_with_ratio},
        model::{METHODS, standard},
        scene::{Scene, Scenes, radii},
        size_ratios::{EXPONENTS, SEARCHES, plans},
        times::overhead_of_machine,
    },
};

/// Number of spheres in the packing of the shared cells.
const PACKED: usize = 50_000;

/// Returns the rows.
pub fn rows(scenes: &mut Scenes) -> Outcome<Vec<Row>> {
    let mut rows = linear_cost()?;
    rows.push(overhead()?);
    rows.extend(linear_sizes()?);
    rows.extend(exponential_sizes()?);
    rows.extend(constant_sizes()?);
    rows.extend(comparison()?);
    rows.extend(sensitivity()?);
    rows.extend(shares(scenes)?);
    Ok(rows)
}

/// Returns the least work at each size ratio.
pub fn works(
    method: Method,
    search: Search,
    exponent: f64,
    size_ratios: &[f64],
) -> Outcome<Vec<f64>> {
    let plans = plans(method, search, exponent, size_ratios)?;
    Ok(plans.iter().map(|plan| plan.work).collect())
}

/// Returns the least work at one size ratio.
pub fn work(method: Method, search: Search, exponent: f64, size_ratio: f64) -> Outcome<f64> {
    Ok(works(method, search, exponent, &[size_ratio])?[0])
}

/// Returns the best number of levels at ω = 10, 100 and 1000.
fn levels(method: Method, search: Search, exponent: f64) -> Outcome<[usize; 3]> {
    let plans = plans(method, search, exponent, &[10.0, 100.0, 1000.0])?;
    Ok([0, 1, 2].map(|i| plans[i].levels))
}

fn linear_cost() -> Outcome<Vec<Row>> {
    let (mut work, mut bytes) = (Vec::new(), Vec::new());
    for count in [10_000, 100_000] {
        let scene = Scene::random(&radii(-3.0, 10.0, count)?, 0.62)?;
        let smallest = scene.law.smallest_radius();
        let sizes: Vec<f64> = scene
            .tuned()?
            .iter()
            .map(|size| size * smallest * (1.0 + 1e-12))
            .collect();
        let [tests, accesses] = counts(
            &scene.spheres,
            &scene.container,
            &sizes,
            HGridSearch::TopDown,
        )?;
        work.push((tests + 0.2 * accesses) / count as f64);
        let (_, held) = reported(
            &scene.spheres,
            &scene.container,
            &sizes,
            HGridSearch::TopDown,
        )?;
        bytes.push(held as f64 / count as f64);
    }
    Ok(vec![
        stated(
            "Section 3.3",
            "the work is linear in N",
            "T/N does not depend on N",
            (
                format!("T/N = {:.2} for N = 10⁴, {:.2} for 10⁵", work[0], work[1]),
                (work[1] / work[0] - 1.0).abs() < 0.03,
            ),
            "random positions, α = −3, ω = 10, ν = 0.62",
        ),
        stated(
            "Section 2",
            "the memory is linear in N",
            "O(N)",
            (
                format!(
                    "{:.0} bytes a sphere for N = 10⁴, {:.0} for 10⁵",
                    bytes[0], bytes[1]
                ),
                (bytes[1] / bytes[0] - 1.0).abs() < 0.3,
            ),
            "capacities of the arrays grow by doubling",
        ),
    ])
}

fn overhead() -> Outcome<Row> {
    let overhead = overhead_of_machine()?;
    let factor = overhead.factor();
    let times = [overhead.access_seconds, overhead.test_seconds].map(|seconds| 1e9 * seconds);
    Ok(stated(
        "Section 3.3",
        "cost K of a cell access in overlap tests",
        "0.2",
        (
            format!("{factor:.2} ({:.1} ns over {:.1} ns)", times[0], times[1]),
            (factor / 0.2 - 1.0).abs() < 0.5,
        ),
        "The spheres are sorted by cell here, which makes tests cheap beside accesses. [tuning.md](tuning.md) fits K to other searches.",
    ))
}

#[expect(clippy::too_many_lines, reason = "rows of a table")]
fn linear_sizes() -> Outcome<Vec<Row>> {
    let (mut savings, mut speedups) = (Vec::new(), Vec::new());
    for search in SEARCHES {
        let zero = &plans(Method::Linear, search, 0.0, &[1000.0])?[0];
        savings.push(100.0 * (1.0 - zero.speedup.recip()));
        speedups.push(plans(Method::Linear, search, -3.0, &[1000.0])?[0].speedup);
    }
    let mut better = Vec::new();
    for exponent in [1.0, 0.5, 0.1, -0.5, -1.0, -2.0, -3.0] {
        let [down, up] = [
            work(Method::Linear, Search::TopDown, exponent, 100.0)?,
            work(Method::Linear, Search::BottomUp, exponent, 100.0)?,
        ];
        better.push((up < down) == (exponent > 0.0));
    }
    let numbers = levels(Method::Linear, Search::TopDown, -3.0)?;
    let holds = better.iter().filter(|&&holds| holds).count();
    Ok(vec![
        stated(
            "Section 5.2.1",
            "linear sizes save work at α = 0 (ω = 1000)",
            "approximately 60 %",
            (
                format!(
                    "{:.0} % Top-Down, {:.0} % Bottom-Up",
                    savings[0], savings[1]
                ),
                savings.iter().all(|saving| (saving - 60.0).abs() < 6.0),
            ),
            PAGE,
        ),
        stated(
            "Section 5.2.1",
            "linear sizes save work at α = −3 (ω = 1000)",
            "several orders of magnitude",
            (
                format!(
                    "{:.1e} times Top-Down, {:.1e} times Bottom-Up",
                    speedups[0], speedups[1]
                ),
                speedups.iter().all(|&speedup| speedup > 1e3),
            ),
            PAGE,
        ),
        stated(
            "Section 5.2.1",
            "linear sizes: Bottom-Up is better for α > 0, Top-Down for α < 0 (ω = 100)",
            "all exponents",
            (
                format!("{holds} of {} exponents from 1 to −3", better.len()),
                holds == better.len(),
            ),
            "",
        ),
        stated(
            "Section 5.2.1",
            "linear sizes: the best L increases significantly with ω at α = −3 (ω = 10, 100, 1000; Top-Down)",
            "increases",
            (format!("{numbers:?}"), numbers[2] > 4 * numbers[0]),
            PAGE,
        ),
    ])
}

fn exponential_sizes() -> Outcome<Vec<Row>> {
    let mut better = Vec::new();
    for (exponent, is_bottom_up) in [
        (0.0, true),
        (-2.0, false),
        (-2.5, false),
        (-3.0, false),
        (-4.0, false),
    ] {
        let [down, up] = [
            work(Method::Exponential, Search::TopDown, exponent, 100.0)?,
            work(Method::Exponential, Search::BottomUp, exponent, 100.0)?,
        ];
        better.push((up < down) == is_bottom_up);
    }
    let holds = better.iter().filter(|&&holds| holds).count();
    let [down, up] = [
        levels(Method::Exponential, Search::TopDown, -3.0)?,
        levels(Method::Exponential, Search::BottomUp, -3.0)?,
    ];
    Ok(vec![
        stated(
            "Section 5.2.2",
            "exponential sizes: Bottom-Up is better at α = 0, Top-Down for α ≤ −2 (ω = 100)",
            "all exponents",
            (
                format!("{holds} of {} exponents", better.len()),
                holds == better.len(),
            ),
            PAGE,
        ),
        stated(
            "Section 5.2.2",
            "exponential sizes: the best L depends little on ω with Top-Down (ω = 10, 100, 1000; α = −3)",
            "not that strongly",
            (format!("{down:?}"), down[2] <= down[0] + 1),
            PAGE,
        ),
        stated(
            "Section 5.2.2",
            "exponential sizes: the best L increases with ω with Bottom-Up (ω = 10, 100, 1000; α = −3)",
            "increases",
            (format!("{up:?}"), up.is_sorted_by(|a, b| a < b)),
            PAGE,
        ),
    ])
}

fn constant_sizes() -> Outcome<Vec<Row>> {
    let ratios = [1.0, 1.1, 1.2, 1.5, 2.0];
    let mut best = Vec::new();
    for search in SEARCHES {
        let mut works = Vec::new();
        for q in ratios {
            works.push((q, least(&plans_with_ratio(q, search, 30)?)?.work));
        }
        let (q, _) = works
            .into_iter()
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .ok_or("there is no ratio")?;
        best.push(q);
    }
    let acceptable = |q: f64| -> Outcome<usize> {
        let plans = plans_with_ratio(q, Search::TopDown, 30)?;
        let limit = 1.15 * least(&plans)?.work;
        Ok(plans.iter().filter(|plan| plan.work < limit).count())
    };
    let [one, two] = [acceptable(1.0)?, acceptable(2.0)?];
    let mut preferred = 0;
    let exponents = [1.0, 0.0, -1.0, -2.0, -3.0, -4.0];
    for exponent in exponents {
        let [down, up] = [
            work(Method::Constant, Search::TopDown, exponent, 100.0)?,
            work(Method::Constant, Search::BottomUp, exponent, 100.0)?,
        ];
        preferred += usize::from(down < up);
    }
    Ok(vec![
        stated(
            "Section 5.2.3",
            "best ratio q, Top-Down and Bottom-Up",
            "between 1 and 2",
            (
                format!("{} and {}, of {ratios:?}", best[0], best[1]),
                best.iter().all(|&q| q > 1.0 && q < 2.0),
            ),
            PAGE,
        ),
        stated(
            "Section 5.2.3",
            "more numbers of levels are acceptable for q = 1 than for q = 2 (work within 15 % of the least)",
            "much bigger for q = 1",
            (format!("{one} for q = 1, {two} for q = 2"), one > two),
            PAGE,
        ),
        stated(
            "Section 5.2.3",
            "constant sizes with q = 1: Top-Down is better for all α (ω = 100)",
            "all exponents",
            (
                format!("{preferred} of {} exponents from 1 to −4", exponents.len()),
                preferred == exponents.len(),
            ),
            PAGE,
        ),
    ])
}

/// Sections 5.2.4 and 5.3.
#[expect(clippy::too_many_lines, reason = "rows of a table")]
fn comparison() -> Outcome<Vec<Row>> {
    let mut closest = Vec::new();
    for search in SEARCHES {
        let mut most = 0.0;
        for exponent in EXPONENTS {
            let ratios = [2.0, 10.0, 100.0, 1000.0];
            let constant = works(Method::Constant, search, exponent, &ratios)?;
            let optimal = works(Method::Optimal, search, exponent, &ratios)?;
            most = constant
                .iter()
                .zip(&optimal)
                .map(|(c, o)| 100.0 * (c / o - 1.0))
                .fold(most, f64::max);
        }
        closest.push(most);
    }
    let (mut without_saving, mut growing) = (Vec::new(), Vec::new());
    for method in METHODS {
        for search in SEARCHES {
            for exponent in EXPONENTS {
                let plans = plans(method, search, exponent, &[100.0, 1000.0])?;
                let name = format!("{method}, {search}, α = {exponent}");
                if plans[0].speedup < 1.5 {
                    without_saving.push(name.clone());
                }
                let growth = plans[1].work / plans[0].work - 1.0;
                if growth > 0.2 {
                    growing.push(format!("{name} ({} %)", signed(100.0 * growth, 0)));
                }
            }
        }
    }
    Ok(vec![
        stated(
            "Section 5.2.4",
            "constant sizes exceed the work of the optimal sizes by little (Top-Down, Bottom-Up)",
            "quite comparable",
            (
                format!("at most {:.1} %, {:.1} %", closest[0], closest[1]),
                closest.iter().all(|&most| most < 10.0),
            ),
            PAGE,
        ),
        stated(
            "Section 5.3",
            "every combination of cell sizes and search saves work at α = 0 and −3 (ω = 100)",
            "all",
            (
                format!("all but: {}", without_saving.join("; ")),
                without_saving.is_empty(),
            ),
            "With Top-Down at α = 0, large spheres open so many fine cells of exponential sizes that one level is best.",
        ),
        stated(
            "Section 5.3",
            "for large ω, the work does not depend on ω; one exception",
            "all but linear, Bottom-Up, α = 0",
            (
                format!("all but: {}", growing.join("; ")),
                growing == ["linear, bottom-up, α = 0"],
            ),
            "The exception is α = −3: the text names the wrong exponent. Growth from ω = 100 to 1000, exceptions above 20 %.",
        ),
    ])
}

fn sensitivity() -> Outcome<Vec<Row>> {
    let law = RadiusLaw::power_law(-3.0, 100.0)?;
    let loss = |method: Method, levels: usize| -> Outcome<f64> {
        let best = standard_best(method, Search::TopDown)?;
        let other = plan(&law, &standard(method, Search::TopDown).levels(levels))?;
        Ok(100.0 * (other.work / best.work - 1.0))
    };
    let mut rows = Vec::new();
    for (statement, method, levels, paper, reason) in [
        (
            "exponential sizes: loss at L = 3",
            Method::Exponential,
            3,
            43.0,
            "The printed least work of exponential sizes is a misprint, too (Fig. 5).",
        ),
        (
            "exponential sizes: loss at L = 6",
            Method::Exponential,
            6,
            24.0,
            "",
        ),
        (
            "constant sizes: loss at L = 8",
            Method::Constant,
            8,
            10.0,
            "",
        ),
        (
            "constant sizes: loss at L = 19",
            Method::Constant,
            19,
            10.0,
            "",
        ),
    ] {
        let found = loss(method, levels)?;
        rows.push(stated(
            "Section 5.3",
            statement,
            &format!("{paper} %"),
            (format!("{found:.1} %"), (found - paper).abs() < 1.0),
            reason,
        ));
    }
    let optimal = [loss(Method::Optimal, 6)?, loss(Method::Optimal, 19)?];
    rows.push(stated(
        "Section 5.3",
        "optimal sizes: loss at L = 6 and 19",
        "even less sensitive",
        (
            format!("{:.2} %, {:.2} %", optimal[0], optimal[1]),
            optimal.iter().all(|&loss| loss < 1.0),
        ),
        PAGE,
    ));
    Ok(rows)
}

/// Section 5.4.1.
fn shares(scenes: &mut Scenes) -> Outcome<Vec<Row>> {
    let random = Scene::random(&radii(-3.0, 100.0, PACKED)?, 0.62)?;
    let packed = scenes.packed(-3.0, 100.0, PACKED, 0.62)?;
    let reason = "50 000 spheres; a million in [tuning.md](tuning.md)";
    let compared = |statement, theirs, scene: &Scene| -> Outcome<Row> {
        let share = shared_cells(scene, scene.tuned()?[0]);
        Ok(Row::compared(
            "Section 5.4.1",
            statement,
            theirs,
            share,
            0.1,
            reason,
        ))
    };
    Ok(vec![
        compared(
            "finest cells with two or more spheres in a packing, in percent (α = −3, ω = 100, ν = 0.62)",
            2.26,
            &packed,
        )?,
        compared(
            "finest cells with two or more spheres at random positions, in percent",
            1.26,
            &random,
        )?,
    ])
}
