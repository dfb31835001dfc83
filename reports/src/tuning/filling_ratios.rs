//! Section on the ratio q of the numbers of spheres per cell of neighboring levels (2014, Fig. 6).

use jostle::tuning::{Method, Plan, RadiusLaw, Search, plans_up_to};

use super::{
    figure::{Figure, exact},
    figures::{Outcome, Result},
    model::standard,
    plot::{Axis, Curve, Mark, PALETTE, Panel},
    size_ratios::SEARCHES,
};
use crate::{markdown::table, page::Page};

/// Ratios of the curves over the number of levels.
const CURVES: [f64; 4] = [0.5, 1.0, 2.0, 5.0];

/// Ratios of the curve of least work. Below 0.9, the best number of levels exceeds [`MOST_LEVELS`].
const RATIOS: [f64; 14] = [
    0.9, 0.95, 1.0, 1.05, 1.1, 1.2, 1.3, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 5.0,
];

/// Largest number of levels of the curve of least work.
const MOST_LEVELS: usize = 60;

/// Largest number of levels of the curves over the number of levels.
const SHOWN_LEVELS: usize = 20;

/// Returns the plans with ratio q for each number of levels up to `levels`, for α = −3 and ω = 100.
pub fn plans(q: f64, search: Search, levels: usize) -> Result<Vec<Plan>> {
    let law = RadiusLaw::power_law(-3.0, 100.0)?;
    let options = standard(Method::Constant, search).ratio(q);
    Ok(plans_up_to(&law, &options, levels)?)
}

/// Returns the plan of least work.
pub fn least(plans: &[Plan]) -> Result<&Plan> {
    let least = plans.iter().min_by(|a, b| a.work.total_cmp(&b.work));
    least.ok_or_else(|| "there is no plan".into())
}

/// Plans of a search with one ratio q.
struct Series {
    search: Search,
    q: f64,
    plans: Vec<Plan>,
}

/// Writes the section.
pub fn section(page: &mut Page) -> Outcome {
    page.line("\n### Constant sizes with q ≠ 1 (Fig. 6)\n
Work T of sizes with which each level has q times as many spheres per cell as the next finer level, for α = −3 and ω = 100. The
right panel is the inset of the figure of the paper: the least work over the number of levels.");
    let (mut curves, mut minima) = (Vec::new(), Vec::new());
    for search in SEARCHES {
        for q in CURVES {
            let plans = plans(q, search, SHOWN_LEVELS)?;
            curves.push(Series { search, q, plans });
        }
        for q in RATIOS {
            let plans = plans(q, search, MOST_LEVELS)?;
            minima.push((search, q, least(&plans)?.clone()));
        }
    }
    let mut panels: Vec<Panel> = SEARCHES
        .map(|search| Panel {
            title: format!("{search}, ω = 100, α = −3"),
            x: Axis::linear("levels L"),
            y: Axis::log("work T"),
            curves: over_levels(&curves, search),
        })
        .into();
    panels.push(Panel {
        title: "Least work over the number of levels".to_owned(),
        x: Axis::linear("ratio q"),
        y: Axis::log("work T"),
        curves: SEARCHES.map(|search| over_ratios(&minima, search)).into(),
    });
    let shown = curves.iter().flat_map(|series| {
        let plans = series.plans.iter();
        plans.map(|plan| row("curve", series.search, series.q, plan))
    });
    let inset = minima
        .iter()
        .map(|(search, q, plan)| row("inset", *search, *q, plan));
    Figure {
        name: "tuning-fig-06",
        caption: "Work over the number of levels for four ratios q, and least work over q",
        panels,
        columns: 3,
        header: &["part", "search", "ratio", "levels", "work"],
        rows: shown.chain(inset).collect(),
    }
    .show(page)?;
    let header: Vec<String> = std::iter::once("least T at L".to_owned())
        .chain(RATIOS.map(|q| format!("q = {q}")))
        .collect();
    let rows = SEARCHES.map(|search| {
        let here = minima.iter().filter(|(other, ..)| *other == search);
        let cells = here.map(|(_, _, plan)| format!("{:.2} at {}", plan.work, plan.levels));
        std::iter::once(search.to_string()).chain(cells).collect()
    });
    page.text(&table(&header, rows));
    Ok(())
}

fn over_levels(all: &[Series], search: Search) -> Vec<Curve> {
    let curve = |(series, color): (&Series, _)| Curve {
        label: format!("q = {}", series.q),
        color,
        mark: Mark::Joined,
        points: series
            .plans
            .iter()
            .map(|plan| (plan.levels as f64, plan.work))
            .collect(),
    };
    let here = all.iter().filter(|series| series.search == search);
    here.zip(PALETTE).map(curve).collect()
}

fn over_ratios(minima: &[(Search, f64, Plan)], search: Search) -> Curve {
    let here = minima.iter().filter(|(other, ..)| *other == search);
    Curve {
        label: format!("least work, {search}"),
        color: PALETTE[4],
        mark: match search {
            Search::BottomUp => Mark::Dashed,
            _ => Mark::Line,
        },
        points: here.map(|(_, q, plan)| (*q, plan.work)).collect(),
    }
}

fn row(part: &str, search: Search, q: f64, plan: &Plan) -> Vec<String> {
    vec![
        part.to_owned(),
        search.to_string(),
        exact(q),
        plan.levels.to_string(),
        exact(plan.work),
    ]
}
