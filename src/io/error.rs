//! The errors of reading and of writing, those of checkpoints among them.

use std::{
    io,
    path::{Path, PathBuf},
};

use super::format::{Format, FormatError, names};
use crate::names::one_line;

/// An input that cannot be read as a packing.
///
/// The field `path` of a variant names the file. It is `None` when the input is not a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The extension names no format.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The format can be written, but not read.
    #[error(
        "{} cannot be read: the format {format} is only written; use one of {}",
        subject(path.as_deref()), readable()
    )]
    WriteOnly {
        /// The file.
        path: Option<PathBuf>,
        /// The format.
        format: Format,
    },
    /// The operating system reports an error.
    #[error("cannot read {}: {source}", subject(path.as_deref()))]
    Io {
        /// The file.
        path: Option<PathBuf>,
        /// The error of the operating system.
        source: io::Error,
    },
    /// Neither the input nor the hint gives the container.
    #[error(
        "{}{what}; its lengths and boundary must be given",
        location(path.as_deref(), *line)
    )]
    NoContainer {
        /// The file.
        path: Option<PathBuf>,
        /// The line, counted from 1, that could give the container.
        line: Option<u64>,
        /// The missing part.
        what: &'static str,
    },
    /// Neither the input nor the hint gives the boundary.
    #[error(
        "{}the file does not state which axes are periodic; the boundary must be given",
        location(path.as_deref(), None)
    )]
    NoBoundary {
        /// The file.
        path: Option<PathBuf>,
    },
    /// Neither the input nor the options give the meaning of the columns.
    #[error(
        "{}{what}; the names of the columns must be given",
        location(path.as_deref(), *line)
    )]
    NoColumns {
        /// The file.
        path: Option<PathBuf>,
        /// A line, counted from 1, that shows the columns.
        line: Option<u64>,
        /// The reason.
        what: String,
    },
    /// Neither the input nor the options give the sizes of the spheres.
    #[error(
        "{}{what}; the diameter of all spheres must be given",
        location(path.as_deref(), *line)
    )]
    NoSizes {
        /// The file.
        path: Option<PathBuf>,
        /// The line, counted from 1, that could give the sizes.
        line: Option<u64>,
        /// The missing part.
        what: String,
    },
    /// The content does not follow the format.
    #[error("{}{what}", location(path.as_deref(), *line))]
    Content {
        /// The file.
        path: Option<PathBuf>,
        /// The line of the mistake, counted from 1; `None` when the mistake is not in one line.
        line: Option<u64>,
        /// The mistake, and what would be accepted.
        what: String,
    },
}

impl ReadError {
    /// Creates an error about the content as a whole.
    pub(super) fn content(what: impl Into<String>) -> Self {
        Self::Content {
            path: None,
            line: None,
            what: one_line(what),
        }
    }

    /// Creates an error about the content of one line, counted from 1.
    pub(super) fn at(line: u64, what: impl Into<String>) -> Self {
        Self::Content {
            path: None,
            line: Some(line),
            what: one_line(what),
        }
    }

    /// Creates an error about columns without names.
    pub(super) fn no_columns(line: Option<u64>, what: impl Into<String>) -> Self {
        Self::NoColumns {
            path: None,
            line,
            what: one_line(what),
        }
    }

    /// Creates an error about centers without sizes.
    pub(super) fn no_sizes(what: impl Into<String>) -> Self {
        Self::NoSizes {
            path: None,
            line: None,
            what: one_line(what),
        }
    }

    /// Creates an error about an input that the operating system does not deliver.
    pub(super) fn io(source: io::Error) -> Self {
        Self::Io { path: None, source }
    }

    /// Adds the number of a line to an error about sizes that have none.
    pub(super) fn on_line(mut self, number: u64) -> Self {
        if let Self::NoSizes { line, .. } = &mut self {
            line.get_or_insert(number);
        }
        self
    }

    /// Adds the name of the file that was read, unless the error names a part of it.
    pub(super) fn in_file(mut self, file: &Path) -> Self {
        match &mut self {
            Self::Format(_) => {}
            Self::WriteOnly { path, .. }
            | Self::Io { path, .. }
            | Self::NoContainer { path, .. }
            | Self::NoBoundary { path }
            | Self::NoColumns { path, .. }
            | Self::NoSizes { path, .. }
            | Self::Content { path, .. } => {
                path.get_or_insert_with(|| file.to_owned());
            }
        }
        self
    }
}

/// Lists the formats that can be read.
fn readable() -> String {
    names(Format::all().filter(|format| format.is_readable()))
}

fn subject(path: Option<&Path>) -> String {
    path.map_or_else(
        || "the input".to_owned(),
        |path| format!("'{}'", path.display()),
    )
}

/// Returns the beginning of a message about a place in the input: `'p.csv', line 3: `.
fn location(path: Option<&Path>, line: Option<u64>) -> String {
    let path = path.map(|path| format!("'{}'", path.display()));
    let line = line.map(|line| format!("line {line}"));
    let parts: Vec<String> = path.into_iter().chain(line).collect();
    if parts.is_empty() {
        String::new()
    } else {
        format!("{}: ", parts.join(", "))
    }
}

/// Adds the name of a file to an error.
pub(super) fn in_file<T>(path: &Path, result: io::Result<T>) -> Result<T, WriteError> {
    result.map_err(|source| WriteError::Io {
        path: path.to_owned(),
        source,
    })
}

/// A file that cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The extension names no format.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The directory of the file does not exist.
    #[error("cannot write '{}': there is no directory '{}'", .path.display(), .directory.display())]
    NoDirectory {
        /// The file.
        path: PathBuf,
        /// The missing directory.
        directory: PathBuf,
    },
    /// The name belongs to something that must not be replaced.
    #[error("cannot write '{}': {what} of that name exists", .path.display())]
    Occupied {
        /// The file.
        path: PathBuf,
        /// "a directory", "a read-only file", or "a device or a pipe".
        what: &'static str,
    },
    /// Another rank cannot write its part.
    #[error("{reason}")]
    OnRank {
        /// The error of the other rank.
        reason: String,
    },
    /// The operating system reports an error, or the content cannot be written.
    #[error("cannot write '{}': {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

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
