//! Forces at the contacts of a jammed packing.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::{
    container::{Container, Direction},
    spheres::Spheres,
};

/// The forces at the contacts of a jammed packing under an isotropic pressure of 1, or under weights that cause this mean pressure.
///
/// Forces have the unit of pressure times the square of a length. They balance at every sphere that bears force, or carry its weight, which is
/// proportional to its volume. In a periodic box the stress tensor, which is the sum of force times branch vector over all pairs divided by the
/// volume, is the identity under a pressure. Rattlers have no forces, and pairs of fixed spheres neither.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
#[non_exhaustive]
pub struct ContactForces {
    /// The pairs of spheres that press on each other, by their positions in the arrays: the smaller position first, sorted.
    ///
    /// A pair that touches through several periodic images is listed once for each image, and a sphere that touches its own images is a pair
    /// of itself, once for an image and the opposite one. [`branches`](Self::branches) tells the images apart.
    pub pairs: Vec<[u32; 2]>,
    /// The repulsive force of each pair.
    pub of_pairs: Vec<f64>,
    /// The forces of walls and bodies, sorted by sphere. A sphere in a corner has several.
    pub walls: Vec<WallForce>,
    /// Direction of the weights; absent under a pressure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gravity: Option<Direction>,
}

/// The force between a sphere and a wall or body of the container.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WallForce {
    /// Position of the sphere in the arrays.
    pub sphere: u32,
    /// Unit vector from the center to the wall.
    pub normal: [f64; 3],
    /// The repulsive force.
    pub force: f64,
}

/// Forces in a text, before they are checked.
#[derive(Deserialize)]
struct Unchecked {
    pairs: Vec<[u32; 2]>,
    of_pairs: Vec<f64>,
    walls: Vec<WallForce>,
    #[serde(default)]
    gravity: Option<Direction>,
}

/// Forces that do not fit a packing.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ForceError {
    /// The lists have different lengths.
    #[error(
        "forces: there are {pairs} pairs and {forces} forces of pairs; their numbers must be equal"
    )]
    Lengths {
        /// The number of pairs.
        pairs: usize,
        /// The number of forces.
        forces: usize,
    },
    /// A force is negative or not finite.
    #[error("forces: a force is {force:?}; it must be finite and at least 0")]
    Force {
        /// The force.
        force: f64,
    },
    /// The direction of a wall is no unit vector.
    #[error("forces: the normal of a wall is {normal:?}; its length must be 1")]
    Normal {
        /// The normal.
        normal: [f64; 3],
    },
    /// The pairs or walls are not sorted.
    #[error(
        "forces: the contacts of sphere {sphere} are not in order; pairs must be sorted with the smaller number first, and walls by sphere"
    )]
    Order {
        /// The position of a sphere.
        sphere: u32,
    },
    /// There is no such sphere.
    #[error("forces: sphere {sphere} has a contact; there are only {spheres} spheres")]
    Sphere {
        /// The position of the sphere.
        sphere: u32,
        /// The number of spheres.
        spheres: usize,
    },
}

impl TryFrom<Unchecked> for ContactForces {
    type Error = ForceError;

    fn try_from(lists: Unchecked) -> Result<Self, ForceError> {
        let forces = Self::new(lists.pairs, lists.of_pairs, lists.walls)?;
        Ok(forces.under_weights(lists.gravity))
    }
}

/// Largest deviation of the length of a normal from 1, for files with rounded numbers.
const NORMAL_TOLERANCE: f64 = 1e-3;

impl ContactForces {
    /// Creates forces from sorted contacts.
    ///
    /// # Errors
    /// [`ForceError`] if the lists are not sorted, have different lengths, or hold a force or a normal that is not accepted.
    pub fn new(
        pairs: Vec<[u32; 2]>,
        of_pairs: Vec<f64>,
        walls: Vec<WallForce>,
    ) -> Result<Self, ForceError> {
        if pairs.len() != of_pairs.len() {
            let (pairs, forces) = (pairs.len(), of_pairs.len());
            return Err(ForceError::Lengths { pairs, forces });
        }
        let of_walls = walls.iter().map(|wall| wall.force);
        let mut forces = of_pairs.iter().copied().chain(of_walls);
        if let Some(force) = forces.find(|&force| !(0.0..f64::INFINITY).contains(&force)) {
            return Err(ForceError::Force { force });
        }
        let is_unit = |normal| (DVec3::from_array(normal).length() - 1.0).abs() <= NORMAL_TOLERANCE;
        if let Some(wall) = walls.iter().find(|wall| !is_unit(wall.normal)) {
            let normal = wall.normal;
            return Err(ForceError::Normal { normal });
        }
        let reversed = pairs.iter().find(|[first, second]| first > second);
        let before = pairs.windows(2).find(|two| two[0] > two[1]);
        let wall = walls.windows(2).find(|two| two[0].sphere > two[1].sphere);
        let pair = reversed.or(before.map(|two| &two[1]));
        if let Some(sphere) = pair.map(|pair| pair[0]).or(wall.map(|two| two[1].sphere)) {
            return Err(ForceError::Order { sphere });
        }
        Ok(Self {
            pairs,
            of_pairs,
            walls,
            gravity: None,
        })
    }

    /// Declares the direction of the weights that the contacts carry, or that there are none.
    #[must_use]
    pub fn under_weights(self, gravity: impl Into<Option<Direction>>) -> Self {
        let gravity = gravity.into();
        Self { gravity, ..self }
    }

    /// Returns the number of contacts that bear force.
    pub fn len(&self) -> usize {
        self.pairs.len() + self.walls.len()
    }

    /// Returns whether no contact bears force.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the branch vector of each pair: from the center of the first sphere to the image of the second one that it touches.
    ///
    /// A pair that is listed once touches through its nearest image. The further entries of a pair belong to its next nearest images.
    pub fn branches(&self, spheres: &Spheres, container: &Container) -> Vec<DVec3> {
        let centers = spheres.centers();
        let mut branches = Vec::with_capacity(self.pairs.len());
        for equal in self.pairs.chunk_by(PartialEq::eq) {
            let [first, second] = equal[0].map(|id| id as usize);
            let nearest = container.displacement(centers[first], centers[second]);
            if equal.len() == 1 && first != second {
                branches.push(nearest);
            } else {
                let images = images(nearest, first == second, container);
                branches.extend(images.into_iter().take(equal.len()));
            }
        }
        branches
    }

    /// Returns the forces after all lengths have been multiplied by `factor`, under the same pressure.
    pub(crate) fn scaled(&self, factor: f64) -> Self {
        let scaled = |force: f64| force * factor * factor;
        let wall = |wall: &WallForce| WallForce {
            force: scaled(wall.force),
            ..*wall
        };
        Self {
            pairs: self.pairs.clone(),
            of_pairs: self.of_pairs.iter().map(|&force| scaled(force)).collect(),
            walls: self.walls.iter().map(wall).collect(),
            gravity: self.gravity,
        }
    }

    /// Checks that there are such spheres.
    pub(super) fn check_ids(&self, spheres: usize) -> Result<(), ForceError> {
        // The second sphere of a pair is not before the first one.
        let of_pairs = self.pairs.iter().map(|pair| pair[1]);
        let last = of_pairs.chain(self.walls.last().map(|wall| wall.sphere));
        match last.max() {
            Some(sphere) if sphere as usize >= spheres => {
                Err(ForceError::Sphere { sphere, spheres })
            }
            _ => Ok(()),
        }
    }
}

/// Returns the images of a branch vector across periodic faces, the shortest first. Of the images of a sphere itself, one of each two
/// opposite ones is present.
pub(super) fn images(nearest: DVec3, is_same: bool, container: &Container) -> Vec<DVec3> {
    let along = |axis: usize| {
        if container.is_periodic(axis) {
            -1..=1
        } else {
            0..=0
        }
    };
    let mut shifts = Vec::new();
    for x in along(0) {
        for y in along(1) {
            shifts.extend(along(2).map(|z| [x, y, z]));
        }
    }
    if is_same {
        shifts.retain(|&shift| shift > [0; 3]);
    }
    let image =
        |shift: [i32; 3]| nearest + container.lengths() * DVec3::from_array(shift.map(f64::from));
    let mut images: Vec<DVec3> = shifts.into_iter().map(image).collect();
    images.sort_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
    images
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::container::Boundaries;

    #[test]
    fn branches_lead_to_the_images_in_contact() {
        let container = Container::cuboid(DVec3::new(2.0, 4.0, 9.0), Boundaries::PERIODIC).unwrap();
        let centers = vec![DVec3::new(0.5, 0.5, 8.5), DVec3::new(0.5, 2.5, 0.5)];
        let spheres = Spheres::new(centers, vec![1.0; 2]);
        let pairs = vec![[0, 0], [0, 1], [0, 1], [1, 1]];
        let forces = ContactForces::new(pairs, vec![1.0; 4], Vec::new()).unwrap();
        let branches = forces.branches(&spheres, &container);
        assert_eq!(branches[0], DVec3::new(2.0, 0.0, 0.0));
        assert_eq!(branches[1].z, 1.0);
        assert_eq!(branches[1].y, -branches[2].y);
        assert_eq!(branches[3], branches[0]);
    }

    #[test]
    fn wrong_forces_are_rejected() {
        let wall = |sphere, normal, force| WallForce {
            sphere,
            normal,
            force,
        };
        let x = [1.0, 0.0, 0.0];
        for (pairs, of_pairs, walls, message) in [
            (
                vec![[0, 1]],
                vec![],
                vec![],
                "forces: there are 1 pairs and 0 forces of pairs; their numbers must be equal",
            ),
            (
                vec![[0, 1]],
                vec![-1.0],
                vec![],
                "forces: a force is -1.0; it must be finite and at least 0",
            ),
            (
                vec![],
                vec![],
                vec![wall(0, x, f64::NAN)],
                "forces: a force is NaN; it must be finite and at least 0",
            ),
            (
                vec![],
                vec![],
                vec![wall(0, [1.0, 1.0, 0.0], 1.0)],
                "forces: the normal of a wall is [1.0, 1.0, 0.0]; its length must be 1",
            ),
            (
                vec![[2, 1]],
                vec![1.0],
                vec![],
                "forces: the contacts of sphere 2 are not in order; pairs must be sorted with the smaller number first, and walls by sphere",
            ),
            (
                vec![],
                vec![],
                vec![wall(1, x, 1.0), wall(0, x, 1.0)],
                "forces: the contacts of sphere 0 are not in order; pairs must be sorted with the smaller number first, and walls by sphere",
            ),
        ] {
            let error = ContactForces::new(pairs, of_pairs, walls).unwrap_err();
            assert_eq!(error.to_string(), message);
        }
        let forces = ContactForces::new(vec![[0, 7]], vec![1.0], Vec::new()).unwrap();
        let error = forces.check_ids(7).unwrap_err();
        let message = "forces: sphere 7 has a contact; there are only 7 spheres";
        assert_eq!(error.to_string(), message);
    }
}
