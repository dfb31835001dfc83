//! Packing fractions of layers of a bed, from the exact volumes between two heights.

use std::f64::consts::PI;

use jostle::{Packing, glam::DVec3};

/// Returns the packing fraction of the layer between two heights of an upright vessel of constant cross-section `area`.
pub fn fraction(packing: &Packing, area: f64, [low, high]: [f64; 2]) -> f64 {
    solid(packing, [low, high], |_, _| true) / (area * (high - low))
}

/// Returns the volume of the chosen spheres between two heights.
pub fn solid(
    packing: &Packing,
    [low, high]: [f64; 2],
    is_chosen: impl Fn(DVec3, f64) -> bool,
) -> f64 {
    let spheres = packing.spheres();
    let spheres = spheres.centers().iter().zip(spheres.radii());
    spheres
        .filter(|&(&center, &radius)| is_chosen(center, radius))
        .map(|(center, &radius)| below(high - center.z, radius) - below(low - center.z, radius))
        .sum()
}

/// Returns the volume of the part of a sphere below a plane at this height above its center.
fn below(height: f64, radius: f64) -> f64 {
    let height = height.clamp(-radius, radius);
    PI * (height + radius).powi(2) * (2.0 * radius - height) / 3.0
}

/// Returns the height of the highest point of a bed.
pub fn top(packing: &Packing) -> f64 {
    let spheres = packing.spheres();
    let tops = spheres.centers().iter().zip(spheres.radii());
    tops.map(|(center, radius)| center.z + radius)
        .fold(0.0, f64::max)
}
