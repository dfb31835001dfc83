//! The strict octree.

use super::{
    root_cube::{NodeAddress, RootCube},
    rule::NodeRule,
    tree::Octree,
};
use crate::{
    container::Container,
    index::{constants::MAX_LEVEL, entry::Entry, exponent::floor_log2},
};

/// An octree in which each sphere belongs to the smallest node that contains the whole sphere.
///
/// A sphere that crosses a plane between nodes belongs to the level above that plane, however small it is.
/// Every probe reports the spheres that cross a periodic face. This index is therefore slow; it serves for
/// comparisons. In a container that is not a cube, the root is a cube of the longest side.
///
/// # Cost
/// O(1) for a relocation within a node; the candidates of a probe grow with the number of spheres that cross
/// the large planes, about as `N^(2/3)`.
///
/// # Reference
/// S. Raschdorf & M. Kolonko, Loose octree: a data structure for the simulation of polydisperse particle
/// packings (2011), section 3.2, Eqs. 2 and 3.
pub type StrictOctree = Octree<Strict>;

/// The node rule of the [`StrictOctree`].
#[derive(Clone, Debug, Default)]
pub struct Strict;

impl Octree<Strict> {
    /// Builds a strict octree over `entries`.
    ///
    /// # Panics
    /// When an entry is invalid; see [`IndexBuilder::build`](crate::index::IndexBuilder::build).
    pub fn new(container: &Container, entries: &[Entry]) -> Self {
        Self::deep(container, Strict, entries)
    }
}

impl NodeRule for Strict {
    #[inline]
    fn expansion(&self) -> f64 {
        1.0
    }

    #[inline]
    fn coarsest_level(&self, cube: &RootCube, radius: f64) -> Option<u32> {
        (2.0 * radius <= cube.side).then_some(0)
    }

    #[inline]
    fn node(&self, cube: &RootCube, entry: &Entry, deepest: u32) -> Option<NodeAddress> {
        let level = floor_log2(cube.side / (2.0 * entry.radius));
        let mut level = u32::try_from(level).ok()?.min(deepest);
        let mut coordinates = [0; 3];
        for (axis, coordinate) in coordinates.iter_mut().enumerate() {
            let (low, high) = (
                entry.center[axis] - entry.radius,
                entry.center[axis] + entry.radius,
            );
            if cube.axes[axis].is_crossed_by(low, high) {
                return None;
            }
            let low = cube.finest_coordinate(axis, low);
            let high = cube.finest_coordinate(axis, high);
            *coordinate = low;
            let split = u32::BITS - (low ^ high).leading_zeros();
            level = level.min(MAX_LEVEL - split);
        }
        Some(NodeAddress {
            level,
            coordinates: coordinates.map(|c| c >> (MAX_LEVEL - level)),
        })
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    #[test]
    fn spheres_belong_to_the_level_above_the_plane_that_cuts_them() {
        let container = Container::cuboid(DVec3::splat(16.0), "wwp".parse().unwrap()).unwrap();
        let tree = StrictOctree::new(&container, &[]);
        let level = |x: f64, z: f64, radius: f64| {
            let center = DVec3::new(x, 5.0, z);
            let entry = Entry {
                center,
                radius,
                id: 0,
            };
            tree.node_of(&entry).map(|address| address.level)
        };
        assert_eq!(level(8.0, 5.0, 0.1), Some(0));
        assert_eq!(level(4.0, 5.0, 0.1), Some(1));
        assert_eq!(level(2.0, 5.5, 0.1), Some(2));
        assert_eq!(level(1.5, 5.5, 0.4), Some(3));
        assert_eq!(level(0.0, 5.5, 0.1), Some(3), "walls do not cut the sphere");
        assert_eq!(
            level(4.0, 15.95, 0.1),
            None,
            "periodic faces cut the sphere"
        );
        assert_eq!(level(4.0, 5.0, 9.0), None);
    }
}
