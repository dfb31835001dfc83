//! Writing of a packing to the requested files, or to the next best directory.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use jostle::{Packing, write_files};

use super::{constants::RESCUE_PREFIX, words};

/// The place where a packing was written.
pub enum Written {
    /// The requested files.
    AsRequested,
    /// Files of the same names in another directory, with a sentence that tells the reason and names them.
    Elsewhere(String),
}

/// Writes a packing to `files`. If that fails, writes files of the same names to a new directory in the first of the
/// directories `others` where that succeeds.
///
/// Fails with a sentence if the packing cannot be written anywhere.
pub fn write_or_rescue(
    packing: &Packing,
    files: &[PathBuf],
    others: &[PathBuf],
) -> Result<Written> {
    let Err(error) = write_files(packing, files) else {
        return Ok(Written::AsRequested);
    };
    for directory in others {
        if let Ok(saved) = rescue(packing, files, directory) {
            return Ok(Written::Elsewhere(format!(
                "{error}; the packing is in {}",
                words::files(&saved)
            )));
        }
    }
    let others: Vec<String> = others
        .iter()
        .map(|other| format!("'{}'", other.display()))
        .collect();
    bail!(
        "{error}; the packing could not be written to {} either",
        others.join(" or ")
    )
}

/// Writes files of these names to a new directory in `parent`, and returns their paths. After a failure nothing remains.
fn rescue(packing: &Packing, files: &[PathBuf], parent: &Path) -> Result<Vec<PathBuf>> {
    let directory = tempfile::Builder::new()
        .prefix(RESCUE_PREFIX)
        .tempdir_in(std::path::absolute(parent)?)?;
    let mut saved: Vec<PathBuf> = Vec::new();
    for file in files {
        let name = file.file_name().unwrap_or_default();
        let path = directory.path().join(name);
        // Files of one name in several directories have the same content.
        if !saved.contains(&path) {
            saved.push(path);
        }
    }
    write_files(packing, &saved)?;
    let _ = directory.keep();
    Ok(saved)
}
