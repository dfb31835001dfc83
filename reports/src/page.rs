//! The pages in `docs/reports/`, in Markdown.

use std::{fmt::Display, fs, io};

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
    let file = format!("docs/reports/{report}.md");
    fs::write(&file, text)?;
    println!("{file} is written");
    Ok(())
}

/// Writes the page of a report whose sections are measured one by one: a head, and the sections with these titles, in this order. Sections
/// other than the `new` ones, which begin with their titles, stay as they are on the page.
pub fn update(report: &str, head: &str, titles: &[&str], new: &[String]) -> Outcome {
    let present = present(report)?;
    let present = sections(&present);
    let mut page = head.to_owned();
    for title in titles {
        let heading = format!("## {title}\n");
        let has_title = |section: &&str| section.starts_with(&heading);
        let new = new.iter().map(String::as_str);
        page += "\n";
        match new.chain(present.iter().copied()).find(has_title) {
            Some(section) => page += section.trim_end(),
            None => page += &format!("{heading}\nNot measured yet."),
        }
        page += "\n";
    }
    write(report, page)
}

/// Returns the present page of a report; empty if there is none.
pub fn present(report: &str) -> Outcome<String> {
    match fs::read_to_string(format!("docs/reports/{report}.md")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        text => Ok(text?),
    }
}

/// Returns the sections of a page, each from its title on.
fn sections(page: &str) -> Vec<&str> {
    let starts: Vec<usize> = page
        .match_indices("\n## ")
        .map(|(line, _)| line + 1)
        .chain([page.len()])
        .collect();
    starts
        .windows(2)
        .map(|ends| &page[ends[0]..ends[1]])
        .collect()
}
