//! Names of choices, as users write them on the command line and in files, numbers in messages, and messages that quote users.

/// Longest message, in characters: about twice the longest message that quotes only a short text.
const LONGEST_MESSAGE: usize = 900;

/// Names that this build lacks: of what, the name, and the feature of the crate that adds it.
const LACKING: &[(&str, &str, &str)] = &[
    #[cfg(not(feature = "kd-tree"))]
    ("index", "kd-tree", "kd-tree"),
    #[cfg(not(feature = "kd-tree"))]
    ("broad phase algorithm", "kd-tree", "kd-tree"),
];

/// A name that is none of the names to choose from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.message())]
pub struct UnknownName {
    what: &'static str,
    name: String,
    expected: &'static [&'static str],
    /// The feature of the crate that adds the name, if this build lacks it.
    feature: Option<&'static str>,
}

impl UnknownName {
    /// The error for `name`, where one of the names `expected` of a `what` is accepted.
    pub(crate) fn new(what: &'static str, name: &str, expected: &'static [&'static str]) -> Self {
        Self {
            what,
            name: name.to_owned(),
            expected,
            feature: (LACKING.iter())
                .find(|(of, lacking, _)| *of == what && lacking.eq_ignore_ascii_case(name))
                .map(|(.., feature)| *feature),
        }
    }

    /// States the feature that this build lacks and that adds the name, if there is one.
    #[cfg(feature = "files")]
    pub(crate) fn of_feature(self, feature: Option<&'static str>) -> Self {
        Self { feature, ..self }
    }

    fn message(&self) -> String {
        let Self { what, name, .. } = self;
        match self.feature {
            Some(feature) => lacks(&format!("the {what} {name}"), feature),
            None => format!(
                "unknown {what} '{name}'{}; expected one of {}",
                did_you_mean(name, self.expected.iter().copied()),
                self.expected.join(", ")
            ),
        }
    }
}

/// Returns the sentence about a part that needs a feature of the crate.
pub(crate) fn lacks(part: &str, feature: &str) -> String {
    format!(
        "this build lacks {part}; 'cargo install --path . --features {feature}' builds a program that has it, and so does the \
         Python package"
    )
}

/// Least similarity (Jaro–Winkler) of a misspelt name to a name that an error message suggests.
///
/// A smaller value suggests unrelated names. A larger one misses names with two wrong letters, such as "conkrede" (0.88).
const LEAST_SIMILARITY: f64 = 0.8;

/// Returns the words that suggest the nearest of some names for a misspelt one, such as ` (did you mean sphere?)`, or nothing if
/// no name is near.
pub(crate) fn did_you_mean<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let name = name.to_lowercase();
    let nearest = (names.into_iter())
        .map(|candidate| (strsim::jaro_winkler(&name, candidate), candidate))
        .filter(|(similarity, _)| *similarity >= LEAST_SIMILARITY)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    nearest.map_or_else(String::new, |(_, candidate)| {
        format!(" (did you mean {candidate}?)")
    })
}

/// Returns a text whose control characters are visible as escapes, except those that `keeps` names.
///
/// They could move the cursor of a terminal, and XML cannot hold them. The separators of lines and paragraphs and the marks that
/// change the direction of a text hide a text as well.
pub(crate) fn visible(text: &str, keeps: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if is_hidden(character) && !keeps.contains(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// Returns whether a character controls a terminal or the direction of a text, or cannot be in XML.
pub(crate) fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}')
}

/// Returns a message as one line of at most [`LONGEST_MESSAGE`] characters.
///
/// A message can quote a text of any length, with line breaks and with codes that control a terminal. Such characters become
/// escapes. The dots `…` replace the middle of a long message, because its end says what would be accepted.
pub(crate) fn one_line(message: impl Into<String>) -> String {
    let line = visible(&message.into(), "");
    let length = line.chars().count();
    if length <= LONGEST_MESSAGE {
        return line;
    }
    let kept = (LONGEST_MESSAGE - 1) / 2;
    let beginning: String = line.chars().take(kept).collect();
    let end: String = line.chars().skip(length - kept).collect();
    format!("{beginning}…{end}")
}

/// Returns a number with all digits that it needs, in powers of ten where it would have many zeros.
pub(crate) fn short(value: f64) -> String {
    if value == 0.0 || (1e-6..1e16).contains(&value.abs()) {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

/// Returns a number with four significant digits.
pub(crate) fn rounded(value: f64) -> String {
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    short(rounded)
}

/// Reads a finite number, which may have a decimal comma: the number as it is written, and whether it is a percentage, such as `60%`.
pub(crate) fn decimal(text: &str) -> Option<(f64, bool)> {
    let text = text.trim();
    let percent = text.strip_suffix('%').map(str::trim_end);
    let digits = percent.unwrap_or(text);
    if !digits.starts_with(|c: char| c.is_ascii_digit() || "+-.,".contains(c)) {
        return None;
    }
    let value = match digits.parse() {
        Ok(value) => value,
        Err(_) if digits.matches(',').count() == 1 && !digits.contains('.') => {
            digits.replace(',', ".").parse().ok()?
        }
        Err(_) => return None,
    };
    f64::is_finite(value).then_some((value, percent.is_some()))
}

/// Returns a decimal number without the zeros at the end of its fraction.
pub(crate) fn trimmed(decimal: &str) -> &str {
    if decimal.contains('.') {
        decimal.trim_end_matches('0').trim_end_matches('.')
    } else {
        decimal
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_one_line_and_keep_their_ends() {
        assert_eq!(one_line("radius is '1\u{b7}2'"), "radius is '1\u{b7}2'");
        assert_eq!(
            one_line("'a\r\nb\u{2028}\u{1b}'"),
            "'a\\r\\nb\\u{2028}\\u{1b}'"
        );
        let long = one_line(format!("x is '{}'; it must be a number", "ä".repeat(5000)));
        assert_eq!(long.chars().count(), LONGEST_MESSAGE - 1);
        assert!(long.starts_with("x is 'ä") && long.ends_with("ä'; it must be a number"));
    }
}
