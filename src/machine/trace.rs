//! Times of the parts of a run, from which its time on many threads is predicted.
//!
//! The functions call their last argument and return its result. With the feature `trace` they also record the time of the call, in
//! runs on one thread; without it they do nothing else.

#[cfg(feature = "trace")]
pub use recorder::{Part, Region, Task, Trace, start, stop};
#[cfg(feature = "trace")]
pub(crate) use recorder::{part, shared, task_after};
#[cfg(not(feature = "trace"))]
pub(crate) use silent::{part, shared, task_after};

/// Calls a task of a shared region, which one thread performs.
#[inline(always)]
pub(crate) fn task<T>(call: impl FnOnce() -> T) -> T {
    task_after(&[], call)
}

/// The functions without a record.
#[cfg(not(feature = "trace"))]
mod silent {
    /// Calls a part of the run.
    #[inline(always)]
    pub(crate) fn part<T>(_name: &'static str, call: impl FnOnce() -> T) -> T {
        call()
    }

    /// Calls a region that all threads share.
    #[inline(always)]
    pub(crate) fn shared<T>(_name: &'static str, call: impl FnOnce() -> T) -> T {
        call()
    }

    /// Calls a task that waits for others.
    #[inline(always)]
    pub(crate) fn task_after<T>(_predecessors: &[u32], call: impl FnOnce() -> T) -> T {
        call()
    }
}

#[cfg(feature = "trace")]
mod recorder {
    use std::{
        sync::{Mutex, MutexGuard, PoisonError},
        time::Duration,
    };

    use crate::machine::clock::Instant;

    /// Times of a run on one thread.
    #[derive(Clone, Debug, Default)]
    #[non_exhaustive]
    pub struct Trace {
        /// The parts of the run, each at its first call.
        pub parts: Vec<Part>,
        /// The shared regions in their order.
        pub regions: Vec<Region>,
        /// The tasks of all regions.
        pub tasks: Vec<Task>,
        /// The predecessors of all tasks.
        pub predecessors: Vec<u32>,
    }

    /// A task of a shared region.
    #[derive(Clone, Copy, Debug)]
    #[non_exhaustive]
    pub struct Task {
        /// Time in nanoseconds.
        pub time: u32,
        /// Number of its predecessors: tasks of the same region, numbered from 0, that must be finished before this one begins.
        pub predecessors: u32,
    }

    /// A part of the run.
    #[derive(Clone, Copy, Debug)]
    #[non_exhaustive]
    pub struct Part {
        /// Name of the part.
        pub name: &'static str,
        /// Time outside of other parts and of shared regions.
        pub serial: Duration,
    }

    /// A region that all threads share.
    #[derive(Clone, Debug)]
    #[non_exhaustive]
    pub struct Region {
        /// Name of the region.
        pub name: &'static str,
        /// Time of the whole region.
        pub time: Duration,
        /// Number of its tasks; 0 if the threads divide the region evenly.
        pub tasks: usize,
    }

    /// The trace so far.
    struct Recorder {
        trace: Trace,
        /// Positions of the parts that are being called, from the outside to the inside.
        open: Vec<usize>,
        /// When the time of the innermost part was last counted.
        counted: Instant,
        /// Whether a shared region is being called.
        is_shared: bool,
    }

    static RECORDER: Mutex<Option<Recorder>> = Mutex::new(None);

    /// Starts to record. Only one run may be recorded at a time, and only on one thread.
    pub fn start() {
        *lock() = Some(Recorder {
            trace: Trace::default(),
            open: Vec::new(),
            counted: Instant::now(),
            is_shared: false,
        });
    }

    /// Returns the record and ends it; empty without a start.
    pub fn stop() -> Trace {
        lock()
            .take()
            .map_or_else(Trace::default, |recorder| recorder.trace)
    }

    fn lock() -> MutexGuard<'static, Option<Recorder>> {
        RECORDER.lock().unwrap_or_else(PoisonError::into_inner)
    }

    impl Recorder {
        /// Adds the time since the last count to the innermost part.
        fn count(&mut self) {
            let now = Instant::now();
            if let Some(&innermost) = self.open.last() {
                self.trace.parts[innermost].serial += now - self.counted;
            }
            self.counted = now;
        }

        fn position(&mut self, name: &'static str) -> usize {
            let parts = &mut self.trace.parts;
            parts
                .iter()
                .position(|part| part.name == name)
                .unwrap_or_else(|| {
                    let serial = Duration::ZERO;
                    parts.push(Part { name, serial });
                    parts.len() - 1
                })
        }
    }

    /// Calls a part of the run, which names the serial time inside it.
    pub(crate) fn part<T>(name: &'static str, call: impl FnOnce() -> T) -> T {
        let enter = |recorder: &mut Recorder| {
            recorder.count();
            let position = recorder.position(name);
            recorder.open.push(position);
        };
        // Inside a shared region, its own time contains the part.
        let is_counted = lock()
            .as_mut()
            .filter(|r| !r.is_shared)
            .map(enter)
            .is_some();
        let result = call();
        if is_counted && let Some(recorder) = lock().as_mut() {
            recorder.count();
            recorder.open.pop();
        }
        result
    }

    /// Calls a region that all threads share: in tasks, or evenly if it has none.
    pub(crate) fn shared<T>(name: &'static str, call: impl FnOnce() -> T) -> T {
        let enter = |recorder: &mut Recorder| {
            recorder.count();
            recorder.is_shared = true;
            recorder.trace.tasks.len()
        };
        let Some(before) = lock().as_mut().filter(|r| !r.is_shared).map(enter) else {
            return call();
        };
        let result = call();
        if let Some(recorder) = lock().as_mut() {
            let time = recorder.counted.elapsed();
            recorder.counted += time;
            recorder.is_shared = false;
            let tasks = recorder.trace.tasks.len() - before;
            recorder.trace.regions.push(Region { name, time, tasks });
        }
        result
    }

    /// Calls a task that begins after some earlier tasks of its region are finished. They are numbered from 0.
    pub(crate) fn task_after<T>(predecessors: &[u32], call: impl FnOnce() -> T) -> T {
        let clock = Instant::now();
        let result = call();
        let time = u32::try_from(clock.elapsed().as_nanos()).unwrap_or(u32::MAX);
        if let Some(recorder) = lock().as_mut().filter(|recorder| recorder.is_shared) {
            recorder.trace.tasks.push(Task {
                time,
                predecessors: predecessors.len() as u32,
            });
            recorder.trace.predecessors.extend(predecessors);
        }
        result
    }
}

#[cfg(all(test, feature = "trace"))]
mod tests {
    use std::{thread::sleep, time::Duration};

    use super::*;

    #[test]
    fn time_belongs_to_the_innermost_part_or_region() {
        const STEP: Duration = Duration::from_millis(5);
        start();
        part("outer", || {
            sleep(STEP);
            part("inner", || sleep(3 * STEP));
            shared("region", || {
                task(|| part("hidden", || sleep(STEP)));
                task_after(&[0], || sleep(STEP));
            });
            sleep(STEP);
        });
        let trace = stop();
        let names: Vec<&str> = trace.parts.iter().map(|part| part.name).collect();
        assert_eq!(names, ["outer", "inner"]);
        let [outer, inner] = [trace.parts[0].serial, trace.parts[1].serial];
        assert!(
            outer >= 2 * STEP && inner >= 3 * STEP,
            "{outer:?} {inner:?}"
        );
        let [region] = &trace.regions[..] else {
            panic!("{} regions", trace.regions.len());
        };
        assert_eq!((region.name, region.tasks), ("region", 2));
        let tasks: u64 = trace.tasks.iter().map(|task| u64::from(task.time)).sum();
        let predecessors: Vec<u32> = trace.tasks.iter().map(|task| task.predecessors).collect();
        assert_eq!((predecessors, trace.predecessors), (vec![0, 1], vec![0]));
        assert!(region.time >= Duration::from_nanos(tasks));
        assert!(stop().regions.is_empty());
    }
}
