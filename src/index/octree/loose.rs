//! The loose octree.

use super::{
    root_cube::{NodeAddress, RootCube},
    rule::NodeRule,
    tree::Octree,
};
use crate::{
    container::Container,
    index::{
        constants::{FIT_TOLERANCE, MAX_LEVEL, STANDARD_EXPANSION},
        entry::Entry,
        exponent::floor_log2,
    },
};

/// An octree whose nodes extend beyond their inner boundary by a factor `k > 1`, so that the level of a
/// sphere depends on its size and hardly on its center.
///
/// A sphere of diameter `d` belongs to level `⌊log2((k − 1) s0 / d)⌋`, to the node whose inner boundary
/// (side `s0/2^level`) holds its center. If the sphere lies inside the outer boundary (side
/// `k s0/2^(level + 1)`) of the child that holds its center, it belongs to that child instead. For `k = 2`
/// this is the rule of the paper, `⌊log2(s0/d)⌋`.
///
/// Queries skip subtrees that the probe does not meet, and report subtrees inside the probe without tests. The
/// spheres of a subtree lie inside its outer boundary, and inside its inner boundary widened by the largest radius
/// this deep in the tree. Queries use the narrower one, and so report fewer candidates than the octree of the paper.
///
/// In a container that is not a cube, `s0` is the longest side, and the nodes outside the container do not exist.
///
/// # Cost
/// Level and node follow from a few multiplications; a relocation within a node is O(1). To find the node in
/// memory takes one step for each level below that of the largest sphere. Building is O(N).
///
/// # Reference
/// S. Raschdorf & M. Kolonko, Loose octree: a data structure for the simulation of polydisperse particle
/// packings (2011), section 3.3, Eqs. 4 and 5.
pub type LooseOctree = Octree<Loose>;

/// An expansion factor that is not a finite number above 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "expansion factor of the loose octree is {0}; it must be a finite number above 1, such as 2"
)]
pub struct ExpansionFactorError(f64);

/// The node rule of the [`LooseOctree`].
#[derive(Clone, Debug)]
pub struct Loose {
    expansion: f64,
}

/// The rule of the standard tree.
impl Default for Loose {
    fn default() -> Self {
        Self {
            expansion: STANDARD_EXPANSION,
        }
    }
}

impl Octree<Loose> {
    /// Builds a loose octree with expansion factor `expansion` over `entries`.
    ///
    /// # Errors
    /// When the expansion factor is not a finite number above 1.
    ///
    /// # Panics
    /// When an entry is invalid; see [`IndexBuilder::build`](crate::index::IndexBuilder::build).
    pub fn new(
        container: &Container,
        expansion: f64,
        entries: &[Entry],
    ) -> Result<Self, ExpansionFactorError> {
        if !(expansion > 1.0 && expansion.is_finite()) {
            return Err(ExpansionFactorError(expansion));
        }
        Ok(Self::deep(container, Loose { expansion }, entries))
    }

    /// Builds a loose octree with expansion factor 2, the best by experience.
    ///
    /// # Panics
    /// When an entry is invalid; see [`IndexBuilder::build`](crate::index::IndexBuilder::build).
    pub fn standard(container: &Container, entries: &[Entry]) -> Self {
        Self::deep(container, Loose::default(), entries)
    }
}

impl NodeRule for Loose {
    #[inline]
    fn expansion(&self) -> f64 {
        self.expansion
    }

    #[inline]
    fn coarsest_level(&self, cube: &RootCube, radius: f64) -> Option<u32> {
        let level = floor_log2((self.expansion - 1.0) * cube.side / (2.0 * radius));
        u32::try_from(level).ok().map(|level| level.min(MAX_LEVEL))
    }

    #[inline]
    fn node(&self, cube: &RootCube, entry: &Entry, deepest: u32) -> Option<NodeAddress> {
        let level = self.coarsest_level(cube, entry.radius)?.min(deepest);
        let center = entry.center.to_array();
        let finest = [0, 1, 2].map(|axis| cube.finest_coordinate(axis, center[axis]));
        let coordinates_on = |level: u32| finest.map(|c| c >> (MAX_LEVEL - level));
        let holds = |level: u32, tolerance: f64| {
            let side = cube.node_side(level);
            let clearance = 0.5 * self.expansion * side - entry.radius + tolerance * side;
            let coordinates = coordinates_on(level);
            (0..3).all(|axis| {
                let middle = (f64::from(coordinates[axis]) + cube.middle[axis]) * side;
                (center[axis] - middle).abs() <= clearance
            })
        };
        let level = if level < deepest && holds(level + 1, 0.0) {
            level + 1
        } else if holds(level, FIT_TOLERANCE) {
            level
        } else {
            // The center is not inside the container.
            return None;
        };
        Some(NodeAddress {
            level,
            coordinates: coordinates_on(level),
        })
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::{container::Boundaries, index::GlobalIndex};

    fn tree(side: f64, expansion: f64, entries: &[Entry]) -> LooseOctree {
        let container = Container::cuboid(DVec3::splat(side), Boundaries::WALLS).unwrap();
        LooseOctree::new(&container, expansion, entries).unwrap()
    }

    fn sphere(id: u32, center: DVec3, diameter: f64) -> Entry {
        Entry {
            center,
            radius: 0.5 * diameter,
            id,
        }
    }

    #[test]
    fn levels_follow_eq_4_and_the_child_step() {
        let tree = tree(16.0, 2.0, &[]);
        // (diameter, center, level): the node on level ⌊log2(16/d)⌋, one deeper near a child's middle.
        for (diameter, x, level) in [
            (16.0, 8.0, 0),
            (9.0, 8.0, 0),
            (8.1, 4.0, 1),
            (8.1, 7.99, 0),
            (7.9, 4.0, 1),
            (7.9, 2.0, 2),
            (4.1, 2.0, 2),
            (4.0, 2.0, 2),
            (2.0, 7.99, 3),
            (1.5, 1.0, 3),
            (1.5, 0.5, 4),
            (1.5, 0.75, 4),
            (1.5, 0.76, 3),
            (1.0, 0.51, 4),
        ] {
            let entry = sphere(0, DVec3::splat(x), diameter);
            let address = tree.node_of(&entry).unwrap();
            let coordinate = (x / 16.0 * f64::from(1 << address.level)) as u32;
            assert_eq!(address.level, level, "d = {diameter} at {x}");
            assert_eq!(
                address.coordinates, [coordinate; 3],
                "d = {diameter} at {x}"
            );
        }
    }

    #[test]
    fn spheres_fit_their_outer_boundary() {
        for expansion in [1.1, 1.5, 2.0, 3.0] {
            let tree = tree(10.0, expansion, &[]);
            for i in 0..2000 {
                let share = |step: f64| (f64::from(i) * step).fract();
                let center = DVec3::new(share(0.618), share(0.414), share(0.732)) * 10.0;
                let entry = sphere(0, center, 10.0 * share(0.236).powi(3));
                let Some(address) = tree.node_of(&entry) else {
                    assert!(2.0 * entry.radius > (expansion - 1.0) * 10.0);
                    continue;
                };
                let side = 10.0 / f64::from(1 << address.level);
                for axis in 0..3 {
                    let offset = center[axis] - (f64::from(address.coordinates[axis]) + 0.5) * side;
                    assert!(offset.abs() <= 0.5 * side);
                    assert!(offset.abs() + entry.radius <= 0.5 * expansion * side + 1e-9);
                }
            }
        }
    }

    #[test]
    fn spheres_per_level_reflects_the_sizes() {
        let entries: Vec<Entry> = (0..)
            .zip([(16.0, 8.0), (9.0, 8.0), (7.9, 4.0), (7.9, 2.0), (1.0, 0.51)])
            .map(|(id, (diameter, x))| sphere(id, DVec3::splat(x), diameter))
            .collect();
        let tree = tree(16.0, 2.0, &entries);
        tree.assert_well_formed(&|id| entries[id as usize]);
        assert_eq!(tree.spheres_per_level(), [2, 1, 1, 0, 1]);
    }

    #[test]
    fn expansion_factor_must_exceed_one() {
        let container = Container::cuboid(DVec3::ONE, Boundaries::PERIODIC).unwrap();
        for bad in [1.0, 0.0, -2.0, f64::NAN, f64::INFINITY] {
            assert!(LooseOctree::new(&container, bad, &[]).is_err());
        }
    }
}
