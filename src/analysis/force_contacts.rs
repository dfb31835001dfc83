//! The contacts of single spheres that bear force.

use crate::packing::Packing;

/// The contacts of each sphere that bear force, in a jammed packing.
///
/// # Example
/// ```
/// use jostle::{Container, Packing, Spheres, analysis::ForceContacts, glam::DVec3, packing::{ContactForces, WallForce}};
///
/// // A sphere between two walls, and one that nothing holds.
/// let container = Container::cuboid(DVec3::new(4.0, 4.0, 1.0), "wwp".parse()?)?;
/// let centers = vec![DVec3::new(1.0, 2.0, 0.5), DVec3::new(3.0, 2.0, 0.5)];
/// let wall = |x| WallForce { sphere: 0, normal: [x, 0.0, 0.0], force: 2.0 };
/// let forces = ContactForces::new(Vec::new(), Vec::new(), vec![wall(-1.0), wall(1.0)])?;
/// let packing = Packing::new(Spheres::new(centers, vec![0.5; 2]), container).with_forces(forces)?;
/// let contacts = ForceContacts::new(&packing).unwrap();
/// assert_eq!(contacts.with_walls, [2, 0]);
/// assert_eq!(contacts.is_rattler, [false, true]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ForceContacts {
    /// Number of contacts of each sphere with spheres. Contacts with several images of a neighbor, or with images of the sphere itself, are
    /// counted one by one.
    pub with_spheres: Vec<u32>,
    /// Number of contacts of each sphere with walls and bodies.
    pub with_walls: Vec<u32>,
    /// Whether each sphere is a rattler: a sphere that bears no force, and is not fixed.
    pub is_rattler: Vec<bool>,
}

impl ForceContacts {
    /// Counts the contacts of a packing; `None` if its forces are not known.
    ///
    /// # Cost
    /// O(N + contacts).
    pub fn new(packing: &Packing) -> Option<Self> {
        let forces = packing.forces()?;
        let count = packing.spheres().len();
        let (mut with_spheres, mut with_walls) = (vec![0; count], vec![0; count]);
        for (pair, &force) in forces.pairs.iter().zip(&forces.of_pairs) {
            for &sphere in pair.iter().filter(|_| force > 0.0) {
                with_spheres[sphere as usize] += 1;
            }
        }
        for wall in forces.walls.iter().filter(|wall| wall.force > 0.0) {
            with_walls[wall.sphere as usize] += 1;
        }
        let is_free = |id: usize| with_spheres[id] + with_walls[id] == 0 && !packing.is_fixed(id);
        Some(Self {
            is_rattler: (0..count).map(is_free).collect(),
            with_spheres,
            with_walls,
        })
    }

    /// Returns the number of contacts of a sphere, with walls and bodies.
    pub fn of(&self, sphere: usize) -> u32 {
        self.with_spheres[sphere] + self.with_walls[sphere]
    }
}
