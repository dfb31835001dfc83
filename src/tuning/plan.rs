//! From a distribution of radii to the levels of a grid, and the cost of these levels.

use serde::{Deserialize, Serialize};

use super::{
    cell_sizes::{best_over_levels, check_levels, constant_per_cell, exponential, linear, recipe},
    constants::{DEFAULT_PACKING_FRACTION, MAX_LEVELS, ROUNDING_ALLOWANCE, WORTHWHILE_SPEEDUP},
    cost_model::{CostModel, LevelWork},
    error::TuningError,
    method::Method,
    optimal::{coarse_optimum, optimal, optimal_up_to},
    radius_law::RadiusLaw,
    search::Search,
};
use crate::{dimension::Dimension, macros::setters};

/// Request for a plan.
///
/// # Example
/// ```
/// use jostle::tuning::{Method, PlanOptions};
///
/// let options = PlanOptions::default().method(Method::Linear).levels(4);
/// assert_eq!(options.levels, Some(4));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct PlanOptions {
    /// Method that chooses the cell sizes.
    pub method: Method,
    /// Levels on which a sphere looks for contacts.
    pub search: Search,
    /// Dimension of space.
    pub dimension: Dimension,
    /// Share of space that the spheres fill, ν.
    pub packing_fraction: f64,
    /// Overhead factor K: the cost of opening a cell, in overlap tests; `None` for [`Method::published_overhead`].
    pub overhead: Option<f64>,
    /// Number of levels; `None` for the best number.
    pub levels: Option<usize>,
    /// Ratio q of the numbers of spheres per cell of a level and of the next finer level (2014 paper, Eq. 37), for
    /// [`Method::Constant`]. It must be 1, the default, for the other methods.
    pub ratio: f64,
}

impl Default for PlanOptions {
    /// Returns options for the best number of optimal sizes, Top-Down, in space, at the packing fraction of a random close
    /// packing of equal spheres.
    fn default() -> Self {
        Self {
            method: Method::default(),
            search: Search::default(),
            dimension: Dimension::default(),
            packing_fraction: DEFAULT_PACKING_FRACTION,
            overhead: None,
            levels: None,
            ratio: 1.0,
        }
    }
}

impl PlanOptions {
    setters! {
        /// Sets the method that chooses the cell sizes.
        method: Method;
        /// Sets the levels on which a sphere looks for contacts.
        search: Search;
        /// Sets the dimension of space.
        dimension: Dimension;
        /// Sets the share of space that the spheres fill, ν.
        packing_fraction: f64;
        /// Sets the overhead factor K: the cost of opening a cell, in overlap tests.
        overhead: f64;
        /// Sets the number of levels.
        levels: usize;
        /// Sets the ratio q of the numbers of spheres per cell of a level and of the next finer level, for [`Method::Constant`].
        ratio: f64;
    }

    /// Returns the error of a ratio q for a method that has none.
    fn check_ratio(&self) -> Result<(), TuningError> {
        let (ratio, method) = (self.ratio, self.method);
        match method {
            Method::Constant => Ok(()),
            _ if ratio == 1.0 => Ok(()),
            _ => Err(TuningError::RatioOfMethod { ratio, method }),
        }
    }

    fn model<'a>(&self, law: &'a RadiusLaw) -> Result<CostModel<'a>, TuningError> {
        self.check_ratio()?;
        let overhead = self
            .overhead
            .unwrap_or_else(|| self.method.published_overhead());
        CostModel::new(law, self.dimension, self.packing_fraction, overhead)
    }
}

/// Levels of a grid and their cost. Work is per sphere, in units of one overlap test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Plan {
    /// Method that chose the cell sizes.
    pub method: Method,
    /// Levels on which a sphere looks for contacts.
    pub search: Search,
    /// Dimension of space.
    pub dimension: Dimension,
    /// Share of space that the spheres fill, ν.
    pub packing_fraction: f64,
    /// Overhead factor K.
    pub overhead: f64,
    /// Size ratio ω.
    pub size_ratio: f64,
    /// Number of levels, L. It is less than requested if there are fewer different sizes.
    pub levels: usize,
    /// Ratio q of the numbers of spheres per cell on neighboring levels; `None` if the method has none.
    pub ratio: Option<f64>,
    /// Sides of the cells in units of the smallest radius, finest first.
    pub cell_sizes: Vec<f64>,
    /// Number of spheres of each level per cell, m_h.
    pub particles_per_cell: Vec<f64>,
    /// Total work, T = T^cd + K T^ca (Eq. 27).
    pub work: f64,
    /// Number of overlap tests, T^cd.
    pub collision_work: f64,
    /// Number of cells opened, T^ca.
    pub access_work: f64,
    /// Total work T on a single level, the linked-cell method.
    pub work_single_level: f64,
    /// Total work on a single level over the total work of this plan.
    pub speedup: f64,
    /// Least total work T over all numbers of levels and all sizes.
    pub work_optimal: f64,
    /// Whether even the best levels save less than 10 % of the work on a single level.
    pub one_level_is_enough: bool,
    /// Work of each level, finest first.
    pub per_level: Vec<LevelWork>,
}

impl Plan {
    fn new(
        model: &CostModel,
        options: &PlanOptions,
        least_work: f64,
        cell_sizes: Vec<f64>,
    ) -> Self {
        let per_level = model.work_of_levels(&cell_sizes, options.search);
        let collision_work = per_level.iter().map(|level| level.collision_work).sum();
        let access_work = per_level.iter().map(|level| level.access_work).sum();
        let work = collision_work + model.overhead() * access_work;
        let size_ratio = model.law().size_ratio();
        let work_single_level = model.total_work(&[2.0 * size_ratio], options.search);
        let work_optimal = least_work.min(work);
        Self {
            method: options.method,
            search: options.search,
            dimension: options.dimension,
            packing_fraction: options.packing_fraction,
            overhead: model.overhead(),
            size_ratio,
            levels: cell_sizes.len(),
            ratio: (options.method == Method::Constant).then_some(options.ratio),
            particles_per_cell: per_level
                .iter()
                .map(|level| level.particles_per_cell)
                .collect(),
            cell_sizes,
            work,
            collision_work,
            access_work,
            work_single_level,
            speedup: work_single_level / work,
            work_optimal,
            one_level_is_enough: work_single_level < WORTHWHILE_SPEEDUP * work_optimal,
            per_level,
        }
    }

    /// Returns one sentence that says whether several levels save work.
    pub fn verdict(&self) -> String {
        let best = self.work_single_level / self.work_optimal;
        let times = match best {
            ..1e4 => format!("{best:.1}"),
            _ => format!("{best:.2e}"),
        };
        if self.one_level_is_enough {
            format!(
                "One level is enough: the best levels would save {:.0} % of the work.",
                100.0 * (1.0 - best.recip())
            )
        } else {
            format!(
                "Several levels pay: the best levels do {times} times less work than one level."
            )
        }
    }
}

/// Returns the levels of a grid for spheres of the given radii.
///
/// # Errors
/// If the packing fraction, the overhead factor, the number of levels or the ratio q is out of range, or if a method other
/// than [`Method::Constant`] has a ratio q other than 1.
pub fn plan(law: &RadiusLaw, options: &PlanOptions) -> Result<Plan, TuningError> {
    let model = options.model(law)?;
    let best = optimal(&model, options.search);
    let least_work = model.total_work(&best, options.search);
    let cell_sizes = match (options.levels, options.method) {
        (Some(levels), _) => with_levels(&model, options, levels)?,
        (None, Method::Optimal) => best,
        (None, Method::Recipe) => recipe(&model, MAX_LEVELS)?,
        (None, _) => best_over_levels(
            MAX_LEVELS,
            |levels| with_levels(&model, options, levels),
            |sizes| model.total_work(sizes, options.search),
        )?,
    };
    Ok(Plan::new(&model, options, least_work, cell_sizes))
}

/// Returns one plan for each number of levels from 1 to `max_levels`. `options.levels` has no effect.
///
/// The list ends early if the sample has fewer different sizes.
///
/// # Errors
/// As those of [`plan`].
pub fn plans_up_to(
    law: &RadiusLaw,
    options: &PlanOptions,
    max_levels: usize,
) -> Result<Vec<Plan>, TuningError> {
    let model = options.model(law)?;
    check_levels(max_levels)?;
    let least_work = model.total_work(&optimal(&model, options.search), options.search);
    let mut choices = match options.method {
        Method::Optimal => optimal_up_to(&model, max_levels, options.search)?,
        _ => (1..=max_levels)
            .map(|levels| with_levels(&model, options, levels))
            .collect::<Result<_, _>>()?,
    };
    choices.dedup_by_key(|sizes| sizes.len());
    Ok(choices
        .into_iter()
        .map(|cell_sizes| Plan::new(&model, options, least_work, cell_sizes))
        .collect())
}

/// Returns cell sizes for an index over spheres with these radii, in the unit of the radii, finest first.
///
/// The sizes give the least work if every sphere searches all its neighbors ([`Search::EveryLevel`]).
/// `packing_fraction` is that of the radii as given, including any Verlet distance. O(n), without sorting.
///
/// # Errors
/// If there is no radius, if a radius is not from 10⁻³⁰⁰ to 10³⁰⁰, if the size ratio is above 10¹⁵, or if the packing
/// fraction or the overhead factor is out of range (see [`CostModel::new`]).
pub fn cell_sizes_for(
    radii: &[f64],
    dimension: Dimension,
    packing_fraction: f64,
    overhead: f64,
) -> Result<Vec<f64>, TuningError> {
    let law = RadiusLaw::binned(radii)?;
    let model = CostModel::new(&law, dimension, packing_fraction, overhead)?;
    let enlarged_radius = law.smallest_radius() * (1.0 + ROUNDING_ALLOWANCE);
    Ok(coarse_optimum(&model, Search::EveryLevel)
        .into_iter()
        .map(|size| size * enlarged_radius)
        .collect())
}

fn with_levels(
    model: &CostModel,
    options: &PlanOptions,
    levels: usize,
) -> Result<Vec<f64>, TuningError> {
    match options.method {
        Method::Linear => linear(model.law(), levels),
        Method::Exponential => exponential(model.law(), levels),
        Method::Constant => constant_per_cell(model, levels, options.ratio),
        Method::Recipe => constant_per_cell(model, levels, 1.0),
        Method::Optimal => Ok(optimal_up_to(model, levels, options.search)?
            .pop()
            .expect("a single level holds every sphere")),
    }
}
