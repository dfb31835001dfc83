//! The meaning of the words above a column of a table.

use super::{
    constants::{
        CLASS_WORDS, CUMULATIVE_WORDS, NUMBER_WORDS, PASSING_WORDS, RETAINED_WORDS, SHARE_WORDS,
        SIEVE_WORDS, SIZE_WORDS, WEIGHT_UNITS,
    },
    length_unit::LengthUnit,
    table_text::NumberTable,
};

/// The meaning of a column, in the order in which columns of shares are preferred.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// Cumulative share that passes.
    Passing,
    /// Cumulative share that is retained.
    RetainedAbove,
    /// A share that is retained, cumulative or not.
    Retained,
    /// Share that is retained on each sieve and passes the next larger one.
    RetainedOn,
    /// A cumulative share.
    Cumulative,
    /// A share of any kind.
    Share,
    /// The number of spheres in each class.
    Number,
    /// Words that say nothing about the kind.
    Unknown,
    /// Sizes.
    Size,
    /// Radii.
    Radius,
}

/// Returns the words of a name in lower case, without punctuation.
pub(super) fn tokens(name: &str) -> impl Iterator<Item = String> {
    let words = name.split(|c: char| !(c.is_alphanumeric() || c == 'µ' || c == 'μ'));
    words.filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// Returns the unit of length that the words above a column name.
fn unit(words: &str) -> Option<&'static str> {
    // These symbols are also abbreviations or words: they are units in brackets or at the end only.
    let words_too = ["m", "in"];
    let is_at_end = |symbol: &&&str| {
        let ends = ["[{}]", "({})", "_{}", "/{}", " {}"].map(|end| end.replace("{}", symbol));
        ends.iter().any(|end| words.ends_with(end))
    };
    let named = tokens(words).filter(|token| !words_too.contains(&token.as_str()));
    let found = named.filter_map(|token| LengthUnit::find(&token)).next();
    let found = found.map(|unit| unit.symbol);
    found.or_else(|| words_too.iter().find(is_at_end).copied())
}

/// Returns the unit of a column: the one of its sieves, the one that the words above it name, or an empty text.
pub(super) fn unit_of(table: &NumberTable, column: usize) -> &'static str {
    let words = table.header.get(column);
    match table.columns[column].has_sieves {
        true => "mm",
        false => words.and_then(|words| unit(words)).unwrap_or_default(),
    }
}

/// Returns whether the words above a column name a unit of weight.
pub(super) fn has_weight(words: &str) -> bool {
    tokens(words).any(|token| WEIGHT_UNITS.contains(&token.as_str()))
}

/// Finds the meaning of the words above a column.
pub(super) fn kind(words: &str) -> Kind {
    let lower = words.to_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| lower.contains(part));
    let is = |word: &str| tokens(words).any(|token| token == word);
    let is_size = has(&SIZE_WORDS) || ["d", "x", "dia"].iter().any(|word| is(word));
    let is_number = (has(&NUMBER_WORDS) || is("n")) && !has(&SIEVE_WORDS);
    if !lower.contains('%') && ["r", "radius", "radii"].iter().any(|word| is(word)) {
        Kind::Radius
    } else if unit(words).is_some() && !lower.contains('%') {
        Kind::Size
    } else if is_number {
        Kind::Number
    } else if has(&PASSING_WORDS) {
        Kind::Passing
    } else if has(&RETAINED_WORDS) && has(&CUMULATIVE_WORDS) {
        Kind::RetainedAbove
    } else if has(&RETAINED_WORDS) && has(&CLASS_WORDS) {
        Kind::RetainedOn
    } else if has(&RETAINED_WORDS) {
        Kind::Retained
    } else if has(&CUMULATIVE_WORDS) {
        Kind::Cumulative
    } else if has_weight(words) || has(&SHARE_WORDS) {
        Kind::Share
    } else if is_size {
        Kind::Size
    } else {
        Kind::Unknown
    }
}
