//! Sections of the report that follow from the cost model alone.

use crate::page::Page;
use jostle::tuning::{
    CostModel, Dimension, Method, PlanOptions, RadiusLaw, Search, constant_per_cell, optimal, plan,
    recipe, recipe_work,
};

use super::{
    figures::{Outcome, Result, joined},
    scene::radii,
};

/// Methods of the 2014 paper.
pub const METHODS: [Method; 4] = [
    Method::Linear,
    Method::Exponential,
    Method::Constant,
    Method::Optimal,
];

/// Returns the case of most figures of the 2014 paper.
pub fn standard(method: Method, search: Search) -> PlanOptions {
    PlanOptions::default()
        .method(method)
        .search(search)
        .packing_fraction(0.7)
        .overhead(0.2)
}

/// Returns the least work over the size ratio, from 1 to 100, for K = 0.2.
pub fn model_curve(
    exponent: f64,
    packing_fraction: f64,
    search: Search,
) -> Result<Vec<(f64, f64)>> {
    let options = standard(Method::Optimal, search).packing_fraction(packing_fraction);
    (0..=40)
        .map(|step| {
            let size_ratio = 10_f64.powf(f64::from(step) / 20.0);
            let law = RadiusLaw::power_law(exponent, size_ratio)?;
            Ok((size_ratio, plan(&law, &options)?.work))
        })
        .collect()
}

pub fn printed_figures(page: &mut Page) -> Outcome {
    page.line("\n## Paper and model\n
All rows are for the Top-Down search and K = 0.2. The first nine rows are for d = 3, ν = 0.7, α = −3, ω = 100, the plane case
is for d = 2, ν = 0.4, α = −3, ω = 20.\n
| case | paper | model |\n|---|---|---|");
    let law = RadiusLaw::power_law(-3.0, 100.0)?;
    for (method, paper) in METHODS.into_iter().zip([
        "12.40 at L = 43",
        "11.57 at L = 4",
        "11.60 at L = 12",
        "11.58",
    ]) {
        let best = plan(&law, &standard(method, Search::TopDown))?;
        page.line(format!(
            "| {method} sizes, best L | {paper} | {:.2} at L = {} |",
            best.work, best.levels
        ));
    }
    for (method, levels, paper) in [
        (Method::Exponential, 3, "+43 %"),
        (Method::Exponential, 6, "+24 %"),
        (Method::Constant, 8, "+10 %"),
        (Method::Constant, 19, "+10 %"),
    ] {
        let options = standard(method, Search::TopDown);
        let best = plan(&law, &options)?;
        let other = plan(&law, &options.levels(levels))?;
        page.line(format!(
            "| {method} sizes, L = {} | {paper} | {:.2}, {:+.0} % |",
            other.levels,
            other.work,
            100.0 * (other.work / best.work - 1.0)
        ));
    }
    let model = CostModel::new(&law, Dimension::Three, 0.7, 0.2)?;
    page.line(format!(
        "| one level | (Fig. 3) | {:.0} |",
        model.work(&[200.0], Search::TopDown)?
    ));
    plane_case(page)
}

/// Prints the rows of the plane case.
fn plane_case(page: &mut Page) -> Outcome {
    let law = RadiusLaw::power_law(-3.0, 20.0)?;
    let model = CostModel::new(&law, Dimension::Two, 0.4, 0.2)?;
    let work = model.work(&[4.0, 7.9, 15.1, 27.2, 40.0], Search::TopDown)?;
    let single = model.work(&[40.0], Search::TopDown)?;
    page.line(format!(
        "| plane, sizes 4.0 7.9 15.1 27.2 40 against one level | 35 times less | {:.1} times: {work:.2} against {single:.1} |",
        single / work
    ));
    let best = optimal(&model, Search::TopDown);
    page.line(format!(
        "| plane, optimal sizes | 4.0 7.9 15.1 27.2 40 | {} |",
        joined(&best, 1)
    ));
    Ok(())
}

pub fn differences(page: &mut Page) {
    page.line("\nThe model follows the equations where the text of a paper differs from them:\n
- The text of 2014 defines K as the time of an overlap test over the time of a cell access. Eq. 27 multiplies the number of
  accesses by K, so K is the inverse: the cost of an access in overlap tests.
- The boundary conditions s_0 = r_min and s_L = ω r_min are radii. Eqs. 9, 34 and 36 use the diameters 2 r_min and 2 ω r_min.
- For exponential sizes the least work is 12.13 by Eqs. 16–27. The printed value of 11.57 is that of the optimal sizes, and the
  loss at L = 3 is larger than printed.
- In Fig. 1 of 2014, the first fine cell around sphere B is (1, 2, 1) by Eq. 4. The text prints (1, 3, 1).
- The work of linear sizes with Bottom-Up increases with ω at α = −3. The text names α = 0 (Sect. 5.3).
- Exponential sizes with Top-Down save nothing at α = 0 and large ω. The text says that all combinations save work.
- The least work for q = 5 exceeds that for q = 1 by a fifth. The text calls both roughly equal (Fig. 6).
- For uniform sizes (α = 0, ω = 50, ν = 0.62), Eq. 7 of 2012 with K = 0.3 has its minimum at L = 3. The paper measured L = 2,
  for which the equation gives a few percent more (see below).");
}

pub fn recipe_of_2012(page: &mut Page) -> Outcome {
    page.line("\n## The recipe of 2012 (Fig. 4)\n
Predicted work L (m + K) with m(L) of Appendix A and K = 0.3, for stratified samples with N = 125 001 and ω = 50. The paper
predicts L = 7 for uniform volume at ν = 0.62.\n
| sizes | ν | best L | L = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (name, exponent) in [("uniform volume", -3.0), ("uniform size", 0.0)] {
        let law = RadiusLaw::from_radii(&radii(exponent, 50.0, 125_001)?)?;
        for packing_fraction in [0.1, 0.4, 0.62] {
            let model = CostModel::new(&law, Dimension::Three, packing_fraction, 0.3)?;
            page.text(&format!(
                "| {name} | {packing_fraction} | {} |",
                recipe(&model, 50)?.len()
            ));
            for levels in 1..=10 {
                let sizes = constant_per_cell(&model, levels, 1.0)?;
                page.text(&format!(" {:.2} |", recipe_work(&model, &sizes)?));
            }
            page.line("");
        }
    }
    Ok(())
}

pub fn samples(page: &mut Page) -> Outcome {
    page.line("\n## Samples instead of laws\n
Least work for stratified samples of the power law (d = 3, ν = 0.7, α = −3, ω = 100, K = 0.2, Top-Down), relative to the least
work for the law.\n
| N | linear | exponential | constant | optimal |\n|---|---|---|---|---|");
    let law = RadiusLaw::power_law(-3.0, 100.0)?;
    for n in [1_000, 10_000, 100_000, 1_000_000] {
        let sample = RadiusLaw::from_radii(&radii(-3.0, 100.0, n)?)?;
        page.text(&format!("| {n} |"));
        for method in METHODS {
            let options = standard(method, Search::TopDown);
            let (sampled, exact) = (plan(&sample, &options)?, plan(&law, &options)?);
            page.text(&format!(" {:.4} |", sampled.work / exact.work));
        }
        page.line("");
    }
    page.line("\nSmall samples lack the largest spheres, which explains the difference.");
    Ok(())
}

pub fn levels_for_an_index(page: &mut Page) -> Outcome {
    page.line("\n## Levels for an index\n
A query of an index returns all neighbors of a sphere, smaller and larger, so that every sphere opens cells on every level. The
table is for d = 3 and K = 0.2.\n
| α | ω | ν | best L | T | T with the best Top-Down levels | T of one level |\n|---|---|---|---|---|---|---|");
    for (exponent, size_ratio) in [(0.0, 10.0), (-2.0, 10.0), (-3.0, 10.0), (-3.0, 100.0)] {
        for packing_fraction in [0.1, 0.62] {
            let law = RadiusLaw::power_law(exponent, size_ratio)?;
            let model = CostModel::new(&law, Dimension::Three, packing_fraction, 0.2)?;
            let best = optimal(&model, Search::EveryLevel);
            let top_down = optimal(&model, Search::TopDown);
            page.line(format!(
                "| {exponent} | {size_ratio} | {packing_fraction} | {} | {:.1} | {:.1} (L = {}) | {:.0} |",
                best.len(),
                model.work(&best, Search::EveryLevel)?,
                model.work(&top_down, Search::EveryLevel)?,
                top_down.len(),
                model.work(&[2.0 * size_ratio], Search::EveryLevel)?
            ));
        }
    }
    Ok(())
}
