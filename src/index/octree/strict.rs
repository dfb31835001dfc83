//! The strict octree.

use super::{
    Depth, Octree,
    frame::{Frame, MAX_LEVEL, Place, Placement, floor_log2},
};
use crate::{container::Container, index::Entry};

/// An octree in which each sphere belongs to the smallest node that holds all of it.
///
/// A sphere that crosses a plane between nodes stays on the level above that plane, however small it is;
/// one that crosses a periodic face stays in the root. That makes this index slow: it is here to be
/// compared with. In a container that is no cube, the root is a cube of the longest side.
///
/// # Cost
/// O(1) for a relocation within a node; the candidates of a probe grow with the number of spheres that cross
/// the large planes, about as `N^(2/3)`.
///
/// # Reference
/// S. Raschdorf, M. Kolonko: Loose octree: a data structure for the simulation of polydisperse particle
/// packings, 2011, section 3.2, Eqs. 2 and 3.
pub type StrictOctree = Octree<Strict>;

/// The rule of the [`StrictOctree`].
#[derive(Clone, Debug)]
pub struct Strict;

impl Octree<Strict> {
    /// A strict octree over `entries`, which must have different ids.
    pub fn new(container: &Container, entries: &[Entry]) -> Self {
        Self::with_entries(container, Strict, Depth::Deep, entries.len(), |k| {
            entries[k as usize]
        })
    }

    /// The same over the spheres `entry(k)` for `k` in `0..len`, for probes that hold many of them.
    pub(in crate::index) fn shallow(
        container: &Container,
        len: usize,
        entry: impl Fn(u32) -> Entry + Sync,
    ) -> Self {
        Self::with_entries(container, Strict, Depth::Shallow, len, entry)
    }
}

impl Placement for Strict {
    #[inline]
    fn expansion(&self) -> f64 {
        1.0
    }

    #[inline]
    fn coarsest_level(&self, frame: &Frame, radius: f64) -> Option<u32> {
        (2.0 * radius <= frame.side).then_some(0)
    }

    #[inline]
    fn place(&self, frame: &Frame, entry: &Entry, deepest: u32) -> Option<Place> {
        let level = floor_log2(frame.side / (2.0 * entry.radius));
        let mut level = u32::try_from(level).ok()?.min(deepest);
        let mut cell = [0; 3];
        for (axis, cell) in cell.iter_mut().enumerate() {
            let (low, high) = (
                entry.center[axis] - entry.radius,
                entry.center[axis] + entry.radius,
            );
            if frame.axes[axis].is_crossed_by(low, high) {
                return None;
            }
            let (low, high) = (frame.finest_cell(axis, low), frame.finest_cell(axis, high));
            *cell = low;
            let split = u32::BITS - (low ^ high).leading_zeros();
            level = level.min(MAX_LEVEL - split);
        }
        Some(Place {
            level,
            cell: cell.map(|c| c >> (MAX_LEVEL - level)),
        })
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    #[test]
    fn spheres_sink_until_a_plane_cuts_them() {
        let container = Container::new(DVec3::splat(16.0), "wwp".parse().unwrap()).unwrap();
        let tree = StrictOctree::new(&container, &[]);
        let level = |x: f64, z: f64, radius: f64| {
            let center = DVec3::new(x, 5.0, z);
            let entry = Entry {
                center,
                radius,
                id: 0,
            };
            tree.place(&entry).map(|place| place.level)
        };
        assert_eq!(level(8.0, 5.0, 0.1), Some(0));
        assert_eq!(level(4.0, 5.0, 0.1), Some(1));
        assert_eq!(level(2.0, 5.5, 0.1), Some(2));
        assert_eq!(level(1.5, 5.5, 0.4), Some(3));
        assert_eq!(level(0.0, 5.5, 0.1), Some(3), "walls do not cut");
        assert_eq!(level(4.0, 15.95, 0.1), None, "periodic faces do");
        assert_eq!(level(4.0, 5.0, 9.0), None);
    }
}
