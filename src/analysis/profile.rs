//! Packing fraction along an axis, from the walls, and along a radius.

use std::f64::consts::PI;

use glam::DVec3;
use serde::Serialize;

use super::{
    adjacency::by_task,
    constants::{PROFILE_BINS, RADIAL_BINS, WALL_BINS, WALL_DIAMETERS},
    sampled_profile::{SampledProfile, sampled},
    scene::Scene,
    shells::Shells,
    void::Probe,
};
use crate::container::Solid;

/// The local packing fraction in slices of the container.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Profiles {
    /// Name of the axis: `x`, `y` or `z`.
    pub axis: char,
    /// Middle of each slice perpendicular to the axis, in the caller's unit.
    pub position: Vec<f64>,
    /// Packing fraction of each slice.
    ///
    /// In a box, and along the axis of a cylinder, it follows exactly from the volumes that the planes between the slices cut
    /// from the spheres. In other containers it is the share of random points inside spheres.
    pub packing_fraction: Vec<f64>,
    /// Packing fraction as a function of the distance from the nearest wall; absent without walls.
    pub wall: Option<SampledProfile>,
    /// Packing fraction as a function of the distance from the axis or the center.
    ///
    /// In a cylinder and in a sphere it follows from the volumes of the spheres in shells of equal width, up to the wall. In other
    /// containers it is the share of random points inside spheres.
    pub radius: SampledProfile,
    /// The line or point from which the radius is measured.
    pub radius_origin: RadiusOrigin,
}

/// The line or point from which a radius is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum RadiusOrigin {
    /// The axis of a cylinder or a cone.
    Axis,
    /// The center of the bounding box of another container.
    Center,
}

impl Profiles {
    /// Computes all profiles.
    ///
    /// # Cost
    /// O(N), on rayon's threads, beyond the random points.
    pub(super) fn of_scene(scene: &Scene, axis: usize, probes: &[Probe]) -> Self {
        let lengths = scene.container.lengths();
        let is_box = scene.container.volume() == lengths.element_product();
        let shells = Shells::of(scene.container);
        let is_prism = axis == scene.container.axis().number()
            && shells.as_ref().is_some_and(Shells::is_prism);
        let (position, packing_fraction) = if is_box || is_prism {
            slices(scene, axis)
        } else {
            let along = sampled(probes, lengths[axis], PROFILE_BINS, |point| point[axis]);
            (along.distance, along.packing_fraction)
        };
        let wall = |point| scene.container.wall_gap(point, 0.0);
        let farthest = farthest(probes, wall);
        let largest = scene.radii.iter().copied().fold(0.0, f64::max);
        let largest = scene.ranks.largest(largest);
        let extent = farthest.min(WALL_DIAMETERS * 2.0 * largest);
        let radius_origin = match scene.container.solid() {
            Solid::Cylinder(_) | Solid::Cone(_) => RadiusOrigin::Axis,
            _ => RadiusOrigin::Center,
        };
        let radius = match shells {
            Some(shells) => shells.profile(scene),
            None => sampled_radius(scene, radius_origin, probes),
        };
        Self {
            axis: ['x', 'y', 'z'][axis],
            position,
            packing_fraction,
            wall: farthest
                .is_finite()
                .then(|| sampled(probes, extent, WALL_BINS, wall)),
            radius,
            radius_origin,
        }
    }
}

/// Returns the share of solid points in bins of the radius, up to the largest radius that lies in the bounding box all around.
fn sampled_radius(scene: &Scene, origin: RadiusOrigin, probes: &[Probe]) -> SampledProfile {
    let lengths = scene.container.lengths();
    let (mut across, mut widths) = (DVec3::ONE, lengths);
    if origin == RadiusOrigin::Axis {
        let own = scene.container.axis().number();
        (across[own], widths[own]) = (0.0, f64::INFINITY);
    }
    let widest = widths.min_element();
    let from_origin = |point: DVec3| (across * (point - 0.5 * lengths)).length();
    let extent = farthest(probes, from_origin).min(0.5 * widest);
    sampled(probes, extent, RADIAL_BINS, from_origin)
}

/// Returns the largest distance of the points.
fn farthest(probes: &[Probe], distance: impl Fn(DVec3) -> f64) -> f64 {
    let distances = probes.iter().map(|probe| distance(probe.point));
    distances.fold(0.0, f64::max)
}

/// Returns the middles of the slices of a container and their packing fractions. The slices have equal volumes.
fn slices(scene: &Scene, axis: usize) -> (Vec<f64>, Vec<f64>) {
    let length = scene.container.lengths()[axis];
    let width = length / PROFILE_BINS as f64;
    let parts = by_task(scene.own.clone(), |spheres| {
        let mut volumes = vec![0.0; PROFILE_BINS];
        for id in spheres {
            let (center, radius) = (scene.centers[id][axis], scene.radii[id]);
            // A sphere wider than the container counts in each slice as often as it covers the slice.
            let slice = |at: f64| (at / width).floor().clamp(-1e4, 1e4) as i64;
            let mut below = 0.0;
            for slice in slice(center - radius)..=slice(center + radius) {
                let up_to = cap(radius, (slice + 1) as f64 * width - center);
                volumes[slice.rem_euclid(PROFILE_BINS as i64) as usize] += up_to - below;
                below = up_to;
            }
        }
        volumes
    });
    let volume = scene.container.volume() / PROFILE_BINS as f64;
    let solid = scene.ranks.sum_in_turn(PROFILE_BINS, &parts);
    let middle = |bin: usize| (bin as f64 + 0.5) * width;
    let fractions = solid.iter().map(|solid| solid / volume);
    ((0..PROFILE_BINS).map(middle).collect(), fractions.collect())
}

/// Returns the volume of a sphere below a plane at the height `z` above its center.
fn cap(radius: f64, z: f64) -> f64 {
    let height = (radius + z).clamp(0.0, 2.0 * radius);
    PI / 3.0 * height * height * (3.0 * radius - height)
}
