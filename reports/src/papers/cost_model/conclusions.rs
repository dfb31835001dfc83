//! Rows of the statements in the abstract, the conclusion and the recommendations.

use jostle::{
    SizeSpec,
    tuning::{Method, PlanOptions, RadiusLaw, Search, plan},
};

use super::{
    claims::{work, works},
    figures::PAGE,
    stated,
};
use crate::{
    outcome::Outcome,
    papers::row::Row,
    tuning::{model::standard, size_ratios::plans},
};

/// Returns the rows.
pub fn rows() -> Outcome<Vec<Row>> {
    let mut rows = conclusions()?;
    rows.extend(recommendations()?);
    Ok(rows)
}

/// Abstract and Section 6.
#[expect(clippy::too_many_lines, reason = "rows of a table")]
fn conclusions() -> Outcome<Vec<Row>> {
    let optimum =
        |exponent, size_ratio| work(Method::Optimal, Search::TopDown, exponent, size_ratio);
    let equal = optimum(0.0, 1.0)?;
    let over_exponents = [
        optimum(0.0, 100.0)?,
        optimum(-1.0, 100.0)?,
        optimum(-2.0, 100.0)?,
        optimum(-3.0, 100.0)?,
    ];
    let steeper = optimum(-4.0, 100.0)?;
    let over_ratios = works(
        Method::Optimal,
        Search::TopDown,
        -3.0,
        &[10.0, 100.0, 1000.0],
    )?;
    let wide = works(
        Method::Optimal,
        Search::TopDown,
        0.0,
        &[10.0, 100.0, 1000.0],
    )?;
    let words = |works: &[f64]| {
        let words: Vec<String> = works.iter().map(|work| format!("{work:.1}")).collect();
        words.join(", ")
    };
    let speedup = |exponent: f64| -> Outcome<f64> {
        Ok(plans(Method::Optimal, Search::TopDown, exponent, &[100.0])?[0].speedup)
    };
    let speedups = [
        speedup(-1.0)?,
        speedup(-2.0)?,
        speedup(-3.0)?,
        speedup(0.0)?,
    ];
    let falls = |works: &[f64]| works.is_sorted_by(|a, b| a > b);
    let largest = over_exponents
        .iter()
        .chain(&wide)
        .copied()
        .fold(0.0, f64::max);
    Ok(vec![
        stated(
            "Section 6",
            "optimal sizes: the work decreases with ω (α = −3, then 0; ω = 10, 100, 1000)",
            "decreases",
            (
                format!("{}; {}", words(&over_ratios), words(&wide)),
                falls(&over_ratios) && falls(&wide),
            ),
            &format!("The work increases first, from T = {equal:.1} of equal spheres; {PAGE}."),
        ),
        stated(
            "Section 6",
            "optimal sizes: the work decreases with α (α = 0, −1, −2, −3; ω = 100)",
            "decreases",
            (words(&over_exponents), falls(&over_exponents)),
            &format!(
                "Beyond the exponents of the paper it increases again: {steeper:.1} at α = −4."
            ),
        ),
        packing_fraction_row()?,
        stated(
            "Abstract, Section 6",
            "as fast as the linked-cell method for equal spheres (ω = 100, α = 0 to −3, over equal spheres)",
            "no extra work",
            (
                words(&over_exponents.map(|work| work / equal)),
                over_exponents.iter().all(|work| *work < 1.1 * equal),
            ),
            "For α = 0 and −1 the searches between levels cost more; for α ≤ −2 the work is less.",
        ),
        stated(
            "Section 6",
            "several levels over one level at α = −1, −2, −3 (ω = 100)",
            "orders of magnitude for α ≤ −1",
            (
                format!("{} times", words(&speedups[..3])),
                speedups[..3].iter().all(|&times| times >= 10.0),
            ),
            "",
        ),
        stated(
            "Section 6",
            "several levels over one level at α = 0 (ω = 100)",
            "no major advantage",
            (format!("{:.1} times", speedups[3]), speedups[3] < 3.0),
            "",
        ),
        stated(
            "Section 6",
            "T ≤ 30 with optimal parameters (Top-Down, optimal sizes)",
            "30",
            (format!("at most {largest:.1}"), largest <= 30.0),
            "A test draws exponents, size ratios and packing fractions. Bottom-Up and linear sizes exceed 30.",
        ),
        lognormal_row()?,
    ])
}

/// Returns the work of optimal sizes at several packing fractions.
fn packing_fraction_row() -> Outcome<Row> {
    let law = RadiusLaw::power_law(-3.0, 100.0)?;
    let mut works = Vec::new();
    for packing_fraction in [0.7, 0.4, 0.1] {
        let options = standard(Method::Optimal, Search::TopDown).packing_fraction(packing_fraction);
        works.push(plan(&law, &options)?.work);
    }
    Ok(stated(
        "Abstract",
        "the work decreases with the packing fraction (ν = 0.7, 0.4, 0.1; α = −3, ω = 100)",
        "decreases",
        (
            format!("{:.2}, {:.2}, {:.2}", works[0], works[1], works[2]),
            works.is_sorted_by(|a, b| a > b),
        ),
        "",
    ))
}

/// Returns the work for a lognormal distribution, which the paper leaves for future research.
fn lognormal_row() -> Outcome<Row> {
    let sizes = SizeSpec::load("lognormal:d50=1,sigma=0.6")?.distribution;
    let law = RadiusLaw::from_distribution(&sizes)?;
    let best = plan(&law, &PlanOptions::default())?;
    Ok(stated(
        "Section 6",
        "the analysis also serves other distributions, such as the lognormal one",
        "future research",
        (
            format!(
                "T = {:.1} at L = {}, {:.1} times less than one level",
                best.work, best.levels, best.speedup
            ),
            best.work > 0.0 && best.work <= best.work_single_level,
        ),
        "σ = 0.6, ν = 0.64; `jostle tune` takes every distribution",
    ))
}

fn recommendations() -> Outcome<Vec<Row>> {
    let (mut better, mut cases) = (0, 0);
    for exponent in [0.0, -1.0, -2.0, -3.0] {
        for size_ratio in [10.0, 100.0, 1000.0] {
            let down = work(Method::Optimal, Search::TopDown, exponent, size_ratio)?;
            better +=
                usize::from(down < work(Method::Optimal, Search::BottomUp, exponent, size_ratio)?);
            cases += 1;
        }
    }
    Ok(vec![stated(
        "Section 7",
        "use Top-Down (optimal sizes; α = 0 to −3, ω = 10 to 1000)",
        "always",
        (format!("{better} of {cases} cases"), better == cases),
        "",
    )])
}
