//! The time of a recorded run on more threads.

use std::{cmp::Reverse, collections::BinaryHeap, time::Duration};

use jostle::trace::{Task, Trace};
use serde::{Deserialize, Serialize};

/// Times of the regions of one name on some number of threads.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Share {
    pub name: String,
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
#[derive(Serialize, Deserialize)]
pub struct Replay {
    /// Number of threads.
    pub threads: usize,
    /// Shared regions by name, in the order of their first calls.
    pub shared: Vec<Share>,
    /// Time outside of shared regions, in seconds.
    pub serial: f64,
}

impl Replay {
    /// Distributes the tasks of each region over threads: each thread that is free takes the first task whose predecessors are finished.
    /// Regions without tasks are divided evenly. No region begins before the last one ends.
    pub fn new(trace: &Trace, threads: usize) -> Self {
        let mut shared: Vec<Share> = Vec::new();
        let (mut tasks, mut predecessors) = (trace.tasks.as_slice(), trace.predecessors.as_slice());
        for region in &trace.regions {
            let (own, later) = tasks.split_at(region.tasks);
            tasks = later;
            let edges: u32 = own.iter().map(|task| task.predecessors).sum();
            let (earlier, later) = predecessors.split_at(edges as usize);
            predecessors = later;
            let position = shared.iter().position(|share| share.name == region.name);
            let position = position.unwrap_or_else(|| {
                let name = region.name.to_owned();
                shared.push(Share {
                    name,
                    ..Share::default()
                });
                shared.len() - 1
            });
            let share = &mut shared[position];
            let alone = region.time.as_secs_f64();
            share.alone += alone;
            share.together += if own.is_empty() {
                alone / threads as f64
            } else {
                // The threads share the time between the tasks.
                let sum: f64 = own.iter().map(|task| seconds(task.time.into())).sum();
                (alone - sum).max(0.0) / threads as f64 + makespan(own, earlier, threads)
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
        let shared: f64 = self.shared.iter().map(|share| share.together).sum();
        self.serial + shared
    }
}

/// Returns the time until the last of some tasks is finished, in seconds.
fn makespan(tasks: &[Task], predecessors: &[u32], threads: usize) -> f64 {
    let times: Vec<u32> = tasks.iter().map(|task| task.time).collect();
    let mut followers = vec![Vec::new(); tasks.len()];
    let mut unfinished: Vec<u32> = tasks.iter().map(|task| task.predecessors).collect();
    let mut rest = predecessors;
    for (number, task) in tasks.iter().enumerate() {
        let (earlier, later) = rest.split_at(task.predecessors as usize);
        rest = later;
        for &earlier in earlier {
            followers[earlier as usize].push(number);
        }
    }
    seconds(schedule(&times, &followers, &mut unfinished, threads))
}

/// Returns the time until the last of some tasks is finished, in nanoseconds, from the `followers` of each task and the number of its
/// `unfinished` predecessors.
fn schedule(
    times: &[u32],
    followers: &[Vec<usize>],
    unfinished: &mut [u32],
    threads: usize,
) -> u64 {
    let first = (0..times.len()).filter(|&task| unfinished[task] == 0);
    let mut ready: BinaryHeap<Reverse<usize>> = first.map(Reverse).collect();
    // The ends of the tasks that are being performed.
    let mut running: BinaryHeap<Reverse<(u64, usize)>> = BinaryHeap::new();
    let mut now = 0;
    loop {
        while running.len() < threads
            && let Some(Reverse(task)) = ready.pop()
        {
            running.push(Reverse((now + u64::from(times[task]), task)));
        }
        let Some(Reverse((end, task))) = running.pop() else {
            return now;
        };
        now = end;
        for &follower in &followers[task] {
            unfinished[follower] -= 1;
            if unfinished[follower] == 0 {
                ready.push(Reverse(follower));
            }
        }
    }
}

fn seconds(nanoseconds: u64) -> f64 {
    nanoseconds as f64 * 1e-9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_free_thread_takes_the_next_task() {
        let times = [4, 1, 1, 1, 3, 2];
        let on = |threads| schedule(&times, &[const { Vec::new() }; 6], &mut [0; 6], threads);
        assert_eq!(on(1), 12);
        // One thread performs 4 and 2, the other 1, 1, 1 and 3.
        assert_eq!(on(2), 6);
        assert_eq!(on(6), 4);
    }

    #[test]
    fn a_task_begins_after_its_predecessors() {
        // Task 2 follows 0 and 1; task 3 is free.
        let followers = [vec![2], vec![2], vec![], vec![]];
        let on = |threads| schedule(&[4, 1, 2, 5], &followers, &mut [0, 0, 2, 0], threads);
        assert_eq!(on(1), 12);
        // The second thread performs 1, then 3 until time 6; the first one performs 0 and 2.
        assert_eq!(on(2), 6);
        assert_eq!(on(3), 6);
    }
}
