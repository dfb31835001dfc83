//! Writing of packings, in any format, to a stream or to files.

use std::{
    io::{self, Write},
    path::Path,
};

use super::{csv, error::WriteError, format::Format, json, lammps, staged::StagedFile, vtp, xyz};
use crate::packing::Packing;

/// Writes a packing in the given format.
///
/// The function writes in small pieces, so `out` should be buffered.
///
/// # Errors
/// The errors of `out`, and one of kind [`io::ErrorKind::InvalidInput`] when a centre or diameter is not finite.
pub fn write_packing(packing: &Packing, format: Format, out: &mut dyn Write) -> io::Result<()> {
    if let Some(sphere) = packing
        .spheres
        .iter()
        .position(|(center, radius)| !(center.is_finite() && (2.0 * radius).is_finite()))
    {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!(
                "the centre or diameter of sphere {sphere} is not finite; both must be finite numbers"
            ),
        ));
    }
    match format {
        Format::Json => json::write(packing, out),
        Format::Csv => csv::write(packing, out),
        Format::Xyz => xyz::write(packing, out),
        Format::Vtp => vtp::write(packing, out),
        Format::LammpsData => lammps::write(packing, out),
    }
}

/// Writes a packing to files, each in the format of its extension.
///
/// All files are first written completely under temporary names in their directories and then renamed. No
/// incomplete file ever has one of the names, and a failure to write leaves older files of these names unchanged.
///
/// # Errors
/// When an extension names no format or a file cannot be written.
pub fn write_files(packing: &Packing, paths: &[impl AsRef<Path>]) -> Result<(), WriteError> {
    let mut files = Vec::with_capacity(paths.len());
    for path in paths {
        let format = Format::from_path(path)?;
        let mut file = StagedFile::create(path.as_ref())?;
        file.write(|out| write_packing(packing, format, out))?;
        files.push(file);
    }
    files.into_iter().try_for_each(StagedFile::publish)
}

/// Checks whether [`write_files`] can write a file of this name, without changing the file.
///
/// # Errors
/// When the extension names no format, when the directory is missing or cannot be written to, and when a directory or a
/// read-only file has this name.
pub fn check_writable(path: impl AsRef<Path>) -> Result<(), WriteError> {
    Format::from_path(&path)?;
    StagedFile::create(path.as_ref()).map(drop)
}
