//! Constants of the command line, each with its reason.

use std::time::Duration;

/// File to write without `--output`. Only the .json format holds everything that is known about a packing.
pub const DEFAULT_FILE: &str = "packing.json";

/// Number of levels up to which `jostle tune --sweep` lists the work without `--levels`. The best numbers of levels in
/// the papers are at most 12, except for linear sizes.
pub const DEFAULT_SWEEP_LEVELS: usize = 20;

/// Relative deviation from the requested packing fraction that counts as reached when the number of spheres follows from
/// `--box` and `--fraction`: it can only change by whole spheres.
pub const WHOLE_SPHERES: f64 = 0.01;

/// Relative deviation from the requested packing fraction that counts as reached otherwise: rounding.
pub const ROUNDING: f64 = 1e-9;

/// Time from one drawing of the progress line to the next: often enough to look alive, seldom enough to cost nothing.
pub const REDRAW: Duration = Duration::from_millis(100);

/// Time from one line of progress to the next where no terminal shows the progress line: log files stay short.
pub const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Number of characters of the progress bar: beside it, the longest usual message fits into 80 columns.
pub const BAR_WIDTH: u16 = 8;

/// Steps of the progress bar; it shows whole percents.
pub const BAR_STEPS: u64 = 1000;

/// Share of the run that is done from which the remaining time is shown. The first sweeps are slow, and estimates that rest on
/// them are several times too long.
pub const SHOWN_FROM: f64 = 0.05;

/// Cost of the remaining sweeps of a run, divided by the cost of the recent ones. In runs of 10⁵ equal spheres, power-law-3,
/// concrete, lognormal and fuller-16 spheres, the quotient was 0.2 to 0.7 after a quarter, a half and three quarters of the
/// time, because overlaps and refreshes become fewer.
pub const LATER_COST: f64 = 0.45;

/// Share of a new sweep in the smoothed time per sweep: about the last ten sweeps count.
pub const PACE_SMOOTHING: f64 = 0.15;

/// Share of a new estimate in the smoothed duration of a run.
pub const TOTAL_SMOOTHING: f64 = 0.1;

/// Share of a new sweep rate in the smoothed one. A rate then counts for about a second.
pub const RATE_SMOOTHING: f64 = 0.2;

/// Largest width of a row of a result, in columns: the usual width of a terminal. Results have the same text wherever they go.
pub const RESULT_WIDTH: usize = 80;

/// Width of the help, in columns, where neither a terminal nor the variable `COLUMNS` tells one.
pub const USUAL_WIDTH: usize = 100;

/// Largest width of the help, in columns. Longer lines are hard to read.
pub const LARGEST_WIDTH: usize = 120;

/// Share of the width that the first column of a help table may take. Beyond it, rows continue below the first column.
pub const TERM_SHARE: f64 = 0.5;

/// Largest number of threads. More threads than cores only slow a run down, and starting very many takes minutes.
pub const MOST_THREADS: usize = 1024;

/// Exit code of a command that did what was requested.
pub const DONE: u8 = 0;

/// Length of a periodic container in largest diameters below which the largest sphere lowers the packing fraction to expect: 100
/// spheres of a Fuller curve in a container of 1.36 largest diameters pack as densely as many (`docs/guide/analysis.md`), and 2 000 spheres
/// of `fuller-16` in 1.08 largest diameters pack 0.009 looser than predicted.
pub const SMALL_CONTAINER: f64 = 1.3;

/// Exit code when the packing has overlap.
pub const OVERLAP: u8 = 1;

/// Exit code after wrong usage or bad input, and when the memory does not suffice.
pub const REFUSED: u8 = 2;

/// Exit code when a requested packing fraction or box was not reached.
pub const NOT_REACHED: u8 = 3;

/// Exit code when the packing was written to another directory than requested.
pub const WRITTEN_ELSEWHERE: u8 = 4;

/// Exit code after a signal, less the number of the signal, as in a shell: 130 after SIGINT, 143 after SIGTERM, 129 after SIGHUP.
pub const SIGNALLED: u8 = 128;

/// First letters of the name of a new directory for a packing that could not be written where requested.
pub const RESCUE_PREFIX: &str = "jostle-";

/// Time from one checkpoint to the next: at most this time is lost, and writing costs far less.
pub const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(60);

/// Bytes in a GiB.
pub const GIB: f64 = (1u64 << 30) as f64;

/// Bytes in a MiB.
pub const MIB: f64 = (1u64 << 20) as f64;

/// Addresses that the standard library reserves for the stack of a thread.
pub const STACK_BYTES: u64 = 2 << 20;

/// Number of threads beside the threads that pack: one thread draws the progress, and one thread handles signals.
pub const OTHER_THREADS: u64 = 2;

/// Number of spheres from which freed memory is returned to the system at once. For smaller packings this costs about 4 % of
/// the time and saves little.
pub const MANY_SPHERES: f64 = 1e6;

/// Memory of the processes of one packing together, with the copies of each other's spheres, in units of that of one process. For a million
/// equal spheres, four processes took 601 MiB together, and one took 272 MiB.
pub const WITH_COPIES: f64 = 2.2;

/// Size in bytes from which a freed block of memory is returned to the system at once: the threshold with which the GNU
/// allocator starts, before it adapts to the first large blocks.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub const LARGE_BLOCK: libc::c_int = 128 << 10;

/// First letters of the name of the file that a run locks beside its checkpoint.
pub const LOCK_PREFIX: &str = ".jostle.lock-";

/// Threads of every run beside the first one: for signals, for the progress line and for the packing.
pub const LEAST_THREADS: usize = 3;
