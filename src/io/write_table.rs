//! Tables of numbers as files: CSV, TSV, NumPy archives and Parquet.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

#[cfg(feature = "parquet")]
use super::parquet;
use super::{
    error::{WriteError, in_file},
    export::invalid,
    format::{Format, format_extension, missing_feature},
    npz,
    staged::StagedFile,
    table::Table,
};

const ONLY_TABLES: &str = "a table is written as .csv, .tsv, .npz or .parquet";

/// Returns the format of a table, by the extension of its file.
fn format_of(path: &Path) -> Result<Format, WriteError> {
    match Format::from_path(path) {
        Ok(format @ (Format::Csv | Format::Tsv | Format::Npz)) => Ok(format),
        #[cfg(feature = "parquet")]
        Ok(Format::Parquet) => Ok(Format::Parquet),
        Err(error) if missing_feature(&format_extension(path)).is_some() => Err(error.into()),
        _ => in_file(path, Err(invalid(ONLY_TABLES))),
    }
}

/// Writes tables to files, each in the format of its extension: `.csv`, `.tsv`, `.npz` (an array for each column) or `.parquet`.
///
/// All files are first written completely under temporary names in their directories and then renamed, as with
/// [`write_files`](crate::write_files).
///
/// # Errors
/// When an extension names no format of tables, or a file cannot be written.
pub fn write_tables(tables: &[(PathBuf, Table)]) -> Result<(), WriteError> {
    let mut files = Vec::with_capacity(tables.len());
    for (path, table) in tables {
        let format = format_of(path)?;
        let mut file = StagedFile::create(path)?;
        file.write(|out| write(table, format, out))?;
        files.push(file);
    }
    files.into_iter().try_for_each(StagedFile::publish)
}

/// Checks whether [`write_tables`] can write a file of this name, without changing the file.
///
/// # Errors
/// When the extension names no format of tables, when the directory is missing or cannot be written to, and when a directory or a
/// read-only file has this name.
pub fn check_table(path: impl AsRef<Path>) -> Result<(), WriteError> {
    format_of(path.as_ref())?;
    StagedFile::create(path.as_ref()).map(drop)
}

fn write(table: &Table, format: Format, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Csv => table.write_text(',', out),
        Format::Tsv => table.write_text('\t', out),
        Format::Npz => npz::write_table(table, out),
        #[cfg(feature = "parquet")]
        Format::Parquet => parquet::write_table(table, out),
        _ => Err(invalid(ONLY_TABLES)),
    }
}
