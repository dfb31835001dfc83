//! Sections on the work over the size ratio (2014, Figs. 3, 4, 5, 7 and 8).

use jostle::tuning::{Method, Plan, RadiusLaw, Search, plan};

use super::{
    figure::{Figure, exact},
    figures::{Outcome, Result, three_digits},
    model::standard,
    plot::{Axis, Curve, Mark, PALETTE, Panel},
};
use crate::{markdown::table, page::Page};

/// Searches of the paper.
pub const SEARCHES: [Search; 2] = [Search::TopDown, Search::BottomUp];

/// Exponents of Figs. 4, 5, 7 and 8.
pub const EXPONENTS: [f64; 2] = [0.0, -3.0];

/// Exponents of Fig. 3. The exponent −4 is beyond the range that the paper describes.
const ONE_LEVEL_EXPONENTS: [f64; 5] = [0.0, -1.0, -2.0, -3.0, -4.0];

/// Size ratios of a decade, in about equal ratios.
const DECADE: [f64; 10] = [1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0];

/// Size ratios of the tables.
const TABLE: [f64; 10] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0];

/// Best plans over the size ratio, for a method, a search and an exponent.
pub struct Series {
    pub exponent: f64,
    pub search: Search,
    pub plans: Vec<Plan>,
}

/// Returns the best plans of a method at the given size ratios, for both exponents and both searches.
pub fn series(method: Method, size_ratios: &[f64]) -> Result<Vec<Series>> {
    let mut all = Vec::new();
    for exponent in EXPONENTS {
        for search in SEARCHES {
            let plans = plans(method, search, exponent, size_ratios)?;
            all.push(Series {
                exponent,
                search,
                plans,
            });
        }
    }
    Ok(all)
}

/// Returns the best plans of a method at the given size ratios.
pub fn plans(
    method: Method,
    search: Search,
    exponent: f64,
    size_ratios: &[f64],
) -> Result<Vec<Plan>> {
    let plan = |&size_ratio: &f64| {
        let law = RadiusLaw::power_law(exponent, size_ratio)?;
        Ok(plan(&law, &standard(method, search))?)
    };
    size_ratios.iter().map(plan).collect()
}

/// Returns the size ratios of the figures, from 1 to 1000.
fn size_ratios() -> Vec<f64> {
    let decades = [1.0, 10.0, 100.0].into_iter();
    let below = decades.flat_map(|power| DECADE.map(|factor| factor * power));
    below.chain([1000.0]).collect()
}

/// Returns the cells of a row of a table: a name, and a text for each size ratio of the tables.
fn cells(name: String, plans: &[Plan], cell: impl Fn(&Plan) -> String) -> Vec<String> {
    let shown = |plan: &&Plan| TABLE.contains(&plan.size_ratio);
    let texts = plans.iter().filter(shown).map(cell);
    std::iter::once(name).chain(texts).collect()
}

/// Returns the header of a table with a column for each size ratio of the tables.
fn header(first: &str) -> Vec<String> {
    let ratios = TABLE.map(|size_ratio| format!("ω = {size_ratio}"));
    std::iter::once(first.to_owned()).chain(ratios).collect()
}

/// Writes the sections on one level (Fig. 3) and on the least work for each exponent.
pub fn exponents(page: &mut Page) -> Outcome {
    page.line("\n## Work against the size ratio (2014, Figs. 3 to 8)\n
All figures and tables of this section are for d = 3, ν = 0.7 and K = 0.2. At ω = 1 all spheres are equal.\n
### One level (Fig. 3)\n
Work T of the linked cell method: a single level with cells as wide as the largest sphere.");
    let ratios = size_ratios();
    let mut all = Vec::new();
    for exponent in ONE_LEVEL_EXPONENTS {
        let plans = plans(Method::Optimal, Search::TopDown, exponent, &ratios)?;
        all.push((exponent, plans));
    }
    let curve = |((exponent, plans), color): (&(f64, Vec<Plan>), _)| Curve {
        label: format!("α = {exponent}"),
        color,
        mark: Mark::Line,
        points: points(plans, |plan| plan.work_single_level),
    };
    Figure {
        name: "tuning-fig-03",
        caption: "Work of a single level over the size ratio, for five exponents",
        panels: vec![Panel {
            title: "One level".to_owned(),
            x: Axis::log("size ratio ω"),
            y: Axis::log("work T"),
            curves: all.iter().zip(PALETTE).map(curve).collect(),
        }],
        columns: 1,
        header: &["exponent", "size_ratio", "work"],
        rows: all
            .iter()
            .flat_map(|(exponent, plans)| plans.iter().map(move |plan| (exponent, plan)))
            .map(|(exponent, plan)| {
                [*exponent, plan.size_ratio, plan.work_single_level]
                    .map(exact)
                    .to_vec()
            })
            .collect(),
    }
    .show(page)?;
    page.line("\nThe least work T by the optimal sizes, at the best L, and the work on one level over T. Top-Down.");
    let row = |(exponent, plans): &(f64, Vec<Plan>)| {
        cells(exponent.to_string(), plans, |plan| {
            let gain = three_digits(plan.speedup);
            format!("{:.2} at {}, {gain}×", plan.work, plan.levels)
        })
    };
    page.text(&table(&header("α"), all.iter().map(row)));
    let works = all
        .iter()
        .flat_map(|(_, plans)| plans)
        .map(|plan| plan.work);
    page.line(format!(
        "\nThe paper states T ≤ 30. The largest T of these plans is {:.2}. Linear and exponential sizes, and Bottom-Up, exceed 30 (see below).",
        works.fold(0.0, f64::max)
    ));
    Ok(())
}

fn points(plans: &[Plan], value: impl Fn(&Plan) -> f64) -> Vec<(f64, f64)> {
    let point = |plan: &Plan| (plan.size_ratio, value(plan));
    plans.iter().map(point).collect()
}

/// Writes the section of a method, with its figure in the paper.
pub fn of_method(page: &mut Page, method: Method, number: u8) -> Outcome {
    page.line(format!(
        "\n### Fig. {number}: {method} sizes\n\nWork T at the best number of levels, and this number L."
    ));
    let all = series(method, &size_ratios())?;
    let panel = |title: &str, y: Axis, value: fn(&Plan) -> f64| Panel {
        title: format!("{title}, {method} sizes"),
        x: Axis::log("size ratio ω"),
        y,
        curves: all.iter().map(|series| curve(series, value)).collect(),
    };
    Figure {
        name: &format!("tuning-fig-{number:02}"),
        caption: &format!("Work and best number of levels of {method} sizes over the size ratio"),
        panels: vec![
            panel("Work", Axis::log("work T"), |plan| plan.work),
            panel("Best number of levels", Axis::log("levels L"), |plan| {
                plan.levels as f64
            }),
        ],
        columns: 2,
        header: &["exponent", "search", "size_ratio", "levels", "work"],
        rows: all.iter().flat_map(rows).collect(),
    }
    .show(page)?;
    let row = |series: &Series| {
        let name = format!("{}, {}", series.exponent, series.search);
        cells(name, &series.plans, |plan| {
            format!("{:.2} at {}", plan.work, plan.levels)
        })
    };
    page.text(&table(&header("α, search"), all.iter().map(row)));
    Ok(())
}

/// Returns the curve of a series: the color is that of the exponent, and the line that of the search.
fn curve(series: &Series, value: fn(&Plan) -> f64) -> Curve {
    let color = EXPONENTS
        .iter()
        .position(|&exponent| exponent == series.exponent);
    Curve {
        label: format!("α = {}, {}", series.exponent, series.search),
        color: PALETTE[color.unwrap_or(0)],
        mark: match series.search {
            Search::BottomUp => Mark::Dashed,
            _ => Mark::Line,
        },
        points: points(&series.plans, value),
    }
}

fn rows(series: &Series) -> impl Iterator<Item = Vec<String>> + '_ {
    series.plans.iter().map(|plan| {
        vec![
            exact(series.exponent),
            series.search.to_string(),
            exact(plan.size_ratio),
            plan.levels.to_string(),
            exact(plan.work),
        ]
    })
}
