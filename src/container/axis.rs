//! The coordinate axes.

use serde::{Deserialize, Serialize};

/// A coordinate axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::Display, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Axis {
    /// The first axis.
    X,
    /// The second axis.
    Y,
    /// The third axis.
    Z,
}

impl Axis {
    /// Returns the number of the axis: 0, 1 or 2.
    pub fn number(self) -> usize {
        self as usize
    }

    /// Returns the items of three axes with those of this axis and of z exchanged.
    pub(crate) fn turned<T>(self, mut items: [T; 3]) -> [T; 3] {
        items.swap(2, self.number());
        items
    }
}
