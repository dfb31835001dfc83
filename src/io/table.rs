//! Tables of numbers, and their rows as text.

use std::{
    borrow::Cow,
    io::{self, Write},
    ops::Range,
};

use rayon::prelude::*;

use super::constants::{ROWS_PER_BLOCK, ROWS_PER_PART};
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

    /// Writes a header and rows of text. Numbers are the shortest decimals that read back to the same f64. Threads write parts of the
    /// rows; the text does not depend on their number.
    pub(super) fn write_text(&self, separator: char, out: &mut dyn Write) -> io::Result<()> {
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
