//! A model check of the visits of blocks: loom tries the interleavings of two threads.
//!
//! The files of the visits are those of the library; this program puts its own modules in the place of what they import. A check that
//! fails ends in a panic.

// A part of the files is enough for the model, whose threads never poll.
#![allow(dead_code, clippy::reversed_empty_ranges)]

#[path = "../../../src/rearrange/constants.rs"]
mod all_constants;
#[path = "../../../src/rearrange/block_graph.rs"]
mod block_graph;
#[path = "../../../src/rearrange/visits.rs"]
mod visits;

use block_graph::{BlockGraph, BlockGrid};
use loom::{cell::UnsafeCell, sync::Arc, thread};
use visits::Run;

mod constants {
    pub const BLOCK_MARGIN: f64 = super::all_constants::BLOCK_MARGIN;
    /// The model knows no time.
    pub const POLLS_BEFORE_PARKING: u32 = 0;
}

mod machine {
    pub mod sync {
        pub use loom::sync::{
            Condvar, Mutex, MutexGuard,
            atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
        };
    }

    pub mod trace {
        pub fn shared<T>(_name: &str, call: impl FnOnce() -> T) -> T {
            call()
        }

        pub fn task_after<T>(_predecessors: &[u32], call: impl FnOnce() -> T) -> T {
            call()
        }
    }
}

fn main() {
    results_of_a_block_are_visible_to_its_followers();
    an_abort_ends_the_wait();
    println!("the visits hold in all interleavings");
}

/// Returns the graph of two levels. The second of the three blocks of the first level follows the others.
fn graph() -> &'static BlockGraph {
    let level = |x, first| BlockGrid {
        blocks: [x, 1, 1],
        is_periodic: [false; 3],
        first,
        reach: [0.1; 3],
    };
    Box::leak(Box::new(BlockGraph::new(&[level(3, 0), level(1, 16)])))
}

/// Calls `run` with all interleavings that interrupt threads at most three times. Without this bound, the check did not end within
/// three minutes.
fn check(run: impl Fn() + Sync + Send + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(run);
}

/// One cell for each block number. Loom fails if two threads access a cell without synchronization.
struct Cells(Vec<UnsafeCell<u32>>);

// SAFETY: the dependencies synchronize the accesses, which is what the check is about.
unsafe impl Sync for Cells {}

fn results_of_a_block_are_visible_to_its_followers() {
    let graph = graph();
    check(move || {
        let cells = Cells((0..17).map(|_| UnsafeCell::new(0)).collect());
        let run = Arc::new((Run::new(graph, 2), cells));
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

fn an_abort_ends_the_wait() {
    let graph = graph();
    check(move || {
        let run = Arc::new(Run::new(graph, 2));
        let other = Arc::clone(&run);
        let handle = thread::spawn(move || {
            // A thread that takes a block, fails, and never finishes the block.
            other.take(0..4);
            other.abort();
        });
        run.visit(0, |_| ());
        handle.join().unwrap();
    });
}
