//! The order in which a sweep visits the spheres, determined by geometry and seed alone.
//!
//! Spheres are sorted by size into levels of one octave of the radius. A sweep goes through the levels from the largest
//! spheres to the smallest. Each level has a grid of blocks. A block is so wide that a sphere's neighbors on its own level
//! lie in its own or an adjacent block. Adjacent blocks are visited one after the other, in ascending order of color; the spheres of other
//! blocks may be moved at the same time, in any order, with the same result. Within a block, spheres are visited in an order that has no
//! direction: see `shuffled`.

use rayon::prelude::*;

use super::{
    block_graph::{BlockGraph, BlockGrid},
    constants::{BLOCK_MARGIN, BLOCKS, FEWEST_PER_BLOCK, MOST_PER_BLOCK, REACH_MARGIN},
    members::{Crossing, Members, crossings},
};
use crate::{
    container::frame::{Frame, Point},
    machine::{ids::Ids, parallel::Erase, trace::shared},
};

/// Spheres that one task assigns to blocks at least.
const TASK: usize = 4096;

/// The blocks of one level.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub grid: BlockGrid,
    /// Largest inflated radius for which spheres of blocks that are not adjacent are never neighbors.
    pub reach: f32,
}

impl Level {
    fn admits(&self, inflated: Point) -> bool {
        inflated.radius <= self.reach * REACH_MARGIN
    }
}

/// Most size levels. The last one holds all smaller spheres.
pub(super) const LEVELS: usize = 64;

/// Returns the size level of a sphere: the number of octaves between its largest inflated radius and the largest of all.
pub(super) fn level_of(reach: f32, largest: f32) -> u8 {
    let octaves = libm::log2f(largest / reach).floor();
    octaves.clamp(0.0, LEVELS as f32 - 1.0) as u8
}

/// The block of every sphere, and the blocks in visiting order.
#[derive(Clone, Debug)]
pub(super) struct VisitOrder {
    levels: Vec<Level>,
    graph: BlockGraph,
    level_of: Vec<u8>,
    block_of: Vec<u32>,
    members: Members,
    /// Number of steps from face to face along each axis, as the exponent of a power of two.
    shifts: [u32; 3],
    /// Axes along which blocks are numbered downwards, by the seed: neither of two adjacent blocks is visited first in more packings.
    /// Without that, 500 packings around a sphere had 0.006 ± 0.0025 more on one side along each axis.
    downwards: [bool; 3],
}

impl VisitOrder {
    /// Creates the blocks of levels with these numbers of spheres, of which the largest inflated radius is `largest`.
    pub fn of_levels(frame: &Frame, seed: u64, largest: f32, population: &[u32; LEVELS]) -> Self {
        let count = population.iter().rposition(|&spheres| spheres > 0);
        let count = count.map_or(0, |last| last + 1);
        let lengths = frame.lengths();
        let mut first = 0;
        let levels: Vec<Level> = (0..count)
            .map(|level| {
                let reach = f64::from(largest) * 0.5f64.powi(level as i32);
                let width = 2.0 * reach * BLOCK_MARGIN;
                let spheres = f64::from(population[level]);
                let per_block = (spheres / BLOCKS).clamp(FEWEST_PER_BLOCK, MOST_PER_BLOCK);
                let wanted = frame.dimension().root(spheres / per_block / frame.volume());
                let blocks = std::array::from_fn(|axis| {
                    let n = (lengths[axis] * wanted).min(lengths[axis] / width) as u32;
                    match n {
                        0 | 1 => 1,
                        // Opposite blocks of a periodic axis touch: their number must be even.
                        n if frame.is_periodic(axis) => n & !1,
                        // The blocks at both walls have the same color, so that neither is visited before the other.
                        n => (n - 1) | 1,
                    }
                });
                let grid = BlockGrid {
                    blocks,
                    is_periodic: [0, 1, 2].map(|axis| frame.is_periodic(axis)),
                    first,
                    reach: lengths.map(|length| reach / length).to_array(),
                };
                first += grid.blocks_per_color() * BlockGrid::COLORS;
                Level {
                    grid,
                    reach: reach as f32,
                }
            })
            .collect();
        let grids: Vec<BlockGrid> = levels.iter().map(|level| level.grid).collect();
        Self {
            graph: BlockGraph::new(&grids),
            levels,
            block_of: Vec::new(),
            level_of: Vec::new(),
            members: Members::new(first as usize),
            shifts: std::array::from_fn(|axis| frame.span(axis).ilog2()),
            downwards: [0, 1, 2].map(|axis| seed >> axis & 1 == 1),
        }
    }

    /// Provides arrays for spheres on these levels.
    pub fn hold(&mut self, level_of: Vec<u8>) {
        self.block_of = bytemuck::zeroed_vec(level_of.len());
        self.level_of = level_of;
    }

    /// Assigns the spheres `own` to the blocks of their inflated spheres; no other sphere is a member. Cost: O(N).
    pub fn assign_all(&mut self, own: &Ids, inflated: &[Point]) {
        let mut block_of = std::mem::take(&mut self.block_of);
        shared("blocks", || {
            own.write(&mut block_of, |id, block| {
                let id = id as usize;
                *block = self.block_of(self.level_of[id], inflated[id]);
            });
        });
        self.block_of = block_of;
        self.members.list(own, &self.block_of);
    }

    /// Assigns the spheres `ids` to the blocks of their new inflated spheres. Returns how they leave and enter blocks, which
    /// [`Self::change_members`] must follow.
    pub fn assign(&mut self, ids: &[u32], inflated: &[Point]) -> Vec<Crossing> {
        let crossings_of = |(&id, &inflated): (&u32, &Point)| {
            let from = self.block_of[id as usize];
            let to = self.block_of(self.level_of[id as usize], inflated);
            crossings(id, Some(from), Some(to))
        };
        let crossings: Vec<Crossing> = shared("blocks", || {
            let spheres = (ids, inflated).into_par_iter().with_min_len(TASK).erased();
            spheres.flat_map_iter(crossings_of).collect()
        });
        for crossing in crossings.iter().filter(|crossing| crossing.enters) {
            self.block_of[crossing.id as usize] = crossing.block;
        }
        crossings
    }

    /// Returns whether an inflated sphere stays within the reach of a size level.
    pub fn level_admits(&self, level: u8, inflated: Point) -> bool {
        self.levels[level as usize].admits(inflated)
    }

    fn block_of(&self, level: u8, inflated: Point) -> u32 {
        let level = &self.levels[level as usize];
        // The safety of parallel visits rests on this bound.
        assert!(
            level.admits(inflated),
            "an inflated sphere exceeds the reach of its size level"
        );
        let at: [u32; 3] = std::array::from_fn(|axis| {
            let n = level.grid.blocks[axis];
            let block = (u64::from(inflated.at[axis] as u32) * u64::from(n)) >> self.shifts[axis];
            if self.downwards[axis] {
                n - 1 - block as u32
            } else {
                block as u32
            }
        });
        level.grid.number(at)
    }

    /// Returns the blocks of all levels, the coarsest first.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// Returns the size level of a sphere.
    pub fn level(&self, id: u32) -> u8 {
        self.level_of[id as usize]
    }

    /// Gives a sphere that enters this part of the spheres its size level.
    pub fn set_level(&mut self, id: u32, level: u8) {
        self.level_of[id as usize] = level;
    }

    /// Returns the block of a sphere of the part.
    pub fn block(&self, id: u32) -> u32 {
        self.block_of[id as usize]
    }

    /// Gives a sphere of the part its size level and the block of its inflated sphere. [`Self::change_members`] or
    /// [`Self::assign_all`] must follow.
    pub fn assign_in_part(&mut self, id: u32, level: u8, inflated: Point) {
        self.level_of[id as usize] = level;
        self.block_of[id as usize] = self.block_of(level, inflated);
    }

    /// Lets spheres enter and leave the members of blocks.
    pub fn change_members(&mut self, crossings: Vec<Crossing>) {
        self.members.change(crossings);
    }

    /// Returns the blocks and their dependencies.
    pub fn graph(&self) -> &BlockGraph {
        &self.graph
    }

    /// Returns the spheres of a block, sorted by id.
    pub fn members(&self, block: u32) -> &[u32] {
        self.members.of(block)
    }

    /// Returns the colors of all levels: ranges of blocks of one level and color. A visit color by color has the same result as a visit by
    /// dependencies.
    pub fn colors(&self) -> impl Iterator<Item = std::ops::Range<u32>> + '_ {
        self.levels.iter().flat_map(|Level { grid, .. }| {
            let blocks = grid.blocks_per_color();
            (0..BlockGrid::COLORS).map(move |color| {
                let first = grid.first + color * blocks;
                first..first + blocks
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::container::Container;

    const N: u32 = 6000;

    impl VisitOrder {
        /// Sorts spheres with inflated radii of at most `reach[i]` into levels and blocks.
        pub fn new(frame: &Frame, seed: u64, reach: &[f32], inflated: &[Point]) -> Self {
            let largest = reach.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
            let levels: Vec<u8> = reach
                .iter()
                .map(|&reach| level_of(reach, largest))
                .collect();
            let mut population = [0; LEVELS];
            for &level in &levels {
                population[level as usize] += 1;
            }
            let mut order = Self::of_levels(frame, seed, largest, &population);
            order.hold(levels);
            order.assign_all(&Ids::All(reach.len() as u32), inflated);
            order
        }

        /// Returns whether two spheres of one level may be moved at the same time.
        pub fn concurrent(&self, a: u32, b: u32) -> bool {
            let [level, other] = [a, b].map(|id| self.level_of[id as usize]);
            let grid = &self.levels[level as usize].grid;
            let at = |id: u32| grid.coordinates(self.block_of[id as usize]);
            level == other && !grid.are_adjacent(at(a), at(b))
        }

        /// Returns the position of each sphere's block.
        pub fn positions(&self) -> Vec<usize> {
            let blocks = self.graph.blocks();
            let position = |block| blocks.iter().position(|&other| other == block).unwrap();
            self.block_of.iter().map(|&block| position(block)).collect()
        }
    }

    /// Returns spheres of a wide range of sizes at random positions, with inflated radii of exactly `reach`.
    fn scene(lengths: DVec3, boundary: &str, ratio: f32) -> (Frame, Vec<f32>, Vec<Point>) {
        let container = Container::cuboid(lengths, boundary.parse().unwrap()).unwrap();
        let frame = container.frame();
        let mut rng = Pcg64::seed_from_u64(3);
        let reach: Vec<f32> = (0..N)
            .map(|_| 0.8 * ratio.powf(-rng.random::<f32>()))
            .collect();
        let inflated = reach
            .iter()
            .map(|&radius| Point {
                at: frame.at_fraction(DVec3::from_array(rng.random())),
                radius,
            })
            .collect();
        (frame, reach, inflated)
    }

    #[test]
    fn spheres_moved_at_the_same_time_are_never_neighbors() {
        let mut on_two_levels = 0u32;
        for (lengths, boundary, ratio) in [
            (DVec3::splat(20.0), "ppp", 1.0),
            (DVec3::splat(20.0), "www", 1.0),
            (DVec3::new(40.0, 13.0, 7.0), "ppw", 1.0),
            (DVec3::splat(12.0), "ppp", 20.0),
            (DVec3::splat(3.0), "ppp", 4.0),
            (DVec3::new(60.0, 6.0, 6.0), "pwp", 4.0),
            (DVec3::new(6.0, 60.0, 6.0), "pwp", 8.0),
        ] {
            let (frame, reach, inflated) = scene(lengths, boundary, ratio);
            let order = VisitOrder::new(&frame, 5, &reach, &inflated);
            let before = order.graph().finished_before();
            let positions = order.positions();
            let mut concurrent = 0u32;
            for a in 0..N {
                for b in 0..a {
                    let (i, j) = (a as usize, b as usize);
                    let (p, q) = (positions[i], positions[j]);
                    if p == q || before[p][q] || before[q][p] {
                        continue;
                    }
                    concurrent += 1;
                    on_two_levels += u32::from(order.level(a) != order.level(b));
                    let distance = frame.distance(inflated[i].at, inflated[j].at);
                    assert!(distance > reach[i] + reach[j], "{boundary}: {a} and {b}");
                }
            }
            assert!(
                concurrent > 0 || ratio > 1.0,
                "{boundary}: no two spheres may be moved at the same time"
            );
        }
        assert!(
            on_two_levels > 0,
            "no two spheres on different levels may be moved at the same time"
        );
    }

    #[test]
    fn every_sphere_is_visited_once() {
        let (frame, reach, mut inflated) = scene(DVec3::splat(12.0), "ppp", 20.0);
        let mut order = VisitOrder::new(&frame, 5, &reach, &inflated);
        let visits = |order: &VisitOrder| -> Vec<u32> {
            let blocks = order.colors().flatten();
            blocks.flat_map(|b| order.members(b).to_vec()).collect()
        };
        inflated.rotate_left(1);
        for (inflated, &reach) in inflated.iter_mut().zip(&reach) {
            inflated.radius = reach;
        }
        order.assign_all(&Ids::All(N), &inflated);
        let all_moved = visits(&order);
        let some = [5, 17, 3000];
        for id in some {
            inflated[id as usize].at = inflated[id as usize + 1].at;
        }
        let crossings = order.assign(&some, &some.map(|id| inflated[id as usize]));
        order.change_members(crossings);
        let mut visited = visits(&order);
        assert_ne!(visited, all_moved);
        assert_eq!(
            visited,
            visits(&VisitOrder::new(&frame, 5, &reach, &inflated))
        );
        visited.sort_unstable();
        assert!(visited.into_iter().eq(0..N));
    }

    #[test]
    #[should_panic(expected = "exceeds the reach")]
    fn inflated_spheres_beyond_the_reach_are_rejected() {
        let (frame, reach, mut inflated) = scene(DVec3::splat(12.0), "ppp", 2.0);
        let mut order = VisitOrder::new(&frame, 5, &reach, &inflated);
        inflated[7].radius = 1.0;
        order.assign_all(&Ids::All(N), &inflated);
    }
}
