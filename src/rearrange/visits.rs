//! Parallel visits of blocks, in an order that respects their dependencies.
//!
//! A block is visited as soon as its predecessors are finished. The end of a block is the one moment at which its results become visible to
//! the threads that visit its followers. `tests/visits` checks that in all interleavings of two threads.

use std::{hint::spin_loop, ops::Range, thread};

use super::{block_graph::BlockGraph, constants::POLLS_BEFORE_PARKING};
use crate::machine::{
    sync::{AtomicBool, AtomicU32, AtomicU64, Condvar, Mutex, MutexGuard, Ordering},
    trace::{shared, task_after},
};

/// Calls `visit` for each block on at most `threads` threads of the current pool, and returns the results sorted by block.
///
/// # Panics
/// If `visit` panics; the other threads then stop at the end of their blocks.
pub(super) fn visit_blocks<T: Send>(
    graph: &BlockGraph,
    threads: usize,
    visit: impl Fn(u32) -> T + Sync,
) -> Vec<T> {
    let threads = threads.min(rayon::current_num_threads());
    let mut results = match threads {
        0 | 1 => visit_in_sequence(graph, visit),
        _ => visit_on_threads(graph, threads, visit),
    };
    results.sort_unstable_by_key(|&(block, _)| block);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Visits all blocks on the present thread.
fn visit_in_sequence<T>(graph: &BlockGraph, visit: impl Fn(u32) -> T) -> Vec<(u32, T)> {
    let visit = |(position, &block): (u32, &u32)| {
        let predecessors = graph.predecessors(position);
        (block, task_after(predecessors, || visit(block)))
    };
    shared("visits", || (0..).zip(graph.blocks()).map(visit).collect())
}

/// Visits all blocks on several threads. The present thread does not wait for a thread that has not begun: on a busy machine, that thread
/// may begin late.
fn visit_on_threads<T: Send>(
    graph: &BlockGraph,
    threads: usize,
    visit: impl Fn(u32) -> T + Sync,
) -> Vec<(u32, T)> {
    let run = Run::new(graph, rayon::current_num_threads());
    let results = std::sync::Mutex::new(Vec::new());
    let join = || {
        let thread = rayon::current_thread_index().unwrap_or(0);
        let own = run.visit(thread, &visit);
        results.lock().expect(UNPOISONED).extend(own);
    };
    rayon::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|_| join());
        }
        join();
    });
    results.into_inner().expect(UNPOISONED)
}

/// No thread panics while it holds a lock.
const UNPOISONED: &str = "threads panic without locks only";

/// The progress of all threads through the blocks.
///
/// Every thread prefers the coarsest level, and its own part of a level, which is always the same region of space: the data that the thread
/// wrote is then in its cache. A thread without a block first polls, because most blocks take less time than to wake a thread. Then it
/// parks, so that other processes do not take the time of the thread for which it waits.
pub(super) struct Run<'a> {
    graph: &'a BlockGraph,
    threads: usize,
    /// By position, the number of unfinished predecessors.
    unfinished: Vec<AtomicU32>,
    /// A bit for each position whose predecessors are finished and that no thread has taken.
    ready: Vec<AtomicU64>,
    /// Number of finished blocks, plus [`PARKED`] for each parked thread. It is one number: either the thread that finishes a block sees
    /// the parked thread, or the thread that parks sees the blocks that are ready.
    progress: AtomicU64,
    /// Whether a visit panicked, so that some block will never be finished.
    aborted: AtomicBool,
    /// Held by a parking thread until it waits for `wake`.
    parking: Mutex<()>,
    wake: Condvar,
}

/// A parked thread in [`Run::progress`].
const PARKED: u64 = 1 << 32;

/// The next action of a thread.
enum Step {
    Visit(u32),
    Wait,
    End,
}

impl<'a> Run<'a> {
    pub fn new(graph: &'a BlockGraph, threads: usize) -> Self {
        let positions = 0..graph.blocks().len() as u32;
        let mut ready = vec![0; positions.len().div_ceil(64)];
        let unfinished = positions.map(|position| {
            let predecessors = graph.predecessors(position).len() as u32;
            ready[position as usize / 64] |= u64::from(predecessors == 0) << (position % 64);
            AtomicU32::new(predecessors)
        });
        Self {
            graph,
            threads,
            unfinished: unfinished.collect(),
            ready: ready.into_iter().map(AtomicU64::new).collect(),
            progress: AtomicU64::new(0),
            aborted: AtomicBool::new(false),
            parking: Mutex::new(()),
            wake: Condvar::new(),
        }
    }

    /// Visits blocks on one of the threads until all are finished, and returns the results of this thread.
    pub fn visit<T>(&self, thread: usize, visit: impl Fn(u32) -> T) -> Vec<(u32, T)> {
        let abort = AbortOnPanic(self);
        let mut results = Vec::new();
        while let Some(position) = self.next(thread) {
            let block = self.graph.blocks()[position as usize];
            results.push((block, visit(block)));
            self.finish(position);
        }
        drop(abort);
        results
    }

    /// Waits for a block that one of the threads may visit. Returns `None` when all blocks are finished, or one never will be.
    fn next(&self, thread: usize) -> Option<u32> {
        let mut step = self.step(thread);
        for _ in 0..POLLS_BEFORE_PARKING {
            if !matches!(step, Step::Wait) {
                break;
            }
            spin_loop();
            step = self.step(thread);
        }
        if matches!(step, Step::Wait) {
            step = self.park(thread);
        }
        match step {
            Step::Visit(position) => Some(position),
            Step::Wait | Step::End => None,
        }
    }

    /// Sleeps until there is something to do for one of the threads.
    fn park(&self, thread: usize) -> Step {
        let mut guard = self.lock();
        self.progress.fetch_add(PARKED, Ordering::AcqRel);
        let mut step = self.step(thread);
        while let Step::Wait = step {
            guard = self.wake.wait(guard).expect(UNPOISONED);
            step = self.step(thread);
        }
        self.progress.fetch_sub(PARKED, Ordering::Relaxed);
        step
    }

    fn lock(&self) -> MutexGuard<'_, ()> {
        self.parking.lock().expect(UNPOISONED)
    }

    /// Wakes all parked threads.
    fn wake_all(&self) {
        // A thread that is about to wait holds the lock.
        drop(self.lock());
        self.wake.notify_all();
    }

    /// Takes a block that one of the threads may visit.
    fn step(&self, thread: usize) -> Step {
        let mut levels = self.graph.levels().iter();
        if let Some(position) = levels.find_map(|level| self.take_of(level, thread)) {
            Step::Visit(position)
        } else if self.is_finished() || self.aborted.load(Ordering::Relaxed) {
            Step::End
        } else {
            Step::Wait
        }
    }

    /// Takes a block of a level that may be visited: the first in the part of one of the threads or after it, or else the first before it.
    fn take_of(&self, level: &Range<u32>, thread: usize) -> Option<u32> {
        let own = level.start + (level.len() * thread / self.threads) as u32;
        self.take(own..level.end)
            .or_else(|| self.take(level.start..own))
    }

    /// Takes the first block that may be visited within a range of positions.
    pub fn take(&self, positions: Range<u32>) -> Option<u32> {
        let words = positions.start / 64..positions.end.div_ceil(64);
        words.into_iter().find_map(|word| {
            let first = positions.start.saturating_sub(64 * word);
            let last = (positions.end - 64 * word).min(64) - 1;
            let mask = u64::MAX << first & u64::MAX >> (63 - last);
            let bit = take_bit(&self.ready[word as usize], mask)?;
            Some(64 * word + bit)
        })
    }

    /// Notes that a block is finished, which may make its followers ready. Wakes parked threads if there is more to do than the next block
    /// of this thread.
    fn finish(&self, position: u32) {
        let mut ready = 0;
        for &follower in self.graph.followers(position) {
            // The last predecessor passes on what all of them wrote.
            if self.unfinished[follower as usize].fetch_sub(1, Ordering::AcqRel) == 1 {
                let bit = 1 << (follower % 64);
                self.ready[follower as usize / 64].fetch_or(bit, Ordering::Release);
                ready += 1;
            }
        }
        let before = self.progress.fetch_add(1, Ordering::AcqRel);
        if before >= PARKED && (ready > 1 || self.is_finished()) {
            self.wake_all();
        }
    }

    /// Ends the visits: some block will never be finished.
    pub fn abort(&self) {
        self.aborted.store(true, Ordering::Relaxed);
        self.wake_all();
    }

    /// Returns whether all blocks are finished.
    fn is_finished(&self) -> bool {
        let finished = self.progress.load(Ordering::Acquire) % PARKED;
        finished as usize == self.unfinished.len()
    }
}

/// Ends the other threads when this one unwinds from a panic.
struct AbortOnPanic<'a>(&'a Run<'a>);

impl Drop for AbortOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.abort();
        }
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

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::super::block_graph::BlockGrid;
    use super::*;

    fn pool(threads: usize) -> rayon::ThreadPool {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap()
    }

    /// Returns the graph of three levels.
    fn graph() -> BlockGraph {
        let mut first = 0;
        let levels = [[1, 1, 1], [6, 4, 4], [2, 1, 8]].map(|blocks| {
            let grid = BlockGrid {
                blocks,
                is_periodic: [true; 3],
                first,
                reach: [0.05; 3],
            };
            first += BlockGrid::COLORS * grid.blocks_per_color();
            grid
        });
        BlockGraph::new(&levels)
    }

    #[test]
    fn every_block_is_visited_once_and_after_its_predecessors() {
        let graph = graph();
        let blocks = graph.blocks();
        let last = blocks.iter().max().unwrap();
        for threads in [1, 2, 3, 8] {
            let finished: Vec<AtomicBool> = (0..=*last).map(|_| AtomicBool::new(false)).collect();
            let visited = pool(threads).install(|| {
                visit_blocks(&graph, usize::MAX, |block| {
                    let position = blocks.iter().position(|&b| b == block).unwrap();
                    for &earlier in graph.predecessors(position as u32) {
                        let earlier = blocks[earlier as usize] as usize;
                        assert!(finished[earlier].load(Ordering::Acquire));
                    }
                    let before = finished[block as usize].swap(true, Ordering::Release);
                    assert!(!before, "block {block} is visited twice");
                    block
                })
            });
            assert!(visited.is_sorted());
            assert_eq!(visited.len(), blocks.len());
        }
    }

    #[test]
    fn a_panic_in_a_visit_ends_all_threads() {
        let graph = graph();
        let pool = pool(3);
        for bad in graph.blocks().iter().step_by(7) {
            let visit = || {
                visit_blocks(&graph, usize::MAX, |block| {
                    assert_ne!(block, *bad, "bad block");
                })
            };
            let result = catch_unwind(AssertUnwindSafe(|| pool.install(visit)));
            assert!(result.is_err(), "block {bad}");
        }
        // The pool can be used again.
        let all = pool.install(|| visit_blocks(&graph, usize::MAX, |block| block));
        assert_eq!(all.len(), graph.blocks().len());
    }
}
