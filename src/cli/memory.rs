//! Memory: rejects requests that exceed it, and returns freed blocks to the system.

use anyhow::{Result, ensure};
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

use super::{constants::GIB, words::rounded};

/// Rejects more spheres than the memory holds, and lets large packings take no more memory than they need.
pub fn prepare(count: f64, _has_checkpoints: bool) -> Result<()> {
    check(count, jostle::estimated_bytes(1) * count)?;
    if count >= super::constants::MANY_SPHERES {
        return_large_blocks();
    }
    Ok(())
}

/// Rejects `count` spheres that need more than the available memory: `bytes` in all.
pub fn check(count: f64, bytes: f64) -> Result<()> {
    let available = available();
    ensure!(
        bytes <= available,
        "{} spheres need about {} GiB of memory, but only {} GiB are available",
        whole(count),
        rounded(bytes / GIB, 3),
        rounded(available / GIB, 3),
    );
    Ok(())
}

/// Lets all large blocks return to the system as soon as they are freed.
///
/// By default, the GNU allocator learns from the first large blocks to keep later ones in its heap, where the growing lists of
/// a packing leave gaps: about 70 bytes for each of two million spheres of a Fuller curve.
fn return_large_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        // SAFETY: `mallopt` sets a parameter of the allocator and touches no block in use.
        unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, super::constants::LARGE_BLOCK) };
    }
}

/// Returns a whole number as text, in powers of ten if it is very large.
fn whole(count: f64) -> String {
    if count < 1e15 {
        format!("{count:.0}")
    } else {
        rounded(count, 3)
    }
}

/// Returns the number of bytes that are available without swapping; infinity if the system does not report it.
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
