//! The reason why there are no sizes.

use std::fmt::Display;

/// Parameters, limits, shares or a volume that no size distribution has. The message says which, and what is expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SizesError(pub(super) String);

impl SizesError {
    /// Creates the error from its message.
    pub(super) fn new(message: &str) -> Self {
        Self(message.to_owned())
    }

    /// Names the place of the error before its message.
    pub(super) fn at(self, place: impl Display) -> Self {
        Self(format!("{place}: {}", self.0))
    }
}
