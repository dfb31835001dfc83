//! The box that holds the spheres.

pub(crate) mod frame;

use std::{fmt, str::FromStr};

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// What happens at the two faces of a container that are perpendicular to one axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Boundary {
    /// What leaves through one face enters through the other; distances are minimum-image distances.
    #[default]
    Periodic,
    /// A hard plane that no sphere may cross.
    Wall,
}

/// The boundary of the x, y and z axis, written as three letters: `ppp`, `www`, `ppw` …
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Boundaries(pub [Boundary; 3]);

impl Boundaries {
    /// All three axes periodic.
    pub const PERIODIC: Self = Self([Boundary::Periodic; 3]);
    /// All three axes walled.
    pub const WALLS: Self = Self([Boundary::Wall; 3]);
}

/// A boundary string that is not three letters `p` or `w`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "boundary '{0}' is not three letters p (periodic) or w (wall), one for each axis, such as ppp, www or ppw"
)]
pub struct ParseBoundariesError(String);

impl FromStr for Boundaries {
    type Err = ParseBoundariesError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let axes: Option<Vec<Boundary>> = text
            .chars()
            .map(|letter| match letter {
                'p' => Some(Boundary::Periodic),
                'w' => Some(Boundary::Wall),
                _ => None,
            })
            .collect();
        axes.and_then(|axes| axes.try_into().ok())
            .map(Self)
            .ok_or_else(|| ParseBoundariesError(text.to_owned()))
    }
}

impl fmt::Display for Boundaries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|axis| {
            f.write_str(match axis {
                Boundary::Periodic => "p",
                Boundary::Wall => "w",
            })
        })
    }
}

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

/// A length of a container that is not a positive, finite number.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("container length {axis} is {length}; it must be a positive, finite number")]
pub struct ContainerError {
    axis: char,
    length: f64,
}

/// A cuboid with one corner at the origin, each axis periodic or walled.
///
/// Lengths are in the user's unit, the same as that of the diameters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Container {
    lengths: DVec3,
    boundary: Boundaries,
}

impl Container {
    /// A cuboid of the given side lengths.
    ///
    /// # Errors
    /// When a length is not positive and finite.
    pub fn new(lengths: DVec3, boundary: Boundaries) -> Result<Self, ContainerError> {
        for (axis, length) in ['x', 'y', 'z'].into_iter().zip(lengths.to_array()) {
            if !(length > 0.0 && length.is_finite()) {
                return Err(ContainerError { axis, length });
            }
        }
        Ok(Self { lengths, boundary })
    }

    /// The side lengths.
    pub fn lengths(&self) -> DVec3 {
        self.lengths
    }

    /// The boundary of each axis.
    pub fn boundary(&self) -> Boundaries {
        self.boundary
    }

    /// Whether the given axis (0, 1, 2) is periodic.
    pub fn is_periodic(&self, axis: usize) -> bool {
        self.boundary.0[axis] == Boundary::Periodic
    }

    /// The volume inside the faces.
    pub fn volume(&self) -> f64 {
        self.lengths.element_product()
    }

    /// The lengths along periodic axes, infinite along the others.
    pub(crate) fn periods(&self) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|axis| {
            if self.is_periodic(axis) {
                self.lengths[axis]
            } else {
                f64::INFINITY
            }
        }))
    }

    /// The same container with every length multiplied by `factor`, which must be positive.
    pub fn scaled(&self, factor: f64) -> Self {
        Self {
            lengths: self.lengths * factor,
            ..*self
        }
    }

    /// The shortest vector from `from` to any periodic image of `to`, for points inside the container.
    #[inline]
    pub fn displacement(&self, from: DVec3, to: DVec3) -> DVec3 {
        let mut d = to - from;
        for axis in 0..3 {
            if self.is_periodic(axis) {
                let length = self.lengths[axis];
                if d[axis] > 0.5 * length {
                    d[axis] -= length;
                } else if d[axis] < -0.5 * length {
                    d[axis] += length;
                }
            }
        }
        d
    }

    /// `point` moved by whole container lengths along the periodic axes into `0 ≤ x < length`.
    #[inline]
    pub fn wrap(&self, mut point: DVec3) -> DVec3 {
        for axis in 0..3 {
            if self.is_periodic(axis) {
                let length = self.lengths[axis];
                // The remainder is slow, and most points are inside.
                if (0.0..length).contains(&point[axis]) {
                    continue;
                }
                // rem_euclid rounds a tiny negative number up to the length itself.
                let wrapped = point[axis].rem_euclid(length);
                point[axis] = if wrapped < length { wrapped } else { 0.0 };
            }
        }
        point
    }

    /// The gap between a sphere and the nearest wall: negative when it crosses one, infinite when no axis is walled.
    #[inline]
    pub fn wall_gap(&self, center: DVec3, radius: f64) -> f64 {
        (0..3)
            .filter(|&axis| !self.is_periodic(axis))
            .map(|axis| center[axis].min(self.lengths[axis] - center[axis]) - radius)
            .fold(f64::INFINITY, f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boundaries_read_back_what_they_print() {
        for text in ["ppp", "www", "ppw", "wpp"] {
            assert_eq!(text.parse::<Boundaries>().unwrap().to_string(), text);
        }
        for text in ["", "pp", "pppp", "pxp", "PPP"] {
            assert!(text.parse::<Boundaries>().is_err(), "{text} was accepted");
        }
    }

    #[test]
    fn lengths_must_be_positive_and_finite() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let message = Container::new(DVec3::new(1.0, bad, 1.0), Boundaries::PERIODIC)
                .unwrap_err()
                .to_string();
            assert!(message.contains("length y"), "{message}");
        }
    }

    #[test]
    fn displacement_crosses_periodic_faces_only() {
        let container = Container::new(DVec3::splat(10.0), "pwp".parse().unwrap()).unwrap();
        let d = container.displacement(DVec3::splat(0.5), DVec3::splat(9.5));
        assert_eq!(d, DVec3::new(-1.0, 9.0, -1.0));
    }

    #[test]
    fn wrap_stays_below_the_length() {
        let container = Container::new(DVec3::splat(10.0), Boundaries::PERIODIC).unwrap();
        let wrapped = container.wrap(DVec3::new(-1e-20, 10.0, -23.0));
        assert_eq!(wrapped, DVec3::new(0.0, 0.0, 7.0));
    }

    #[test]
    fn wall_gap_is_signed() {
        let container = Container::new(DVec3::splat(10.0), "ppw".parse().unwrap()).unwrap();
        assert_eq!(container.wall_gap(DVec3::new(0.0, 0.0, 9.5), 1.0), -0.5);
        assert_eq!(container.wall_gap(DVec3::splat(5.0), 1.0), 4.0);
    }
}
