//! The cost of contact detection in a hierarchical grid, and the cell sizes that keep it low.
//!
//! An HGrid has L levels of cubic cells with sides s_1 < … < s_L; a sphere lives on the finest level whose cells its
//! diameter does not exceed. Few levels put many small spheres into large cells, many levels make
//! large spheres open many cells. Both costs follow from the distribution of radii f(r), the packing
//! fraction ν and the dimension d alone, and are proportional to the number of spheres.
//!
//! Lengths are in units of the smallest radius r_min, so radii run from 1 to the size ratio ω and cell sizes from
//! 2 to 2ω. Work is per sphere, in units of one overlap test; K is the cost of opening a cell in the same unit.
//!
//! | here | equation of the 2014 paper |
//! |---|---|
//! | [`RadiusLaw::power_law`] | 29, 30 |
//! | [`LevelWork`]: `number_share`, `cells_per_particle`, `particles_per_cell` | 6–11 |
//! | [`CostModel::cells_searched`] and its bounds | 16; 17 and 18 |
//! | `collision_work`, `access_work`, Top-Down | 12–15, 19, 20, together 23 and 24 |
//! | the same, Bottom-Up | 21, 22, together 25 and 26 |
//! | [`CostModel::work`] | 27 |
//! | [`linear`], [`exponential`], [`constant_per_cell`] | 34, 36, 37 and 38 |
//! | [`optimal`], [`optimal_up_to`] | minimum of 27 (Sect. 5.2.4) |
//! | [`recipe`] | 2012 paper: Eq. 7 and Appendix A |
//!
//! The 2014 paper calls K the time of an overlap test over that of a cell access, but Eq. 27 multiplies the
//! accesses by it: the equation rules. Likewise its "s_0 = r_min" is a radius where Eqs. 9 and 34 use the
//! diameter 2 r_min, and the 11.57 it prints for exponential sizes is 12.13 by Eqs. 16–27.
//!
//! # References
//! D. Krijgsman, V. Ogarko & S. Luding, Comp. Part. Mech. 1 (2014) 357–372,
//! [doi:10.1007/s40571-014-0020-9](https://doi.org/10.1007/s40571-014-0020-9).
//! V. Ogarko & S. Luding, Comput. Phys. Commun. 183 (2012) 931–936,
//! [doi:10.1016/j.cpc.2011.12.019](https://doi.org/10.1016/j.cpc.2011.12.019).

mod cell_sizes;
mod cost_model;
mod optimal;
mod overhead;
mod plan;
mod radius_law;

pub use cell_sizes::{MAX_LEVELS, constant_per_cell, exponential, linear, recipe, recipe_work};
pub use cost_model::{CostModel, Dimension, LevelWork, MAX_OVERHEAD, ParseSearchError, Search};
pub use optimal::{optimal, optimal_up_to};
pub use overhead::{Overhead, SearchTiming, fit_overhead};
pub use plan::{Method, ParseMethodError, Plan, PlanOptions, cell_sizes_for, plan, sweep};
pub use radius_law::{RadiusLaw, RadiusLawError};

/// A tuning request that cannot be met.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TuningError {
    /// A packing fraction that is not positive and finite.
    #[error("packing fraction {0}; it must be a positive, finite number")]
    PackingFraction(f64),
    /// Neither the plane nor space.
    #[error("dimension {0}; it must be 2 or 3")]
    Dimension(u8),
    /// A negative overhead factor, or one with which no level would ever pay.
    #[error("overhead factor K = {0:?}; it must be a number from 0 to {MAX_OVERHEAD:e}")]
    Overhead(f64),
    /// No levels, or too many.
    #[error("{0} levels; choose between 1 and {MAX_LEVELS}")]
    Levels(usize),
    /// A ratio of particles per cell that is not positive and finite.
    #[error("ratio q = {0} of particles per cell; it must be a positive, finite number")]
    Ratio(f64),
    /// The sizes themselves.
    #[error(transparent)]
    Law(#[from] RadiusLawError),
}
