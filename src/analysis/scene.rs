//! Spheres that are checked for the analysis, and distances between them.

use glam::DVec3;

use super::error::AnalysisError;
use crate::{container::Container, spheres::Spheres};

/// Spheres in a container, with centres inside it.
pub(super) struct Scene<'a> {
    /// Centres, wrapped into the container.
    pub(super) centers: Vec<DVec3>,
    /// Radii.
    pub(super) radii: &'a [f64],
    /// The container.
    pub(super) container: &'a Container,
    /// Lengths along periodic axes, infinity along the others.
    periods: DVec3,
}

impl<'a> Scene<'a> {
    /// Checks and wraps the spheres.
    ///
    /// # Errors
    /// [`AnalysisError`] if a centre or a radius is not accepted, or if there are too many spheres.
    pub(super) fn new(
        spheres: &'a Spheres,
        container: &'a Container,
    ) -> Result<Self, AnalysisError> {
        let (count, lengths) = (spheres.len(), container.lengths());
        if u32::try_from(count).is_err() {
            return Err(AnalysisError::TooManySpheres { spheres: count });
        }
        let mut centers = Vec::with_capacity(count);
        for (id, (center, radius)) in spheres.iter().enumerate() {
            if !(radius > 0.0 && radius.is_finite()) {
                return Err(AnalysisError::Radius { id, radius });
            }
            let wrapped = container.wrap(center);
            let is_inside = wrapped.cmpge(DVec3::ZERO).all() && wrapped.cmple(lengths).all();
            if !(center.is_finite() && is_inside) {
                return Err(AnalysisError::Center { id, center });
            }
            centers.push(wrapped);
        }
        Ok(Self {
            centers,
            radii: spheres.radii(),
            container,
            periods: container.periods(),
        })
    }

    /// Returns the number of spheres.
    pub(super) fn len(&self) -> usize {
        self.radii.len()
    }

    /// Returns the shortest vector between any periodic images of two points in the container: the value of
    /// [`Container::displacement`], without a choice of the container's shape for each pair.
    #[inline]
    pub(super) fn displacement(&self, from: DVec3, to: DVec3) -> DVec3 {
        let shortest = |d: f64, period: f64| {
            if d > 0.5 * period {
                d - period
            } else if d < -0.5 * period {
                d + period
            } else {
                d
            }
        };
        let d = to - from;
        DVec3::new(
            shortest(d.x, self.periods.x),
            shortest(d.y, self.periods.y),
            shortest(d.z, self.periods.z),
        )
    }

    /// Returns the displacement between the centres of two spheres.
    #[inline]
    pub(super) fn between(&self, from: usize, to: usize) -> DVec3 {
        self.displacement(self.centers[from], self.centers[to])
    }

    /// Returns the gap between two spheres.
    #[inline]
    pub(super) fn gap(&self, a: usize, b: usize) -> f64 {
        self.between(a, b).length() - (self.radii[a] + self.radii[b])
    }

    /// Returns whether the gap of two spheres is at most `tolerance` smaller diameters.
    #[inline]
    pub(super) fn is_near(&self, a: usize, b: usize, tolerance: f64) -> bool {
        self.gap(a, b) <= tolerance * 2.0 * self.radii[a].min(self.radii[b])
    }
}
