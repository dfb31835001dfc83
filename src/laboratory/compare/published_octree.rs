//! The octrees exactly as Raschdorf & Kolonko 2011 describe them, for their Table 1 and Fig. 9.

use std::collections::{HashMap, HashSet};

use glam::DVec3;
use strum::VariantArray;

use super::constants::DEEPEST_LEVEL;
use crate::{container::Container, macros::choice, spheres::Spheres};

choice! {
    "octree", "kebab-case";
    /// Octree as Raschdorf & Kolonko 2011 describe it.
    #[non_exhaustive]
    pub enum PublishedOctree {
        /// The strict octree: each sphere is inside its node.
        Strict,
        /// The loose octree with expansion factor 2.
        Loose,
    }
}

impl PublishedOctree {
    /// Both octrees, the strict one first.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// Returns the expansion factor k, the ratio of the outer and the inner boundary of a node.
    pub fn expansion(self) -> f64 {
        match self {
            Self::Strict => 1.0,
            Self::Loose => 2.0,
        }
    }
}

/// Address of a node: its level and its integer coordinates on this level.
type Node = (u32, [i64; 3]);

choice! {
    "query across faces", "kebab-case";
    /// How a query of a published octree finds candidates across a periodic face; the paper does not say.
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
}

/// Returns the candidates per sphere of the octree that Raschdorf & Kolonko 2011 describe.
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
    let tree = Tree::new(expansion, spheres, container);
    let candidates: usize = spheres
        .iter()
        .map(|(center, radius)| {
            let own = tree.rule.node_of(center, radius);
            let reach = radius + verlet_distance;
            match across {
                AcrossFaces::Images => images(container, tree.rule.side, center, reach)
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

/// Returns the number of spheres on each level of the octree that Raschdorf & Kolonko 2011 describe, the root first (Fig. 9).
pub fn published_octree_levels(
    expansion: f64,
    spheres: &Spheres,
    container: &Container,
) -> Vec<usize> {
    let mut counts = Vec::new();
    for level in published_octree_sphere_levels(expansion, spheres, container) {
        *entry_of(&mut counts, level) += 1;
    }
    counts
}

/// Returns the level of each sphere in the octree that Raschdorf & Kolonko 2011 describe (Figs. 5 and 7); 0 is the root.
///
/// The root is a cube of the longest side of the container. No level is deeper than 52.
pub fn published_octree_sphere_levels(
    expansion: f64,
    spheres: &Spheres,
    container: &Container,
) -> Vec<u32> {
    let rule = Rule::new(expansion, container);
    let level = |(center, radius)| rule.node_of(center, radius).0;
    spheres.iter().map(level).collect()
}

/// Returns for each level of the strict octree that Raschdorf & Kolonko 2011 describe, the root first, the mean number of nodes
/// that a sphere on this level must search (Fig. 4); 0 for a level without spheres.
///
/// These nodes are the node of the sphere, its ancestors and its descendants. Only nodes that store spheres and their ancestors
/// exist, so that the number is at most that of Eq. 3, [`most_searched_nodes`](super::most_searched_nodes).
pub fn published_octree_searched_nodes(spheres: &Spheres, container: &Container) -> Vec<f64> {
    let tree = Tree::new(1.0, spheres, container);
    let mut in_subtree: HashMap<Node, usize> = HashMap::new();
    for &node in &tree.nodes {
        for ancestor in ancestors(node) {
            *in_subtree.entry(ancestor).or_default() += 1;
        }
    }
    let (mut nodes, mut members) = (Vec::new(), Vec::new());
    for (node, &count) in &tree.members {
        let level = node.0;
        let searched = level as usize + in_subtree.get(node).copied().unwrap_or(0);
        *entry_of(&mut nodes, level) += count * searched;
        *entry_of(&mut members, level) += count;
    }
    let mean = |(nodes, members): (usize, usize)| nodes as f64 / members.max(1) as f64;
    nodes.into_iter().zip(members).map(mean).collect()
}

/// Returns the entry of a level, with zeros for levels that are missing.
fn entry_of(counts: &mut Vec<usize>, level: u32) -> &mut usize {
    let level = level as usize;
    if counts.len() <= level {
        counts.resize(level + 1, 0);
    }
    &mut counts[level]
}

/// Returns a node and all its ancestors.
fn ancestors((level, cell): Node) -> impl Iterator<Item = Node> {
    (0..=level).map(move |up| (level - up, cell.map(|x| x >> up)))
}

/// Assignment of spheres to the nodes of an octree in a cube with its low corner at the origin.
struct Rule {
    expansion: f64,
    side: f64,
}

impl Rule {
    fn new(expansion: f64, container: &Container) -> Self {
        Self {
            expansion,
            side: container.lengths().max_element(),
        }
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
        while level < DEEPEST_LEVEL && self.fits(level + 1, center, radius) {
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
}

/// Nodes of an octree that store spheres.
struct Tree {
    rule: Rule,
    /// Number of spheres in each node that stores any.
    members: HashMap<Node, usize>,
    /// The nodes of `members` and all their ancestors.
    nodes: HashSet<Node>,
}

impl Tree {
    fn new(expansion: f64, spheres: &Spheres, container: &Container) -> Self {
        let rule = Rule::new(expansion, container);
        let (mut members, mut nodes) = (HashMap::new(), HashSet::new());
        for (center, radius) in spheres.iter() {
            let node = rule.node_of(center, radius);
            *members.entry(node).or_default() += 1;
            nodes.extend(ancestors(node));
        }
        Self {
            rule,
            members,
            nodes,
        }
    }

    /// Returns the number of spheres in the nodes that a query opens, without its own sphere, which is in `own`.
    ///
    /// `displacement` leads from the center of the probe to the middle of a node.
    fn candidates(&self, own: Node, reach: f64, displacement: &dyn Fn(DVec3) -> DVec3) -> usize {
        let mut candidates = 0;
        let mut open = vec![(0, [0i64; 3])];
        while let Some(node) = open.pop() {
            let (level, cell) = node;
            let outer = DVec3::splat(0.5 * self.rule.expansion * self.rule.node_side(level));
            let gap = (displacement(self.rule.middle(node)).abs() - outer).max(DVec3::ZERO);
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

#[cfg(all(test, feature = "laboratory"))]
mod tests {
    use super::*;
    use crate::{container::Boundaries, laboratory::compare::most_searched_nodes};

    fn container(boundary: Boundaries) -> Container {
        Container::cuboid(DVec3::splat(8.0), boundary).unwrap()
    }

    #[test]
    fn a_sphere_is_in_the_deepest_node_that_planes_and_outer_boundaries_allow() {
        let container = container(Boundaries::WALLS);
        let level_at = |expansion, center| {
            let one = Spheres::new(vec![center], vec![0.5]);
            published_octree_sphere_levels(expansion, &one, &container)[0]
        };
        let level = |expansion, x: f64| level_at(expansion, DVec3::new(x, 2.5, 2.5));
        // A sphere across the middle plane, across no plane, and across a face of the container.
        assert_eq!([4.2, 2.5, 0.1].map(|x| level(1.0, x)), [0, 3, 3]);
        // Eq. 4 gives level 3. A node on level 4 has the side 0.5, and its outer boundary extends 0.5 from its center.
        assert_eq!([4.2, 2.5, 4.25].map(|x| level(2.0, x)), [3, 3, 3]);
        assert_eq!(level_at(2.0, DVec3::splat(4.25)), 4);
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

    #[test]
    fn extreme_spheres_have_a_level() {
        let container = container(Boundaries::WALLS);
        for (radius, level) in [(1e-300, DEEPEST_LEVEL), (1e300, 0)] {
            let one = Spheres::new(vec![DVec3::splat(2.7)], vec![radius]);
            for expansion in [1.0, 2.0] {
                let found = published_octree_sphere_levels(expansion, &one, &container);
                assert_eq!(found, [level], "radius {radius}");
            }
        }
    }

    /// A sphere in the middle, and one in each node of level 2: every node of this tree exists.
    #[test]
    fn all_nodes_of_a_full_tree_are_those_of_eq_3() {
        let mut centers = vec![DVec3::splat(4.0)];
        let cells = (0..64).map(|i| DVec3::from([i % 4, i / 4 % 4, i / 16].map(f64::from)));
        centers.extend(cells.map(|cell| 2.0 * cell + 1.0));
        let spheres = Spheres::new(centers, vec![0.6; 65]);
        let container = container(Boundaries::PERIODIC);
        assert_eq!(
            published_octree_levels(1.0, &spheres, &container),
            [1, 0, 64]
        );
        let found = published_octree_searched_nodes(&spheres, &container);
        let published = |level| most_searched_nodes(level, 2).unwrap();
        assert_eq!(found, [published(0), 0.0, published(2)]);

        // Two spheres in opposite corners: the root, one node on level 1 and one on level 2 for each of them.
        let corners = vec![DVec3::splat(1.0), DVec3::splat(7.0)];
        let spheres = Spheres::new(corners, vec![0.6; 2]);
        assert_eq!(
            published_octree_searched_nodes(&spheres, &container),
            [0.0, 0.0, 3.0]
        );
    }
}
