//! Parts of all scripts: the placeholder material, comments about parts of the container that a script lacks, and commands that hold fixed spheres.

use std::f64::consts::PI;

use crate::{container::Solid, io::export::Scene};

/// Acceleration of gravity in m/s².
pub(super) const GRAVITY: f64 = 9.81;

/// Largest ratio of overlap and diameter that the weight of a column of spheres as high as the container shall cause.
const OVERLAP: f64 = 1e-3;

/// Time step in units of √(mass of the smallest sphere / stiffness): a contact lasts about π of them.
const STEP: f64 = 0.05;

/// Stiffness of contacts, and times that follow from it.
pub(super) struct Material {
    /// Spring constant of a contact, force per length.
    pub stiffness: f64,
    /// Rate of damping, per time.
    pub damping: f64,
    /// Stable time step for contacts of this stiffness.
    pub step: f64,
    pub smallest: f64,
    pub largest: f64,
}

impl Material {
    pub(super) fn new(scene: &Scene) -> Self {
        let radii = scene.spheres.radii();
        let largest = radii.iter().copied().fold(0.0, f64::max);
        let smallest = radii.iter().copied().fold(largest, f64::min);
        let (lightest, densest) = scene.densities();
        let mass = |density: f64, radius: f64| density * 4.0 / 3.0 * PI * radius * radius * radius;
        let height = scene.container.lengths().z;
        // The column weighs density · gravity · height · diameter².
        let stiffness = densest * GRAVITY * height * 2.0 * largest / OVERLAP;
        Self {
            stiffness,
            damping: (stiffness / mass(densest, largest)).sqrt(),
            step: STEP * (mass(lightest, smallest) / stiffness).sqrt(),
            smallest,
            largest,
        }
    }
}

/// Returns a comment for a script that knows the bounding box of the container only; nothing for a box.
pub(super) fn shape_note(scene: &Scene) -> String {
    if matches!(scene.container.solid(), Solid::Box(_)) {
        return String::new();
    }
    format!(
        "# The container is a {}. This script has its bounding box.\n",
        scene.container.solid().name()
    )
}

/// Returns the parts of scripts for LAMMPS and LIGGGHTS that depend on fixed spheres: the definition of the groups of fixed and moving
/// spheres, the command that holds the fixed ones, after all commands that add forces, and the name of the group of the moving ones.
pub(super) fn groups(scene: &Scene) -> (String, &'static str, &'static str) {
    if scene.fixed == 0 {
        return (String::new(), "", "all");
    }
    let definition = format!(
        "group           fixed type {}\ngroup           free subtract all fixed\n",
        scene.type_count
    );
    (definition, "fix             hold fixed freeze\n", "free")
}

/// Returns a comment for a script of a container with bodies, which the script lacks.
pub(super) fn bodies_note(scene: &Scene) -> &'static str {
    if scene.container.bodies().is_empty() {
        ""
    } else {
        "# The bodies that keep spheres out are not in this script.\n"
    }
}
