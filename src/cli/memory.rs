//! Memory: refuses what the machine has none for, before any is taken, and gives back what is no longer used.

use anyhow::{Result, ensure};
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

use super::words::rounded;

const GIB: f64 = (1u64 << 30) as f64;

/// From this number of spheres on it pays to give memory back at once; it costs small packings some 4 % of their time.
pub const MANY: f64 = 1e6;

/// Refuses `count` spheres that need so many bytes in all.
pub fn check(count: f64, bytes: f64) -> Result<()> {
    let available = available();
    ensure!(
        bytes <= available,
        "{} spheres need about {} GiB of memory and {} GiB are available",
        count_in_words(count),
        rounded(bytes / GIB, 3),
        rounded(available / GIB, 3),
    );
    Ok(())
}

/// Has all large blocks go back to the system as soon as they are freed.
///
/// Left alone, the GNU allocator learns from the first large blocks to keep what follows in heaps of its own, where the growing lists of
/// a packing leave holes: some 70 bytes for each of two million spheres of a Fuller curve.
pub fn return_large_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        const LARGE: libc::c_int = 128 << 10;
        // SAFETY: only sets a parameter of the allocator, no block in use is touched.
        unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) };
    }
}

fn count_in_words(count: f64) -> String {
    if count < 1e15 {
        format!("{count:.0}")
    } else {
        rounded(count, 3)
    }
}

/// Bytes that can be had without swapping; no limit where the system does not say.
fn available() -> f64 {
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(memory);
    let limits = system.cgroup_limits();
    [
        Some(system.available_memory()),
        limits.map(|limits| limits.total_memory),
    ]
    .into_iter()
    .flatten()
    .filter(|&bytes| bytes > 0)
    .map(|bytes| bytes as f64)
    .fold(f64::INFINITY, f64::min)
}
