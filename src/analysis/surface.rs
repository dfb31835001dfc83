//! Specific surface.

use std::f64::consts::PI;

use crate::{container::Container, spheres::Spheres};

/// Returns the surface of all spheres divided by the volume of the container, in 1 / unit of length; 0 without spheres.
///
/// The value is `Σ 4π r² / V`. For the surface per volume of the spheres, divide it by the packing fraction.
///
/// # Cost
/// O(N).
///
/// # Reference
/// J. Bear, Dynamics of Fluids in Porous Media (1972), section 2.5: specific surface with respect to the bulk volume.
pub fn specific_surface(spheres: &Spheres, container: &Container) -> f64 {
    let squares: f64 = spheres.radii().iter().map(|radius| radius * radius).sum();
    4.0 * PI * squares / container.volume()
}
