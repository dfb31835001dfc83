//! Contacts that bear force, and motions of all centers with the container.

use glam::DVec3;

/// The partner of a sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Partner {
    /// The image of the sphere with this id.
    Sphere(u32),
    Wall,
}

/// A sphere and a partner that press on each other.
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
    /// Repulsive force.
    pub force: f64,
}

/// A change of all centers relative to a container that grows, or the forces against such changes.
#[derive(Clone, Debug)]
pub(super) struct Motion {
    pub centers: Vec<DVec3>,
    /// Relative growth of all lengths.
    pub growth: f64,
}

impl Motion {
    pub fn zero(spheres: usize) -> Self {
        Self {
            centers: vec![DVec3::ZERO; spheres],
            growth: 0.0,
        }
    }

    pub fn dot(&self, other: &Self) -> f64 {
        let of_centers: f64 = (self.centers.iter().zip(&other.centers))
            .map(|(a, b)| a.dot(*b))
            .sum();
        of_centers + self.growth * other.growth
    }

    /// Adds `factor` times another motion.
    pub fn add(&mut self, factor: f64, other: &Self) {
        for (own, other) in self.centers.iter_mut().zip(&other.centers) {
            *own += factor * *other;
        }
        self.growth += factor * other.growth;
    }

    /// Multiplies the motion by a factor.
    pub fn scale(&mut self, factor: f64) {
        self.centers.iter_mut().for_each(|center| *center *= factor);
        self.growth *= factor;
    }

    /// Returns the difference from an earlier motion.
    pub fn since(&self, earlier: &Self) -> Self {
        let mut difference = self.clone();
        difference.add(-1.0, earlier);
        difference
    }
}
