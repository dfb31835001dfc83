//! Queries of an octree.

use glam::DVec3;

use super::{node::Node, rule::NodeRule, tree::Octree};
use crate::{
    index::{
        arena::{Arena, Run},
        axis::nearest,
        constants::{PREFETCHED_LINES, PREFETCHED_NODES, PROBE_MARGIN},
    },
    machine::prefetch::prefetch,
};

/// State of a query.
struct Query<'a> {
    center: [f64; 3],
    radius_squared: f64,
    arena: &'a Arena,
    visit: &'a mut dyn FnMut(&[u32]),
    opened: usize,
    /// Ring of the runs that are being fetched into the cache.
    pending: [Run; PREFETCHED_NODES],
    /// Position of the oldest run in the ring.
    oldest: usize,
}

impl Query<'_> {
    /// Opens a node: its ids are fetched now and reported some nodes later.
    #[inline]
    fn open(&mut self, run: Run) {
        self.opened += 1;
        if !run.is_empty() {
            prefetch(self.arena.ids(run), PREFETCHED_LINES);
            self.advance(run);
        }
    }

    /// Puts a run into the ring and reports the run that it replaces, the oldest one.
    #[inline]
    fn advance(&mut self, run: Run) {
        let oldest = std::mem::replace(&mut self.pending[self.oldest], run);
        self.oldest = (self.oldest + 1) % PREFETCHED_NODES;
        if !oldest.is_empty() {
            (self.visit)(self.arena.ids(oldest));
        }
    }

    /// Reports the runs that are still pending, and returns how many nodes were opened.
    fn finish(mut self) -> usize {
        (0..PREFETCHED_NODES).for_each(|_| self.advance(Run::default()));
        self.opened
    }
}

impl<R: NodeRule> Octree<R> {
    /// Implements [`GlobalIndex::visit_candidates`](crate::GlobalIndex::visit_candidates).
    pub(super) fn query(&self, center: DVec3, radius: f64, visit: &mut dyn FnMut(&[u32])) -> usize {
        let radius = radius + PROBE_MARGIN * (self.cube.side + radius);
        let mut query = Query {
            center: center.to_array(),
            radius_squared: radius * radius,
            arena: &self.arena,
            visit,
            opened: 0,
            pending: [Run::default(); PREFETCHED_NODES],
            oldest: 0,
        };
        if !self.oversize.is_empty() {
            query.open(self.oversize);
        }
        let reach = radius + self.overhang(self.base);
        let [xs, ys, zs] = self.base_nodes.between(center - reach, center + reach);
        let half = self.half(self.base);
        let near = |distance: f64| square(nearest(distance, half));
        for z in zs {
            let distance_z = self.base_distance(2, z, &query);
            for y in ys {
                let distance_y = self.base_distance(1, y, &query);
                let near_yz = near(distance_y) + near(distance_z);
                if near_yz > query.radius_squared {
                    continue;
                }
                for x in xs {
                    let distance_x = self.base_distance(0, x, &query);
                    if near(distance_x) + near_yz > query.radius_squared {
                        continue;
                    }
                    let node = self.nodes[self.base_nodes.number([x, y, z]) as usize];
                    if !node.is_vacant() {
                        let is_inside =
                            self.is_inside([distance_x, distance_y, distance_z], half, &query);
                        let coordinates = [x, y, z].map(|c| c as u32);
                        self.visit_node(node, self.base, coordinates, is_inside, &mut query);
                    }
                }
            }
        }
        query.finish()
    }

    fn visit_children(&self, node: Node, level: u32, coordinates: [u32; 3], query: &mut Query) {
        let level = level + 1;
        let half = self.half(level);
        // By axis and half of the parent: two octants at a time have these distances in common.
        let side = self.cube.node_side(level);
        let mut distances = [[0.0; 2]; 3];
        let mut near = [[0.0; 2]; 3];
        for axis in 0..3 {
            let middle = (f64::from(2 * coordinates[axis]) + 0.5) * side;
            for (upper, middle) in [middle, middle + side].into_iter().enumerate() {
                let distance = self.cube.axes[axis].distance(middle, query.center[axis]);
                distances[axis][upper] = distance;
                near[axis][upper] = square(nearest(distance, half));
            }
        }
        let mut hit = 0;
        for octant in 0..8 {
            let [x, y, z] = halves_of(octant);
            let meets = near[0][x] + near[1][y] + near[2][z] <= query.radius_squared;
            hit |= u8::from(meets) << octant;
        }
        hit &= node.octants;
        for octant in bits(hit) {
            if let Some(child) = node.child(octant) {
                let [x, y, z] = halves_of(octant);
                let is_inside = self.is_inside(
                    [distances[0][x], distances[1][y], distances[2][z]],
                    half,
                    query,
                );
                let coordinates = [
                    2 * coordinates[0] + x as u32,
                    2 * coordinates[1] + y as u32,
                    2 * coordinates[2] + z as u32,
                ];
                let child = self.nodes[child as usize];
                self.visit_node(child, level, coordinates, is_inside, query);
            }
        }
    }

    /// Returns how far spheres on a level or deeper may extend beyond the inner boundary of their node on that level.
    #[inline]
    fn overhang(&self, level: u32) -> f64 {
        let outer = 0.5 * (self.rule.expansion() - 1.0) * self.cube.node_side(level);
        outer.min(self.largest[level as usize])
    }

    /// Returns half the side of the cube that contains the spheres of a node and of its descendants.
    #[inline]
    fn half(&self, level: u32) -> f64 {
        0.5 * self.cube.node_side(level) + self.overhang(level)
    }

    /// Returns the distance along one axis from the probe to the middle of a node on level `base`.
    #[inline]
    fn base_distance(&self, axis: usize, coordinate: i32, query: &Query) -> f64 {
        let middle = (f64::from(coordinate) + 0.5) * self.cube.node_side(self.base);
        self.cube.axes[axis].distance(middle, query.center[axis])
    }

    /// Returns whether a cube of this half side lies inside the probe; `distances` lead to its middle along each axis.
    #[inline]
    fn is_inside(&self, distances: [f64; 3], half: f64, query: &Query) -> bool {
        3.0 * half * half <= query.radius_squared && {
            let far = |axis: usize| square(self.cube.axes[axis].farthest(distances[axis], half));
            far(0) + far(1) + far(2) <= query.radius_squared
        }
    }

    fn visit_node(
        &self,
        node: Node,
        level: u32,
        coordinates: [u32; 3],
        is_inside: bool,
        query: &mut Query,
    ) {
        if is_inside {
            self.visit_subtree(node, query);
            return;
        }
        query.open(node.run);
        if node.octants != 0 {
            self.visit_children(node, level, coordinates, query);
        }
    }

    /// Reports all spheres of a subtree that lies inside the probe.
    fn visit_subtree(&self, node: Node, query: &mut Query) {
        query.open(node.run);
        let children = node.children as usize;
        for &child in &self.nodes[children..children + node.octants.count_ones() as usize] {
            self.visit_subtree(child, query);
        }
    }
}

/// Returns the half of its parent along each axis in which an octant lies.
#[inline]
fn halves_of(octant: u32) -> [usize; 3] {
    [octant & 1, octant >> 1 & 1, octant >> 2].map(|half| half as usize)
}

/// Iterates over the positions of the bits that are set.
#[inline]
fn bits(mut mask: u8) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let position = mask.trailing_zeros();
            mask &= mask - 1;
            position
        })
    })
}

#[inline]
fn square(x: f64) -> f64 {
    x * x
}
