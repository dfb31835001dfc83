//! The dimension of space, and what sizes mean in it.

use std::f64::consts::PI;

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Dimension of space, d. Its form in files is the number 2 or 3.
///
/// In the plane, a sphere is a disk, and a volume is an area.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub enum Dimension {
    /// Disks in the plane.
    Two = 2,
    /// Spheres in space.
    #[default]
    Three = 3,
}

/// A dimension other than 2 and 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("dimension {0}; it must be 2 or 3")]
pub struct DimensionError(u8);

impl From<Dimension> for u8 {
    fn from(dimension: Dimension) -> Self {
        dimension as Self
    }
}

impl TryFrom<u8> for Dimension {
    type Error = DimensionError;

    fn try_from(number: u8) -> Result<Self, DimensionError> {
        match number {
            2 => Ok(Self::Two),
            3 => Ok(Self::Three),
            _ => Err(DimensionError(number)),
        }
    }
}

impl Dimension {
    /// Returns d.
    pub fn number(self) -> usize {
        self as usize
    }

    /// Returns the volume of the unit sphere, V_d.
    pub fn unit_sphere(self) -> f64 {
        match self {
            Self::Two => PI,
            Self::Three => 4.0 / 3.0 * PI,
        }
    }

    /// Returns half the number of cells around a cell, n_c = (3^d − 1)/2.
    pub fn half_neighborhood(self) -> f64 {
        match self {
            Self::Two => 4.0,
            Self::Three => 13.0,
        }
    }

    /// Returns the volume of spheres whose diameters, each to the power d, have the sum `powers`.
    pub(crate) fn of_diameters(self, powers: f64) -> f64 {
        match self {
            Self::Two => PI / 4.0 * powers,
            Self::Three => PI / 6.0 * powers,
        }
    }

    /// Returns the sum of the diameters, each to the power d, of spheres with a total volume: the inverse of [`Self::of_diameters`].
    pub(crate) fn diameters_of(self, volume: f64) -> f64 {
        match self {
            Self::Two => volume * 4.0 / PI,
            Self::Three => volume * 6.0 / PI,
        }
    }

    /// Returns the volume of spheres with the given radii.
    pub fn volume(self, radii: &[f64]) -> f64 {
        self.unit_sphere() * radii.iter().map(|&radius| self.power(radius)).sum::<f64>()
    }

    /// Returns the volume of a box with these side lengths.
    pub(crate) fn of_box(self, lengths: DVec3) -> f64 {
        match self {
            Self::Two => lengths.x * lengths.y,
            Self::Three => lengths.element_product(),
        }
    }

    /// Returns x^d.
    #[inline]
    pub(crate) fn power(self, x: f64) -> f64 {
        match self {
            Self::Two => x * x,
            Self::Three => x * x * x,
        }
    }

    /// Returns the d-th root of x.
    pub(crate) fn root(self, x: f64) -> f64 {
        match self {
            Self::Two => x.sqrt(),
            Self::Three => libm::cbrt(x),
        }
    }

    /// Returns d as a factor or an exponent.
    pub(crate) fn exponent(self) -> f64 {
        match self {
            Self::Two => 2.0,
            Self::Three => 3.0,
        }
    }
}
