//! Sections on the work over the number of levels, and on the best levels (2014, Figs. 9 and 10).

use jostle::tuning::{Method, Plan, RadiusLaw, Search, plan, plans_up_to};

use super::{
    figure::{Figure, exact},
    figures::{Outcome, Result, joined},
    model::{METHODS, standard},
    plot::{Axis, Curve, Mark, PALETTE, Panel},
    size_ratios::SEARCHES,
};
use crate::{markdown::table, page::Page};

/// Largest number of levels of Fig. 9.
const MOST_LEVELS: usize = 20;

/// Numbers of a list that a table shows if the list is long: the first and the last ones.
const SHOWN_NUMBERS: usize = 12;

/// Plans of a method and a search.
struct Series {
    method: Method,
    search: Search,
    plans: Vec<Plan>,
}

/// Returns the plans for each method and search.
fn series(plans: impl Fn(Method, Search) -> Result<Vec<Plan>>) -> Result<Vec<Series>> {
    let mut all = Vec::new();
    for search in SEARCHES {
        for method in METHODS {
            let plans = plans(method, search)?;
            all.push(Series {
                method,
                search,
                plans,
            });
        }
    }
    Ok(all)
}

/// Returns a panel for each search, with a curve for each method.
fn panels(
    all: &[Series],
    [x, y]: [Axis; 2],
    points: impl Fn(&Series) -> Vec<(f64, f64)>,
) -> Vec<Panel> {
    let panel = |search: Search| Panel {
        title: format!("{search}, ω = 100, α = −3"),
        x,
        y,
        curves: all
            .iter()
            .filter(|series| series.search == search)
            .zip(PALETTE)
            .map(|(series, color)| Curve {
                label: format!("{} sizes", series.method),
                color,
                mark: Mark::Joined,
                points: points(series),
            })
            .collect(),
    };
    SEARCHES.map(panel).into()
}

/// Writes the section on the work over the number of levels.
pub fn over_numbers_of_levels(page: &mut Page) -> Outcome {
    page.line(
        "\n## Work against the number of levels (2014, Fig. 9)\n
Work T for d = 3, ν = 0.7, α = −3, ω = 100, K = 0.2.",
    );
    let law = RadiusLaw::power_law(-3.0, 100.0)?;
    let all =
        series(|method, search| Ok(plans_up_to(&law, &standard(method, search), MOST_LEVELS)?))?;
    Figure {
        name: "tuning-fig-09",
        caption: "Work over the number of levels for four choices of cell sizes and both searches",
        panels: panels(
            &all,
            [Axis::linear("levels L"), Axis::log("work T")],
            |series| {
                let plans = series.plans.iter();
                plans.map(|plan| (plan.levels as f64, plan.work)).collect()
            },
        ),
        columns: 2,
        header: &["method", "search", "levels", "work"],
        rows: all.iter().flat_map(work_rows).collect(),
    }
    .show(page)?;
    page.line("\nThe work for Bottom-Up is in brackets.");
    let header: Vec<String> = std::iter::once("L".to_owned())
        .chain(METHODS.map(|method| method.to_string()))
        .collect();
    let (top_down, bottom_up) = all.split_at(METHODS.len());
    let rows = (0..MOST_LEVELS).map(|row| {
        let work = |series: &Series| series.plans[row].work;
        let cells = top_down
            .iter()
            .zip(bottom_up)
            .map(|(top_down, bottom_up)| format!("{:.2} ({:.2})", work(top_down), work(bottom_up)));
        std::iter::once((row + 1).to_string())
            .chain(cells)
            .collect()
    });
    page.text(&table(&header, rows));
    best_levels(page, &law)
}

fn work_rows(series: &Series) -> impl Iterator<Item = Vec<String>> + '_ {
    series.plans.iter().map(|plan| {
        vec![
            series.method.to_string(),
            series.search.to_string(),
            plan.levels.to_string(),
            exact(plan.work),
        ]
    })
}

/// Writes the section on the cell sizes and the numbers of spheres per cell.
fn best_levels(page: &mut Page, law: &RadiusLaw) -> Outcome {
    page.line("\n### Best cell sizes and spheres per cell (2014, Fig. 10)");
    let all = series(|method, search| Ok(vec![plan(law, &standard(method, search))?]))?;
    let axes = [Axis::log("cell size s"), Axis::log("spheres per cell m")];
    Figure {
        name: "tuning-fig-10",
        caption: "Spheres per cell over the cell size of the best levels, for four choices of cell sizes and both searches",
        panels: panels(&all, axes, |series| {
            let levels = series.plans.iter().flat_map(|plan| &plan.per_level);
            levels
                .map(|level| (level.cell_size, level.particles_per_cell))
                .collect()
        }),
        columns: 2,
        header: &["method", "search", "level", "cell_size", "spheres_per_cell"],
        rows: all.iter().flat_map(level_rows).collect(),
    }
    .show(page)?;
    let header = ["search", "method", "L", "T", "sizes", "spheres per cell"];
    let rows = all.iter().flat_map(|series| {
        series.plans.iter().map(|plan| {
            vec![
                series.search.to_string(),
                series.method.to_string(),
                plan.levels.to_string(),
                format!("{:.2}", plan.work),
                shortened(&plan.cell_sizes, 1),
                shortened(&plan.particles_per_cell, 3),
            ]
        })
    });
    page.text(&table(&header, rows));
    Ok(())
}

fn level_rows(series: &Series) -> impl Iterator<Item = Vec<String>> + '_ {
    let levels = series.plans.iter().flat_map(|plan| &plan.per_level);
    levels.enumerate().map(|(below, level)| {
        vec![
            series.method.to_string(),
            series.search.to_string(),
            (below + 1).to_string(),
            exact(level.cell_size),
            exact(level.particles_per_cell),
        ]
    })
}

/// Returns numbers as text, without the middle of a long list.
fn shortened(values: &[f64], decimals: usize) -> String {
    if values.len() <= SHOWN_NUMBERS {
        return joined(values, decimals);
    }
    let half = SHOWN_NUMBERS / 2;
    format!(
        "{} … {}",
        joined(&values[..half], decimals),
        joined(&values[values.len() - half..], decimals)
    )
}
