//! Options of a comparison of indexes.

use strum::VariantArray;

use crate::{
    container::Boundaries,
    distribution::Sampling,
    index::IndexKind,
    macros::setters,
    rearrange::{Effort, PackError, PackOptions},
};

/// Options of a comparison of indexes.
///
/// Setters change single options:
///
/// ```
/// use jostle::{Effort, laboratory::compare::IndexComparison};
///
/// let comparison = IndexComparison::default().spheres(400).effort(Effort::QUICK);
/// assert_eq!(comparison.runs, 10);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct IndexComparison {
    /// Number of spheres.
    pub spheres: usize,
    /// Choice of the diameters. The sample and the packing of a run use the same seed. `None` is stratified; in
    /// [`table_1()`](super::table_1()) and [`fig_9()`](super::fig_9()) it is the quantile by number at the middle of each part of the
    /// number.
    pub sampling: Option<Sampling>,
    /// Boundary of each axis of the packings.
    pub boundary: Boundaries,
    /// Effort of the packing runs; more effort gives denser packings.
    pub effort: Effort,
    /// Verlet distance δ_V in the unit of the diameters; `None` is a tenth of the smallest diameter, and in
    /// [`table_1()`](super::table_1()) a tenth of the mean diameter.
    pub verlet_distance: Option<f64>,
    /// Number of packings, with different seeds, over which the results are averaged.
    pub runs: u64,
    /// Seed of the first run; each further run adds 1.
    pub seed: u64,
    /// Indexes to compare.
    pub indexes: Vec<IndexKind>,
    /// Number of threads of the packing runs; 0 uses one thread per core.
    pub threads: usize,
}

impl Default for IndexComparison {
    /// The paper's 10 000 spheres and ten runs, between walls; all indexes, one thread.
    fn default() -> Self {
        Self {
            spheres: 10_000,
            sampling: None,
            boundary: Boundaries::WALLS,
            effort: Effort::default(),
            verlet_distance: None,
            runs: 10,
            seed: 1,
            indexes: IndexKind::VARIANTS.to_vec(),
            threads: 1,
        }
    }
}

/// Error of a comparison that cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum IndexComparisonError {
    /// The number of runs is 0.
    #[error("the number of runs is 0; it must be at least 1")]
    NoRuns,
    /// The Verlet distance is negative or not finite.
    #[error("Verlet distance = {0}; expected a finite length of at least 0")]
    VerletDistance(f64),
    /// The spheres cannot be packed.
    #[error(transparent)]
    Pack(#[from] PackError),
}

impl IndexComparison {
    /// Returns the settings of [`table_1()`](super::table_1()) and [`fig_9()`](super::fig_9()): the default with the effort
    /// [`QUICK`](Effort::QUICK), whose packings reproduce the paper's candidates of equal spheres. The paper states no packing
    /// fraction.
    pub fn of_the_paper() -> Self {
        Self::default().effort(Effort::QUICK)
    }

    setters! {
        /// Sets the number of spheres.
        spheres: usize;
        /// Sets the choice of the diameters.
        sampling: Sampling;
        /// Sets the boundary of each axis of the packings.
        boundary: Boundaries;
        /// Sets the effort of the packing runs.
        effort: Effort;
        /// Sets the Verlet distance in the unit of the diameters.
        verlet_distance: f64;
        /// Sets the number of packings.
        runs: u64;
        /// Sets the seed of the first run.
        seed: u64;
        /// Sets the indexes to compare.
        indexes: Vec<IndexKind>;
        /// Sets the number of threads of the packing runs.
        threads: usize;
    }

    /// Returns the options of a packing run with this seed.
    pub(super) fn pack_options(&self, seed: u64) -> PackOptions {
        PackOptions::default()
            .container(self.boundary)
            .effort(self.effort)
            .seed(seed)
            .threads(self.threads)
    }

    /// Checks the number of runs and the Verlet distance.
    pub(super) fn check(&self) -> Result<(), IndexComparisonError> {
        if self.runs == 0 {
            return Err(IndexComparisonError::NoRuns);
        }
        match self.verlet_distance {
            Some(distance) if !(distance >= 0.0 && distance.is_finite()) => {
                Err(IndexComparisonError::VerletDistance(distance))
            }
            _ => Ok(()),
        }
    }
}
