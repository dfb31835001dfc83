//! From a distribution of radii to the levels of a grid, with the account of what they cost.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::{
    TuningError,
    cell_sizes::{
        MAX_LEVELS, best_over_levels, check_levels, constant_per_cell, exponential, linear, recipe,
    },
    cost_model::{CostModel, Dimension, LevelWork, Search},
    optimal::{coarse_optimum, optimal, optimal_up_to},
    radius_law::RadiusLaw,
};

/// How the cell sizes are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// [`linear`] steps.
    Linear,
    /// [`exponential`] steps.
    Exponential,
    /// The same number of particles per cell on each level: [`constant_per_cell`] with q = 1.
    Constant,
    /// Least work: [`optimal`].
    #[default]
    Optimal,
    /// The [`recipe`] of 2012.
    Recipe,
}

impl Method {
    /// Every method, in the order in which they are listed to users.
    pub const ALL: [Self; 5] = [
        Self::Linear,
        Self::Exponential,
        Self::Constant,
        Self::Optimal,
        Self::Recipe,
    ];

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Exponential => "exponential",
            Self::Constant => "constant",
            Self::Optimal => "optimal",
            Self::Recipe => "recipe",
        }
    }

    /// The overhead factor K that its paper uses: 0.3 for the recipe, 0.2 for the others.
    pub fn published_overhead(self) -> f64 {
        match self {
            Self::Recipe => 0.3,
            _ => 0.2,
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no method.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no method; choose linear, exponential, constant, optimal or recipe")]
pub struct ParseMethodError(String);

impl FromStr for Method {
    type Err = ParseMethodError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|method| method.name() == text)
            .ok_or_else(|| ParseMethodError(text.to_owned()))
    }
}

/// What to plan for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanOptions {
    /// How the cell sizes are chosen.
    pub method: Method,
    /// How contacts are searched.
    pub search: Search,
    /// The dimension of space.
    pub dimension: Dimension,
    /// Share of space that the spheres fill, ν.
    pub packing_fraction: f64,
    /// The cost K of opening a cell, in overlap tests; `None` for [`Method::published_overhead`].
    pub overhead: Option<f64>,
    /// The number of levels; `None` for the best.
    pub levels: Option<usize>,
}

impl Default for PlanOptions {
    /// Optimal sizes, Top-Down, in space, at the packing fraction of random close packing.
    fn default() -> Self {
        Self {
            method: Method::default(),
            search: Search::default(),
            dimension: Dimension::default(),
            packing_fraction: 0.64,
            overhead: None,
            levels: None,
        }
    }
}

/// A choice of levels and its cost. Work is per sphere, in units of one overlap test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// How the cell sizes were chosen.
    pub method: Method,
    /// How contacts are searched.
    pub search: Search,
    /// The dimension of space.
    pub dimension: Dimension,
    /// Share of space that the spheres fill, ν.
    pub packing_fraction: f64,
    /// The overhead factor K.
    pub overhead: f64,
    /// The size ratio ω.
    pub size_ratio: f64,
    /// The number of levels, L. Fewer than asked when there are fewer different sizes.
    pub levels: usize,
    /// Sides of the cells in units of the smallest radius, finest first.
    pub cell_sizes: Vec<f64>,
    /// Spheres of each level per cell, m_h.
    pub particles_per_cell: Vec<f64>,
    /// T = T^cd + K T^ca (Eq. 27).
    pub work: f64,
    /// Overlap tests, T^cd.
    pub collision_work: f64,
    /// Cells opened, T^ca.
    pub access_work: f64,
    /// T of a single level, the linked-cell method.
    pub work_single_level: f64,
    /// How many times less work than on a single level.
    pub speedup: f64,
    /// Least T of any number of levels of any sizes.
    pub work_optimal: f64,
    /// Whether no choice of levels does less than 10 % better than a single one.
    pub one_level_is_enough: bool,
    /// The work of each level, finest first.
    pub per_level: Vec<LevelWork>,
}

/// The gain from which on more than one level is worth its while.
const WORTHWHILE_SPEEDUP: f64 = 1.1;

impl Plan {
    fn new(
        model: &CostModel,
        options: &PlanOptions,
        least_work: f64,
        cell_sizes: Vec<f64>,
    ) -> Self {
        let per_level = model.levels(&cell_sizes, options.search);
        let collision_work = per_level.iter().map(|level| level.collision_work).sum();
        let access_work = per_level.iter().map(|level| level.access_work).sum();
        let work = collision_work + model.overhead() * access_work;
        let size_ratio = model.law().size_ratio();
        let work_single_level = model.work(&[2.0 * size_ratio], options.search);
        let work_optimal = least_work.min(work);
        Self {
            method: options.method,
            search: options.search,
            dimension: options.dimension,
            packing_fraction: options.packing_fraction,
            overhead: model.overhead(),
            size_ratio,
            levels: cell_sizes.len(),
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

    /// One sentence on whether several levels pay.
    pub fn verdict(&self) -> String {
        let best = self.work_single_level / self.work_optimal;
        if self.one_level_is_enough {
            format!(
                "One level is enough: the best levels would save {:.0} % of the work.",
                100.0 * (1.0 - best.recip())
            )
        } else {
            format!(
                "Several levels pay: the best ones do {best:.1} times less work than one level."
            )
        }
    }
}

/// Chooses the levels of a grid for spheres of the given sizes.
///
/// # Errors
/// When the packing fraction, the overhead factor or the number of levels is out of range.
pub fn plan(law: &RadiusLaw, options: &PlanOptions) -> Result<Plan, TuningError> {
    let model = model(law, options)?;
    let best = optimal(&model, options.search);
    let least_work = model.work(&best, options.search);
    let cell_sizes = match (options.levels, options.method) {
        (Some(levels), method) => with_levels(&model, method, options.search, levels)?,
        (None, Method::Optimal) => best,
        (None, Method::Recipe) => recipe(&model, MAX_LEVELS)?,
        (None, method) => best_over_levels(
            MAX_LEVELS,
            |levels| with_levels(&model, method, options.search, levels),
            |sizes| model.work(sizes, options.search),
        )?,
    };
    Ok(Plan::new(&model, options, least_work, cell_sizes))
}

/// One plan for each number of levels from 1 to `max_levels`; `options.levels` is not looked at.
///
/// Ends early when the sample has fewer different sizes than that.
///
/// # Errors
/// When the packing fraction, the overhead factor or the number of levels is out of range.
pub fn sweep(
    law: &RadiusLaw,
    options: &PlanOptions,
    max_levels: usize,
) -> Result<Vec<Plan>, TuningError> {
    let model = model(law, options)?;
    let least_work = model.work(&optimal(&model, options.search), options.search);
    check_levels(max_levels)?;
    let mut choices = match options.method {
        Method::Optimal => optimal_up_to(&model, max_levels, options.search)?,
        method => (1..=max_levels)
            .map(|levels| with_levels(&model, method, options.search, levels))
            .collect::<Result<_, _>>()?,
    };
    choices.dedup_by_key(|sizes| sizes.len());
    Ok(choices
        .into_iter()
        .map(|cell_sizes| Plan::new(&model, options, least_work, cell_sizes))
        .collect())
}

/// Cell sizes for an index over spheres with these radii, in their unit, finest first, chosen for least work when every
/// sphere asks for its neighbours ([`Search::EveryLevel`]).
///
/// `packing_fraction` is that of the radii as given, any Verlet allowance included. O(n), without sorting.
///
/// # Errors
/// When a radius or the packing fraction is not positive and finite, there is no radius, or the overhead factor
/// is not from 0 to 10¹⁵.
pub fn cell_sizes_for(
    radii: &[f64],
    packing_fraction: f64,
    overhead: f64,
) -> Result<Vec<f64>, TuningError> {
    let law = RadiusLaw::binned(radii)?;
    let model = CostModel::new(&law, Dimension::Three, packing_fraction, overhead)?;
    // Sizes are exact diameters up to rounding, which must not send those spheres to the next level.
    let unit = law.smallest_radius() * (1.0 + 8.0 * f64::EPSILON);
    Ok(coarse_optimum(&model, Search::EveryLevel)
        .into_iter()
        .map(|size| size * unit)
        .collect())
}

fn model<'a>(law: &'a RadiusLaw, options: &PlanOptions) -> Result<CostModel<'a>, TuningError> {
    let overhead = options
        .overhead
        .unwrap_or_else(|| options.method.published_overhead());
    CostModel::new(law, options.dimension, options.packing_fraction, overhead)
}

fn with_levels(
    model: &CostModel,
    method: Method,
    search: Search,
    levels: usize,
) -> Result<Vec<f64>, TuningError> {
    match method {
        Method::Linear => linear(model.law(), levels),
        Method::Exponential => exponential(model.law(), levels),
        Method::Constant | Method::Recipe => constant_per_cell(model, levels, 1.0),
        Method::Optimal => Ok(optimal_up_to(model, levels, search)?
            .pop()
            .expect("one level is always possible")),
    }
}
