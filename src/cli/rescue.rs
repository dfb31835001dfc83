//! Writing of a packing to the requested files, or to the next best directory.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use tempfile::TempDir;

use super::{
    constants::{DEFAULT_FILE, RESCUE_PREFIX},
    errors::with_causes,
    launch::Launch,
    output::write_stdout,
    words,
};
use crate::{
    Packing,
    io::{ExportOptions, export_files, export_packing},
};

/// The place where a packing was written.
pub enum Written {
    /// The requested files, with sentences about the parts of the packing that they cannot hold.
    AsRequested(Vec<String>),
    /// Files of the same names in another directory, with a sentence that tells the reason and names them.
    Elsewhere(String),
}

/// Writes a packing to `files`, and to stdout if it `streams`. If that fails, writes files of the same names, or one file with everything, to a new directory
/// in the first of the directories `others` where that succeeds.
///
/// Fails with a sentence if the packing cannot be written anywhere.
pub fn write_or_rescue(
    launch: &Launch,
    packing: &Packing,
    files: &[PathBuf],
    options: &ExportOptions,
    streams: bool,
    others: &[PathBuf],
) -> Result<Written> {
    let write = || -> Result<Vec<String>> {
        let mut warnings = export_files(packing, files, options)?;
        if let Some(format) = options.format.filter(|_| streams) {
            let written = write_stdout(|out| export_packing(packing, format, options, out))?;
            warnings.extend(written);
        }
        Ok(warnings)
    };
    let error = match write() {
        Ok(warnings) => return Ok(Written::AsRequested(warnings)),
        Err(error) => error,
    };
    for directory in others {
        // Options that do not fit the packing must not cost the packing.
        let plain = [PathBuf::from(DEFAULT_FILE)];
        let plainest = ExportOptions::default().ranks(options.ranks.clone());
        let plainly = || rescue(launch, packing, &plain, &plainest, directory);
        let saved = if files.is_empty() {
            plainly()
        } else {
            rescue(launch, packing, files, options, directory).or_else(|_| plainly())
        };
        if let Ok(saved) = saved {
            let error = with_causes(&error);
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
    let error = with_causes(&error);
    bail!(
        "{error}; the packing could not be written to {} either",
        others.join(" or ")
    )
}

/// Writes files of these names to a new directory in `parent`, and returns their paths. After a failure nothing remains.
fn rescue(
    launch: &Launch,
    packing: &Packing,
    files: &[PathBuf],
    options: &ExportOptions,
    parent: &Path,
) -> Result<Vec<PathBuf>> {
    let mut directory = None;
    let path = launch.made_by_first(|| {
        let new = tempfile::Builder::new()
            .prefix(RESCUE_PREFIX)
            .tempdir_in(std::path::absolute(parent)?)?;
        Ok(directory.insert(new).path().to_owned())
    })?;
    let mut saved: Vec<PathBuf> = Vec::new();
    for file in files {
        let name = file.file_name().unwrap_or_default();
        let path = path.join(name);
        // Files of one name in several directories have the same content.
        if !saved.contains(&path) {
            saved.push(path);
        }
    }
    export_files(packing, &saved, options)?;
    directory.map(TempDir::keep);
    Ok(saved)
}
