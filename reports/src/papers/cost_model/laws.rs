//! Rows of the equations on size distributions and cell sizes: Eqs. 28 to 39.

use std::f64::consts::PI;

use jostle::tuning::{
    CostModel, Dimension, RadiusLaw, Search, constant_per_cell, exponential, linear,
};

use super::{largest_deviation, stated, within};
use crate::{outcome::Outcome, papers::row::Row, tuning::scene::OVERHEAD};

/// Exponents of Fig. 2 and between.
const EXPONENTS: [f64; 5] = [0.0, -0.5, -1.5, -2.0, -3.0];

/// Relative step of numerical derivatives.
const STEP: f64 = 1e-5;

/// Returns the rows.
pub fn rows() -> Outcome<Vec<Row>> {
    let mut rows = densities()?;
    rows.extend(one_level()?);
    rows.extend(cell_sizes()?);
    Ok(rows)
}

/// Returns f(r) of Eqs. 29 and 30 for α ≠ −1.
pub fn density(exponent: f64, size_ratio: f64, r: f64) -> f64 {
    let n = exponent + 1.0;
    n / (size_ratio.powf(n) - 1.0) * r.powf(exponent)
}

/// Returns f(r) from the shares of a law: the derivative of F (Eq. 39).
pub fn derivative(law: &RadiusLaw, r: f64) -> f64 {
    law.number_share(r * (1.0 - STEP), r * (1.0 + STEP)) / (2.0 * STEP * r)
}

/// Eqs. 28, 29, 30 and 39.
fn densities() -> Outcome<Vec<Row>> {
    let (mut totals, mut values) = (Vec::new(), Vec::new());
    for exponent in EXPONENTS {
        let law = RadiusLaw::power_law(exponent, 3.0)?;
        totals.push((law.number_share(0.0, f64::INFINITY), 1.0));
        for r in [1.1, 1.5, 2.0, 2.9] {
            values.push((derivative(&law, r), density(exponent, 3.0, r)));
        }
    }
    Ok(vec![
        within(
            "Eq. 28",
            "the density is normalized",
            largest_deviation(totals),
            1e-12,
        ),
        within(
            "Eqs. 29, 30, 39",
            "f(r) = C r^α is the derivative of F",
            largest_deviation(values),
            1e-6,
        ),
    ])
}

/// Returns m_1 of a single level in three dimensions, from the model.
fn filling(exponent: f64, size_ratio: f64) -> Outcome<f64> {
    let law = RadiusLaw::power_law(exponent, size_ratio)?;
    let model = CostModel::new(&law, Dimension::Three, 0.7, OVERHEAD)?;
    Ok(model.levels(&[2.0 * size_ratio], Search::TopDown)?[0].particles_per_cell)
}

/// Returns the factor 2^d ν/V_d (1 + d + α)/(1 + α) of Eqs. 32 and 33 for d = 3.
fn factor(exponent: f64) -> f64 {
    8.0 * 0.7 / (4.0 / 3.0 * PI) * (4.0 + exponent) / (1.0 + exponent)
}

/// Eqs. 31, 32 and 33.
#[expect(clippy::too_many_lines, reason = "rows of a table")]
fn one_level() -> Outcome<Vec<Row>> {
    let (mut by_moments, mut closed) = (Vec::new(), Vec::new());
    for exponent in [0.5, 0.0, -0.5, -1.5, -2.0, -3.0, -5.0] {
        for size_ratio in [1.5, 10.0, 100.0] {
            let found = filling(exponent, size_ratio)?;
            let [number, _, _, cubes] =
                RadiusLaw::power_law(exponent, size_ratio)?.partial_moments(0.0, size_ratio);
            by_moments.push((
                found,
                (2.0 * size_ratio).powi(3) * 0.7 / (4.0 / 3.0 * PI) * number / cubes,
            ));
            let powers =
                (size_ratio.powf(1.0 + exponent) - 1.0) / (size_ratio.powf(4.0 + exponent) - 1.0);
            closed.push((found, factor(exponent) * size_ratio.powi(3) * powers));
        }
    }
    let far = 1e6_f64;
    let limits = [
        (-5.0, factor(-5.0) * far.powi(3)),
        (-2.0, -factor(-2.0) * far),
        (-1.5, -factor(-1.5) * far.sqrt()),
        (0.0, factor(0.0)),
        (0.5, factor(0.5)),
    ];
    let mut pairs = Vec::new();
    for (exponent, limit) in limits {
        pairs.push((filling(exponent, far)?, limit));
    }
    let growth = [-1.0, -1.5, -2.0, -3.0, -4.0, -5.0]
        .iter()
        .map(|&exponent| Ok(filling(exponent, far)? / filling(exponent, 1e3)?))
        .collect::<Outcome<Vec<f64>>>()?;
    let least = growth.iter().copied().fold(f64::MAX, f64::min);
    Ok(vec![
        within(
            "Eq. 31",
            "spheres per cell of a single level, m_1",
            largest_deviation(by_moments),
            1e-12,
        ),
        within(
            "Eq. 32",
            "m_1 of a power law",
            largest_deviation(closed),
            1e-9,
        ),
        within(
            "Eq. 33",
            "limit of m_1 at ω = 10⁶, one or two exponents for each case",
            largest_deviation(pairs),
            2e-3,
        ),
        stated(
            "Eq. 33",
            "m_1 increases with ω for α < −1",
            "increases",
            (
                format!("from ω = 10³ to 10⁶ by at least {least:.1} times"),
                least > 1.0,
            ),
            "At α = −1, which Eq. 33 leaves out, m_1 increases as ln ω.",
        ),
    ])
}

/// Eqs. 34 to 38.
fn cell_sizes() -> Outcome<Vec<Row>> {
    let law = RadiusLaw::power_law(-3.0, 100.0)?;
    let levels = 7;
    let place = |h: usize| (h + 1) as f64 / levels as f64;
    let in_steps = linear(&law, levels)?;
    let in_ratios = exponential(&law, levels)?;
    let q = 100_f64.powf(1.0 / levels as f64);
    let model = CostModel::new(&law, Dimension::Three, 0.7, OVERHEAD)?;
    let mut ratios = Vec::new();
    for q in [0.5, 1.0, 2.0, 5.0] {
        let sizes = constant_per_cell(&model, levels, q)?;
        let work = model.levels(&sizes, Search::TopDown)?;
        ratios.extend(
            work.windows(2)
                .map(|pair| (pair[1].particles_per_cell / pair[0].particles_per_cell, q)),
        );
    }
    Ok(vec![
        within(
            "Eq. 34",
            "linear cell sizes",
            largest_deviation((0..levels).map(|h| (in_steps[h], 2.0 * (1.0 + place(h) * 99.0)))),
            1e-12,
        ),
        within(
            "Eq. 35",
            "constant ratio of exponential cell sizes",
            largest_deviation(in_ratios.windows(2).map(|pair| (pair[1] / pair[0], q))),
            1e-12,
        ),
        Row {
            reason: "The text sets s_0 = r_min and s_L = ω r_min. Eq. 36 follows with the diameters 2 r_min and 2 ω r_min.".to_owned(),
            ..within(
                "Eq. 36",
                "exponential cell sizes",
                largest_deviation((0..levels).map(|h| (in_ratios[h], 2.0 * 100_f64.powf(place(h))))),
                1e-12,
            )
        },
        within("Eqs. 37, 38", "constant ratio q of the spheres per cell, for q = 0.5, 1, 2 and 5", largest_deviation(ratios), 1e-6),
    ])
}
