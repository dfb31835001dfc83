//! Radii that are slightly smaller where rounding would make spheres overlap.

use glam::DVec3;

use crate::{analysis::Contacts, container::Container, spheres::Spheres};

/// Makes radii smaller until no two spheres overlap by the rounding of their numbers, and none crosses a wall. Returns the
/// number of radii that became smaller.
///
/// The centers are those in the file, relative to the low corner of the container. The overlap must not exceed rounding:
/// each of the two spheres gives way by half of it. `round_down` returns the next smaller number that the file can hold.
pub(super) fn separate(
    centers: &[DVec3],
    radii: &mut [f64],
    container: &Container,
    round_down: impl Fn(f64) -> f64,
) -> usize {
    // The coordinates in the file may be larger than those from the low corner, by at most the length. Programs compute
    // distances with a few roundings.
    let margin = margin(container);
    let needed = needed(centers, radii, container, margin);
    let mut shrunk = 0;
    for (radius, needed) in radii.iter_mut().zip(needed) {
        if needed > 0.0 {
            *radius = round_down(*radius - needed);
            shrunk += 1;
        }
    }
    shrunk
}

/// Makes radii smaller until no sphere crosses a wall or overlaps a body of the container by the rounding of its numbers.
pub(super) fn keep_off_walls(
    centers: &[DVec3],
    radii: &mut [f64],
    container: &Container,
    round_down: impl Fn(f64) -> f64,
) {
    let margin = margin(container);
    for (&center, radius) in centers.iter().zip(radii) {
        let needed = margin - container.wall_gap(center, *radius);
        if needed > 0.0 {
            *radius = round_down(*radius - needed);
        }
    }
}

/// Returns the gap that roundings of programs cannot close.
fn margin(container: &Container) -> f64 {
    8.0 * f64::EPSILON * container.lengths().max_element()
}

/// Returns the length by which each radius must become smaller so that all gaps are at least `margin`.
fn needed(centers: &[DVec3], radii: &[f64], container: &Container, margin: f64) -> Vec<f64> {
    let mut needed = vec![0.0_f64; radii.len()];
    let smallest = radii.iter().copied().fold(f64::INFINITY, f64::min);
    let tolerance = (margin / (2.0 * smallest)).clamp(0.0, 1.0);
    let wrapped: Vec<DVec3> = centers
        .iter()
        .map(|&center| {
            container
                .wrap(center)
                .clamp(DVec3::ZERO, container.lengths())
        })
        .collect();
    let spheres = Spheres::new(wrapped, radii.to_vec());
    if let Ok(contacts) = Contacts::new(&spheres, container, tolerance) {
        for pair in contacts.pairs() {
            let [a, b] = pair.map(|id| id as usize);
            let way = container.displacement(spheres.centers()[a], spheres.centers()[b]);
            let missing = 0.5 * (margin - (way.length() - radii[a] - radii[b]));
            needed[a] = needed[a].max(missing);
            needed[b] = needed[b].max(missing);
        }
    }
    for (sphere, needed) in needed.iter_mut().enumerate() {
        let radius = radii[sphere];
        let images = (0..3)
            .filter(|&axis| container.is_periodic(axis))
            .map(|axis| 0.5 * container.lengths()[axis] - radius)
            .fold(f64::INFINITY, f64::min);
        let walls = container.wall_gap(centers[sphere], radius);
        *needed = needed.max(margin - walls.min(images)).max(0.0);
    }
    needed
}

/// Returns the largest f32 that is not above a number.
pub(super) fn f32_down(number: f64) -> f32 {
    let nearest = number as f32;
    if f64::from(nearest) > number {
        nearest.next_down()
    } else {
        nearest
    }
}
