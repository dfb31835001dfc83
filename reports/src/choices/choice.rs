//! The constants that were chosen by measurement, as the sources define them.

/// A constant in the section of choices of a `constants.rs`.
pub struct Choice {
    /// Path of the file.
    pub file: &'static str,
    pub name: String,
    /// Value, as written.
    pub value: String,
}

/// Returns the constants before the section of limits.
pub fn parse(file: &'static str, text: &str) -> Vec<Choice> {
    let choices = text.split("// Limits").next().unwrap_or(text);
    choices
        .lines()
        .filter_map(definition)
        .map(|(name, _, value)| Choice {
            file,
            name: name.to_owned(),
            value: value.to_owned(),
        })
        .collect()
}

/// Splits `pub(super) const NAME: TYPE = VALUE;`.
pub fn definition(line: &str) -> Option<(&str, &str, &str)> {
    let (_, definition) = line
        .split_once("const ")
        .filter(|(before, _)| before.is_empty() || before.starts_with("pub"))?;
    let (name, rest) = definition.split_once(": ")?;
    let (kind, rest) = rest.split_once(" = ")?;
    Some((name, kind, rest.strip_suffix(';')?))
}
