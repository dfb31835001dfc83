//! Options of the published loop.

use strum::{Display, VariantArray};

use crate::{
    container::Boundaries,
    index::IndexKind,
    rearrange::{Effort, GapShare},
};

/// The time at which a sphere that left its inflated sphere gets a new Verlet list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Display, VariantArray)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum RefreshPolicy {
    /// Directly after its relocation, as Raschdorf & Kolonko do.
    #[default]
    AtOnce,
    /// After the sweep, together with all others, as the packing loop does.
    AfterSweep,
}

/// Options of a run of the published loop.
///
/// Setters change single options:
///
/// ```
/// use jostle::{Effort, laboratory::published_loop::{PublishedLoopOptions, RefreshPolicy}};
///
/// let options = PublishedLoopOptions::default()
///     .refresh(RefreshPolicy::AfterSweep)
///     .effort(Effort::QUICK);
/// assert_eq!(options.seed, 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PublishedLoopOptions {
    /// The time of a refresh.
    pub refresh: RefreshPolicy,
    /// The share of the gap to its nearest neighbor by which a sphere without overlap moves at its visit. The paper does not state it.
    pub toward_nearest: GapShare,
    /// Effort, which determines growth and tolerance as in the packing loop.
    pub effort: Effort,
    /// Boundary of each axis of the cube.
    pub boundary: Boundaries,
    /// The global index behind the Verlet lists.
    pub index: IndexKind,
    /// Seed of the random positions.
    pub seed: u64,
}

impl Default for PublishedLoopOptions {
    /// The loop of the paper in a periodic cube. Spheres without overlap stay at their positions.
    fn default() -> Self {
        Self {
            refresh: RefreshPolicy::default(),
            toward_nearest: GapShare::OFF,
            effort: Effort::default(),
            boundary: Boundaries::PERIODIC,
            index: IndexKind::default(),
            seed: 1,
        }
    }
}

impl PublishedLoopOptions {
    /// Sets the time of a refresh.
    #[must_use]
    pub fn refresh(mut self, refresh: RefreshPolicy) -> Self {
        self.refresh = refresh;
        self
    }

    /// Sets the share of the gap to its nearest neighbor by which a sphere without overlap moves.
    #[must_use]
    pub fn toward_nearest(mut self, toward_nearest: GapShare) -> Self {
        self.toward_nearest = toward_nearest;
        self
    }

    /// Sets the effort.
    #[must_use]
    pub fn effort(mut self, effort: Effort) -> Self {
        self.effort = effort;
        self
    }

    /// Sets the boundary of each axis of the cube.
    #[must_use]
    pub fn boundary(mut self, boundary: Boundaries) -> Self {
        self.boundary = boundary;
        self
    }

    /// Sets the global index.
    #[must_use]
    pub fn index(mut self, index: IndexKind) -> Self {
        self.index = index;
        self
    }

    /// Sets the seed of the random positions.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }
}
