//! Soft spheres in a container that scales with their centers.
//!
//! Contacts of soft spheres.

use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};

use super::{
    constants::{CURVE_CELLS, LARGEST_SKIN, SHAKE, SHRINKAGE, STALE},
    surfaces::Surfaces,
};
use crate::{
    container::{Container, Direction},
    index::{Entry, GlobalIndex, IndexBuilder, IndexKind},
    machine::z_order::z_order,
    packing::Packing,
};

/// Two spheres that may overlap soon.
#[derive(Clone, Copy, Debug)]
struct Pair {
    ids: [u32; 2],
    /// Periods from the center of the second sphere to its image.
    image: DVec3,
    /// The sum of the radii.
    reach: f64,
}

/// A sphere that may overlap a surface soon.
#[derive(Clone, Copy, Debug)]
struct AtWall {
    id: u32,
    surface: u32,
}

/// Soft spheres in a container that scales with their centers. The unit of length is the mean diameter.
///
/// Two spheres whose radii have the sum s repel each other with the force s·h, where h is the overlap; a sphere and a wall like two equal
/// spheres. Lists hold all pairs that may overlap before a center has moved by a part of its skin.
pub(super) struct System {
    /// The mean diameter in the caller's unit.
    unit: f64,
    index: IndexKind,
    /// The container at scale 1.
    container: Container,
    surfaces: Surfaces,
    /// Factor of all lengths of the container.
    pub scale: f64,
    /// The caller's numbers of the spheres, which are sorted along a curve: neighbors in space are neighbors in memory.
    ids: Vec<u32>,
    centers: Vec<DVec3>,
    pub radii: Vec<f64>,
    /// Number of the last of the caller's spheres, which only move with the container.
    fixed: usize,
    largest: f64,
    /// Direction of the weights; absent if a pressure acts on the container.
    pub gravity: Option<Direction>,
    /// Sorted by ids and image.
    pairs: Vec<Pair>,
    /// Sorted by id and surface.
    walls: Vec<AtWall>,
    /// Share of a diameter that the lists reach beyond each sphere.
    skin: f64,
    /// The place for which the lists were made.
    listed: Place,
}

/// The load that presses the spheres on each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Load {
    /// Load of a pressure on the container, at scale 1.
    pub virial: f64,
    /// The weight of a mass of 1.
    pub weight: DVec3,
}

/// The centers, and the scale of the container.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Place {
    centers: Vec<DVec3>,
    scale: f64,
}

impl Place {
    /// Returns whether the place is one of this many spheres, inside or near the unit cube if lengths are divided by `length`.
    pub fn is_of(&self, spheres: usize, length: f64) -> bool {
        let largest = 2.0 * self.scale * length;
        let is_near = |center: &DVec3| center.abs().max_element() <= largest;
        self.scale > 0.0
            && largest.is_finite()
            && self.centers.len() == spheres
            && self.centers.iter().all(is_near)
    }
}

impl System {
    pub fn new(packing: &Packing, index: IndexKind, skin: f64) -> Self {
        let (spheres, container) = (packing.spheres(), packing.container());
        let radii = spheres.radii();
        let unit = 2.0 * radii.iter().sum::<f64>() / radii.len() as f64;
        let container = container.scaled(1.0 / unit);
        let centers = spheres.centers();
        let place = |id: &u32| {
            let cell = CURVE_CELLS * container.fractions(centers[*id as usize] / unit);
            z_order(cell.to_array().map(|at| at as u32))
        };
        let mut ids: Vec<u32> = (0..radii.len() as u32).collect();
        ids.sort_by_cached_key(place);
        let radii: Vec<f64> = ids.iter().map(|&id| radii[id as usize] / unit).collect();
        let largest = radii.iter().copied().fold(0.0, f64::max);
        let centers = ids.iter().map(|&id| centers[id as usize] / unit).collect();
        let mut system = Self {
            unit,
            index,
            surfaces: Surfaces::new(&container, largest),
            scale: 1.0,
            ids,
            centers,
            radii,
            fixed: packing.fixed(),
            largest,
            gravity: None,
            pairs: Vec::new(),
            walls: Vec::new(),
            skin,
            listed: Place::default(),
            container,
        };
        system.list(skin);
        system
    }

    /// Puts weights in the place of the pressure. The container is smaller by the share `room` until the overlaps are removed.
    pub fn under_weights(mut self, gravity: Direction, room: f64) -> Self {
        self.gravity = Some(gravity);
        self.scale = 1.0 - room;
        let scale = self.scale;
        self.centers.iter_mut().for_each(|center| *center *= scale);
        self.list(self.skin);
        self
    }

    /// Returns the mean diameter in the caller's unit.
    pub fn unit(&self) -> f64 {
        self.unit
    }

    /// Returns the load at which the mean overlap of jammed spheres is this share of their diameters: each sphere has as many contacts as space
    /// has dimensions, shared with its neighbors. Of the virial, each direction has an equal share; along gravity, it is that of the weights.
    pub fn load(&self, overlap: f64) -> Load {
        let Some(down) = self.gravity.map(Direction::vector) else {
            let cubes = self.radii.iter().map(|radius| (2.0 * radius).powi(3));
            let virial = self.dimension() * overlap * cubes.sum::<f64>();
            return Load {
                virial,
                weight: DVec3::ZERO,
            };
        };
        let heights = self.centers.iter().map(|center| -center.dot(down));
        let lowest = heights.clone().fold(f64::INFINITY, f64::min);
        let moments = (heights.zip(self.masses())).map(|(height, mass)| (height - lowest) * mass);
        let mean = moments.sum::<f64>() / self.masses().sum::<f64>();
        Load {
            virial: 0.0,
            // Spheres in one layer have contacts with the floor only.
            weight: overlap / mean.max(1.0) * down,
        }
    }

    /// Returns the weights of the spheres, in the caller's order.
    pub fn weights(&self, load: Load) -> Vec<DVec3> {
        let mut weights = vec![DVec3::ZERO; self.ids.len()];
        for (id, mass) in self.ids.iter().zip(self.masses()) {
            weights[*id as usize] = mass * load.weight;
        }
        weights
    }

    /// Returns the masses of the spheres: those of the squares or cubes around them.
    pub fn masses(&self) -> impl Iterator<Item = f64> {
        let dimension = self.container.dimension();
        (self.radii.iter()).map(move |radius| dimension.power(2.0 * radius))
    }

    /// Returns the growth of the volume with the scale, relative to its value at scale 1.
    pub fn volume(&self) -> f64 {
        self.container.dimension().power(self.scale)
    }

    fn dimension(&self) -> f64 {
        self.container.dimension().number() as f64
    }

    /// Returns the centers as shares of the bounding box, in the caller's order.
    pub fn fractions(&self) -> Vec<DVec3> {
        let mut fractions = vec![DVec3::ZERO; self.ids.len()];
        for (id, center) in self.ids.iter().zip(&self.centers) {
            fractions[*id as usize] = self.container.fractions(*center / self.scale);
        }
        fractions
    }

    /// Moves all centers and the container, which grows by `growth`, both in this unit. Makes new lists if they are stale.
    pub fn advance(&mut self, displacements: impl Iterator<Item = DVec3>, growth: f64, unit: f64) {
        let growth = 1.0 + unit * growth;
        for (center, step) in self.centers.iter_mut().zip(displacements) {
            *center = growth * *center + unit * step;
        }
        self.scale *= growth;
        if self.is_stale() {
            self.list(self.skin);
        }
    }

    /// Returns the present place.
    pub fn place(&self) -> Place {
        Place {
            centers: self.centers.clone(),
            scale: self.scale,
        }
    }

    /// Returns the longest side of the bounding box at scale 1.
    pub fn length(&self) -> f64 {
        self.container.lengths().max_element()
    }

    /// Displaces all spheres that are not fixed a little at random: layers that are exactly flat do not buckle.
    pub fn shake(&mut self, seed: u64) {
        let mut random = Pcg64::seed_from_u64(seed);
        let are_fixed: Vec<bool> = self.are_fixed().collect();
        let spheres = self.centers.iter_mut().zip(&self.radii).zip(are_fixed);
        for ((center, radius), _) in spheres.filter(|(_, is_fixed)| !is_fixed) {
            let by: [f64; 3] = [random.random(), random.random(), random.random()];
            *center += SHAKE * radius * (2.0 * DVec3::from(by) - DVec3::ONE);
        }
        self.list(self.skin);
    }

    /// Moves all centers and the container to a place, and makes new lists.
    pub fn restore(&mut self, place: Place) {
        (self.centers, self.scale) = (place.centers, place.scale);
        self.list(self.skin);
    }

    /// Returns the contacts that bear force, with the caller's numbers of the spheres and in no order.
    pub fn contacts(&self) -> Vec<Contact> {
        let mut contacts = Vec::new();
        self.visit(0.0, |contact| {
            let sphere = self.ids[contact.sphere as usize];
            contacts.push(match contact.partner {
                Partner::Wall => Contact { sphere, ..contact },
                Partner::Sphere(partner) => {
                    let other = self.ids[partner as usize];
                    let normal = if other < sphere {
                        -contact.normal
                    } else {
                        contact.normal
                    };
                    Contact {
                        sphere: sphere.min(other),
                        partner: Partner::Sphere(sphere.max(other)),
                        normal,
                        ..contact
                    }
                }
            });
        });
        contacts
    }

    /// Visits pairs, and then walls, with gaps up to `within` diameters of each sphere, both sorted by sphere.
    pub fn visit(&self, within: f64, mut visit: impl FnMut(Contact)) {
        let lengths = self.scale * self.container.lengths();
        for pair in &self.pairs {
            let [a, b] = pair.ids.map(|id| id as usize);
            let branch = self.centers[b] + pair.image * lengths - self.centers[a];
            let limit = pair.reach + within * (self.counted(a) + self.counted(b));
            let squared = branch.length_squared();
            if squared < limit * limit {
                let distance = squared.sqrt();
                visit(Contact {
                    sphere: pair.ids[0],
                    partner: Partner::Sphere(pair.ids[1]),
                    reach: pair.reach,
                    smaller: 2.0 * self.radii[a].min(self.radii[b]),
                    normal: branch / distance,
                    distance,
                    stiffness: pair.reach,
                });
            }
        }
        for wall in &self.walls {
            let id = wall.id as usize;
            let (center, reach) = (self.centers[id], self.radii[id]);
            let limit = (reach + within * self.counted(id)) / self.scale;
            let found = self
                .surfaces
                .distance_within(wall.surface, center / self.scale, limit);
            if let Some((distance, normal)) = found {
                visit(Contact {
                    sphere: wall.id,
                    partner: Partner::Wall,
                    reach,
                    smaller: 2.0 * reach,
                    normal,
                    distance: self.scale * distance,
                    stiffness: 2.0 * reach,
                });
            }
        }
    }

    /// Returns the number of spheres that are not fixed.
    pub fn free(&self) -> usize {
        self.ids.len() - self.fixed
    }

    /// Returns whether each sphere only moves with the container.
    pub fn are_fixed(&self) -> impl Iterator<Item = bool> {
        let free = self.free();
        self.ids.iter().map(move |id| *id as usize >= free)
    }

    /// Returns the radius of a sphere as far as it counts for its reach.
    pub fn counted(&self, id: usize) -> f64 {
        self.radii[id].min(LARGEST_SKIN)
    }

    /// Returns how far a sphere reaches beyond touching in the lists.
    fn skin_of(&self, id: usize) -> f64 {
        2.0 * self.skin * self.counted(id)
    }

    /// Returns whether a pair that is not listed may overlap.
    fn is_stale(&self) -> bool {
        let growth = self.scale / self.listed.scale;
        let has_moved = |(id, (center, listed)): (usize, (&DVec3, &DVec3))| {
            let limit = STALE * self.skin_of(id);
            center.distance_squared(growth * *listed) > limit * limit
        };
        let mut spheres = self.centers.iter().zip(&self.listed.centers).enumerate();
        // Spheres that move with the container approach each other, too.
        let shrinks = growth * (1.0 + SHRINKAGE * self.skin / self.largest.max(1.0)) < 1.0;
        shrinks || spheres.any(has_moved)
    }

    /// Makes lists that reach `skin` diameters beyond each sphere.
    pub fn list(&mut self, skin: f64) {
        self.skin = skin;
        self.listed = self.place();
        self.pairs = self.near_pairs();
        let key = |pair: &Pair| {
            (
                pair.ids,
                pair.image.to_array().map(|periods| periods as i64),
            )
        };
        self.pairs.sort_unstable_by_key(key);
        self.walls = self.near_walls();
    }

    /// Returns all pairs that may overlap soon, in any order.
    fn near_pairs(&self) -> Vec<Pair> {
        let lengths = self.container.lengths();
        let entry = |(id, center): (usize, &DVec3)| Entry {
            center: (self.container.wrap(*center / self.scale)).clamp(DVec3::ZERO, lengths),
            radius: (self.radii[id] + self.skin_of(id)) / self.scale,
            id: id as u32,
        };
        let entries: Vec<Entry> = self.centers.iter().enumerate().map(entry).collect();
        let index: Box<dyn GlobalIndex> = self.index.build(&self.container, &entries);
        let mut pairs = Vec::new();
        for own in &entries {
            index.visit_candidates(own.center, own.radius, &mut |others| {
                for &other in others.iter().filter(|&&other| other >= own.id) {
                    self.add_images(own.id, other, &mut pairs);
                }
            });
        }
        pairs
    }

    /// Adds all images of the second sphere that may overlap the first one soon. Of two opposite images of a sphere itself, one is added.
    fn add_images(&self, own: u32, other: u32, pairs: &mut Vec<Pair>) {
        let lengths = self.scale * self.container.lengths();
        let [a, b] = [own, other].map(|id| id as usize);
        let reach = self.radii[a] + self.radii[b];
        let within = reach + self.skin_of(a) + self.skin_of(b);
        let branch = self.centers[b] - self.centers[a];
        let along = |axis: usize| {
            let nearest = if self.container.is_periodic(axis) {
                -(branch[axis] / lengths[axis]).round()
            } else {
                0.0
            };
            let images = [nearest - 1.0, nearest, nearest + 1.0].into_iter();
            images.filter(move |&image| {
                let is_image = image == 0.0 || self.container.is_periodic(axis);
                is_image && (branch[axis] + image * lengths[axis]).abs() < within
            })
        };
        for x in along(0) {
            for y in along(1) {
                for z in along(2) {
                    let image = DVec3::new(x, y, z);
                    let is_counted = a != b || [x, y, z] > [0.0; 3];
                    if is_counted && (branch + image * lengths).length() < within {
                        let ids = [own, other];
                        pairs.push(Pair { ids, image, reach });
                    }
                }
            }
        }
    }

    /// Returns all spheres at surfaces that may overlap them soon.
    fn near_walls(&self) -> Vec<AtWall> {
        let mut walls = Vec::new();
        for (id, radius) in self.radii.iter().enumerate() {
            let reach = (radius + self.skin_of(id)) / self.scale;
            let center = self.centers[id] / self.scale;
            let id = id as u32;
            let surfaces = self.surfaces.near(center, reach);
            walls.extend(surfaces.into_iter().map(|surface| AtWall { id, surface }));
        }
        walls
    }
}

/// The partner of a sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Partner {
    /// The image of the sphere with this id.
    Sphere(u32),
    Wall,
}

/// A sphere and a partner that press on each other, or nearly so.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    pub sphere: u32,
    pub partner: Partner,
    /// The sum of the radii, or the radius at a wall.
    pub reach: f64,
    /// Diameter of the smaller sphere.
    pub smaller: f64,
    /// Unit vector from the sphere to its partner.
    pub normal: DVec3,
    /// Distance of the centers, or of the center from the wall.
    pub distance: f64,
    /// Force by overlap.
    pub stiffness: f64,
}

impl Contact {
    /// Returns the overlap, or minus the gap.
    pub fn overlap(&self) -> f64 {
        self.reach - self.distance
    }

    /// Returns the repulsive force.
    pub fn force(&self) -> f64 {
        self.stiffness * self.overlap().max(0.0)
    }
}
