//! The supports of spheres at rest.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::force::images;
use crate::{
    container::{Container, Direction},
    spheres::Spheres,
};

/// A contact that carries a part of the weight of a sphere.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Support {
    /// The sphere at this position of the arrays.
    Sphere(usize),
    /// A wall or a body, with the unit vector that points from it to the center of the sphere.
    Wall(DVec3),
}

/// The supports of each sphere of a packing at rest under gravity.
///
/// In JSON: `{"gravity": "-z", "stop_angle": 0, "ends": […], "ids": […], "walls": […]}`. The supports of sphere i are the `ids` from
/// `ends[i − 1]`, or 0, to `ends[i]`. An id below the number of spheres is a sphere. A larger one, less this number, is a position in
/// `walls`, which has the normals of walls and bodies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Supports {
    gravity: Direction,
    /// Slope in degrees at which the spheres stopped.
    #[serde(default)]
    stop_angle: f64,
    ends: Vec<u32>,
    ids: Vec<u32>,
    walls: Vec<DVec3>,
}

impl Supports {
    /// Creates the supports of spheres from a list for each sphere. `stop_angle` is the slope in degrees below which spheres do not roll: 90 if
    /// they stick to each other.
    pub fn new(gravity: Direction, stop_angle: f64, lists: &[Vec<Support>]) -> Self {
        let mut supports = Self {
            gravity,
            stop_angle,
            ends: Vec::with_capacity(lists.len()),
            ids: Vec::with_capacity(3 * lists.len()),
            walls: Vec::new(),
        };
        for list in lists {
            for support in list {
                let id = match *support {
                    Support::Sphere(id) => id,
                    Support::Wall(normal) => {
                        supports.walls.push(normal);
                        lists.len() + supports.walls.len() - 1
                    }
                };
                supports.ids.push(id as u32);
            }
            supports.ends.push(supports.ids.len() as u32);
        }
        supports
    }

    /// Returns the direction of gravity.
    pub fn gravity(&self) -> Direction {
        self.gravity
    }

    /// Returns the slope in degrees below which spheres do not roll.
    pub fn stop_angle(&self) -> f64 {
        self.stop_angle
    }

    /// Returns the number of spheres.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there is no sphere.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the number of supports of all spheres.
    pub fn total(&self) -> usize {
        self.ids.len()
    }

    /// Returns the supports of the sphere at a position of the arrays; none for fixed spheres.
    ///
    /// # Panics
    /// If there is no such sphere.
    pub fn of(&self, sphere: usize) -> impl Iterator<Item = Support> + '_ {
        let start = sphere.checked_sub(1).map_or(0, |k| self.ends[k] as usize);
        let ids = &self.ids[start..self.ends[sphere] as usize];
        ids.iter()
            .map(|&id| match (id as usize).checked_sub(self.len()) {
                None => Support::Sphere(id as usize),
                Some(wall) => Support::Wall(self.walls[wall]),
            })
    }

    /// Returns the supports of the sphere at a position of the arrays, each with a vector: of a sphere, from its center to the center of the
    /// sphere that rests on it, and of a wall, its normal.
    ///
    /// A support that is listed once touches through its nearest periodic image. Further entries of a sphere are its next nearest images.
    ///
    /// # Panics
    /// If there is no such sphere.
    pub fn with_branches(
        &self,
        sphere: usize,
        spheres: &Spheres,
        container: &Container,
    ) -> impl Iterator<Item = (Support, DVec3)> {
        let branch = move |k: usize, support: Support| {
            let other = match support {
                Support::Sphere(other) => other,
                Support::Wall(normal) => return (support, normal),
            };
            let centers = spheres.centers();
            let nearest = container.displacement(centers[other], centers[sphere]);
            let equal = |place: usize| {
                let listed = self.of(sphere).take(place);
                listed.filter(|&other| other == support).count()
            };
            let branch = if equal(usize::MAX) == 1 {
                nearest
            } else {
                let nth = images(nearest, false, container).get(equal(k)).copied();
                nth.unwrap_or(nearest)
            };
            (support, branch)
        };
        self.of(sphere)
            .enumerate()
            .map(move |(k, support)| branch(k, support))
    }

    /// Rejects numbers that contradict each other or the number of spheres.
    pub(super) fn check(&self, spheres: usize) -> Result<(), SupportsError> {
        let (ids, walls) = (self.ids.len(), self.walls.len());
        let are_known = self.ids.iter().all(|&id| (id as usize) < spheres + walls);
        let fits = self.ends.len() == spheres
            && self.ends.is_sorted()
            && self.ends.last().map_or(0, |&end| end as usize) == ids;
        if fits && are_known {
            return Ok(());
        }
        Err(SupportsError { spheres })
    }
}

/// Supports that do not belong to the spheres of a packing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the supports do not fit {spheres} spheres; ends must have one sorted number for each sphere, and ids must name spheres or walls"
)]
pub struct SupportsError {
    spheres: usize,
}
