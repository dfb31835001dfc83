//! Gap, direction and overlap of each contact.

use std::f64::consts::PI;

use glam::DVec3;

use super::{
    adjacency::by_task, constants::NEAR_CONTACT, contacts::Contacts, error::AnalysisError,
    scene::Scene,
};
use crate::{
    container::Container,
    packing::{ContactForces, WallForce},
    spheres::Spheres,
};

/// Contacts as data: the geometry of all pairs of touching spheres, and of the contacts with walls.
///
/// # Example
/// ```
/// use jostle::{Container, Spheres, analysis::{ContactTable, Contacts}, glam::DVec3};
///
/// let container = Container::cuboid(DVec3::splat(10.0), "ppw".parse()?)?;
/// let spheres = Spheres::new(vec![DVec3::new(0.5, 5.0, 0.5), DVec3::new(9.75, 5.0, 0.5)], vec![0.5; 2]);
/// let contacts = Contacts::new(&spheres, &container, 1e-4)?;
/// let table = ContactTable::new(&spheres, &container, &contacts)?;
/// assert_eq!(table.pairs, [[0, 1]]);
/// assert_eq!(table.of_pairs.gaps, [-0.25]);
/// assert_eq!(table.of_pairs.normals, [DVec3::NEG_X]);
/// assert_eq!(table.at_walls, [0, 1]);
/// assert_eq!(table.of_walls.normals[0], DVec3::NEG_Z);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ContactTable {
    /// Pairs of touching spheres, each with the smaller id first, in increasing order.
    pub pairs: Vec<[u32; 2]>,
    /// Geometry of the pairs, in their order.
    pub of_pairs: ContactGeometry,
    /// Spheres that touch a wall, in increasing order. A sphere that touches several walls is listed once, with the nearest one; with
    /// [forces](Self::with_forces), once for each wall that presses on it.
    pub at_walls: Vec<u32>,
    /// Geometry of the contacts with walls, in the order of the spheres.
    pub of_walls: ContactGeometry,
}

/// Geometry of contacts, one value for each.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ContactGeometry {
    /// Distance of the surfaces, negative for spheres that overlap.
    pub gaps: Vec<f64>,
    /// Unit vector from the center of the first sphere to that of the second one, or to the nearest point of the wall. It is 0 for spheres
    /// with the same center.
    pub normals: Vec<DVec3>,
    /// Area of the disc that is bounded by the circle in which the two surfaces intersect, or in which the sphere intersects the plane that
    /// touches the wall at its nearest point; 0 if the surfaces do not intersect.
    pub areas: Vec<f64>,
    /// Force of each contact, in units of pressure times the square of a length; absent if the forces are not known.
    pub forces: Option<Vec<f64>>,
}

impl ContactTable {
    /// Computes the geometry of `contacts`, which were found for these spheres in this container.
    ///
    /// # Cost
    /// O(N + contacts), on rayon's threads.
    ///
    /// # Errors
    /// [`AnalysisError`] if a center or a radius is not accepted, or if the contacts belong to another number of spheres.
    pub fn new(
        spheres: &Spheres,
        container: &Container,
        contacts: &Contacts,
    ) -> Result<Self, AnalysisError> {
        let scene = contacts.scene(spheres, container)?;
        let pairs = contacts.pairs().to_vec();
        let touching = (0_u32..).zip(contacts.wall_contacts());
        let at_walls: Vec<u32> = touching
            .filter(|(_, walls)| **walls > 0)
            .map(|(id, _)| id)
            .collect();
        Ok(Self {
            of_pairs: ContactGeometry::of(pairs.len(), |pair| of_pair(&scene, pairs[pair])),
            of_walls: ContactGeometry::of(at_walls.len(), |contact| {
                of_wall(&scene, at_walls[contact] as usize)
            }),
            pairs,
            at_walls,
        })
    }

    /// Adds the forces of these spheres in this container. Contacts without a force have the force 0, and a pair that touches through several
    /// periodic images has the sum of its forces.
    ///
    /// # Errors
    /// [`AnalysisError`] if a center or a radius is not accepted.
    pub fn with_forces(
        mut self,
        spheres: &Spheres,
        container: &Container,
        forces: &ContactForces,
    ) -> Result<Self, AnalysisError> {
        let scene = Scene::new(spheres, container)?;
        let force_of = |pair: &[u32; 2]| {
            let start = forces.pairs.partition_point(|other| other < pair);
            let equal = forces.pairs[start..]
                .iter()
                .take_while(|other| *other == pair);
            equal
                .zip(&forces.of_pairs[start..])
                .map(|(_, force)| force)
                .sum()
        };
        self.of_pairs.forces = Some(self.pairs.iter().map(force_of).collect());
        let mut walls: Vec<(u32, Option<WallForce>)> = Vec::new();
        let mut rest = forces.walls.as_slice();
        for &sphere in &self.at_walls {
            rest = &rest[rest.partition_point(|wall| wall.sphere < sphere)..];
            let (own, later) = rest.split_at(rest.partition_point(|wall| wall.sphere == sphere));
            walls.extend(own.iter().map(|wall| (sphere, Some(*wall))));
            if own.is_empty() {
                walls.push((sphere, None));
            }
            rest = later;
        }
        self.of_walls = ContactGeometry::of(walls.len(), |contact| {
            let (sphere, wall) = walls[contact];
            match wall {
                Some(wall) => of_pressing_wall(&scene, sphere as usize, wall.normal.into()),
                None => of_wall(&scene, sphere as usize),
            }
        });
        let force = |(_, wall): &(u32, Option<WallForce>)| wall.map_or(0.0, |wall| wall.force);
        self.of_walls.forces = Some(walls.iter().map(force).collect());
        self.at_walls = walls.into_iter().map(|(sphere, _)| sphere).collect();
        Ok(self)
    }
}

/// Gap, normal and area of a contact.
type Row = (f64, DVec3, f64);

impl ContactGeometry {
    fn of(count: usize, row: impl Fn(usize) -> Row + Sync) -> Self {
        let parts = by_task(0..count, |contacts| {
            contacts.map(&row).collect::<Vec<Row>>()
        });
        let mut geometry = Self::default();
        for (gap, normal, area) in parts.into_iter().flatten() {
            geometry.gaps.push(gap);
            geometry.normals.push(normal);
            geometry.areas.push(area);
        }
        geometry
    }
}

fn of_pair(scene: &Scene, pair: [u32; 2]) -> Row {
    let [a, b] = pair.map(|id| id as usize);
    let between = scene.between(a, b);
    let (distance, [r, s]) = (between.length(), [a, b].map(|id| scene.radii[id]));
    // Sixteen times the square of the area of the triangle of the two centers and a point of the circle (Heron).
    let product = (r + s - distance) * (distance + r - s) * (distance - r + s) * (distance + r + s);
    let area = if product > 0.0 {
        PI * product / (4.0 * distance * distance)
    } else {
        0.0
    };
    (distance - (r + s), between.normalize_or_zero(), area)
}

fn of_wall(scene: &Scene, id: usize) -> Row {
    let (distance, toward) = scene.container.nearest_wall(scene.centers[id]);
    at_distance(scene.radii[id], distance, toward)
}

/// Returns the contact with a wall toward which the unit vector `toward` points. It need not be the nearest wall of the center, but it is the
/// nearest one of a point near the contact.
fn of_pressing_wall(scene: &Scene, id: usize, toward: DVec3) -> Row {
    let radius = scene.radii[id];
    let shift = (1.0 - NEAR_CONTACT) * radius;
    let (rest, _) = scene
        .container
        .nearest_wall(scene.centers[id] + shift * toward);
    at_distance(radius, shift + rest, toward)
}

/// Returns the contact of a sphere with a wall at a distance from its center.
fn at_distance(radius: f64, distance: f64, toward: DVec3) -> Row {
    let area = PI * ((radius - distance) * (radius + distance)).max(0.0);
    (distance - radius, toward, area)
}
