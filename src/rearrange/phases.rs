//! Visits the blocks of a sweep on all threads, phase by phase.

use std::{
    hint::spin_loop,
    ops::Range,
    sync::atomic::{
        AtomicU32,
        Ordering::{Acquire, Relaxed, Release},
    },
    thread,
};

/// Calls `visit` for each block of each phase on the threads of the current pool, and returns what it returned by rising block.
///
/// No block is begun before all blocks of the phases before it are done. Phases must rise, too.
///
/// Every thread begins with its own share of each phase, the same region of space if blocks are numbered by place: what it
/// wrote is then in its cache. Threads wait for each other awake: a phase of a small packing takes some ten microseconds, less
/// than it takes to wake a thread.
pub(super) fn visit_blocks<T: Send>(
    phases: &[Range<u32>],
    visit: impl Fn(u32) -> T + Sync,
) -> Vec<T> {
    let threads = rayon::current_num_threads() as u32;
    let shares: Vec<Vec<Share>> = phases
        .iter()
        .map(|phase| Share::split(phase, threads))
        .collect();
    let done = AtomicU32::new(0);
    let parts = rayon::broadcast(|thread| {
        let mut part = Vec::new();
        let mut due = 0;
        for (phase, shares) in phases.iter().zip(&shares) {
            let (before, own) = shares.split_at(thread.index());
            for share in own.iter().chain(before) {
                while let Some(block) = share.take() {
                    part.push((block, visit(block)));
                    done.fetch_add(1, Release);
                }
            }
            due += phase.len() as u32;
            wait_until(|| done.load(Acquire) >= due);
        }
        part
    });
    let mut results: Vec<(u32, T)> = parts.into_iter().flatten().collect();
    results.sort_unstable_by_key(|&(block, _)| block);
    results.into_iter().map(|(_, result)| result).collect()
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
        let block = self.next.fetch_add(1, Relaxed);
        (block < self.end).then_some(block)
    }
}

/// Waits, and after a while lets others have the processor.
fn wait_until(condition: impl Fn() -> bool) {
    const SPINS: u32 = 1 << 10;
    let mut spins = 0;
    while !condition() {
        if spins < SPINS {
            spins += 1;
            spin_loop();
        } else {
            thread::yield_now();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_follow_each_other_and_every_block_is_visited_once() {
        let phases = [0..5, 5..5, 5..6, 6..40];
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(3)
            .build()
            .unwrap();
        let begun = AtomicU32::new(0);
        let done = AtomicU32::new(0);
        let blocks = pool.install(|| {
            visit_blocks(&phases, |block| {
                begun.fetch_add(1, Relaxed);
                let phase = phases.iter().find(|phase| phase.contains(&block)).unwrap();
                assert!(done.load(Acquire) >= phase.start, "block {block} is early");
                assert!(begun.load(Relaxed) <= phase.end, "block {block} is late");
                done.fetch_add(1, Release);
                block
            })
        });
        assert!(blocks.into_iter().eq(0..40));
    }
}
