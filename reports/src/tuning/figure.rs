//! A figure of the report: a picture, and its data as a file of comma-separated values.

use std::fs;

use super::plot::{self, Panel};
use crate::{outcome::Outcome, page::Page};

/// Folder of the data, relative to the root of the repository.
const DATA: &str = "docs/reports/data";

/// A picture and its data, which come from the same numbers.
pub struct Figure<'a> {
    /// Name of the files, without an extension.
    pub name: &'a str,
    /// Description of the picture.
    pub caption: &'a str,
    pub panels: Vec<Panel>,
    /// Number of panels in a row.
    pub columns: usize,
    /// Names of the columns of the data.
    pub header: &'a [&'a str],
    /// Rows of the data.
    pub rows: Vec<Vec<String>>,
}

impl Figure<'_> {
    /// Writes the picture and the data, and shows both on the page.
    pub fn show(&self, page: &mut Page) -> Outcome {
        let Self { name, caption, .. } = self;
        plot::draw(
            &format!("docs/images/{name}.svg"),
            &self.panels,
            self.columns,
        )?;
        let mut text = self.header.join(",") + "\n";
        for row in &self.rows {
            text += &row.join(",");
            text.push('\n');
        }
        fs::create_dir_all(DATA)?;
        fs::write(format!("{DATA}/{name}.csv"), text)?;
        page.line(format!(
            "\n![{caption}](../images/{name}.svg)\n\nData: [{name}.csv](data/{name}.csv)."
        ));
        Ok(())
    }
}

/// Returns a number with six significant digits, for the data.
pub fn exact(value: f64) -> String {
    let rounded: f64 = format!("{value:.5e}").parse().unwrap_or(value);
    rounded.to_string()
}
