//! The memory that is available to the program.

use std::path::Path;

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

use super::{address_space, control_groups};

/// Bytes that the program may still take, and the limit that allows no more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Available {
    /// The bytes.
    pub bytes: f64,
    /// The strictest limit.
    pub limit: Limit,
}

/// The limits of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display)]
#[non_exhaustive]
pub enum Limit {
    /// The memory of the machine.
    #[strum(to_string = "RAM")]
    Ram,
    /// The limit of a control group.
    #[strum(to_string = "limit of the control group")]
    ControlGroup,
    /// The limit of the address space.
    #[strum(to_string = "limit of the address space, ulimit -v")]
    AddressSpace,
    /// The limit of the data.
    #[strum(to_string = "limit of the data, ulimit -d")]
    Data,
}

/// Returns the available memory under the strictest limit, without swap space, to run `threads` threads (0 means one for
/// each core); `None` if the system reports no limit.
pub fn available(threads: usize) -> Option<Available> {
    let root = Path::new("/");
    let [address_space, data] = address_space::available(root, threads);
    [
        (Limit::Ram, ram()),
        (Limit::ControlGroup, control_groups::available(root)),
        (Limit::AddressSpace, address_space),
        (Limit::Data, data),
    ]
    .into_iter()
    .filter_map(|(limit, bytes)| {
        let bytes = bytes? as f64;
        Some(Available { bytes, limit })
    })
    .min_by(|a, b| a.bytes.total_cmp(&b.bytes))
}

/// Returns the memory of the machine that is free or can be freed without swapping.
fn ram() -> Option<u64> {
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let bytes = System::new_with_specifics(memory).available_memory();
    (bytes > 0).then_some(bytes)
}
