//! The error about numbers or options that cannot be written.

use std::io;

/// Creates an error about numbers or options that cannot be written.
pub(in crate::io) fn invalid(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, what.into())
}
