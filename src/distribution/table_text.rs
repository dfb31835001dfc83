//! Tables of numbers in texts: separators, decimal commas, comments and headers as people write them.

use std::borrow::Cow;

use super::{
    constants::{PANS, TOTALS},
    length_unit::sieve_opening,
};
use crate::names::decimal;

/// Numbers in columns of equal length, with the words above them.
pub(super) struct NumberTable {
    /// The words above each column; none without a header.
    pub header: Vec<String>,
    /// The columns.
    pub columns: Vec<Column>,
    /// The line of each row in the text, from 1; without a text, its position.
    pub lines: Vec<u32>,
    /// The word for a line in errors.
    pub line_word: &'static str,
}

/// A column of numbers.
#[derive(Clone, Default)]
pub(super) struct Column {
    pub values: Vec<f64>,
    /// Whether a percent sign follows the numbers.
    pub is_percent: bool,
    /// Whether the rows name sieves, whose openings are in mm.
    pub has_sieves: bool,
    /// Whether the rows have numbers.
    has_numbers: bool,
}

/// The number of columns that a table may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    /// One column, so that a comma is a decimal comma.
    One,
    /// Any number of columns.
    Any,
}

/// The character between the columns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Separator {
    Char(char),
    Blanks,
}

/// A line of a text that is neither empty nor a comment.
#[derive(Clone, Copy)]
struct Line<'a> {
    number: u32,
    text: &'a str,
}

impl NumberTable {
    /// Reads a text in UTF-8 or Latin-1.
    ///
    /// # Errors
    /// A sentence with line, column and value.
    pub fn read(bytes: &[u8], width: Width) -> Result<Self, String> {
        let text = decoded(bytes)?;
        let (lines, comments) = lines_of(&text);
        let separator = separator(&lines, width);
        let mut cells = Vec::new();
        let Some(first) = lines.iter().position(|line| is_row(line.text, separator)) else {
            return Err("there is no row of numbers; two columns of sieve size and percent passing, or one column of diameters, are expected".to_owned());
        };
        split(lines[first].text, separator, &mut cells);
        let columns = cells.len();
        let mut header = header(&lines[..first], separator, columns)?;
        if header.is_empty() {
            let above = comments
                .iter()
                .rfind(|line| line.number < lines[first].number);
            let names = above.and_then(|line| names(line.text, separator, columns));
            header = names.unwrap_or_default();
        }
        let mut table = Self {
            header,
            columns: vec![Column::default(); columns],
            lines: Vec::with_capacity(lines.len() - first),
            line_word: "line",
        };
        let mut decimals = Decimals::new(&text, separator);
        for line in &lines[first..] {
            split(line.text, separator, &mut cells);
            if is_word(cells[0], &TOTALS) {
                continue;
            }
            table.push(line.number, &cells, &mut decimals)?;
        }
        Ok(table)
    }

    /// Creates a table from columns of numbers with their names.
    ///
    /// # Errors
    /// A sentence about columns of different lengths, or a number that is not finite.
    pub fn from_columns(header: Vec<String>, columns: Vec<Vec<f64>>) -> Result<Self, String> {
        let count = columns.first().map_or(0, Vec::len);
        if columns.iter().any(|column| column.len() != count) || count == 0 {
            return Err("a table needs columns of equal length, with at least one row".to_owned());
        }
        let column = |values| Column {
            values,
            ..Column::default()
        };
        let table = Self {
            header,
            columns: columns.into_iter().map(column).collect(),
            lines: (1..).take(count).collect(),
            line_word: "row",
        };
        for (i, column) in table.columns.iter().enumerate() {
            if let Some(row) = column.values.iter().position(|value| !value.is_finite()) {
                let (place, value) = (table.place(row, i), column.values[row]);
                return Err(format!(
                    "{place}: {value} is not a finite number such as 0.25"
                ));
            }
        }
        Ok(table)
    }

    fn push(&mut self, line: u32, cells: &[&str], decimals: &mut Decimals) -> Result<(), String> {
        if cells.len() != self.columns.len() {
            let count =
                |count: usize| format!("{count} column{}", if count == 1 { "" } else { "s" });
            return Err(format!(
                "line {line}: the row has {}, and the first row has {}",
                count(cells.len()),
                count(self.columns.len())
            ));
        }
        for (i, (cell, column)) in cells.iter().zip(&mut self.columns).enumerate() {
            let at = |what: String| format!("line {line}, column {}: {what}", i + 1);
            let number = if i == 0 && is_word(cell, &PANS) {
                0.0
            } else if let Some((number, is_percent)) = decimal(cell) {
                decimals.check(cell, line).map_err(at)?;
                column.is_percent |= is_percent;
                column.has_numbers = true;
                number
            } else if let Some(opening) = sieve_opening(cell) {
                column.has_sieves = true;
                opening
            } else {
                return Err(at(format!("'{cell}' is not a finite number such as 0.25")));
            };
            if column.has_sieves && column.has_numbers {
                return Err(at(format!(
                    "'{cell}' is in a column with both numbers and sieves such as #40; expected only one kind"
                )));
            }
            column.values.push(number);
        }
        self.lines.push(line);
        Ok(())
    }

    /// Returns `line 3, column 2`, for errors about a number.
    pub fn place(&self, row: usize, column: usize) -> String {
        format!(
            "{} {}, column {}",
            self.line_word,
            self.lines[row],
            column + 1
        )
    }

    /// Returns the words above a column as they are quoted, or its position without a header.
    pub fn name(&self, column: usize) -> String {
        match self.header.get(column) {
            Some(words) => format!("column '{words}'"),
            None => format!("column {}", column + 1),
        }
    }
}

/// The sign before the decimals, of which a text has one.
struct Decimals {
    /// Whether the text can have decimal commas, and so must be checked.
    has_commas: bool,
    /// The first number with a decimal point or comma.
    first: Option<(char, String)>,
}

impl Decimals {
    fn new(text: &str, separator: Separator) -> Self {
        Self {
            has_commas: separator != Separator::Char(',') && text.contains(','),
            first: None,
        }
    }

    /// Rejects a number whose decimals have another sign than those of the numbers before.
    fn check(&mut self, cell: &str, line: u32) -> Result<(), String> {
        if !self.has_commas {
            return Ok(());
        }
        let Some(sign) = cell.chars().find(|&c| c == '.' || c == ',') else {
            return Ok(());
        };
        match &self.first {
            Some((other, first)) if *other != sign => Err(format!(
                "'{cell}' has the decimal sign '{sign}', but {first} has '{other}'; use one of them"
            )),
            Some(_) => Ok(()),
            None => {
                self.first = Some((sign, format!("'{cell}' in line {line}")));
                Ok(())
            }
        }
    }
}

/// Returns the text of a file.
fn decoded(bytes: &[u8]) -> Result<Cow<'_, str>, String> {
    if bytes.contains(&0) {
        return Err(
            "this is not a table in UTF-8 or Latin-1; save it as CSV with UTF-8".to_owned(),
        );
    }
    let text = match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text.trim_start_matches('\u{feff}')),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    };
    // Old spreadsheets end lines with a carriage return alone.
    let has_returns = text.contains('\r') && !text.contains('\n');
    Ok(if has_returns {
        Cow::Owned(text.replace('\r', "\n"))
    } else {
        text
    })
}

/// Returns the lines with content, and those of comments, without the sign of the comment.
fn lines_of(text: &str) -> (Vec<Line<'_>>, Vec<Line<'_>>) {
    let (mut lines, mut comments) = (Vec::new(), Vec::new());
    for (number, text) in (1..).zip(text.lines()) {
        match text.trim().strip_prefix('#') {
            Some(_) if begins_with_sieve(text.trim()) => lines.push(Line { number, text }),
            Some(text) => comments.push(Line { number, text }),
            // A separator alone is an empty row of a spreadsheet.
            None if text.trim_matches([' ', '\t', ';', ',', '"']).is_empty() => {}
            None => lines.push(Line { number, text }),
        }
    }
    (lines, comments)
}

/// Returns whether a line begins with a sieve such as `#40` or `No. 40`, and a number follows.
fn begins_with_sieve(line: &str) -> bool {
    let separators = [' ', '\t', ',', ';', '"'];
    let mut cells = line.splitn(2, ['\t', ',', ';']);
    let cells = match (cells.next(), cells.next()) {
        (Some(sieve), Some(rest)) => Some((sieve, rest)),
        _ => line.split_once(' '),
    };
    cells.is_some_and(|(sieve, rest)| {
        let begin = rest.trim_start_matches(separators);
        sieve_opening(sieve.trim_matches(separators)).is_some()
            && begin.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// Finds the character between the columns, from the lines that begin with a number.
fn separator(lines: &[Line], width: Width) -> Separator {
    let begins_with_number = |line: &&Line| {
        let text = line.text.trim_start_matches([' ', '"', '<', '>']);
        text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
            || begins_with_sieve(line.text)
    };
    let rows = || {
        lines
            .iter()
            .filter(begins_with_number)
            .map(|line| line.text)
    };
    if let Some(found) = ['\t', ';']
        .into_iter()
        .find(|&c| rows().any(|row| row.contains(c)))
    {
        return Separator::Char(found);
    }
    if width == Width::One {
        return Separator::Blanks;
    }
    let header = lines.iter().take_while(|line| !begins_with_number(line));
    let has_header = header.clone().next().is_some();
    let header_has_comma = header.into_iter().any(|line| line.text.contains(','));
    // One column of numbers with decimal commas.
    if has_header && !header_has_comma && rows().all(|row| number(row.trim()).is_some()) {
        return Separator::Blanks;
    }
    let comma = Separator::Char(',');
    let is_divided = |row: &str| row.contains(',') && is_row(row, comma);
    if rows().next().is_none() || rows().any(is_divided) {
        comma
    } else {
        Separator::Blanks
    }
}

/// Divides a line into cells, without the quotes around them and without empty cells at its end.
fn split<'a>(line: &'a str, separator: Separator, cells: &mut Vec<&'a str>) {
    cells.clear();
    match separator {
        Separator::Blanks if !line.contains('"') => cells.extend(line.split_whitespace()),
        Separator::Char(c) if !line.contains('"') => cells.extend(line.split(c).map(str::trim)),
        _ => split_quoted(line, separator, cells),
    }
    while cells.len() > 1 && cells.last().is_some_and(|cell| cell.is_empty()) {
        cells.pop();
    }
    if cells.is_empty() {
        cells.push("");
    }
}

/// [`split`] for a line with quotes.
fn split_quoted<'a>(line: &'a str, separator: Separator, cells: &mut Vec<&'a str>) {
    let is_separator = |c: char| match separator {
        Separator::Blanks => c.is_whitespace(),
        Separator::Char(separator) => c == separator,
    };
    let mut start = 0;
    let mut is_quoted = false;
    for (i, c) in line.char_indices().chain([(line.len(), '\0')]) {
        // A quote inside a cell is the sign of inches.
        is_quoted ^= c == '"' && (is_quoted || line[start..i].trim().is_empty());
        if (is_separator(c) && !is_quoted) || i == line.len() {
            let cell = line[start..i].trim();
            if separator != Separator::Blanks || !cell.is_empty() {
                let inside = cell
                    .strip_prefix('"')
                    .and_then(|cell| cell.strip_suffix('"'));
                cells.push(inside.unwrap_or(cell).trim());
            }
            start = i + c.len_utf8().min(line.len() - i);
        }
    }
}

/// Returns the number in a cell: the opening of a sieve in mm, or a number.
fn number(cell: &str) -> Option<f64> {
    decimal(cell)
        .map(|(number, _)| number)
        .or_else(|| sieve_opening(cell))
}

/// Returns whether a cell is one of some words.
fn is_word(cell: &str, words: &[&str]) -> bool {
    cell.starts_with(char::is_alphabetic) && words.contains(&cell.to_lowercase().as_str())
}

/// Returns whether all cells of a line are numbers, or a word for the pan and numbers.
fn is_row(line: &str, separator: Separator) -> bool {
    let mut cells = Vec::new();
    split(line, separator, &mut cells);
    let mut cells = cells.into_iter();
    let first = cells.next().unwrap_or_default();
    let mut others = cells.map(number).peekable();
    let begins = number(first).is_some() || (is_word(first, &PANS) && others.peek().is_some());
    begins && others.all(|number| number.is_some())
}

/// Joins the lines above the first row to the words above each column. Lines with one cell are titles.
fn header(lines: &[Line], separator: Separator, columns: usize) -> Result<Vec<String>, String> {
    let mut header: Vec<String> = Vec::new();
    for line in lines {
        let mut cells = Vec::new();
        split(line.text, separator, &mut cells);
        let is_number = |cell: &&str| number(cell).is_some();
        let is_like_row = if columns == 1 {
            cells[0].starts_with(|c: char| c.is_ascii_digit())
        } else {
            cells.iter().any(is_number)
        };
        if cells.len() == columns
            && is_like_row
            && let Some(i) = cells.iter().position(|cell| !is_number(cell))
        {
            return Err(format!(
                "line {}, column {}: '{}' is not a number such as 0.25; a title begins with #",
                line.number,
                i + 1,
                cells[i]
            ));
        }
        match names(line.text, separator, columns) {
            Some(names) if header.is_empty() => header = names,
            Some(names) => (header.iter_mut().zip(names)).for_each(|(words, more)| {
                words.push(' ');
                words.push_str(&more);
            }),
            None if separator == Separator::Blanks => {
                return Err(format!(
                    "line {}: the header '{}' has no {columns} names, one for each column; put names of several words in quotes, and # before a title",
                    line.number,
                    line.text.trim()
                ));
            }
            None => {}
        }
    }
    if header.is_empty()
        && let Some(line) = lines.last()
    {
        header = first_names(line.text, separator, columns);
    }
    Ok(header)
}

/// Returns the names above the first columns of a line with more names, whose other columns are empty; none of other lines.
fn first_names(line: &str, separator: Separator, columns: usize) -> Vec<String> {
    let mut cells = Vec::new();
    split(line, separator, &mut cells);
    if separator == Separator::Blanks || columns == 1 || cells.len() < columns {
        return Vec::new();
    }
    cells.truncate(columns);
    cells.into_iter().map(str::to_owned).collect()
}

/// Returns the names in a line, if it has one for each column. Between blanks, a unit in brackets belongs to the word before it.
fn names(line: &str, separator: Separator, columns: usize) -> Option<Vec<String>> {
    if columns == 1 {
        return Some(vec![line.trim().trim_matches('"').to_owned()]);
    }
    let mut cells = Vec::new();
    split(line, separator, &mut cells);
    if separator != Separator::Blanks || cells.len() == columns {
        let names = cells.into_iter().map(str::to_owned).collect();
        return Some(names).filter(|names: &Vec<String>| names.len() == columns);
    }
    let mut joined: Vec<String> = Vec::new();
    for cell in cells {
        match joined.last_mut() {
            Some(before) if cell.starts_with(['[', '(', '%']) => {
                before.push(' ');
                before.push_str(cell);
            }
            _ => joined.push(cell.to_owned()),
        }
    }
    Some(joined).filter(|names| names.len() == columns)
}
