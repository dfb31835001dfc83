//! The form of a table: the separator of its columns, and the names of columns in a comment.

use std::io::BufRead;

use super::{
    columns_by_name::{ColumnNames, NamedColumns},
    error::ReadError,
};

/// First character of a comment.
pub(super) const COMMENT: char = '#';

/// The separator of the columns of a table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Separator {
    /// One character between two fields, which may be in quotation marks.
    Character(u8),
    /// Any amount of white space.
    WhiteSpace,
}

use Separator::{Character, WhiteSpace};

/// The separators of tables. Fields between semicolons may have decimal commas, so that commas come after semicolons.
const SEPARATORS: [Separator; 4] = [
    Character(b';'),
    Character(b'\t'),
    Character(b','),
    WhiteSpace,
];

impl Separator {
    /// Returns the fields of a line.
    fn fields(self, line: &str) -> Vec<&str> {
        match self {
            Character(separator) => line.split(char::from(separator)).map(unquoted).collect(),
            WhiteSpace => line.split_whitespace().map(unquoted).collect(),
        }
    }

    /// Returns whether the fields of a line are names of columns, or numbers of a sphere.
    fn suits(self, line: &str) -> bool {
        let fields = self.fields(line);
        let is_number = |field: &&str| with_point(self, field).parse::<f64>().is_ok();
        NamedColumns::find(&fields).is_ok() || fields.len() >= 3 && fields.iter().all(is_number)
    }

    /// Returns whether a line holds the separator.
    fn divides(self, line: &str) -> bool {
        self.fields(line).len() > 1
    }
}

fn unquoted(field: &str) -> &str {
    field.trim().trim_matches('"')
}

/// Returns a field with a decimal point in place of a decimal comma, which numbers between semicolons may have.
pub(super) fn with_point(separator: Separator, field: &str) -> String {
    match separator {
        Character(b';') => field.replacen(',', ".", 1),
        _ => field.to_owned(),
    }
}

/// The lines of a table up to the first one that is not empty and no comment.
pub(super) struct Head {
    /// The bytes of the lines.
    pub bytes: Vec<u8>,
    /// The names of the columns in the last comment with such names.
    pub names: Option<ColumnNames>,
    /// The separator of the columns.
    pub separator: Separator,
}

impl Head {
    /// Reads the lines of a table that usually has this separator.
    pub(super) fn read(input: &mut impl BufRead, usual: Separator) -> Result<Self, ReadError> {
        let (mut bytes, mut names) = (Vec::new(), None);
        let separator = loop {
            let start = bytes.len();
            let count = (input.read_until(b'\n', &mut bytes)).map_err(ReadError::io)?;
            let line = String::from_utf8_lossy(&bytes[start..]);
            let line = line.trim_start_matches('\u{feff}').trim();
            match line.strip_prefix(COMMENT) {
                Some(comment) => names = names_in(comment).or(names),
                None if count == 0 || !line.is_empty() => break separator(line, usual),
                None => {}
            }
        };
        Ok(Self {
            bytes,
            names,
            separator,
        })
    }
}

/// Returns the separator of a line: the usual one if it suits, or another one.
fn separator(line: &str, usual: Separator) -> Separator {
    let mut all = std::iter::once(usual).chain(SEPARATORS);
    let suits = |separator: &Separator| separator.suits(line);
    (all.clone().find(suits))
        .or_else(|| all.find(|separator| separator.divides(line)))
        .unwrap_or(usual)
}

/// Returns the names of columns in a comment, if it holds those of a center.
pub(super) fn names_in(comment: &str) -> Option<ColumnNames> {
    let mut all = SEPARATORS.into_iter();
    all.find_map(|separator| {
        let fields = separator.fields(comment);
        NamedColumns::find(&fields)
            .is_ok()
            .then(|| ColumnNames::of(&fields))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_separator_is_the_one_that_divides_names_or_numbers() {
        for (line, expected) in [
            ("x,y,z,r", Character(b',')),
            ("x;y;z;r", Character(b';')),
            ("2,0;2,0;2,0;0,5", Character(b';')),
            ("2 2 2 0.5", WhiteSpace),
            ("2\t2\t2\t0.5", Character(b'\t')),
            ("\"x\",\"y\",\"z\",\"r\",\"a;b;c\"", Character(b',')),
            ("a;b;c", Character(b';')),
            ("nothing", Character(b',')),
            ("", Character(b',')),
        ] {
            let found = separator(line, Character(b','));
            assert!(found == expected, "{line}");
        }
        let names = names_in(" id x y z Radius").unwrap();
        assert_eq!(names.to_string(), "id,x,y,z,Radius");
        assert!(names_in(" made on Monday").is_none());
    }
}
