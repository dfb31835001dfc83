//! The octrees of Raschdorf & Kolonko 2011 by the letter, for their Table 1.

use std::collections::{HashMap, HashSet};

use glam::DVec3;

use crate::{container::Container, spheres::Spheres};

/// A node: its level, and its coordinates on it.
type Node = (u32, [i64; 3]);

/// How a query finds what lies across a periodic face, of which the paper does not speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AcrossFaces {
    /// Every image of the Verlet sphere that reaches into the container is a query of its own, and what two of them
    /// find counts twice. Of two spheres close to each other across a face, one has such an image, so that symmetric
    /// lists miss no pair.
    Images,
    /// One query, which measures the distance to each node around the container.
    Around,
}

/// Candidates per sphere of the octree as the paper describes it: the strict one for the expansion factor k = 1, the
/// loose one for k = 2.
///
/// All levels from the root on, down to that of the deepest sphere. A sphere goes to the deepest node that holds its
/// centre and in whose outer boundary it fits; in the strict octree the faces of the container keep no sphere from a
/// node, since the paper speaks of splitting planes only. (The [`StrictOctree`](crate::StrictOctree) of this crate keeps
/// spheres that cross a periodic face in the root.) A query opens the nodes whose outer boundary the Verlet sphere
/// intersects.
///
/// The container is a cube. Meant for some ten thousand spheres: trees of hashed nodes, none too fast.
pub fn published_octree_candidates(
    expansion: f64,
    spheres: &Spheres,
    container: &Container,
    verlet_distance: f64,
    across: AcrossFaces,
) -> f64 {
    let tree = Tree::new(expansion, spheres, container.lengths().x);
    let images = |axis: usize| -> &[f64] {
        if container.is_periodic(axis) && across == AcrossFaces::Images {
            &[-1.0, 0.0, 1.0]
        } else {
            &[0.0]
        }
    };
    let mut candidates = 0;
    for (center, radius) in spheres.iter() {
        let own = tree.node_of(center, radius);
        let reach = radius + verlet_distance;
        for &z in images(2) {
            for &y in images(1) {
                for &x in images(0) {
                    let image = center + tree.side * DVec3::new(x, y, z);
                    let nearest = image.clamp(DVec3::ZERO, DVec3::splat(tree.side));
                    if image.distance(nearest) > reach {
                        continue;
                    }
                    candidates += tree.candidates(own, reach, &|node_center| match across {
                        AcrossFaces::Images => node_center - image,
                        AcrossFaces::Around => container.displacement(image, node_center),
                    });
                }
            }
        }
    }
    candidates as f64 / spheres.len() as f64
}

/// Spheres on each level of the same octree, the root first (Fig. 9).
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

struct Tree {
    expansion: f64,
    side: f64,
    /// Spheres in each node that has some.
    members: HashMap<Node, usize>,
    /// These nodes and all above them.
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
            let above = (0..=level).map(|up| (level - up, cell.map(|x| x >> up)));
            tree.nodes.extend(above);
        }
        tree
    }

    fn size(&self, level: u32) -> f64 {
        self.side / 2f64.powi(level as i32)
    }

    fn middle(&self, (level, cell): Node) -> DVec3 {
        (DVec3::from_array(cell.map(|x| x as f64)) + 0.5) * self.size(level)
    }

    fn node_at(&self, level: u32, center: DVec3) -> Node {
        let last = 2f64.powi(level as i32) - 1.0;
        let cell = (center / self.size(level)).floor();
        let cell = cell.clamp(DVec3::ZERO, DVec3::splat(last));
        (level, cell.to_array().map(|x| x as i64))
    }

    fn node_of(&self, center: DVec3, radius: f64) -> Node {
        let mut level = 0;
        while self.fits(level + 1, center, radius) {
            level += 1;
        }
        self.node_at(level, center)
    }

    fn fits(&self, level: u32, center: DVec3, radius: f64) -> bool {
        let node = self.node_at(level, center);
        let size = self.size(level);
        let beyond = center - self.middle(node);
        let last = (1i64 << level) - 1;
        (0..3).all(|axis| {
            let open_face = if beyond[axis] < 0.0 { 0 } else { last };
            beyond[axis].abs() + radius <= 0.5 * self.expansion * size
                || (node.1[axis] == open_face && 2.0 * radius <= size)
        })
    }

    /// Spheres in the nodes that a query opens, but for the one in `own` that asks. Nodes are as far as `way` leads to
    /// their middles.
    fn candidates(&self, own: Node, reach: f64, way: &dyn Fn(DVec3) -> DVec3) -> usize {
        let mut found = 0;
        let mut open = vec![(0, [0i64; 3])];
        while let Some(node) = open.pop() {
            let (level, cell) = node;
            let outer = DVec3::splat(0.5 * self.expansion * self.size(level));
            let away = (way(self.middle(node)).abs() - outer).max(DVec3::ZERO);
            if away.length() > reach || !self.nodes.contains(&node) {
                continue;
            }
            found += self.members.get(&node).copied().unwrap_or(0) - usize::from(node == own);
            for octant in 0..8 {
                let bits = [octant & 1, octant >> 1 & 1, octant >> 2];
                open.push((level + 1, [0, 1, 2].map(|axis| 2 * cell[axis] + bits[axis])));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::container::Boundaries;

    fn container(boundary: Boundaries) -> Container {
        Container::new(DVec3::splat(8.0), boundary).unwrap()
    }

    #[test]
    fn spheres_go_as_deep_as_planes_and_outer_boundaries_let_them() {
        let empty = Spheres::new(Vec::new(), Vec::new());
        let level = |expansion, x: f64| {
            let tree = Tree::new(expansion, &empty, 8.0);
            tree.node_of(DVec3::new(x, 2.5, 2.5), 0.5).0
        };
        // Across the middle plane; across none; across the face.
        assert_eq!([4.2, 2.5, 0.1].map(|x| level(1.0, x)), [0, 3, 3]);
        // Eq. 4 gives level 3; one deeper where the child's outer boundary holds the sphere, from 2 to 3 about 2.5.
        assert_eq!([4.2, 2.5, 4.25].map(|x| level(2.0, x)), [3, 3, 3]);
        let tree = Tree::new(2.0, &empty, 8.0);
        assert_eq!(tree.node_of(DVec3::splat(4.25), 0.5).0, 4);
    }

    #[test]
    fn neighbours_are_found_across_a_face() {
        let centers = vec![
            DVec3::splat(2.5),
            DVec3::new(0.4, 2.5, 6.5),
            DVec3::new(7.6, 2.5, 6.5),
        ];
        let spheres = Spheres::new(centers, vec![0.5; 3]);
        let found = |boundary, across| {
            published_octree_candidates(1.0, &spheres, &container(boundary), 0.1, across)
        };
        for across in [AcrossFaces::Images, AcrossFaces::Around] {
            assert_eq!(found(Boundaries::WALLS, across), 0.0);
            assert_eq!(found(Boundaries::PERIODIC, across), 2.0 / 3.0);
        }
        let levels = published_octree_levels(1.0, &spheres, &container(Boundaries::PERIODIC));
        assert_eq!(levels, [0, 0, 0, 3]);
    }
}
