//! Constants of the Python module, each with its reason.

use std::time::Duration;

/// Largest number of threads, as on the command line: more threads than cores only slow a run down.
pub const MOST_THREADS: usize = 1024;

/// Time from one look for signals to the next. Ctrl-C seems immediate, and the interpreter's lock is taken seldom.
pub const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Stack of the thread of a run in bytes: that of a program's first thread on Linux, where the command line runs.
pub const STACK: usize = 8 << 20;

/// Time from one checkpoint to the next, as on the command line.
pub const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(60);

/// Bytes of a gibibyte.
pub const GIB: f64 = (1 << 30) as f64;

/// Memory of a random point of an analysis in bytes: its coordinates and clearance, in the parts of the tasks and in one list.
pub const BYTES_PER_POINT: f64 = 64.0;

/// Memory of a pair of neighbors in bytes: ids and distance as the library finds them, in the parts of the tasks and in one list, and as
/// arrays.
pub const BYTES_PER_NEIGHBOR: f64 = 72.0;

/// Memory of a voxel in bytes: a number of 4 bytes in a list that has grown, in bytes of Python and in an array.
pub const BYTES_PER_VOXEL: f64 = 16.0;

/// Memory of a drawn diameter in bytes, with the sorted diameters and the steps of the mass curve for the report of a sample.
pub const BYTES_PER_DIAMETER: f64 = 64.0;

/// Largest number of diameters in a sample, which a run has ids for.
pub const MOST_DIAMETERS: u64 = u32::MAX as u64;
