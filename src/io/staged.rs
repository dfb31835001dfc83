//! Files that appear under their names only when they are complete.

use std::{
    ffi::OsString,
    fs::{self, File, TryLockError},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use tempfile::{NamedTempFile, TempDir};

#[cfg(unix)]
use super::constants::{NEW_DIRECTORY_MODE, NEW_FILE_MODE};
use super::{
    constants::{LONGEST_QUOTED_NAME, MOST_LINKS, TEMPORARY_PREFIX, WRITE_BUFFER},
    data_set::DataSet,
    error::{WriteError, in_file},
};

/// Writes a file completely, or leaves an older file of that name as it is. A symbolic link is followed.
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
/// Files that another program is writing remain. Errors are ignored: the files do no harm.
pub fn remove_leftovers(path: impl AsRef<Path>) {
    remove_temporaries(path.as_ref(), is_locked);
}

/// Removes all temporary files beside `path`, like [`remove_leftovers`], also those that this program is writing. For a program that ends
/// at once.
pub fn abandon_temporaries(path: impl AsRef<Path>) {
    remove_temporaries(path.as_ref(), |_| false);
}

fn remove_temporaries(path: &Path, is_kept: impl Fn(&Path) -> bool) {
    let Ok(path) = followed(path) else {
        return;
    };
    let prefix = temporary_prefix(&path);
    let is_leftover = |entry: &fs::DirEntry| {
        let name = entry.file_name();
        name.as_encoded_bytes()
            .starts_with(prefix.as_encoded_bytes())
    };
    let entries = fs::read_dir(directory_of(&path)).into_iter().flatten();
    for entry in entries.flatten().filter(is_leftover) {
        let leftover = entry.path();
        if is_kept(&leftover) {
            continue;
        }
        let older = leftover.join(OLDER);
        if older.exists() && !path.exists() {
            let _ = fs::rename(older, &path);
        }
        let _ = fs::remove_file(&leftover).or_else(|_| fs::remove_dir_all(&leftover));
    }
}

/// The name of an older data set in the temporary directory where it waits for the renaming of the new one.
const OLDER: &str = "older";

/// Returns whether a running program writes a temporary file or directory: it holds a lock, which ends with the program.
fn is_locked(path: &Path) -> bool {
    let lock = File::open(path).map(|file| file.try_lock());
    matches!(lock, Ok(Err(TryLockError::WouldBlock)))
}

/// Locks a temporary file or directory until the returned file is closed. On a file system without locks, nothing is locked.
fn locked(path: &Path) -> Option<File> {
    let file = File::open(path).ok()?;
    file.try_lock().ok()?;
    Some(file)
}

/// Returns the file that a path names, which need not exist: symbolic links are followed.
///
/// # Errors
/// When the links form a circle.
pub fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = fs::read_link(&path) else {
            return Ok(path);
        };
        // An absolute target replaces the directory.
        path = directory_of(&path).join(target);
    }
    Err(io::Error::other("its symbolic links form a circle"))
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
    /// The name of the file, for messages.
    path: PathBuf,
    /// The file that `path` names after all symbolic links.
    target: PathBuf,
    file: NamedTempFile,
    _lock: Option<File>,
}

impl StagedFile {
    /// Creates an empty temporary file beside `path`.
    ///
    /// # Errors
    /// When the directory is missing or cannot be written to, and when `path` names something that must not be replaced.
    pub(crate) fn create(path: &Path) -> Result<Self, WriteError> {
        check_present(path, SINGLE)?;
        let target = in_file(path, followed(path))?;
        let directory = existing_directory_of(&target)?;
        let prefix = temporary_prefix(&target);
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix);
        // The default permissions of temporary files exclude other users.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(NEW_FILE_MODE));
        let file = without_temporary_name(builder.tempfile_in(directory));
        let file = in_file(path, file)?;
        Ok(Self {
            path: path.to_owned(),
            target,
            _lock: locked(file.path()),
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
        in_file(&self.path, write_out(self.file.as_file_mut(), write))
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
        let persist = || match self.file.persist(&self.target) {
            Ok(_) => Ok(()),
            Err(failed) => Err(failed.error),
        };
        if self.target.is_dir() {
            return replace(&self.target, SINGLE, persist);
        }
        in_file(&self.path, persist())
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
    _lock: Option<File>,
}

impl StagedDirectory {
    /// Creates an empty temporary directory for the files of an output.
    ///
    /// # Errors
    /// When the directory around it is missing or cannot be written to, and when its name belongs to something that must not be replaced.
    pub(crate) fn create(output: &Path, set: DataSet) -> Result<Self, WriteError> {
        let path = set.directory(output).and_then(|path| followed(&path));
        let path = in_file(output, path)?;
        check_present(&path, Some(set))?;
        let around = existing_directory_of(&path)?;
        let prefix = temporary_prefix(&path);
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(
            NEW_DIRECTORY_MODE,
        ));
        let directory = without_temporary_name(builder.tempdir_in(around));
        let directory = in_file(output, directory)?;
        Ok(Self {
            path,
            set,
            _lock: locked(directory.path()),
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
        let rename = || {
            fs::rename(self.directory.path(), &self.path)?;
            // The name of the temporary directory is free again.
            let _ = self.directory.keep();
            Ok(())
        };
        if self.path.exists() {
            return replace(&self.path, Some(self.set), rename);
        }
        in_file(&self.path, rename())
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
    /// The errors of [`StagedFile::publish`] and [`StagedDirectory::publish`].
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
        let older = aside.path().join(OLDER);
        fs::rename(path, &older)?;
        let published = publish();
        if published.is_err() && fs::rename(&older, path).is_err() {
            let _ = aside.keep();
        }
        published
    };
    in_file(path, move_away())
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

/// Removes the name of the temporary file, which the user did not choose, from an error of the crate `tempfile`.
fn without_temporary_name<T>(created: io::Result<T>) -> io::Result<T> {
    created.map_err(|error| {
        let text = error.to_string();
        let reason = text.split(" at path ").next().unwrap_or_default();
        io::Error::new(error.kind(), reason)
    })
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
