//! Periodic faces and walls.

use std::{fmt, str::FromStr};

use glam::DVec3;
use serde::{Deserialize, Serialize};

#[cfg(any(feature = "cli", feature = "report"))]
use crate::dimension::Dimension;

/// The kind of the two faces of a container that are perpendicular to one axis.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, strum::Display,
)]
#[serde(rename_all = "kebab-case")]
pub enum Boundary {
    /// A sphere that leaves through one face enters through the other. Distances are minimum-image distances.
    #[default]
    #[strum(serialize = "p")]
    Periodic,
    /// A hard wall that no sphere may cross.
    #[strum(serialize = "w")]
    Wall,
}

/// The boundary of the x, y and z axis, written as three letters: `ppp`, `www`, `ppw` …
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Boundaries(pub [Boundary; 3]);

impl Boundaries {
    /// All three axes are periodic.
    pub const PERIODIC: Self = Self([Boundary::Periodic; 3]);
    /// All three axes end at walls.
    pub const WALLS: Self = Self([Boundary::Wall; 3]);

    /// Returns the boundary of a rectangle: nothing is periodic along z.
    pub(crate) fn of_plane([x, y]: [Boundary; 2]) -> Self {
        Self([x, y, Boundary::Wall])
    }

    /// Returns the axes with periodic faces and those with walls in words. Those of faces that are all periodic are `periodic`.
    #[cfg(any(feature = "cli", feature = "report"))]
    pub(crate) fn in_words(self, dimension: Dimension, periodic: &str) -> String {
        let along = |boundary: Boundary| {
            let axes = (0..dimension.number()).filter(|&axis| self.0[axis] == boundary);
            let names: Vec<&str> = axes.map(|axis| ["x", "y", "z"][axis]).collect();
            names.join(" and ")
        };
        match (along(Boundary::Periodic), along(Boundary::Wall)) {
            (_, walls) if walls.is_empty() => periodic.to_owned(),
            (periodic, _) if periodic.is_empty() => "walls".to_owned(),
            (periodic, walls) => format!("periodic along {periodic}, walls along {walls}"),
        }
    }

    /// Returns whether the axis (0, 1, 2) is periodic.
    #[inline]
    pub fn is_periodic(self, axis: usize) -> bool {
        self.0[axis] == Boundary::Periodic
    }

    /// Returns the lengths along periodic axes, and infinity along the others.
    pub(super) fn periods(self, lengths: DVec3) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|axis| match self.0[axis] {
            Boundary::Periodic => lengths[axis],
            Boundary::Wall => f64::INFINITY,
        }))
    }
}

/// A text that does not name three boundaries.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown boundary '{0}'; expected three letters p (periodic) or w (wall), one for each axis, such as ppp, www or ppw"
)]
pub struct ParseBoundariesError(String);

impl FromStr for Boundaries {
    type Err = ParseBoundariesError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse() {
            Ok(BoundarySpec::Axes(boundaries)) => Ok(boundaries),
            _ => Err(ParseBoundariesError(text.to_owned())),
        }
    }
}

impl fmt::Display for Boundaries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|axis| axis.fmt(f))
    }
}

/// Writes the letter of the boundary, `p` or `w`.
impl Serialize for Boundaries {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Boundaries {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// The boundary of a container as a user writes it: one letter for the axis of a cylinder, `p` or `w`, two letters for the axes of a
/// rectangle, such as `pw`, or three letters for the axes of a box, such as `ppw`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoundarySpec {
    /// The boundary along the axis z of a cylinder.
    Axis(Boundary),
    /// The boundary of each axis of a rectangle.
    Plane([Boundary; 2]),
    /// The boundary of each axis of a box.
    Axes(Boundaries),
}

/// A text that is no boundary of a container.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown boundary '{0}'; expected three letters p (periodic) or w (wall), one for each axis, such as ppp, www or ppw, two letters for a rectangle, or one letter for the axis of a cylinder"
)]
pub struct ParseBoundarySpecError(String);

impl FromStr for BoundarySpec {
    type Err = ParseBoundarySpecError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let letter = |letter: char| match letter {
            'p' => Some(Boundary::Periodic),
            'w' => Some(Boundary::Wall),
            _ => None,
        };
        let axes: Option<Vec<Boundary>> = text.chars().map(letter).collect();
        match axes.as_deref() {
            Some(&[axis]) => Ok(Self::Axis(axis)),
            Some(&[x, y]) => Ok(Self::Plane([x, y])),
            Some(&[x, y, z]) => Ok(Self::Axes(Boundaries([x, y, z]))),
            _ => Err(ParseBoundarySpecError(text.to_owned())),
        }
    }
}

impl fmt::Display for BoundarySpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Axis(boundary) => boundary.fmt(f),
            Self::Plane(axes) => axes.iter().try_for_each(|axis| axis.fmt(f)),
            Self::Axes(boundaries) => boundaries.fmt(f),
        }
    }
}

impl From<Boundaries> for BoundarySpec {
    fn from(boundaries: Boundaries) -> Self {
        Self::Axes(boundaries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boundaries_read_back_as_printed() {
        for text in ["ppp", "www", "ppw", "wpp"] {
            assert_eq!(text.parse::<Boundaries>().unwrap().to_string(), text);
        }
        for text in ["", "pp", "pppp", "pxp", "PPP"] {
            assert!(text.parse::<Boundaries>().is_err(), "{text} was accepted");
        }
    }
}
