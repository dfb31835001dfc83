//! Files that appear under their names only when they are complete.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use tempfile::{NamedTempFile, TempDir};

#[cfg(unix)]
use super::constants::{NEW_DIRECTORY_MODE, NEW_FILE_MODE};
use super::{
    constants::{LONGEST_QUOTED_NAME, TEMPORARY_PREFIX, WRITE_BUFFER},
    data_set::DataSet,
    error::WriteError,
};

/// Writes a file completely, or leaves an older file of that name as it is.
///
/// `write` receives a buffered writer to a temporary file in the same directory. After `write` has succeeded and the
/// data is on the disk, the temporary file is renamed to `path`. After a failure the temporary file is removed.
///
/// # Errors
/// When the file cannot be written, and when `write` returns an error.
pub fn write_atomically(
    path: impl AsRef<Path>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    let mut file = StagedFile::create(path.as_ref())?;
    file.write(write)?;
    file.publish()
}

/// Checks whether [`write_atomically`] can write a file of this name, without changing the file.
///
/// # Errors
/// When the directory is missing or cannot be written to, and when the name belongs to a directory, a read-only file, a
/// device or a pipe.
pub fn check_replaceable(path: impl AsRef<Path>) -> Result<(), WriteError> {
    StagedFile::create(path.as_ref()).map(drop)
}

/// Removes the temporary files that a killed program left beside `path` while it wrote this file.
///
/// No other program may be writing the file. Errors are ignored: the files do no harm.
pub fn remove_leftovers(path: impl AsRef<Path>) {
    let path = path.as_ref();
    let prefix = temporary_prefix(path);
    let is_leftover = |entry: &fs::DirEntry| {
        let name = entry.file_name();
        name.as_encoded_bytes()
            .starts_with(prefix.as_encoded_bytes())
    };
    let entries = fs::read_dir(directory_of(path)).into_iter().flatten();
    for entry in entries.flatten().filter(is_leftover) {
        let _ = fs::remove_file(entry.path()).or_else(|_| fs::remove_dir_all(entry.path()));
    }
}

/// Returns the directory of a file.
fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// Returns the first letters of the names of temporary files beside `path`.
fn temporary_prefix(path: &Path) -> OsString {
    let mut prefix = OsString::from(TEMPORARY_PREFIX);
    let name = path.file_name().unwrap_or_default();
    // File systems limit the length of names.
    if name.len() <= LONGEST_QUOTED_NAME {
        prefix.push(name);
        prefix.push("-");
    }
    prefix
}

/// A temporary file in the directory of its later name. It is removed unless it is published.
pub(crate) struct StagedFile {
    path: PathBuf,
    file: NamedTempFile,
}

impl StagedFile {
    /// Creates an empty temporary file beside `path`.
    ///
    /// # Errors
    /// When the directory is missing or cannot be written to, and when `path` names something that must not be replaced.
    pub(crate) fn create(path: &Path) -> Result<Self, WriteError> {
        check_present(path, SINGLE)?;
        let directory = existing_directory_of(path)?;
        let prefix = temporary_prefix(path);
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix);
        // The default permissions of temporary files exclude other users.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(NEW_FILE_MODE));
        let file = builder
            .tempfile_in(directory)
            // The message of `tempfile` would name the temporary file, which the user does not know.
            .map_err(|error| io_error(path, error.kind().into()))?;
        Ok(Self {
            path: path.to_owned(),
            file,
        })
    }

    /// Writes the content and waits until it is on the disk.
    ///
    /// Without the wait, a power failure after the renaming could leave an empty file in place of the older one.
    ///
    /// # Errors
    /// When `write` fails or the disk does.
    pub(crate) fn write(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), WriteError> {
        write_out(self.file.as_file_mut(), write).map_err(|source| io_error(&self.path, source))
    }

    /// Returns the path of the temporary file.
    pub(crate) fn temporary_path(&self) -> &Path {
        self.file.path()
    }

    /// Gives the file its name and replaces an older file of that name.
    ///
    /// # Errors
    /// When the operating system refuses the renaming.
    pub(crate) fn publish(self) -> Result<(), WriteError> {
        let Self { path, file } = self;
        let persist = || file.persist(&path).map(drop).map_err(|failed| failed.error);
        if path.is_dir() {
            return replace(&path, SINGLE, persist);
        }
        persist().map_err(|source| io_error(&path, source))
    }
}

/// The directories that a file may replace: a run on one rank writes the file of which a run on several ranks makes a directory.
#[cfg(feature = "parquet")]
const SINGLE: Option<DataSet> = Some(DataSet::Parquet);
#[cfg(not(feature = "parquet"))]
const SINGLE: Option<DataSet> = None;

/// A temporary directory beside its later name, for the files of a data set. It is removed unless it is published.
pub(crate) struct StagedDirectory {
    path: PathBuf,
    set: DataSet,
    directory: TempDir,
}

impl StagedDirectory {
    /// Creates an empty temporary directory for the files of an output.
    ///
    /// # Errors
    /// When the directory around it is missing or cannot be written to, and when its name belongs to something that must not be replaced.
    pub(crate) fn create(output: &Path, set: DataSet) -> Result<Self, WriteError> {
        let path = set
            .directory(output)
            .map_err(|source| io_error(output, source))?;
        check_present(&path, Some(set))?;
        let around = existing_directory_of(output)?;
        // The name of the output, so that its leftovers are found.
        let prefix = temporary_prefix(output);
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(
            NEW_DIRECTORY_MODE,
        ));
        let directory = builder
            .tempdir_in(around)
            .map_err(|error| io_error(output, error.kind().into()))?;
        Ok(Self {
            path,
            set,
            directory,
        })
    }

    /// Returns the later path of the directory.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of the temporary directory.
    pub(crate) fn temporary_path(&self) -> &Path {
        self.directory.path()
    }

    /// Gives the directory its name and replaces an older file or data set of that name.
    ///
    /// # Errors
    /// When the operating system refuses the renaming, and when the name belongs to something that must not be replaced.
    pub(crate) fn publish(self) -> Result<(), WriteError> {
        let Self {
            path,
            set,
            directory,
        } = self;
        let rename = || {
            fs::rename(directory.path(), &path)?;
            // The name of the temporary directory is free again.
            let _ = directory.keep();
            Ok(())
        };
        if path.exists() {
            return replace(&path, Some(set), rename);
        }
        rename().map_err(|source| io_error(&path, source))
    }
}

/// Writes a file completely, and waits until it is on the disk.
pub(crate) fn write_out(
    file: &mut File,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(WRITE_BUFFER, file);
    write(&mut out)?;
    out.flush()?;
    out.get_ref().sync_data()
}

/// A file or a directory under a temporary name.
pub(crate) enum Staged {
    File(StagedFile),
    Directory(StagedDirectory),
}

impl Staged {
    /// Gives the file or the directory its name.
    ///
    /// # Errors
    /// Those of [`StagedFile::publish`] and [`StagedDirectory::publish`].
    pub(crate) fn publish(self) -> Result<(), WriteError> {
        match self {
            Self::File(file) => file.publish(),
            Self::Directory(directory) => directory.publish(),
        }
    }
}

/// Moves an older file or data set away, lets `publish` use its name, and removes it. After a failure it has its name again.
///
/// No renaming replaces a directory that is not empty.
fn replace(
    path: &Path,
    set: Option<DataSet>,
    publish: impl FnOnce() -> io::Result<()>,
) -> Result<(), WriteError> {
    check_present(path, set)?;
    let move_away = || {
        let aside = tempfile::Builder::new()
            .prefix(&temporary_prefix(path))
            .tempdir_in(directory_of(path))?;
        let older = aside.path().join("older");
        fs::rename(path, &older)?;
        let published = publish();
        if published.is_err() && fs::rename(&older, path).is_err() {
            let _ = aside.keep();
        }
        published
    };
    move_away().map_err(|source| io_error(path, source))
}

/// Returns the directory of a file that will be written.
fn existing_directory_of(path: &Path) -> Result<&Path, WriteError> {
    let directory = directory_of(path);
    if directory.is_dir() {
        return Ok(directory);
    }
    Err(WriteError::NoDirectory {
        path: path.to_owned(),
        directory: directory.to_owned(),
    })
}

/// Returns an error when `path` names something that must not be replaced. Data sets of the kind `set` may be.
fn check_present(path: &Path, set: Option<DataSet>) -> Result<(), WriteError> {
    let Ok(found) = fs::metadata(path) else {
        return Ok(());
    };
    let what = if found.is_dir() {
        if set.is_some_and(|set| set.fills(path)) {
            return Ok(());
        }
        "a directory"
    } else if !found.is_file() {
        "a device or a pipe"
    } else if found.permissions().readonly() {
        "a read-only file"
    } else {
        return Ok(());
    };
    Err(WriteError::Occupied {
        path: path.to_owned(),
        what,
    })
}

fn io_error(path: &Path, source: io::Error) -> WriteError {
    WriteError::Io {
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_appears_only_when_it_is_published() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("new");
        let mut staged = StagedFile::create(&path).unwrap();
        staged.write(|out| out.write_all(b"content")).unwrap();
        assert!(!path.exists(), "the file appeared before it was published");
        let name = &names(directory.path())[0];
        assert!(name.starts_with(TEMPORARY_PREFIX), "{name}");
        staged.publish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"content");
        assert_eq!(names(directory.path()), ["new"]);
    }

    #[test]
    fn a_failed_write_keeps_the_older_file_and_removes_the_temporary_one() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("old");
        fs::write(&path, "older").unwrap();
        let error = write_atomically(&path, |out| {
            out.write_all(&[b'x'; 2 * WRITE_BUFFER])?;
            Err(io::ErrorKind::StorageFull.into())
        })
        .unwrap_err()
        .to_string();
        assert!(
            error.starts_with("cannot write '") && error.contains("old"),
            "{error}"
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), "older");
        assert_eq!(names(directory.path()), ["old"]);

        write_atomically(&path, |out| out.write_all(b"newer")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "newer");
    }
}
