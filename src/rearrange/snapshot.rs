//! The spheres of a run between two sweeps, for inspection.

use glam::DVec3;

use super::{halo::Gathered, packer::Packer};
use crate::container::Container;

impl Packer {
    /// Returns the requested radii, in the caller's order and unit. On ranks, those of the share of this rank.
    pub fn radii(&self) -> &[f64] {
        &self.radii.given
    }

    /// Returns the container at its present size, in the caller's unit.
    pub fn container(&self) -> Container {
        let points = &self.state.points;
        let (container, scale) = (points.container(), points.scale);
        match &self.requested {
            // Fixed spheres are no part of the container.
            Some(requested) if self.options.fixed.is_some() => {
                let present = container.lengths().x * self.radii.unit / scale;
                requested.scaled(present / requested.lengths().x)
            }
            _ => container.scaled(self.radii.unit / scale),
        }
    }

    /// Returns the present centers in [`Packer::container`], in the caller's order and unit. Spheres may overlap. The
    /// coordinates of a pending sphere, which is not yet in the container, are NaN, and so are those of a sphere that was left out.
    ///
    /// Cost: 24 bytes per sphere. On ranks, all of them must call.
    ///
    /// # Example
    /// ```
    /// use jostle::{PackOptions, Packer};
    ///
    /// let mut packer = Packer::new(&[0.5; 200], &PackOptions::default())?;
    /// packer.sweep();
    /// let length = packer.container().lengths().x;
    /// assert!(packer.centers().iter().all(|center| (0.0..length).contains(&center.x)));
    /// # Ok::<(), jostle::rearrange::PackError>(())
    /// ```
    pub fn centers(&self) -> Vec<DVec3> {
        let state = &self.state;
        let unit = self.radii.unit / state.points.scale;
        let mut centers = vec![DVec3::NAN; self.divided_radii().len()];
        let Gathered { points, original } = state.gathered();
        for (point, &original) in points.iter().zip(original.iter()) {
            centers[original as usize] = unit * state.points.frame().center(point.at);
        }
        centers
    }
}
