//! Which blocks must be visited before which other blocks.
//!
//! The blocks of a level are colored like a three-dimensional chessboard with eight colors. Adjacent blocks are visited in ascending order of
//! color; blocks that are not adjacent may be visited in any order, or at the same time, with the same result. The same holds for blocks
//! of two levels whose spheres cannot be neighbors. Where they can be, the coarser level is visited first.

use std::ops::Range;

use super::constants::BLOCK_MARGIN;

/// The grid of blocks of one level.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockGrid {
    /// Blocks along each axis: 1, or an even number where the axis is periodic.
    pub blocks: [u32; 3],
    pub is_periodic: [bool; 3],
    /// Number of the level's first block.
    pub first: u32,
    /// Largest inflated radius of the level's spheres along each axis, as a share of the container.
    pub reach: [f64; 3],
}

impl BlockGrid {
    pub const COLORS: u32 = 8;

    /// Number of blocks of one color along each axis.
    fn halves(&self) -> [u32; 3] {
        self.blocks.map(|n| n.div_ceil(2))
    }

    /// Returns the number of block numbers for each color. Where the number of blocks along an axis is odd, some denote no block.
    pub fn blocks_per_color(&self) -> u32 {
        self.halves().into_iter().product()
    }

    /// Returns the number of the block at some coordinates. Blocks of one color have successive numbers.
    pub fn number(&self, at: [u32; 3]) -> u32 {
        let halves = self.halves();
        let number = (at[0] / 2 * halves[1] + at[1] / 2) * halves[2] + at[2] / 2;
        self.first + color(at) * self.blocks_per_color() + number
    }

    /// Returns the coordinates of all blocks in the order in which one thread visits them. Adjacent blocks have ascending colors, and most
    /// follow each other soon, so that their points are still in the cache.
    pub fn sequence(&self) -> impl Iterator<Item = [u32; 3]> {
        let [x, y, z] = self.blocks;
        let nested = |n: u32| (0..n).map(move |k| even_first(k, n));
        nested(z).flat_map(move |z| nested(y).flat_map(move |y| nested(x).map(move |x| [x, y, z])))
    }

    /// Returns the blocks of color `wanted` that are adjacent to the block at some coordinates, each at least once.
    fn adjacent(&self, at: [u32; 3], wanted: u32) -> impl Iterator<Item = [u32; 3]> + '_ {
        (0..8u32).filter_map(move |sides| {
            let mut other = at;
            for (axis, coordinate) in other.iter_mut().enumerate() {
                let differs = (*coordinate ^ (wanted >> axis)) & 1 == 1;
                if differs {
                    *coordinate = self.beside(axis, *coordinate, sides >> axis & 1 == 1)?;
                }
            }
            Some(other)
        })
    }

    /// Returns the next coordinate along an axis, upwards or downwards; `None` beyond a wall.
    fn beside(&self, axis: usize, coordinate: u32, upwards: bool) -> Option<u32> {
        let n = self.blocks[axis];
        let next = coordinate + n + u32::from(upwards) - u32::from(!upwards);
        (self.is_periodic[axis] || (n..2 * n).contains(&next)).then_some(next % n)
    }

    /// Returns blocks of the highest color, each at least once. When they are finished, so are all blocks with spheres that may be
    /// neighbors of spheres of the block at some coordinates of a `finer` level.
    ///
    /// Each block is adjacent to one of the highest color beside it, which waits for it.
    fn before(&self, finer: &Self, at: [u32; 3]) -> impl Iterator<Item = [u32; 3]> {
        let beside = |axis: usize| {
            let (n, parts) = (f64::from(self.blocks[axis]), f64::from(finer.blocks[axis]));
            let reach = (self.reach[axis] + finer.reach[axis]) * BLOCK_MARGIN;
            let low = (f64::from(at[axis]) / parts - reach) * n - ROUNDING;
            let high = (f64::from(at[axis] + 1) / parts + reach) * n + ROUNDING;
            self.highest_between(axis, low.floor() as i64, high.floor() as i64)
        };
        let [xs, ys, zs] = [0, 1, 2].map(beside);
        zs.into_iter().flat_map(move |z| {
            let (xs, ys) = (xs.clone(), ys.clone());
            ys.into_iter()
                .flat_map(move |y| xs.clone().into_iter().map(move |x| [x, y, z]))
        })
    }

    /// Returns coordinates of the highest color along an axis, such that each coordinate from `low` to `high`, which may lie beyond a
    /// face, is beside one of them.
    fn highest_between(&self, axis: usize, low: i64, high: i64) -> Vec<u32> {
        let n = i64::from(self.blocks[axis]);
        let (low, high) = match self.is_periodic[axis] {
            true if high - low + 1 < n => (low, high),
            true => (0, n - 1),
            false => (low.max(0), high.min(n - 1)),
        };
        let highest = |k: i64| match (k | 1).rem_euclid(n.max(2)) {
            _ if n == 1 => 0,
            // The last coordinate between walls may be even.
            _ if !self.is_periodic[axis] && k | 1 == n => n - 2,
            odd => odd,
        };
        let mut found: Vec<u32> = (low..=high).map(|k| highest(k) as u32).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns the next lower color that occurs in the grid.
    fn color_below(&self, color: u32) -> Option<u32> {
        let occurs = |&lower: &u32| (0..3).all(|axis| lower >> axis & 1 < self.blocks[axis]);
        (0..color).rev().find(occurs)
    }
}

/// Larger than the rounding errors of block coordinates.
const ROUNDING: f64 = 1e-6;

/// Returns the color of the block at some coordinates.
fn color(at: [u32; 3]) -> u32 {
    (at[0] & 1) | (at[1] & 1) << 1 | (at[2] & 1) << 2
}

/// Returns the `k`-th of `0..n` in the order 0, 2, 1, 4, 3, …: an odd number follows the even numbers beside it.
fn even_first(k: u32, n: u32) -> u32 {
    match k {
        0 => 0,
        k if k % 2 == 0 => k - 1,
        k => (k + 1).min(n - 1),
    }
}

/// The dependencies among the blocks of all levels. Blocks are known by their position in the order of one thread, in which the levels
/// follow each other.
#[derive(Clone, Debug)]
pub(super) struct BlockGraph {
    /// Number of each block.
    blocks: Vec<u32>,
    /// The positions of each level.
    levels: Vec<Range<u32>>,
    /// The positions that must be finished first; their predecessors are not listed again.
    predecessors: Lists,
    /// The positions that have this one as a predecessor.
    followers: Lists,
}

impl BlockGraph {
    /// Creates the graph of some levels, the coarsest first. Cost: O(blocks).
    ///
    /// A block waits for the adjacent blocks of the next lower color only. These have waited for the adjacent blocks of all lower
    /// colors: each of those is adjacent to one of them. It also waits for blocks of the next coarser level, which have waited for those
    /// of all coarser levels: the spheres of coarser levels reach further.
    pub fn new(grids: &[BlockGrid]) -> Self {
        let mut blocks = Vec::new();
        let levels: Vec<Range<u32>> = grids
            .iter()
            .map(|grid| {
                let start = blocks.len() as u32;
                blocks.extend(grid.sequence().map(|at| grid.number(at)));
                start..blocks.len() as u32
            })
            .collect();
        let numbers = blocks.iter().max().map_or(0, |last| last + 1);
        let mut positions = vec![u32::MAX; numbers as usize];
        for (position, &block) in (0..).zip(&blocks) {
            positions[block as usize] = position;
        }
        let (mut edges, mut earlier) = (Vec::new(), Vec::new());
        for (level, grid) in grids.iter().enumerate() {
            let position_in = |grid: &BlockGrid, at: [u32; 3]| positions[grid.number(at) as usize];
            for (position, at) in levels[level].clone().zip(grid.sequence()) {
                if let Some(below) = grid.color_below(color(at)) {
                    let adjacent = grid.adjacent(at, below);
                    earlier.extend(adjacent.map(|at| position_in(grid, at)));
                }
                if let Some(coarser) = level.checked_sub(1).map(|coarser| &grids[coarser]) {
                    let before = coarser.before(grid, at);
                    earlier.extend(before.map(|at| position_in(coarser, at)));
                }
                earlier.sort_unstable();
                // Both neighbors along an axis of two blocks are the same block.
                earlier.dedup();
                edges.extend(earlier.drain(..).map(|earlier| (earlier, position)));
            }
        }
        let backward = edges.iter().map(|&(earlier, later)| (later, earlier));
        Self {
            predecessors: Lists::new(blocks.len(), backward),
            followers: Lists::new(blocks.len(), edges.iter().copied()),
            blocks,
            levels,
        }
    }

    /// Returns the number of each block, by position.
    pub fn blocks(&self) -> &[u32] {
        &self.blocks
    }

    /// Returns the positions of each level.
    pub fn levels(&self) -> &[Range<u32>] {
        &self.levels
    }

    pub fn predecessors(&self, position: u32) -> &[u32] {
        self.predecessors.list(position)
    }

    pub fn followers(&self, position: u32) -> &[u32] {
        self.followers.list(position)
    }
}

/// Numbered lists, all in one allocation.
#[derive(Clone, Debug)]
pub(super) struct Lists {
    /// Start of each list, and the end of the last one.
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// Creates `len` lists of the `entries`: the number of a list and an item each. Items keep their order in a list.
    pub fn new(len: usize, entries: impl ExactSizeIterator<Item = (u32, u32)> + Clone) -> Self {
        // Shifted by one list, so that the start of each list moves to its end while the list is written.
        let mut starts = vec![0; len + 2];
        for (list, _) in entries.clone() {
            starts[list as usize + 2] += 1;
        }
        for list in 2..starts.len() {
            starts[list] += starts[list - 1];
        }
        let mut items = vec![0; entries.len()];
        for (list, item) in entries {
            let next = &mut starts[list as usize + 1];
            items[*next as usize] = item;
            *next += 1;
        }
        starts.pop();
        Self { starts, items }
    }

    pub fn list(&self, k: u32) -> &[u32] {
        let bounds = &self.starts[k as usize..k as usize + 2];
        &self.items[bounds[0] as usize..bounds[1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl BlockGrid {
        /// Returns the coordinates of the block of some number.
        pub fn coordinates(&self, number: u32) -> [u32; 3] {
            let [_, y, z] = self.halves();
            let color = (number - self.first) / self.blocks_per_color();
            let rest = (number - self.first) % self.blocks_per_color();
            let halves = [rest / (y * z), rest / z % y, rest % z];
            std::array::from_fn(|axis| 2 * halves[axis] + (color >> axis & 1))
        }

        /// Returns whether two blocks are the same or touch each other.
        pub fn are_adjacent(&self, a: [u32; 3], b: [u32; 3]) -> bool {
            (0..3).all(|axis| {
                let distance = a[axis].abs_diff(b[axis]);
                let around = self.blocks[axis] - distance;
                distance <= 1 || self.is_periodic[axis] && around <= 1
            })
        }
    }

    impl BlockGraph {
        /// Returns, by position, whether each other position is finished before it.
        pub fn finished_before(&self) -> Vec<Vec<bool>> {
            let mut before: Vec<Vec<bool>> = Vec::new();
            for position in 0..self.blocks.len() as u32 {
                let mut finished = vec![false; self.blocks.len()];
                for &earlier in self.predecessors(position) {
                    finished[earlier as usize] = true;
                    let before = before[earlier as usize].iter();
                    finished
                        .iter_mut()
                        .zip(before)
                        .for_each(|(finished, &before)| *finished |= before);
                }
                before.push(finished);
            }
            before
        }
    }

    /// Grids with 1, 2 and more blocks along an axis, with even and odd numbers where walls allow them.
    fn grids() -> Vec<BlockGrid> {
        let mut grids = Vec::new();
        for x in [
            (1, true),
            (1, false),
            (2, true),
            (2, false),
            (3, false),
            (6, true),
        ] {
            for y in [(1, false), (2, true), (4, true), (5, false)] {
                for z in [(1, true), (2, false), (2, true), (3, false), (4, true)] {
                    grids.push(BlockGrid {
                        blocks: [x.0, y.0, z.0],
                        is_periodic: [x.1, y.1, z.1],
                        first: 24,
                        reach: [0.0; 3],
                    });
                }
            }
        }
        grids
    }

    #[test]
    fn one_thread_visits_adjacent_blocks_by_rising_color() {
        for grid in grids() {
            let sequence: Vec<_> = grid.sequence().collect();
            assert_eq!(sequence.len() as u32, grid.blocks.iter().product::<u32>());
            for &at in &sequence {
                assert_eq!(grid.coordinates(grid.number(at)), at);
            }
            for (position, &later) in sequence.iter().enumerate() {
                for &earlier in &sequence[..position] {
                    assert_ne!(earlier, later);
                    if grid.are_adjacent(earlier, later) {
                        assert!(
                            color(earlier) < color(later),
                            "{grid:?}: {earlier:?}, {later:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_block_follows_all_adjacent_blocks_of_lower_colors() {
        for grid in grids() {
            let graph = BlockGraph::new(&[grid]);
            let sequence: Vec<_> = grid.sequence().collect();
            let before = graph.finished_before();
            for (position, &at) in sequence.iter().enumerate() {
                for &earlier in graph.predecessors(position as u32) {
                    assert!(grid.are_adjacent(sequence[earlier as usize], at));
                }
                for (other, &other_at) in sequence.iter().enumerate() {
                    if grid.are_adjacent(other_at, at) && color(other_at) < color(at) {
                        assert!(
                            before[position][other],
                            "{grid:?}: {other_at:?} before {at:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn followers_are_the_other_side_of_predecessors() {
        for grid in grids() {
            let graph = BlockGraph::new(&[grid]);
            let positions = 0..graph.blocks().len() as u32;
            let edges: usize = positions.clone().map(|k| graph.followers(k).len()).sum();
            for later in positions {
                for &earlier in graph.predecessors(later) {
                    assert!(graph.followers(earlier).contains(&later));
                }
            }
            assert_eq!(edges, graph.predecessors.items.len());
        }
    }
}
