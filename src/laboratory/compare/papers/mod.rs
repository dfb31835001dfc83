//! The experiments of the papers, their measurements, and the laws of growth fitted to them.

mod constants;
mod detection;
mod experiment;
mod fig_9;
mod growth;
mod index_comparison;
mod index_comparison_options;
mod index_measurement;
mod memory_access;
mod paper_packings;
mod snapshots;
mod statistics;
mod steps;
mod table_1;

pub use constants::CYCLES;
pub use detection::{MeasureError, Measurement, cell_sizes, measure, measure_from};
pub use experiment::{Case, CaseError, Experiment};
pub use fig_9::{Fig9, Fig9Level, Fig9Statement, fig_9, most_searched_nodes};
pub use growth::{Fit, Growth, GrowthRow, best_growth, fits, growth_exponent, growth_rows};
pub use index_comparison::{IndexRow, IndexStep, compare_indexes};
pub use index_comparison_options::{IndexComparison, IndexComparisonError};
pub use index_measurement::{IndexMeasurement, measure_index};
pub use memory_access::{
    Arrangement, LinkedPaths, MemoryAccess, MemoryAccessError, measure_memory_access,
};
pub use paper_packings::{PaperSizes, PaperStep};
pub use snapshots::first_snapshot;
pub use statistics::mean_and_spread;
pub use steps::{Steps, published_random};
pub use table_1::{Table1Row, adjoining_cell_candidates, table_1};
