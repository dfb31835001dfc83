//! Tables of numbers as files: CSV, TSV, NumPy archives and Parquet.

use std::{
    borrow::Cow,
    io::{self, Write},
    ops::Range,
    path::{Path, PathBuf},
};

use rayon::prelude::*;

#[cfg(feature = "parquet")]
use super::parquet;
use super::{
    constants::{ROWS_PER_BLOCK, ROWS_PER_PART},
    error::{WriteError, in_file},
    export::invalid,
    format::Format,
    npz,
    staged::StagedFile,
};
use crate::machine::parallel::Erase;

/// A table: named columns with one value for each row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    columns: Vec<(String, Column)>,
}

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Column {
    /// Whole numbers.
    Whole(Vec<i64>),
    /// Real numbers.
    Real(Vec<f64>),
    /// Names: the position of each one in a list of all names.
    Name {
        /// The names.
        names: Vec<String>,
        /// A position in `names` for each row.
        of: Vec<u32>,
    },
}

impl Column {
    /// Returns the number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::Whole(values) => values.len(),
            Self::Real(values) => values.len(),
            Self::Name { of, .. } => of.len(),
        }
    }

    /// Returns whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl From<Vec<f64>> for Column {
    fn from(values: Vec<f64>) -> Self {
        Self::Real(values)
    }
}

impl From<Vec<i64>> for Column {
    fn from(values: Vec<i64>) -> Self {
        Self::Whole(values)
    }
}

impl Table {
    /// Returns the table with a further column.
    ///
    /// # Panics
    /// If the columns have different numbers of rows.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, column: impl Into<Column>) -> Self {
        let column = column.into();
        let rows = self.columns.first().map_or(column.len(), |_| self.rows());
        assert_eq!(column.len(), rows, "one value for each row");
        self.columns.push((name.into(), column));
        self
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |(_, column)| column.len())
    }

    /// Returns the columns with their names.
    pub fn columns(&self) -> &[(String, Column)] {
        &self.columns
    }

    fn write(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        match format {
            Format::Csv => self.write_text(',', out),
            Format::Tsv => self.write_text('\t', out),
            Format::Npz => npz::write_table(self, out),
            #[cfg(feature = "parquet")]
            Format::Parquet => parquet::write_table(self, out),
            _ => Err(invalid(ONLY_TABLES)),
        }
    }

    /// Writes a header and rows of text. Numbers are the shortest decimals that read back to the same f64. Threads write parts of the
    /// rows; the text does not depend on their number.
    fn write_text(&self, separator: char, out: &mut dyn Write) -> io::Result<()> {
        let names = self.columns.iter().map(|(name, _)| field(name, separator));
        let header = names.collect::<Vec<_>>().join(&separator.to_string());
        writeln!(out, "{header}")?;
        for start in (0..self.rows()).step_by(ROWS_PER_BLOCK) {
            let end = self.rows().min(start + ROWS_PER_BLOCK);
            let part = |number: usize| {
                let first = start + number * ROWS_PER_PART;
                self.rows_of_text(first..end.min(first + ROWS_PER_PART), separator)
            };
            let parts: Vec<Vec<u8>> = (0..(end - start).div_ceil(ROWS_PER_PART))
                .into_par_iter()
                .erased()
                .map(part)
                .collect();
            parts.iter().try_for_each(|part| out.write_all(part))?;
        }
        Ok(())
    }

    fn rows_of_text(&self, rows: Range<usize>, separator: char) -> Vec<u8> {
        let mut buffer = zmij::Buffer::new();
        let mut text = String::new();
        for row in rows {
            for (number, (_, column)) in self.columns.iter().enumerate() {
                if number > 0 {
                    text.push(separator);
                }
                match column {
                    Column::Whole(values) => text += &values[row].to_string(),
                    Column::Real(values) if values[row].is_finite() => {
                        text += buffer.format_finite(values[row]);
                    }
                    Column::Real(values) => text += &values[row].to_string(),
                    Column::Name { names, of } => {
                        text += &field(&names[of[row] as usize], separator);
                    }
                }
            }
            text.push('\n');
        }
        text.into_bytes()
    }
}

/// Returns a text as a field of a table, in quotes if it needs them (RFC 4180).
fn field(text: &str, separator: char) -> Cow<'_, str> {
    if text.contains([separator, '"', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", text.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(text)
    }
}

const ONLY_TABLES: &str = "a table is written as .csv, .tsv, .npz or .parquet";

/// Returns the format of a table, by the extension of its file.
fn format_of(path: &Path) -> Result<Format, WriteError> {
    let format = Format::from_path(path)?;
    let is_table = match format {
        Format::Csv | Format::Tsv | Format::Npz => true,
        #[cfg(feature = "parquet")]
        Format::Parquet => true,
        _ => false,
    };
    let is_table = if is_table {
        Ok(format)
    } else {
        Err(invalid(ONLY_TABLES))
    };
    in_file(path, is_table)
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
        file.write(|out| table.write(format, out))?;
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
