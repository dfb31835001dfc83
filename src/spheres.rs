//! Centres and radii.

use std::f64::consts::PI;

use glam::DVec3;

/// Spheres as a structure of arrays: sphere `i` has centre `centers()[i]` and radius `radii()[i]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spheres {
    centers: Vec<DVec3>,
    radii: Vec<f64>,
}

impl Spheres {
    /// Spheres from their centres and radii, in the same order.
    ///
    /// # Panics
    /// When the two have different lengths.
    pub fn new(centers: Vec<DVec3>, radii: Vec<f64>) -> Self {
        assert_eq!(centers.len(), radii.len(), "one radius for each centre");
        Self { centers, radii }
    }

    /// The number of spheres.
    pub fn len(&self) -> usize {
        self.radii.len()
    }

    /// Whether there is no sphere at all.
    pub fn is_empty(&self) -> bool {
        self.radii.is_empty()
    }

    /// The centres.
    pub fn centers(&self) -> &[DVec3] {
        &self.centers
    }

    /// The centres, without the radii.
    pub fn into_centers(self) -> Vec<DVec3> {
        self.centers
    }

    /// The radii.
    pub fn radii(&self) -> &[f64] {
        &self.radii
    }

    /// Centre and radius of every sphere in turn.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (DVec3, f64)> + '_ {
        self.centers.iter().copied().zip(self.radii.iter().copied())
    }

    /// The sum of the volumes.
    pub fn volume(&self) -> f64 {
        total_volume(&self.radii)
    }
}

/// The sum of the volumes of spheres with the given radii.
pub fn total_volume(radii: &[f64]) -> f64 {
    4.0 / 3.0 * PI * radii.iter().map(|r| r * r * r).sum::<f64>()
}
