//! Rows of the figures.

use jostle::tuning::{Method, Plan, RadiusLaw, Search};

use super::{
    equations::{cell, searched},
    laws::{density, derivative},
    stated,
};
use crate::{
    numbers::signed,
    outcome::Outcome,
    papers::row::Row,
    tuning::{
        boundaries,
        filling_ratios::{least, plans as plans_with_ratio},
        model::METHODS,
        packing_fractions,
        scene::Scenes,
        size_ratios::{SEARCHES, plans},
    },
};

/// Where the page shows the figures.
pub const PAGE: &str = "figure and data in [tuning.md](tuning.md)";

/// Number of spheres in the packings of the rows; tuning.md has a million.
const PACKED: usize = 20_000;

/// Returns the rows.
pub fn rows(scenes: &mut Scenes) -> Outcome<Vec<Row>> {
    let mut rows = vec![
        first_cells(),
        first_cells_around_c(),
        densities()?,
        one_level()?,
    ];
    rows.extend(minima()?);
    rows.push(best_ratios()?);
    rows.push(fillings()?);
    rows.push(packing_fractions(scenes)?);
    rows.extend(boundaries(scenes)?);
    Ok(rows)
}

fn first_cells() -> Row {
    let center = [10.3, 14.4];
    let [[x, y], [right, top]] = searched(center, 4.0, 3.0);
    let ours = format!("({x}, {y}, 1) to ({right}, {top}, 1)");
    let theirs = "(1, 3, 1) to (5, 6, 1)";
    let holds = ours == theirs;
    stated(
        "Fig. 1",
        "fine cells that the search around B opens",
        theirs,
        (ours, holds),
        "Misprint: by Eq. 4 the first cell of the second axis is ⌊(14.4 − 5.5)/3⌋ = 2. Without row 2 the search misses contacts, as a \
         test shows.",
    )
}

fn first_cells_around_c() -> Row {
    // The position of C is not given; this is the middle of the upper half of cell (4, 4).
    let center = [14.25, 14.25];
    let [[x, y], [right, top]] = searched(center, 1.5, 8.0);
    let holds = cell(center, 3.0) == [4, 4] && [x, y, right, top] == [1, 1, 2, 2];
    stated(
        "Fig. 1",
        "coarse cells that the search around C opens",
        "(1, 1, 2) to (2, 2, 2)",
        (format!("({x}, {y}, 2) to ({right}, {top}, 2)"), holds),
        "for C in the upper half of its cell along both axes; the paper gives no position",
    )
}

fn densities() -> Outcome<Row> {
    let (mut found, mut holds) = (Vec::new(), true);
    let mut expected = Vec::new();
    for exponent in [0.0, -2.0, -3.0] {
        let value = derivative(&RadiusLaw::power_law(exponent, 3.0)?, 1.5);
        let density = density(exponent, 3.0, 1.5);
        holds &= (value / density - 1.0).abs() < 1e-6;
        found.push(format!("{value:.3}"));
        expected.push(format!("{density:.3}"));
    }
    Ok(stated(
        "Fig. 2",
        "density f(1.5 r_min) for ω = 3 and α = 0, −2, −3",
        &expected.join(", "),
        (found.join(", "), holds),
        "the values of the paper are those of Eq. 29",
    ))
}

fn one_level() -> Outcome<Row> {
    let (mut growth, mut holds) = (Vec::new(), true);
    for (exponent, expected) in [(0.0, 0.0), (-2.0, 1.0), (-3.0, 2.0)] {
        let plans = plans(Method::Optimal, Search::TopDown, exponent, &[100.0, 1000.0])?;
        let power = (plans[1].work_single_level / plans[0].work_single_level).log10();
        holds &= f64::abs(power - expected) < 0.02;
        growth.push(format!("{power:.2}"));
    }
    Ok(stated(
        "Fig. 3",
        "power of ω with which the work on one level grows, α = 0, −2, −3",
        "0, 1, 2 (Eq. 33)",
        (growth.join(", "), holds),
        PAGE,
    ))
}

/// Returns the best plan of the standard case, α = −3 and ω = 100.
pub fn standard_best(method: Method, search: Search) -> Outcome<Plan> {
    let plan = plans(method, search, -3.0, &[100.0])?.pop();
    plan.ok_or_else(|| "there is no plan".into())
}

/// Figs. 4, 5, 7, 8 and 9: the printed minima.
#[expect(clippy::too_many_lines, reason = "rows of a table")]
fn minima() -> Outcome<Vec<Row>> {
    let items = [
        (
            "Figs. 4, 9",
            "least work of linear sizes, Top-Down, α = −3, ω = 100",
        ),
        (
            "Figs. 5, 9",
            "least work of exponential sizes, Top-Down, α = −3, ω = 100",
        ),
        (
            "Figs. 7, 9",
            "least work of constant sizes, Top-Down, α = −3, ω = 100",
        ),
        (
            "Figs. 8, 9",
            "least work of optimal sizes, Top-Down, α = −3, ω = 100",
        ),
    ];
    let printed = [
        (12.40, Some(43)),
        (11.57, Some(4)),
        (11.60, Some(12)),
        (11.58, None),
    ];
    let mut rows = Vec::new();
    let mut works = Vec::new();
    for ((method, (item, statement)), (work, levels)) in METHODS.into_iter().zip(items).zip(printed)
    {
        let best = standard_best(method, Search::TopDown)?;
        let theirs = levels.map_or_else(
            || format!("{work:.2}"),
            |levels| format!("{work:.2} at L = {levels}"),
        );
        let holds = (best.work / work - 1.0).abs() < 1e-3
            && levels.is_none_or(|levels| levels == best.levels);
        let reason = if method == Method::Exponential {
            "Eqs. 16 to 27 give this work; the printed value is that of the optimal sizes"
        } else {
            PAGE
        };
        rows.push(stated(
            item,
            statement,
            &theirs,
            (format!("{:.2} at L = {}", best.work, best.levels), holds),
            reason,
        ));
        works.push(best.work);
    }
    let spread = works.iter().copied().fold(0.0, f64::max)
        / works.iter().copied().fold(f64::MAX, f64::min)
        - 1.0;
    rows.push(stated(
        "Fig. 9",
        "the minima of the four curves are roughly equal",
        "12.40, 11.57, 11.60, 11.58",
        (
            format!("the largest exceeds the least by {:.0} %", 100.0 * spread),
            spread < 0.1,
        ),
        PAGE,
    ));
    Ok(rows)
}

/// Fig. 6 with its inset.
fn best_ratios() -> Outcome<Row> {
    let mut works = Vec::new();
    for q in [1.0, 2.0, 5.0] {
        works.push(least(&plans_with_ratio(q, Search::TopDown, 20)?)?.work);
    }
    let spread = works.iter().copied().fold(0.0, f64::max)
        / works.iter().copied().fold(f64::MAX, f64::min)
        - 1.0;
    let words: Vec<String> = works.iter().map(|work| format!("{work:.2}")).collect();
    Ok(stated(
        "Fig. 6",
        "the minima for q = 1, 2 and 5 are roughly equal",
        "roughly equal",
        (words.join(", "), spread < 0.1),
        "The minima for q = 1 and 2 agree within 2 %. For q = 5 no whole number of levels comes nearer; see the curves in \
         [tuning.md](tuning.md).",
    ))
}

/// Fig. 10.
fn fillings() -> Outcome<Row> {
    let (mut below, mut all) = (0, 0);
    for search in SEARCHES {
        for method in METHODS {
            let fillings = standard_best(method, search)?.particles_per_cell;
            below += fillings.iter().filter(|&&filling| filling < 1.0).count();
            all += fillings.len();
        }
    }
    Ok(stated(
        "Fig. 10",
        "m < 1 on most levels of the best plans, four methods, both searches",
        "in most cases",
        (format!("{below} of {all} levels"), below * 10 > all * 9),
        PAGE,
    ))
}

/// Fig. 11, with fewer spheres.
fn packing_fractions(scenes: &mut Scenes) -> Outcome<Row> {
    let mut excess = Vec::new();
    for packing_fraction in [0.1, 0.4, 0.62] {
        let compared = packing_fractions::compare(scenes, packing_fraction, 30.0, PACKED)?;
        excess.push(compared.packed / compared.model - 1.0);
    }
    let words: Vec<String> = excess
        .iter()
        .map(|share| format!("{} %", signed(100.0 * share, 1)))
        .collect();
    let holds = excess[0].abs() < 0.02 && excess.is_sorted() && excess[2] < 0.3;
    Ok(stated(
        "Fig. 11",
        "packings: accurate at low ν, slightly more work than the model at high ν (α = −3, ω = 30; ν = 0.1, 0.4, 0.62)",
        "accurate; slightly higher",
        (words.join(", "), holds),
        "20 000 spheres, packed by rearrangement instead of event-driven dynamics; a million spheres in [tuning.md](tuning.md)",
    ))
}

/// Fig. 12, with fewer spheres.
fn boundaries(scenes: &mut Scenes) -> Outcome<Vec<Row>> {
    let counts = [1_000, 10_000, 100_000];
    let (mut periodic, mut walls) = (Vec::new(), Vec::new());
    for count in counts {
        let [in_cube, between_walls] = boundaries::at_random(-3.0, count)?;
        periodic.push(in_cube.ratio() - 1.0);
        walls.push(between_walls.ratio() - 1.0);
    }
    let packed = [1_000, 10_000]
        .iter()
        .map(|&count| {
            let periodic = boundaries::periodic(scenes, -3.0, count)?;
            Ok([
                periodic.ratio() - 1.0,
                boundaries::between_walls(-3.0, count)?.ratio() - 1.0,
            ])
        })
        .collect::<Outcome<Vec<[f64; 2]>>>()?;
    let percents = |shares: &[f64]| {
        let words: Vec<String> = shares
            .iter()
            .map(|share| format!("{} %", signed(100.0 * share, 1)))
            .collect();
        words.join(", ")
    };
    Ok(vec![
        stated(
            "Fig. 12",
            "random positions between walls: work less than the model for few spheres (N = 10³, 10⁴, 10⁵)",
            "slightly less, and less so for more spheres",
            (percents(&walls), walls[0] < 0.0 && walls.is_sorted()),
            PAGE,
        ),
        stated(
            "Fig. 12",
            "the same random positions in a periodic cube: no effect of the boundary",
            "confirmed",
            (
                percents(&periodic),
                periodic.iter().all(|share| share.abs() < 0.04),
            ),
            PAGE,
        ),
        stated(
            "Fig. 12",
            "packings: walls save work for few spheres (N = 10³, 10⁴; periodic, then walls)",
            "less work between walls",
            (
                percents(&packed.concat()),
                packed.iter().all(|[periodic, walls]| walls < periodic),
            ),
            "Packed by rearrangement; α = −3, ω = 10, ν = 0.62.",
        ),
    ])
}
