//! Directions along the coordinate axes.

use std::{fmt, str::FromStr};

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::axis::Axis;

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Direction {
    /// Towards low x.
    NegX,
    /// Towards high x.
    PosX,
    /// Towards low y.
    NegY,
    /// Towards high y.
    PosY,
    /// Towards low z: down in most pictures.
    #[default]
    NegZ,
    /// Towards high z.
    PosZ,
}

/// All directions with their text forms.
const NAMES: [(&str, Direction); 6] = [
    ("-x", Direction::NegX),
    ("+x", Direction::PosX),
    ("-y", Direction::NegY),
    ("+y", Direction::PosY),
    ("-z", Direction::NegZ),
    ("+z", Direction::PosZ),
];

/// A text that is no direction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown direction '{0}'; expected one of -x, +x, -y, +y, -z, +z")]
pub struct ParseDirectionError(String);

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

impl FromStr for Direction {
    type Err = ParseDirectionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = NAMES.iter().find(|(name, _)| *name == text);
        found.map_or_else(
            || Err(ParseDirectionError(text.to_owned())),
            |&(_, direction)| Ok(direction),
        )
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = NAMES.iter().find(|(_, direction)| direction == self);
        f.write_str(found.map_or("", |(name, _)| name))
    }
}

impl TryFrom<String> for Direction {
    type Error = ParseDirectionError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Direction> for String {
    fn from(direction: Direction) -> Self {
        direction.to_string()
    }
}
