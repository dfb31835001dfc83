//! The files of a folder that belong to one packing.

use std::{
    fs::{self, File},
    io,
    path::Path,
};

/// Opens a file of a folder. Reading from a device or a pipe could last for ever, and a link could lead to any file of the system: neither is
/// opened.
pub(super) fn open_inside(folder: &Path, name: &Path) -> io::Result<File> {
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let path = folder.join(name);
    if !fs::metadata(&path)?.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    if !path.canonicalize()?.starts_with(folder.canonicalize()?) {
        let folder = folder.display();
        return Err(io::Error::other(format!(
            "it is a link to a file outside of the folder '{folder}'"
        )));
    }
    File::open(path)
}
