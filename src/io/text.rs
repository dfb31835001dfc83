//! Lines and numbers of the text formats.

use std::io::{self, BufRead, Write};

use super::{constants::NOT_UTF_8, error::ReadError};
use crate::container::{Boundaries, Boundary};

/// Writes numbers as the shortest decimals that read back to the same f64, with the separator between them.
pub(super) fn write_numbers<const N: usize>(
    out: &mut dyn Write,
    separator: &[u8],
    numbers: [f64; N],
) -> io::Result<()> {
    let mut buffer = zmij::Buffer::new();
    for (i, number) in numbers.into_iter().enumerate() {
        if i > 0 {
            out.write_all(separator)?;
        }
        out.write_all(buffer.format_finite(number).as_bytes())?;
    }
    Ok(())
}

/// Returns one of two words for each axis, by its boundary.
pub(super) fn by_boundary<'a>(
    boundary: Boundaries,
    periodic: &'a str,
    wall: &'a str,
) -> [&'a str; 3] {
    boundary.0.map(|axis| match axis {
        Boundary::Periodic => periodic,
        Boundary::Wall => wall,
    })
}

/// Returns the boundary of axes of which some are periodic.
pub(super) fn boundaries(periodic: [bool; 3]) -> Boundaries {
    Boundaries(periodic.map(|is_periodic| match is_periodic {
        true => Boundary::Periodic,
        false => Boundary::Wall,
    }))
}

/// The lines of a text, counted from 1.
pub(super) struct Lines<R> {
    input: R,
    text: String,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input,
            text: String::new(),
            number: 0,
        }
    }

    /// Returns the next line with its number, without white space at its ends, or `None` at the end of the text.
    pub(super) fn next(&mut self) -> Result<Option<(u64, &str)>, ReadError> {
        let is_line = self.advance()?;
        Ok(is_line.then(|| (self.number, self.text.trim())))
    }

    /// Like [`next`](Self::next), for lines that are not empty.
    pub(super) fn next_filled(&mut self) -> Result<Option<(u64, &str)>, ReadError> {
        while self.advance()? {
            if !self.text.trim_ascii().is_empty() {
                return Ok(Some((self.number, self.text.trim())));
            }
        }
        Ok(None)
    }

    /// Reads the next line, if there is one.
    fn advance(&mut self) -> Result<bool, ReadError> {
        self.text.clear();
        self.number += 1;
        match self.input.read_line(&mut self.text) {
            Ok(length) => Ok(length > 0),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                Err(ReadError::at(self.number, NOT_UTF_8))
            }
            Err(error) => Err(ReadError::io(error)),
        }
    }
}

/// Parses a finite number. `name` and `line` are for the error message.
pub(super) fn number(text: &str, name: &str, line: u64) -> Result<f64, ReadError> {
    text.parse()
        .ok()
        .filter(|number: &f64| number.is_finite())
        .ok_or_else(|| {
            ReadError::at(
                line,
                format!("{name} is '{text}'; it must be a finite number"),
            )
        })
}

/// Parses `N` finite numbers between spaces, commas or brackets. `name` and `line` are for the error message.
pub(super) fn numbers<const N: usize>(
    text: &str,
    name: &str,
    line: u64,
) -> Result<[f64; N], ReadError> {
    let all: Vec<f64> = words(text)
        .map(|word| number(word, name, line))
        .collect::<Result<_, _>>()?;
    all.try_into()
        .map_err(|_| ReadError::at(line, format!("{name} is '{text}'; it must be {N} numbers")))
}

/// Parses a number of things. `things` and `line` are for the error message.
pub(super) fn parse_count(text: &str, things: &str, line: u64) -> Result<usize, ReadError> {
    text.parse().map_err(|_| {
        let what = format!("'{text}' is no number of {things}; it must be a whole number");
        ReadError::at(line, what)
    })
}

/// Returns the words between spaces, commas or brackets.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || "[]{},".contains(c))
        .filter(|word| !word.is_empty())
}
