//! The octrees exactly as Raschdorf & Kolonko 2011 describe them, for their Table 1 and Fig. 9.

use std::collections::{HashMap, HashSet};

use glam::DVec3;
use strum::{Display, VariantArray};

use crate::{container::Container, spheres::Spheres};

/// Address of a node: its level and its integer coordinates on this level.
type Node = (u32, [i64; 3]);

/// How a query of a published octree finds candidates across a periodic face; the paper does not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, VariantArray)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum AcrossFaces {
    /// One query for every image of the Verlet sphere that reaches into the container.
    ///
    /// A candidate of two queries counts twice. Of two spheres close to each other across a face, at least one has an
    /// image that reaches into the container, so symmetric lists miss no pair.
    Images,
    /// One query, which measures the distance to the nearest image of each node.
    Around,
}

/// Returns the candidates per sphere of the octree that the paper describes.
///
/// The expansion factor k = 1 is the strict octree, k = 2 the loose one. The octree has all levels from the root down to
/// the level of the deepest sphere. A sphere is stored in the deepest node that contains its center and whose outer
/// boundary encloses the sphere. The outer boundary of a node at a face of the container does not end at this face,
/// because the paper names only splitting planes. (The [`StrictOctree`](crate::index::StrictOctree) of this crate stores
/// spheres that cross a periodic face in the root.) A query opens the nodes whose outer boundary the Verlet sphere
/// intersects.
///
/// The container must be a cube. The tree hashes its nodes and is slow; it is meant for about ten thousand spheres.
pub fn published_octree_candidates(
    expansion: f64,
    spheres: &Spheres,
    container: &Container,
    verlet_distance: f64,
    across: AcrossFaces,
) -> f64 {
    let tree = Tree::new(expansion, spheres, container.lengths().x);
    let candidates: usize = spheres
        .iter()
        .map(|(center, radius)| {
            let own = tree.node_of(center, radius);
            let reach = radius + verlet_distance;
            match across {
                AcrossFaces::Images => images(container, tree.side, center, reach)
                    .map(|image| tree.candidates(own, reach, &|middle| middle - image))
                    .sum(),
                AcrossFaces::Around => {
                    tree.candidates(own, reach, &|middle| container.displacement(center, middle))
                }
            }
        })
        .sum();
    candidates as f64 / spheres.len() as f64
}

/// Returns the periodic images of a point, itself included, from which `reach` extends into the cube.
fn images(
    container: &Container,
    side: f64,
    center: DVec3,
    reach: f64,
) -> impl Iterator<Item = DVec3> {
    let shifts = (0..27).map(|i| DVec3::from([i % 3, i / 3 % 3, i / 9].map(f64::from)) - 1.0);
    shifts
        .filter(move |shift| (0..3).all(|axis| shift[axis] == 0.0 || container.is_periodic(axis)))
        .map(move |shift| center + side * shift)
        .filter(move |image| {
            let nearest = image.clamp(DVec3::ZERO, DVec3::splat(side));
            image.distance(nearest) <= reach
        })
}

/// Returns the number of spheres on each level of the octree that the paper describes, the root first (Fig. 9).
pub fn published_octree_levels(
    expansion: f64,
    spheres: &Spheres,
    container: &Container,
) -> Vec<usize> {
    let tree = Tree::new(expansion, spheres, container.lengths().x);
    let mut levels = Vec::new();
    for (&(level, _), members) in &tree.members {
        let level = level as usize;
        if levels.len() <= level {
            levels.resize(level + 1, 0);
        }
        levels[level] += members;
    }
    levels
}

/// Octree in a cube with its low corner at the origin.
struct Tree {
    expansion: f64,
    side: f64,
    /// Number of spheres in each node that stores any.
    members: HashMap<Node, usize>,
    /// The nodes of `members` and all their ancestors.
    nodes: HashSet<Node>,
}

impl Tree {
    fn new(expansion: f64, spheres: &Spheres, side: f64) -> Self {
        let mut tree = Self {
            expansion,
            side,
            members: HashMap::new(),
            nodes: HashSet::new(),
        };
        for (center, radius) in spheres.iter() {
            let (level, cell) = tree.node_of(center, radius);
            *tree.members.entry((level, cell)).or_default() += 1;
            let ancestors = (0..=level).map(|up| (level - up, cell.map(|x| x >> up)));
            tree.nodes.extend(ancestors);
        }
        tree
    }

    /// Returns the side of the nodes on a level, without the expansion.
    fn node_side(&self, level: u32) -> f64 {
        self.side / 2f64.powi(level as i32)
    }

    fn middle(&self, (level, cell): Node) -> DVec3 {
        (DVec3::from_array(cell.map(|x| x as f64)) + 0.5) * self.node_side(level)
    }

    /// Returns the node on a level that contains a point.
    fn node_at(&self, level: u32, center: DVec3) -> Node {
        let last = 2f64.powi(level as i32) - 1.0;
        let cell = (center / self.node_side(level)).floor();
        let cell = cell.clamp(DVec3::ZERO, DVec3::splat(last));
        (level, cell.to_array().map(|x| x as i64))
    }

    /// Returns the deepest node that encloses a sphere.
    fn node_of(&self, center: DVec3, radius: f64) -> Node {
        let mut level = 0;
        while self.fits(level + 1, center, radius) {
            level += 1;
        }
        self.node_at(level, center)
    }

    /// Whether the outer boundary of the node on a level that contains the center encloses the sphere.
    fn fits(&self, level: u32, center: DVec3, radius: f64) -> bool {
        let node = self.node_at(level, center);
        let side = self.node_side(level);
        let from_middle = center - self.middle(node);
        let last = (1i64 << level) - 1;
        (0..3).all(|axis| {
            let face = if from_middle[axis] < 0.0 { 0 } else { last };
            from_middle[axis].abs() + radius <= 0.5 * self.expansion * side
                || (node.1[axis] == face && 2.0 * radius <= side)
        })
    }

    /// Returns the number of spheres in the nodes that a query opens, without its own sphere, which is in `own`.
    ///
    /// `displacement` leads from the center of the probe to the middle of a node.
    fn candidates(&self, own: Node, reach: f64, displacement: &dyn Fn(DVec3) -> DVec3) -> usize {
        let mut candidates = 0;
        let mut open = vec![(0, [0i64; 3])];
        while let Some(node) = open.pop() {
            let (level, cell) = node;
            let outer = DVec3::splat(0.5 * self.expansion * self.node_side(level));
            let gap = (displacement(self.middle(node)).abs() - outer).max(DVec3::ZERO);
            if gap.length() > reach || !self.nodes.contains(&node) {
                continue;
            }
            candidates += self.members.get(&node).copied().unwrap_or(0) - usize::from(node == own);
            for octant in 0..8 {
                let bits = [octant & 1, octant >> 1 & 1, octant >> 2];
                open.push((level + 1, [0, 1, 2].map(|axis| 2 * cell[axis] + bits[axis])));
            }
        }
        candidates
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::container::Boundaries;

    fn container(boundary: Boundaries) -> Container {
        Container::cuboid(DVec3::splat(8.0), boundary).unwrap()
    }

    #[test]
    fn a_sphere_is_in_the_deepest_node_that_planes_and_outer_boundaries_allow() {
        let empty = Spheres::new(Vec::new(), Vec::new());
        let level = |expansion, x: f64| {
            let tree = Tree::new(expansion, &empty, 8.0);
            tree.node_of(DVec3::new(x, 2.5, 2.5), 0.5).0
        };
        // A sphere across the middle plane, across no plane, and across a face of the container.
        assert_eq!([4.2, 2.5, 0.1].map(|x| level(1.0, x)), [0, 3, 3]);
        // Eq. 4 gives level 3. A node on level 4 has the side 0.5, and its outer boundary extends 0.5 from its center.
        assert_eq!([4.2, 2.5, 4.25].map(|x| level(2.0, x)), [3, 3, 3]);
        let tree = Tree::new(2.0, &empty, 8.0);
        assert_eq!(tree.node_of(DVec3::splat(4.25), 0.5).0, 4);
    }

    #[test]
    fn candidates_are_found_across_a_periodic_face() {
        let centers = vec![
            DVec3::splat(2.5),
            DVec3::new(0.4, 2.5, 6.5),
            DVec3::new(7.6, 2.5, 6.5),
        ];
        let spheres = Spheres::new(centers, vec![0.5; 3]);
        let candidates = |boundary, across| {
            published_octree_candidates(1.0, &spheres, &container(boundary), 0.1, across)
        };
        for across in [AcrossFaces::Images, AcrossFaces::Around] {
            assert_eq!(candidates(Boundaries::WALLS, across), 0.0);
            assert_eq!(candidates(Boundaries::PERIODIC, across), 2.0 / 3.0);
        }
        let levels = published_octree_levels(1.0, &spheres, &container(Boundaries::PERIODIC));
        assert_eq!(levels, [0, 0, 0, 3]);
    }
}
