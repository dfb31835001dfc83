//! A table with one row for each sphere.

use super::{
    classes::size_classes, contacts::Contacts, error::AnalysisError, rattlers::rattlers,
    tessellation::cell_volumes, volumes::ball,
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
    /// Local packing fraction: the volume of the sphere divided by that of its [radical cell](cell_volumes), and infinite for a sphere without a
    /// cell. Absent in containers whose cells are not computed.
    pub local_densities: Option<Vec<f64>>,
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
        contacts.check(spheres)?;
        let local_densities = match cell_volumes(spheres, container) {
            Ok(volumes) => {
                let cells = spheres.radii().iter().zip(volumes);
                Some(cells.map(|(&radius, cell)| ball(radius) / cell).collect())
            }
            Err(AnalysisError::NotConvex) => None,
            Err(error) => return Err(error),
        };
        let wall_gap = |(center, radius)| container.wall_gap(container.wrap(center), radius);
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
            wall_gaps: spheres.iter().map(wall_gap).collect(),
        })
    }
}
