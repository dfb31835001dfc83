//! The time of a recorded run on more threads.

use std::{cmp::Reverse, collections::BinaryHeap, time::Duration};

use jostle::trace::Trace;

/// Times of the regions of one name on some number of threads.
#[derive(Clone, Copy, Debug, Default)]
pub struct Share {
    /// Time on one thread, in seconds.
    pub alone: f64,
    /// Time on all threads, in seconds.
    pub together: f64,
    /// Number of calls.
    pub calls: usize,
    /// Number of tasks.
    pub tasks: usize,
}

/// A run on some number of threads.
pub struct Replay {
    /// Number of threads.
    pub threads: usize,
    /// Shared regions by name, in the order of their first calls.
    pub shared: Vec<(&'static str, Share)>,
    /// Time outside of shared regions, in seconds.
    pub serial: f64,
}

impl Replay {
    /// Distributes the tasks of each region over threads: each thread that is free takes the next task. Regions without tasks are
    /// divided evenly. No region begins before the last one ends.
    pub fn new(trace: &Trace, threads: usize) -> Self {
        let mut shared: Vec<(&'static str, Share)> = Vec::new();
        let mut tasks = trace.tasks.as_slice();
        for region in &trace.regions {
            let (own, later) = tasks.split_at(region.tasks);
            tasks = later;
            let position = shared.iter().position(|(name, _)| *name == region.name);
            let position = position.unwrap_or_else(|| {
                shared.push((region.name, Share::default()));
                shared.len() - 1
            });
            let share = &mut shared[position].1;
            let alone = region.time.as_secs_f64();
            share.alone += alone;
            share.together += if own.is_empty() {
                alone / threads as f64
            } else {
                // What lies between the tasks grows with none of the threads.
                let sum: f64 = own.iter().map(|&time| seconds(time.into())).sum();
                (alone - sum).max(0.0) / threads as f64 + makespan(own, threads)
            };
            share.calls += 1;
            share.tasks += own.len();
        }
        let serial: Duration = trace.parts.iter().map(|part| part.serial).sum();
        Self {
            threads,
            shared,
            serial: serial.as_secs_f64(),
        }
    }

    /// Returns the time of the whole run in seconds.
    pub fn total(&self) -> f64 {
        let shared: f64 = self.shared.iter().map(|(_, share)| share.together).sum();
        self.serial + shared
    }
}

/// Returns the time until the last of some tasks is finished, in seconds.
fn makespan(tasks: &[u32], threads: usize) -> f64 {
    let mut free: BinaryHeap<Reverse<u64>> = (0..threads).map(|_| Reverse(0)).collect();
    let mut last = 0;
    for &time in tasks {
        let Reverse(begin) = free.pop().expect("there is at least one thread");
        let end = begin + u64::from(time);
        free.push(Reverse(end));
        last = last.max(end);
    }
    seconds(last)
}

fn seconds(nanoseconds: u64) -> f64 {
    nanoseconds as f64 * 1e-9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_free_thread_takes_the_next_task() {
        let tasks = [4, 1, 1, 1, 3, 2];
        assert_eq!(makespan(&tasks, 1), seconds(12));
        // One thread performs 4 and 2, the other 1, 1, 1 and 3.
        assert_eq!(makespan(&tasks, 2), seconds(6));
        assert_eq!(makespan(&tasks, 6), seconds(4));
    }
}
