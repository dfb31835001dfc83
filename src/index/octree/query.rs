//! Queries of an octree.

use glam::DVec3;

use super::{Node, Octree, frame::Placement};
use crate::{
    index::{
        arena::{Arena, Run},
        axis::nearest,
    },
    machine::prefetch::prefetch,
};

/// Cache lines of a node's ids that are fetched ahead, at most.
const LINES: usize = 16;

/// Nodes whose ids are being fetched into the cache while others are visited.
const WAITING: usize = 4;

/// A query under way.
struct Probe<'a> {
    center: [f64; 3],
    radius_squared: f64,
    arena: &'a Arena,
    visit: &'a mut dyn FnMut(&[u32]),
    opened: usize,
    /// Runs to be offered, around a ring.
    waiting: [Run; WAITING],
    next: usize,
}

impl Probe<'_> {
    /// Offers the ids of a node, some nodes later.
    #[inline]
    fn offer(&mut self, run: Run) {
        self.opened += 1;
        if !run.is_empty() {
            prefetch(self.arena.ids(run), LINES);
            self.turn(run);
        }
    }

    /// Puts a run in the place of the one that has waited longest, whose ids are offered.
    #[inline]
    fn turn(&mut self, run: Run) {
        let due = std::mem::replace(&mut self.waiting[self.next], run);
        self.next = (self.next + 1) % WAITING;
        if !due.is_empty() {
            (self.visit)(self.arena.ids(due));
        }
    }

    /// Offers what still waits, and returns how many nodes were opened.
    fn finish(mut self) -> usize {
        (0..WAITING).for_each(|_| self.turn(Run::default()));
        self.opened
    }
}

impl<P: Placement> Octree<P> {
    /// [`GlobalIndex::visit_candidates`](super::GlobalIndex::visit_candidates).
    pub(super) fn query(&self, center: DVec3, radius: f64, visit: &mut dyn FnMut(&[u32])) -> usize {
        // Rounding in node boundaries is far below this margin.
        let radius = radius + 1e-12 * (self.frame.side + radius);
        let mut probe = Probe {
            center: center.to_array(),
            radius_squared: radius * radius,
            arena: &self.arena,
            visit,
            opened: 0,
            waiting: [Run::default(); WAITING],
            next: 0,
        };
        if !self.oversize.is_empty() {
            probe.offer(self.oversize);
        }
        let side = self.frame.node_side(self.base);
        let margin = self.overhang(self.base);
        let ranges = [0, 1, 2].map(|axis| {
            let count = self.base_counts[axis];
            self.frame.axes[axis].cells_near(probe.center[axis], radius + margin, side, count)
        });
        let half = self.half(self.base);
        let near = |distance: f64| square(nearest(distance, half));
        for z in ranges[2] {
            let away_z = self.distance(2, z, self.base, &probe);
            for y in ranges[1] {
                let away_y = self.distance(1, y, self.base, &probe);
                let near_yz = near(away_y) + near(away_z);
                if near_yz > probe.radius_squared {
                    continue;
                }
                for x in ranges[0] {
                    let away_x = self.distance(0, x, self.base, &probe);
                    if near(away_x) + near_yz > probe.radius_squared {
                        continue;
                    }
                    let node = self.nodes[self.root_index([x, y, z]) as usize];
                    if !node.is_vacant() {
                        let inside = self.is_inside([away_x, away_y, away_z], half, &probe);
                        self.visit_node(node, self.base, [x, y, z], inside, &mut probe);
                    }
                }
            }
        }
        probe.finish()
    }

    fn visit_children(&self, node: Node, level: u32, cell: [u32; 3], probe: &mut Probe) {
        let level = level + 1;
        let half = self.half(level);
        // By axis and half: what the eight octants have in common.
        let side = self.frame.node_side(level);
        let mut away = [[0.0; 2]; 3];
        let mut near = [[0.0; 2]; 3];
        for axis in 0..3 {
            let middle = (f64::from(2 * cell[axis]) + 0.5) * side;
            for (upper, middle) in [middle, middle + side].into_iter().enumerate() {
                let distance = self.frame.axes[axis].distance(middle, probe.center[axis]);
                away[axis][upper] = distance;
                near[axis][upper] = square(nearest(distance, half));
            }
        }
        let mut hit = 0;
        for octant in 0..8 {
            let [x, y, z] = halves_of(octant);
            let meets = near[0][x] + near[1][y] + near[2][z] <= probe.radius_squared;
            hit |= u8::from(meets) << octant;
        }
        hit &= node.octants;
        for octant in bits(hit) {
            if let Some(child) = node.child(octant) {
                let [x, y, z] = halves_of(octant);
                let inside = self.is_inside([away[0][x], away[1][y], away[2][z]], half, probe);
                let cell = [
                    2 * cell[0] + x as u32,
                    2 * cell[1] + y as u32,
                    2 * cell[2] + z as u32,
                ];
                self.visit_node(self.nodes[child as usize], level, cell, inside, probe);
            }
        }
    }

    /// How far spheres on a level or deeper may reach beyond the inner boundary of their node on that level.
    #[inline]
    fn overhang(&self, level: u32) -> f64 {
        let outer = 0.5 * (self.placement.expansion() - 1.0) * self.frame.node_side(level);
        outer.min(self.largest[level as usize])
    }

    /// Half the side of what the spheres of a node, and those below it, may fill.
    #[inline]
    fn half(&self, level: u32) -> f64 {
        0.5 * self.frame.node_side(level) + self.overhang(level)
    }

    /// The distance along one axis from the probe to the middle of a node.
    #[inline]
    fn distance(&self, axis: usize, cell: u32, level: u32, probe: &Probe) -> f64 {
        let middle = (f64::from(cell) + 0.5) * self.frame.node_side(level);
        self.frame.axes[axis].distance(middle, probe.center[axis])
    }

    /// Whether a cube of this half side, whose middle is so far away, lies inside the probe.
    #[inline]
    fn is_inside(&self, away: [f64; 3], half: f64, probe: &Probe) -> bool {
        3.0 * half * half <= probe.radius_squared && {
            let far = |axis: usize| square(self.frame.axes[axis].farthest(away[axis], half));
            far(0) + far(1) + far(2) <= probe.radius_squared
        }
    }

    fn visit_node(&self, node: Node, level: u32, cell: [u32; 3], inside: bool, probe: &mut Probe) {
        if inside {
            self.visit_subtree(node, probe);
            return;
        }
        probe.offer(node.run);
        if node.octants != 0 {
            self.visit_children(node, level, cell, probe);
        }
    }

    /// Offers all of a subtree that lies inside the probe.
    fn visit_subtree(&self, node: Node, probe: &mut Probe) {
        probe.offer(node.run);
        let children = node.children as usize;
        for &child in &self.nodes[children..children + node.octants.count_ones() as usize] {
            self.visit_subtree(child, probe);
        }
    }
}

/// The half of its parent along each axis in which an octant lies.
#[inline]
fn halves_of(octant: u32) -> [usize; 3] {
    [octant & 1, octant >> 1 & 1, octant >> 2].map(|half| half as usize)
}

/// The places of the bits that are set.
#[inline]
fn bits(mut mask: u8) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let place = mask.trailing_zeros();
            mask &= mask - 1;
            place
        })
    })
}

#[inline]
fn square(x: f64) -> f64 {
    x * x
}
