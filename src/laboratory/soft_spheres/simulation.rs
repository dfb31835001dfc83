//! The time integration, with its options, contact law and result.

use std::{array, f64::consts::PI, mem};

use glam::DVec3;
use rand::SeedableRng;
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64;

use super::{
    constants::{MAX_THERMAL_OVERLAP, STEPS_PER_CONTACT, STEPS_PER_CONTACT_RANGE, THERMAL_OVERLAP},
    error::SoftSphereError,
    start::mass,
};
use crate::{
    container::Container,
    laboratory::broad_phase::{BroadPhase, OperationCounts},
    machine::clock::Instant,
    spheres::Spheres,
    tuning::Dimension,
};

/// Soft spheres in a box, with their velocities.
///
/// Velocity Verlet integrates the motion. The dashpot takes the velocities in the middle of a step.
#[derive(Clone, Debug)]
pub struct SoftSpheres {
    spheres: Spheres,
    container: Container,
    spring: Spring,
    time_step: f64,
    masses: Vec<f64>,
    velocities: Vec<DVec3>,
    forces: Vec<DVec3>,
    elastic: f64,
    contacts: Vec<[u32; 2]>,
}

impl SoftSpheres {
    /// Creates spheres with random velocities. Every sphere has the same mean kinetic energy, and their total momentum is 0.
    ///
    /// In a periodic box the shortest distance between two spheres counts, so that sides should be at least two largest
    /// diameters long.
    ///
    /// # Errors
    /// If there is no sphere, if a radius is not positive and finite, if the container is not an empty box, or if an option
    /// is out of range.
    pub fn new(
        spheres: Spheres,
        container: Container,
        options: &SoftSphereOptions,
    ) -> Result<Self, SoftSphereError> {
        options.check()?;
        if spheres.is_empty() {
            return Err(SoftSphereError::NoSpheres);
        }
        let is_valid = |radius: f64| radius > 0.0 && radius.is_finite();
        if let Some(&radius) = spheres.radii().iter().find(|&&radius| !is_valid(radius)) {
            return Err(SoftSphereError::Radius(radius));
        }
        if !container.is_bounding_box() {
            return Err(SoftSphereError::Shape);
        }
        let smallest = spheres.radii().iter().copied().fold(f64::MAX, f64::min);
        let lightest = mass(smallest, options.dimension);
        let masses: Vec<f64> = (spheres.radii().iter())
            .map(|&radius| mass(radius, options.dimension))
            .collect();
        Ok(Self {
            velocities: velocities(&masses, options.thermal_overlap * smallest, options),
            forces: vec![DVec3::ZERO; spheres.len()],
            spring: Spring::new(options.restitution),
            time_step: contact_duration(0.5 * lightest) / options.steps_per_contact,
            elastic: 0.0,
            contacts: Vec::new(),
            spheres,
            container,
            masses,
        })
    }

    /// Returns the spheres.
    pub fn spheres(&self) -> &Spheres {
        &self.spheres
    }

    /// Returns the velocities.
    pub fn velocities(&self) -> &[DVec3] {
        &self.velocities
    }

    /// Returns the time step.
    pub fn time_step(&self) -> f64 {
        self.time_step
    }

    /// Returns this simulation with other velocities, one for each sphere.
    ///
    /// # Panics
    /// If there are more or fewer velocities than spheres.
    #[must_use]
    pub fn with_velocities(self, velocities: Vec<DVec3>) -> Self {
        assert_eq!(
            velocities.len(),
            self.spheres.len(),
            "one velocity for each sphere"
        );
        Self { velocities, ..self }
    }

    /// Returns the total momentum.
    pub fn momentum(&self) -> DVec3 {
        let pairs = self.masses.iter().zip(&self.velocities);
        pairs.map(|(&mass, &velocity)| mass * velocity).sum()
    }

    /// Advances the spheres by a number of time steps. `detector` reports the contacts in this container.
    ///
    /// The same spheres and the same detector give the same bits. Another detector reports the contacts in another order, so
    /// that sums of forces are rounded differently.
    pub fn run(&mut self, steps: usize, detector: &mut dyn BroadPhase) -> SoftSphereRun {
        let start = Instant::now();
        let mut run = SoftSphereRun {
            steps,
            ..SoftSphereRun::default()
        };
        self.update_forces(detector, &mut run);
        run.first = self.energy();
        for _ in 0..steps {
            self.kick();
            self.drift();
            self.update_forces(detector, &mut run);
            self.kick();
        }
        run.last = self.energy();
        run.seconds = start.elapsed().as_secs_f64();
        run
    }

    fn energy(&self) -> Energy {
        let pairs = self.masses.iter().zip(&self.velocities);
        let squares = pairs.map(|(&mass, velocity)| mass * velocity.length_squared());
        Energy {
            kinetic: 0.5 * squares.sum::<f64>(),
            elastic: self.elastic,
        }
    }

    /// Changes the velocities by half a time step.
    fn kick(&mut self) {
        let half = 0.5 * self.time_step;
        let forces = self.forces.iter().zip(&self.masses);
        for (velocity, (&force, &mass)) in self.velocities.iter_mut().zip(forces) {
            *velocity += half / mass * force;
        }
    }

    /// Moves the centers by a time step.
    fn drift(&mut self) {
        let (mut centers, radii) = mem::take(&mut self.spheres).into_parts();
        for (center, &velocity) in centers.iter_mut().zip(&self.velocities) {
            *center = self.container.wrap(*center + self.time_step * velocity);
        }
        self.spheres = Spheres::new(centers, radii);
    }

    fn update_forces(&mut self, detector: &mut dyn BroadPhase, run: &mut SoftSphereRun) {
        let start = Instant::now();
        let contacts = &mut self.contacts;
        contacts.clear();
        run.counts += detector.detect(&self.spheres, &mut |i, j| contacts.push([i, j]));
        run.contacts += self.contacts.len() as u64;
        let detected = Instant::now();
        self.forces.fill(DVec3::ZERO);
        self.elastic = 0.0;
        self.add_forces_between_spheres();
        for axis in 0..3 {
            if !self.container.is_periodic(axis) {
                self.add_wall_forces(axis);
            }
        }
        run.detection_seconds += (detected - start).as_secs_f64();
        run.force_seconds += detected.elapsed().as_secs_f64();
    }

    fn add_forces_between_spheres(&mut self) {
        let (centers, radii) = (self.spheres.centers(), self.spheres.radii());
        let (masses, velocities) = (&self.masses, &self.velocities);
        for &contact in &self.contacts {
            let [i, j] = contact.map(|id| id as usize);
            let between = self.container.displacement(centers[i], centers[j]);
            let normal = between.normalize_or(DVec3::X);
            let overlap = radii[i] + radii[j] - between.length();
            let growth = (velocities[i] - velocities[j]).dot(normal);
            let mass = reduced(masses[i], masses[j]);
            let force = self.spring.force(overlap, growth, mass) * normal;
            self.forces[i] -= force;
            self.forces[j] += force;
            self.elastic += elastic_energy(overlap);
        }
    }

    /// Adds the forces of both walls along an axis. The reduced mass of a sphere and a wall is the mass of the sphere.
    fn add_wall_forces(&mut self, axis: usize) {
        let length = self.container.lengths()[axis];
        for (id, (center, radius)) in self.spheres.iter().enumerate() {
            let x = center[axis];
            for (overlap, outward) in [(radius - x, -1.0), (x + radius - length, 1.0)] {
                if overlap > 0.0 {
                    let growth = outward * self.velocities[id][axis];
                    let force = self.spring.force(overlap, growth, self.masses[id]);
                    self.forces[id][axis] -= outward * force;
                    self.elastic += elastic_energy(overlap);
                }
            }
        }
    }
}

/// Returns normal velocities of which m v² along each axis has the mean `overlap²`, less the velocity of the center of mass.
fn velocities(masses: &[f64], overlap: f64, options: &SoftSphereOptions) -> Vec<DVec3> {
    let mut rng = Pcg64::seed_from_u64(options.seed);
    let mut velocities: Vec<DVec3> = masses
        .iter()
        .map(|mass| {
            let [x, y, z]: [f64; 3] = array::from_fn(|_| StandardNormal.sample(&mut rng));
            let z = match options.dimension {
                Dimension::Two => 0.0,
                Dimension::Three => z,
            };
            overlap / mass.sqrt() * DVec3::new(x, y, z)
        })
        .collect();
    let pairs = masses.iter().zip(&velocities);
    let momentum: DVec3 = pairs.map(|(&mass, &velocity)| mass * velocity).sum();
    let mean = momentum / masses.iter().sum::<f64>();
    for velocity in &mut velocities {
        *velocity -= mean;
    }
    velocities
}

/// A linear spring with the constant 1, and a dashpot that gives contacts of any two masses the same restitution coefficient.
///
/// Source: Luding, Eur. J. Environ. Civ. Eng. 12 (2008) 785.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spring {
    /// Dashpot constant over the square root of the reduced mass.
    dashpot: f64,
}

impl Spring {
    /// Creates the law with a restitution coefficient, which must be above 0 and at most 1.
    pub fn new(restitution: f64) -> Self {
        // The overlap is a damped sine: its decay rate over its frequency.
        let decay = -restitution.ln() / PI;
        Self {
            dashpot: 2.0 * decay / (1.0 + decay * decay).sqrt(),
        }
    }

    /// Returns the repulsive force at an overlap and its rate of growth.
    #[inline]
    pub fn force(self, overlap: f64, growth: f64, reduced_mass: f64) -> f64 {
        overlap + self.dashpot * reduced_mass.sqrt() * growth
    }
}

/// Returns the duration of a contact without dashpot.
fn contact_duration(reduced_mass: f64) -> f64 {
    PI * reduced_mass.sqrt()
}

/// Returns the elastic energy at an overlap.
#[inline]
fn elastic_energy(overlap: f64) -> f64 {
    0.5 * overlap * overlap
}

/// Returns the reduced mass of two masses.
#[inline]
pub(super) fn reduced(a: f64, b: f64) -> f64 {
    a * b / (a + b)
}

/// Energies of all spheres at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Kinetic energy.
    pub kinetic: f64,
    /// Elastic energy of all contacts, those with walls included.
    pub elastic: f64,
}

impl Energy {
    /// Returns the sum of both energies.
    pub fn total(self) -> f64 {
        self.kinetic + self.elastic
    }
}

/// Times, counts and energies of a number of time steps.
///
/// Contacts are detected once at the start and once in each step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SoftSphereRun {
    /// Number of time steps.
    pub steps: usize,
    /// Time of contact detection in seconds.
    pub detection_seconds: f64,
    /// Time of the forces between spheres and with walls in seconds.
    pub force_seconds: f64,
    /// Whole time in seconds: detection, forces and integration.
    pub seconds: f64,
    /// Number of contacts between two spheres, summed over all detections.
    pub contacts: u64,
    /// Distance tests and opened cells, summed over all detections.
    pub counts: OperationCounts,
    /// Energies at the start.
    pub first: Energy,
    /// Energies at the end.
    pub last: Energy,
}

impl SoftSphereRun {
    /// Returns the number of detections.
    pub fn detections(&self) -> usize {
        self.steps + 1
    }
}

/// Options of a simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftSphereOptions {
    /// Disks in a plane, or spheres in space. Masses grow with this power of the radius.
    pub dimension: Dimension,
    /// Restitution coefficient of every contact of two spheres, and of a sphere and a wall: 1 without dashpot.
    pub restitution: f64,
    /// Overlap over the smallest radius at which twice the elastic energy is the mean of m v² along one axis at the start. It
    /// sets the velocities.
    pub thermal_overlap: f64,
    /// Number of time steps in a contact of two smallest spheres, which is the shortest contact.
    pub steps_per_contact: f64,
    /// Seed of the velocities.
    pub seed: u64,
}

impl Default for SoftSphereOptions {
    /// Returns options for disks without dashpot.
    fn default() -> Self {
        Self {
            dimension: Dimension::Two,
            restitution: 1.0,
            thermal_overlap: THERMAL_OVERLAP,
            steps_per_contact: STEPS_PER_CONTACT,
            seed: 0,
        }
    }
}

impl SoftSphereOptions {
    /// Checks the ranges of the numbers.
    pub(super) fn check(&self) -> Result<(), SoftSphereError> {
        if !(self.restitution > 0.0 && self.restitution <= 1.0) {
            return Err(SoftSphereError::Restitution(self.restitution));
        }
        if !(0.0..=MAX_THERMAL_OVERLAP).contains(&self.thermal_overlap) {
            return Err(SoftSphereError::ThermalOverlap(self.thermal_overlap));
        }
        if !STEPS_PER_CONTACT_RANGE.contains(&self.steps_per_contact) {
            return Err(SoftSphereError::StepsPerContact(self.steps_per_contact));
        }
        Ok(())
    }
}
