//! Dimension of space in the cost model.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use super::{error::TuningError, radius_law::Moments};

/// Dimension of space, d. Its form in files is the number 2 or 3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub enum Dimension {
    /// Discs in the plane.
    Two = 2,
    /// Spheres in space.
    #[default]
    Three = 3,
}

impl From<Dimension> for u8 {
    fn from(dimension: Dimension) -> Self {
        dimension as Self
    }
}

impl TryFrom<u8> for Dimension {
    type Error = TuningError;

    fn try_from(number: u8) -> Result<Self, TuningError> {
        match number {
            2 => Ok(Self::Two),
            3 => Ok(Self::Three),
            _ => Err(TuningError::Dimension(number)),
        }
    }
}

impl Dimension {
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

    /// Returns x^d.
    pub(super) fn power(self, x: f64) -> f64 {
        x.powi(i32::from(u8::from(self)))
    }

    /// Returns `∫ (2r/s + 2)^d f(r) dr` for cell size s, from the moments over the range of the integral.
    pub(super) fn search_integral(self, moments: &Moments, cell_size: f64) -> f64 {
        let x = cell_size.recip();
        let [m0, m1, m2, m3] = *moments;
        match self {
            Self::Two => 4.0 * (m0 + x * (2.0 * m1 + x * m2)),
            Self::Three => 8.0 * (m0 + x * (3.0 * m1 + x * (3.0 * m2 + x * m3))),
        }
    }
}
