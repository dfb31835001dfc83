//! Options of the published loop.

use strum::{Display, VariantArray};

use crate::{
    container::Boundaries,
    index::IndexKind,
    macros::setters,
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
    setters! {
        /// Sets the time of a refresh.
        refresh: RefreshPolicy;
        /// Sets the share of the gap to its nearest neighbor by which a sphere without overlap moves.
        toward_nearest: GapShare;
        /// Sets the effort.
        effort: Effort;
        /// Sets the boundary of each axis of the cube.
        boundary: Boundaries;
        /// Sets the global index.
        index: IndexKind;
        /// Sets the seed of the random positions.
        seed: u64;
    }
}
