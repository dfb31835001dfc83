//! The words of a text and their lines.

use super::soup::{MeshFault, shown};

/// Words with the numbers of their lines.
pub(super) struct Words<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    words: std::str::SplitAsciiWhitespace<'a>,
    /// The present line, from 1.
    pub line: usize,
}

impl<'a> Words<'a> {
    pub fn new(text: &'a str) -> Self {
        Self {
            lines: text.lines().enumerate(),
            words: "".split_ascii_whitespace(),
            line: 0,
        }
    }

    /// Returns the next word; `None` at the end of the text.
    pub fn next(&mut self) -> Option<&'a str> {
        loop {
            if let Some(word) = self.words.next() {
                return Some(word);
            }
            let (number, line) = self.lines.next()?;
            self.line = number + 1;
            self.words = line.split_ascii_whitespace();
        }
    }

    /// Skips the rest of the present line.
    pub fn skip_line(&mut self) {
        self.words = "".split_ascii_whitespace();
    }

    /// Skips the next word, which must be `expected`.
    pub fn expect(&mut self, expected: &str) -> Result<(), MeshFault> {
        match self.next() {
            Some(word) if word.eq_ignore_ascii_case(expected) => Ok(()),
            found => Err(self.unexpected(found, expected)),
        }
    }

    /// Returns the fault of a word that is not `expected`.
    pub fn unexpected(&self, found: Option<&str>, expected: &str) -> MeshFault {
        let found = found.map_or_else(|| "the file ends".to_owned(), shown);
        MeshFault::Line {
            line: self.line,
            fault: format!("{found} instead of '{expected}'"),
        }
    }
}
