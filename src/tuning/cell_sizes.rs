//! Cell sizes by rule (Krijgsman, Ogarko & Luding 2014, Sect. 5.2), and the recipe of Ogarko & Luding 2012.
//!
//! All functions return sizes in units of the smallest radius, finest first. The last size is exactly `2ω`, so that every
//! sphere fits.

use super::{
    constants::{FILLING_BISECTIONS, LOG_FILLING_RANGE, MAX_LEVELS, search_end},
    cost_model::CostModel,
    error::TuningError,
    radius_law::RadiusLaw,
};

/// Returns the error of a number of levels that is not in `1..=MAX_LEVELS`.
pub(super) fn check_levels(levels: usize) -> Result<(), TuningError> {
    match levels {
        1..=MAX_LEVELS => Ok(()),
        _ => Err(TuningError::Levels(levels)),
    }
}

/// Returns sizes in equal steps from 2 r_min (Eq. 34).
///
/// The result is a single level if all radii are equal.
///
/// # Errors
/// If `levels` is not in `1..=MAX_LEVELS`.
pub fn linear(law: &RadiusLaw, levels: usize) -> Result<Vec<f64>, TuningError> {
    let omega = law.size_ratio();
    spaced(law, levels, |t| 2.0 * (1.0 + t * (omega - 1.0)))
}

/// Returns sizes in equal ratios from 2 r_min (Eq. 36).
///
/// The result is a single level if all radii are equal.
///
/// # Errors
/// If `levels` is not in `1..=MAX_LEVELS`.
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

/// Returns sizes with `m_{h+1} = q m_h` spheres per cell (Eqs. 37 and 38). The paper recommends q = 1.
///
/// The levels are filled one by one, from the smallest radius on. A bisection finds the number of spheres per cell of the
/// first level. So a sample is split as in Appendix A of Ogarko & Luding 2012. A sample with fewer different radii than
/// `levels` gets one level for each radius.
///
/// # Errors
/// If `levels` is not in `1..=MAX_LEVELS`, or if the ratio q is not positive and finite.
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
    // In logarithms: with q far from 1 the first level holds many orders of magnitude fewer spheres per cell.
    let mut high = model.spheres_per_cell_between(0.0, omega).ln();
    let mut low = high - LOG_FILLING_RANGE;
    let mut best = vec![2.0 * omega];
    for _ in 0..FILLING_BISECTIONS {
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

/// Returns the sizes of levels with up to `first`, `first·q`, `first·q²` … spheres per cell; `None` if `levels` levels do not
/// hold all spheres.
fn fill(model: &CostModel, levels: usize, first: f64, ratio: f64) -> Option<Vec<f64>> {
    let law = model.law();
    let (mut sizes, mut below, mut limit) = (Vec::new(), 0.0, first);
    while sizes.len() < levels {
        let radius = law.largest_fitting(f64::max(below, 1.0 - f64::EPSILON), |radius| {
            model.spheres_per_cell_between(below, radius) <= limit
        });
        sizes.push(2.0 * radius);
        if radius >= law.size_ratio() {
            return Some(sizes);
        }
        below = radius;
        limit *= ratio;
    }
    None
}

/// Returns the cell sizes of Ogarko & Luding 2012, for the number of levels L ≤ `max_levels` that minimizes L (m(L) + K) (Eq. 7).
///
/// m(L) of Appendix A is the least number of spheres per cell with which L levels of equal filling hold all spheres.
///
/// # Errors
/// If `max_levels` is not in `1..=MAX_LEVELS`.
pub fn recipe(model: &CostModel, max_levels: usize) -> Result<Vec<f64>, TuningError> {
    check_levels(max_levels)?;
    best_over_levels(
        max_levels,
        |levels| constant_per_cell(model, levels, 1.0),
        |sizes| recipe_total(model, sizes),
    )
}

/// Returns L (m + K), the work that Eq. 7 of Ogarko & Luding 2012 predicts, where m is the number of spheres per cell of the
/// fullest level.
///
/// # Errors
/// If the cell sizes are invalid (see [`CostModel::work`]).
pub fn recipe_work(model: &CostModel, cell_sizes: &[f64]) -> Result<f64, TuningError> {
    model.check(cell_sizes)?;
    Ok(recipe_total(model, cell_sizes))
}

/// Returns the work like [`recipe_work`], for cell sizes that are known to be valid.
fn recipe_total(model: &CostModel, cell_sizes: &[f64]) -> f64 {
    let mut below = 0.0;
    let mut fullest = 0.0_f64;
    for &size in cell_sizes {
        fullest = fullest.max(model.spheres_per_cell_between(below, 0.5 * size));
        below = 0.5 * size;
    }
    cell_sizes.len() as f64 * (fullest + model.overhead())
}

/// Returns the sizes of least work over the number of levels, up to `max_levels` or the end of the search ([`search_end`]).
pub(super) fn best_over_levels(
    max_levels: usize,
    sizes: impl Fn(usize) -> Result<Vec<f64>, TuningError>,
    work: impl Fn(&[f64]) -> f64,
) -> Result<Vec<f64>, TuningError> {
    let mut best = sizes(1)?;
    let mut least = work(&best);
    let mut best_levels = 1;
    let mut levels = 2;
    while levels <= max_levels.min(search_end(best_levels)) {
        let candidate = sizes(levels)?;
        let candidate_work = work(&candidate);
        if candidate_work < least {
            (best, least, best_levels) = (candidate, candidate_work, levels);
        }
        levels += 1;
    }
    Ok(best)
}
