//! Constants of the command `jostle compare`, each with its reason.

use crate::laboratory::compare::Experiment;

/// Estimated memory of a broad phase measurement, in bytes per sphere.
///
/// At 100 000 spheres the data structures take at most 98 bytes per sphere (`docs/reports/comparison.md`), and two snapshots
/// take 64 bytes. The rest is a margin for the peak while a structure is built and for structures of sparse spheres.
pub const BROAD_PHASE_BYTES: f64 = 400.0;

/// Memory of the memory access test, in bytes per element: one link of 32 bits.
pub const LINK_BYTES: f64 = 4.0;

/// Default lengths of the array of the memory access test: from one that fits the nearest cache to one that exceeds all caches.
pub const MEMORY_ACCESS_COUNTS: [u64; 5] = [1_000, 10_000, 100_000, 1_000_000, 10_000_000];

/// Part of the help of each comparison.
pub const EXIT_CODES: &str = "\
Exit codes:
  0  done
  2  usage or bad input; nothing is written";

/// Returns the default numbers of spheres of an experiment.
///
/// They span a decade or two where the time of most algorithms is linear. They are smaller where it is quadratic: in IV
/// for all algorithms, in V for the algorithms with one cell size. II varies the density instead.
pub fn default_counts(experiment: Experiment) -> &'static [usize] {
    match experiment {
        Experiment::Ii => &[30_000],
        Experiment::Iv => &[500, 1_000, 2_000, 4_000],
        Experiment::V => &[1_000, 2_000, 4_000, 8_000, 16_000],
        _ => &[1_000, 3_000, 10_000, 30_000, 100_000],
    }
}
