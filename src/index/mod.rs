//! The global index: which spheres lie near a given place.
//!
//! Every index answers the same question, so that one contract test serves them all and the
//! user may choose one at run time. Centres are inside the container (`0 ≤ x < length` along
//! periodic axes), distances are minimum-image distances.

mod arena;
mod axis;
mod cells;
mod grid;
mod hgrid;
mod kd_tree;
mod octree;

use std::{fmt, str::FromStr};

use glam::DVec3;
use serde::{Deserialize, Serialize};

pub use self::{
    grid::Grid,
    hgrid::{CellSizesError, HGrid},
    kd_tree::KdTree,
    octree::{ExpansionFactorError, LooseOctree, StrictOctree},
};
use crate::container::Container;

/// One sphere as an index is told of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// Centre, inside the container.
    pub center: DVec3,
    /// Radius, in the unit of the container's lengths.
    pub radius: f64,
    /// The caller's number for the sphere; indexes keep tables as long as the largest one.
    pub id: u32,
}

/// A dynamic spatial index over spheres of any sizes.
///
/// It keeps the ids alone, each where its sphere belongs. The spheres stay with the caller, who tells of a sphere as it was when
/// it moves or goes.
pub trait GlobalIndex: Send + Sync {
    /// Adds a sphere whose `id` is not in the index.
    fn insert(&mut self, entry: Entry);

    /// Gives a sphere a new centre and radius. `from` must be as it was inserted or relocated last, and `to` have the same id.
    fn relocate(&mut self, from: Entry, to: Entry) {
        if !self.stays(&from, &to) {
            self.remove(from);
            self.insert(to);
        }
    }

    /// Whether [`relocate`](Self::relocate) would leave the index as it is.
    fn stays(&self, from: &Entry, to: &Entry) -> bool;

    /// Takes a sphere out, which must be as it was inserted or relocated last.
    fn remove(&mut self, entry: Entry);

    /// The number of spheres in the index.
    fn len(&self) -> usize;

    /// Whether the index is empty.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Offers candidates for overlap with a probe sphere, in runs of ids: every stored sphere that
    /// intersects the probe is offered exactly once, others may be, none twice. The probe may be
    /// of any size. Returns how many nodes or cells were opened.
    fn visit_candidates(&self, center: DVec3, radius: f64, visit: &mut dyn FnMut(&[u32])) -> usize;

    /// Whether [`rebuild`](Self::rebuild) would pay: since levels or cells were chosen, the spheres have become many more or larger,
    /// or changes have left much memory unused. Queries offer the right candidates all the same.
    fn is_outgrown(&self) -> bool;

    /// Chooses levels or cells anew for the spheres it holds, as `sphere` tells them by id. O(N).
    fn rebuild(&mut self, sphere: &(dyn Fn(u32) -> Entry + Sync));

    /// Rebuilds the index if it is outgrown.
    fn suit(&mut self, sphere: &(dyn Fn(u32) -> Entry + Sync)) {
        if self.is_outgrown() {
            self.rebuild(sphere);
        }
    }

    /// The memory the index holds, in bytes.
    fn bytes(&self) -> usize;

    /// Number of spheres on each level (octrees and HGrid), coarsest first; one level for others.
    fn spheres_per_level(&self) -> Vec<usize>;

    /// Checks every internal invariant against the spheres it should hold, by id; for tests.
    ///
    /// # Panics
    /// When an invariant does not hold.
    fn assert_well_formed(&self, sphere: &dyn Fn(u32) -> Entry);
}

/// The choice of a global index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IndexKind {
    /// [`LooseOctree`] with expansion factor 2.
    #[default]
    LooseOctree,
    /// [`StrictOctree`].
    StrictOctree,
    /// [`Grid`].
    Grid,
    /// [`HGrid`].
    Hgrid,
    /// [`KdTree`].
    KdTree,
}

impl IndexKind {
    /// Every kind, in the order in which they are listed to users.
    pub const ALL: [Self; 5] = [
        Self::LooseOctree,
        Self::StrictOctree,
        Self::Grid,
        Self::Hgrid,
        Self::KdTree,
    ];

    /// Builds an index of this kind over `entries`, which must have different ids.
    ///
    /// Levels and cell sizes are chosen for these entries; others may come later. O(N), for the k-d tree O(N log N).
    pub fn build(self, container: &Container, entries: &[Entry]) -> Box<dyn GlobalIndex> {
        match self {
            Self::LooseOctree => Box::new(LooseOctree::standard(container, entries)),
            Self::StrictOctree => Box::new(StrictOctree::new(container, entries)),
            Self::Grid => Box::new(Grid::new(container, entries)),
            Self::Hgrid => Box::new(HGrid::tuned(container, entries)),
            Self::KdTree => Box::new(KdTree::new(container, entries)),
        }
    }

    /// Builds an index of this kind over the spheres `entry(k)` for `k` in `0..len`, for probes that hold many of them.
    pub(crate) fn build_for_groups(
        self,
        container: &Container,
        len: usize,
        entry: impl Fn(u32) -> Entry + Sync,
    ) -> Box<dyn GlobalIndex> {
        match self {
            Self::LooseOctree => Box::new(LooseOctree::shallow(container, len, entry)),
            Self::StrictOctree => Box::new(StrictOctree::shallow(container, len, entry)),
            Self::Grid | Self::Hgrid | Self::KdTree => {
                let entries: Vec<Entry> = (0..len as u32).map(entry).collect();
                self.build(container, &entries)
            }
        }
    }

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::LooseOctree => "loose-octree",
            Self::StrictOctree => "strict-octree",
            Self::Grid => "grid",
            Self::Hgrid => "hgrid",
            Self::KdTree => "kd-tree",
        }
    }
}

impl fmt::Display for IndexKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no index.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no index; choose loose-octree, strict-octree, grid, hgrid or kd-tree")]
pub struct ParseIndexKindError(String);

impl FromStr for IndexKind {
    type Err = ParseIndexKindError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or_else(|| ParseIndexKindError(text.to_owned()))
    }
}

/// interim
pub trait IndexBuilder: Send + Sync {
    /// interim
    fn name(&self) -> &str;
    /// interim
    fn build(&self, container: &Container, entries: &[Entry]) -> Box<dyn GlobalIndex>;
    /// interim
    fn build_for_groups(
        &self,
        container: &Container,
        len: usize,
        entry: &(dyn Fn(u32) -> Entry + Sync),
    ) -> Box<dyn GlobalIndex>;
}
impl IndexBuilder for IndexKind {
    fn name(&self) -> &str {
        IndexKind::name(*self)
    }
    fn build(&self, container: &Container, entries: &[Entry]) -> Box<dyn GlobalIndex> {
        IndexKind::build(*self, container, entries)
    }
    fn build_for_groups(
        &self,
        container: &Container,
        len: usize,
        entry: &(dyn Fn(u32) -> Entry + Sync),
    ) -> Box<dyn GlobalIndex> {
        IndexKind::build_for_groups(*self, container, len, entry)
    }
}
