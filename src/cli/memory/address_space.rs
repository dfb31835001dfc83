//! The limits of a process on its address space and its data: `ulimit -v` and `ulimit -d`.

use std::{path::Path, thread};

use super::super::constants::{OTHER_THREADS, STACK_BYTES};

/// Returns the address space, and the private writable memory, that the process may still take, apart from the stacks of these threads;
/// `None` without a limit.
pub fn available(root: &Path, threads: usize) -> [Option<u64>; 2] {
    let [space, data] = limits();
    let apart_from_stacks = |limit: Option<u64>, field| {
        let remaining = remaining(limit?, root, field)?;
        Some(remaining.saturating_sub(stacks(threads)))
    };
    [
        apart_from_stacks(space, "VmSize:"),
        apart_from_stacks(data, "VmData:"),
    ]
}

/// Returns whether the address space or the data of the process are limited.
pub fn is_limited() -> bool {
    limits().iter().any(Option::is_some)
}

/// Returns the addresses that the stacks of `threads` threads will reserve, or of one for each core if `threads` is 0.
fn stacks(threads: usize) -> u64 {
    let threads = match threads {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    STACK_BYTES * (threads as u64 + OTHER_THREADS)
}

/// Returns the part of a limit that a field of `/proc/self/status` does not use.
fn remaining(limit: u64, root: &Path, field: &str) -> Option<u64> {
    let status = std::fs::read_to_string(root.join("proc/self/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(limit.saturating_sub(1024 * kilobytes))
}

/// Returns the limits of the address space and of the data.
fn limits() -> [Option<u64>; 2] {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, getrlimit};
        [Resource::As, Resource::Data].map(|resource| getrlimit(resource).current)
    }
    #[cfg(not(target_os = "linux"))]
    {
        [None; 2]
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;

    #[test]
    fn used_memory_is_subtracted_from_the_limit() {
        let root = TempDir::new().unwrap();
        assert_eq!(remaining(1 << 20, root.path(), "VmSize:"), None);
        fs::create_dir_all(root.path().join("proc/self")).unwrap();
        let status = "Name:\tjostle\nVmPeak:\t  999 kB\nVmSize:\t  300 kB\nVmData:\t     100 kB\n";
        fs::write(root.path().join("proc/self/status"), status).unwrap();
        let remaining = |limit, field| remaining(limit, root.path(), field);
        assert_eq!(remaining(1 << 20, "VmSize:"), Some(724 << 10));
        assert_eq!(remaining(1 << 20, "VmData:"), Some(924 << 10));
        assert_eq!(remaining(1 << 10, "VmSize:"), Some(0));
    }
}
