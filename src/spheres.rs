//! Centers and radii.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::dimension::Dimension;

/// Spheres as a structure of arrays: sphere `i` has center `centers()[i]` and radius `radii()[i]`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Arrays")]
pub struct Spheres {
    centers: Vec<DVec3>,
    radii: Vec<f64>,
}

/// Arrays before their lengths are compared.
#[derive(Deserialize)]
struct Arrays {
    centers: Vec<DVec3>,
    radii: Vec<f64>,
}

impl TryFrom<Arrays> for Spheres {
    type Error = String;

    fn try_from(Arrays { centers, radii }: Arrays) -> Result<Self, Self::Error> {
        if centers.len() == radii.len() {
            return Ok(Self { centers, radii });
        }
        Err(format!(
            "there are {} centers and {} radii; their numbers must be equal",
            centers.len(),
            radii.len()
        ))
    }
}

impl Spheres {
    /// Creates spheres from their centers and radii, in the same order.
    ///
    /// # Panics
    /// If the two arrays have different lengths.
    pub fn new(centers: Vec<DVec3>, radii: Vec<f64>) -> Self {
        assert_eq!(centers.len(), radii.len(), "one radius for each center");
        Self { centers, radii }
    }

    /// Returns the number of spheres.
    pub fn len(&self) -> usize {
        self.radii.len()
    }

    /// Returns whether there is no sphere.
    pub fn is_empty(&self) -> bool {
        self.radii.is_empty()
    }

    /// Returns the centers.
    pub fn centers(&self) -> &[DVec3] {
        &self.centers
    }

    /// Returns the centers and the radii.
    pub fn into_parts(self) -> (Vec<DVec3>, Vec<f64>) {
        (self.centers, self.radii)
    }

    /// Returns the radii.
    pub fn radii(&self) -> &[f64] {
        &self.radii
    }

    /// Returns an iterator over the center and radius of every sphere.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (DVec3, f64)> + '_ {
        self.centers.iter().copied().zip(self.radii.iter().copied())
    }

    /// Returns the sum of the volumes.
    pub fn volume(&self) -> f64 {
        total_volume(&self.radii)
    }
}

/// Returns the sum of the volumes of spheres with the given radii.
pub fn total_volume(radii: &[f64]) -> f64 {
    Dimension::Three.volume(radii)
}
