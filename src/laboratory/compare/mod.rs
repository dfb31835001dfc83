//! The comparisons that the papers make: what is measured, as data; printing is left to the caller.

mod broad_phase;
mod growth;
mod hgrid;
mod index;
mod published_octree;

pub use broad_phase::{
    CYCLES, Case, CaseError, Experiment, MeasureError, Measurement, ParseExperimentError,
    cell_sizes, measure, measure_scene, scene,
};
pub use growth::{Fit, Growth, GrowthRow, decided_growth, fits, growth_exponent, growth_rows};
pub use hgrid::{measure_overhead, random_spheres, search, whole_cells};
pub use index::{
    IndexComparison, IndexComparisonError, IndexMeasurement, IndexRow, IndexStep,
    adjoining_cell_candidates, compare_indexes, measure_index,
};
pub use published_octree::{AcrossFaces, published_octree_candidates, published_octree_levels};
