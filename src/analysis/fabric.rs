//! Fabric tensor: the directions of the contacts.

use glam::DMat3;
use serde::Serialize;

use super::{
    adjacency::by_task,
    contacts::Contacts,
    error::AnalysisError,
    scene::Scene,
    stress::{equivalent_deviator, parallel},
};
use crate::{container::Container, spheres::Spheres};

/// The second-order fabric tensor of the contacts between spheres.
///
/// The tensor is the mean of `n ⊗ n` over all contacts, with the unit vector `n` between the two centers. Its trace is 1,
/// and it is a third of the identity if no direction is preferred; half of that of x and y in the plane. Wall contacts are not counted. A contact of two spheres
/// with equal centers has no direction and is skipped.
///
/// # References
/// M. Satake, Fabric tensor in granular materials, in: Deformation and Failure of Granular Materials (1982) 63–68, and
/// M. Oda, Fabric tensor for discontinuous geological materials, Soils and Foundations 22 (1982) 96–108,
/// [doi:10.3208/sandf1972.22.4_96](https://doi.org/10.3208/sandf1972.22.4_96).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Fabric {
    /// The mean of `n ⊗ n`, symmetric, without unit.
    pub tensor: [[f64; 3]; 3],
    /// `sqrt(3/2 · D:D)` of the deviator `D = tensor − identity / 3`: 0 without a preferred direction, 1 if all contacts are
    /// parallel. In the plane, it is `sqrt(2 · D:D)` of `D = tensor − identity / 2`.
    ///
    /// For M contacts in independent random directions its expected square is `1 / M`, so that only larger values show a
    /// preferred direction.
    pub anisotropy: f64,
    /// Number of contacts in the mean.
    pub contacts: usize,
}

impl Fabric {
    /// Computes the fabric tensor of `contacts`, which were found for these spheres in this container.
    ///
    /// # Cost
    /// O(N + contacts), on rayon's threads.
    ///
    /// # Errors
    /// [`AnalysisError`] if a center or a radius is not accepted, if the contacts belong to another number of spheres, or if
    /// no contact has a direction.
    pub fn new(
        spheres: &Spheres,
        container: &Container,
        contacts: &Contacts,
    ) -> Result<Self, AnalysisError> {
        let scene = contacts.scene(spheres, container)?;
        Self::of_scene(&scene, contacts)
    }

    /// Computes the fabric tensor of the contacts of a scene.
    pub(super) fn of_scene(scene: &Scene, contacts: &Contacts) -> Result<Self, AnalysisError> {
        let parts = by_task(scene.own.clone(), |spheres| {
            let (mut sum, mut count) = (DMat3::ZERO, 0_usize);
            for i in spheres {
                let later = contacts.of(i as u32).iter().filter(|&&j| j as usize > i);
                for &j in later {
                    if let Some(n) = scene.between(i, j as usize).try_normalize() {
                        sum += parallel(n, 1.0);
                        count += 1;
                    }
                }
            }
            (sum, count)
        });
        let add = |sum: DMat3| parts.iter().fold(sum, |sum, part| sum + part.0);
        let sum = scene.ranks.in_turn(DMat3::ZERO, add);
        let contacts = scene.ranks.total(parts.iter().map(|part| part.1).sum());
        if contacts == 0 {
            return Err(AnalysisError::NoContacts);
        }
        let tensor = sum / contacts as f64;
        let dimension = scene.dimension();
        Ok(Self {
            // Symmetric: the columns are the rows.
            tensor: tensor.to_cols_array_2d(),
            anisotropy: equivalent_deviator(dimension, tensor, 1.0 / dimension.exponent()),
            contacts,
        })
    }
}
