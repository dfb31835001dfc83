//! Comparisons of indexes and of broad phase algorithms, as in the papers.
//!
//! The functions return measurements as data; the caller prints them.

mod adjoining_cells;
mod constants;
mod detection;
mod experiment;
mod fig_9;
mod growth;
mod growth_fit;
mod hgrid;
mod index_comparison;
mod index_comparison_options;
mod index_measurement;
mod memory_access;
mod paper_packings;
mod published_generator;
mod published_octree;
mod random;
mod searched_nodes;
mod snapshots;
mod statistics;
mod steps;
mod table_1;

pub use adjoining_cells::adjoining_cell_candidates;
pub use constants::CYCLES;
pub use detection::{MeasureError, Measurement, cell_sizes, measure, measure_from};
pub use experiment::{Case, CaseError, Experiment};
pub use fig_9::{Fig9, Fig9Level, Fig9Statement, PublishedOctree, fig_9};
pub use growth::{GrowthRow, growth_rows};
pub use growth_fit::{Fit, Growth, best_growth, fits, growth_exponent};
pub use hgrid::{measure_overhead, random_spheres, search, whole_cells};
pub use index_comparison::{IndexRow, IndexStep, compare_indexes};
pub use index_comparison_options::{IndexComparison, IndexComparisonError};
pub use index_measurement::{IndexMeasurement, measure_index};
pub use memory_access::{
    Arrangement, LinkedPaths, MemoryAccess, MemoryAccessError, measure_memory_access,
};
pub use paper_packings::{PaperSizes, PaperStep};
pub use published_generator::published_random;
pub use published_octree::{
    AcrossFaces, published_octree_candidates, published_octree_levels,
    published_octree_searched_nodes, published_octree_sphere_levels,
};
pub use searched_nodes::most_searched_nodes;
pub use snapshots::first_snapshot;
pub use statistics::mean_and_spread;
pub use steps::Steps;
pub use table_1::{Table1Row, table_1};
