//! Cost of contact detection in a hierarchical grid, and the cell sizes that keep this cost low.
//!
//! A hierarchical grid (HGrid) has L levels of cubic cells with sides s_1 < … < s_L. Each sphere is stored on the finest
//! level whose cell size is at least its diameter. Few levels put many small spheres into each large cell. Many levels
//! make each large sphere open many cells. Both costs follow from three quantities: the distribution of radii f(r), the
//! packing fraction ν and the dimension d. Both are proportional to the number of spheres.
//!
//! Lengths are in units of the smallest radius r_min: radii run from 1 to the size ratio ω, cell sizes from 2 to 2ω.
//! Work is a number per sphere, in units of one overlap test. The overhead factor K is the cost of opening a cell in the
//! same unit. The papers say "particle" for a sphere; names such as `particles_per_cell` keep their word.
//!
//! | item | equation of Krijgsman, Ogarko & Luding 2014 |
//! |---|---|
//! | [`RadiusLaw::power_law`] | 29, 30 |
//! | [`LevelWork`]: `number_share`, `cells_per_particle`, `particles_per_cell` | 6–11 |
//! | [`CostModel::cells_searched`] | 16 |
//! | [`CostModel::cells_searched_bounds`] | 17, 18 |
//! | [`LevelWork`]: `collision_work`, `access_work` of [`Search::TopDown`] | 12–15, 19, 20; in total 23, 24 |
//! | [`LevelWork`]: `collision_work`, `access_work` of [`Search::BottomUp`] | 21, 22; in total 25, 26 |
//! | [`CostModel::work`] | 27 |
//! | [`linear`], [`exponential`], [`constant_per_cell`] | 34, 36, 37 and 38 |
//! | [`optimal()`], [`optimal_up_to`] | minimum of 27 (Sect. 5.2.4) |
//! | [`recipe`], [`recipe_work`] | Ogarko & Luding 2012: Eq. 7 and Appendix A |
//!
//! This module follows the equations where the text of Krijgsman, Ogarko & Luding 2014 differs from them:
//!
//! - The text defines K as the time of an overlap test over the time of a cell access. Eq. 27 multiplies the accesses by
//!   K, so K is the inverse.
//! - The text sets s_0 = r_min, a radius. Eqs. 9 and 34 use the diameter 2 r_min.
//! - The text prints a work of 11.57 for exponential sizes. Eqs. 16–27 give 12.13.
//!
//! # Example
//! ```
//! use jostle::tuning::{PlanOptions, RadiusLaw, plan};
//!
//! let law = RadiusLaw::power_law(-3.0, 100.0)?;
//! let plan = plan(&law, &PlanOptions::default().packing_fraction(0.7))?;
//! assert_eq!(plan.levels, 9);
//! assert!(plan.work < 11.6 && plan.work_single_level > 9e4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # References
//! D. Krijgsman, V. Ogarko & S. Luding, Optimal parameters for a hierarchical grid data structure for contact detection in
//! arbitrarily polydisperse particle systems (2014), Comput. Part. Mech. 1, 357–372,
//! [doi:10.1007/s40571-014-0020-9](https://doi.org/10.1007/s40571-014-0020-9).
//! V. Ogarko & S. Luding, A fast multilevel algorithm for contact detection of arbitrarily polydisperse objects (2012),
//! Comput. Phys. Commun. 183, 931–936,
//! [doi:10.1016/j.cpc.2011.12.019](https://doi.org/10.1016/j.cpc.2011.12.019).

mod cell_sizes;
mod constants;
mod cost_model;
mod error;
mod method;
mod optimal;
mod overhead;
mod plan;
mod radius_law;
mod search;

pub use cell_sizes::{constant_per_cell, exponential, linear, recipe, recipe_work};
pub use constants::{MAX_LEVELS, MAX_OVERHEAD};
pub use cost_model::{CostModel, LevelWork};
pub use error::TuningError;
pub use method::Method;
pub use optimal::{optimal, optimal_up_to};
pub use overhead::{Overhead, SearchTiming, fit_overhead};
pub use plan::{Plan, PlanOptions, cell_sizes_for, plan, plans_up_to};
pub use radius_law::{RadiusLaw, RadiusLawError};
pub use search::Search;

pub use crate::dimension::{Dimension, DimensionError};
