//! Packings as files.

use std::path::Path;

use super::{
    error::{WriteError, in_file},
    export::{ExportOptions, Scene},
    on_ranks::export_shares,
    staged::Staged,
    write::{add_new, format_of, options_for, stage, warnings},
};
use crate::packing::Packing;

/// Writes a packing to files, each in the format of its extension.
///
/// All files are first written completely under temporary names in their directories and then renamed. No
/// incomplete file ever has one of the names, and a failure to write leaves older files of these names unchanged.
///
/// # Errors
/// When an extension names no format or a file cannot be written.
pub fn write_files(packing: &Packing, paths: &[impl AsRef<Path>]) -> Result<(), WriteError> {
    export_files(packing, paths, &ExportOptions::default()).map(drop)
}

/// Writes a packing to files with the choices of an export, like [`write_files`]. Returns one sentence about each part of the
/// packing that a file cannot hold. A script, and bonds, belong to the files whose formats have them; there must be at least one.
///
/// # Ranks
/// [`ExportOptions::ranks`] write together: all of them call, and the first one returns the sentences. The files have the bytes of files of
/// one process. The ranks write comma-separated and tabulated values, extended XYZ, LAMMPS and
/// LIGGGHTS data, LAMMPS dumps and `.xyzd` together, in a directory that all of them see. Each one writes a piece of a `.pvtp` file.
/// Instead of a Parquet file, several ranks make a directory of its name, in which each one writes a file; the rows are those of the file
/// of one process. The first rank writes other formats, and all files with options that change the spheres, divide them into types or add
/// scripts. It needs memory for all spheres then.
///
/// # Errors
/// When the format of a file is unknown, when an option does not fit the packing or the format, and when a file cannot be
/// written; on all ranks if one of them fails.
pub fn export_files(
    packing: &Packing,
    paths: &[impl AsRef<Path>],
    options: &ExportOptions,
) -> Result<Vec<String>, WriteError> {
    let Some(first) = paths.first() else {
        return Ok(Vec::new());
    };
    if !options.ranks.is_alone() {
        return export_shares(packing, first.as_ref(), paths, options);
    }
    let scene = in_file(first.as_ref(), Scene::new(packing, options))?;
    let mut files = Vec::with_capacity(paths.len());
    let mut sentences: Vec<String> = Vec::new();
    for path in paths {
        let format = format_of(path.as_ref(), options)?;
        let options = options_for(path.as_ref(), paths, options);
        files.extend(stage(&scene, format, path.as_ref(), &options)?);
        add_new(&mut sentences, warnings(&scene, format));
    }
    files.into_iter().try_for_each(Staged::publish)?;
    Ok(sentences)
}

impl Packing {
    /// Writes the packing to a file, in the format of its extension, like [`write_files`].
    ///
    /// # Errors
    /// When the extension names no format or the file cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), WriteError> {
        write_files(self, &[path])
    }
}
