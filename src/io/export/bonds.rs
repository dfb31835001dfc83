//! Bonds between the spheres of a scene.

use std::io;

use super::{invalid::invalid, scene::Scene};
use crate::{analysis::Contacts, spheres::Spheres};

/// A bond between two spheres.
#[derive(Clone, Copy, Debug)]
pub(in crate::io) struct Bond {
    /// Positions of the spheres in the scene.
    pub spheres: [usize; 2],
    /// Distance of the centers, across periodic faces too.
    pub length: f64,
}

impl Scene<'_> {
    /// Returns a bond for each pair of spheres whose gap is at most `tolerance` smaller diameters.
    ///
    /// # Errors
    /// One of kind [`io::ErrorKind::InvalidInput`] if the contacts cannot be found.
    pub(in crate::io) fn bonds(&self, tolerance: f64) -> io::Result<Vec<Bond>> {
        let centers = self.spheres.centers().iter();
        let centers = centers.map(|&center| self.container.wrap(center - self.low));
        let spheres = Spheres::new(centers.collect(), self.spheres.radii().to_vec());
        let contacts = Contacts::new(&spheres, &self.container, tolerance)
            .map_err(|error| invalid(error.to_string()))?;
        let bond = |pair: &[u32; 2]| {
            let spheres_of = pair.map(|sphere| sphere as usize);
            let [a, b] = spheres_of.map(|sphere| spheres.centers()[sphere]);
            Bond {
                spheres: spheres_of,
                length: self.container.displacement(a, b).length(),
            }
        };
        Ok(contacts.pairs().iter().map(bond).collect())
    }
}
