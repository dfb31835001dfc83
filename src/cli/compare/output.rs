//! Output of a comparison: files of rows, and a table or JSON on stdout.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;

use crate::cli::{
    files::{Output, check_outputs, is_stream},
    output::{json, print, print_json},
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
    pub fn check(&self) -> Result<()> {
        check_outputs(&self.output, &[])?;
        for path in &self.output {
            is_json(path)?;
            Output::new(Some(path), "").check()?;
        }
        Ok(())
    }

    /// Writes each file completely, or leaves the existing file unchanged. Prints the results as JSON or as the text that `describe`
    /// returns.
    ///
    /// `csv` holds a header and the rows.
    pub fn write<T: Serialize>(
        &self,
        results: &T,
        csv: &[Vec<String>],
        describe: impl FnOnce(&T) -> String,
    ) -> Result<()> {
        for path in &self.output {
            let mut text = Vec::new();
            if is_json(path)? {
                text.extend(json(results)?.into_bytes());
                text.push(b'\n');
            } else {
                let mut writer = csv::Writer::from_writer(&mut text);
                csv.iter().try_for_each(|row| writer.write_record(row))?;
                writer.flush()?;
            }
            Output::new(Some(path), "").write(&text)?;
        }
        if self.json {
            return print_json(results);
        }
        print(&describe(results))?;
        let mut files = self.output.iter();
        files.try_for_each(|file| print(&file.display().to_string()))
    }
}

/// Returns whether a file of rows is a JSON file; otherwise it is a CSV file. Rejects other names.
fn is_json(path: &Path) -> Result<bool> {
    if is_stream(path) {
        return Ok(false);
    }
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("json") => Ok(true),
        Some("csv") => Ok(false),
        _ => bail!(
            "'{}' is not a file of rows; its name must end in .json or .csv, or be - for CSV on stdout",
            path.display()
        ),
    }
}
