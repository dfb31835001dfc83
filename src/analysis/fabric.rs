//! Fabric tensor: the directions of the contacts.

use serde::Serialize;

use super::{adjacency::by_task, contacts::Contacts, error::AnalysisError, scene::Scene};
use crate::{container::Container, spheres::Spheres};

/// The second-order fabric tensor of the contacts between spheres.
///
/// The tensor is the mean of `n ⊗ n` over all contacts, with the unit vector `n` between the two centers. Its trace is 1,
/// and it is a third of the identity if no direction is preferred. Wall contacts are not counted. A contact of two spheres
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
    /// parallel.
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
        if contacts.len() != spheres.len() {
            return Err(AnalysisError::OtherSpheres {
                contacts: contacts.len(),
                spheres: spheres.len(),
            });
        }
        Self::of_scene(&Scene::new(spheres, container)?, contacts)
    }

    /// Computes the fabric tensor of the contacts of a scene.
    pub(super) fn of_scene(scene: &Scene, contacts: &Contacts) -> Result<Self, AnalysisError> {
        let parts = by_task(scene.own.clone(), |spheres| {
            let (mut sum, mut count) = ([[0.0; 3]; 3], 0);
            for i in spheres {
                let later = contacts.of(i as u32).iter().filter(|&&j| j as usize > i);
                for &j in later {
                    let vector = scene.between(i, j as usize);
                    if let Some(normal) = vector.try_normalize() {
                        add(&mut sum, normal.to_array());
                        count += 1;
                    }
                }
            }
            (sum, count)
        });
        let sums = scene.ranks.sums_in_turn(9, |sums| {
            for (sum, _) in &parts {
                each(|row, column| sums[3 * row + column] += sum[row][column]);
            }
        });
        let contacts = scene
            .ranks
            .total(parts.iter().map(|(_, count)| count).sum());
        let mut tensor = [[0.0; 3]; 3];
        if contacts == 0 {
            return Err(AnalysisError::NoContacts);
        }
        each(|row, column| tensor[row][column] = sums[3 * row + column] / contacts as f64);
        Ok(Self {
            tensor,
            anisotropy: anisotropy(&tensor),
            contacts,
        })
    }
}

/// Calls `visit` with the row and column of each of the nine components.
fn each(mut visit: impl FnMut(usize, usize)) {
    for component in 0..9 {
        visit(component / 3, component % 3);
    }
}

/// Adds `n ⊗ n` to `sum`.
fn add(sum: &mut [[f64; 3]; 3], n: [f64; 3]) {
    each(|row, column| sum[row][column] += n[row] * n[column]);
}

/// Returns `sqrt(3/2 · D:D)` of the deviator D of a tensor with trace 1.
fn anisotropy(tensor: &[[f64; 3]; 3]) -> f64 {
    let mut squares = 0.0;
    each(|row, column| {
        let isotropic = if row == column { 1.0 / 3.0 } else { 0.0 };
        let deviator = tensor[row][column] - isotropic;
        squares += deviator * deviator;
    });
    (1.5 * squares).sqrt()
}
