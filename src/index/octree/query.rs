//! Queries of an octree.

use glam::DVec3;

use super::{node::Node, region::Region, rule::NodeRule, tree::Octree};
use crate::{
    index::{
        axis::nearest,
        constants::{PREFETCHED_LINES, PREFETCHED_NODES, PROBE_MARGIN},
    },
    machine::prefetch::prefetch,
};

/// State of a query.
struct Query<'a> {
    center: [f64; 3],
    radius_squared: f64,
    visit: &'a mut dyn FnMut(&[u32]),
    opened: usize,
    /// Ring of the ids that are being fetched into the cache, by node.
    pending: [&'a [u32]; PREFETCHED_NODES],
    /// Position of the oldest ids in the ring.
    oldest: usize,
}

impl<'a> Query<'a> {
    /// Opens a node: its ids are fetched now and reported some nodes later.
    #[inline]
    fn open(&mut self, ids: &'a [u32]) {
        self.opened += 1;
        if !ids.is_empty() {
            prefetch(ids, PREFETCHED_LINES);
            self.advance(ids);
        }
    }

    /// Puts ids into the ring, and reports the oldest ids, whose place they take.
    #[inline]
    fn advance(&mut self, ids: &'a [u32]) {
        let oldest = std::mem::replace(&mut self.pending[self.oldest], ids);
        self.oldest = (self.oldest + 1) % PREFETCHED_NODES;
        if !oldest.is_empty() {
            (self.visit)(oldest);
        }
    }

    /// Reports the ids that are still pending, and returns how many nodes were opened.
    fn finish(mut self) -> usize {
        (0..PREFETCHED_NODES).for_each(|_| self.advance(&[]));
        self.opened
    }
}

/// A node that a query visits.
#[derive(Clone, Copy)]
struct Visited<'a> {
    region: &'a Region,
    node: Node,
    level: u32,
    coordinates: [u32; 3],
}

impl<R: NodeRule> Octree<R> {
    /// Implements [`GlobalIndex::visit_candidates`](crate::index::GlobalIndex::visit_candidates).
    pub(super) fn query(&self, center: DVec3, radius: f64, visit: &mut dyn FnMut(&[u32])) -> usize {
        let radius = radius + PROBE_MARGIN * (self.cube.side + radius);
        let mut query = Query {
            center: center.to_array(),
            radius_squared: radius * radius,
            visit,
            opened: 0,
            pending: [&[]; PREFETCHED_NODES],
            oldest: 0,
        };
        if !self.oversize.is_empty() {
            query.open(&self.oversize);
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
                    let root = self.root_of_number(self.base_nodes.number([x, y, z]) as u32);
                    let region = &self.regions[root.region as usize];
                    let node = region.nodes[root.node as usize];
                    if !node.is_vacant() {
                        let is_inside =
                            self.is_inside([distance_x, distance_y, distance_z], half, &query);
                        let coordinates = [x, y, z].map(|c| c as u32);
                        let visited = Visited {
                            region,
                            node,
                            level: self.base,
                            coordinates,
                        };
                        self.visit_node(visited, is_inside, &mut query);
                    }
                }
            }
        }
        query.finish()
    }

    fn visit_children<'a>(&self, parent: Visited<'a>, query: &mut Query<'a>) {
        let Visited {
            region,
            node,
            coordinates,
            ..
        } = parent;
        let level = parent.level + 1;
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
                let child = Visited {
                    region,
                    node: region.nodes[child as usize],
                    level,
                    coordinates,
                };
                self.visit_node(child, is_inside, query);
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

    fn visit_node<'a>(&self, visited: Visited<'a>, is_inside: bool, query: &mut Query<'a>) {
        let Visited { region, node, .. } = visited;
        if is_inside {
            visit_subtree(region, node, query);
            return;
        }
        query.open(region.runs.ids(node.run));
        if node.octants != 0 {
            self.visit_children(visited, query);
        }
    }
}

/// Reports all spheres of a subtree that lies inside the probe.
fn visit_subtree<'a>(region: &'a Region, node: Node, query: &mut Query<'a>) {
    query.open(region.runs.ids(node.run));
    let children = node.children as usize;
    for &child in &region.nodes[children..children + node.octants.count_ones() as usize] {
        visit_subtree(region, child, query);
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
