//! Work that needs more memory than there is.

use jostle::cli::available;
use pyo3::PyResult;

use super::{constants::GIB, errors::memory};

/// Raises `MemoryError` if `subject` needs more bytes than are available. A failed allocation would end the interpreter.
pub fn check_memory(subject: &str, bytes: f64) -> PyResult<()> {
    match available(0) {
        Some(free) if free.bytes < bytes => Err(memory(format!(
            "{subject} would need about {:.3} GiB of memory, but only {:.3} GiB are available ({})",
            bytes / GIB,
            free.bytes / GIB,
            free.limit
        ))),
        _ => Ok(()),
    }
}
