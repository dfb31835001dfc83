//! Refuses what the machine has no memory for, before any is taken.

use anyhow::{Result, ensure};
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

use super::words::rounded;

const GIB: f64 = (1u64 << 30) as f64;

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
