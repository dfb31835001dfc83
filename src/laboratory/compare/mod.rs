//! Comparisons of indexes and of broad phase algorithms, as in the papers.
//!
//! The functions return measurements as data; the caller prints them.

#[cfg(feature = "laboratory")]
mod adjoining_cells;
mod constants;
#[cfg(feature = "laboratory")]
mod detection;
#[cfg(feature = "laboratory")]
mod experiment;
#[cfg(feature = "laboratory")]
mod fig_9;
#[cfg(feature = "laboratory")]
mod growth;
#[cfg(feature = "laboratory")]
mod growth_fit;
mod hgrid;
#[cfg(feature = "laboratory")]
mod index_comparison;
#[cfg(feature = "laboratory")]
mod index_comparison_options;
#[cfg(feature = "laboratory")]
mod index_measurement;
#[cfg(feature = "laboratory")]
mod memory_access;
#[cfg(feature = "laboratory")]
mod paper_packings;
#[cfg(feature = "laboratory")]
mod published_generator;
mod published_octree;
mod random;
#[cfg(feature = "laboratory")]
mod searched_nodes;
#[cfg(feature = "laboratory")]
mod snapshots;
#[cfg(feature = "laboratory")]
mod statistics;
#[cfg(feature = "laboratory")]
mod steps;
#[cfg(feature = "laboratory")]
mod table_1;

#[cfg(feature = "laboratory")]
pub use adjoining_cells::adjoining_cell_candidates;
pub use constants::CYCLES;
#[cfg(feature = "laboratory")]
pub use detection::{MeasureError, Measurement, cell_sizes, measure, measure_from};
#[cfg(feature = "laboratory")]
pub use experiment::{Case, CaseError, Experiment};
#[cfg(feature = "laboratory")]
pub use fig_9::{Fig9, Fig9Level, Fig9Statement, fig_9};
#[cfg(feature = "laboratory")]
pub use growth::{GrowthRow, growth_rows};
#[cfg(feature = "laboratory")]
pub use growth_fit::{Fit, Growth, best_growth, fits, growth_exponent};
pub use hgrid::{measure_overhead, random_spheres, search, whole_cells};
#[cfg(feature = "laboratory")]
pub use index_comparison::{IndexRow, IndexStep, compare_indexes};
#[cfg(feature = "laboratory")]
pub use index_comparison_options::{IndexComparison, IndexComparisonError};
#[cfg(feature = "laboratory")]
pub use index_measurement::{IndexMeasurement, measure_index};
#[cfg(feature = "laboratory")]
pub use memory_access::{
    Arrangement, LinkedPaths, MemoryAccess, MemoryAccessError, measure_memory_access,
};
#[cfg(feature = "laboratory")]
pub use paper_packings::{PaperSizes, PaperStep};
#[cfg(feature = "laboratory")]
pub use published_generator::published_random;
pub use published_octree::{
    AcrossFaces, PublishedOctree, published_octree_candidates, published_octree_levels,
    published_octree_searched_nodes, published_octree_sphere_levels,
};
#[cfg(feature = "laboratory")]
pub use searched_nodes::most_searched_nodes;
#[cfg(feature = "laboratory")]
pub use snapshots::first_snapshot;
#[cfg(feature = "laboratory")]
pub use statistics::mean_and_spread;
#[cfg(feature = "laboratory")]
pub use steps::Steps;
#[cfg(feature = "laboratory")]
pub use table_1::{Table1Row, table_1};
