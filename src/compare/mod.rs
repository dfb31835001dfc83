//! The comparisons that the papers make: what is measured, as data; printing is left to the caller.

mod broad_phase;
mod index;

pub use broad_phase::{
    CYCLES, Case, Experiment, Fit, Growth, Measurement, ParseExperimentError, cell_sizes,
    decided_growth, fits, growth_exponent, measure, scene,
};
pub use index::{
    IndexComparison, IndexComparisonError, IndexMeasurement, IndexRow, IndexStep,
    adjoining_cell_candidates, compare_indexes, measure_index,
};
