//! Parallel visits of blocks, in an order that respects their dependencies.
//!
//! The levels follow each other. Within a level, a block is visited as soon as its predecessors are finished. The end of a block is
//! the one moment at which its results become visible to the threads that visit its followers.

use std::{hint::spin_loop, thread};

#[cfg(loom)]
use loom::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
#[cfg(not(loom))]
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use super::block_graph::BlockGraph;
use crate::machine::trace::{shared, task_after};

/// Calls `visit` for each block of each level on the threads of the current pool, and returns the results by rising block.
///
/// # Panics
/// If `visit` panics; the other threads then stop at the end of their blocks.
pub(super) fn visit_blocks<T: Send>(
    levels: &[BlockGraph],
    visit: impl Fn(u32) -> T + Sync,
) -> Vec<T> {
    let mut results = match rayon::current_num_threads() {
        1 => visit_in_sequence(levels, visit),
        threads => {
            let run = Run::new(levels, threads);
            let parts = rayon::broadcast(|thread| run.visit(thread.index(), &visit));
            parts.into_iter().flatten().collect()
        }
    };
    results.sort_unstable_by_key(|&(block, _)| block);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Visits all blocks on the present thread.
fn visit_in_sequence<T>(levels: &[BlockGraph], visit: impl Fn(u32) -> T) -> Vec<(u32, T)> {
    let mut results = Vec::with_capacity(levels.iter().map(|level| level.blocks().len()).sum());
    for level in levels {
        shared("visits", || {
            results.extend((0..).zip(level.blocks()).map(|(position, &block)| {
                let predecessors = level.predecessors(position);
                (block, task_after(predecessors, || visit(block)))
            }));
        });
    }
    results
}

/// The progress of all threads through the levels.
///
/// Every thread prefers the blocks of its own part of a level, which is always the same region of space: the data that the thread
/// wrote is then in its cache. Threads without a block wait actively: a level of a small packing takes less time than to wake a thread.
struct Run<'a> {
    levels: Vec<LevelRun<'a>>,
    threads: usize,
    /// Whether a visit panicked, so that some block will never be finished.
    aborted: AtomicBool,
}

impl<'a> Run<'a> {
    fn new(levels: &'a [BlockGraph], threads: usize) -> Self {
        Self {
            levels: levels.iter().map(LevelRun::new).collect(),
            threads,
            aborted: AtomicBool::new(false),
        }
    }

    /// Visits blocks on one of the threads until all levels are finished, and returns the results of this thread.
    fn visit<T>(&self, thread: usize, visit: impl Fn(u32) -> T) -> Vec<(u32, T)> {
        let abort = AbortOnPanic(&self.aborted);
        let mut results = Vec::new();
        for level in &self.levels {
            let blocks = level.graph.blocks();
            let own = blocks.len() * thread / self.threads;
            while let Some(position) = self.next_of(level, own) {
                let block = blocks[position as usize];
                results.push((block, visit(block)));
                level.finish(position);
            }
            if !level.is_finished() {
                break;
            }
        }
        drop(abort);
        results
    }

    /// Waits for a block of a level that may be visited, preferably at or after the position `own`. Returns `None` when all blocks are
    /// finished, or one never will be.
    fn next_of(&self, level: &LevelRun, own: usize) -> Option<u32> {
        const SPINS: u32 = 1 << 10;
        let mut spins = 0;
        loop {
            if let Some(position) = level.take(own) {
                return Some(position);
            }
            if level.is_finished() || self.aborted.load(Ordering::Relaxed) {
                return None;
            }
            if spins < SPINS && !cfg!(loom) {
                spins += 1;
                spin_loop();
            } else {
                yield_now();
            }
        }
    }
}

fn yield_now() {
    #[cfg(loom)]
    loom::thread::yield_now();
    #[cfg(not(loom))]
    thread::yield_now();
}

/// Tells the other threads when this one unwinds from a panic.
struct AbortOnPanic<'a>(&'a AtomicBool);

impl Drop for AbortOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// The progress through one level.
struct LevelRun<'a> {
    graph: &'a BlockGraph,
    /// By position, the number of unfinished predecessors.
    unfinished: Vec<AtomicU32>,
    /// A bit for each position whose predecessors are finished and that no thread has taken.
    ready: Vec<AtomicU64>,
    /// Number of finished blocks.
    finished: AtomicU32,
}

impl<'a> LevelRun<'a> {
    fn new(graph: &'a BlockGraph) -> Self {
        let positions = 0..graph.blocks().len() as u32;
        let mut ready = vec![0; positions.len().div_ceil(64)];
        let unfinished = positions.map(|position| {
            let predecessors = graph.predecessors(position).len() as u32;
            ready[position as usize / 64] |= u64::from(predecessors == 0) << (position % 64);
            AtomicU32::new(predecessors)
        });
        Self {
            graph,
            unfinished: unfinished.collect(),
            ready: ready.into_iter().map(AtomicU64::new).collect(),
            finished: AtomicU32::new(0),
        }
    }

    /// Takes the first block that may be visited at or after a position, or else the first before it.
    fn take(&self, from: usize) -> Option<u32> {
        let words = self.ready.len();
        let first = from / 64;
        for step in 0..=words {
            let word = (first + step) % words;
            let before = if step == 0 { (1 << (from % 64)) - 1 } else { 0 };
            if let Some(bit) = take_bit(&self.ready[word], !before) {
                return Some(64 * word as u32 + bit);
            }
        }
        None
    }

    /// Notes that a block is finished, which may make its followers ready.
    fn finish(&self, position: u32) {
        for &follower in self.graph.followers(position) {
            // The last predecessor passes on what all of them wrote.
            if self.unfinished[follower as usize].fetch_sub(1, Ordering::AcqRel) == 1 {
                let bit = 1 << (follower % 64);
                self.ready[follower as usize / 64].fetch_or(bit, Ordering::Release);
            }
        }
        self.finished.fetch_add(1, Ordering::Release);
    }

    /// Returns whether all blocks are finished.
    fn is_finished(&self) -> bool {
        self.finished.load(Ordering::Acquire) as usize == self.unfinished.len()
    }
}

/// Clears the lowest bit of a word within a mask and returns its number; `None` if there is none.
fn take_bit(word: &AtomicU64, mask: u64) -> Option<u32> {
    loop {
        let bits = word.load(Ordering::Relaxed) & mask;
        if bits == 0 {
            return None;
        }
        let lowest = bits & bits.wrapping_neg();
        if word.fetch_and(!lowest, Ordering::Acquire) & lowest != 0 {
            return Some(lowest.trailing_zeros());
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;
    use crate::rearrange::block_graph::BlockGrid;

    fn pool(threads: usize) -> rayon::ThreadPool {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap()
    }

    /// Returns the graphs of three levels, and the number of blocks.
    fn levels() -> (Vec<BlockGraph>, u32) {
        let mut first = 0;
        let levels = [[1, 1, 1], [6, 4, 4], [2, 1, 8]].map(|blocks| {
            let grid = BlockGrid {
                blocks,
                is_periodic: [true; 3],
                first,
            };
            first += BlockGrid::COLOURS * grid.blocks_per_colour();
            BlockGraph::new(&grid)
        });
        let blocks = levels.iter().map(|level| level.blocks().len() as u32).sum();
        (levels.into(), blocks)
    }

    #[test]
    fn every_block_is_visited_once_and_after_its_predecessors() {
        let (levels, blocks) = levels();
        let last = levels.iter().flat_map(BlockGraph::blocks).max().unwrap();
        for threads in [1, 2, 3, 8] {
            let finished: Vec<AtomicBool> = (0..=*last).map(|_| AtomicBool::new(false)).collect();
            let is_finished = |block: u32| finished[block as usize].load(Ordering::Acquire);
            let visited = pool(threads).install(|| {
                visit_blocks(&levels, |block| {
                    let position =
                        |level: &BlockGraph| level.blocks().iter().position(|&b| b == block);
                    let level = levels
                        .iter()
                        .position(|level| position(level).is_some())
                        .unwrap();
                    let position = position(&levels[level]).unwrap() as u32;
                    for &earlier in levels[level].predecessors(position) {
                        assert!(is_finished(levels[level].blocks()[earlier as usize]));
                    }
                    let earlier = levels[..level].iter().flat_map(BlockGraph::blocks);
                    assert!(earlier.copied().all(is_finished));
                    let later = levels[level + 1..].iter().flat_map(BlockGraph::blocks);
                    assert!(!later.copied().any(is_finished));
                    let before = finished[block as usize].swap(true, Ordering::Release);
                    assert!(!before, "block {block} is visited twice");
                    block
                })
            });
            assert!(visited.is_sorted());
            assert_eq!(visited.len() as u32, blocks);
        }
    }

    #[test]
    fn a_panic_in_a_visit_ends_all_threads() {
        let (levels, blocks) = levels();
        let pool = pool(3);
        for bad in levels.iter().flat_map(BlockGraph::blocks).step_by(7) {
            let visit = || visit_blocks(&levels, |block| assert_ne!(block, *bad, "bad block"));
            let result = catch_unwind(AssertUnwindSafe(|| pool.install(visit)));
            assert!(result.is_err(), "block {bad}");
        }
        // The pool can be used again.
        let all = pool.install(|| visit_blocks(&levels, |block| block));
        assert_eq!(all.len() as u32, blocks);
    }
}

/// All interleavings of two threads, by `RUSTFLAGS="--cfg loom" cargo test --release --lib loom`.
#[cfg(all(test, loom))]
mod loom_tests {
    use loom::{cell::UnsafeCell, sync::Arc, thread};

    use super::*;
    use crate::rearrange::block_graph::BlockGrid;

    /// Returns the graphs of two levels. The second of the three blocks of the first level follows the others.
    fn levels() -> &'static [BlockGraph] {
        let level = |x, first| {
            BlockGraph::new(&BlockGrid {
                blocks: [x, 1, 1],
                is_periodic: [false; 3],
                first,
            })
        };
        Box::leak(Box::new([level(3, 0), level(1, 16)]))
    }

    /// One cell for each block number. Loom fails if two threads access a cell without synchronization.
    struct Cells(Vec<UnsafeCell<u32>>);

    // SAFETY: the dependencies synchronize the accesses, which is what the test checks.
    unsafe impl Sync for Cells {}

    #[test]
    fn results_of_a_block_are_visible_to_its_followers() {
        let levels = levels();
        loom::model(move || {
            let cells = Cells((0..17).map(|_| UnsafeCell::new(0)).collect());
            let run = Arc::new((Run::new(levels, 2), cells));
            let visit_all = |thread: usize, shared: &(Run, Cells)| {
                let (run, cells) = shared;
                let visited = run.visit(thread, |block| {
                    let earlier: &[usize] = match block {
                        2 => &[0, 1],
                        16 => &[0, 1, 2],
                        _ => &[],
                    };
                    for &earlier in earlier {
                        // SAFETY: no thread writes the cell of a block that is finished.
                        cells.0[earlier].with(|value| assert_eq!(unsafe { *value }, 1));
                    }
                    // SAFETY: each block writes its own cell.
                    cells.0[block as usize].with_mut(|value| unsafe { *value += 1 });
                });
                visited.len()
            };
            let other = Arc::clone(&run);
            let handle = thread::spawn(move || visit_all(1, &other));
            let here = visit_all(0, &run);
            assert_eq!(here + handle.join().unwrap(), 4);
        });
    }

    #[test]
    fn an_abort_ends_the_wait() {
        let levels = levels();
        loom::model(move || {
            let run = Arc::new(Run::new(levels, 2));
            let other = Arc::clone(&run);
            let handle = thread::spawn(move || {
                // A thread that takes a block, fails, and never finishes the block.
                other.levels[0].take(0);
                other.aborted.store(true, Ordering::Relaxed);
            });
            run.visit(0, |_| ());
            handle.join().unwrap();
        });
    }
}
