//! Output of a comparison: files of rows, and a table or JSON on stdout.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use serde::Serialize;

use super::rows_file::RowsFile;
use crate::cli::{
    files::check_outputs,
    output::{print, print_json},
};

/// Options for the output of a comparison.
#[derive(Args)]
pub struct OutputOptions {
    /// Write the rows to FILE, which ends in .json or .csv, or as CSV to stdout (-); may be repeated
    #[arg(short, long, value_name = "FILE")]
    output: Vec<PathBuf>,

    /// Print the results as JSON instead of tables
    #[arg(long)]
    json: bool,
}

impl OutputOptions {
    /// Refuses files that could not be written after the comparison.
    pub fn check(&self) -> Result<Output> {
        check_outputs(&self.output, &[])?;
        Ok(Output {
            files: (self.output.iter())
                .map(|path| RowsFile::new(path))
                .collect::<Result<_>>()?,
            json: self.json,
        })
    }
}

/// Checked output of a comparison.
pub struct Output {
    files: Vec<RowsFile>,
    json: bool,
}

impl Output {
    /// Writes the files, and prints the results as JSON or as the text that `describe` returns.
    ///
    /// `csv` holds a header and the rows.
    pub fn write<T: Serialize>(
        &self,
        results: &T,
        csv: &[Vec<String>],
        describe: impl FnOnce(&T) -> String,
    ) -> Result<()> {
        for file in &self.files {
            file.write(results, csv)?;
        }
        if self.json {
            return print_json(results);
        }
        print(&describe(results))?;
        let mut files = self.files.iter().map(RowsFile::path);
        files.try_for_each(|file| print(&file.display().to_string()))
    }
}
