//! Constants of the Python module, each with its reason.

use std::time::Duration;

/// Number of spheres without `n`, as on the command line.
pub const DEFAULT_NUMBER: u64 = 10_000;

/// Largest number of threads, as on the command line: more threads than cores only slow a run down.
pub const MOST_THREADS: usize = 1024;

/// Time from one look for signals to the next. Ctrl-C seems immediate, and the interpreter's lock is taken seldom.
pub const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Stack of the thread of a run in bytes: that of a program's first thread on Linux, where the command line runs.
pub const STACK: usize = 8 << 20;

/// Time from one checkpoint to the next, as on the command line.
pub const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(60);
