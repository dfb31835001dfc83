//! Parallel visits of blocks, phase by phase.
//!
//! A phase is a range of blocks that may be visited at the same time. The end of a phase is the one moment at which results
//! become visible to the other threads: no block is visited before all blocks of the earlier phases are finished.

use std::{hint::spin_loop, ops::Range, thread};

#[cfg(loom)]
use loom::sync::atomic::{AtomicBool, AtomicU32, Ordering};
#[cfg(not(loom))]
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Calls `visit` for each block of each phase on the threads of the current pool, and returns the results by rising block.
///
/// The phases must rise and must not overlap.
///
/// # Panics
/// If `visit` panics; the other threads then stop at the end of their blocks.
pub(super) fn visit_blocks<T: Send>(
    phases: &[Range<u32>],
    visit: impl Fn(u32) -> T + Sync,
) -> Vec<T> {
    let run = PhasedRun::new(phases, rayon::current_num_threads() as u32);
    let parts = rayon::broadcast(|thread| run.visit(thread.index(), &visit));
    let mut results: Vec<(u32, T)> = parts.into_iter().flatten().collect();
    results.sort_unstable_by_key(|&(block, _)| block);
    results.into_iter().map(|(_, result)| result).collect()
}

/// The progress of all threads through the phases.
///
/// Every thread begins a phase with its own share, which is always the same region of space: the data that the thread wrote
/// is then in its cache. Then it helps with the shares of other threads. Threads wait actively for the end of a phase: a phase
/// of a small packing takes about ten microseconds, less than the time to wake a thread.
struct PhasedRun<'a> {
    phases: &'a [Range<u32>],
    /// By phase and thread.
    shares: Vec<Vec<Share>>,
    /// Number of finished blocks in all phases.
    finished: AtomicU32,
    /// Whether a visit panicked, so that some block will never be finished.
    aborted: AtomicBool,
}

impl<'a> PhasedRun<'a> {
    fn new(phases: &'a [Range<u32>], threads: u32) -> Self {
        Self {
            phases,
            shares: phases
                .iter()
                .map(|phase| Share::split(phase, threads))
                .collect(),
            finished: AtomicU32::new(0),
            aborted: AtomicBool::new(false),
        }
    }

    /// Visits blocks on one of the threads until all phases are finished, and returns the results of this thread.
    fn visit<T>(&self, thread: usize, visit: impl Fn(u32) -> T) -> Vec<(u32, T)> {
        let abort = AbortOnPanic(&self.aborted);
        let mut results = Vec::new();
        let mut end = 0;
        for (phase, shares) in self.phases.iter().zip(&self.shares) {
            let (before, own) = shares.split_at(thread);
            for share in own.iter().chain(before) {
                while let Some(block) = share.take() {
                    results.push((block, visit(block)));
                    self.finished.fetch_add(1, Ordering::Release);
                }
            }
            end += phase.len() as u32;
            if !self.reach_end_of_phase(end) {
                break;
            }
        }
        drop(abort);
        results
    }

    /// Waits until `end` blocks are finished. Returns whether the run goes on.
    fn reach_end_of_phase(&self, end: u32) -> bool {
        const SPINS: u32 = 1 << 10;
        let mut spins = 0;
        while self.finished.load(Ordering::Acquire) < end {
            if self.aborted.load(Ordering::Relaxed) {
                return false;
            }
            if spins < SPINS && !cfg!(loom) {
                spins += 1;
                spin_loop();
            } else {
                yield_now();
            }
        }
        true
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

/// Blocks that any thread may take, one at a time.
struct Share {
    next: AtomicU32,
    end: u32,
}

impl Share {
    fn split(blocks: &Range<u32>, parts: u32) -> Vec<Self> {
        let len = u64::from(blocks.end - blocks.start);
        let bound = |part: u32| {
            let before = len * u64::from(part) / u64::from(parts);
            blocks.start + before as u32
        };
        (0..parts)
            .map(|part| Self {
                next: AtomicU32::new(bound(part)),
                end: bound(part + 1),
            })
            .collect()
    }

    fn take(&self) -> Option<u32> {
        let block = self.next.fetch_add(1, Ordering::Relaxed);
        (block < self.end).then_some(block)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    fn pool(threads: usize) -> rayon::ThreadPool {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap()
    }

    #[test]
    fn phases_follow_each_other_and_every_block_is_visited_once() {
        let phases = [0..5, 5..5, 5..6, 6..40];
        let begun = AtomicU32::new(0);
        let finished = AtomicU32::new(0);
        let blocks = pool(3).install(|| {
            visit_blocks(&phases, |block| {
                begun.fetch_add(1, Ordering::Relaxed);
                let phase = phases.iter().find(|phase| phase.contains(&block)).unwrap();
                let before = finished.load(Ordering::Acquire);
                assert!(before >= phase.start, "block {block} is early");
                let started = begun.load(Ordering::Relaxed);
                assert!(started <= phase.end, "block {block} is late");
                finished.fetch_add(1, Ordering::Release);
                block
            })
        });
        assert!(blocks.into_iter().eq(0..40));
    }

    #[test]
    fn a_panic_in_a_visit_ends_all_threads() {
        let pool = pool(3);
        for bad in [0, 4, 17, 39] {
            let visit = || {
                visit_blocks(&[0..5, 5..6, 6..40], |block| {
                    assert_ne!(block, bad, "bad block");
                })
            };
            let result = catch_unwind(AssertUnwindSafe(|| pool.install(visit)));
            assert!(result.is_err(), "block {bad}");
        }
        // The pool can be used again.
        let all = pool.install(|| visit_blocks(&[0..7, 7..9], |block| block));
        assert!(all.into_iter().eq(0..9));
    }
}

/// All interleavings of two threads, by `RUSTFLAGS="--cfg loom" cargo test --release --lib loom`.
#[cfg(all(test, loom))]
mod loom_tests {
    use loom::{cell::UnsafeCell, sync::Arc, thread};

    use super::*;

    const PHASES: [Range<u32>; 2] = [0..2, 2..3];

    /// One cell for each block. Loom fails if two threads access a cell without synchronization.
    struct Cells([UnsafeCell<u32>; 3]);

    // SAFETY: the phases synchronize the accesses, which is what the test checks.
    unsafe impl Sync for Cells {}

    #[test]
    fn results_of_a_phase_are_visible_in_the_next() {
        loom::model(|| {
            let run = Arc::new((
                PhasedRun::new(&PHASES, 2),
                Cells([0; 3].map(UnsafeCell::new)),
            ));
            let visit_all = |thread: usize, shared: &(PhasedRun, Cells)| {
                let (run, cells) = shared;
                let visited = run.visit(thread, |block| {
                    // The block of the second phase reads the results of both blocks of the first phase.
                    if block == 2 {
                        for cell in &cells.0[..2] {
                            // SAFETY: the block of the second phase is the only reader.
                            cell.with(|value| assert_eq!(unsafe { *value }, 1));
                        }
                    }
                    // SAFETY: each block writes its own cell.
                    cells.0[block as usize].with_mut(|value| unsafe { *value += 1 });
                });
                visited.len()
            };
            let other = Arc::clone(&run);
            let handle = thread::spawn(move || visit_all(1, &other));
            let here = visit_all(0, &run);
            assert_eq!(here + handle.join().unwrap(), 3);
        });
    }

    #[test]
    fn an_abort_ends_the_wait() {
        loom::model(|| {
            let run = Arc::new(PhasedRun::new(&PHASES, 2));
            let other = Arc::clone(&run);
            let handle = thread::spawn(move || {
                // A thread that takes a block, fails, and never finishes the block.
                other.shares[0][1].take();
                other.aborted.store(true, Ordering::Relaxed);
            });
            run.visit(0, |_| ());
            handle.join().unwrap();
        });
    }
}
