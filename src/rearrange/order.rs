//! The order in which a sweep visits the spheres, fixed by geometry alone.
//!
//! Spheres are grouped by size into levels, an octave of radius each; a sweep goes through the levels from the
//! largest to the smallest. Each level has a grid of blocks, wide enough that a sphere's neighbours on its own level
//! lie in its own or an adjacent block. The blocks are coloured like a three-dimensional chessboard with eight
//! colours, so that blocks of one colour never touch: their spheres may be moved at the same time, in any order, and
//! the result is the same. Within a block spheres are visited by rising id.

use std::ops::Range;

use rayon::prelude::*;

use crate::container::frame::{Frame, Point, Steps};

/// Blocks aimed at on one level: enough for threads to share out. Large blocks read fewer spheres beyond their faces.
const BLOCKS: f64 = 128.0;

/// Spheres in a block at least, so that it is worth handing to a thread, and at most, so that it fits into a cache.
const SPHERES_PER_BLOCK: std::ops::RangeInclusive<f64> = 8.0..=8192.0;

const COLOURS: usize = 8;

/// Anchors worth a job of their own.
const BATCH: usize = 4096;

/// The block grid of one level.
#[derive(Clone, Debug)]
struct Level {
    /// Blocks along each axis: 1, or an even number where the axis is periodic.
    blocks: [u32; 3],
    /// Number of the level's first block.
    first: u32,
}

impl Level {
    fn halves(&self) -> [u32; 3] {
        self.blocks.map(|n| n.div_ceil(2))
    }

    fn blocks_per_colour(&self) -> u32 {
        self.halves().into_iter().product()
    }
}

/// Which sphere belongs to which block, and the blocks in visiting order.
#[derive(Clone, Debug)]
pub(super) struct VisitOrder {
    levels: Vec<Level>,
    level_of: Vec<u8>,
    block_of: Vec<u32>,
    members: Vec<u32>,
    /// Where the members of each block begin; one more than there are blocks.
    starts: Vec<u32>,
    /// Steps from face to face along each axis, as powers of two.
    shifts: [u32; 3],
}

impl VisitOrder {
    /// Sorts spheres with inflated radii of at most `reach[i]` into levels and blocks.
    pub fn new(frame: &Frame, reach: &[f32], inflated: &[Point]) -> Self {
        debug_assert!(
            reach
                .iter()
                .zip(inflated)
                .all(|(&reach, anchor)| anchor.radius <= 1.0001 * reach)
        );
        let largest = reach.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
        let level_of: Vec<u8> = reach
            .iter()
            .map(|&reach| libm::log2f(largest / reach).floor().clamp(0.0, 63.0) as u8)
            .collect();
        let count = level_of.iter().max().map_or(0, |&level| level as usize + 1);
        let mut population = vec![0u32; count];
        for &level in &level_of {
            population[level as usize] += 1;
        }
        let lengths = frame.container().lengths();
        let mut first = 0;
        let levels: Vec<Level> = (0..count)
            .map(|level| {
                // A hair wider than two reaches, so that rounding cannot bridge a block.
                let width = 2.0 * f64::from(largest) * 0.5f64.powi(level as i32) * 1.001;
                let spheres = f64::from(population[level]);
                let per_block =
                    (spheres / BLOCKS).clamp(*SPHERES_PER_BLOCK.start(), *SPHERES_PER_BLOCK.end());
                let wanted = libm::cbrt(spheres / per_block / lengths.element_product());
                let blocks = std::array::from_fn(|axis| {
                    let n = (lengths[axis] * wanted).min(lengths[axis] / width) as u32;
                    match n {
                        0 | 1 => 1,
                        n if frame.container().is_periodic(axis) => n & !1,
                        n => n,
                    }
                });
                let level = Level { blocks, first };
                first += level.blocks_per_colour() * COLOURS as u32;
                level
            })
            .collect();
        let mut order = Self {
            levels,
            block_of: Vec::new(),
            level_of,
            members: vec![0; reach.len()],
            starts: vec![0; first as usize + 1],
            shifts: std::array::from_fn(|axis| frame.span(axis).ilog2()),
        };
        order.assign_all(inflated);
        order
    }

    /// Takes account of the new inflated spheres of all. Cost: O(N).
    pub fn assign_all(&mut self, inflated: &[Point]) {
        self.block_of = self
            .level_of
            .par_iter()
            .zip(inflated)
            .with_min_len(BATCH)
            .map(|(&level, anchor)| self.block_at(level, anchor.at))
            .collect();
        self.list_members();
    }

    /// Takes account of the new inflated spheres of `ids`. Cost: O(N) if any of them changes its block.
    pub fn assign(&mut self, ids: &[u32], inflated: &[Point]) {
        let blocks: Vec<u32> = ids
            .par_iter()
            .zip(inflated)
            .with_min_len(BATCH)
            .map(|(&id, anchor)| self.block_at(self.level_of[id as usize], anchor.at))
            .collect();
        let mut changed = false;
        for (&id, block) in ids.iter().zip(blocks) {
            changed |= block != self.block_of[id as usize];
            self.block_of[id as usize] = block;
        }
        if changed {
            self.list_members();
        }
    }

    fn block_at(&self, level: u8, anchor: Steps) -> u32 {
        let level = &self.levels[level as usize];
        let at: [u32; 3] = std::array::from_fn(|axis| {
            let blocks = u64::from(anchor[axis] as u32) * u64::from(level.blocks[axis]);
            (blocks >> self.shifts[axis]) as u32
        });
        let halves = level.halves();
        let colour = (at[0] & 1) | (at[1] & 1) << 1 | (at[2] & 1) << 2;
        let place = (at[0] / 2 * halves[1] + at[1] / 2) * halves[2] + at[2] / 2;
        level.first + colour * level.blocks_per_colour() + place
    }

    fn list_members(&mut self) {
        self.starts.fill(0);
        for &block in &self.block_of {
            self.starts[block as usize + 1] += 1;
        }
        for block in 1..self.starts.len() {
            self.starts[block] += self.starts[block - 1];
        }
        let mut next = self.starts.clone();
        for (id, &block) in self.block_of.iter().enumerate() {
            self.members[next[block as usize] as usize] = id as u32;
            next[block as usize] += 1;
        }
    }

    /// The number of size levels.
    pub fn levels(&self) -> usize {
        self.levels.len()
    }

    /// The groups of blocks that may be swept at the same time, in visiting order.
    pub fn phases(&self) -> impl Iterator<Item = Range<u32>> + '_ {
        self.levels.iter().flat_map(|level| {
            let blocks = level.blocks_per_colour();
            (0..COLOURS as u32).map(move |colour| {
                let first = level.first + colour * blocks;
                first..first + blocks
            })
        })
    }

    /// The spheres of a block, by rising id.
    pub fn members(&self, block: u32) -> &[u32] {
        let range = self.starts[block as usize] as usize..self.starts[block as usize + 1] as usize;
        &self.members[range]
    }

    /// Whether two spheres may be moved at the same time.
    #[cfg(test)]
    fn concurrent(&self, a: u32, b: u32) -> bool {
        let (block_a, block_b) = (self.block_of[a as usize], self.block_of[b as usize]);
        block_a != block_b
            && self
                .phases()
                .any(|phase| phase.contains(&block_a) && phase.contains(&block_b))
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::container::{Boundaries, Container};

    const N: u32 = 6000;

    /// Spheres of a wide range of sizes at random places, with inflated radii of exactly `reach`.
    fn scene(lengths: DVec3, boundary: &str, ratio: f32) -> (Frame, Vec<f32>, Vec<Point>) {
        let container = Container::new(lengths, boundary.parse::<Boundaries>().unwrap()).unwrap();
        let frame = Frame::new(container);
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
    fn spheres_moved_at_the_same_time_are_never_neighbours() {
        for (lengths, boundary, ratio) in [
            (DVec3::splat(20.0), "ppp", 1.0),
            (DVec3::splat(20.0), "www", 1.0),
            (DVec3::new(40.0, 13.0, 7.0), "ppw", 1.0),
            (DVec3::splat(12.0), "ppp", 20.0),
            (DVec3::splat(3.0), "ppp", 4.0),
        ] {
            let (frame, reach, inflated) = scene(lengths, boundary, ratio);
            let order = VisitOrder::new(&frame, &reach, &inflated);
            let mut concurrent = 0u32;
            for a in 0..N {
                for b in 0..a {
                    if !order.concurrent(a, b) {
                        continue;
                    }
                    concurrent += 1;
                    let (i, j) = (a as usize, b as usize);
                    let distance = frame.distance(inflated[i].at, inflated[j].at);
                    assert!(distance > reach[i] + reach[j], "{boundary}: {a} and {b}");
                }
            }
            assert!(
                concurrent > 0 || ratio > 1.0,
                "{boundary}: no parallel work"
            );
        }
    }

    #[test]
    fn every_sphere_is_visited_once() {
        let (frame, reach, mut inflated) = scene(DVec3::splat(12.0), "ppp", 20.0);
        let mut order = VisitOrder::new(&frame, &reach, &inflated);
        let visits = |order: &VisitOrder| -> Vec<u32> {
            let blocks = order.phases().flatten();
            blocks.flat_map(|b| order.members(b).to_vec()).collect()
        };
        inflated.rotate_left(1);
        for (anchor, &reach) in inflated.iter_mut().zip(&reach) {
            anchor.radius = reach;
        }
        order.assign_all(&inflated);
        let all_moved = visits(&order);
        let some = [5, 17, 3000];
        for id in some {
            inflated[id as usize].at = inflated[id as usize + 1].at;
        }
        order.assign(&some, &some.map(|id| inflated[id as usize]));
        let mut visited = visits(&order);
        assert_ne!(visited, all_moved);
        assert_eq!(visited, visits(&VisitOrder::new(&frame, &reach, &inflated)));
        visited.sort_unstable();
        assert!(visited.into_iter().eq(0..N));
    }
}
