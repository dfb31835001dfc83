//! When the number of spheres calls for a rebuild of an index.

use super::constants::{
    REBUILD_GROWTH, REBUILD_SLACK_SLOTS, REBUILD_SLACK_SPHERES, SLOTS_PER_SPHERE,
};

/// The number of stored spheres.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Population {
    /// Number of stored spheres.
    pub len: usize,
    /// Number from which the index needs a rebuild.
    rebuild_at: usize,
}

impl Population {
    /// Starts without spheres, for an index that is built for `spheres` spheres.
    pub fn for_spheres(spheres: usize) -> Self {
        Self {
            len: 0,
            rebuild_at: REBUILD_GROWTH * spheres + REBUILD_SLACK_SPHERES,
        }
    }

    /// Returns whether the spheres have doubled since the build, or freed blocks among `slots` slots waste much memory.
    pub fn needs_rebuild(self, slots: usize) -> bool {
        self.len >= self.rebuild_at || slots > SLOTS_PER_SPHERE * self.len + REBUILD_SLACK_SLOTS
    }
}
