//! The errors about numbers, options and names that cannot be written.

use std::{ffi::OsStr, io};

use crate::names::is_hidden;

/// Creates an error about numbers or options that cannot be written.
pub(in crate::io) fn invalid(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, what.into())
}

/// Returns the name of a file for the content of another file.
pub(in crate::io) fn name_in_file(name: Option<&OsStr>) -> io::Result<&str> {
    let name = name.and_then(OsStr::to_str);
    name.filter(|name| !name.contains(is_hidden))
        .ok_or_else(|| {
            invalid(
                "another file states the name, which must be UTF-8 text without control characters",
            )
        })
}
