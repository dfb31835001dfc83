//! Tables: on the terminal, and in files of rows.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use jostle::check_writable;

/// Rows of words under a header, in columns as wide as their widest word; the first column is flush left.
pub fn aligned(header: &[&str], rows: &[Vec<String>]) -> String {
    let header: Vec<String> = header.iter().map(|&word| word.to_owned()).collect();
    let lines = || std::iter::once(&header).chain(rows);
    let width = |column: usize| lines().map(|line| line[column].chars().count()).max();
    let widths: Vec<usize> = (0..header.len())
        .map(|column| width(column).unwrap_or(0))
        .collect();
    let line = |words: &Vec<String>| {
        let cells = words.iter().zip(&widths).enumerate();
        let cells: Vec<String> = cells
            .map(|(column, (word, &width))| match column {
                0 => format!("{word:<width$}"),
                _ => format!("{word:>width$}"),
            })
            .collect();
        cells.join("  ").trim_end().to_owned()
    };
    lines().map(line).collect::<Vec<_>>().join("\n")
}

/// A file of rows, in the format that its name asks for.
#[derive(Clone, Copy)]
enum FileFormat {
    Json,
    Csv,
}

/// A file that is to be written at the end.
pub struct RowsFile {
    path: PathBuf,
    format: FileFormat,
}

impl RowsFile {
    /// Refuses now what could not be written later.
    pub fn new(path: &Path) -> Result<Self> {
        let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        let format = match extension.as_deref() {
            Some("json") => FileFormat::Json,
            Some("csv") => FileFormat::Csv,
            _ => bail!(
                "'{}' does not end in .json or .csv, the formats of a comparison",
                path.display()
            ),
        };
        check_writable(path)?;
        Ok(Self {
            path: path.to_owned(),
            format,
        })
    }

    /// Writes the whole file or leaves what was there.
    pub fn write(&self, json: &impl serde::Serialize, csv: &[Vec<String>]) -> Result<()> {
        let mut text = Vec::new();
        match self.format {
            FileFormat::Json => {
                serde_json::to_writer_pretty(&mut text, json)?;
                text.push(b'\n');
            }
            FileFormat::Csv => {
                let mut writer = csv::Writer::from_writer(&mut text);
                for row in csv {
                    writer.write_record(row)?;
                }
                writer.flush()?;
            }
        }
        self.replace(&text)
            .with_context(|| format!("cannot write '{}'", self.path.display()))
    }

    fn replace(&self, text: &[u8]) -> Result<()> {
        let directory = match self.path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".jostle-");
        // Temporary files are private by default; this becomes the user's, under the usual mask.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.tempfile_in(directory)?;
        file.write_all(text)?;
        file.persist(&self.path)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_word() {
        let rows = [vec!["a".to_owned(), "12".to_owned()]];
        assert_eq!(aligned(&["index", "n"], &rows), "index   n\na      12");
    }
}
