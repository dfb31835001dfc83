//! The coordinate axes, and directions along them.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::macros::choice;

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

choice! {
    "direction", "lowercase";
    /// A direction along a coordinate axis, such as that of gravity. The text form is a sign and the axis: `-z`, `+x`.
    ///
    /// # Example
    /// ```
    /// use jostle::{container::{Axis, Direction}, glam::DVec3};
    ///
    /// let down: Direction = "-z".parse()?;
    /// assert_eq!(down, Direction::default());
    /// assert_eq!((down.axis(), down.vector()), (Axis::Z, DVec3::NEG_Z));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Default)]
    pub enum Direction {
        /// Towards low x.
        #[serde(rename = "-x")]
        #[strum(serialize = "-x")]
        NegX,
        /// Towards high x.
        #[serde(rename = "+x")]
        #[strum(serialize = "+x")]
        PosX,
        /// Towards low y.
        #[serde(rename = "-y")]
        #[strum(serialize = "-y")]
        NegY,
        /// Towards high y.
        #[serde(rename = "+y")]
        #[strum(serialize = "+y")]
        PosY,
        /// Towards low z: down in most pictures.
        #[default]
        #[serde(rename = "-z")]
        #[strum(serialize = "-z")]
        NegZ,
        /// Towards high z.
        #[serde(rename = "+z")]
        #[strum(serialize = "+z")]
        PosZ,
    }
}

impl Direction {
    /// Returns the axis.
    pub fn axis(self) -> Axis {
        match self {
            Self::NegX | Self::PosX => Axis::X,
            Self::NegY | Self::PosY => Axis::Y,
            Self::NegZ | Self::PosZ => Axis::Z,
        }
    }

    /// Returns the unit vector.
    pub fn vector(self) -> DVec3 {
        match self {
            Self::NegX => DVec3::NEG_X,
            Self::PosX => DVec3::X,
            Self::NegY => DVec3::NEG_Y,
            Self::PosY => DVec3::Y,
            Self::NegZ => DVec3::NEG_Z,
            Self::PosZ => DVec3::Z,
        }
    }
}
