//! Files of rows.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde::Serialize;

use crate::cli::{
    files::is_stream,
    output::{keep_stdout_for_data, write_stdout},
};
use crate::io::{check_writable, remove_leftovers, write_atomically};

/// Format of a file of rows; the extension of the file names it.
#[derive(Clone, Copy)]
enum RowsFormat {
    Json,
    Csv,
}

/// File of rows that is written after the comparison.
pub struct RowsFile {
    path: PathBuf,
    format: RowsFormat,
}

impl RowsFile {
    /// Refuses a path that could not be written after the comparison.
    pub fn new(path: &Path) -> Result<Self> {
        if is_stream(path) {
            keep_stdout_for_data();
            return Ok(Self {
                path: path.to_owned(),
                format: RowsFormat::Csv,
            });
        }
        let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        let format = match extension.as_deref() {
            Some("json") => RowsFormat::Json,
            Some("csv") => RowsFormat::Csv,
            _ => bail!(
                "'{}' is not a file of rows; its name must end in .json or .csv, or be - for CSV on stdout",
                path.display()
            ),
        };
        check_writable(path)?;
        remove_leftovers(path);
        Ok(Self {
            path: path.to_owned(),
            format,
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the complete file, or leaves the existing file unchanged.
    pub fn write(&self, json: &impl Serialize, csv: &[Vec<String>]) -> Result<()> {
        let mut text = Vec::new();
        match self.format {
            RowsFormat::Json => {
                serde_json::to_writer_pretty(&mut text, json)?;
                text.push(b'\n');
            }
            RowsFormat::Csv => {
                let mut writer = csv::Writer::from_writer(&mut text);
                for row in csv {
                    writer.write_record(row)?;
                }
                writer.flush()?;
            }
        }
        if is_stream(&self.path) {
            return write_stdout(|out| out.write_all(&text));
        }
        Ok(write_atomically(&self.path, |out| out.write_all(&text))?)
    }
}
