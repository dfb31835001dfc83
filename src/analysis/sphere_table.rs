//! A table with one row for each sphere.

use super::{
    classes::size_classes, contacts::Contacts, error::AnalysisError, force_contacts::ForceContacts,
    rattlers::rattlers, tessellation::densities,
};
use crate::{container::Container, spheres::Spheres};

/// Quantities of single spheres, one value for each, in the order of the spheres.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SphereTable {
    /// Number of spheres that touch the sphere.
    pub contacts: Vec<u32>,
    /// Whether the sphere touches a wall or a body.
    pub touches_wall: Vec<bool>,
    /// Whether the sphere is a rattler: see [`rattlers`](fn@super::rattlers).
    pub is_rattler: Vec<bool>,
    /// Size class, from 0: see [`size_classes`].
    pub classes: Vec<u8>,
    /// Distance from the surface of the sphere to the nearest wall or body, negative for a sphere that crosses it. Infinite without walls
    /// and bodies.
    pub wall_gaps: Vec<f64>,
    /// Local packing fraction: the volume of the sphere divided by that of its [radical cell](super::cell_volumes), and infinite for a sphere
    /// without a cell. Absent in containers whose cells are not computed.
    pub local_densities: Option<Vec<f64>>,
    /// Contacts that bear force; absent if the forces are not known: see [`Self::with_forces`].
    pub forces: Option<ForceContacts>,
}

impl SphereTable {
    /// Computes the table. `contacts` were found for these spheres in this container.
    ///
    /// # Cost
    /// O(N + contacts) for spheres that overlap little.
    ///
    /// # Errors
    /// [`AnalysisError`] if a center or a radius is not accepted, or if the contacts belong to another number of spheres.
    pub fn new(
        spheres: &Spheres,
        container: &Container,
        contacts: &Contacts,
    ) -> Result<Self, AnalysisError> {
        let scene = contacts.scene(spheres, container)?;
        let local_densities = match densities(&scene) {
            Ok(densities) => Some(densities),
            Err(AnalysisError::NotConvex) => None,
            Err(error) => return Err(error),
        };
        let wall_gap = |(&center, &radius)| container.wall_gap(center, radius);
        Ok(Self {
            local_densities,
            contacts: contacts.numbers(),
            touches_wall: contacts
                .wall_contacts()
                .iter()
                .map(|&walls| walls > 0)
                .collect(),
            is_rattler: rattlers(contacts),
            classes: size_classes(spheres.radii()),
            wall_gaps: scene
                .centers
                .iter()
                .zip(&scene.radii)
                .map(wall_gap)
                .collect(),
            forces: None,
        })
    }

    /// Adds the contacts that bear force, or none.
    #[must_use]
    pub fn with_forces(self, forces: impl Into<Option<ForceContacts>>) -> Self {
        Self {
            forces: forces.into(),
            ..self
        }
    }
}
