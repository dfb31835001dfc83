//! The progress of a run, as a tuple.

use jostle::rearrange::Progress;

/// The fields of `jostle.Progress`, in their order.
pub type Row = (u64, f64, usize, f64, f64, f64, u64, u64, u64, f64);

/// Returns the fields of `jostle.Progress`.
pub fn row(progress: &Progress) -> Row {
    (
        progress.sweeps,
        progress.remaining_sweeps,
        progress.spheres,
        progress.packing_fraction,
        progress.mean_overlap,
        progress.max_overlap,
        progress.work.relocations,
        progress.work.refreshes,
        progress.work.exchanges,
        progress.elapsed.as_secs_f64(),
    )
}
