//! The pages in `docs/`, in Markdown.

use std::{fmt::Display, fs};

use crate::outcome::Outcome;

/// A page that grows line by line.
#[derive(Default)]
pub struct Page(String);

impl Page {
    /// Adds a line, or several.
    pub fn line(&mut self, line: impl Display) {
        self.0 += &format!("{line}\n");
    }

    /// Adds a text that ends with a line.
    pub fn text(&mut self, text: &str) {
        self.0 += text;
    }

    /// Writes the page of a report.
    pub fn write(self, report: &str) -> Outcome {
        write(report, self.0)
    }
}

/// Writes the page of a report.
pub fn write(report: &str, text: impl AsRef<[u8]>) -> Outcome {
    let file = format!("docs/{report}.md");
    fs::write(&file, text)?;
    println!("{file} is written");
    Ok(())
}
