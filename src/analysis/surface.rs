//! Specific surface.

use std::f64::consts::PI;

use crate::{
    container::Container, dimension::Dimension, machine::divided::Divided, spheres::Spheres,
};

/// Returns the surface of all spheres divided by the volume of the container, in 1 / unit of length; 0 without spheres.
///
/// The value is `Σ 4π r² / V`; of disks, `Σ 2π r / A`. For the surface per volume of the spheres, divide it by the packing fraction.
///
/// # Cost
/// O(N).
///
/// # Reference
/// J. Bear, Dynamics of Fluids in Porous Media (1972), section 2.5: specific surface with respect to the bulk volume.
pub fn specific_surface(spheres: &Spheres, container: &Container) -> f64 {
    surface_of(&Divided::alone(spheres.radii()), container)
}

/// Returns the specific surface of spheres of all ranks with these radii.
pub(super) fn surface_of(radii: &Divided, container: &Container) -> f64 {
    match container.dimension() {
        Dimension::Two => {
            let lengths = radii.fold(0.0, |sum, radius| sum + radius);
            2.0 * PI * lengths / container.volume()
        }
        Dimension::Three => {
            let squares = radii.fold(0.0, |sum, radius| sum + radius * radius);
            4.0 * PI * squares / container.volume()
        }
    }
}
