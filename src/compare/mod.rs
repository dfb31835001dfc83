//! The comparisons that the papers make: what is measured, as data; printing is left to the caller.

mod broad_phase;
mod hgrid;

pub use broad_phase::{
    CYCLES, Case, Experiment, Fit, Growth, Measurement, ParseExperimentError, cell_sizes,
    decided_growth, fits, growth_exponent, measure, scene,
};
pub use hgrid::{measure_overhead, random_spheres, search, whole_cells};
