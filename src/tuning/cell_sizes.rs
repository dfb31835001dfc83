//! Cell sizes by rule (Krijgsman, Ogarko & Luding 2014, Sect. 5.2) and the recipe of Ogarko & Luding 2012.
//!
//! All functions return sizes in units of the smallest radius, finest first; the last is `2ω` exactly, so
//! that every sphere fits.

use super::{TuningError, cost_model::CostModel, radius_law::RadiusLaw};

/// The most levels that any choice considers.
pub const MAX_LEVELS: usize = 1000;

pub(super) fn check_levels(levels: usize) -> Result<(), TuningError> {
    match levels {
        1..=MAX_LEVELS => Ok(()),
        _ => Err(TuningError::Levels(levels)),
    }
}

/// Sizes in equal steps from 2 r_min (Eq. 34).
///
/// A single level when all radii are equal.
///
/// # Errors
/// When `levels` is not in `1..=MAX_LEVELS`.
pub fn linear(law: &RadiusLaw, levels: usize) -> Result<Vec<f64>, TuningError> {
    let omega = law.size_ratio();
    spaced(law, levels, |t| 2.0 * (1.0 + t * (omega - 1.0)))
}

/// Sizes in equal ratios from 2 r_min (Eq. 36).
///
/// A single level when all radii are equal.
///
/// # Errors
/// When `levels` is not in `1..=MAX_LEVELS`.
pub fn exponential(law: &RadiusLaw, levels: usize) -> Result<Vec<f64>, TuningError> {
    let omega = law.size_ratio();
    spaced(law, levels, |t| 2.0 * omega.powf(t))
}

fn spaced(
    law: &RadiusLaw,
    levels: usize,
    size: impl Fn(f64) -> f64,
) -> Result<Vec<f64>, TuningError> {
    check_levels(levels)?;
    let omega = law.size_ratio();
    let levels = if omega > 1.0 { levels } else { 1 };
    Ok((1..levels)
        .map(|h| size(h as f64 / levels as f64))
        .chain([2.0 * omega])
        .collect())
}

/// Sizes with `m_{h+1} = q m_h` particles per cell (Eqs. 37 and 38); q = 1 is what the paper recommends.
///
/// The levels are filled greedily from the smallest radius and the filling of the first is bisected, so a
/// sample is split as in Appendix A of the 2012 paper. A sample with fewer different radii than
/// `levels` gets a level for each.
///
/// # Errors
/// When `levels` is not in `1..=MAX_LEVELS` or the ratio is not positive and finite.
pub fn constant_per_cell(
    model: &CostModel,
    levels: usize,
    ratio: f64,
) -> Result<Vec<f64>, TuningError> {
    check_levels(levels)?;
    if !(ratio > 0.0 && ratio.is_finite()) {
        return Err(TuningError::Ratio(ratio));
    }
    let omega = model.law().size_ratio();
    // In logarithms, for with q far from 1 the first filling is many orders away from the mean.
    let mut high = model.particles_per_cell(0.0, omega).ln();
    let mut low = high - 200.0;
    let mut best = vec![2.0 * omega];
    for _ in 0..64 {
        let middle = 0.5 * (low + high);
        match fill(model, levels, middle.exp(), ratio) {
            Some(sizes) => {
                best = sizes;
                high = middle;
            }
            None => low = middle,
        }
    }
    Ok(best)
}

/// Levels filled up to `first`, `first·q`, `first·q²` … particles per cell; `None` when `levels` do not hold all spheres.
fn fill(model: &CostModel, levels: usize, first: f64, ratio: f64) -> Option<Vec<f64>> {
    let omega = model.law().size_ratio();
    let (mut sizes, mut below, mut limit) = (Vec::new(), 0.0, first);
    while sizes.len() < levels {
        let radius = model
            .law()
            .largest_that(f64::max(below, 1.0 - f64::EPSILON), |radius| {
                model.particles_per_cell(below, radius) <= limit
            });
        sizes.push(2.0 * radius);
        if radius >= omega {
            return Some(sizes);
        }
        below = radius;
        limit *= ratio;
    }
    None
}

/// The cell sizes of Ogarko & Luding 2012: the L ≤ `max_levels` that minimises L (m(L) + K), Eq. 7, where m(L) of
/// Appendix A is the fewest particles per cell that L levels of equal filling allow.
///
/// # Errors
/// When `max_levels` is not in `1..=MAX_LEVELS`.
pub fn recipe(model: &CostModel, max_levels: usize) -> Result<Vec<f64>, TuningError> {
    check_levels(max_levels)?;
    best_over_levels(
        max_levels,
        |levels| constant_per_cell(model, levels, 1.0),
        |sizes| recipe_work(model, sizes),
    )
}

/// L (m + K), the prediction of Eq. 7 of the 2012 paper, with the fullest level's m.
pub fn recipe_work(model: &CostModel, cell_sizes: &[f64]) -> f64 {
    let mut below = 0.0;
    let mut fullest = 0.0_f64;
    for &size in cell_sizes {
        fullest = fullest.max(model.particles_per_cell(below, 0.5 * size));
        below = 0.5 * size;
    }
    cell_sizes.len() as f64 * (fullest + model.overhead())
}

/// The sizes of least work over the number of levels.
///
/// Work falls and then rises with the number of levels, not quite smoothly: the search ends when twice the
/// best number and ten more were no better.
pub(super) fn best_over_levels(
    max_levels: usize,
    sizes: impl Fn(usize) -> Result<Vec<f64>, TuningError>,
    work: impl Fn(&[f64]) -> f64,
) -> Result<Vec<f64>, TuningError> {
    let mut best = sizes(1)?;
    let mut least = work(&best);
    let mut at = 1;
    let mut levels = 2;
    while levels <= max_levels.min(2 * at + 10) {
        let candidate = sizes(levels)?;
        let candidate_work = work(&candidate);
        if candidate_work < least {
            (best, least, at) = (candidate, candidate_work, levels);
        }
        levels += 1;
    }
    Ok(best)
}
