//! Errors of checkpoints.

use std::{
    io,
    path::{Path, PathBuf},
};

/// A file that cannot be read as a checkpoint.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The operating system reports an error.
    #[error("cannot read '{}': {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The content is no checkpoint.
    #[error("{what}")]
    Content {
        /// The defect, and what would be accepted.
        what: String,
    },
}

impl CheckpointError {
    pub(super) fn content(what: String) -> Self {
        Self::Content { what }
    }

    /// Creates an error about the content of a file, from the words that follow its name.
    pub(super) fn of_file(path: &Path, what: &str) -> Self {
        Self::content(format!("'{}' {what}", path.display()))
    }

    pub(super) fn io(path: &Path, source: io::Error) -> Self {
        Self::Io {
            path: path.to_owned(),
            source,
        }
    }
}

/// The defect of a file with another checksum.
pub(super) const CHANGED: &str = "was changed after it was written: its checksum is wrong";

/// The defect of a file with columns of other lengths.
pub(super) const OTHER_LENGTHS: &str = "holds columns of other lengths than its head tells";
