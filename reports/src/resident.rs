//! Resident memory of processes, on Linux.

use std::fs;

/// Returns the largest resident memory of a process so far, in bytes. `process` is its number or `self`. Returns `None` if the process
/// has ended.
pub fn largest_resident(process: &str) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some(1024.0 * kilobytes)
}
