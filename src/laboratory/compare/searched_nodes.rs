//! Eq. 3 of Raschdorf & Kolonko 2011: the nodes that the search in a strict octree opens.

/// Returns n_ν(l) = l + Σ 8^i for i from 0 to l_max − l, the maximum number of nodes that a sphere on a level l of the strict
/// octree must search; `None` if the level is deeper than l_max.
///
/// These nodes are the node of the sphere, its l ancestors and all its descendants, in a tree where every node down to the
/// deepest level exists. Numbers above 2⁵³ are rounded.
pub fn most_searched_nodes(level: u32, deepest: u32) -> Option<f64> {
    let below = deepest.checked_sub(level)?;
    let subtree: f64 = (0..=below).map(|i| 8f64.powi(i as i32)).sum();
    Some(f64::from(level) + subtree)
}

/// Returns l_max of Eq. 2, the deepest level of the strict octree, from the side of the container over the smallest diameter;
/// 0 for a container that is smaller than the sphere.
pub(super) fn deepest_level(side_over_smallest: f64) -> u32 {
    libm::log2(side_over_smallest).floor().max(0.0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the insides of two nodes of a tree with this deepest level intersect. A node is its level and its coordinates.
    fn intersect(a: (u32, [u32; 3]), b: (u32, [u32; 3]), deepest: u32) -> bool {
        let ends = |(level, cell): (u32, [u32; 3]), axis: usize| {
            let side = 1 << (deepest - level);
            [cell[axis] * side, (cell[axis] + 1) * side]
        };
        (0..3).all(|axis| {
            let [[a_low, a_high], [b_low, b_high]] = [ends(a, axis), ends(b, axis)];
            a_low < b_high && b_low < a_high
        })
    }

    /// Spheres on two levels can overlap only if their nodes, which enclose them, intersect. The test counts these nodes one by one.
    #[test]
    fn eq_3_is_the_number_of_nodes_that_intersect_a_node() {
        for deepest in 0..=3 {
            let mut nodes = Vec::new();
            for level in 0..=deepest {
                let side = 1 << level;
                let cells =
                    (0..side * side * side).map(|i| [i % side, i / side % side, i / side / side]);
                nodes.extend(cells.map(|cell| (level, cell)));
            }
            for &node in &nodes {
                let count = nodes
                    .iter()
                    .filter(|&&other| intersect(node, other, deepest));
                let published = most_searched_nodes(node.0, deepest);
                assert_eq!(
                    published,
                    Some(count.count() as f64),
                    "{node:?} of {deepest}"
                );
            }
        }
        assert_eq!(most_searched_nodes(4, 3), None);
    }

    #[test]
    fn the_deepest_level_is_that_of_eq_2() {
        for (side, level) in [
            (1.0, 0),
            (1.9, 0),
            (20.6, 4),
            (63.4, 5),
            (64.1, 6),
            (0.5, 0),
        ] {
            assert_eq!(deepest_level(side), level, "{side}");
            let width = side / f64::from(1 << level);
            assert!(side < 1.0 || (1.0..2.0).contains(&width));
        }
    }
}
