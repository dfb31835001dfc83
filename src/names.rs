//! Names of choices, as users write them on the command line and in files.

/// A name that is none of the names to choose from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} '{name}'; expected one of {}", .expected.join(", "))]
pub struct UnknownName {
    what: &'static str,
    name: String,
    expected: &'static [&'static str],
}

impl UnknownName {
    /// The error for `name`, where one of the names `expected` of a `what` is accepted.
    pub(crate) fn new(what: &'static str, name: &str, expected: &'static [&'static str]) -> Self {
        Self {
            what,
            name: name.to_owned(),
            expected,
        }
    }
}
